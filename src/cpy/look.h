// cpy/look.h: looking at the program from inside, on whichever thread runs Python code.
//
// A thread of ours that wants to know what the program does asks for a look. It never takes the GIL
// for that, which would make the program wait: the thread that has it looks at itself, the next
// time it is at a place where CPython serves such requests (function entry, back edge). Native code
// serves a look in its polls and does not leave for it.
#pragma once

#include <Python.h>

#include "base/result.h"

namespace splice::cpy {

/// Called with the GIL held, where signal handlers run too. Sets no exception.
void set_look(void (*callback)());

/// Asks for one call of the callback. False when the last one has not come yet, or cannot be asked
/// for. Any thread, no GIL; not after the interpreter has been finalized.
bool request_look();

/// What the calling thread is at.
struct Running {
  PyFunctionObject* function = nullptr;  ///< borrowed; null for none
  bool native = false;                   ///< a poll of native code, whichever function that is
};
Running running_now();

/// Remembers the call of a C function that the calling thread is in, for in_noted_call().
void note_call();
/// Whether that call has not returned yet, as far as frames tell: Python code that it called is
/// running. Any thread with the GIL.
bool in_noted_call();

/// For polls: whether requests to the eval loop wait on this interpreter, looks aside.
bool only_looks_wait(PyThreadState* ts);

}  // namespace splice::cpy
