// engine/aggregate.h: tuples, ranges and range iterators that native code kept as their parts.
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

}  // extern "C"
