// opt/interval.h: sets of integers between two bounds, and what arithmetic does to them.
#pragma once

#include "ir/op.h"
#include "ir/type.h"

namespace splice::opt {

/// Wide enough for sums and products of two 64-bit numbers of which one is signed.
__extension__ using Wide = __int128;

/// The numbers from `low` to `high`, as the integer type at hand means them; empty when low > high.
struct Interval {
  Wide low = 1;
  Wide high = 0;

  bool empty() const { return low > high; }
  bool single() const { return low == high; }
  bool contains(const Interval& other) const {
    return other.empty() || (low <= other.low && other.high <= high);
  }
  friend bool operator==(const Interval&, const Interval&) = default;
};

/// All values of an integer type.
Interval full(ir::Type t);
Interval join(const Interval& a, const Interval& b);
Interval meet(const Interval& a, const Interval& b);

/// What the exact results of kAdd, kSub and kMul (and their .ov forms) lie between, before anything
/// wraps. The operands are not empty.
Interval exact(ir::Op op, const Interval& a, const Interval& b);

/// Results of an integer operation of type `t` with two operands (kAdd ... kShr but kNeg), wrapped
/// as the op does. Operands for which the op is undefined are left out of account.
Interval binary(ir::Op op, ir::Type t, const Interval& a, const Interval& b);

/// `a` read as a value of `to`: conversion and bitcast between integer types keep the low bits.
Interval convert(const Interval& a, ir::Type to);

/// Results of a comparison: [0, 0], [1, 1] or [0, 1].
Interval compare(ir::Op op, const Interval& a, const Interval& b);

}  // namespace splice::opt
