#include "cpy/imports.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace splice::cpy {

namespace {

struct Watched {
  std::vector<std::string> names;
  PyObject* callback;
};
const Watched* g_watched = nullptr;  // set once, guarded by the GIL

int on_audit(const char* event, PyObject* args, void*) {
  if (std::strcmp(event, "import") != 0 || g_watched == nullptr || PyTuple_GET_SIZE(args) == 0 ||
      PyInterpreterState_Get() != PyInterpreterState_Main()) {
    return 0;
  }
  PyObject* name = PyTuple_GET_ITEM(args, 0);
  const auto& names = g_watched->names;
  const bool wanted =
      PyUnicode_Check(name) && std::any_of(names.begin(), names.end(), [&](const std::string& n) {
        return PyUnicode_CompareWithASCIIString(name, n.c_str()) == 0;
      });
  if (wanted) {
    PyObject* done = PyObject_CallNoArgs(g_watched->callback);
    Py_XDECREF(done);
    if (done == nullptr) {
      PyErr_Clear();
    }
  }
  return 0;
}

}  // namespace

Status watch_imports(std::vector<std::string> names, PyObject* callback) {
  if (g_watched != nullptr) {
    return {};
  }
  if (PySys_AddAuditHook(on_audit, nullptr) != 0) {
    PyErr_Clear();
    return resource_error("another audit hook does not allow one more");
  }
  g_watched = new Watched{std::move(names), Py_NewRef(callback)};
  return {};
}

}  // namespace splice::cpy
