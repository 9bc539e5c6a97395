// cpy/numpy_api.h: the part of NumPy's C API that is used, without its headers.
//
// numpy._core._multiarray_umath._ARRAY_API is a table of functions whose places are NumPy's stable
// ABI (numpy/__multiarray_api.h), the same from NumPy 1.7 to 2.4.
#pragma once

#include <Python.h>

#include <cstdint>

#include "mem/element_type.h"

namespace splice::cpy {

/// Places in the table.
enum class NumPyFunction : std::uint16_t {
  kDescrFromType = 45,
  kCopyInto = 50,
  kNewFromDescr = 94,
  kZeros = 183,
  kSetBaseObject = 282,
};

/// NumPy must have been met (cpy/numpy.h).
void* numpy_function(NumPyFunction which);

template <class F>
F* numpy_function(NumPyFunction which) {
  return reinterpret_cast<F*>(numpy_function(which));
}

/// NPY_TYPES of numpy/ndarraytypes.h.
std::int32_t type_number(mem::ElementType element);
/// The dtype of these elements, a new reference.
PyObject* new_dtype(mem::ElementType element);
/// Whether numpy.errstate ignores underflow, as it does unless the program says otherwise.
bool underflow_is_ignored();

}  // namespace splice::cpy
