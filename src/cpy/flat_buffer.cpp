// cpy/flat_buffer.cpp
#include "cpy/flat_buffer.h"

#include <cstring>

#include "cpy/item_named.h"
#include "cpy/numpy.h"

namespace splice::cpy {

using mem::ElementType;

namespace {

PyTypeObject* g_item_array = nullptr;  // guarded by the GIL; kept
bool g_item_array_refused = false;

/// The element that a type code of array.array or a format of struct stands for.
std::optional<ElementType> element_of_code(char code, bool is_view) {
  switch (code) {
    case 'b':
      return ElementType::kI8;
    case 'B':
      return ElementType::kU8;
    case 'h':
      return ElementType::kI16;
    case 'H':
      return ElementType::kU16;
    case 'i':
      return ElementType::kI32;
    case 'I':
      return ElementType::kU32;
    case 'l':
    case 'q':
      return ElementType::kI64;
    case 'L':
    case 'Q':
      return ElementType::kU64;
    case 'f':
      return ElementType::kF32;
    case 'd':
      return ElementType::kF64;
    case '?':
      if (is_view) return ElementType::kBool;
      break;
    case 'n':
      if (is_view) return ElementType::kI64;
      break;
    case 'N':
      if (is_view) return ElementType::kU64;
      break;
    default:
      break;
  }
  return std::nullopt;
}

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

bool is_aligned(const void* address, std::int64_t stride, std::size_t size) {
  const auto bits = reinterpret_cast<std::uintptr_t>(address) | static_cast<std::uintptr_t>(stride);
  return (bits & (size - 1)) == 0;
}

std::optional<FlatFacts> view_facts(PyObject* value) {
  const auto* view = reinterpret_cast<PyMemoryViewObject*>(value);
  const Py_buffer& buffer = view->view;
  if ((view->flags & _Py_MEMORYVIEW_RELEASED) != 0 ||
      (view->mbuf->flags & _Py_MEMORYVIEW_RELEASED) != 0 || buffer.ndim != 1 ||
      buffer.suboffsets != nullptr || buffer.format == nullptr || std::strlen(buffer.format) != 1)
    return std::nullopt;
  const auto element = element_of_code(buffer.format[0], true);
  if (!element || static_cast<std::size_t>(buffer.itemsize) != mem::size_of(*element) ||
      !is_aligned(buffer.buf, buffer.strides[0], mem::size_of(*element)))
    return std::nullopt;
  return FlatFacts{*element, true, buffer.strides[0] == buffer.itemsize, buffer.format[0]};
}

}  // namespace

PyTypeObject* item_array_type() { return g_item_array; }

std::optional<FlatFacts> flat_facts(PyObject* value) {
  if (PyMemoryView_Check(value)) return view_facts(value);
  if (!is_item_array(value)) return std::nullopt;
  const char code = *numpy_field<const char*>(value, kItemArrayDescription);
  const auto element = element_of_code(code, false);
  if (!element) return std::nullopt;
  return FlatFacts{*element, false, true, code};
}

}  // namespace splice::cpy
