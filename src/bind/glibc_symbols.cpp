// bind/glibc_symbols.cpp: what alone would tie the extension to a glibc newer than 2.34.
//
// A symbol binds to the newest version the build machine's glibc has. Of what we and LLVM use only
// hypot and hypotf (new versions in 2.35, the same numbers) and arc4random (2.36) are younger than
// 2.34, which RHEL 9, Amazon Linux 2023 and Ubuntu 22.04 have at least. The linker prefers these
// definitions, and nobody else sees them: the module exports PyInit__splice only.
#include <sys/random.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "sys/clock.h"

extern "C" {

double splice_hypot_of_2_2_5(double x, double y) noexcept;
__asm__(".symver splice_hypot_of_2_2_5, hypot@GLIBC_2.2.5");

double hypot(double x, double y) noexcept { return splice_hypot_of_2_2_5(x, y); }

float splice_hypotf_of_2_2_5(float x, float y) noexcept;
__asm__(".symver splice_hypotf_of_2_2_5, hypotf@GLIBC_2.2.5");

float hypotf(float x, float y) noexcept { return splice_hypotf_of_2_2_5(x, y); }

/// LLVM calls it for names of temporary files: nothing secret hangs on it.
std::uint32_t arc4random() noexcept {
  std::uint32_t value = 0;
  if (getrandom(&value, sizeof value, 0) != sizeof value) {
    value = static_cast<std::uint32_t>(splice::sys::monotonic_ns());
  }
  return value;
}
}
