#include "opt/common_values.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/dominators.h"
#include "ir/evaluate.h"
#include "opt/edit.h"

namespace splice::opt {
namespace {

using ir::BlockId;
using ir::Function;
using ir::Inst;
using ir::Op;
using ir::ValueId;

bool commutes(Op op) {
  switch (op) {
    case Op::kAdd:
    case Op::kMul:
    case Op::kAnd:
    case Op::kOr:
    case Op::kXor:
    case Op::kAddOv:
    case Op::kMulOv:
    case Op::kEq:
    case Op::kNe:
      return true;
    default:
      return false;
  }
}

bool can_share(const ir::Module& m, const Inst& inst) {
  switch (inst.op) {
    case Op::kConst:
    case Op::kSymbol:
    case Op::kCtx:
    case Op::kElements:
    case Op::kHeader:
    case Op::kAddr:
    case Op::kPyUnboxInt:
    case Op::kPyUnboxFloat:
    case Op::kPyUnboxBool:
    case Op::kPyUnboxComplex:
      return true;
    case Op::kPyTypeIs:
      return false;  // __class__ can be assigned
    case Op::kCallRuntime:
      return m.symbols[inst.index].pure && !inst.results.empty();
    default:
      return ir::is_computation(inst.op);
  }
}

struct Key {
  const Inst* inst;
};

std::uint64_t mix(std::uint64_t h, std::uint64_t v) {
  h = (h ^ v) * 0x9e3779b97f4a7c15u;
  return h ^ (h >> 29);
}

struct Hash {
  std::size_t operator()(const Key& k) const {
    const Inst& i = *k.inst;
    std::uint64_t h =
        mix(static_cast<std::uint64_t>(i.op),
            static_cast<std::uint64_t>(i.type) * 256 + static_cast<std::uint64_t>(i.type2));
    h = mix(h, i.index);
    h = mix(h, static_cast<std::uint64_t>(i.imm));
    h = mix(h, static_cast<std::uint64_t>(i.imm2));
    if (commutes(i.op)) {
      const auto [low, high] = std::minmax(i.args[0], i.args[1]);
      return static_cast<std::size_t>(mix(mix(h, low), high));
    }
    for (const ValueId v : i.args) h = mix(h, v);
    return static_cast<std::size_t>(h);
  }
};

struct Equal {
  bool operator()(const Key& a, const Key& b) const {
    const Inst& x = *a.inst;
    const Inst& y = *b.inst;
    if (x.op != y.op || x.type != y.type || x.type2 != y.type2 || x.index != y.index ||
        x.imm != y.imm || x.imm2 != y.imm2) {
      return false;
    }
    if (x.args == y.args) return true;
    return commutes(x.op) && x.args[0] == y.args[1] && x.args[1] == y.args[0];
  }
};

class Pass {
 public:
  Pass(const ir::Module& m, Function& f)
      : m_(m), f_(f), dominators_(f), replacements_(f.values.size()) {}

  bool run() {
    // In this order definitions come before uses, so operands are in their final form; of the equal
    // ops seen before, the newest whose block dominates is taken.
    for (const BlockId b : dominators_.order()) block(b);
    if (!changed_) return false;
    replacements_.apply(f_);
    for (const auto& [b, i] : removed_) f_.blocks[b].insts[i].op = Op::kCount;
    for (auto& b : f_.blocks) {
      std::erase_if(b.insts, [](const Inst& inst) { return inst.op == Op::kCount; });
    }
    return true;
  }

 private:
  struct Known {
    const Inst* inst;
    BlockId block;
  };

  void block(BlockId b) {
    auto& insts = f_.blocks[b].insts;
    for (std::size_t i = 0; i < insts.size(); ++i) {
      Inst& inst = insts[i];
      for (ValueId& v : inst.args) v = replacements_.find(v);
      if (!can_share(m_, inst)) continue;
      const auto [it, added] = table_.try_emplace(Key{&inst}, Known{&inst, b});
      if (added) continue;
      if (!dominators_.dominates(it->second.block, b)) {
        it->second = {&inst, b};
        continue;
      }
      for (std::size_t k = 0; k < inst.results.size(); ++k) {
        replacements_.set(inst.results[k], it->second.inst->results[k]);
      }
      removed_.emplace_back(b, i);
      changed_ = true;
    }
  }

  const ir::Module& m_;
  Function& f_;
  const ir::Dominators dominators_;
  Replacements replacements_;
  std::unordered_map<Key, Known, Hash, Equal> table_;
  std::vector<std::pair<BlockId, std::size_t>> removed_;
  bool changed_ = false;
};

}  // namespace

bool common_values(const ir::Module& m, Function& f) { return Pass(m, f).run(); }

}  // namespace splice::opt
