// cpy/interpreter.h: CPython's private structures, behind one set of names for all versions.
//
// The only header of Splice that includes CPython's internal headers, so only a handful of files
// may include it: this folder's .cpp files that must, and the layout checks in tests/abi.
// Everything It has to be the first include of a file, before anything that includes Python.h.
// Everything here is inline and needs the GIL unless it says otherwise. `kKnownInterpreter` is
// false for versions nobody has looked at; then none of the accessors exist.
#pragma once

#ifndef Py_BUILD_CORE
#define Py_BUILD_CORE 1
#endif
#include <Python.h>

#include <cstddef>
#include <cstdint>

#if PY_VERSION_HEX >= 0x030C0000 && PY_VERSION_HEX < 0x030E0000 && !defined(Py_GIL_DISABLED)
#define SPLICE_KNOWN_INTERPRETER 1
#else
#define SPLICE_KNOWN_INTERPRETER 0
#endif

#if SPLICE_KNOWN_INTERPRETER
// 3.12's pycore_atomic.h would include C's <stdatomic.h>; its other branch has the same layout.
#undef HAVE_STD_ATOMIC
#include "internal/pycore_ceval.h"
#include "internal/pycore_code.h"
#include "internal/pycore_frame.h"
#include "internal/pycore_interp.h"
#include "internal/pycore_pystate.h"
#include "internal/pycore_runtime.h"
#endif

namespace splice::cpy {

inline constexpr bool kKnownInterpreter = SPLICE_KNOWN_INTERPRETER != 0;

#if SPLICE_KNOWN_INTERPRETER

using Frame = _PyInterpreterFrame;

inline constexpr bool kIs313 = PY_VERSION_HEX >= 0x030D0000;

/// Null when the calling thread has no thread state. Needs no GIL.
inline PyThreadState* thread_state() {
#if PY_VERSION_HEX >= 0x030D0000
  return PyThreadState_GetUnchecked();
#else
  return _PyThreadState_UncheckedGet();
#endif
}

/// Where the thread state that took the GIL last stands: for who holds the GIL that is his own. One
/// address for the life of the process, for Splice runs in the main interpreter only.
inline PyThreadState* const* gil_holder(PyThreadState* ts) {
  return reinterpret_cast<PyThreadState* const*>(&ts->interp->ceval.gil->last_holder);
}

/// The frame that runs on `ts`, possibly one that the C stack owns.
inline Frame*& current_frame(PyThreadState* ts) {
#if PY_VERSION_HEX >= 0x030D0000
  return ts->current_frame;
#else
  return ts->cframe->current_frame;
#endif
}

/// Borrowed. Only for frames of Python functions.
inline PyCodeObject* frame_code(const Frame* f) {
#if PY_VERSION_HEX >= 0x030D0000
  return reinterpret_cast<PyCodeObject*>(f->f_executable);
#else
  return f->f_code;
#endif
}

/// Stores the reference `code` without looking at the old one.
inline void set_frame_code(Frame* f, PyCodeObject* code) {
#if PY_VERSION_HEX >= 0x030D0000
  f->f_executable = reinterpret_cast<PyObject*>(code);
#else
  f->f_code = code;
#endif
}

/// The frame's instruction pointer: executing (3.13), or the unit before the next one (3.12).
inline _Py_CODEUNIT*& frame_instr(Frame* f) {
#if PY_VERSION_HEX >= 0x030D0000
  return f->instr_ptr;
#else
  return f->prev_instr;
#endif
}

/// Makes a frame that is about to be entered by the eval loop go on at `unit` of its code.
inline void set_entry_point(Frame* f, PyCodeObject* code, std::ptrdiff_t unit) {
#if PY_VERSION_HEX >= 0x030D0000
  f->instr_ptr = _PyCode_CODE(code) + unit;
#else
  f->prev_instr = _PyCode_CODE(code) + unit - 1;
#endif
}

/// The same for a frame whose eval loop waits for a monitoring callback: both versions go on *at*
/// the unit that was written.
inline void set_jump_target(Frame* f, PyCodeObject* code, std::ptrdiff_t unit) {
  frame_instr(f) = _PyCode_CODE(code) + unit;
}

/// Makes an exception with which the eval loop enters a frame come from `unit`. 3.13 looks for the
/// handler at the unit in front of instr_ptr and for the line at instr_ptr itself: both are right
/// at `unit` when the one in front has the same handler, and otherwise one further, where the
/// caches of an instruction are. Without caches (STORE_FAST at the begin of a `try`) the line may
/// be that of the next instruction.
inline void set_raise_point(Frame* f, PyCodeObject* code, std::ptrdiff_t unit,
                            [[maybe_unused]] bool same_handler_in_front) {
#if PY_VERSION_HEX >= 0x030D0000
  f->instr_ptr = _PyCode_CODE(code) + unit + (same_handler_in_front ? 0 : 1);
#else
  f->prev_instr = _PyCode_CODE(code) + unit;
#endif
}

inline bool is_c_stack_frame(const Frame* f) { return f->owner == FRAME_OWNED_BY_CSTACK; }

/// The next frame outwards that belongs to a Python function; may be null.
inline Frame* python_frame(Frame* f) {
  while (f != nullptr && is_c_stack_frame(f)) {
    f = f->previous;
  }
  return f;
}

/// The word that back edges poll, and the bits of it that mean something.
inline const volatile std::uint32_t* eval_breaker_word(PyThreadState* ts) {
#if PY_VERSION_HEX >= 0x030D0000
  return reinterpret_cast<const volatile std::uint32_t*>(&ts->eval_breaker);  // little endian
#else
  return reinterpret_cast<const volatile std::uint32_t*>(&ts->interp->ceval.eval_breaker);
#endif
}
inline constexpr std::uint32_t kEvalBreakerMask = kIs313 ? 0xffu : 0xffffffffu;

/// Version of the global monitoring events, to compare with a code object's.
inline std::uintptr_t monitoring_version([[maybe_unused]] PyThreadState* ts) {
#if PY_VERSION_HEX >= 0x030D0000
  return ts->eval_breaker & ~static_cast<std::uintptr_t>(0xff);
#else
  return static_cast<std::uintptr_t>(ts->interp->monitoring_version);
#endif
}

/// The same for all threads; changes with it.
inline const volatile std::uint64_t* monitoring_version_word(PyInterpreterState* interpreter) {
#if PY_VERSION_HEX >= 0x030D0000
  static_assert(sizeof interpreter->ceval.instrumentation_version == sizeof(std::uint64_t));
  return reinterpret_cast<const volatile std::uint64_t*>(
      &interpreter->ceval.instrumentation_version);
#else
  return &interpreter->monitoring_version;
#endif
}

/// Units of C recursion that one _PyEval_EvalFrameDefault takes.
inline constexpr int kEvalRecursionUnits = 2;

#endif  // SPLICE_KNOWN_INTERPRETER

}  // namespace splice::cpy
