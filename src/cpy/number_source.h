// cpy/number_source.h: C functions of the standard library that take no argument, give a number and
// run no Python code.
#pragma once

#include <Python.h>

#include <cstdint>

namespace splice::cpy {

enum class NumberSource : std::uint8_t {
  kNone,
  kSeconds,      ///< a clock of the module time: a float
  kNanoseconds,  ///< the same as an int
  kRandom,       ///< random() of a random.Random, a float; the next one is another
};

/// What `callable` is, whatever the program calls it.
NumberSource number_source(PyObject* callable);

}  // namespace splice::cpy
