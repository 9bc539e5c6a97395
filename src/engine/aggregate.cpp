// engine/aggregate.cpp: parts to wholes.
#include "engine/aggregate.h"

#include <algorithm>

namespace {

bool complete(PyObject* const* items, std::int64_t n) {
  return std::find(items, items + n, nullptr) == items + n;
}

void drop(PyObject* const* items, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) Py_XDECREF(items[i]);
}

/// type(*items) of a builtin type; consumes the items.
PyObject* call_type(PyTypeObject* type, PyObject* const* items, std::int64_t n) {
  PyObject* made = nullptr;
  if (complete(items, n))
    made = PyObject_Vectorcall(reinterpret_cast<PyObject*>(type), items,
                               static_cast<std::size_t>(n), nullptr);
  drop(items, n);
  return made;
}

/// Moves a builtin sequence iterator; null stays null.
PyObject* at_position(PyObject* iterator, PyObject* position) {
  if (iterator == nullptr) return nullptr;
  // Interned: the cache of type attributes keeps every name that it is asked for.
  static PyObject* const name = PyUnicode_InternFromString("__setstate__");
  PyObject* done = name != nullptr ? PyObject_CallMethodOneArg(iterator, name, position) : nullptr;
  if (done == nullptr) Py_CLEAR(iterator);
  Py_XDECREF(done);
  return iterator;
}

/// The iterator of a memoryview has no __setstate__: it is asked for the items before.
PyObject* at_item(PyObject* iterator, PyObject* position) {
  Py_ssize_t left = iterator != nullptr ? PyLong_AsSsize_t(position) : 0;
  for (; left > 0; --left) {
    PyObject* item = Py_TYPE(iterator)->tp_iternext(iterator);
    if (item == nullptr) break;
    Py_DECREF(item);
  }
  if (PyErr_Occurred()) Py_CLEAR(iterator);
  return iterator;
}

}  // namespace

PyObject* splice_rt_make_tuple(PyObject* const* items, std::int64_t n) {
  PyObject* tuple = complete(items, n) ? PyTuple_New(n) : nullptr;
  if (tuple == nullptr) {
    drop(items, n);
    return nullptr;
  }
  for (std::int64_t i = 0; i < n; ++i) PyTuple_SET_ITEM(tuple, i, items[i]);
  return tuple;
}

PyObject* splice_rt_make_range(PyObject* const* items, std::int64_t n) {
  return call_type(&PyRange_Type, items, n);
}

PyObject* splice_rt_make_sequence_iter(PyObject* const* items, std::int64_t n) {
  PyObject* iterator = complete(items, n) ? PyObject_GetIter(items[0]) : nullptr;
  const bool is_view = iterator != nullptr && PyMemoryView_Check(items[0]);
  iterator = is_view ? at_item(iterator, items[1]) : at_position(iterator, items[1]);
  drop(items, n);
  return iterator;
}

PyObject* splice_rt_make_reversed_iter(PyObject* const* items, std::int64_t n) {
  PyObject* iterator = nullptr;
  if (complete(items, n)) {
    iterator = PyObject_CallOneArg(reinterpret_cast<PyObject*>(&PyReversed_Type), items[0]);
    iterator = at_position(iterator, items[1]);
  }
  drop(items, n);
  return iterator;
}

PyObject* splice_rt_make_enumerate(PyObject* const* items, std::int64_t n) {
  return call_type(&PyEnum_Type, items, n);
}

PyObject* splice_rt_make_zip(PyObject* const* items, std::int64_t n) {
  return call_type(&PyZip_Type, items, n);
}

PyObject* splice_rt_make_range_iter(PyObject* const* items, std::int64_t n) {
  PyObject* range = splice_rt_make_range(items, n);
  if (range == nullptr) return nullptr;
  PyObject* iterator = PyObject_GetIter(range);
  Py_DECREF(range);
  return iterator;
}

PyObject* splice_rt_make_slice(PyObject* const* items, std::int64_t n) {
  PyObject* made = complete(items, n) ? PySlice_New(items[0], items[1], items[2]) : nullptr;
  drop(items, n);
  return made;
}
