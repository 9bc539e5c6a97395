#include "cpy/testing/probe.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace splice::cpy::testing {

void add_to_probe(PyMethodDef* methods) {
  PyObject* probe = PyImport_AddModule("probe");  // borrowed
  if (probe == nullptr || PyModule_AddFunctions(probe, methods) < 0) {
    PyErr_Print();
  }
}

bool run_script(const char* name) {
  const std::filesystem::path path = std::filesystem::path(SPLICE_TEST_SCRIPTS) / name;
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  PyObject* globals = PyDict_New();
  PyDict_SetItemString(globals, "__builtins__", PyEval_GetBuiltins());
  PyObject* file_name = PyUnicode_FromString(path.c_str());
  PyDict_SetItemString(globals, "__file__", file_name);
  Py_XDECREF(file_name);
  PyObject* code = Py_CompileString(text.str().c_str(), path.c_str(), Py_file_input);
  PyObject* result = code != nullptr ? PyEval_EvalCode(code, globals, globals) : nullptr;
  const bool ok = result != nullptr && !text.str().empty();
  if (text.str().empty()) {
    std::fprintf(stderr, "no script %s\n", path.c_str());
  }
  if (result == nullptr) {
    PyErr_Print();
  }
  Py_XDECREF(result);
  Py_XDECREF(code);
  Py_XDECREF(globals);
  std::fflush(stdout);
  return ok;
}

}  // namespace splice::cpy::testing
