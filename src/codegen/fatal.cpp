#include "codegen/fatal.h"

#include <llvm/Support/ErrorHandling.h>

#include <mutex>
#include <new>
#include <string>

namespace splice::codegen {

namespace {

struct LlvmFatal {
  std::string reason;
};

thread_local int guard_depth = 0;

// LLVM calls the handler with its own lock released and may not be returned to. Its frames have
// unwind tables but no clean-ups, so an exception passes through them and leaks what they held.
void on_fatal(void*, const char* reason, bool) {
  if (guard_depth > 0) throw LlvmFatal{reason};
}

void on_bad_alloc(void*, const char*, bool) {
  if (guard_depth > 0) throw std::bad_alloc();
}

struct Depth {
  Depth() { ++guard_depth; }
  ~Depth() { --guard_depth; }
};

}  // namespace

Status run_guarded(const std::function<Status()>& body) {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::install_fatal_error_handler(on_fatal);
    llvm::install_bad_alloc_error_handler(on_bad_alloc);
  });
  const Depth depth;
  try {
    return body();
  } catch (const LlvmFatal& fatal) {
    return internal_error("LLVM gave up: " + fatal.reason);
  } catch (const std::bad_alloc&) {
    return resource_error("no memory left to compile");
  }
}

}  // namespace splice::codegen
