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

void dealloc(PyObject* list) {
  PyMem_Free(typed(list)->items);
  PyObject_Free(list);
}

PyTypeObject make_type(const char* name, Py_ssize_t item_size) {
  PyTypeObject type{};
  Py_SET_REFCNT(&type, 1);
  type.tp_name = name;
  type.tp_basicsize = sizeof(TypedList);
  type.tp_itemsize = item_size;
  type.tp_dealloc = dealloc;
  return type;
}

template <class T>
std::span<T> items_of(PyObject* list) {
  return {static_cast<T*>(typed(list)->items), static_cast<std::size_t>(Py_SIZE(list))};
}

/// Calls f(items) with a span of the list's kind.
template <class F>
auto with_items(PyObject* list, F f) {
  if (Py_TYPE(list) == &int_list_type) return f(items_of<std::int64_t>(list));
  if (Py_TYPE(list) == &float_list_type) return f(items_of<double>(list));
  return f(items_of<bool>(list));
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

}  // namespace

PyTypeObject int_list_type = make_type("list[int]", sizeof(std::int64_t));
PyTypeObject float_list_type = make_type("list[float]", sizeof(double));
PyTypeObject bool_list_type = make_type("list[bool]", sizeof(bool));

bool is_typed_list(const PyTypeObject* type) {
  return type == &int_list_type || type == &float_list_type || type == &bool_list_type;
}

std::size_t item_size(const PyTypeObject* type) {
  return static_cast<std::size_t>(type->tp_itemsize);
}

PyObject* make_list(PyObject* list) {
  PyObject* made = PyList_New(Py_SIZE(list));
  if (made == nullptr) return nullptr;
  return with_items(list, [&](auto items) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      PyObject* item = boxed(items[i]);
      if (item == nullptr) {
        Py_CLEAR(made);
        return made;
      }
      PyList_SET_ITEM(made, static_cast<Py_ssize_t>(i), item);
    }
    return made;
  });
}

}  // namespace splice::cpy

using namespace splice::cpy;

extern "C" {

PyObject* splice_rt_typed_make(PyObject* type, const void* items, std::int64_t n) noexcept {
  TypedList* list = allocate(reinterpret_cast<PyTypeObject*>(type), n);
  if (list != nullptr && n > 0)
    std::memcpy(list->items, items, static_cast<std::size_t>(n) * item_size(Py_TYPE(list)));
  return reinterpret_cast<PyObject*>(list);
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
  with_items(list, [&](auto items) {
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
  const std::int64_t size = Py_SIZE(list);
  const std::size_t bytes = item_size(Py_TYPE(list));
  char* at = place_of(typed(list), index);
  std::memmove(at, at + bytes, static_cast<std::size_t>(size - index - 1) * bytes);
  Py_SET_SIZE(reinterpret_cast<PyVarObject*>(list), static_cast<Py_ssize_t>(size - 1));
}

void splice_rt_typed_reverse(PyObject* list) noexcept {
  with_items(list, [](auto items) { std::reverse(items.begin(), items.end()); });
}

std::int32_t splice_rt_typed_sort(PyObject* list) noexcept {
  return with_items(list, [](auto items) {
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
  return with_items(list, [&](auto items) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < items.size(); ++i)
      if (is_max != 0 ? items[i] > items[best] : items[i] < items[best]) best = i;
    return static_cast<std::int64_t>(best);
  });
}

std::int64_t splice_rt_typed_find_truth(PyObject* list, std::int32_t truth) noexcept {
  return with_items(list, [&](auto items) {
    const auto found = std::find_if(items.begin(), items.end(), [&](const auto item) {
      using Item = std::remove_cv_t<decltype(item)>;
      return (item != Item{}) == (truth != 0);
    });
    return static_cast<std::int64_t>(found - items.begin());
  });
}

}  // extern "C"
