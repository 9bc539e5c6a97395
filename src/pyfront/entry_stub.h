// pyfront/entry_stub.h: the vectorcallfunc that stands in a function object for its native body.
#pragma once

#include "pyfront/function_lowering.h"

namespace splice::pyfront {

/// Adds the C function `name` to the unit: tests arity and exact types, unboxes, counts the call as
/// CPython does, calls `body`, boxes. Everything else goes to splice_rt_miss and splice_rt_unwind.
/// `kinds` are those that `body`'s parameters were made of. Call when all result kinds are known.
void add_entry_stub(Unit& unit, FunctionLowering& body, const std::vector<Kind>& kinds,
                    const std::string& name);

}  // namespace splice::pyfront
