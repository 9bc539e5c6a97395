// opt/leaf_calls.h: calls of functions that call nothing do without a place on the recursion
// counter and without a poll.
#pragma once

#include "ir/module.h"

namespace splice::opt {

/// Around a native call the caller stores one less to the thread's recursion counter and then the
/// old value (docs/internals/abi.md). When the callee neither calls nor polls nobody reads what the
/// counter is meanwhile: both stores go, the test in front of them stays. Such a call ends soon, so
/// the poll in front of it goes too. True when something changed. `f` is a function of `m`,
/// verified.
bool leaf_calls(const ir::Module& m, ir::Function& f);

}  // namespace splice::opt
