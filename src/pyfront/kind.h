// pyfront/kind.h: the kinds of Python values that compiled code tells apart at its border.
#pragma once

#include <Python.h>

#include <cstdint>
#include <string>

#include "cpy/flat_buffer.h"
#include "cpy/numpy.h"

namespace splice::pyfront {

struct Kind {
  enum Tag : std::uint8_t {
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
    kScalar,  ///< exact NumPy scalar of `array.element`
    kArray,   ///< exact ndarray like `array`
    kFlat,    ///< exact memoryview or array.array like `flat`
    kObject,  ///< anything else, carried untouched
  };

  Kind(Tag t = kObject) : tag(t) {}  // NOLINT: most kinds are a tag

  Tag tag;
  cpy::ArrayFacts array;  ///< kScalar, kArray
  cpy::FlatFacts flat;    ///< kFlat

  bool operator==(const Kind&) const = default;
};

/// Kind under which `value` enters compiled code. An int beyond 64 bits is kObject.
Kind kind_of(PyObject* value);
/// "int", "numpy.float32", "float64[:, ::1]" (::1: contiguous in C order).
std::string kind_name(const Kind& kind);
/// Of what kind_of() says kObject: "an array of >i4", "a numpy.matrix".
std::string description_of(PyObject* value);
std::string array_name(const cpy::ArrayFacts& array);
/// Of kinds that are objects of one type, carried as they are; null for the others.
PyTypeObject* exact_type_of(const Kind& kind);

}  // namespace splice::pyfront

extern "C" {

/// Whether kind_of() says kObject.
std::int32_t splice_rt_is_carried(PyObject* value) noexcept;
}
