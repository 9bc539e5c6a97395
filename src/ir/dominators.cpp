// The iterative algorithm of Cooper, Harvey and Kennedy ("A Simple, Fast Dominance Algorithm").

#include "ir/dominators.h"

#include <algorithm>

namespace splice::ir {
namespace {

const std::vector<Target>& targets_of(const Block& b) {
  static const std::vector<Target> none;
  return b.insts.empty() ? none : b.insts.back().targets;
}

}  // namespace

Dominators::Dominators(const Function& function) {
  const std::size_t n = function.blocks.size();
  position_.assign(n, kNone);
  idom_.assign(n, kNone);
  enter_.assign(n, 0);
  leave_.assign(n, 0);
  predecessors_.resize(n);
  if (n == 0) return;
  find_order(function);
  find_idoms();
  number_tree();
}

void Dominators::find_order(const Function& function) {
  struct Frame {
    BlockId block;
    std::size_t next;
  };
  std::vector<bool> seen(function.blocks.size(), false);
  std::vector<Frame> stack{{0, 0}};
  seen[0] = true;
  while (!stack.empty()) {
    Frame& top = stack.back();
    const auto& targets = targets_of(function.blocks[top.block]);
    if (top.next == targets.size()) {
      order_.push_back(top.block);
      stack.pop_back();
      continue;
    }
    const BlockId to = targets[top.next++].block;
    if (to >= seen.size()) continue;
    predecessors_[to].push_back(top.block);
    if (seen[to]) continue;
    seen[to] = true;
    stack.push_back({to, 0});
  }
  std::reverse(order_.begin(), order_.end());
  for (std::size_t i = 0; i < order_.size(); ++i) {
    position_[order_[i]] = static_cast<std::uint32_t>(i);
  }
}

void Dominators::find_idoms() {
  idom_[0] = 0;
  bool changed = true;
  while (changed) {
    changed = false;
    for (const BlockId b : order_) {
      if (b == 0) continue;
      BlockId best = kNone;
      for (BlockId p : predecessors_[b]) {
        if (idom_[p] == kNone) continue;
        if (best == kNone) {
          best = p;
          continue;
        }
        BlockId q = best;
        while (p != q) {
          while (position_[p] > position_[q]) p = idom_[p];
          while (position_[q] > position_[p]) q = idom_[q];
        }
        best = p;
      }
      if (idom_[b] != best) {
        idom_[b] = best;
        changed = true;
      }
    }
  }
}

void Dominators::number_tree() {
  // Children in one array: first child and next sibling.
  const std::size_t n = idom_.size();
  std::vector<BlockId> child(n, kNone);
  std::vector<BlockId> sibling(n, kNone);
  for (std::size_t i = order_.size(); i-- > 1;) {
    const BlockId b = order_[i];
    sibling[b] = child[idom_[b]];
    child[idom_[b]] = b;
  }
  std::uint32_t clock = 0;
  std::vector<BlockId> stack{0};
  enter_[0] = clock++;
  while (!stack.empty()) {
    const BlockId b = stack.back();
    const BlockId c = child[b];
    if (c == kNone) {
      leave_[b] = clock++;
      stack.pop_back();
      continue;
    }
    child[b] = sibling[c];
    enter_[c] = clock++;
    stack.push_back(c);
  }
}

}  // namespace splice::ir
