// cpy/runtime_function.h: function objects and the cells of their variables, for generated code.
//
// All need the GIL, run no Python code and leave no exception set: null means that nothing has been
// done.
#pragma once

#include <Python.h>

extern "C" {

/// New cell that holds `content`, or nothing when it is null.
PyObject* splice_rt_make_cell(PyObject* content) noexcept;
/// New function of a code object as the interpreter's MAKE_FUNCTION makes it: without closure,
/// defaults and annotations.
PyObject* splice_rt_make_function(PyObject* code, PyObject* globals) noexcept;

}  // extern "C"
