#include "opt/leaf_calls.h"

#include <cstddef>
#include <optional>
#include <vector>

#include "ir/leaf.h"
#include "opt/edit.h"

namespace splice::opt {
namespace {

using ir::Block;
using ir::Function;
using ir::Inst;
using ir::Module;
using ir::Op;

/// The counting around a call: the store in front of it and the one behind it that puts back what
/// was loaded there before, with nothing in between that reads or writes.
struct Counting {
  std::size_t before, after;
};

/// The last instruction in front of `at` with an effect other than leaving; `at` if there is none.
std::size_t effect_before(const std::vector<Inst>& insts, std::size_t at) {
  for (std::size_t i = at; i-- > 0;) {
    if (ir::has_side_effect(insts[i].op) && insts[i].op != Op::kGuard) return i;
  }
  return at;
}

std::optional<Counting> counting(const std::vector<Inst>& insts, std::size_t call) {
  if (call + 1 == insts.size()) return std::nullopt;
  std::size_t first = call;
  const auto computes_only = [](Op op) { return !ir::has_side_effect(op) && op != Op::kLoad; };
  while (first > 0 && computes_only(insts[first - 1].op)) --first;
  if (first-- == 0) return std::nullopt;
  const Inst& before = insts[first];
  const Inst& after = insts[call + 1];
  if (before.op != Op::kStore || after.op != Op::kStore) return std::nullopt;
  if (before.args[0] != after.args[0] || before.imm != after.imm || before.type != after.type) {
    return std::nullopt;
  }
  for (std::size_t i = first; i-- > 0;) {
    const Inst& inst = insts[i];
    if (inst.op == Op::kLoad && inst.results[0] == after.args[1]) {
      if (inst.args[0] != after.args[0] || inst.imm != after.imm || inst.type != after.type) break;
      return Counting{first, call + 1};
    }
    if (ir::has_side_effect(inst.op) && inst.op != Op::kGuard) break;
  }
  return std::nullopt;
}

/// The poll behind which the block begins, whether it served a request or not (steady_headers).
void remove_poll_in_front(Function& f, ir::BlockId b) {
  Inst* poll = nullptr;
  ir::BlockId test = ir::kNone;
  std::size_t ways_in = 0;
  for (Block& before : f.blocks) {
    Inst& last = before.insts.back();
    for (const ir::Target& target : last.targets) ways_in += target.block == b ? 1 : 0;
    if (last.op != Op::kPollBr || last.targets[1].block != b) continue;
    poll = &last;
    test = last.targets[0].block;
  }
  if (poll == nullptr || ways_in != 2) return;
  const Inst& tested = f.blocks[test].insts.back();
  if (tested.op == Op::kBr && tested.targets[0].block == b) remove_poll(*poll);
}

}  // namespace

bool leaf_calls(const Module& m, Function& f) {
  bool changed = false;
  for (Block& b : f.blocks) {
    for (std::size_t i = 1; i + 1 < b.insts.size(); ++i) {
      if (b.insts[i].op != Op::kCall || !ir::is_leaf(m, m.functions[b.insts[i].index])) continue;
      const std::optional<Counting> found = counting(b.insts, i);
      if (!found) continue;
      b.insts.erase(b.insts.begin() + static_cast<std::ptrdiff_t>(found->after));
      b.insts.erase(b.insts.begin() + static_cast<std::ptrdiff_t>(found->before));
      --i;
      // The poll in front of the call, when there is nothing in between but the counting.
      if (const std::size_t poll = effect_before(b.insts, i); poll == i) {
        remove_poll_in_front(f, static_cast<ir::BlockId>(&b - f.blocks.data()));
      } else if (b.insts[poll].op == Op::kPoll) {
        b.insts.erase(b.insts.begin() + static_cast<std::ptrdiff_t>(poll));
        --i;
      }
      changed = true;
    }
  }
  return changed;
}

}  // namespace splice::opt
