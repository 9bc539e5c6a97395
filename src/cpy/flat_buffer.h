// cpy/flat_buffer.h: memoryview and array.array, whose elements native code reads and writes.
//
// Of one dimension, with elements that a machine type has. The struct of array.array is none of the
// public ones: it is held against a real array when the first one is met. GIL held for everything.
#pragma once

#include <Python.h>

#include <cstddef>
#include <cstdint>
#include <optional>

#include "mem/element_type.h"

namespace splice::cpy {

/// What compiled code is specialised for.
struct FlatFacts {
  mem::ElementType element = mem::ElementType::kU8;
  bool is_view = false;     ///< a memoryview; else an array.array
  bool contiguous = false;  ///< a memoryview: elements are neighbours
  char code = 0;            ///< its format or type code
  bool operator==(const FlatFacts&) const = default;
};

/// Of an exact memoryview or array.array, aligned, in native byte order.
std::optional<FlatFacts> flat_facts(PyObject* value);
/// array.array; null before one has been met.
PyTypeObject* item_array_type();

// array.array (arrayobject of Modules/arraymodule.c)
inline constexpr std::int64_t kItemArrayData = 24;         ///< char*
inline constexpr std::int64_t kItemArrayDescription = 40;  ///< begins with the type code, a char

// Fields of a memoryview
inline constexpr std::int64_t kViewStateFlags = offsetof(PyMemoryViewObject, flags);
inline constexpr std::int64_t kViewManagedBuffer = offsetof(PyMemoryViewObject, mbuf);
inline constexpr std::int64_t kManagedBufferFlags = offsetof(_PyManagedBufferObject, flags);
/// Where a field of its Py_buffer is.
constexpr std::int64_t view_field(std::size_t offset) {
  return static_cast<std::int64_t>(offsetof(PyMemoryViewObject, view) + offset);
}

}  // namespace splice::cpy
