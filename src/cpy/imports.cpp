// First: it needs to be the one that includes Python.h.
#include "cpy/interpreter.h"

#include "cpy/imports.h"

#include <algorithm>
#include <utility>

namespace splice::cpy {

namespace {

struct Watched {
  std::vector<std::string> names;
  PyObject* callback;
};
const Watched* g_watched = nullptr;  // set once, guarded by the GIL

int call_back(void*) {
  PyObject* done = PyObject_CallNoArgs(g_watched->callback);
  Py_XDECREF(done);
  if (done == nullptr) PyErr_Clear();
  return 0;
}

/// Called for every module that is imported: before the dict is changed, so it may run nothing.
int on_modules(PyDict_WatchEvent event, PyObject*, PyObject* name, PyObject*) {
  if (event != PyDict_EVENT_ADDED || !PyUnicode_Check(name)) return 0;
  const auto& names = g_watched->names;
  const bool wanted = std::any_of(names.begin(), names.end(), [&](const std::string& n) {
    return PyUnicode_CompareWithASCIIString(name, n.c_str()) == 0;
  });
  // By the thread that imports: it holds the GIL, and any thread may serve the call.
  if (wanted) _PyEval_AddPendingCall(PyInterpreterState_Main(), call_back, nullptr, 0);
  return 0;
}

}  // namespace

Status watch_imports(std::vector<std::string> names, PyObject* callback) {
  if (g_watched != nullptr) return {};
  const int id = PyDict_AddWatcher(on_modules);
  if (id < 0) {
    PyErr_Clear();
    return resource_error("all dict watcher ids of this interpreter are taken");
  }
  g_watched = new Watched{std::move(names), Py_NewRef(callback)};
  if (PyDict_Watch(id, PyImport_GetModuleDict()) != 0) {
    PyErr_Clear();
    return internal_error("sys.modules cannot be watched");
  }
  return {};
}

}  // namespace splice::cpy
