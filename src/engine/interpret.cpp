// engine/interpret.cpp: falling back without being noticed.
#include "engine/interpret.h"

#include "cpy/thread_context.h"
#include "engine/entry.h"
#include "engine/record.h"
#include "engine/thread_local.h"

namespace splice::engine {

constinit thread_local ThreadLocal this_thread;

namespace {

/// What one more evaluation loop takes from PyThreadState::c_recursion_remaining.
constexpr int kLoopUnits = 2;
/// Levels of fallback on one thread from which on functions are un-patched while they run, as they
/// are where there is little C stack: calls among them take none of it then.
constexpr int kDeep = 32;

vectorcallfunc g_original = nullptr;

}  // namespace

vectorcallfunc original_entry() { return g_original; }

bool find_original_entry() {
  PyCodeObject* code = PyCode_NewEmpty("<splice>", "probe", 1);
  PyObject* globals = PyDict_New();
  PyObject* function = nullptr;
  if (code != nullptr && globals != nullptr)
    function = PyFunction_New(reinterpret_cast<PyObject*>(code), globals);
  if (function != nullptr) g_original = reinterpret_cast<PyFunctionObject*>(function)->vectorcall;
  Py_XDECREF(function);
  Py_XDECREF(globals);
  Py_XDECREF(reinterpret_cast<PyObject*>(code));
  return g_original != nullptr;
}

InterpreterScope::InterpreterScope(PyObject* function, Record* record)
    : function_(Py_NewRef(function)) {
  PyThreadState_Get()->c_recursion_remaining += kLoopUnits;
  const bool deep = ++this_thread.fallback_depth > kDeep || cpy::stack_above_limit() <= 0;
  if (deep && record != nullptr) {
    suspended_ = record;
    if (record->suspended++ == 0) install(*record);
  }
}

bool attached() {
#if PY_VERSION_HEX >= 0x030D0000
  return PyThreadState_GetUnchecked() != nullptr;
#else
  return _PyThreadState_UncheckedGet() != nullptr;
#endif
}

InterpreterScope::~InterpreterScope() {
  if (!attached()) return;
  if (suspended_ != nullptr && --suspended_->suspended == 0) install(*suspended_);
  --this_thread.fallback_depth;
  PyThreadState_Get()->c_recursion_remaining -= kLoopUnits;
  Py_DECREF(function_);
}

PyObject* interpret(PyObject* function, Record* record, PyObject* const* args, std::size_t nargsf,
                    PyObject* kwnames) {
  if (record != nullptr) ++record->interpreted;
  InterpreterScope scope(function, record);
  return g_original(function, args, nargsf, kwnames);
}

PyObject* interpret_complete(PyObject* function, Record* record, PyObject* const* args,
                             std::size_t nargsf) {
  auto* code =
      reinterpret_cast<PyCodeObject*>(reinterpret_cast<PyFunctionObject*>(function)->func_code);
  const auto positional = static_cast<std::size_t>(code->co_argcount);
  const auto count = static_cast<std::size_t>(PyVectorcall_NARGS(nargsf));
  if (code->co_kwonlyargcount == 0 || count <= positional)
    return interpret(function, record, args, nargsf, nullptr);
  PyObject* names =
      PyTuple_GetSlice(code->co_localsplusnames, code->co_argcount, static_cast<Py_ssize_t>(count));
  if (names == nullptr) return nullptr;
  PyObject* result = interpret(function, record, args, positional, names);
  Py_DECREF(names);
  return result;
}

}  // namespace splice::engine
