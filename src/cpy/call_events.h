// cpy/call_events.h: hearing of every call of a few Python functions, by local PY_START events.
#pragma once

#include <Python.h>

#include <vector>

#include "base/result.h"

namespace splice::cpy {

/// Called at the start of each call of `function`, whose code is counted; the GIL is held.
/// `recursive`: one of the calls it comes from, not far out, is of the same function; native code
/// makes such calls without an entry. False: this code object needs no events any more. Must set
/// no exception and run no Python code.
using CallCallback = bool (*)(PyFunctionObject* function, bool recursive);

/// Once, before count_calls. Errors: kUnsupported, the tool id is somebody else's or this version
/// of CPython is not known.
Status init_call_events(CallCallback callback);

/// Switches the events of one code object on or off; the code of others is not touched. False when
/// that is not possible. Sets no exception.
bool count_calls(PyCodeObject* code, bool on);

/// From inside the callback: what the function is being called with, one borrowed value for each
/// positional and then each keyword-only parameter. False when they cannot be told.
bool call_arguments(PyFunctionObject* function, std::vector<PyObject*>& values);

/// What the event adds to one call, in nanoseconds; measured by the first caller (a fraction of a
/// millisecond). 0 where calls cannot be counted.
double call_event_ns();

}  // namespace splice::cpy
