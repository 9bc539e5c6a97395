// engine/aggregate.h: tuples, ranges and iterators that native code kept as their parts.
#pragma once

#include <Python.h>

#include <cstdint>

extern "C" {

/// Of `n` items, whose references are consumed whatever happens; a null item means that its making
/// failed with an exception set. New reference, or null with an exception. Run no Python code.
PyObject* splice_rt_make_tuple(PyObject* const* items, std::int64_t n);
/// range(items[0], items[1], items[2]) of exact ints.
PyObject* splice_rt_make_range(PyObject* const* items, std::int64_t n);
/// Its iterator: next value, stop, step.
PyObject* splice_rt_make_range_iter(PyObject* const* items, std::int64_t n);
/// Iterator of the exact list or tuple items[0] whose next index is items[1].
PyObject* splice_rt_make_sequence_iter(PyObject* const* items, std::int64_t n);
/// reversed(items[0]) of an exact list whose next index is items[1].
PyObject* splice_rt_make_reversed_iter(PyObject* const* items, std::int64_t n);
/// enumerate(items[0], items[1]) and zip(*items) of builtin iterators.
PyObject* splice_rt_make_enumerate(PyObject* const* items, std::int64_t n);
PyObject* splice_rt_make_zip(PyObject* const* items, std::int64_t n);
/// slice(items[0], items[1], items[2]).
PyObject* splice_rt_make_slice(PyObject* const* items, std::int64_t n);

}  // extern "C"
