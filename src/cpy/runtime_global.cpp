// cpy/runtime_global.cpp
#include "cpy/runtime_global.h"

extern "C" {

PyObject* splice_rt_load_global(PyObject* globals, PyObject* name) noexcept {
  PyObject* value = PyDict_GetItemWithError(globals, name);
  if (value == nullptr) PyErr_Clear();
  return value;
}

std::int32_t splice_rt_store_global(PyObject* globals, PyObject* name, PyObject* value) noexcept {
  if (PyDict_SetItem(globals, name, value) < 0) {
    PyErr_Clear();
    return 1;
  }
  Py_DECREF(value);
  return 0;
}

}  // extern "C"
