// opt/common_values.h: computes equal values once.
#pragma once

#include "ir/module.h"

namespace splice::opt {

/// An op without effect that equals one that dominates it (same op, type, operands, immediates) is
/// replaced by it. Covers computations, constants, symbols, addresses, calls of pure functions and
/// the reading py.* ops: types and the numbers of int, float, bool and complex objects never
/// change. Loads are not touched. True when something changed. `f` is a function of `m`, verified.
bool common_values(const ir::Module& m, ir::Function& f);

}  // namespace splice::opt
