// pyfront/flat_values.h: memoryview and array.array as generated code reads them.
#pragma once

#include "cpy/flat_buffer.h"
#include "ir/builder.h"

namespace splice::pyfront {

/// i1: the object, certainly a memoryview or an array.array, is one like `facts`.
ir::ValueId is_flat_like(ir::Builder& b, ir::ValueId object, const cpy::FlatFacts& facts);

}  // namespace splice::pyfront
