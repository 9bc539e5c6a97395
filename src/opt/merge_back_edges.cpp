#include "opt/merge_back_edges.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "ir/dominators.h"

namespace splice::opt {
namespace {

using ir::BlockId;
using ir::Exit;
using ir::ExitFrame;
using ir::Function;
using ir::Inst;
using ir::Op;
using ir::Type;
using ir::ValueId;

/// Everything but the place of the innermost frame.
bool same_but_for_the_jump(const Exit& a, const Exit& b) {
  if (a.kind != b.kind || a.drops_callees != b.drops_callees || a.live != b.live ||
      a.frames.size() != b.frames.size())
    return false;
  for (std::size_t i = 0; i < a.frames.size(); ++i) {
    const ExitFrame& x = a.frames[i];
    const ExitFrame& y = b.frames[i];
    if (x.code != y.code || x.function != y.function) return false;
    if (i + 1 < a.frames.size() && x.offset != y.offset) return false;
    if (x.locals != y.locals || x.stack != y.stack) return false;
  }
  return true;
}

class Pass {
 public:
  explicit Pass(Function& f) : f_(f) {}

  bool run() {
    const ir::Dominators dominators(f_);
    bool changed = false;
    for (const BlockId head : dominators.order()) {
      std::vector<BlockId> latches;
      bool plain = true;
      for (const BlockId p : dominators.predecessors(head)) {
        if (!dominators.dominates(head, p)) continue;
        plain = plain && f_.blocks[p].insts.back().op == Op::kBr;
        latches.push_back(p);
      }
      // A conditional jump back has two edges; only its own poll could be moved. Python has none.
      if (latches.size() < 2 || !plain) continue;
      merge(head, latches);
      changed = true;
    }
    return changed;
  }

 private:
  void merge(BlockId head, const std::vector<BlockId>& latches) {
    const auto joint = static_cast<BlockId>(f_.blocks.size());
    f_.blocks.emplace_back();
    Inst jump;
    jump.op = Op::kBr;
    jump.loc = f_.blocks[latches[0]].insts.back().loc;
    jump.targets.push_back({head, {}});
    for (const ValueId v : std::vector<ValueId>(f_.blocks[head].args)) {
      jump.targets[0].args.push_back(add_arg(joint, f_.values[v]));
    }
    if (mergeable_polls(latches)) move_polls(joint, latches);
    for (const BlockId from : latches) f_.blocks[from].insts.back().targets[0].block = joint;
    f_.blocks[joint].insts.push_back(std::move(jump));
  }

  ValueId add_arg(BlockId block, Type t) {
    f_.values.push_back(t);
    const auto v = static_cast<ValueId>(f_.values.size() - 1);
    f_.blocks[block].args.push_back(v);
    return v;
  }

  const Inst* poll_of(BlockId b) const {
    const std::vector<Inst>& insts = f_.blocks[b].insts;
    return insts.size() >= 2 && insts[insts.size() - 2].op == Op::kPoll ? &insts[insts.size() - 2]
                                                                        : nullptr;
  }

  bool mergeable_polls(const std::vector<BlockId>& latches) const {
    const Inst* first = poll_of(latches[0]);
    return first != nullptr && std::all_of(latches.begin(), latches.end(), [&](BlockId b) {
             const Inst* poll = poll_of(b);
             return poll != nullptr &&
                    same_but_for_the_jump(f_.exits[first->index], f_.exits[poll->index]);
           });
  }

  /// A live value that differs between the paths becomes an argument of the joint block, the one
  /// that goes on to the head where there is such.
  void move_polls(BlockId joint, const std::vector<BlockId>& latches) {
    std::vector<Inst> polls;
    for (const BlockId b : latches) {
      std::vector<Inst>& insts = f_.blocks[b].insts;
      polls.push_back(std::move(insts[insts.size() - 2]));
      insts.erase(insts.end() - 2);
    }
    // The first jump of the text: since CPython 3.13 the test at the end of a `while` jumps back
    // from outside the `try` around the loop, where an interrupt would pass over its handlers.
    const auto place = [&](const Inst& p) {
      const Exit& exit = f_.exits[p.index];
      return exit.frames.empty() ? 0 : exit.frames.back().offset;
    };
    Inst poll = *std::min_element(polls.begin(), polls.end(), [&](const Inst& a, const Inst& b) {
      return place(a) < place(b);
    });
    for (std::size_t k = 0; k < poll.args.size(); ++k) {
      const bool one = std::all_of(polls.begin(), polls.end(),
                                   [&](const Inst& p) { return p.args[k] == poll.args[k]; });
      if (!one) poll.args[k] = argument(joint, latches, polls, k);
    }
    f_.blocks[joint].insts.push_back(std::move(poll));
  }

  ValueId argument(BlockId joint, const std::vector<BlockId>& latches,
                   const std::vector<Inst>& polls, std::size_t k) {
    const auto passed = [&](std::size_t i) -> std::vector<ValueId>& {
      return f_.blocks[latches[i]].insts.back().targets[0].args;
    };
    for (std::size_t at = 0; at < f_.blocks[joint].args.size(); ++at) {
      bool matches = true;
      for (std::size_t i = 0; i < polls.size(); ++i) {
        matches = matches && passed(i)[at] == polls[i].args[k];
      }
      if (matches) return f_.blocks[joint].args[at];
    }
    for (std::size_t i = 0; i < polls.size(); ++i) passed(i).push_back(polls[i].args[k]);
    return add_arg(joint, f_.values[polls[0].args[k]]);
  }

  Function& f_;
};

}  // namespace

bool merge_back_edges(Function& f) { return Pass(f).run(); }

}  // namespace splice::opt
