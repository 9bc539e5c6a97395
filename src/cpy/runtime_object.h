// cpy/runtime_object.h: boxes that generated code calls instead of doing inline.
// GIL held. The boxes return a new reference, or null with MemoryError set.
#pragma once

#include <Python.h>

#include <cstdint>

extern "C" {

/// The reference count of `object` has just become 0. May run any code.
void splice_rt_dealloc(PyObject* object);

PyObject* splice_rt_box_int(std::int64_t value) noexcept;
PyObject* splice_rt_box_float(double value) noexcept;
PyObject* splice_rt_box_complex(double real, double imag) noexcept;

}  // extern "C"
