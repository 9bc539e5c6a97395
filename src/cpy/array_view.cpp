// cpy/array_view.cpp
#include "cpy/array_view.h"

#include <algorithm>
#include <array>

#include "cpy/numpy.h"
#include "cpy/numpy_api.h"
#include "layout/numpy_layout.h"

namespace splice::cpy {

namespace {

constexpr std::size_t kMostParts = kViewLengths + 2 * kMaxRank;

/// Consumes the reference to the dtype.
PyObject* new_view(PyObject* base, PyObject* dtype, std::size_t rank, const std::int64_t* numbers) {
  using NewFromDescr = PyObject*(PyTypeObject*, PyObject*, int, const std::int64_t*,
                                 const std::int64_t*, void*, int, PyObject*);
  using SetBaseObject = int(PyObject*, PyObject*);
  char* data = numpy_field<char*>(base, layout::kArrayData) + numbers[kViewOffset];
  const std::int64_t* lengths = numbers + kViewLengths;
  const auto flags = static_cast<std::int32_t>(numbers[kViewFlags]) & ~layout::kArrayOwnsData;
  PyObject* made = numpy_function<NewFromDescr>(NumPyFunction::kNewFromDescr)(
      array_type(), dtype, static_cast<int>(rank), lengths, lengths + rank, data, flags, nullptr);
  if (made == nullptr) return nullptr;
  // Takes the base's own base where that is the one that owns the memory, as NumPy's views do.
  if (numpy_function<SetBaseObject>(NumPyFunction::kSetBaseObject)(made, Py_NewRef(base)) < 0)
    Py_CLEAR(made);
  return made;
}

PyObject* view_of(PyObject* base, const std::int64_t* numbers, std::size_t n) {
  const auto element = static_cast<mem::ElementType>(numbers[kViewElement]);
  auto* dtype = numpy_field<PyObject*>(base, layout::kArrayDtype);
  // The base may have been given another one since.
  return new_view(base, dtype_element(dtype) == element ? Py_NewRef(dtype) : new_dtype(element),
                  view_rank(n), numbers);
}

/// Writes `value` to all elements.
template <class T>
void fill(char* data, const Py_ssize_t* lengths, const Py_ssize_t* strides, int rank, T value) {
  if (rank == 0) {
    *reinterpret_cast<T*>(data) = value;
    return;
  }
  for (Py_ssize_t i = 0; i < lengths[0]; ++i)
    if (rank == 1)
      *reinterpret_cast<T*>(data + i * strides[0]) = value;
    else
      fill(data + i * strides[0], lengths + 1, strides + 1, rank - 1, value);
}

Py_ssize_t count_of(PyObject* array) {
  const auto* lengths = numpy_field<const Py_ssize_t*>(array, layout::kArrayShape);
  Py_ssize_t count = 1;
  for (int i = 0; i < numpy_field<std::int32_t>(array, layout::kArrayRank); ++i)
    count *= lengths[i];
  return count;
}

template <class T>
void fill_array(PyObject* array, const void* value) {
  if ((numpy_field<std::int32_t>(array, layout::kArrayFlags) & layout::kArrayIsContiguous) != 0) {
    std::fill_n(numpy_field<T*>(array, layout::kArrayData), count_of(array),
                *static_cast<const T*>(value));
    return;
  }
  fill(numpy_field<char*>(array, layout::kArrayData),
       numpy_field<const Py_ssize_t*>(array, layout::kArrayShape),
       numpy_field<const Py_ssize_t*>(array, layout::kArrayStrides),
       numpy_field<std::int32_t>(array, layout::kArrayRank), *static_cast<const T*>(value));
}

/// An element of 16 bytes.
struct Pair {
  double parts[2];
};

void fill_array(PyObject* array, const void* value, std::size_t size) {
  switch (size) {
    case 1:
      return fill_array<std::uint8_t>(array, value);
    case 2:
      return fill_array<std::uint16_t>(array, value);
    case 4:
      return fill_array<std::uint32_t>(array, value);
    case 8:
      return fill_array<std::uint64_t>(array, value);
    default:
      return fill_array<Pair>(array, value);
  }
}

/// More elements than that take longer than other threads should wait.
bool is_large(PyObject* array) {
  constexpr Py_ssize_t kMany = 1 << 14;
  return count_of(array) > kMany;
}

}  // namespace

PyObject* make_array_view(PyObject* const* parts, std::size_t n) {
  std::array<std::int64_t, kMostParts> numbers{};
  bool complete = std::find(parts, parts + n, nullptr) == parts + n;
  for (std::size_t i = kViewElement; complete && i < n; ++i) {
    numbers[i] = PyLong_AsLongLong(parts[i]);
    complete = numbers[i] != -1 || !PyErr_Occurred();
  }
  PyObject* made = complete ? view_of(parts[kViewBase], numbers.data(), n) : nullptr;
  for (std::size_t i = 0; i < n; ++i) Py_XDECREF(parts[i]);
  return made;
}

PyObject* new_array_like(const ArrayFacts& facts) {
  using Zeros = PyObject*(int, const std::int64_t*, PyObject*, int);
  constexpr int kLength = 2;
  // Less than 1024 bytes: NumPy lets no other thread run to clear them.
  constexpr std::size_t kLong = 3;
  std::array<std::int64_t, kMaxRank> lengths{};
  for (std::size_t i = 0; i < facts.rank; ++i)
    lengths[i] = i < kLong || i + 1 == facts.rank ? kLength : 1;
  // Every other element of the last dimension, where they must not be neighbours.
  const bool spread = !facts.contiguous && facts.rank > 0;
  if (spread) lengths[facts.rank - 1U] = 2 * kLength;
  PyObject* whole = numpy_function<Zeros>(NumPyFunction::kZeros)(facts.rank, lengths.data(),
                                                                 new_dtype(facts.element), 0);
  if (whole == nullptr || !spread) return whole;
  std::array<std::int64_t, kMostParts> numbers{};
  numbers[kViewFlags] = layout::kArrayIsWriteable;
  auto stride = static_cast<std::int64_t>(mem::size_of(facts.element));
  for (std::size_t i = facts.rank; i-- > 0;) {
    const bool last = i + 1 == facts.rank;
    numbers[kViewLengths + i] = last ? kLength : lengths[i];
    numbers[kViewLengths + facts.rank + i] = last ? 2 * stride : stride;
    stride *= lengths[i];
  }
  PyObject* made = new_view(whole, new_dtype(facts.element), facts.rank, numbers.data());
  Py_DECREF(whole);
  return made;
}

}  // namespace splice::cpy

namespace cpy = splice::cpy;

PyObject* splice_rt_make_array_view(PyObject* base, const std::int64_t* numbers,
                                    std::int64_t n) noexcept {
  PyObject* made = cpy::view_of(base, numbers, static_cast<std::size_t>(n));
  Py_DECREF(base);
  return made;
}

std::int32_t splice_rt_array_copy_into(PyObject* target, PyObject* source) noexcept {
  using CopyInto = int(PyObject*, PyObject*);
  const auto copy = cpy::numpy_function<CopyInto>(cpy::NumPyFunction::kCopyInto);
  if (copy(target, source) == 0) return 0;
  PyErr_Clear();
  return 1;
}

std::int32_t splice_rt_array_fill(PyObject* target, const void* value,
                                  std::int64_t element) noexcept {
  namespace layout = splice::layout;
  using cpy::numpy_field;
  const auto type = static_cast<splice::mem::ElementType>(element);
  if (cpy::dtype_element(numpy_field<PyObject*>(target, layout::kArrayDtype)) != type) return 1;
  const std::size_t size = splice::mem::size_of(type);
  if (!cpy::is_large(target)) {
    cpy::fill_array(target, value, size);
    return 0;
  }
  Py_INCREF(target);
  Py_BEGIN_ALLOW_THREADS;
  cpy::fill_array(target, value, size);
  Py_END_ALLOW_THREADS;
  Py_DECREF(target);
  return 0;
}
