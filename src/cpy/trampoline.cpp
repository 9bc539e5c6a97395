// First: it needs to be the one that includes Python.h.
#include "cpy/interpreter.h"

#include "cpy/trampoline.h"

#include <opcode.h>

#include <iterator>

#include "cpy/item_named.h"
#include "cpy/tracing.h"

namespace splice::cpy {

#if SPLICE_KNOWN_INTERPRETER

namespace {

// The body runs only when something went wrong between a rebuilt frame and its inner one.
constexpr const char kSource[] =
    "def _splice_frame(*args, **kwargs):\n"
    "    raise SystemError('splice: an inner frame was not rebuilt')\n";

constexpr int kStackSizes[] = {24, 80, 300, 3000};

struct Trampoline {
  PyObject* function = nullptr;
  PyCodeObject* code = nullptr;
};
Trampoline g_trampolines[std::size(kStackSizes)];
bool g_ready = false;

struct Expected {
  FrameSource source = nullptr;
  void* chain = nullptr;
  const void* parent = nullptr;
};
constinit thread_local Expected t_expected;

PyObject* on_resume(PyObject*, PyObject* const*, Py_ssize_t) {
  Frame* frame = current_frame(thread_state());
  if (t_expected.source != nullptr && frame->previous == t_expected.parent) {
    const Expected now = t_expected;
    t_expected = {};
    now.source(now.chain, frame);
  }
  Py_RETURN_NONE;
}

PyMethodDef g_on_resume = {"_splice_resume",
                           reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(on_resume)),
                           METH_FASTCALL, nullptr};

/// `base`'s code with a stack of `size` slots, to be entered at a RESUME that fires PY_RESUME and
/// does not look at requests to the eval loop.
PyCodeObject* make_code(PyObject* base, int size) {
  PyObject* replace = PyObject_GetAttrString(PyFunction_GET_CODE(base), "replace");
  PyObject* none = PyTuple_New(0);
  PyObject* changes = Py_BuildValue("{s:i}", "co_stacksize", size);
  PyObject* code = nullptr;
  if (replace != nullptr && none != nullptr && changes != nullptr) {
    code = PyObject_Call(replace, none, changes);
  }
  Py_XDECREF(replace);
  Py_XDECREF(none);
  Py_XDECREF(changes);
  if (code == nullptr) {
    return nullptr;
  }
  _Py_CODEUNIT* first = _PyCode_CODE(reinterpret_cast<PyCodeObject*>(code));
  if (first->op.code != RESUME || first->op.arg != 0) {
    Py_DECREF(code);
    PyErr_SetString(PyExc_SystemError, "a function does not begin with RESUME");
    return nullptr;
  }
  first->op.arg = 2;
  return reinterpret_cast<PyCodeObject*>(code);
}

bool make_functions() {
  PyObject* globals = PyDict_New();
  PyObject* module = Py_CompileString(kSource, "<splice>", Py_file_input);
  PyObject* done = nullptr;
  // With builtins for the same reason as the globals of a poll.
  if (globals != nullptr && module != nullptr &&
      PyDict_SetItemString(globals, "__builtins__", PyEval_GetBuiltins()) == 0) {
    done = PyEval_EvalCode(module, globals, globals);
  }
  PyObject* base = done != nullptr ? item_named(globals, "_splice_frame") : nullptr;
  bool ok = base != nullptr;
  for (std::size_t i = 0; i < std::size(kStackSizes) && ok; ++i) {
    Trampoline& t = g_trampolines[i];
    t.code = make_code(base, kStackSizes[i]);
    t.function =
        t.code != nullptr ? PyFunction_New(reinterpret_cast<PyObject*>(t.code), globals) : nullptr;
    ok = t.function != nullptr;
  }
  Py_XDECREF(done);
  Py_XDECREF(module);
  Py_XDECREF(globals);
  return ok;
}

bool arm() {
  PyObject* monitoring = PySys_GetObject("monitoring");  // borrowed
  if (monitoring == nullptr) {
    return false;
  }
  const OwnRegistration own;
  constexpr int kResumeEvent = 1;
  PyObject* taken = PyObject_CallMethod(monitoring, "use_tool_id", "is", kToolId, "splice");
  PyObject* callback = taken != nullptr ? PyCFunction_New(&g_on_resume, nullptr) : nullptr;
  PyObject* before = callback != nullptr
                         ? PyObject_CallMethod(monitoring, "register_callback", "iiO", kToolId,
                                               1 << kResumeEvent, callback)
                         : nullptr;
  bool ok = before != nullptr;
  for (const Trampoline& t : g_trampolines) {
    PyObject* armed = ok ? PyObject_CallMethod(monitoring, "set_local_events", "iOi", kToolId,
                                               t.code, 1 << kResumeEvent)
                         : nullptr;
    ok = armed != nullptr;
    Py_XDECREF(armed);
  }
  Py_XDECREF(taken);
  Py_XDECREF(callback);
  Py_XDECREF(before);
  return ok;
}

}  // namespace

Status init_trampolines() {
  if (g_ready) {
    return {};
  }
  g_ready = make_functions() && arm();
  if (!g_ready) {
    PyErr_Clear();
    return unsupported("the monitoring tool id of optimizers is taken or does not work");
  }
  return {};
}

PyObject* trampoline_for(PyCodeObject* code) {
  if (!g_ready) {
    return nullptr;
  }
  for (const Trampoline& t : g_trampolines) {
    if (t.code->co_framesize >= code->co_framesize) {
      return t.function;
    }
  }
  return nullptr;
}

void expect_frame(FrameSource source, void* chain, const void* parent) {
  t_expected = {source, chain, parent};
}

void expect_nothing(const void* chain) {
  if (t_expected.chain == chain) {
    t_expected = {};
  }
}

#else

Status init_trampolines() { return unsupported("this version of CPython is not known"); }
PyObject* trampoline_for(PyCodeObject*) { return nullptr; }
void expect_frame(FrameSource, void*, const void*) {}
void expect_nothing(const void*) {}

#endif  // SPLICE_KNOWN_INTERPRETER

}  // namespace splice::cpy
