// cpy/array_view.h: arrays that show the memory of another, kept as their parts.
//
// a[1:, ::2], a[i] of a matrix and a.T are known to native code as where they begin in the memory
// of an array, their lengths and their strides. They become objects when something of the program
// can get hold of one.
#pragma once

#include <Python.h>

#include <cstddef>
#include <cstdint>

#include "cpy/numpy.h"

namespace splice::cpy {

// Parts, in order: all but the first are ints.
inline constexpr std::size_t kViewBase = 0;     ///< exact ndarray whose memory it is
inline constexpr std::size_t kViewElement = 1;  ///< mem::ElementType
inline constexpr std::size_t kViewOffset = 2;  ///< of the first element, bytes from the base's data
inline constexpr std::size_t kViewFlags = 3;   ///< of the array that was indexed
inline constexpr std::size_t kViewIsDense =
    4;  ///< 1: elements of the last dimension are neighbours
inline constexpr std::size_t kViewLengths =
    5;  ///< one for each dimension, then the strides in bytes

constexpr std::size_t view_rank(std::size_t parts) { return (parts - kViewLengths) / 2; }
/// Where the strides begin.
constexpr std::size_t view_strides(std::size_t parts) { return kViewLengths + view_rank(parts); }

/// The view made of `n` parts, whose references are consumed whatever happens; a null part means
/// that its making failed with an exception set. New reference, or null with an exception.
PyObject* make_array_view(PyObject* const* parts, std::size_t n);
/// A small new array of this kind. Lets no other thread run.
PyObject* new_array_like(const ArrayFacts& facts);

}  // namespace splice::cpy

extern "C" {

/// The same of the base, whose reference is consumed, and what the other parts hold, each at its
/// place in `numbers`.
PyObject* splice_rt_make_array_view(PyObject* base, const std::int64_t* numbers,
                                    std::int64_t n) noexcept;
/// target[...] = source of exact arrays, where the conversion of no value can be warned of.
/// Nonzero, without an exception and with nothing done, where NumPy refuses.
std::int32_t splice_rt_array_copy_into(PyObject* target, PyObject* source) noexcept;
/// target[...] = the element (mem::ElementType) at `value`, of an array of such. The same results.
/// Both may let other threads run.
std::int32_t splice_rt_array_fill(PyObject* target, const void* value,
                                  std::int64_t element) noexcept;
}
