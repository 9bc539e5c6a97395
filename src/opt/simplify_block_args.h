// opt/simplify_block_args.h: removes block arguments that carry nothing new.
#pragma once

#include "ir/module.h"

namespace splice::opt {

/// An argument that is the same value (or the same constant) on every edge, perhaps through other
/// arguments and around loops, is replaced by that value. An argument that only feeds arguments
/// that nothing reads is removed. Linear in uses. True when something changed. `f` must be
/// verified.
bool simplify_block_args(ir::Function& f);

}  // namespace splice::opt
