// Differential tests of the runtime's arithmetic: testing/number_check.py compares with CPython.
#include "cpy/runtime_number.h"

#include <Python.h>
#include <gtest/gtest.h>

#include <cstring>

#include "cpy/math_table.h"
#include "cpy/runtime_math.h"
#include "cpy/runtime_symbols.h"
#include "cpy/testing/probe.h"

namespace splice::cpy {
namespace {

// call(symbol, doubles, ints, result, fails) -> value, or None when it fails. Floats and ints
// travel in registers of their own, so one prototype serves all signatures: doubles first, then the
// ints, then the address of `fail`.
PyObject* call(PyObject*, PyObject* args) {
  const char* symbol;
  const char* result;
  PyObject* doubles;
  PyObject* ints;
  int fails;
  if (!PyArg_ParseTuple(args, "sO!O!sp", &symbol, &PyTuple_Type, &doubles, &PyTuple_Type, &ints,
                        &result, &fails)) {
    return nullptr;
  }
  void* address = runtime_symbol(symbol);
  if (address == nullptr) {
    return PyErr_Format(PyExc_LookupError, "%s", symbol);
  }
  double d[4] = {};
  std::int64_t i[6] = {};
  std::int64_t fail = 7;
  double out[2] = {};
  for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(doubles); ++k) {
    d[k] = PyFloat_AsDouble(PyTuple_GET_ITEM(doubles, k));
  }
  Py_ssize_t n = 0;
  for (; n < PyTuple_GET_SIZE(ints); ++n) {
    i[n] = PyLong_AsLongLong(PyTuple_GET_ITEM(ints, n));
  }
  if (PyErr_Occurred()) {
    return nullptr;
  }
  if (*result == 'c') {
    i[n++] = reinterpret_cast<std::int64_t>(out);
  }
  i[n] = reinterpret_cast<std::int64_t>(&fail);
  const auto run = [&]<typename R>(R) {
    using F = R (*)(double, double, double, double, std::int64_t, std::int64_t, std::int64_t,
                    std::int64_t);
    return reinterpret_cast<F>(address)(d[0], d[1], d[2], d[3], i[0], i[1], i[2], i[3]);
  };
  PyObject* value = nullptr;
  switch (*result) {
    case 'f':
      value = PyFloat_FromDouble(run(0.0));
      break;
    case 'i':
      value = PyLong_FromLongLong(run(std::int64_t{0}));
      break;
    case 'b':
      value = PyBool_FromLong(run(false));
      break;
    default:
      run(0.0);
      value = PyComplex_FromDoubles(out[0], out[1]);
  }
  if (PyErr_Occurred()) {
    return nullptr;
  }
  if (fails && fail != 0) {
    Py_DECREF(value);
    return fail == 1 ? Py_NewRef(Py_None) : PyErr_Format(PyExc_AssertionError, "fail not set");
  }
  return value;
}

// math_rows() -> [(name, symbol, args, result, can_fail)], types as letters.
PyObject* math_rows(PyObject*, PyObject*) {
  PyObject* list = PyList_New(0);
  for (const MathFunction& f : math_functions()) {
    char types[4] = {};
    for (int k = 0; k < f.arg_count; ++k) {
      types[k] = "fib"[static_cast<int>(f.args[k])];
    }
    const char result[2] = {"fib"[static_cast<int>(f.result)], 0};
    PyObject* row = Py_BuildValue("(ssssi)", f.name, f.symbol, types, result, f.can_fail ? 1 : 0);
    PyList_Append(list, row);
    Py_DECREF(row);
  }
  return list;
}

// find(callable, n) -> symbol or None.
PyObject* find(PyObject*, PyObject* args) {
  PyObject* callable;
  int n;
  if (!PyArg_ParseTuple(args, "Oi", &callable, &n)) {
    return nullptr;
  }
  const MathFunction* f = find_math_function(callable, static_cast<std::size_t>(n));
  return f != nullptr ? PyUnicode_FromString(f->symbol) : Py_NewRef(Py_None);
}

PyMethodDef g_methods[] = {{"call", call, METH_VARARGS, nullptr},
                           {"math_rows", math_rows, METH_NOARGS, nullptr},
                           {"find", find, METH_VARARGS, nullptr},
                           {nullptr, nullptr, 0, nullptr}};

class RuntimeNumber : public ::testing::Test {
 protected:
  void SetUp() override {
    testing::add_to_probe(g_methods);
    ASSERT_TRUE(init_math().ok());
  }
};

TEST_F(RuntimeNumber, ArithmeticEqualsCpython) {
  EXPECT_TRUE(testing::run_script("number_check.py"));
}

TEST_F(RuntimeNumber, MathModuleEqualsCpython) {
  EXPECT_TRUE(testing::run_script("math_check.py"));
}

}  // namespace
}  // namespace splice::cpy
