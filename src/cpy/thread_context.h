// cpy/thread_context.h: the Context of each thread, polls, the exit buffer, the invalidation epoch.
//
// Generated code calls the splice_rt_* functions by name (docs/internals/abi.md). They are called
// with the GIL held, on the thread the Context belongs to.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "layout/context.h"

extern "C" {

/// The Context of the calling thread, with the fields of its current thread state. Two compares
/// when nothing changed. The first entry of a thread allocates it. In an outermost entry, records
/// of exits that nobody took are forgotten.
splice::layout::Context* splice_rt_enter() noexcept;

/// Called when the polled word is not zero. 0: whatever it was has been served and nothing was
/// invalidated since native code was entered on this thread; go on. 1: leave to the interpreter,
/// which finds the reason still set (signal, async exception, pending call, stop request), or must
/// not go on in this code (invalidated, tracing has begun).
/// May release the GIL and, for a GC request, run finalizers: whatever other code can reach may
/// have changed. Not noexcept: CPython ends daemon threads at exit by unwinding through this.
std::int32_t splice_rt_poll(splice::layout::Context* ctx);

/// Room for the `words` live values of an exit, valid until the next call. Every exit gets a
/// record, also one of kind kRestart (which has no words): who takes the records tells by unit,
/// function and exit. Innermost function first. With kNoContext it enters first.
std::uint64_t* splice_rt_exit(splice::layout::Context* ctx, void* unit, std::uint32_t function,
                              std::uint32_t exit, std::uint32_t words) noexcept;

}  // extern "C"

namespace splice::cpy {

/// One function's part of an exit.
struct ExitRecord {
  void* unit;
  std::uint32_t function;
  std::uint32_t exit;
  std::span<const std::uint64_t> live;
};

/// The records of one exit, taken out of the thread's buffer, which is empty afterwards: code that
/// runs while this lives (finalizers, the rebuilt frames) may leave native code itself.
/// Nothing that can run Python code may happen between the first splice_rt_exit of an exit and the
/// making of this object.
class TakenExits {
 public:
  explicit TakenExits(layout::Context* ctx);
  ~TakenExits();
  TakenExits(const TakenExits&) = delete;
  TakenExits& operator=(const TakenExits&) = delete;

  /// Innermost first, as they were appended.
  const std::vector<ExitRecord>& records() const { return records_; }

 private:
  layout::Context* ctx_;
  std::uint64_t* words_;
  std::uint64_t* words_end_;
  std::vector<ExitRecord> records_;
};

/// Anything compiled code relied on has changed: polls of native code that is running now leave.
void bump_epoch() noexcept;
std::uint64_t current_epoch() noexcept;

/// Bytes of this thread's C stack above the limit of native recursion, below which at least the
/// smaller of 128 KiB and half of the stack is left. On the smallest stacks (less than 64 KiB)
/// there are none.
std::ptrdiff_t stack_above_limit() noexcept;
/// True when the epoch changed since the outermost native code of this thread was entered.
bool invalidated_since_entry(const layout::Context* ctx) noexcept;

/// The context whose exit buffer an exit with `ctx` used: `ctx` itself, or, for kNoContext, that of
/// the calling thread. Null, when there was no exit, enters.
layout::Context* context_of_exit(layout::Context* ctx) noexcept;

/// Where the current thread state stands for who holds the GIL: a PyThreadState*, at one address
/// for the life of the process.
const void* thread_state_address() noexcept;

/// Whether any thread is inside native code. GIL held, so the answer holds until it is released.
bool any_thread_in_native_code();

}  // namespace splice::cpy
