// cpy/runtime_math.h: what the functions of the math module and round() are computed with.
//
// The functions generated code calls, splice_rt_math_*, are found through cpy/math_table.h. Their
// convention is that of cpy/runtime_number.h: arguments in order (double, or int64 where CPython
// wants an int), then `int64_t* fail` for those that can fail. They need the GIL.
#pragma once

#include <Python.h>

#include <cstdint>

#include "base/result.h"

namespace splice::cpy {

/// Once, GIL held: looks up the functions of the math module that have no native twin. They are
/// taken from the module's definition, so it does not matter what the program stored in `math`.
Status init_math();

/// float.__round__(value, ndigits) by the interpreter. *fail = 1 when it raises.
double round_by_cpython(double value, std::int64_t ndigits, std::int64_t* fail);

}  // namespace splice::cpy

extern "C" {

/// Calls `callable` with `n` (at most 8) floats and gives back its result, an exact float; *fail =
/// 1 for any other result or an exception, which is cleared. Only for builtins that have no side
/// effects, because after a failure the interpreter calls them again.
double splice_rt_call_float(PyObject* callable, const double* args, std::int64_t n,
                            std::int64_t* fail) noexcept;

}  // extern "C"
