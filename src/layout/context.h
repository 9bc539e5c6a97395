// layout/context.h: the per-thread block that generated code works with, and the status codes.
// Codegen emits loads at these offsets, cpy fills the fields, engine reads the exit buffer.
// docs/internals/abi.md is the prose version; keep them equal.
#pragma once

#include <cstddef>
#include <cstdint>

namespace splice::layout {

/// Second part of what every compiled function returns. Values >= 0: finished, and which of the
/// function's result kinds was filled in.
enum Status : std::int32_t {
  kOk = 0,
  kRestart = -1,  ///< left before any visible side effect of this call: call the original instead
  kLeft = -2,     ///< left; the frames are in the exit buffer, outermost last
  kBoxed = -3,    ///< finished in the interpreter; the result object is in Context::boxed
  kRaised = -4,   ///< an exception is set
};

/// One per thread. Owned by cpy/thread_context.cpp; valid while the thread lives.
struct Context {
  void* tstate = nullptr;                                ///< PyThreadState of the current entry
  const volatile std::uint32_t* eval_breaker = nullptr;  ///< word polled at back edges
  std::uint32_t eval_breaker_mask = 0xffffffffu;         ///< 0xff on 3.13+
  std::uint32_t native_depth = 0;                        ///< entry stubs active on this thread
  std::int32_t* py_recursion_remaining = nullptr;        ///< of tstate
  const char* stack_limit = nullptr;  ///< lowest stack address native recursion may use
  void* boxed = nullptr;              ///< owned result object when status is kBoxed
  std::uint64_t* exit_top = nullptr;  ///< next free word of the exit buffer
};

/// In place of a thread's context for code that leaves but needs it for nothing else: the address
/// of a constant Context, the symbol `splice_no_context`. The runtime then finds the thread's own.
inline constexpr Context kNoContext;

}  // namespace splice::layout
