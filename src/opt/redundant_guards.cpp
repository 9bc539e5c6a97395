#include "opt/redundant_guards.h"

#include <cstdint>
#include <vector>

#include "ir/dominators.h"
#include "opt/edit.h"

namespace splice::opt {
namespace {

using ir::Block;
using ir::BlockId;
using ir::Function;
using ir::Inst;
using ir::kNone;
using ir::Op;
using ir::ValueId;

class Pass {
 public:
  explicit Pass(Function& f)
      : f_(f),
        dominators_(f),
        known_(f.values.size(), kUnknown),
        negated_(f.values.size(), kNone) {}

  bool run() {
    find_constants_and_negations();
    // A walk over the dominator tree: what a block learns holds in all blocks below it.
    std::vector<std::vector<BlockId>> children(f_.blocks.size());
    for (const BlockId b : dominators_.order()) {
      if (b != 0) children[dominators_.idom(b)].push_back(b);
    }
    struct Step {
      BlockId block;
      std::size_t undo;  ///< size of learned_ to go back to; kNotEntered: not visited yet
    };
    constexpr std::size_t kNotEntered = ~std::size_t{0};
    std::vector<Step> stack{{0, kNotEntered}};
    while (!stack.empty()) {
      Step& top = stack.back();
      if (top.undo != kNotEntered) {
        forget(top.undo);
        stack.pop_back();
        continue;
      }
      top.undo = learned_.size();
      const BlockId b = top.block;
      learn_from_edge(b);
      block(f_.blocks[b]);
      for (const BlockId child : children[b]) stack.push_back({child, kNotEntered});
    }
    // What is behind a leave may use values whose definition went with the rest of its block.
    if (cut_) remove_unreachable_blocks(f_);
    return changed_;
  }

 private:
  static constexpr std::int8_t kUnknown = -1;

  void find_constants_and_negations() {
    for (const BlockId b : dominators_.order()) {
      for (const Inst& inst : f_.blocks[b].insts) {
        if (inst.op == Op::kConst && inst.type == ir::Type::kI1) {
          known_[inst.results[0]] = static_cast<std::int8_t>(inst.imm);
        }
        if (inst.op != Op::kXor || inst.type != ir::Type::kI1) continue;
        // The constant dominates its use, so the walk has seen it.
        if (known_[inst.args[1]] == 1) negated_[inst.results[0]] = inst.args[0];
      }
    }
  }

  void learn(ValueId v, bool value) {
    // Down a chain of negations; constants and what is known already need nothing.
    while (v != kNone && known_[v] == kUnknown) {
      known_[v] = value ? 1 : 0;
      learned_.push_back(v);
      v = negated_[v];
      value = !value;
    }
  }

  void forget(std::size_t size) {
    while (learned_.size() > size) {
      known_[learned_.back()] = kUnknown;
      learned_.pop_back();
    }
  }

  /// 1, 0 or kUnknown; looks through negations.
  std::int8_t known(ValueId v) const {
    bool flip = false;
    while (v != kNone) {
      if (known_[v] != kUnknown) return static_cast<std::int8_t>(flip ? 1 - known_[v] : known_[v]);
      v = negated_[v];
      flip = !flip;
    }
    return kUnknown;
  }

  void learn_from_edge(BlockId b) {
    const auto& predecessors = dominators_.predecessors(b);
    if (predecessors.size() != 1) return;
    const Inst& branch = f_.blocks[predecessors[0]].insts.back();
    if (branch.op != Op::kCondBr) return;
    learn(branch.args[0], branch.targets[0].block == b);
  }

  void block(Block& b) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < b.insts.size(); ++i) {
      Inst& inst = b.insts[i];
      if (inst.op == Op::kGuard) {
        const std::int8_t outcome = known(inst.args[0]);
        changed_ = changed_ || outcome != kUnknown;
        if (outcome == 1) continue;
        if (outcome == 0) {
          inst.op = Op::kLeave;
          inst.args.erase(inst.args.begin());
          if (kept != i) b.insts[kept] = std::move(inst);
          b.insts.resize(kept + 1);
          cut_ = true;
          return;
        }
        learn(inst.args[0], true);
      } else if (inst.op == Op::kCondBr) {
        branch(inst);
      }
      if (kept != i) b.insts[kept] = std::move(inst);
      ++kept;
    }
    b.insts.resize(kept);
  }

  void branch(Inst& inst) {
    const std::int8_t outcome = known(inst.args[0]);
    if (outcome == kUnknown) return;
    inst.op = Op::kBr;
    inst.args.clear();
    if (outcome == 0) std::swap(inst.targets[0], inst.targets[1]);
    inst.targets.resize(1);
    changed_ = true;
  }

  Function& f_;
  const ir::Dominators dominators_;  ///< of the function as it came in
  std::vector<std::int8_t> known_;   ///< of i1 values, where the walk is
  std::vector<ValueId> negated_;     ///< v is the negation of this value
  std::vector<ValueId> learned_;
  bool changed_ = false;
  bool cut_ = false;  ///< a block ends earlier than before
};

}  // namespace

bool redundant_guards(Function& f) { return Pass(f).run(); }

}  // namespace splice::opt
