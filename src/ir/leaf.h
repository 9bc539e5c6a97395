// ir/leaf.h: functions that stay within themselves.
#pragma once

#include "ir/module.h"

namespace splice::ir {

/// Nothing that `f` does can run Python code, calls another function of the module, polls or asks
/// for the context, except to leave. So it neither reads nor changes the recursion counter, no code
/// is freed while it runs, and only its exits need to know the thread.
bool is_leaf(const Module& m, const Function& f);

}  // namespace splice::ir
