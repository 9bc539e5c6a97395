#include "opt/leaf_calls.h"

#include <cstddef>
#include <vector>

#include "ir/leaf.h"

namespace splice::opt {
namespace {

using ir::Block;
using ir::Function;
using ir::Inst;
using ir::Module;
using ir::Op;

/// The value that the store at `at` puts back is what was loaded there before, and nothing has
/// written in between but the store in front of the call.
bool puts_back(const std::vector<Inst>& insts, std::size_t call) {
  const Inst& before = insts[call - 1];
  const Inst& after = insts[call + 1];
  if (before.op != Op::kStore || after.op != Op::kStore) return false;
  if (before.args[0] != after.args[0] || before.imm != after.imm || before.type != after.type) {
    return false;
  }
  for (std::size_t i = call - 1; i-- > 0;) {
    const Inst& inst = insts[i];
    if (inst.op == Op::kLoad && inst.results[0] == after.args[1]) {
      return inst.args[0] == after.args[0] && inst.imm == after.imm && inst.type == after.type;
    }
    if (ir::has_side_effect(inst.op) && inst.op != Op::kGuard) return false;
  }
  return false;
}

/// The poll in front of the call, when there is nothing in between but the counting; else `call`.
std::size_t poll_before(const std::vector<Inst>& insts, std::size_t call) {
  for (std::size_t i = call; i-- > 0;) {
    if (insts[i].op == Op::kPoll) return i;
    if (ir::has_side_effect(insts[i].op) && insts[i].op != Op::kGuard) return call;
  }
  return call;
}

}  // namespace

bool leaf_calls(const Module& m, Function& f) {
  bool changed = false;
  for (Block& b : f.blocks) {
    for (std::size_t i = 1; i + 1 < b.insts.size(); ++i) {
      if (b.insts[i].op != Op::kCall || !puts_back(b.insts, i)) continue;
      if (!ir::is_leaf(m, m.functions[b.insts[i].index])) continue;
      b.insts.erase(b.insts.begin() + static_cast<std::ptrdiff_t>(i) + 1);
      b.insts.erase(b.insts.begin() + static_cast<std::ptrdiff_t>(i) - 1);
      --i;
      if (const std::size_t poll = poll_before(b.insts, i); poll != i) {
        b.insts.erase(b.insts.begin() + static_cast<std::ptrdiff_t>(poll));
        --i;
      }
      changed = true;
    }
  }
  return changed;
}

}  // namespace splice::opt
