#include "opt/fold_ranges.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "ir/evaluate.h"
#include "opt/edit.h"
#include "opt/value_ranges.h"

namespace splice::opt {
namespace {

using ir::Block;
using ir::BlockId;
using ir::Function;
using ir::Inst;
using ir::kNone;
using ir::Module;
using ir::Op;
using ir::Type;
using ir::ValueId;

bool is_checked(Op op) { return op == Op::kAddOv || op == Op::kSubOv || op == Op::kMulOv; }

Op unchecked(Op op) { return op == Op::kAddOv ? Op::kAdd : op == Op::kSubOv ? Op::kSub : Op::kMul; }

/// What is to become of one instruction.
struct Edit {
  enum class Kind { kConstant, kUnchecked, kUnsigned, kMask, kShift, kRemove };
  Kind kind;
  BlockId block;
  std::size_t at;
  std::int64_t number = 0;  ///< the constant, the mask or the shift
  Type type = Type::kU64;   ///< kUnsigned: in which to divide
};

/// Looks at one function and remembers what to change, and with what it calls others.
class Inspection final : public ValueRanges::Visitor {
 public:
  Inspection(const Module& m, std::uint32_t function, ValueRanges& ranges,
             std::vector<std::vector<Interval>>& calls)
      : m_(m), f_(m.functions[function]), ranges_(ranges), calls_(calls) {
    in_short_loop_.assign(f_.blocks.size(), false);
    for (const ValueRanges::ShortLoop& loop : ranges.short_loops()) {
      if (!needs_no_poll(loop)) continue;
      for (const BlockId b : loop.blocks) in_short_loop_[b] = true;
    }
  }

  void visit(BlockId block, std::size_t at) override {
    const Inst& inst = f_.blocks[block].insts[at];
    if ((inst.op == Op::kPoll || inst.op == Op::kPollBr) && in_short_loop_[block]) {
      edits_.push_back({Edit::Kind::kRemove, block, at});
      return;
    }
    if (inst.op == Op::kCall) return call(inst);
    if (inst.op == Op::kConst || !ir::is_computation(inst.op)) return;
    if (is_checked(inst.op)) {
      const Interval all = full(f_.values[inst.results[0]]);
      if (all.contains(ranges_.exact_result(inst))) {
        edits_.push_back({Edit::Kind::kUnchecked, block, at});
      }
      return;
    }
    if (!ir::is_int(f_.values[inst.results[0]])) return;
    const Interval& result = ranges_.at(inst.results[0]);
    if (result.single()) {
      edits_.push_back({Edit::Kind::kConstant, block, at, static_cast<std::int64_t>(result.low)});
    } else if ((inst.op == Op::kDiv || inst.op == Op::kRem || inst.op == Op::kMod) &&
               inst.type == Type::kI64) {
      division(inst, block, at);
    }
  }

  const std::vector<Edit>& edits() const { return edits_; }

 private:
  /// Microseconds pass until the next poll, of a loop around it or of the caller. Calls of
  /// functions that call may take any time. Where exceptions are caught, in this function or in one
  /// that calls it, loops keep their polls: the next one may lie outside of the `try`.
  bool needs_no_poll(const ValueRanges::ShortLoop& loop) const {
    constexpr Wide kMostInstructions = 1 << 15;
    if (std::any_of(m_.functions.begin(), m_.functions.end(),
                    [](const Function& f) { return f.has_handlers; }))
      return false;
    std::vector<const ValueRanges::ShortLoop*> inner;
    for (const BlockId head : loop.inner) {
      for (const ValueRanges::ShortLoop& other : ranges_.short_loops())
        if (other.head == head) inner.push_back(&other);
    }
    if (inner.size() != loop.inner.size()) return false;
    Wide size = 0;
    for (const BlockId b : loop.blocks) {
      Wide times = loop.times + 1;
      for (const ValueRanges::ShortLoop* other : inner) {
        if (std::find(other->blocks.begin(), other->blocks.end(), b) == other->blocks.end())
          continue;
        if (other->times >= kMostInstructions) return false;
        times *= other->times + 1;
        if (times > kMostInstructions) return false;
      }
      for (const Inst& inst : f_.blocks[b].insts) {
        if (inst.op == Op::kCall && calls_or_loops(m_.functions[inst.index])) return false;
        // On ints of any size.
        if (inst.op == Op::kCallRuntime && m_.symbols[inst.index].name == "splice_rt_int_operator")
          return false;
      }
      size += times * static_cast<Wide>(f_.blocks[b].insts.size());
      if (size > kMostInstructions) return false;
    }
    return true;
  }

  static bool calls_or_loops(const Function& f) {
    for (BlockId b = 0; b < f.blocks.size(); ++b) {
      for (const Inst& inst : f.blocks[b].insts) {
        if (inst.op == Op::kCall) return true;
        for (const ir::Target& target : inst.targets) {
          if (target.block <= b) return true;  // a jump back, or what looks like one
        }
      }
    }
    return false;
  }

  void call(const Inst& inst) {
    // A C function passes the context in front.
    const std::size_t first = f_.c_abi ? 1 : 0;
    std::vector<Interval>& params = calls_[inst.index];
    params.resize(inst.args.size() - first);
    for (std::size_t i = 0; i < params.size(); ++i) {
      const ValueId arg = inst.args[first + i];
      if (ir::is_int(f_.values[arg])) params[i] = join(params[i], ranges_.at(arg));
    }
  }

  void division(const Inst& inst, BlockId block, std::size_t at) {
    const Interval& a = ranges_.at(inst.args[0]);
    const Interval& b = ranges_.at(inst.args[1]);
    const bool natural = a.low >= 0;
    if (b.low < 1 || (!natural && inst.op != Op::kMod)) return;
    const auto divisor = static_cast<std::uint64_t>(b.low);
    if (b.single() && (divisor & (divisor - 1)) == 0) {
      const bool mask = inst.op != Op::kDiv;
      const auto number = static_cast<std::int64_t>(mask ? divisor - 1 : log2(divisor));
      edits_.push_back({mask ? Edit::Kind::kMask : Edit::Kind::kShift, block, at, number});
      return;
    }
    if (!natural) return;
    const Wide most = full(Type::kU32).high;
    const Type type = a.high <= most && b.high <= most ? Type::kU32 : Type::kU64;
    edits_.push_back({Edit::Kind::kUnsigned, block, at, 0, type});
  }

  static std::uint64_t log2(std::uint64_t power) {
    std::uint64_t n = 0;
    while (power >> n != 1) ++n;
    return n;
  }

  const Module& m_;
  const Function& f_;
  ValueRanges& ranges_;
  std::vector<std::vector<Interval>>& calls_;
  std::vector<bool> in_short_loop_;  ///< per block: its poll can go
  std::vector<Edit> edits_;
};

/// Rewrites the blocks; the edits come block by block, in order.
class Rewriting {
 public:
  explicit Rewriting(Function& f) : f_(f) {}

  void run(const std::vector<Edit>& edits) {
    for (std::size_t i = 0; i < edits.size();) {
      const BlockId b = edits[i].block;
      std::vector<Inst> before = std::move(f_.blocks[b].insts);
      out_.clear();
      out_.reserve(before.size() + 8);
      for (std::size_t at = 0; at < before.size(); ++at) {
        if (i < edits.size() && edits[i].block == b && edits[i].at == at) {
          apply(edits[i++], std::move(before[at]));
        } else {
          out_.push_back(std::move(before[at]));
        }
      }
      f_.blocks[b].insts = std::move(out_);
    }
  }

 private:
  void apply(const Edit& edit, Inst inst) {
    loc_ = inst.loc;
    const ValueId result = inst.results.empty() ? kNone : inst.results[0];
    switch (edit.kind) {
      case Edit::Kind::kConstant:
        constant(f_.values[result], edit.number, result);
        return;
      case Edit::Kind::kUnchecked: {
        const ValueId flag = inst.results[1];
        inst.op = unchecked(inst.op);
        inst.results.resize(1);
        out_.push_back(std::move(inst));
        constant(Type::kI1, 0, flag);
        return;
      }
      case Edit::Kind::kMask:
      case Edit::Kind::kShift:
        inst.op = edit.kind == Edit::Kind::kMask ? Op::kAnd : Op::kShr;
        inst.args[1] = constant(Type::kI64, edit.number, new_value(Type::kI64));
        out_.push_back(std::move(inst));
        return;
      case Edit::Kind::kUnsigned: {
        const ValueId a = convert(inst.args[0], edit.type, new_value(edit.type));
        const ValueId b = convert(inst.args[1], edit.type, new_value(edit.type));
        const ValueId c = new_value(edit.type);
        emit(inst.op, edit.type, {a, b}, c);
        convert(c, Type::kI64, result);
        return;
      }
      case Edit::Kind::kRemove:
        if (inst.op != Op::kPollBr) return;
        remove_poll(inst);
        out_.push_back(std::move(inst));
        return;
    }
  }

  ValueId new_value(Type t) {
    f_.values.push_back(t);
    return static_cast<ValueId>(f_.values.size() - 1);
  }

  Inst& emit(Op op, Type t, std::vector<ValueId> args, ValueId result) {
    Inst& inst = out_.emplace_back();
    inst.op = op;
    inst.type = t;
    inst.loc = loc_;
    inst.args = std::move(args);
    inst.results = {result};
    return inst;
  }

  ValueId constant(Type t, std::int64_t number, ValueId result) {
    emit(Op::kConst, t, {}, result).imm = number;
    return result;
  }

  ValueId convert(ValueId v, Type to, ValueId result) {
    const Type from = f_.values[v];
    emit(Op::kConvert, to, {v}, result).type2 = from;
    return result;
  }

  Function& f_;
  std::vector<Inst> out_;
  ir::Loc loc_;
};

/// Functions, callers first as far as there are no cycles.
std::vector<std::uint32_t> callers_first(const Module& m) {
  const std::size_t count = m.functions.size();
  std::vector<std::vector<std::uint32_t>> callees(count);
  for (std::size_t i = 0; i < count; ++i) {
    for (const Block& b : m.functions[i].blocks) {
      for (const Inst& inst : b.insts) {
        if (inst.op == Op::kCall) callees[i].push_back(inst.index);
      }
    }
  }
  std::vector<std::uint32_t> order;
  std::vector<bool> seen(count, false);
  std::vector<std::pair<std::uint32_t, std::size_t>> stack;
  for (std::uint32_t root = 0; root < count; ++root) {
    if (seen[root]) continue;
    seen[root] = true;
    stack.emplace_back(root, 0);
    while (!stack.empty()) {
      auto& [f, next] = stack.back();
      if (next == callees[f].size()) {
        order.push_back(f);
        stack.pop_back();
        continue;
      }
      const std::uint32_t callee = callees[f][next++];
      if (seen[callee]) continue;
      seen[callee] = true;
      stack.emplace_back(callee, 0);
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

/// Functions all of whose calls are in functions that come before them in `order`.
std::vector<bool> called_from_above(const Module& m, const std::vector<std::uint32_t>& order) {
  std::vector<std::size_t> place(m.functions.size(), 0);
  for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  std::vector<bool> known(m.functions.size());
  for (std::uint32_t i = 0; i < m.functions.size(); ++i) {
    known[i] = !m.functions[i].exported && !m.functions[i].c_abi;
  }
  for (std::uint32_t i = 0; i < m.functions.size(); ++i) {
    for (const Block& b : m.functions[i].blocks) {
      for (const Inst& inst : b.insts) {
        if (inst.op == Op::kCall && place[inst.index] <= place[i]) known[inst.index] = false;
      }
    }
  }
  return known;
}

std::vector<Interval> parameters(const Function& f, const std::vector<Interval>& from_calls) {
  std::vector<Interval> params;
  for (std::size_t k = 0; k < f.params.size(); ++k) {
    const bool known = k < from_calls.size() && !from_calls[k].empty();
    if (known || !ir::is_int(f.params[k])) {
      params.push_back(known ? from_calls[k] : Interval{});
    } else {
      params.push_back(full(f.params[k]));
    }
  }
  return params;
}

}  // namespace

bool fold_ranges(Module& m) {
  const std::vector<std::uint32_t> order = callers_first(m);
  const std::vector<bool> known = called_from_above(m, order);
  std::vector<std::vector<Interval>> calls(m.functions.size());
  bool changed = false;
  for (const std::uint32_t i : order) {
    Function& f = m.functions[i];
    ValueRanges ranges(f, parameters(f, known[i] ? calls[i] : std::vector<Interval>{}));
    Inspection inspection(m, i, ranges, calls);
    ranges.walk(inspection);
    Rewriting(f).run(inspection.edits());
    changed = changed || !inspection.edits().empty();
  }
  return changed;
}

}  // namespace splice::opt
