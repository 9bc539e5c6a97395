// cpy/large_int.h: ints that do not fit 64 bits, as objects.
#pragma once

#include <Python.h>

#include <cstdint>

namespace splice::cpy {

/// The exception of a signal handler that ran within splice_rt_int_operator(), which the program
/// must still see; null when there is none. New reference.
PyObject* take_handler_exception();

}  // namespace splice::cpy

extern "C" {

/// a `op` b of two exact ints, with CPython's numbers of the operators (NB_ADD, ...); GIL held.
/// Null without an exception where CPython raises, or where the result is no int.
PyObject* splice_rt_int_operator(PyObject* a, PyObject* b, std::int32_t op) noexcept;
/// 1 when a `op` b (Py_LT ... Py_GE) of two exact ints, else 0.
std::int32_t splice_rt_int_compare(PyObject* a, PyObject* b, std::int32_t op) noexcept;

}  // extern "C"
