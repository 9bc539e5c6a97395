// opt/dead_code.h: removes what nothing needs.
#pragma once

#include "ir/module.h"

namespace splice::opt {

/// Removes unreachable blocks, ops without effect (and calls of pure runtime functions) whose
/// results are not needed, and block arguments that are not needed, also when they only need each
/// other around a loop. True when something changed. `f` is a function of `m`, verified.
bool dead_code(const ir::Module& m, ir::Function& f);

}  // namespace splice::opt
