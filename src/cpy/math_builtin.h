// cpy/math_builtin.h: the math module's functions that are called as they are, boxed: algorithms of
// CPython's own that are not worth a twin.
#pragma once

#include <Python.h>

#include <cstdint>

namespace splice::cpy {

enum class MathBuiltin : std::uint8_t { kGamma, kLgamma, kHypot, kFma, kCount };

constexpr const char* math_builtin_name(MathBuiltin which) {
  constexpr const char* kNames[] = {"gamma", "lgamma", "hypot", "fma"};
  return kNames[static_cast<int>(which)];
}

/// Borrowed; null before init_math() and where this version lacks it.
PyObject* math_builtin(MathBuiltin which);

/// Name of a builtin of the math module, whatever the program calls it; null for anything else.
const char* math_method_name(PyObject* callable);

}  // namespace splice::cpy
