// cpy/typed_list.h: lists of machine numbers that no Python code ever sees.
//
// A list that a compiled function makes and keeps to itself holds int64_t, double or bool instead
// of objects. To generated code it is an object like others: a reference count and an exact type,
// which tells the kind of its items. Lists of such lists (tables) hold references. Size, items and
// room lie where PyListObject has them. When the interpreter takes over, real lists take their
// place.
//
// All functions need the GIL, run no Python code and leave no exception set, RealLists apart:
// null, or a result that is not 0, means that nothing has been done.
#pragma once

#include <Python.h>

#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace splice::cpy {

struct TypedList {
  PyObject_VAR_HEAD void* items;
  Py_ssize_t allocated;
};

static_assert(offsetof(TypedList, items) == offsetof(PyListObject, ob_item));
static_assert(offsetof(TypedList, allocated) == offsetof(PyListObject, allocated));

/// The types of typed lists; their names are those that explain() shows.
extern PyTypeObject int_list_type;
extern PyTypeObject float_list_type;
extern PyTypeObject bool_list_type;

inline constexpr int kMaxListDepth = 3;
/// The type of lists of such lists; null beyond kMaxListDepth.
PyTypeObject* table_type(const PyTypeObject* rows);
/// The type of the lists that such a list holds; null for lists of numbers.
PyTypeObject* row_type(const PyTypeObject* table);

bool is_typed_list(const PyTypeObject* type);
/// Bytes of one item.
std::size_t item_size(const PyTypeObject* type);

/// The lists that typed lists stand for: new, with new items, one for each typed list wherever it
/// is asked for or stands in another one.
class RealLists {
 public:
  RealLists() = default;
  ~RealLists();
  RealLists(const RealLists&) = delete;
  RealLists& operator=(const RealLists&) = delete;

  /// New reference. Null with MemoryError set, also for one that could not be made before.
  PyObject* of(PyObject* typed);

 private:
  PyObject* make(PyObject* typed);

  std::unordered_map<PyObject*, PyObject*> made_;  ///< owned; null: failed
};

}  // namespace splice::cpy

extern "C" {

/// New list of `n` items, copied; with new references to lists.
PyObject* splice_rt_typed_make(PyObject* type, const void* items, std::int64_t n) noexcept;
/// list(range(start, stop, step)), step not 0.
PyObject* splice_rt_typed_range(std::int64_t start, std::int64_t stop, std::int64_t step) noexcept;
/// list[start:stop:step]; bit i of `absent`: part i is None.
PyObject* splice_rt_typed_slice(PyObject* list, std::int64_t start, std::int64_t stop,
                                std::int64_t step, std::int64_t absent) noexcept;
/// list * count.
PyObject* splice_rt_typed_repeat(PyObject* list, std::int64_t count) noexcept;
/// Makes room for one more item.
std::int32_t splice_rt_typed_grow(PyObject* list) noexcept;
/// Appends the items of a tuple, which are all of the list's kind.
std::int32_t splice_rt_typed_extend(PyObject* list, PyObject* tuple) noexcept;
/// Makes room for an item in front of `index`, which list.insert() may be called with.
/// `place` is where it goes.
std::int32_t splice_rt_typed_insert(PyObject* list, std::int64_t index, void** place) noexcept;
/// Appends the items of another list of its type.
std::int32_t splice_rt_typed_extend_list(PyObject* list, PyObject* other) noexcept;
/// Removes the item at an index in range. A list that it held loses a reference.
void splice_rt_typed_remove_at(PyObject* list, std::int64_t index) noexcept;
/// list.pop(index) of a list of lists, index in range.
PyObject* splice_rt_typed_take(PyObject* list, std::int64_t index) noexcept;
void splice_rt_typed_clear(PyObject* list) noexcept;
void splice_rt_typed_reverse(PyObject* list) noexcept;
/// list.sort(). Fails for floats with a NaN among them.
std::int32_t splice_rt_typed_sort(PyObject* list) noexcept;

/// sum(list) of ints or bools; `failed` becomes 1 beyond 64 bits.
std::int64_t splice_rt_typed_sum_ints(PyObject* list, std::int64_t* failed) noexcept;
/// sum(list) of floats, at least one.
double splice_rt_typed_sum_floats(PyObject* list) noexcept;
/// Index of min(list) or max(list), at least one item.
std::int64_t splice_rt_typed_best(PyObject* list, std::int32_t is_max) noexcept;
/// Index of the first item like the one at `item`, from `start` on; the size when there is none.
std::int64_t splice_rt_typed_find(PyObject* list, const void* item, std::int64_t start) noexcept;
/// How many items are like the one at `item`.
std::int64_t splice_rt_typed_count(PyObject* list, const void* item) noexcept;
/// Index of the first item that is true (or false); the size when there is none.
std::int64_t splice_rt_typed_find_truth(PyObject* list, std::int32_t truth) noexcept;

}  // extern "C"
