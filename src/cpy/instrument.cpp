// First: it needs to be the one that includes Python.h.
#include "cpy/interpreter.h"

#include "cpy/instrument.h"

#include "cpy/tracing.h"

namespace splice::cpy {

bool refresh_instrumentation([[maybe_unused]] PyThreadState* ts,
                             [[maybe_unused]] PyCodeObject* code) {
#if SPLICE_KNOWN_INTERPRETER
  if (code->_co_instrumentation_version == monitoring_version(ts) ||
      !(tracing_active(ts) || still_instrumented(code))) {
    return true;
  }
  // The function that does it is not exported; any change of a tool's events on one code object
  // ends in it. PY_RESUME does not occur in plain functions, so nobody sees the event in between.
  PyObject* monitoring = PySys_GetObject("monitoring");  // borrowed
  PyObject* name = PyObject_CallMethod(monitoring, "get_tool", "i", kToolId);
  const bool ours = name != nullptr && PyUnicode_Check(name) &&
                    PyUnicode_CompareWithASCIIString(name, "splice") == 0;
  Py_XDECREF(name);
  if (!ours) {
    PyErr_Clear();
    return true;  // the tool id is somebody else's: the rest of this call goes unseen
  }
  constexpr int kResumeEvent = 2;
  for (int events : {kResumeEvent, 0}) {
    PyObject* done =
        PyObject_CallMethod(monitoring, "set_local_events", "iOi", kToolId, code, events);
    if (done == nullptr) {
      return false;
    }
    Py_DECREF(done);
  }
#endif
  return true;
}

}  // namespace splice::cpy
