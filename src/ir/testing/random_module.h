// ir/testing/random_module.h: random modules for tests of everything that reads or changes IR.
//
// The same seed and options give the same module (for one compiler: the order in which it evaluates
// arguments counts). Modules are well formed by construction, end after a bounded number of steps
// and never do anything undefined, whatever the arguments. No NaN's sign or payload can reach a
// result other than as a NaN.
#pragma once

#include <cstdint>

#include "ir/module.h"
#include "ir/testing/random_values.h"

namespace splice::ir::testing {

struct RandomOptions {
  int functions = 3;
  int statements = 12;  ///< per function, about; nested ones count
  int depth = 3;        ///< nesting of loops, branches and switches
  bool floats = true;
  bool complex = true;
  bool narrow_ints = true;
  bool memory = true;   ///< stack slots
  bool runtime = true;  ///< calls of the functions of testing/test_host.h
  bool exits = true;    ///< guards, polls, leaves
};

/// The last function is the exported C function `run(ptr in, ptr out)`: it reads the arguments of
/// the one before it from 16-byte cells at `in`, calls it, and stores the status to cell 0 and,
/// when that is not negative, its results to cells 1, 2, ... of `out`. The module also declares the
/// runtime symbols that codegen asks for: splice_unit, splice_rt_exit, splice_rt_poll,
/// splice_rt_enter. Functions only call functions of lower index.
Module random_module(std::uint64_t seed, const RandomOptions& options = {});

}  // namespace splice::ir::testing
