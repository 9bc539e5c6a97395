// First: it needs to be the one that includes Python.h.
#include "cpy/interpreter.h"

#include "cpy/call_events.h"

#include <algorithm>

#include "cpy/frames.h"
#include "cpy/item_named.h"
#include "cpy/tracing.h"
#include "sys/clock.h"

namespace splice::cpy {

#if SPLICE_KNOWN_INTERPRETER

namespace {

constexpr int kStartEvent = 1 << 0;

CallCallback g_callback = nullptr;  // guarded by the GIL
PyObject* g_disable = nullptr;      // sys.monitoring.DISABLE

/// Functions that call each other in a circle longer than this look like any others.
constexpr int kLongestCircle = 4;

bool is_recursive(Frame* frame) {
  Frame* caller = frame;
  for (int i = 0; i < kLongestCircle; ++i) {
    caller = python_frame(caller->previous);
    if (caller == nullptr) {
      return false;
    }
    if (caller->f_funcobj == frame->f_funcobj) {
      return true;
    }
  }
  return false;
}

PyObject* on_start(PyObject*, PyObject* const*, Py_ssize_t) {
  Frame* frame = current_frame(thread_state());
  PyObject* callable = frame->f_funcobj;
  const bool wanted =
      callable != nullptr && PyFunction_Check(callable) &&
      g_callback(reinterpret_cast<PyFunctionObject*>(callable), is_recursive(frame));
  return Py_NewRef(wanted ? Py_None : g_disable);
}

PyMethodDef g_on_start = {"_splice_start",
                          reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(on_start)),
                          METH_FASTCALL, nullptr};

/// Time of some calls of an empty function, per call.
double call_ns(PyObject* function) {
  constexpr int kCalls = 32;
  const std::int64_t start = sys::monotonic_ns();
  for (int i = 0; i < kCalls; ++i) {
    PyObject* none = PyObject_CallNoArgs(function);
    if (none == nullptr) {
      PyErr_Clear();
      return 0;
    }
    Py_DECREF(none);
  }
  return static_cast<double>(sys::monotonic_ns() - start) / kCalls;
}

/// The shortest times count, and both are looked for in turns: the machine has other work.
double measure_event_ns(PyObject* function) {
  constexpr int kRounds = 16;
  auto* code = reinterpret_cast<PyCodeObject*>(PyFunction_GET_CODE(function));
  double plain = call_ns(function);
  double counted = 1e9;
  for (int round = 0; round < kRounds; ++round) {
    if (!count_calls(code, true)) {
      return 0;
    }
    counted = std::min(counted, call_ns(function));
    count_calls(code, false);
    plain = std::min(plain, call_ns(function));
  }
  return std::max(0.0, counted - plain);
}

double measure_event_ns() {
  PyObject* globals = PyDict_New();
  PyObject* code = Py_CompileString("def _splice_empty(): pass\n", "<splice>", Py_file_input);
  PyObject* done =
      globals != nullptr && code != nullptr ? PyEval_EvalCode(code, globals, globals) : nullptr;
  PyObject* function =
      done != nullptr ? item_named(globals, "_splice_empty") : nullptr;  // borrowed
  double cost = 0;
  if (function != nullptr) {
    const CallCallback before = g_callback;
    g_callback = [](PyFunctionObject*, bool) { return true; };
    cost = measure_event_ns(function);
    g_callback = before;
  }
  PyErr_Clear();
  Py_XDECREF(done);
  Py_XDECREF(code);
  Py_XDECREF(globals);
  return cost;
}

}  // namespace

bool call_arguments(PyFunctionObject* function, std::vector<PyObject*>& values) {
  const Frame* frame = current_frame(thread_state());
  if (frame->f_funcobj != reinterpret_cast<PyObject*>(function)) {
    return false;
  }
  const PyCodeObject* code = frame_code(frame);
  const int count = code->co_argcount + code->co_kwonlyargcount;
  for (int i = 0; i < count; ++i) {
    PyObject* value = frame->localsplus[i];
    // A parameter that nested functions use has been put into its cell.
    const bool in_cell = (_PyLocals_GetKind(code->co_localspluskinds, i) & CO_FAST_CELL) != 0;
    if (in_cell && value != nullptr && PyCell_Check(value)) {
      value = PyCell_GET(value);
    }
    if (value == nullptr) {
      return false;
    }
    values.push_back(value);
  }
  return true;
}

double call_event_ns() {
  static const double cost = measure_event_ns();
  return cost;
}

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
bool call_arguments(PyFunctionObject*, std::vector<PyObject*>&) { return false; }
double call_event_ns() { return 0; }

#endif  // SPLICE_KNOWN_INTERPRETER

}  // namespace splice::cpy
