// cpy/numpy_ufunc.h: NumPy's universal functions on scalars.
//
// A ufunc has inner loops in C, one for each combination of types, chosen for the processor when
// NumPy was loaded. Called for one element they give the bits that NumPy gives: its sine is not the
// C library's. GIL held for everything.
#pragma once

#include <Python.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "mem/element_type.h"

namespace splice::cpy {

/// A NumPy scalar of a type, or a Python int, float or complex, which adapts to the others.
struct UfuncOperand {
  std::optional<mem::ElementType> element;
  PyTypeObject* python = nullptr;
};

struct UfuncLoop {
  std::int64_t index = 0;  ///< in the ufunc's table
  std::vector<mem::ElementType> inputs;
  std::vector<mem::ElementType> outputs;
};

/// A ufunc of NumPy itself by its name, borrowed; null when there is none.
PyObject* numpy_ufunc(const char* name);
/// Whether it is one of those. Looks for NumPy at first.
bool is_numpy_ufunc(PyObject* callable);
/// The loop that NumPy takes for such operands (ufunc.resolve_dtypes); none where it raises, or
/// where a type is none that native code has.
std::optional<UfuncLoop> find_ufunc_loop(PyObject* ufunc, const std::vector<UfuncOperand>& inputs);

/// Bytes from one operand to the next where a loop is called.
inline constexpr std::int64_t kUfuncOperand = 16;

}  // namespace splice::cpy

extern "C" {

/// Calls the loop for one element of each operand, inputs and outputs, kUfuncOperand bytes apart.
/// The strides are those that NumPy gives for scalars, for they decide which instructions a loop
/// takes: 0, but `output_size` bytes for a single output. 0 when it raises, or when NumPy would
/// look at numpy.errstate to tell what to do.
std::int32_t splice_rt_call_ufunc(PyObject* ufunc, std::int64_t index, char* operands,
                                  std::int64_t output_size) noexcept;
/// The arithmetic of NumPy's complex scalars: '+', '-', '*', '/' of a and b at operands[0] to [3],
/// real and imaginary, or 'a', the absolute value of a. Result at operands[0] and [1]. `single`: of
/// complex64. The same answers.
std::int32_t splice_rt_complex_op(std::int32_t op, std::int32_t single, double* operands) noexcept;
}
