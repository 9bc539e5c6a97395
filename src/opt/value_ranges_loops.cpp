// What the length of a loop tells: about its own arguments, and that it is short.
//
// A loop goes back as often as one of its arguments, which moves one way by at least so much each
// time, can move inside its range. Other arguments that change by a bounded amount each time are
// bounded by that. And one that never moves further than the counter stays as far ahead of it as it
// was, so that it has room for one more step wherever the counter has.
#include <algorithm>
#include <utility>

#include "opt/value_ranges.h"

namespace splice::opt {
namespace {

using ir::BlockId;
using ir::Inst;
using ir::Op;
using ir::Target;
using ir::Type;
using ir::ValueId;

constexpr Wide kUnknown = -1;
constexpr int kMostDepth = 6;
constexpr int kMostSteps = 200;     // paths through many-way joins multiply
constexpr Wide kMostShrinks = 128;  // each takes away a bit in use or one that is set

bool is_sum(Op op) { return op == Op::kAdd || op == Op::kAddOv; }
bool is_difference(Op op) { return op == Op::kSub || op == Op::kSubOv; }

}  // namespace

void ValueRanges::bound_loops() {
  for (const BlockId b : preorder_) {
    if (head_[b] && back_reached_[b]) bound_loop(b);
  }
  bool any = !followers_.empty();
  for (const Interval& limit : limit_) any = any || !limit.empty();
  if (any) walk_once(nullptr);
}

void ValueRanges::bound_loop(BlockId head) {
  const std::vector<ValueId>& args = f_.blocks[head].args;
  Wide times = kUnknown;
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (!is_int(args[i]) || forward_[args[i]].empty()) continue;
    const Wide here = times_round(head, i);
    if (here != kUnknown && (times == kUnknown || here < times)) times = here;
  }
  if (times == kUnknown) return;
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (!is_int(args[i]) || forward_[args[i]].empty()) continue;
    const Interval step = change_per_round(head, i);
    if (step.empty()) continue;
    const Interval& start = forward_[args[i]];
    const Interval all = full(f_.values[args[i]]);
    const Wide most = all.high / std::max<Wide>(times, 1);
    if (step.low < -most || step.high > most) continue;
    limit_[args[i]] = {start.low + times * std::min<Wide>(step.low, 0),
                       start.high + times * std::max<Wide>(step.high, 0)};
    // Followers of a counter that always moves up by the same amount.
    if (step.low != step.high || step.low < 1) continue;
    for (std::size_t k = 0; k < args.size(); ++k) {
      if (k == i || !is_int(args[k]) || forward_[args[k]].empty()) continue;
      const Interval other = change_per_round(head, k);
      if (other.empty() || other.high > step.low) continue;
      followers_[args[i]].push_back({args[k], forward_[args[k]].high - start.low});
      followed_[args[i]] = true;
    }
  }
  ShortLoop loop{head, body_of(head), times, {}};
  for (const BlockId b : loop.blocks)
    if (b != head && head_[b]) loop.inner.push_back(b);
  short_loops_.push_back(std::move(loop));
}

/// The natural loop of a head; the head alone when it is none.
std::vector<BlockId> ValueRanges::body_of(BlockId head) const {
  std::vector<BlockId> blocks{head};
  std::vector<bool> seen(f_.blocks.size(), false);
  seen[head] = true;
  for (const BlockId p : dominators_.predecessors(head)) {
    if (!goes_back(p, head) || seen[p]) continue;
    if (!dominators_.dominates(head, p)) return {head};
    seen[p] = true;
    blocks.push_back(p);
  }
  for (std::size_t i = 1; i < blocks.size(); ++i) {
    for (const BlockId p : dominators_.predecessors(blocks[i])) {
      if (seen[p]) continue;
      seen[p] = true;
      blocks.push_back(p);
    }
  }
  return blocks;
}

std::vector<const Target*> ValueRanges::targets_of(BlockId to, bool back) const {
  std::vector<const Target*> targets;
  for (const BlockId p : dominators_.predecessors(to)) {
    if (goes_back(p, to) != back) continue;
    for (const Target& t : f_.blocks[p].insts.back().targets) {
      if (t.block == to) targets.push_back(&t);
    }
  }
  return targets;
}

/// At most how often the loop goes back, judged by one argument of its head.
Wide ValueRanges::times_round(BlockId head, std::size_t arg) {
  const ValueId v = f_.blocks[head].args[arg];
  const Interval& back = back_[v];
  const Interval& start = forward_[v];
  if (back.empty()) return kUnknown;
  const Interval step = change_per_round(head, arg);
  if (!step.empty() && step.low >= 1) return std::max<Wide>((back.high - start.low) / step.low, 0);
  if (!step.empty() && step.high <= -1) {
    return std::max<Wide>((start.high - back.low) / -step.high, 0);
  }
  Wide most = 0;
  for (const Target* t : targets_of(head, true)) {
    const Wide times = times_by_shrinking(v, t->args[arg]);
    if (times == kUnknown) return kUnknown;
    most = std::max(most, times);
  }
  return most;
}

/// A number above 0 that loses at least one bit each time; 0 does not go back.
Wide ValueRanges::times_by_shrinking(ValueId arg, ValueId next) const {
  if (back_[arg].low < 1 || f_.values[arg] != Type::kI64) return kUnknown;
  const Inst* made = made_by_[next];
  // The mending of a floor division that needs none.
  while (made != nullptr && (is_sum(made->op) || is_difference(made->op)) &&
         now_[made->args[1]] == Interval{0, 0}) {
    made = made_by_[made->args[0]];
  }
  if (made == nullptr || made->args.empty() || made->args[0] != arg) return kUnknown;
  if (made->op == Op::kShr && now_[made->args[1]].low >= 1) return kMostShrinks;
  if (made->op == Op::kDiv && now_[made->args[1]].low >= 2) return kMostShrinks;
  if (made->op != Op::kAnd) return kUnknown;
  const Inst* less = made_by_[made->args[1]];
  if (less == nullptr || !is_difference(less->op) || less->args[0] != arg) return kUnknown;
  return now_[less->args[1]] == Interval{1, 1} ? kMostShrinks : kUnknown;
}

/// By how much an argument of a head is changed before the loop goes back; empty when not known.
Interval ValueRanges::change_per_round(BlockId head, std::size_t arg) {
  Interval all;
  fuel_ = kMostSteps;
  for (const Target* t : targets_of(head, true)) {
    const Interval one = change(f_.blocks[head].args[arg], t->args[arg], kMostDepth);
    if (one.empty()) return {};
    all = join(all, one);
  }
  return all;
}

/// A plain sum that may wrap around has the full range; one whose overflow leaves does not go on.
bool ValueRanges::may_wrap(const Inst& inst) const {
  const ValueId sum = inst.results[0];
  if (inst.results.size() == 1) return now_[sum] == full(f_.values[sum]);
  return now_[inst.results[1]] != Interval{0, 0} && !guarded_[sum];
}

Interval ValueRanges::change(ValueId from, ValueId to, int depth) {
  if (from == to) return {0, 0};
  if (depth == 0 || fuel_ == 0) return {};
  --fuel_;
  if (const Inst* made = made_by_[to]; made != nullptr) {
    if (!(is_sum(made->op) || is_difference(made->op)) || may_wrap(*made)) return {};
    for (const std::size_t i : {0, 1}) {
      if (i == 1 && is_difference(made->op)) break;
      const Interval before = change(from, made->args[i], depth - 1);
      if (before.empty()) continue;
      return exact(is_sum(made->op) ? Op::kAdd : Op::kSub, before, now_[made->args[1 - i]]);
    }
    return {};
  }
  // An argument of a block inside the loop.
  const BlockId block = made_in_[to];
  if (block == ir::kNone || block == 0 || head_[block]) return {};
  Interval all;
  const std::vector<ValueId>& args = f_.blocks[block].args;
  const auto at = static_cast<std::size_t>(std::find(args.begin(), args.end(), to) - args.begin());
  for (const Target* t : targets_of(block, false)) {
    const Interval one = change(from, t->args[at], depth - 1);
    if (one.empty()) return {};
    all = join(all, one);
  }
  return all;
}

}  // namespace splice::opt
