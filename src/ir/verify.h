// ir/verify.h: is this module well formed?
//
// Checked: every id is in range; each value is defined once and dominates its uses; each block ends
// in its only terminator; types of operands, results, block arguments, returns and calls; exits and
// their recipes; names; what c_abi functions must not do. Rules that op.h leaves open:
//  - i1 knows and, or, xor, eq, ne, select, convert; the other arithmetic is for wider integers.
//  - ptr is ordered by address; obj and obj.own know eq and ne only.
//  - Where an operand is an address, any pointer type will do; where it is an obj, an obj.own will
//  do
//    (it is borrowed). Block arguments, returned and live values have exactly their type.
//  - No edge goes to block 0.
//  - A restart exit has no live values and no frames; a frames exit has at least one frame.
//  - c_abi functions have no exits, guards, polls, leaves and no ctx op; nobody calls them with
//  kCall.
// Whether owned references are given away exactly once is not checked.
#pragma once

#include "base/result.h"
#include "ir/module.h"

namespace splice::ir {

/// Ok, or kInvalidArgument with "function 'f', block 2, instruction 3 (add): what is wrong" for
/// the first problem. Any data may be given; it never crashes and needs near linear time.
Status verify(const Module& module);

}  // namespace splice::ir
