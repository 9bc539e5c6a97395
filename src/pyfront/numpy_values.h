// pyfront/numpy_values.h: NumPy's scalars and arrays as generated code reads and makes them.
#pragma once

#include "cpy/numpy.h"
#include "ir/builder.h"
#include "pyfront/abstract.h"
#include "pyfront/unit.h"

namespace splice::pyfront {

/// numpy.True_ or numpy.False_, borrowed.
ir::ValueId numpy_bool(Unit& unit, ir::Builder& b, ir::ValueId value);
/// New reference to the scalar that `v` (kScalar) is; null with MemoryError set.
ir::ValueId box_scalar(Unit& unit, ir::Builder& b, const AbsVal& v);
/// What an object holds that certainly is a scalar of this type.
ir::ValueId unbox_scalar(ir::Builder& b, ir::ValueId object, mem::ElementType element);
/// i1: the object, certainly an exact ndarray, is one like `facts`.
ir::ValueId is_array_like(ir::Builder& b, ir::ValueId array, const cpy::ArrayFacts& facts);

}  // namespace splice::pyfront
