// cpy/flat_buffer.cpp
#include "cpy/flat_buffer.h"

#include <cstring>

#include "cpy/foreign_buffer.h"
#include "cpy/item_named.h"
#include "cpy/numpy.h"

namespace splice::cpy {

namespace {

PyTypeObject* g_item_array = nullptr;  // guarded by the GIL; kept
bool g_item_array_refused = false;

bool is_known_array(PyObject* array) {
  PyObject* info = PyObject_CallMethod(array, "buffer_info", nullptr);
  PyObject* code = PyObject_GetAttrString(array, "typecode");
  const bool known =
      info != nullptr && code != nullptr && PyTuple_Check(info) && PyTuple_GET_SIZE(info) == 2 &&
      PyLong_AsVoidPtr(PyTuple_GET_ITEM(info, 0)) == numpy_field<void*>(array, kItemArrayData) &&
      PyLong_AsSsize_t(PyTuple_GET_ITEM(info, 1)) == Py_SIZE(array) && PyUnicode_Check(code) &&
      PyUnicode_READ_CHAR(code, 0) ==
          static_cast<Py_UCS4>(*numpy_field<const char*>(array, kItemArrayDescription));
  Py_XDECREF(info);
  Py_XDECREF(code);
  return known;
}

/// Called with an instance of a type that is called array.array.
void meet(PyTypeObject* type) {
  PyObject* module = item_named(PyImport_GetModuleDict(), "array");
  if (module == nullptr || !PyModule_Check(module) ||
      item_named(PyModule_GetDict(module), "array") != reinterpret_cast<PyObject*>(type))
    return;
  PyObject* pending = PyErr_GetRaisedException();
  PyObject* made =
      PyObject_CallFunction(reinterpret_cast<PyObject*>(type), "s(ddd)", "d", 1.0, 2.0, 3.0);
  if (made != nullptr && Py_TYPE(made) == type && is_known_array(made)) {
    g_item_array = reinterpret_cast<PyTypeObject*>(Py_NewRef(reinterpret_cast<PyObject*>(type)));
  } else {
    g_item_array_refused = true;
  }
  Py_XDECREF(made);
  PyErr_Clear();
  PyErr_SetRaisedException(pending);
}

bool is_item_array(PyObject* value) {
  PyTypeObject* type = Py_TYPE(value);
  if (g_item_array == nullptr && !g_item_array_refused &&
      std::strcmp(type->tp_name, "array.array") == 0)
    meet(type);
  return type == g_item_array;
}

}  // namespace

PyTypeObject* item_array_type() { return g_item_array; }

std::optional<FlatFacts> flat_facts(PyObject* value) {
  const bool is_view = PyMemoryView_Check(value);
  if (!is_view && !is_item_array(value)) return std::nullopt;
  const ForeignBuffer buffer(value);  // of these types: runs no Python code
  if (!buffer) {
    PyErr_Clear();
    return std::nullopt;
  }
  const mem::BufferView& view = buffer.view();
  if (view.rank != 1 || buffer.format().size() != 1) return std::nullopt;
  const std::size_t size = mem::size_of(view.element);
  // The guard asks for alignment of a memoryview also where there is no element, or only one.
  const auto bits =
      reinterpret_cast<std::uintptr_t>(view.data) | static_cast<std::uintptr_t>(view.strides[0]);
  if (is_view && bits % size != 0) return std::nullopt;
  return FlatFacts{view.element, is_view, view.strides[0] == static_cast<std::int64_t>(size),
                   buffer.format()[0]};
}

}  // namespace splice::cpy
