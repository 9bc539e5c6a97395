// opt/fold_ranges.h: simplifies what the ranges of the integers decide.
#pragma once

#include "ir/module.h"

namespace splice::opt {

/// With the ranges of value_ranges.h: computations that can only have one result become constants
/// (comparisons above all, whose guards and branches later passes remove), checked arithmetic that
/// cannot overflow becomes wrapping, and division of numbers that are not negative becomes unsigned
/// (of 32 bits where they fit), a mask or a shift. Loops that end after microseconds and stand
/// alone lose their poll. A function that only this module calls is simplified for the arguments
/// that it gets here. True when something changed. `m` is verified.
bool fold_ranges(ir::Module& m);

}  // namespace splice::opt
