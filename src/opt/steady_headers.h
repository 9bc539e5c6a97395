// opt/steady_headers.h: what an array is, is read once, polls or not.
#pragma once

#include "ir/module.h"

namespace splice::opt {

/// Loads from the headers of arrays (Op::kHeader) that an equal load dominates take its result
/// where no Python code can have run in between. Polls do not count: where one has served a
/// request, the headers are read again, and native code leaves by the poll's exit when one of them
/// has changed. So loops keep what they know of their arrays. Expects arrays to have one name each
/// (common_values). True when something changed. `f` must be verified.
bool steady_headers(const ir::Module& m, ir::Function& f);

}  // namespace splice::opt
