// opt/fold_constants.h: computes at compile time what is known then.
#pragma once

#include "ir/module.h"

namespace splice::opt {

/// Replaces computations on constants by their result (exactly what ir/evaluate.h gives; never a
/// NaN, whose bits the machine chooses, and nothing that is undefined), simplifies integer
/// operations with a neutral operand, selects with equal arms, parts of complex numbers that were
/// just made, and turns branches and switches on constants into jumps. True when something changed.
/// `f` must be verified.
bool fold_constants(ir::Function& f);

}  // namespace splice::opt
