// cpy/runtime_function.cpp
#include "cpy/runtime_function.h"

extern "C" {

PyObject* splice_rt_make_cell(PyObject* content) noexcept {
  PyObject* cell = PyCell_New(content);
  if (cell == nullptr) PyErr_Clear();
  return cell;
}

PyObject* splice_rt_make_function(PyObject* code, PyObject* globals) noexcept {
  PyObject* function = PyFunction_New(code, globals);
  if (function == nullptr) {
    PyErr_Clear();
    return nullptr;
  }
  // Functions of one code object are alike to the interpreter's specialiser.
  reinterpret_cast<PyFunctionObject*>(function)->func_version =
      reinterpret_cast<PyCodeObject*>(code)->co_version;
  return function;
}

}  // extern "C"
