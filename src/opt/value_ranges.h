// opt/value_ranges.h: what the integers of a function can be, at each place.
//
// Forward intervals over SSA with block arguments. A walk over the dominator tree computes the
// results of each block from what is known there: conditions of the branches that lead to it and of
// the guards that passed narrow the values they look at. Loops are iterated: what grows at a loop
// head is widened to the bounds of its type at once, and what is too wide then shrinks in two more
// walks. Time: a small number of walks over the function.
#pragma once

#include <cstddef>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/dominators.h"
#include "ir/module.h"
#include "opt/interval.h"

namespace splice::opt {

class ValueRanges {
 public:
  /// `params` gives the ranges of the integer parameters; others are ignored. `f` is verified and
  /// must not change while this lives.
  ValueRanges(const ir::Function& f, std::vector<Interval> params);

  /// A loop that goes back to its head at most `times` times whenever it is entered.
  struct ShortLoop {
    ir::BlockId head = ir::kNone;
    std::vector<ir::BlockId> blocks;
    Wide times = 0;
    std::vector<ir::BlockId> inner;  ///< heads of the loops inside
  };
  const std::vector<ShortLoop>& short_loops() const { return short_loops_; }

  /// Called for each instruction of each block that can be reached, with at() telling what holds
  /// in front of it. The result of at() for a result of the instruction itself is what it gives.
  class Visitor {
   public:
    virtual ~Visitor() = default;
    virtual void visit(ir::BlockId block, std::size_t instruction) = 0;
  };
  void walk(Visitor& visitor);

  /// Where walk() is. Integers (i1 too) only.
  const Interval& at(ir::ValueId v) const { return now_[v]; }
  /// What the exact result of kAddOv, kSubOv, kMulOv lies between, where walk() is.
  Interval exact_result(const ir::Inst& inst);

 private:
  struct Undo {
    ir::ValueId value;
    Interval before;
  };

  void prepare();
  void note_guard(const ir::Inst& guard, ir::BlockId b);
  void solve();
  /// One walk. `visitor` may be null.
  void walk_once(Visitor* visitor);
  void enter(ir::BlockId b);
  bool block(ir::BlockId b, Visitor* visitor);
  void edges(ir::BlockId from, const ir::Inst& terminator);
  void edge(ir::BlockId from, const ir::Target& target);
  void transfer(const ir::Inst& inst);
  Interval result(const ir::Inst& inst);
  bool is_below(ir::ValueId a, ir::ValueId b) const;

  // value_ranges_loops.cpp
  void bound_loops();
  void bound_loop(ir::BlockId head);
  std::vector<ir::BlockId> body_of(ir::BlockId head) const;
  Wide times_round(ir::BlockId head, std::size_t arg);
  Wide times_by_shrinking(ir::ValueId arg, ir::ValueId next) const;
  Interval change_per_round(ir::BlockId head, std::size_t arg);
  Interval change(ir::ValueId from, ir::ValueId to, int depth);
  bool may_wrap(const ir::Inst& inst) const;
  std::vector<const ir::Target*> targets_of(ir::BlockId to, bool back) const;

  // Learning: false when what is learnt contradicts what is known, so that the place is dead.
  bool learn(ir::ValueId condition, bool truth);
  bool learn_relation(ir::Op op, ir::ValueId a, ir::ValueId b);
  bool learn_no_overflow(const ir::Inst& inst);
  bool refine(ir::ValueId v, const Interval& to);
  void forget(std::size_t size);

  bool is_int(ir::ValueId v) const { return ir::is_int(f_.values[v]); }
  /// Blocks come in preorder, so an edge from a later place (or the same) closes a loop.
  bool goes_back(ir::BlockId from, ir::BlockId to) const { return place_[from] >= place_[to]; }

  const ir::Function& f_;
  const std::vector<Interval> params_;
  const ir::Dominators dominators_;
  std::vector<ir::BlockId> preorder_;     ///< of the dominator tree
  std::vector<std::size_t> place_;        ///< per block, in preorder_
  std::vector<std::size_t> subtree_end_;  ///< per place in preorder_
  std::vector<const ir::Inst*> made_by_;  ///< per value; null for block arguments
  std::vector<ir::BlockId> made_in_;      ///< per value: its block
  std::vector<bool> guarded_;  ///< per value: its block goes on only when it did not overflow
  std::vector<bool> head_;     ///< per block: has an edge that goes back to it

  std::map<std::pair<ir::ValueId, ir::ValueId>, ir::ValueId> less_;  ///< i64 a < b

  std::vector<Interval> now_;  ///< per value, where the walk is
  std::vector<Undo> undo_;
  std::vector<Interval> forward_;  ///< per block argument: what the edges of this walk brought
  std::vector<Interval> back_;     ///< the same for edges back to loop heads, from the last walk
  std::vector<Interval> back_next_;
  std::vector<Interval> head_now_;  ///< per argument of a loop head: what this walk started with
  std::vector<bool> reached_;       ///< per block, in this walk
  std::vector<bool> back_reached_;  ///< per block: an edge back reached it in any walk
  std::vector<Interval> limit_;     ///< per argument of a loop head: what the loop's length allows
  /// Loop counters by value: other arguments that are at most `ahead` more than the counter.
  struct Follower {
    ir::ValueId value;
    Wide ahead;
  };
  std::unordered_map<ir::ValueId, std::vector<Follower>> followers_;
  std::vector<bool> followed_;  ///< per value: is the counter of a follower
  std::vector<ShortLoop> short_loops_;
  int fuel_ = 0;  ///< steps that change() may still take
  enum class Mode { kFirst, kWiden, kGiveUp, kNarrow };
  Mode mode_ = Mode::kFirst;
  bool unstable_ = false;
};

}  // namespace splice::opt
