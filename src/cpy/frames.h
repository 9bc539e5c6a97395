// cpy/frames.h: rebuilding interpreter frames, so that CPython goes on where native code left.
//
// The frames of an exit become real frames of the original code objects. The first one is pushed on
// the thread's data stack and given to the eval loop. An inner one takes the place of the call at
// which its caller stands, in one of two ways:
//   - by trampoline: a private Python function stands where the callable was; a monitoring callback
//     turns its frame into the real one. No C stack per frame, equal in every respect.
//   - by hand: a C callable stands there and enters the next frame in an eval loop of its own. Used
//     while somebody traces, inside trace callbacks, when the tool id is taken, for frames bigger
//     than the largest trampoline. On 3.12 f_lasti of the callers then shows the CALL itself.
// GIL held for everything.
#pragma once

#include <Python.h>

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"

namespace splice::cpy {

/// One frame to rebuild. Every object in it is an owned reference.
struct FrameRecord {
  PyCodeObject* code = nullptr;          ///< the function's code; no generator, no coroutine
  PyFunctionObject* function = nullptr;  ///< gives globals, builtins and the closure
  /// Bytes. The instruction to go on at; the first of the EXTENDED_ARG or (3.12) KW_NAMES in front
  /// of it, where there are any.
  std::int32_t offset = 0;
  /// co_nlocalsplus entries; null is unbound; cell and free variables as cells.
  std::vector<PyObject*> locals;
  /// Bottom to top, at most co_stacksize; null is the NULL operand of calls.
  std::vector<PyObject*> stack;
};

/// Runs the chain and returns what its outermost frame returns, or null with an exception. The
/// references are consumed, whatever happens. With an exception `raised` the innermost frame does
/// not go on: its instruction raises that. Each record but the last stands at a call site (see
/// is_call_site) with the operands of that call on top of its stack; the operands are dropped and
/// the call enters the next record. A record that cannot be a frame gives SystemError,
/// and memory that is missing for the chain itself MemoryError, without a frame having run.
///
/// The frames count in py_recursion_remaining as any others: native code must have given back what
/// it took. The first frame takes one eval loop of C recursion; who wants none to be taken
/// adjusts the counter around the call.
PyObject* run_frames(std::vector<FrameRecord> outermost_first, PyObject* raised = nullptr);

/// Drops the references of records that will not be run and empties them. May run any code.
void drop_frames(std::span<FrameRecord> records);

/// What is wrong with a record, or ok. `inner` says that another record follows it.
Status check_record(const FrameRecord& record, bool inner);

/// Whether a frame may stand at byte `offset` of `code` and wait for the next frame: a CALL,
/// CALL_KW or CALL_FUNCTION_EX, with its prefixes.
bool is_call_site(PyCodeObject* code, std::int32_t offset);

/// Once at import; later calls return the first answer. Prepares everything this needs and decides
/// whether frames can be rebuilt in this interpreter: version and build are compared, layouts where
/// the interpreter tells them, requests to the eval loop are looked for, and small chains are run
/// in both ways. Errors: kUnsupported with the reason; then nothing may be compiled that could
/// leave. Runs a few Python functions of its own; sets no exception.
Status self_test();
/// After self_test(): whether inner frames are entered by trampoline. When not, they are entered by
/// hand.
Status trampoline_status();

/// For tests: frames by hand even where trampolines would do.
void force_by_hand(bool on);

/// Chains that were run and how their inner frames were entered, since start.
struct RebuildCounts {
  std::uint64_t chains = 0;
  std::uint64_t by_trampoline = 0;
  std::uint64_t by_hand = 0;
};
RebuildCounts rebuild_counts();

}  // namespace splice::cpy
