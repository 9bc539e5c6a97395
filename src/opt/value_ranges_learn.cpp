// What a condition that holds (or does not) tells about the values it looks at.
#include <algorithm>

#include "opt/value_ranges.h"

namespace splice::opt {
namespace {

using ir::Inst;
using ir::Op;
using ir::Type;
using ir::ValueId;

Op negated(Op op) {
  switch (op) {
    case Op::kEq:
      return Op::kNe;
    case Op::kNe:
      return Op::kEq;
    case Op::kLt:
      return Op::kGe;
    case Op::kLe:
      return Op::kGt;
    case Op::kGt:
      return Op::kLe;
    default:
      return Op::kLt;
  }
}

/// The biggest r with r * r <= v.
Wide square_root(Wide v) {
  Wide root = 0;
  for (Wide bit = Wide{1} << 32; bit > 0; bit >>= 1) {
    if ((root + bit) * (root + bit) <= v) root += bit;
  }
  return root;
}

/// `a` without `v`, when that is one of its ends.
Interval without(const Interval& a, Wide v) {
  return {a.low + (a.low == v ? 1 : 0), a.high - (a.high == v ? 1 : 0)};
}

}  // namespace

bool ValueRanges::refine(ValueId v, const Interval& to) {
  const Interval both = meet(now_[v], to);
  if (both.empty()) return false;
  if (both == now_[v]) return true;
  undo_.push_back({v, now_[v]});
  now_[v] = both;
  if (followed_[v]) {
    for (const Follower& f : followers_.at(v)) {
      if (!refine(f.value, {now_[f.value].low, both.high + f.ahead})) return false;
    }
  }
  // The same number under another type, as long as it is the same.
  const Inst* made = made_by_[v];
  if (made == nullptr || (made->op != Op::kConvert && made->op != Op::kBitcast)) return true;
  const ValueId source = made->args[0];
  if (!is_int(source)) return true;
  const bool widens = full(f_.values[v]).contains(full(f_.values[source]));
  const bool same_width = ir::bit_width(f_.values[v]) == ir::bit_width(f_.values[source]);
  if (widens || (same_width && both.low >= 0 && full(f_.values[source]).contains(both))) {
    return refine(source, both);
  }
  return true;
}

bool ValueRanges::learn(ValueId condition, bool truth) {
  const Wide wanted = truth ? 1 : 0;
  if (!refine(condition, {wanted, wanted})) return false;
  const Inst* made = made_by_[condition];
  if (made == nullptr) return true;
  switch (made->op) {
    case Op::kXor:
      return now_[made->args[1]] != Interval{1, 1} || learn(made->args[0], !truth);
    case Op::kAnd:
      return !truth || (learn(made->args[0], true) && learn(made->args[1], true));
    case Op::kOr:
      return truth || (learn(made->args[0], false) && learn(made->args[1], false));
    case Op::kAddOv:
    case Op::kSubOv:
    case Op::kMulOv:
      return truth || learn_no_overflow(*made);
    case Op::kEq:
    case Op::kNe:
    case Op::kLt:
    case Op::kLe:
    case Op::kGt:
    case Op::kGe:
      if (!is_int(made->args[0])) return true;
      return learn_relation(truth ? made->op : negated(made->op), made->args[0], made->args[1]);
    default:
      return true;
  }
}

bool ValueRanges::learn_relation(Op op, ValueId a, ValueId b) {
  const Interval x = now_[a];
  const Interval y = now_[b];
  switch (op) {
    case Op::kEq:
      return refine(a, y) && refine(b, x);
    case Op::kNe:
      if (y.single() && !refine(a, without(x, y.low))) return false;
      return !x.single() || refine(b, without(y, x.low));
    case Op::kGt:
      return learn_relation(Op::kLt, b, a);
    case Op::kGe:
      return learn_relation(Op::kLe, b, a);
    default:
      break;
  }
  const Wide gap = op == Op::kLt ? 1 : 0;
  if (!refine(a, {x.low, y.high - gap}) || !refine(b, {x.low + gap, y.high})) return false;
  // Signs differ: a remainder's and its divisor's, before it is mended.
  const Inst* made = made_by_[a];
  if (made == nullptr || made->op != Op::kXor || now_[a].high >= 0) return true;
  const Interval below{full(f_.values[a]).low, -1};
  for (const std::size_t i : {0, 1}) {
    if (now_[made->args[i]].low >= 0) return refine(made->args[1 - i], below);
  }
  return true;
}

// The result is the exact one, and the operands are such that it fits.
bool ValueRanges::learn_no_overflow(const Inst& inst) {
  const ValueId a = inst.args[0];
  const ValueId b = inst.args[1];
  const Interval all = full(f_.values[inst.results[0]]);
  const Interval fits = meet(exact_result(inst), all);
  if (fits.empty() || !refine(inst.results[0], fits)) return false;
  const Interval x = now_[a];
  const Interval y = now_[b];
  switch (inst.op) {
    case Op::kAddOv:
      return refine(a, {all.low - y.high, all.high - y.low}) &&
             refine(b, {all.low - x.high, all.high - x.low});
    case Op::kSubOv:
      return refine(a, {all.low + y.low, all.high + y.high}) &&
             refine(b, {x.low - all.high, x.high - all.low});
    default:
      break;
  }
  if (a == b) {
    const Wide root = square_root(all.high);
    return refine(a, {-root, root});
  }
  if (y.low >= 1 && !refine(a, {all.low / y.low, all.high / y.low})) return false;
  return x.low < 1 || refine(b, {all.low / x.low, all.high / x.low});
}

}  // namespace splice::opt
