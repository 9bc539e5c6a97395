// First: it needs to be the one that includes Python.h.
#include "cpy/interpreter.h"

#include "cpy/call_events.h"

#include "cpy/frames.h"
#include "cpy/tracing.h"

namespace splice::cpy {

#if SPLICE_KNOWN_INTERPRETER

namespace {

constexpr int kStartEvent = 1 << 0;

CallCallback g_callback = nullptr;  // guarded by the GIL
PyObject* g_disable = nullptr;      // sys.monitoring.DISABLE

PyObject* on_start(PyObject*, PyObject* const*, Py_ssize_t) {
  PyObject* callable = current_frame(thread_state())->f_funcobj;
  const bool wanted = callable != nullptr && PyFunction_Check(callable) &&
                      g_callback(reinterpret_cast<PyFunctionObject*>(callable));
  return Py_NewRef(wanted ? Py_None : g_disable);
}

PyMethodDef g_on_start = {"_splice_start",
                          reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(on_start)),
                          METH_FASTCALL, nullptr};

}  // namespace

Status init_call_events(CallCallback callback) {
  g_callback = callback;
  if (g_disable != nullptr) {
    return {};
  }
  // The tool id was taken for the trampolines.
  if (Status status = trampoline_status(); !status.ok()) {
    return status;
  }
  PyObject* monitoring = PySys_GetObject("monitoring");  // borrowed
  PyObject* disable =
      monitoring != nullptr ? PyObject_GetAttrString(monitoring, "DISABLE") : nullptr;
  PyObject* function = disable != nullptr ? PyCFunction_New(&g_on_start, nullptr) : nullptr;
  const OwnRegistration own;
  PyObject* before = function != nullptr
                         ? PyObject_CallMethod(monitoring, "register_callback", "iiO", kToolId,
                                               kStartEvent, function)
                         : nullptr;
  Py_XDECREF(function);
  if (before == nullptr) {
    Py_XDECREF(disable);
    PyErr_Clear();
    return unsupported("calls cannot be counted: sys.monitoring does not work");
  }
  Py_DECREF(before);
  g_disable = disable;
  return {};
}

bool count_calls(PyCodeObject* code, bool on) {
  PyObject* monitoring = g_disable != nullptr ? PySys_GetObject("monitoring") : nullptr;
  if (monitoring == nullptr) {
    return false;
  }
  PyObject* done = PyObject_CallMethod(monitoring, "set_local_events", "iOi", kToolId, code,
                                       on ? kStartEvent : 0);
  if (done == nullptr) {
    PyErr_Clear();
  }
  Py_XDECREF(done);
  return done != nullptr;
}

#else

Status init_call_events(CallCallback) {
  return unsupported("this version of CPython is not known");
}
bool count_calls(PyCodeObject*, bool) { return false; }

#endif  // SPLICE_KNOWN_INTERPRETER

}  // namespace splice::cpy
