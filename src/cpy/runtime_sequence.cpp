// cpy/runtime_sequence.cpp
#include "cpy/runtime_sequence.h"

#include "cpy/runtime_list.h"

namespace {

constexpr int kMaxDepth = 4;

struct Items {
  PyObject** first = nullptr;
  Py_ssize_t n = 0;
};

/// Of an exact list or tuple.
Items items_of(PyObject* o) {
  if (PyList_CheckExact(o))
    return {reinterpret_cast<PyListObject*>(o)->ob_item, PyList_GET_SIZE(o)};
  return {reinterpret_cast<PyTupleObject*>(o)->ob_item, PyTuple_GET_SIZE(o)};
}

bool is_list_or_tuple(PyObject* o) { return PyList_CheckExact(o) || PyTuple_CheckExact(o); }

/// Under `python -b` a comparison of bytes with a str warns, which runs Python code.
bool bytes_warn() {
  static const bool warn = [] {
    PyObject* flags = PySys_GetObject("flags");
    PyObject* level = flags != nullptr ? PyObject_GetAttrString(flags, "bytes_warning") : nullptr;
    const bool on = level == nullptr || PyObject_IsTrue(level) != 0;
    Py_XDECREF(level);
    PyErr_Clear();
    return on;
  }();
  return warn;
}

bool is_plain(PyObject* o, int depth = kMaxDepth) {
  const PyTypeObject* type = Py_TYPE(o);
  if (type == &PyBytes_Type || type == &PyByteArray_Type) return !bytes_warn();
  if (type == &PyLong_Type || type == &PyFloat_Type || type == &PyUnicode_Type ||
      type == &PyBool_Type || type == &PyComplex_Type || type == &PyRange_Type || o == Py_None)
    return true;
  if (!is_list_or_tuple(o) || depth == 0) return false;
  const Items items = items_of(o);
  for (Py_ssize_t i = 0; i < items.n; ++i)
    if (!is_plain(items.first[i], depth - 1)) return false;
  return true;
}

PyObject* cleared() {
  PyErr_Clear();
  return nullptr;
}

/// 1, without an exception, when `failed`.
std::int32_t failure(bool failed) {
  if (failed) PyErr_Clear();
  return failed ? 1 : 0;
}

bool fits(PyObject* number, PyTypeObject* type) {
  if (Py_TYPE(number) != type) return false;
  if (type != &PyLong_Type) return true;
  int overflow = 0;
  PyLong_AsLongLongAndOverflow(number, &overflow);
  return overflow == 0;
}

/// Dropping the references that `list` holds to items [first, first + n) in steps runs no code.
bool may_drop_items(PyObject* list, Py_ssize_t first, Py_ssize_t step, Py_ssize_t n) {
  for (Py_ssize_t i = 0; i < n; ++i)
    if (splice_rt_may_drop(PyList_GET_ITEM(list, first + i * step)) == 0) return false;
  return true;
}

PyObject* make_slice(std::int64_t start, std::int64_t stop, std::int64_t step,
                     std::int64_t absent) {
  PyObject* parts[3] = {nullptr, nullptr, nullptr};
  const std::int64_t values[3] = {start, stop, step};
  bool complete = true;
  for (int i = 0; i < 3; ++i) {
    parts[i] = (absent >> i & 1) != 0 ? Py_NewRef(Py_None) : PyLong_FromLongLong(values[i]);
    complete = complete && parts[i] != nullptr;
  }
  PyObject* slice = complete ? PySlice_New(parts[0], parts[1], parts[2]) : nullptr;
  for (PyObject* part : parts) Py_XDECREF(part);
  return slice;
}

template <class Check>
bool all_items(PyObject* list, Check check) {
  const Items items = items_of(list);
  for (Py_ssize_t i = 0; i < items.n; ++i)
    if (!check(items.first[i])) return false;
  return true;
}

}  // namespace

extern "C" {

PyObject* splice_rt_call_plain(PyObject* callable, PyObject* const* args, std::int64_t n,
                               PyObject* names, PyObject* type) noexcept {
  for (std::int64_t i = 0; i < n; ++i)
    if (!is_plain(args[i])) return nullptr;
  const std::int64_t positional = n - (names != nullptr ? PyTuple_GET_SIZE(names) : 0);
  PyObject* result =
      PyObject_Vectorcall(callable, args, static_cast<std::size_t>(positional), names);
  if (result == nullptr) return cleared();
  if (type != nullptr && !fits(result, reinterpret_cast<PyTypeObject*>(type))) Py_CLEAR(result);
  return result;
}

std::int32_t splice_rt_compare_plain(PyObject* left, PyObject* right, std::int64_t op) noexcept {
  if (!is_plain(left) || !is_plain(right)) return -1;
  PyObject* result = PyObject_RichCompare(left, right, static_cast<int>(op));
  if (result == nullptr) PyErr_Clear();
  const std::int32_t answer = result == Py_True ? 1 : result == Py_False ? 0 : -1;
  Py_XDECREF(result);
  return answer;
}

std::int32_t splice_rt_contains_plain(PyObject* container, PyObject* item) noexcept {
  if (!is_plain(container) || !is_plain(item)) return -1;
  const int found = PySequence_Contains(container, item);
  if (found < 0) PyErr_Clear();
  return found;
}

std::int32_t splice_rt_in_set(PyObject* set, PyObject* item) noexcept {
  const int found = PySet_Contains(set, item);
  if (found < 0) PyErr_Clear();
  return found;
}

PyObject* splice_rt_get_slice(PyObject* sequence, std::int64_t start, std::int64_t stop,
                              std::int64_t step, std::int64_t absent) noexcept {
  PyObject* slice = make_slice(start, stop, step, absent);
  PyObject* made = slice != nullptr ? PyObject_GetItem(sequence, slice) : nullptr;
  Py_XDECREF(slice);
  return made != nullptr ? made : cleared();
}

std::int32_t splice_rt_set_slice(PyObject* list, std::int64_t start, std::int64_t stop,
                                 std::int64_t step, std::int64_t absent, PyObject* items) noexcept {
  PyObject* slice = make_slice(start, stop, step, absent);
  if (slice == nullptr) return failure(true);
  Py_ssize_t from;
  Py_ssize_t to;
  Py_ssize_t by;
  bool done = PySlice_Unpack(slice, &from, &to, &by) == 0;
  if (done) {
    const Py_ssize_t n = PySlice_AdjustIndices(PyList_GET_SIZE(list), &from, &to, by);
    done = may_drop_items(list, from, by, n) && PyObject_SetItem(list, slice, items) == 0;
  }
  Py_DECREF(slice);
  return failure(!done);
}

std::int32_t splice_rt_delete_item(PyObject* list, std::int64_t index) noexcept {
  const auto i = static_cast<Py_ssize_t>(index);
  return failure(!may_drop_items(list, i, 1, 1) || PyList_SetSlice(list, i, i + 1, nullptr) < 0);
}

PyObject* splice_rt_take_list(PyObject* sequence, std::int64_t start, std::int64_t n) noexcept {
  PyObject* list = PyList_New(static_cast<Py_ssize_t>(n));
  if (list == nullptr) return cleared();
  PyObject** from = items_of(sequence).first + start;
  for (std::int64_t i = 0; i < n; ++i)
    PyList_SET_ITEM(list, static_cast<Py_ssize_t>(i), Py_NewRef(from[i]));
  return list;
}

PyObject* splice_rt_concat(PyObject* left, PyObject* right) noexcept {
  if (Py_TYPE(left) != Py_TYPE(right)) return nullptr;
  PyObject* made = PyNumber_Add(left, right);
  return made != nullptr ? made : cleared();
}

std::int32_t splice_rt_list_extend(PyObject* list, PyObject* items) noexcept {
  if (!is_list_or_tuple(items) && Py_TYPE(items) != &PyRange_Type) return 1;
  const Py_ssize_t end = PyList_GET_SIZE(list);
  return failure(PyList_SetSlice(list, end, end, items) < 0);
}

std::int32_t splice_rt_list_repeat_in_place(PyObject* list, std::int64_t count) noexcept {
  if (count <= 0 && !may_drop_items(list, 0, 1, PyList_GET_SIZE(list))) return 1;
  PyObject* same = PySequence_InPlaceRepeat(list, static_cast<Py_ssize_t>(count));
  Py_XDECREF(same);
  return failure(same == nullptr);
}

std::int32_t splice_rt_list_insert(PyObject* list, std::int64_t index, PyObject* item) noexcept {
  return failure(PyList_Insert(list, static_cast<Py_ssize_t>(index), item) < 0);
}

std::int32_t splice_rt_list_reverse(PyObject* list) noexcept {
  return failure(PyList_Reverse(list) < 0);
}

std::int32_t splice_rt_list_sort(PyObject* list, std::int64_t reverse) noexcept {
  if (PyList_GET_SIZE(list) == 0) return 0;
  const PyTypeObject* type = Py_TYPE(PyList_GET_ITEM(list, 0));
  // A comparison that failed would leave the list half sorted.
  if (type != &PyLong_Type && type != &PyFloat_Type && type != &PyUnicode_Type) return 1;
  if (!all_items(list, [&](PyObject* item) { return Py_TYPE(item) == type; })) return 1;
  // Equal items keep their order in both directions, as list.sort(reverse=True) does it: around the
  // sort the list is turned.
  if (reverse != 0 && PyList_Reverse(list) < 0) return failure(true);
  const bool failed = PyList_Sort(list) < 0;
  if (reverse != 0 && PyList_Reverse(list) < 0) return failure(true);
  return failure(failed);
}

std::int32_t splice_rt_list_clear(PyObject* list) noexcept {
  if (!may_drop_items(list, 0, 1, PyList_GET_SIZE(list))) return 1;
  return failure(PyList_SetSlice(list, 0, PyList_GET_SIZE(list), nullptr) < 0);
}

std::int32_t splice_rt_list_remove(PyObject* list, PyObject* item) noexcept {
  if (!is_plain(list) || !is_plain(item)) return 1;
  // Interned: the cache of type attributes keeps every name that it is asked for.
  static PyObject* const name = PyUnicode_InternFromString("remove");
  PyObject* done = name != nullptr ? PyObject_CallMethodOneArg(list, name, item) : nullptr;
  Py_XDECREF(done);
  return failure(done == nullptr);
}

PyObject* splice_rt_str_item(PyObject* str, std::int64_t index) noexcept {
  PyObject* made = PyUnicode_FromOrdinal(
      static_cast<int>(PyUnicode_READ_CHAR(str, static_cast<Py_ssize_t>(index))));
  return made != nullptr ? made : cleared();
}

}  // extern "C"
