// ir/dominators.h: order and dominator tree of a function's blocks.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/module.h"

namespace splice::ir {

/// Valid until a block or an edge changes. Targets outside the function are ignored, so that it can
/// be made for functions that are not verified. A function without blocks has an empty order.
class Dominators {
 public:
  explicit Dominators(const Function& function);

  /// Reachable blocks in reverse post-order; the entry is first.
  const std::vector<BlockId>& order() const { return order_; }
  bool reachable(BlockId b) const { return position_[b] != kNone; }
  /// Immediate dominator; the entry's is itself, an unreachable block's kNone.
  BlockId idom(BlockId b) const { return idom_[b]; }
  /// Both reachable: does every path to `b` pass `a`? A block dominates itself. Constant time.
  bool dominates(BlockId a, BlockId b) const {
    return enter_[a] <= enter_[b] && leave_[b] <= leave_[a];
  }
  /// Reachable predecessors, once per edge.
  const std::vector<BlockId>& predecessors(BlockId b) const { return predecessors_[b]; }

 private:
  void find_order(const Function& function);
  void find_idoms();
  void number_tree();

  std::vector<BlockId> order_;
  std::vector<std::uint32_t> position_;  ///< in order_; kNone: unreachable
  std::vector<BlockId> idom_;
  std::vector<std::uint32_t> enter_, leave_;
  std::vector<std::vector<BlockId>> predecessors_;
};

}  // namespace splice::ir
