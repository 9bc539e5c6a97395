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
/// New reference to the view `v` (kView) of `base`, whose reference is given away; null with
/// MemoryError set.
ir::ValueId box_view(Unit& unit, ir::Builder& b, const AbsVal& v, ir::ValueId base);
/// The element at an address. Of complex64 not of a NaN, which would not keep its bits.
struct LoadedElement {
  ir::ValueId value = ir::kNone;
  ir::ValueId is_exact = ir::kNone;  ///< i1; kNone: it always is
};
LoadedElement load_element(ir::Builder& b, ir::ValueId address, mem::ElementType element,
                           std::int64_t offset = 0);
void store_element(ir::Builder& b, ir::ValueId address, ir::ValueId value, mem::ElementType element,
                   std::int64_t offset = 0);
/// What an object holds that certainly is a scalar of this type.
LoadedElement unbox_scalar(ir::Builder& b, ir::ValueId object, mem::ElementType element);
/// i1: the object, certainly an exact ndarray, is one like `facts`.
ir::ValueId is_array_like(ir::Builder& b, ir::ValueId array, const cpy::ArrayFacts& facts);

}  // namespace splice::pyfront
