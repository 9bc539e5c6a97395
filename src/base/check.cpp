// base/check.cpp
#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace splice {

void check_failed(const char* file, int line, const char* what) {
  std::fprintf(stderr, "splice: internal error at %s:%d: %s\n", file, line, what);
  std::abort();
}

}  // namespace splice
