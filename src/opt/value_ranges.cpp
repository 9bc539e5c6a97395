#include "opt/value_ranges.h"

#include <algorithm>
#include <utility>

namespace splice::opt {
namespace {

using ir::BlockId;
using ir::Function;
using ir::Inst;
using ir::kNone;
using ir::Op;
using ir::Type;
using ir::ValueId;

bool is_checked(Op op) { return op == Op::kAddOv || op == Op::kSubOv || op == Op::kMulOv; }
bool is_binary(Op op) { return op >= Op::kAdd && op <= Op::kShr && op != Op::kNeg; }
bool is_compare(Op op) { return op >= Op::kEq && op <= Op::kGe; }

}  // namespace

ValueRanges::ValueRanges(const Function& f, std::vector<Interval> params)
    : f_(f), params_(std::move(params)), dominators_(f) {
  prepare();
  solve();
}

void ValueRanges::prepare() {
  const std::size_t blocks = f_.blocks.size();
  std::vector<std::vector<BlockId>> children(blocks);
  for (const BlockId b : dominators_.order()) {
    if (b != 0) children[dominators_.idom(b)].push_back(b);
  }
  // Children in the order of the blocks: a block comes after all its predecessors but those whose
  // edges go back.
  std::vector<std::pair<BlockId, std::size_t>> stack;  // block, place in preorder_
  std::vector<std::size_t> next_child(blocks, 0);
  stack.emplace_back(0, 0);
  preorder_.push_back(0);
  subtree_end_.push_back(0);
  place_.assign(blocks, 0);
  while (!stack.empty()) {
    const auto [b, at] = stack.back();
    if (next_child[b] == children[b].size()) {
      subtree_end_[at] = preorder_.size();
      stack.pop_back();
      continue;
    }
    const BlockId child = children[b][next_child[b]++];
    place_[child] = preorder_.size();
    stack.emplace_back(child, preorder_.size());
    preorder_.push_back(child);
    subtree_end_.push_back(0);
  }

  head_.assign(blocks, false);
  made_by_.assign(f_.values.size(), nullptr);
  made_in_.assign(f_.values.size(), kNone);
  guarded_.assign(f_.values.size(), false);
  for (const BlockId b : preorder_) {
    for (const BlockId p : dominators_.predecessors(b)) {
      if (goes_back(p, b)) head_[b] = true;
    }
    for (const ValueId v : f_.blocks[b].args) made_in_[v] = b;
    for (const Inst& inst : f_.blocks[b].insts) {
      for (const ValueId v : inst.results) {
        made_by_[v] = &inst;
        made_in_[v] = b;
      }
      if (inst.op == Op::kGuard) note_guard(inst, b);
      if (inst.op == Op::kLt && inst.type == Type::kI64)
        less_[{inst.args[0], inst.args[1]}] = inst.results[0];
    }
  }
  now_.resize(f_.values.size());
  for (ValueId v = 0; v < f_.values.size(); ++v) {
    if (is_int(v)) now_[v] = full(f_.values[v]);
  }
  forward_.resize(f_.values.size());
  back_.resize(f_.values.size());
  back_next_.resize(f_.values.size());
  head_now_.resize(f_.values.size());
  limit_.resize(f_.values.size());
  followed_.assign(f_.values.size(), false);
  reached_.assign(blocks, false);
  back_reached_.assign(blocks, false);
}

// guard (xor flag, true) in the block of the checked operation.
void ValueRanges::note_guard(const Inst& guard, BlockId b) {
  const Inst* negation = made_by_[guard.args[0]];
  if (negation == nullptr || negation->op != Op::kXor) return;
  const Inst* truth = made_by_[negation->args[1]];
  const Inst* checked = made_by_[negation->args[0]];
  if (truth == nullptr || truth->op != Op::kConst || truth->imm != 1) return;
  if (checked == nullptr || !is_checked(checked->op) || made_in_[negation->args[0]] != b) return;
  if (negation->args[0] == checked->results[1]) guarded_[checked->results[0]] = true;
}

// Widening bounds the number of walks: each bound of an argument jumps to 0 or to the end of its
// type. A function that needs many walks all the same gives up on its loop heads.
void ValueRanges::solve() {
  constexpr int kMostWalks = 8;
  mode_ = Mode::kFirst;
  walk_once(nullptr);
  for (int walks = 1; unstable_; ++walks) {
    mode_ = walks < kMostWalks ? Mode::kWiden : Mode::kGiveUp;
    walk_once(nullptr);
  }
  mode_ = Mode::kNarrow;
  if (std::find(head_.begin(), head_.end(), true) == head_.end()) return;
  walk_once(nullptr);
  walk_once(nullptr);
  bound_loops();
}

void ValueRanges::walk(Visitor& visitor) {
  mode_ = Mode::kNarrow;
  walk_once(&visitor);
}

void ValueRanges::walk_once(Visitor* visitor) {
  std::fill(forward_.begin(), forward_.end(), Interval{});
  std::fill(back_next_.begin(), back_next_.end(), Interval{});
  std::fill(reached_.begin(), reached_.end(), false);
  reached_[0] = true;
  unstable_ = false;
  struct Open {
    std::size_t end;
    std::size_t undo;
  };
  std::vector<Open> open;
  for (std::size_t i = 0; i < preorder_.size();) {
    while (!open.empty() && open.back().end <= i) {
      forget(open.back().undo);
      open.pop_back();
    }
    const BlockId b = preorder_[i];
    if (!reached_[b] && !back_reached_[b]) {
      i = subtree_end_[i];
      continue;
    }
    open.push_back({subtree_end_[i], undo_.size()});
    enter(b);
    // What a dead end dominates cannot be reached either.
    i = block(b, visitor) ? i + 1 : subtree_end_[i];
  }
  forget(0);
  for (BlockId b = 0; b < f_.blocks.size(); ++b) {
    if (!head_[b]) continue;
    for (const ValueId v : f_.blocks[b].args) {
      if (is_int(v) && !head_now_[v].contains(back_next_[v])) unstable_ = true;
    }
  }
  std::swap(back_, back_next_);
}

// The arguments of a block, and what the branch to it tells.
void ValueRanges::enter(BlockId b) {
  const std::vector<ValueId>& args = f_.blocks[b].args;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const ValueId v = args[i];
    if (!is_int(v)) continue;
    const Interval all = full(f_.values[v]);
    Interval in = forward_[v];
    if (b == 0) in = join(in, i < params_.size() ? meet(params_[i], all) : all);
    if (head_[b]) {
      in = join(in, back_[v]);
      Interval& before = head_now_[v];
      if (mode_ == Mode::kNarrow) {
        const Interval both = meet(in, before);
        in = both.empty() ? before : both;
      } else if (mode_ == Mode::kGiveUp) {
        in = all;
      } else if (mode_ != Mode::kFirst && !before.empty()) {
        if (in.low < before.low) in.low = in.low >= 0 ? 0 : all.low;
        if (in.high > before.high) in.high = all.high;
        in = join(in, before);
      }
      if (const Interval bound = meet(in, limit_[v]); !bound.empty()) in = bound;
      before = in;
    }
    now_[v] = in;
  }
  const auto& predecessors = dominators_.predecessors(b);
  if (b == 0 || predecessors.size() != 1) return;
  const Inst& branch = f_.blocks[predecessors[0]].insts.back();
  if (branch.op == Op::kCondBr) learn(branch.args[0], branch.targets[0].block == b);
  if (branch.op == Op::kSwitch) {
    for (std::size_t i = 0; i < branch.cases.size(); ++i) {
      if (branch.targets[i].block == b) refine(branch.args[0], {branch.cases[i], branch.cases[i]});
    }
  }
}

// False when the end of the block is not reached.
bool ValueRanges::block(BlockId b, Visitor* visitor) {
  const std::vector<Inst>& insts = f_.blocks[b].insts;
  for (std::size_t i = 0; i < insts.size(); ++i) {
    const Inst& inst = insts[i];
    transfer(inst);
    if (visitor != nullptr) visitor->visit(b, i);
    if (inst.op == Op::kGuard && !learn(inst.args[0], true)) return false;
  }
  edges(b, insts.back());
  return true;
}

void ValueRanges::edges(BlockId from, const Inst& terminator) {
  const std::size_t undo = undo_.size();
  for (std::size_t i = 0; i < terminator.targets.size(); ++i) {
    bool possible = true;
    if (terminator.op == Op::kCondBr) possible = learn(terminator.args[0], i == 0);
    if (terminator.op == Op::kSwitch && i < terminator.cases.size()) {
      const Wide chosen = terminator.cases[i];
      possible = refine(terminator.args[0], {chosen, chosen});
    }
    if (possible) edge(from, terminator.targets[i]);
    forget(undo);
  }
}

void ValueRanges::edge(BlockId from, const ir::Target& target) {
  const BlockId to = target.block;
  const bool back = goes_back(from, to);
  if (back) {
    if (!back_reached_[to] && !reached_[to]) unstable_ = true;
    back_reached_[to] = true;
  } else {
    reached_[to] = true;
  }
  std::vector<Interval>& into = back ? back_next_ : forward_;
  for (std::size_t i = 0; i < target.args.size(); ++i) {
    const ValueId v = f_.blocks[to].args[i];
    if (is_int(v)) into[v] = join(into[v], now_[target.args[i]]);
  }
}

void ValueRanges::forget(std::size_t size) {
  while (undo_.size() > size) {
    now_[undo_.back().value] = undo_.back().before;
    undo_.pop_back();
  }
}

Interval ValueRanges::result(const Inst& inst) {
  const Type t = inst.results.empty() ? Type::kVoid : f_.values[inst.results[0]];
  const auto arg = [&](std::size_t i) -> const Interval& { return now_[inst.args[i]]; };
  if (inst.op == Op::kConst) return convert({inst.imm, inst.imm}, t);
  if (inst.op == Op::kNeg) return binary(Op::kSub, t, {0, 0}, arg(0));
  if (is_checked(inst.op) || inst.op == Op::kAdd || inst.op == Op::kSub || inst.op == Op::kMul) {
    const Interval all = exact_result(inst);
    return full(t).contains(all) ? all : full(t);
  }
  if (is_binary(inst.op)) return binary(inst.op, t, arg(0), arg(1));
  if (is_compare(inst.op)) {
    if (!is_int(inst.args[0])) return full(t);
    return inst.op == Op::kLt && is_below(inst.args[0], inst.args[1])
               ? Interval{1, 1}
               : compare(inst.op, arg(0), arg(1));
  }
  if (inst.op == Op::kSelect) {
    Interval all;
    const std::size_t undo = undo_.size();
    for (const bool truth : {true, false}) {
      if (learn(inst.args[0], truth)) all = join(all, arg(truth ? 1 : 2));
      forget(undo);
    }
    return all;
  }
  const bool renamed = inst.op == Op::kConvert || inst.op == Op::kBitcast;
  return renamed && is_int(inst.args[0]) ? convert(arg(0), t) : full(t);
}

/// An index is within a length, as unsigned numbers: `i % n < n`, and `i < n` was tested before as
/// signed ones.
bool ValueRanges::is_below(ValueId a, ValueId b) const {
  const auto renamed = [&](ValueId v) {
    const Inst* made = made_by_[v];
    const bool same = made != nullptr && made->op == Op::kBitcast && f_.values[v] == Type::kU64 &&
                      f_.values[made->args[0]] == Type::kI64;
    return same ? made->args[0] : kNone;
  };
  ValueId x = renamed(a);
  const ValueId y = renamed(b);
  if (x == kNone || y == kNone) return false;
  // What an index is once a negative one would have been counted from the end.
  if (const Inst* made = made_by_[x]; made != nullptr && made->op == Op::kSelect) {
    const Interval& chosen = now_[made->args[0]];
    if (chosen.single()) x = made->args[chosen.low == 1 ? 1 : 2];
  }
  const Inst* made = made_by_[x];
  if (made != nullptr && made->op == Op::kMod && made->args[1] == y && now_[y].low >= 1)
    return true;
  const auto tested = less_.find({x, y});
  return tested != less_.end() && now_[x].low >= 0 && now_[tested->second] == Interval{1, 1};
}

void ValueRanges::transfer(const Inst& inst) {
  if (inst.results.empty()) return;
  const ValueId first = inst.results[0];
  if (is_int(first)) {
    const Interval range = result(inst);
    // Nothing is possible only where the op is undefined; then anything goes.
    now_[first] = range.empty() ? full(f_.values[first]) : range;
  }
  for (std::size_t i = 1; i < inst.results.size(); ++i) {
    if (is_int(inst.results[i])) now_[inst.results[i]] = full(f_.values[inst.results[i]]);
  }
  if (!is_checked(inst.op)) return;
  const Interval wanted = exact_result(inst);
  const Interval all = full(f_.values[first]);
  if (all.contains(wanted)) now_[inst.results[1]] = {0, 0};
  if (meet(all, wanted).empty()) now_[inst.results[1]] = {1, 1};
}

// An operand that is a select counts with what its condition tells about the other one: this is how
// a remainder is mended, r + (r < 0 ? divisor : 0).
Interval ValueRanges::exact_result(const Inst& inst) {
  for (const std::size_t i : {1, 0}) {
    const Inst* select = made_by_[inst.args[i]];
    if (select == nullptr || select->op != Op::kSelect) continue;
    Interval all;
    const std::size_t undo = undo_.size();
    for (const bool truth : {true, false}) {
      if (learn(select->args[0], truth)) {
        const Interval& chosen = now_[select->args[truth ? 1 : 2]];
        const Interval& other = now_[inst.args[1 - i]];
        all = join(all, i == 1 ? exact(inst.op, other, chosen) : exact(inst.op, chosen, other));
      }
      forget(undo);
    }
    if (!all.empty()) return all;
  }
  return exact(inst.op, now_[inst.args[0]], now_[inst.args[1]]);
}

}  // namespace splice::opt
