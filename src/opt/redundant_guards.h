// opt/redundant_guards.h: removes tests whose outcome is known where they stand.
#pragma once

#include "ir/module.h"

namespace splice::opt {

/// A condition is known after a guard on it and behind a branch on it; so is its negation. Guards
/// on conditions known to be true (or constant true) go away, those known to be false become
/// `leave`, branches on known conditions become jumps, and what is behind them is removed or left
/// unreachable. Linear. True when something changed. `f` must be verified.
bool redundant_guards(ir::Function& f);

}  // namespace splice::opt
