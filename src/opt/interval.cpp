#include "opt/interval.h"

#include <algorithm>
#include <initializer_list>

namespace splice::opt {
namespace {

using ir::Op;
using ir::Type;

constexpr Interval kEither{0, 1};

Wide magnitude(Wide v) { return v < 0 ? -v : v; }

/// 2^k - 1 for the smallest k with v <= 2^k - 1; v >= 0.
Wide mask_over(Wide v) {
  Wide mask = 0;
  while (mask < v) mask = mask * 2 + 1;
  return mask;
}

Interval around(std::initializer_list<Wide> values) { return {std::min(values), std::max(values)}; }

/// Truncating division; 0 is no divisor.
Interval quotient(const Interval& a, const Interval& b) {
  Interval result;
  for (const Interval& part : {meet(b, {b.low, -1}), meet(b, {1, b.high})}) {
    if (part.empty()) continue;
    result =
        join(result,
             around({a.low / part.low, a.low / part.high, a.high / part.low, a.high / part.high}));
  }
  return result;
}

/// Sign of the dividend, and nearer to 0 than both operands.
Interval remainder(const Interval& a, const Interval& b) {
  const Wide most = std::max(magnitude(b.low), magnitude(b.high)) - 1;
  if (most < 0) return {};
  return {a.low < 0 ? std::max(a.low, -most) : 0, a.high > 0 ? std::min(a.high, most) : 0};
}

/// With the divisor's sign; 0 where that is 0.
Interval modulo(const Interval& a, const Interval& b) {
  if (a.low >= 0 && b.low > a.high) return a;
  Interval result{std::min<Wide>(b.low + 1, 0), std::max<Wide>(b.high - 1, 0)};
  if (a.low >= 0 && b.low >= 0) result.high = std::min(result.high, a.high);
  return result;
}

Interval bit_and(Type t, const Interval& a, const Interval& b) {
  if (a.single() && b.single()) return {a.low & b.low, a.low & b.low};
  if (a.low >= 0 && b.low >= 0) return {0, std::min(a.high, b.high)};
  if (a.low >= 0) return {0, a.high};
  if (b.low >= 0) return {0, b.high};
  return {full(t).low, std::max(a.high, b.high)};
}

Interval bit_or(Type t, const Interval& a, const Interval& b) {
  if (a.single() && b.single()) return {a.low | b.low, a.low | b.low};
  if (a.low < 0 || b.low < 0) return full(t);
  return {std::max(a.low, b.low), mask_over(std::max(a.high, b.high))};
}

Interval bit_xor(Type t, const Interval& a, const Interval& b) {
  if (a.single() && b.single()) return {a.low ^ b.low, a.low ^ b.low};
  if (a.low >= 0 && b.low >= 0) return {0, mask_over(std::max(a.high, b.high))};
  const bool differ = (a.high < 0 && b.low >= 0) || (a.low >= 0 && b.high < 0);
  return differ ? Interval{full(t).low, -1} : full(t);
}

/// Counts outside [0, width) are undefined.
Interval counts(Type t, const Interval& b) { return meet(b, {0, ir::bit_width(t) - 1}); }

Interval shift_left(Type t, const Interval& a, const Interval& b) {
  const Interval n = counts(t, b);
  if (n.empty()) return {};
  // 2^63 at most, times 64 bits: still inside Wide for signed types; for u64 only when a is small.
  if (a.high > full(Type::kI64).high) return full(t);
  const auto low = static_cast<int>(n.low);
  const auto high = static_cast<int>(n.high);
  const auto times = [](Wide v, int count) { return v * (Wide{1} << count); };
  const Interval all =
      around({times(a.low, low), times(a.low, high), times(a.high, low), times(a.high, high)});
  return full(t).contains(all) ? all : full(t);
}

Interval shift_right(Type t, const Interval& a, const Interval& b) {
  const Interval n = counts(t, b);
  if (n.empty()) return {};
  const auto low = static_cast<int>(n.low);
  const auto high = static_cast<int>(n.high);
  return around({a.low >> low, a.low >> high, a.high >> low, a.high >> high});
}

}  // namespace

Interval full(Type t) {
  const int bits = ir::bit_width(t);
  if (t == Type::kI1) return kEither;
  if (ir::is_unsigned_int(t)) return {0, (Wide{1} << bits) - 1};
  return {-(Wide{1} << (bits - 1)), (Wide{1} << (bits - 1)) - 1};
}

Interval join(const Interval& a, const Interval& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

Interval meet(const Interval& a, const Interval& b) {
  return {std::max(a.low, b.low), std::min(a.high, b.high)};
}

Interval exact(Op op, const Interval& a, const Interval& b) {
  switch (op) {
    case Op::kAdd:
    case Op::kAddOv:
      return {a.low + b.low, a.high + b.high};
    case Op::kSub:
    case Op::kSubOv:
      return {a.low - b.high, a.high - b.low};
    default:
      break;
  }
  // Products of two numbers of u64 may be beyond Wide.
  const Wide most = full(Type::kI64).high;
  if (a.high > most && b.high > most) return {0, full(Type::kU64).high * most};
  return around({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
}

Interval binary(Op op, Type t, const Interval& a, const Interval& b) {
  Interval result;
  switch (op) {
    case Op::kAdd:
    case Op::kSub:
    case Op::kMul:
    case Op::kAddOv:
    case Op::kSubOv:
    case Op::kMulOv:
      result = exact(op, a, b);
      break;
    case Op::kDiv:
      result = quotient(a, b);
      break;
    case Op::kRem:
      result = remainder(a, b);
      break;
    case Op::kMod:
      result = modulo(a, b);
      break;
    case Op::kAnd:
      result = bit_and(t, a, b);
      break;
    case Op::kOr:
      result = bit_or(t, a, b);
      break;
    case Op::kXor:
      result = bit_xor(t, a, b);
      break;
    case Op::kShl:
      return shift_left(t, a, b);
    case Op::kShr:
      return shift_right(t, a, b);
    default:
      return full(t);
  }
  return full(t).contains(result) ? result : full(t);
}

Interval convert(const Interval& a, Type to) {
  const Interval all = full(to);
  if (all.contains(a)) return a;
  // All negative numbers of a type of the same width: one step of 2^width up, or down.
  const Wide turn = Wide{1} << ir::bit_width(to);
  for (const Wide by : {turn, -turn}) {
    const Interval moved{a.low + by, a.high + by};
    if (all.contains(moved)) return moved;
  }
  return all;
}

Interval compare(Op op, const Interval& a, const Interval& b) {
  constexpr Interval kNo{0, 0};
  constexpr Interval kYes{1, 1};
  switch (op) {
    case Op::kEq:
      if (meet(a, b).empty()) return kNo;
      return a.single() && b.single() ? kYes : kEither;
    case Op::kNe:
      if (meet(a, b).empty()) return kYes;
      return a.single() && b.single() ? kNo : kEither;
    case Op::kLt:
      return a.high < b.low ? kYes : a.low >= b.high ? kNo : kEither;
    case Op::kLe:
      return a.high <= b.low ? kYes : a.low > b.high ? kNo : kEither;
    case Op::kGt:
      return compare(Op::kLt, b, a);
    default:  // kGe
      return compare(Op::kLe, b, a);
  }
}

}  // namespace splice::opt
