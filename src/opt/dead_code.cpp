#include "opt/dead_code.h"

#include <vector>

#include "opt/edit.h"

namespace splice::opt {
namespace {

using ir::Block;
using ir::BlockId;
using ir::Function;
using ir::Inst;
using ir::kNone;
using ir::Op;
using ir::Target;
using ir::ValueId;

bool must_stay(const ir::Module& m, const Inst& inst) {
  if (inst.op == Op::kCallRuntime) return !m.symbols[inst.index].pure;
  return ir::has_side_effect(inst.op);
}

class Pass {
 public:
  Pass(const ir::Module& m, Function& f) : m_(m), f_(f) {}

  bool run() {
    const bool blocks = remove_unreachable_blocks(f_);
    find_definitions();
    mark_roots();
    while (!work_.empty()) {
      const ValueId v = work_.back();
      work_.pop_back();
      if (made_by_[v] != nullptr) {
        for (const ValueId arg : made_by_[v]->args) mark(arg);
      }
      for (const ValueId source : sources_[v]) mark(source);
    }
    return sweep() || blocks;
  }

 private:
  void find_definitions() {
    made_by_.assign(f_.values.size(), nullptr);
    sources_.resize(f_.values.size());
    needed_.assign(f_.values.size(), false);
    for (const Block& b : f_.blocks) {
      for (const Inst& inst : b.insts) {
        for (const ValueId v : inst.results) made_by_[v] = &inst;
      }
      for (const Target& t : b.insts.back().targets) {
        const auto& args = f_.blocks[t.block].args;
        for (std::size_t i = 0; i < args.size(); ++i) sources_[args[i]].push_back(t.args[i]);
      }
    }
  }

  void mark_roots() {
    for (const Block& b : f_.blocks) {
      for (const Inst& inst : b.insts) {
        if (!must_stay(m_, inst)) continue;
        for (const ValueId v : inst.args) mark(v);
      }
    }
  }

  void mark(ValueId v) {
    if (needed_[v]) return;
    needed_[v] = true;
    work_.push_back(v);
  }

  bool sweep() {
    bool changed = false;
    std::vector<bool> dead_args(f_.values.size(), false);
    for (BlockId b = 0; b < f_.blocks.size(); ++b) {
      changed |= std::erase_if(f_.blocks[b].insts, [&](const Inst& inst) {
                   if (must_stay(m_, inst)) return false;
                   for (const ValueId v : inst.results) {
                     if (needed_[v]) return false;
                   }
                   return true;
                 }) != 0;
      if (b == 0) continue;
      for (const ValueId v : f_.blocks[b].args) {
        dead_args[v] = !needed_[v];
        changed = changed || dead_args[v];
      }
    }
    if (changed) remove_block_args(f_, dead_args);
    return changed;
  }

  const ir::Module& m_;
  Function& f_;
  std::vector<const Inst*> made_by_;
  std::vector<std::vector<ValueId>> sources_;  ///< of block arguments: what edges pass for them
  std::vector<bool> needed_;
  std::vector<ValueId> work_;
};

}  // namespace

bool dead_code(const ir::Module& m, Function& f) { return Pass(m, f).run(); }

}  // namespace splice::opt
