#include "ir/leaf.h"

#include <algorithm>

namespace splice::ir {
namespace {

bool stays_within(const Module& m, const Inst& inst) {
  switch (inst.op) {
    case Op::kCall:
    case Op::kPoll:
    case Op::kPollBr:
    case Op::kCtx:
    case Op::kPyDecref:
      return false;
    case Op::kCallRuntime:
      return m.symbols[inst.index].pure || m.symbols[inst.index].quiet;
    default:
      return true;
  }
}

}  // namespace

bool is_leaf(const Module& m, const Function& f) {
  return std::all_of(f.blocks.begin(), f.blocks.end(), [&](const Block& b) {
    return std::all_of(b.insts.begin(), b.insts.end(),
                       [&](const Inst& inst) { return stays_within(m, inst); });
  });
}

}  // namespace splice::ir
