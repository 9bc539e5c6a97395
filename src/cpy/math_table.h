// cpy/math_table.h: the math module's functions with scalar arguments and a scalar result, and the
// runtime functions that compute the same bits. Read by pyfront.
#pragma once

#include <Python.h>

#include <array>
#include <cstdint>
#include <span>

namespace splice::cpy {

enum class MathType : std::uint8_t {
  kFloat,  ///< double. As an argument it also takes ints and bools: convert them (any int64 is
           ///< fine)
  kInt,    ///< int64. As an argument exact ints and bools only
  kBool,   ///< C bool, results only
};

/// One function with one count of arguments: `log` has two rows.
struct MathFunction {
  const char* name;    ///< in the math module
  const char* symbol;  ///< of the runtime function, e.g. "splice_rt_math_exp"
  void* address;
  std::array<MathType, 3> args;
  std::uint8_t arg_count;
  MathType result;
  bool can_fail;  ///< a last parameter `int64_t* fail`; see cpy/runtime_number.h
  /// The C library's own function of one float, where a finite result is no error. Else null.
  const char* direct_symbol = nullptr;
  void* direct = nullptr;
};

/// All rows, for the interpreter this is compiled for (3.13 has fma).
std::span<const MathFunction> math_functions();

/// Row for a call of `callable` with `arg_count` positional arguments, or null. Recognises the
/// math module's builtin functions themselves, under whatever name the program has them. floor,
/// ceil and trunc have float rows only: of an int they are the int. init_math() comes first.
const MathFunction* find_math_function(PyObject* callable, std::size_t arg_count);
const MathFunction* find_math_function(const char* name, std::size_t arg_count);

}  // namespace splice::cpy
