// cpy/typed_list.cpp
#include "cpy/typed_list.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>

namespace splice::cpy {

namespace {

/// As for lists of objects, whatever the size of the items.
constexpr std::int64_t kMaxSize = PY_SSIZE_T_MAX / static_cast<std::int64_t>(sizeof(void*));

TypedList* typed(PyObject* list) { return reinterpret_cast<TypedList*>(list); }

void dealloc(PyObject* list);

PyTypeObject make_type(const char* name, Py_ssize_t item_size) {
  PyTypeObject type{};
  Py_SET_REFCNT(&type, 1);
  type.tp_name = name;
  type.tp_basicsize = sizeof(TypedList);
  type.tp_itemsize = item_size;
  type.tp_dealloc = dealloc;
  return type;
}

constexpr int kKinds = 3;
PyTypeObject* const number_lists[kKinds] = {&int_list_type, &float_list_type, &bool_list_type};
/// Lists of lists of each kind, by how often they are nested.
PyTypeObject tables[kKinds][kMaxListDepth - 1] = {
    {make_type("list[list[int]]", sizeof(PyObject*)),
     make_type("list[list[list[int]]]", sizeof(PyObject*))},
    {make_type("list[list[float]]", sizeof(PyObject*)),
     make_type("list[list[list[float]]]", sizeof(PyObject*))},
    {make_type("list[list[bool]]", sizeof(PyObject*)),
     make_type("list[list[list[bool]]]", sizeof(PyObject*))},
};

/// The lists that a list of lists holds.
std::span<PyObject*> rows_of(PyObject* list) {
  return {static_cast<PyObject**>(typed(list)->items), static_cast<std::size_t>(Py_SIZE(list))};
}

bool is_table(PyObject* list) {
  const PyTypeObject* type = Py_TYPE(list);
  return std::begin(tables[0]) <= type && type < std::end(tables[kKinds - 1]);
}

void drop_rows(std::span<PyObject*> rows) {
  for (PyObject* row : rows) Py_DECREF(row);
}

void dealloc(PyObject* list) {
  if (is_table(list)) drop_rows(rows_of(list));
  PyMem_Free(typed(list)->items);
  PyObject_Free(list);
}

template <class T>
std::span<T> items_of(PyObject* list) {
  return {static_cast<T*>(typed(list)->items), static_cast<std::size_t>(Py_SIZE(list))};
}

/// Calls f(numbers) with a span of the list's kind.
template <class F>
auto with_numbers(PyObject* list, F f) {
  if (Py_TYPE(list) == &int_list_type) return f(items_of<std::int64_t>(list));
  if (Py_TYPE(list) == &float_list_type) return f(items_of<double>(list));
  return f(items_of<bool>(list));
}

/// Calls f(items), of pointers for lists of lists.
template <class F>
auto with_items(PyObject* list, F f) {
  return is_table(list) ? f(rows_of(list)) : with_numbers(list, f);
}

/// New list of `n` items that are not set yet, or null.
TypedList* allocate(PyTypeObject* type, std::int64_t n) {
  if (n > kMaxSize) return nullptr;
  const std::size_t bytes = static_cast<std::size_t>(n) * item_size(type);
  void* items = PyMem_Malloc(bytes);
  auto* list =
      items != nullptr ? static_cast<TypedList*>(PyObject_Malloc(sizeof(TypedList))) : nullptr;
  if (list == nullptr) {
    PyMem_Free(items);
    return nullptr;
  }
  PyObject_InitVar(reinterpret_cast<PyVarObject*>(list), type, static_cast<Py_ssize_t>(n));
  list->items = items;
  list->allocated = static_cast<Py_ssize_t>(n);
  return list;
}

char* place_of(TypedList* list, std::int64_t index) {
  const auto size = static_cast<std::int64_t>(item_size(Py_TYPE(list)));
  return static_cast<char*>(list->items) + index * size;
}

void close_gap(PyObject* list, std::int64_t index) {
  const std::int64_t size = Py_SIZE(list);
  const std::size_t bytes = item_size(Py_TYPE(list));
  char* at = place_of(typed(list), index);
  std::memmove(at, at + bytes, static_cast<std::size_t>(size - index - 1) * bytes);
  Py_SET_SIZE(reinterpret_cast<PyVarObject*>(list), static_cast<Py_ssize_t>(size - 1));
}

bool reserve(TypedList* list, std::int64_t n) {
  if (n <= list->allocated) return true;
  if (n > kMaxSize) return false;
  const std::int64_t room = std::min(kMaxSize, n + n / 2 + 4);
  void* items =
      PyMem_Realloc(list->items, static_cast<std::size_t>(room) * item_size(Py_TYPE(list)));
  if (items == nullptr) return false;
  list->items = items;
  list->allocated = static_cast<Py_ssize_t>(room);
  return true;
}

PyObject* boxed(std::int64_t v) { return PyLong_FromLongLong(v); }
PyObject* boxed(double v) { return PyFloat_FromDouble(v); }
PyObject* boxed(bool v) { return PyBool_FromLong(v); }

/// New references to the lists that were copied into a new list.
void own_rows(PyObject* list) {
  if (!is_table(list)) return;
  for (PyObject* row : rows_of(list)) Py_INCREF(row);
}

}  // namespace

PyTypeObject int_list_type = make_type("list[int]", sizeof(std::int64_t));
PyTypeObject float_list_type = make_type("list[float]", sizeof(double));
PyTypeObject bool_list_type = make_type("list[bool]", sizeof(bool));

namespace {

/// All types of one kind, from the lists of numbers on.
PyTypeObject* list_type(int kind, int depth) {
  return depth == 0 ? number_lists[kind] : &tables[kind][depth - 1];
}

/// The type that is `by` levels above (or below) another one; null when there is none.
PyTypeObject* relative(const PyTypeObject* type, int by) {
  for (int kind = 0; kind < kKinds; ++kind)
    for (int depth = 0; depth < kMaxListDepth; ++depth)
      if (list_type(kind, depth) == type)
        return depth + by >= 0 && depth + by < kMaxListDepth ? list_type(kind, depth + by)
                                                             : nullptr;
  return nullptr;
}

}  // namespace

PyTypeObject* table_type(const PyTypeObject* rows) { return relative(rows, 1); }
PyTypeObject* row_type(const PyTypeObject* table) { return relative(table, -1); }
bool is_typed_list(const PyTypeObject* type) { return relative(type, 0) != nullptr; }

std::size_t item_size(const PyTypeObject* type) {
  return static_cast<std::size_t>(type->tp_itemsize);
}

RealLists::~RealLists() {
  for (const auto& [typed, list] : made_) Py_XDECREF(list);
}

PyObject* RealLists::of(PyObject* list) {
  const auto [entry, first] = made_.try_emplace(list, nullptr);
  PyObject*& made = entry->second;  // stays where it is when more lists come
  if (first)
    made = make(list);
  else if (made == nullptr)
    PyErr_NoMemory();  // not once more
  return Py_XNewRef(made);
}

PyObject* RealLists::make(PyObject* list) {
  PyObject* made = PyList_New(Py_SIZE(list));
  if (made == nullptr) return nullptr;
  const bool complete = with_items(list, [&](auto items) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      PyObject* item;
      if constexpr (std::is_same_v<typename decltype(items)::value_type, PyObject*>)
        item = of(items[i]);
      else
        item = boxed(items[i]);
      if (item == nullptr) return false;
      PyList_SET_ITEM(made, static_cast<Py_ssize_t>(i), item);
    }
    return true;
  });
  if (!complete) Py_CLEAR(made);
  return made;
}

}  // namespace splice::cpy

using namespace splice::cpy;

extern "C" {

PyObject* splice_rt_typed_make(PyObject* type, const void* items, std::int64_t n) noexcept {
  TypedList* list = allocate(reinterpret_cast<PyTypeObject*>(type), n);
  if (list != nullptr && n > 0)
    std::memcpy(list->items, items, static_cast<std::size_t>(n) * item_size(Py_TYPE(list)));
  if (list != nullptr) own_rows(reinterpret_cast<PyObject*>(list));
  return reinterpret_cast<PyObject*>(list);
}

PyObject* splice_rt_typed_slice(PyObject* list, std::int64_t start, std::int64_t stop,
                                std::int64_t step, std::int64_t absent) noexcept {
  Py_ssize_t by = (absent & 4) != 0 ? 1 : static_cast<Py_ssize_t>(step);
  if (by == 0) return nullptr;
  by = std::max(by, -PY_SSIZE_T_MAX);
  const bool backward = by < 0;
  Py_ssize_t from = (absent & 1) != 0 ? (backward ? PY_SSIZE_T_MAX : 0) : start;
  Py_ssize_t to = (absent & 2) != 0 ? (backward ? PY_SSIZE_T_MIN : PY_SSIZE_T_MAX) : stop;
  const Py_ssize_t n = PySlice_AdjustIndices(Py_SIZE(list), &from, &to, by);
  TypedList* made = allocate(Py_TYPE(list), n);
  if (made == nullptr) return nullptr;
  with_items(list, [&](auto items) {
    auto* put = static_cast<typename decltype(items)::value_type*>(made->items);
    if (by == 1) {
      std::copy_n(items.begin() + from, n, put);
    } else {
      for (Py_ssize_t i = 0; i < n; ++i) put[i] = items[static_cast<std::size_t>(from + i * by)];
    }
  });
  own_rows(reinterpret_cast<PyObject*>(made));
  return reinterpret_cast<PyObject*>(made);
}

PyObject* splice_rt_typed_range(std::int64_t start, std::int64_t stop, std::int64_t step) noexcept {
  // Distances and steps as unsigned numbers: they may have 64 bits.
  const auto from = static_cast<std::uint64_t>(start);
  const auto to = static_cast<std::uint64_t>(stop);
  const bool up = step > 0;
  const std::uint64_t distance = up ? to - from : from - to;
  const std::uint64_t stride =
      up ? static_cast<std::uint64_t>(step) : std::uint64_t{0} - static_cast<std::uint64_t>(step);
  const bool empty = up ? start >= stop : start <= stop;
  const std::uint64_t n = empty ? 0 : (distance - 1) / stride + 1;
  if (n > static_cast<std::uint64_t>(kMaxSize)) return nullptr;
  TypedList* list = allocate(&int_list_type, static_cast<std::int64_t>(n));
  if (list == nullptr) return nullptr;
  std::uint64_t next = from;
  for (std::int64_t& item : items_of<std::int64_t>(reinterpret_cast<PyObject*>(list))) {
    item = static_cast<std::int64_t>(next);
    next += static_cast<std::uint64_t>(step);
  }
  return reinterpret_cast<PyObject*>(list);
}

PyObject* splice_rt_typed_repeat(PyObject* list, std::int64_t count) noexcept {
  const std::int64_t size = Py_SIZE(list);
  if (count < 0 || size == 0) count = 0;
  if (size != 0 && count > kMaxSize / size) return nullptr;
  TypedList* made = allocate(Py_TYPE(list), size * count);
  if (made == nullptr) return nullptr;
  with_items(list, [&](auto items) {
    using Item = typename decltype(items)::value_type;
    auto* to = static_cast<Item*>(made->items);
    if (items.size() == 1) {
      std::fill_n(to, count, items[0]);
    } else {
      for (std::int64_t i = 0; i < count; ++i) to = std::copy(items.begin(), items.end(), to);
    }
  });
  own_rows(reinterpret_cast<PyObject*>(made));
  return reinterpret_cast<PyObject*>(made);
}

std::int32_t splice_rt_typed_grow(PyObject* list) noexcept {
  return reserve(typed(list), Py_SIZE(list) + 1) ? 0 : 1;
}

std::int32_t splice_rt_typed_extend(PyObject* list, PyObject* tuple) noexcept {
  const Py_ssize_t more = PyTuple_GET_SIZE(tuple);
  const Py_ssize_t size = Py_SIZE(list);
  if (!reserve(typed(list), size + more)) return 1;
  Py_SET_SIZE(reinterpret_cast<PyVarObject*>(list), size + more);
  with_numbers(list, [&](auto items) {
    using Item = typename decltype(items)::value_type;
    for (Py_ssize_t i = 0; i < more; ++i) {
      PyObject* from = PyTuple_GET_ITEM(tuple, i);
      Item& to = items[static_cast<std::size_t>(size + i)];
      if constexpr (std::is_same_v<Item, double>)
        to = PyFloat_AS_DOUBLE(from);
      else
        to = static_cast<Item>(PyLong_AsLongLong(from));
    }
  });
  return 0;
}

std::int32_t splice_rt_typed_extend_list(PyObject* list, PyObject* other) noexcept {
  const std::int64_t more = Py_SIZE(other);
  const std::int64_t size = Py_SIZE(list);
  if (!reserve(typed(list), size + more)) return 1;
  // The items of `other`, which may be `list` itself, lie where reserve() has put them.
  std::memcpy(place_of(typed(list), size), typed(other)->items,
              static_cast<std::size_t>(more) * item_size(Py_TYPE(list)));
  if (is_table(list))
    for (PyObject* row : rows_of(other)) Py_INCREF(row);
  Py_SET_SIZE(reinterpret_cast<PyVarObject*>(list), static_cast<Py_ssize_t>(size + more));
  return 0;
}

std::int32_t splice_rt_typed_insert(PyObject* list, std::int64_t index, void** place) noexcept {
  const std::int64_t size = Py_SIZE(list);
  if (!reserve(typed(list), size + 1)) return 1;
  if (index < 0) index = std::max<std::int64_t>(0, index + size);
  index = std::min(index, size);
  const std::size_t bytes = item_size(Py_TYPE(list));
  char* at = place_of(typed(list), index);
  std::memmove(at + bytes, at, static_cast<std::size_t>(size - index) * bytes);
  Py_SET_SIZE(reinterpret_cast<PyVarObject*>(list), static_cast<Py_ssize_t>(size + 1));
  *place = at;
  return 0;
}

void splice_rt_typed_remove_at(PyObject* list, std::int64_t index) noexcept {
  if (is_table(list)) {
    Py_DECREF(splice_rt_typed_take(list, index));
    return;
  }
  close_gap(list, index);
}

PyObject* splice_rt_typed_take(PyObject* list, std::int64_t index) noexcept {
  PyObject* row = rows_of(list)[static_cast<std::size_t>(index)];
  close_gap(list, index);
  return row;
}

void splice_rt_typed_clear(PyObject* list) noexcept {
  const std::span<PyObject*> rows = is_table(list) ? rows_of(list) : std::span<PyObject*>{};
  Py_SET_SIZE(reinterpret_cast<PyVarObject*>(list), 0);
  drop_rows(rows);
}

void splice_rt_typed_reverse(PyObject* list) noexcept {
  with_items(list, [](auto items) { std::reverse(items.begin(), items.end()); });
}

std::int32_t splice_rt_typed_sort(PyObject* list) noexcept {
  return with_numbers(list, [](auto items) {
    using Item = typename decltype(items)::value_type;
    if constexpr (std::is_same_v<Item, double>) {
      if (std::any_of(items.begin(), items.end(), [](double v) { return std::isnan(v); })) return 1;
    }
    std::stable_sort(items.begin(), items.end());  // 0.0 and -0.0 keep their order
    return 0;
  });
}

std::int64_t splice_rt_typed_sum_ints(PyObject* list, std::int64_t* failed) noexcept {
  const auto add_up = [&](auto items) {
    std::int64_t sum = 0;
    for (const auto item : items)
      if (__builtin_add_overflow(sum, static_cast<std::int64_t>(item), &sum)) *failed = 1;
    return sum;
  };
  return Py_TYPE(list) == &bool_list_type ? add_up(items_of<bool>(list))
                                          : add_up(items_of<std::int64_t>(list));
}

double splice_rt_typed_sum_floats(PyObject* list) noexcept {
  // As CPython from 3.12 on: what each addition rounds away is added up and added in the end.
  const std::span<double> items = items_of<double>(list);
  double sum = 0.0 + items[0];
  double lost = 0.0;
  for (const double item : items.subspan(1)) {
    const double next = sum + item;
    lost += std::fabs(sum) >= std::fabs(item) ? (sum - next) + item : (item - next) + sum;
    sum = next;
  }
  return lost != 0.0 && std::isfinite(lost) ? sum + lost : sum;
}

std::int64_t splice_rt_typed_best(PyObject* list, std::int32_t is_max) noexcept {
  return with_numbers(list, [&](auto items) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < items.size(); ++i)
      if (is_max != 0 ? items[i] > items[best] : items[i] < items[best]) best = i;
    return static_cast<std::int64_t>(best);
  });
}

std::int64_t splice_rt_typed_find(PyObject* list, const void* item, std::int64_t start) noexcept {
  return with_numbers(list, [&](auto items) {
    using Item = typename decltype(items)::value_type;
    const auto from = items.begin() + start;
    const Item wanted = *static_cast<const Item*>(item);
    return static_cast<std::int64_t>(std::find(from, items.end(), wanted) - items.begin());
  });
}

std::int64_t splice_rt_typed_count(PyObject* list, const void* item) noexcept {
  return with_numbers(list, [&](auto items) {
    using Item = typename decltype(items)::value_type;
    const Item wanted = *static_cast<const Item*>(item);
    return static_cast<std::int64_t>(std::count(items.begin(), items.end(), wanted));
  });
}

std::int64_t splice_rt_typed_find_truth(PyObject* list, std::int32_t truth) noexcept {
  return with_numbers(list, [&](auto items) {
    const auto found = std::find_if(items.begin(), items.end(), [&](const auto item) {
      using Item = std::remove_cv_t<decltype(item)>;
      return (item != Item{}) == (truth != 0);
    });
    return static_cast<std::int64_t>(found - items.begin());
  });
}

}  // extern "C"
