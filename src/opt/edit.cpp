#include "opt/edit.h"

namespace splice::opt {

using ir::Block;
using ir::BlockId;
using ir::Function;
using ir::Inst;
using ir::kNone;
using ir::Target;
using ir::ValueId;

void Replacements::set(ValueId value, ValueId by) {
  if (value >= to_.size()) to_.resize(value + 1, kNone);
  to_[value] = by;
  ++count_;
}

ValueId Replacements::find(ValueId value) {
  ValueId root = value;
  while (root < to_.size() && to_[root] != kNone) root = to_[root];
  while (value < to_.size() && to_[value] != kNone) {
    const ValueId next = to_[value];
    to_[value] = root;
    value = next;
  }
  return root;
}

void remove_poll(Inst& poll_br) {
  poll_br.op = ir::Op::kBr;
  poll_br.index = kNone;
  poll_br.args.clear();
  poll_br.targets.erase(poll_br.targets.begin());
}

void Replacements::apply(Function& function) {
  if (empty()) return;
  for (Block& b : function.blocks) {
    for (Inst& inst : b.insts) {
      for (ValueId& v : inst.args) v = find(v);
      for (Target& t : inst.targets) {
        for (ValueId& v : t.args) v = find(v);
      }
    }
  }
}

void remove_block_args(Function& function, const std::vector<bool>& dead) {
  std::vector<bool> touched(function.blocks.size(), false);
  for (BlockId b = 1; b < function.blocks.size(); ++b) {
    for (const ValueId v : function.blocks[b].args) touched[b] = touched[b] || dead[v];
  }
  for (Block& b : function.blocks) {
    if (b.insts.empty()) continue;
    for (Target& t : b.insts.back().targets) {
      if (!touched[t.block]) continue;
      const auto& args = function.blocks[t.block].args;
      std::size_t kept = 0;
      for (std::size_t i = 0; i < args.size(); ++i) {
        if (!dead[args[i]]) t.args[kept++] = t.args[i];
      }
      t.args.resize(kept);
    }
  }
  for (BlockId b = 1; b < function.blocks.size(); ++b) {
    if (touched[b]) std::erase_if(function.blocks[b].args, [&](ValueId v) { return dead[v]; });
  }
}

bool remove_unreachable_blocks(Function& function) {
  std::vector<BlockId> renamed(function.blocks.size(), kNone);
  std::vector<BlockId> work{0};
  renamed[0] = 0;
  std::size_t reached = 1;
  while (!work.empty()) {
    const BlockId b = work.back();
    work.pop_back();
    for (const Target& t : function.blocks[b].insts.back().targets) {
      if (renamed[t.block] != kNone) continue;
      renamed[t.block] = 0;
      ++reached;
      work.push_back(t.block);
    }
  }
  if (reached == function.blocks.size()) return false;
  BlockId next = 0;
  for (BlockId b = 0; b < function.blocks.size(); ++b) {
    if (renamed[b] == kNone) continue;
    if (next != b) function.blocks[next] = std::move(function.blocks[b]);
    renamed[b] = next++;
  }
  function.blocks.resize(next);
  for (Block& b : function.blocks) {
    for (Target& t : b.insts.back().targets) t.block = renamed[t.block];
  }
  return true;
}

}  // namespace splice::opt
