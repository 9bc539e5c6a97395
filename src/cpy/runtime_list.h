// cpy/runtime_list.h: what generated code does with lists and the death of objects.
//
// All need the GIL and run no Python code. None leaves an exception set: null, or a result that is
// not 0, means that nothing has been done and that the interpreter does the operation again.
#pragma once

#include <Python.h>

#include <cstdint>

extern "C" {

/// 1 when dropping one reference to `object` runs no Python code: it is not the last one, or the
/// object is a plain number, string, bytes, range, None, or a list, tuple, cell or function of such
/// (of any depth up to a limit).
std::int32_t splice_rt_may_drop(PyObject* object) noexcept;

/// New list of `n` references, which it takes over unless it fails.
PyObject* splice_rt_make_list(PyObject** items, std::int64_t n) noexcept;
/// New list with the room that list(iterable) begins with when it does not know the length.
PyObject* splice_rt_begin_list() noexcept;
/// Gives back the room that list(iterable) gives back at the end. Never fails.
void splice_rt_end_list(PyObject* list) noexcept;
PyObject* splice_rt_list_as_tuple(PyObject* list) noexcept;
/// sequence * count of an exact list, tuple, str or bytes.
PyObject* splice_rt_repeat(PyObject* sequence, std::int64_t count) noexcept;
/// Takes over the reference to `item` unless it fails (result 1).
std::int32_t splice_rt_list_append(PyObject* list, PyObject* item) noexcept;
/// list.pop(index) for 0 <= index < len(list). Never null.
PyObject* splice_rt_list_pop(PyObject* list, std::int64_t index) noexcept;

}  // extern "C"
