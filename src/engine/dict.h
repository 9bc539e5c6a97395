// engine/dict.h: making the dicts that Python gets. All take new references, or null with an
// exception, and pass the failure on.
#pragma once

#include <Python.h>

#include <cstdint>
#include <string>

namespace splice::engine {

/// Puts `value` under `key`. False with an exception set.
inline bool put(PyObject* dict, const char* key, PyObject* value) {
  const bool ok = value != nullptr && PyDict_SetItemString(dict, key, value) == 0;
  Py_XDECREF(value);
  return ok;
}

inline bool append(PyObject* list, PyObject* value) {
  const bool ok = value != nullptr && PyList_Append(list, value) == 0;
  Py_XDECREF(value);
  return ok;
}

inline PyObject* text(const std::string& s) {
  return PyUnicode_DecodeUTF8(s.data(), static_cast<Py_ssize_t>(s.size()), "replace");
}

inline PyObject* number(std::uint64_t n) { return PyLong_FromUnsignedLongLong(n); }

}  // namespace splice::engine
