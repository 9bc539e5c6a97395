// cpy/item_named.h: dict[name] where a failure is of no interest.
#pragma once

#include <Python.h>

namespace splice::cpy {

/// Borrowed; null when there is no such key, or no memory to look. Unlike PyDict_GetItemString() it
/// prints nothing then; an exception that is set stays.
inline PyObject* item_named(PyObject* dict, const char* name) {
  PyObject* pending = PyErr_GetRaisedException();
  PyObject* key = PyUnicode_FromString(name);
  PyObject* value = key != nullptr ? PyDict_GetItemWithError(dict, key) : nullptr;
  Py_XDECREF(key);
  PyErr_SetRaisedException(pending);  // drops one of ours
  return value;
}

}  // namespace splice::cpy
