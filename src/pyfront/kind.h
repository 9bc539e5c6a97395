// pyfront/kind.h: the kinds of Python values that compiled code tells apart at its border.
#pragma once

#include <Python.h>

#include <cstdint>

namespace splice::pyfront {

enum class Kind : std::uint8_t {
  kInt,    ///< exact int that fits 64 bits
  kFloat,  ///< exact float
  kBool,
  kComplex,  ///< exact complex
  kNone,
  kList,   ///< exact list
  kTuple,  ///< exact tuple
  kStr,    ///< exact str
  kBytes,  ///< exact bytes
  kByteArray,
  kObject,  ///< anything else, carried untouched
};

/// Kind under which `value` enters compiled code. An int beyond 64 bits is kObject.
Kind kind_of(PyObject* value);
const char* kind_name(Kind kind);
/// Of kinds that are objects of one type, carried as they are; null for the others.
PyTypeObject* exact_type_of(Kind kind);

}  // namespace splice::pyfront
