// cpy/runtime_list.cpp
#include "cpy/runtime_list.h"

#include <algorithm>
#include <iterator>

#include "cpy/numpy.h"

namespace {

constexpr int kMaxDepth = 4;
/// What list(iterable) of CPython begins with when nothing tells the length.
constexpr Py_ssize_t kRoomAtFirst = 8;

bool parts_die_silently(PyObject* const* parts, std::size_t n, int depth);

bool dies_silently(PyObject* o, int depth) {
  PyTypeObject* type = Py_TYPE(o);
  if (type == &PyLong_Type || type == &PyFloat_Type || type == &PyUnicode_Type ||
      type == &PyBool_Type || type == &PyComplex_Type || type == &PyBytes_Type ||
      type == &PyByteArray_Type || type == &PyRange_Type || o == Py_None)
    return true;
  if (type == &PyCell_Type) {
    PyObject* content = PyCell_GET(o);
    return content == nullptr || parts_die_silently(&content, 1, depth);
  }
  if (type == &PyFunction_Type) {
    // Weak references to it may have callbacks.
    const auto* f = reinterpret_cast<PyFunctionObject*>(o);
    PyObject* parts[] = {f->func_dict,      f->func_defaults,    f->func_kwdefaults,
                         f->func_closure,   f->func_annotations, f->func_doc,
                         f->func_name,      f->func_qualname,    f->func_module,
                         f->func_globals,   f->func_builtins,    f->func_code,
                         f->func_typeparams};
    return f->func_weakreflist == nullptr && parts_die_silently(parts, std::size(parts), depth);
  }
  if (splice::cpy::element_of_scalar_type(type)) return true;
  if (type == splice::cpy::array_type()) {
    const auto parts = splice::cpy::array_parts(o);
    return parts && parts_die_silently(parts->data(), parts->size(), depth);
  }
  PyObject** items;
  Py_ssize_t n;
  if (type == &PyList_Type) {
    items = reinterpret_cast<PyListObject*>(o)->ob_item;
    n = PyList_GET_SIZE(o);
  } else if (type == &PyTuple_Type) {
    items = reinterpret_cast<PyTupleObject*>(o)->ob_item;
    n = PyTuple_GET_SIZE(o);
  } else {
    return false;
  }
  return parts_die_silently(items, static_cast<std::size_t>(n), depth);
}

bool parts_die_silently(PyObject* const* parts, std::size_t n, int depth) {
  if (depth == 0) return false;
  return std::all_of(parts, parts + n, [&](PyObject* part) {
    return part == nullptr || Py_REFCNT(part) != 1 || dies_silently(part, depth - 1);
  });
}

}  // namespace

extern "C" {

std::int32_t splice_rt_may_drop(PyObject* object) noexcept {
  return Py_REFCNT(object) != 1 || dies_silently(object, kMaxDepth);
}

PyObject* splice_rt_make_list(PyObject** items, std::int64_t n) noexcept {
  PyObject* list = PyList_New(static_cast<Py_ssize_t>(n));
  if (list == nullptr) {
    PyErr_Clear();
    return nullptr;
  }
  for (std::int64_t i = 0; i < n; ++i) PyList_SET_ITEM(list, static_cast<Py_ssize_t>(i), items[i]);
  return list;
}

PyObject* splice_rt_begin_list() noexcept {
  PyObject* list = PyList_New(kRoomAtFirst);
  if (list == nullptr) {
    PyErr_Clear();
    return nullptr;
  }
  Py_SET_SIZE(list, 0);
  return list;
}

void splice_rt_end_list(PyObject* list) noexcept {
  auto* made = reinterpret_cast<PyListObject*>(list);
  const Py_ssize_t n = Py_SIZE(list);
  // As list_resize() of CPython: nothing while half of the room is used, and from 2 on (n + 6) & ~3
  // is the room at first.
  if (n >= 2) return;
  const Py_ssize_t room = n == 0 ? 0 : 4;
  // Not null for none either: a list with such items grows in another way than a new one.
  void* items = PyMem_Realloc(made->ob_item, room * sizeof(PyObject*));
  if (items == nullptr) return;
  made->ob_item = static_cast<PyObject**>(items);
  made->allocated = room;
}

PyObject* splice_rt_list_as_tuple(PyObject* list) noexcept {
  PyObject* tuple = PyList_AsTuple(list);
  if (tuple == nullptr) PyErr_Clear();
  return tuple;
}

PyObject* splice_rt_repeat(PyObject* sequence, std::int64_t count) noexcept {
  PyObject* made = PySequence_Repeat(sequence, static_cast<Py_ssize_t>(count));
  if (made == nullptr) PyErr_Clear();
  return made;
}

std::int32_t splice_rt_list_append(PyObject* list, PyObject* item) noexcept {
  if (PyList_Append(list, item) < 0) {
    PyErr_Clear();
    return 1;
  }
  Py_DECREF(item);
  return 0;
}

PyObject* splice_rt_list_pop(PyObject* list, std::int64_t index) noexcept {
  const auto i = static_cast<Py_ssize_t>(index);
  PyObject* item = Py_NewRef(PyList_GET_ITEM(list, i));
  // Removing an item only fails when shrinking the array fails, which CPython survives too.
  if (PyList_SetSlice(list, i, i + 1, nullptr) < 0) PyErr_Clear();
  return item;
}

}  // extern "C"
