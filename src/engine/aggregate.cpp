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
  PyObject* range = nullptr;
  if (complete(items, n))
    range = PyObject_Vectorcall(reinterpret_cast<PyObject*>(&PyRange_Type), items,
                                static_cast<std::size_t>(n), nullptr);
  drop(items, n);
  return range;
}

PyObject* splice_rt_make_range_iter(PyObject* const* items, std::int64_t n) {
  PyObject* range = splice_rt_make_range(items, n);
  if (range == nullptr) return nullptr;
  PyObject* iterator = PyObject_GetIter(range);
  Py_DECREF(range);
  return iterator;
}
