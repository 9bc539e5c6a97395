// cpy/runtime_global.h: a module's variables, for generated code.
//
// GIL held; `globals` is an exact dict, `name` an interned str. Neither leaves an exception set.
#pragma once

#include <Python.h>

#include <cstdint>

extern "C" {

/// Borrowed; null when there is none.
PyObject* splice_rt_load_global(PyObject* globals, PyObject* name) noexcept;
/// Takes over the reference to `value` unless it fails (result 1). Tells the dict's watchers.
std::int32_t splice_rt_store_global(PyObject* globals, PyObject* name, PyObject* value) noexcept;

}  // extern "C"
