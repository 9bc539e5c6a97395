// cpy/instrument.h: code that tracing was switched on for while it ran natively.
#pragma once

#include <Python.h>

namespace splice::cpy {

/// Brings the code's instrumentation up to date with the monitoring events of the process. CPython
/// does that when a call starts, which a rebuilt frame does not do. Does nothing, at the cost of
/// a few compares, when it is up to date, or nobody traces and nothing is left in it of somebody
/// who did. False with an exception set.
bool refresh_instrumentation(PyThreadState* ts, PyCodeObject* code);

}  // namespace splice::cpy
