// cpy/numpy.h: arrays and scalars of NumPy, if the program has loaded it.
//
// Splice neither imports NumPy nor is it built with it. When the first array is met, the layout
// that generated code relies on (layout/numpy_layout.h) is held against real arrays and scalars; a
// NumPy that fails this is one whose arrays are carried as objects. GIL held for everything.
#pragma once

#include <Python.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>

#include "mem/buffer_view.h"
#include "mem/element_type.h"

namespace splice::cpy {

/// What compiled code is specialised for.
struct ArrayFacts {
  mem::ElementType element = mem::ElementType::kF64;
  std::uint8_t rank = 0;
  bool contiguous = false;  ///< in C order
  bool operator==(const ArrayFacts&) const = default;
};

inline constexpr int kMaxRank = mem::kMaxRank;

/// True when `value` is an exact ndarray, whatever its elements are. Looks for NumPy at first.
bool is_array(PyObject* value);
/// Null before an array has been met.
PyTypeObject* array_type();
/// Of an exact, aligned ndarray in native byte order of up to kMaxRank dimensions.
std::optional<ArrayFacts> array_facts(PyObject* value);
/// Why array_facts() says nothing of this array: "an array of >i4", "an unaligned array".
std::string unusual_array(PyObject* array);
/// The memory of such an array, which the array keeps.
std::optional<mem::BufferView> view_of_array(PyObject* value);
/// A field of an array, dtype or scalar (layout/numpy_layout.h).
template <class T>
T numpy_field(PyObject* object, std::int64_t offset) {
  T value;
  std::memcpy(&value, reinterpret_cast<const char*>(object) + offset, sizeof(T));
  return value;
}

/// The elements of such arrays with this dtype.
std::optional<mem::ElementType> dtype_element(PyObject* dtype);
/// The masked first eight bytes that tell the dtype of such arrays.
std::uint64_t dtype_head(mem::ElementType element);

/// What an array refers to and drops when it dies; none where its death may do more: a weak
/// reference has a callback, the elements are objects, an original waits for them.
std::optional<std::array<PyObject*, 3>> array_parts(PyObject* array);

/// The NumPy scalar type; null before NumPy has been met.
PyTypeObject* scalar_type(mem::ElementType element);
/// What an exact NumPy scalar holds. Looks for NumPy at first.
std::optional<mem::ElementType> scalar_element(PyObject* value);
/// The same of a type; NumPy must have been met.
std::optional<mem::ElementType> element_of_scalar_type(const PyTypeObject* type);
/// Whether native code can carry the scalar: not a NaN of complex64, of which two float64 would not
/// keep the bits.
bool can_be_carried(PyObject* scalar, mem::ElementType element);

/// Functions that make arrays. The first five are C functions, which native code calls; the others
/// it does with one of them.
enum class NumPyRoutine : std::uint8_t {
  kZeros,
  kEmpty,
  kArange,
  kArray,
  kEmptyLike,
  kOnes,
  kFull,
  kCopy,
  kZerosLike,
  kOnesLike,
  kFullLike,
};
inline constexpr std::size_t kNumPyBuiltins = 5;
inline constexpr std::size_t kNumPyRoutines = 11;

/// What NumPy itself has under such a name, not what the program put there. Looks for NumPy at
/// first.
std::optional<NumPyRoutine> numpy_routine(PyObject* callable);
/// One of the first five, borrowed.
PyObject* numpy_builtin(NumPyRoutine routine);
/// The dtype that a constant argument names, where native code has elements of it and NumPy takes
/// the argument without a word: a scalar type, float, int, bool or complex, NumPy's own dtype
/// object, a name. None before NumPy has been met.
std::optional<mem::ElementType> named_dtype(PyObject* constant);

/// New NumPy scalar of an element at `bytes`. Null with MemoryError set.
PyObject* make_scalar(PyTypeObject* type, const void* bytes);
/// The same of a complex type.
PyObject* make_complex_scalar(PyTypeObject* type, double real, double imaginary);

}  // namespace splice::cpy

extern "C" {

/// make_scalar() of the low bytes of `bits`, make_complex_scalar().
PyObject* splice_rt_box_scalar(PyObject* type, std::uint64_t bits) noexcept;
PyObject* splice_rt_box_complex_scalar(PyObject* type, double real, double imag) noexcept;
/// Calls a C function or method of NumPy that runs no Python code on such arguments. Null, without
/// an exception, where it raises.
PyObject* splice_rt_call_numpy(PyObject* callable, PyObject* const* args, std::int64_t n) noexcept;
/// Whether NumPy's scalars do this without a warning, whatever numpy.errstate says: no overflow, no
/// invalid operation, no division by zero, and no underflow unless that is ignored. `op`: '+', '-',
/// '*', '/', 'p' (power), 'f' (conversion of a float64 to float32), 'w' (of a
/// float32 to float64), 'u' (any underflow).
std::int32_t splice_rt_is_quiet_f64(std::int32_t op, double a, double b) noexcept;
std::int32_t splice_rt_is_quiet_f32(std::int32_t op, float a, float b) noexcept;
}
