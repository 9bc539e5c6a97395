// cpy/runtime_sequence.h: operations of builtin containers that run no Python code.
//
// An object is *plain* when it is an exact int, float, bool, complex, str, bytes, bytearray, None
// or range, or an exact list or tuple of plain objects (of any depth up to a limit): comparing,
// hashing, adding and printing such objects calls nothing of the program. Under `python -b` bytes
// are not plain: comparing them with a str warns.
//
// All need the GIL. None leaves an exception set: a null or negative result, or "1 when it fails",
// means that nothing has been done and that the interpreter does the operation again (and raises
// what is to be raised).
#pragma once

#include <Python.h>

#include <cstdint>

extern "C" {

/// callable(*args) of a builtin that runs no Python code when its arguments are plain. The last
/// ones are passed by the names in the tuple `names`, unless it is null. `type` is what the result
/// must be of (an int: of 64 bits), or null.
PyObject* splice_rt_call_plain(PyObject* callable, PyObject* const* args, std::int64_t n,
                               PyObject* names, PyObject* type) noexcept;
/// left `op` right by number of Py_LT ... Py_GE: 0 or 1, -1 when not both are plain.
std::int32_t splice_rt_compare_plain(PyObject* left, PyObject* right, std::int64_t op) noexcept;
/// item in container: 0 or 1, -1 when not both are plain.
std::int32_t splice_rt_contains_plain(PyObject* container, PyObject* item) noexcept;
/// item in set, of a set of plain values. Else as splice_rt_contains_plain.
std::int32_t splice_rt_in_set(PyObject* set, PyObject* item) noexcept;

/// sequence[start:stop:step] of an exact list, tuple, str, bytes or bytearray; `absent` has bit 0,
/// 1, 2 set where start, stop, step is None.
PyObject* splice_rt_get_slice(PyObject* sequence, std::int64_t start, std::int64_t stop,
                              std::int64_t step, std::int64_t absent) noexcept;
/// list[start:stop:step] = items, an exact list or tuple. 1 when it fails.
std::int32_t splice_rt_set_slice(PyObject* list, std::int64_t start, std::int64_t stop,
                                 std::int64_t step, std::int64_t absent, PyObject* items) noexcept;
/// del list[index] for 0 <= index < len(list). 1 when it fails.
std::int32_t splice_rt_delete_item(PyObject* list, std::int64_t index) noexcept;
/// list(sequence[start:start + n]) of an exact list or tuple that is at least that long.
PyObject* splice_rt_take_list(PyObject* sequence, std::int64_t start, std::int64_t n) noexcept;

/// left + right of two exact lists, tuples, strs or bytes.
PyObject* splice_rt_concat(PyObject* left, PyObject* right) noexcept;
/// list += items and list.extend(items) of an exact list or tuple. 1 when it fails.
std::int32_t splice_rt_list_extend(PyObject* list, PyObject* items) noexcept;
/// list *= count. 1 when it fails.
std::int32_t splice_rt_list_repeat_in_place(PyObject* list, std::int64_t count) noexcept;
std::int32_t splice_rt_list_insert(PyObject* list, std::int64_t index, PyObject* item) noexcept;
std::int32_t splice_rt_list_reverse(PyObject* list) noexcept;
/// list.sort() of ints only, floats only or strs only. 1 when it fails.
std::int32_t splice_rt_list_sort(PyObject* list, std::int64_t reverse) noexcept;
std::int32_t splice_rt_list_clear(PyObject* list) noexcept;
std::int32_t splice_rt_list_remove(PyObject* list, PyObject* item) noexcept;

/// str[index] for 0 <= index < len(str).
PyObject* splice_rt_str_item(PyObject* str, std::int64_t index) noexcept;

}  // extern "C"
