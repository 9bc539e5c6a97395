#include "cpy/runtime_math.h"

#include <array>
#include <cstring>

#include "cpy/math_builtin.h"

namespace splice::cpy {

namespace {

constexpr std::int64_t kMaxArgs = 8;

PyObject* g_round = nullptr;  // float.__round__
std::array<PyObject*, static_cast<std::size_t>(MathBuiltin::kCount)> g_builtins{};
const PyMethodDef* g_methods = nullptr;

}  // namespace

Status init_math() {
  if (g_methods != nullptr) {
    return {};
  }
  PyObject* module = PyImport_ImportModule("math");
  PyModuleDef* definition = module != nullptr ? PyModule_GetDef(module) : nullptr;
  if (definition == nullptr || definition->m_methods == nullptr) {
    PyErr_Clear();
    return unsupported("the math module is not CPython's own");
  }
  for (PyMethodDef* method = definition->m_methods; method->ml_name != nullptr; ++method) {
    for (std::size_t i = 0; i < g_builtins.size(); ++i) {
      if (std::strcmp(method->ml_name, math_builtin_name(static_cast<MathBuiltin>(i))) == 0) {
        g_builtins[i] = PyCFunction_New(method, module);
      }
    }
  }
  g_round = PyObject_GetAttrString(reinterpret_cast<PyObject*>(&PyFloat_Type), "__round__");
  g_methods = definition->m_methods;
  Py_DECREF(module);  // the builtins keep it alive
  PyErr_Clear();
  return {};
}

const char* math_method_name(PyObject* callable) {
  if (g_methods == nullptr || !PyCFunction_CheckExact(callable)) {
    return nullptr;
  }
  const PyMethodDef* method = reinterpret_cast<PyCFunctionObject*>(callable)->m_ml;
  for (const PyMethodDef* m = g_methods; m->ml_name != nullptr; ++m) {
    if (m == method) {
      return m->ml_name;
    }
  }
  return nullptr;
}

PyObject* math_builtin(MathBuiltin which) { return g_builtins[static_cast<std::size_t>(which)]; }

double round_by_cpython(double value, std::int64_t ndigits, std::int64_t* fail) {
  *fail = 1;
  double rounded = 0.0;
  PyObject* args[] = {PyFloat_FromDouble(value), PyLong_FromLongLong(ndigits)};
  PyObject* result = args[0] != nullptr && args[1] != nullptr && g_round != nullptr
                         ? PyObject_Vectorcall(g_round, args, 2, nullptr)
                         : nullptr;
  if (result != nullptr) {
    rounded = PyFloat_AS_DOUBLE(result);
    *fail = 0;
    Py_DECREF(result);
  } else {
    PyErr_Clear();
  }
  Py_XDECREF(args[0]);
  Py_XDECREF(args[1]);
  return rounded;
}

}  // namespace splice::cpy

double splice_rt_call_float(PyObject* callable, const double* args, std::int64_t n,
                            std::int64_t* fail) noexcept {
  using splice::cpy::kMaxArgs;
  *fail = 1;
  if (callable == nullptr || n < 0 || n > kMaxArgs) {
    return 0.0;
  }
  PyObject* boxes[kMaxArgs] = {};
  bool complete = true;
  for (std::int64_t i = 0; i < n; ++i) {
    boxes[i] = PyFloat_FromDouble(args[i]);
    complete = complete && boxes[i] != nullptr;
  }
  PyObject* result =
      complete ? PyObject_Vectorcall(callable, boxes, static_cast<std::size_t>(n), nullptr)
               : nullptr;
  double value = 0.0;
  if (result != nullptr && PyFloat_CheckExact(result)) {
    value = PyFloat_AS_DOUBLE(result);
    *fail = 0;
  }
  Py_XDECREF(result);
  PyErr_Clear();
  for (std::int64_t i = 0; i < n; ++i) {
    Py_XDECREF(boxes[i]);
  }
  return value;
}
