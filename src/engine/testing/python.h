// engine/testing/python.h: Python values for the engine's C++ tests.
#pragma once

#include <Python.h>
#include <gtest/gtest.h>

#include <string>

namespace splice::engine::testing {

/// Owns a reference for the length of a test.
class Ref {
 public:
  explicit Ref(PyObject* object) : object_(object) {
    if (object == nullptr) PyErr_Print();
  }
  Ref(Ref&& other) noexcept : object_(other.object_) { other.object_ = nullptr; }
  Ref& operator=(Ref&&) = delete;
  ~Ref() { Py_XDECREF(object_); }
  PyObject* get() const { return object_; }
  PyFunctionObject* function() const { return reinterpret_cast<PyFunctionObject*>(object_); }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  PyObject* object_;
};

/// Runs `source` and returns what it bound to `name`.
inline Ref run(const std::string& source, const char* name = "f") {
  Ref globals(PyDict_New());
  PyDict_SetItemString(globals.get(), "__builtins__", PyEval_GetBuiltins());
  Ref done(PyRun_String(source.c_str(), Py_file_input, globals.get(), globals.get()));
  PyObject* found = done ? PyDict_GetItemString(globals.get(), name) : nullptr;
  return Ref(Py_XNewRef(found));
}

/// repr(object).
inline std::string repr(PyObject* object) {
  Ref text(PyObject_Repr(object));
  return text ? PyUnicode_AsUTF8(text.get()) : "<error>";
}

}  // namespace splice::engine::testing
