// opt/merge_back_edges.h: gives each loop one edge back to its head.
#pragma once

#include "ir/module.h"

namespace splice::opt {

/// Python's compiler ends each path through a loop with a jump of its own. LLVM takes several edges
/// back to one head for nested loops, and a poll on each path keeps short branches from becoming
/// selects. Here they all go through one new block. Its poll stands for those of the paths when
/// their exits differ in nothing but the jump at which the interpreter goes on; it takes the one
/// that stands first in the program, since all of them jump to the same place next. True when
/// something changed. `f` must be verified.
bool merge_back_edges(ir::Function& f);

}  // namespace splice::opt
