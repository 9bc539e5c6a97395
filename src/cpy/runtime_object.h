// cpy/runtime_object.h: boxes and unboxes that generated code calls instead of doing inline.
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

/// Value of an exact int (or bool). *fits = 1, or 0 when it needs more than 64 bits; then the
/// result is 0.
std::int64_t splice_rt_unbox_int(PyObject* object, std::int64_t* fits) noexcept;

}  // extern "C"
