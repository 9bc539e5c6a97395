#include "opt/fold_constants.h"

#include <bit>
#include <cmath>
#include <optional>
#include <vector>

#include "ir/dominators.h"
#include "ir/evaluate.h"
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
using ir::Type;
using ir::Value;
using ir::ValueId;

bool has_nan(Type t, const Value& v) {
  switch (t) {
    case Type::kF64:
      return std::isnan(std::bit_cast<double>(v.low));
    case Type::kF32:
      return std::isnan(std::bit_cast<float>(static_cast<std::uint32_t>(v.low)));
    case Type::kC128:
      return std::isnan(std::bit_cast<double>(v.low)) || std::isnan(std::bit_cast<double>(v.high));
    default:
      return false;
  }
}

Inst make_constant(Type t, const Value& v, ValueId result, ir::Loc loc) {
  Inst inst;
  inst.op = Op::kConst;
  inst.type = t;
  inst.imm = ir::is_signed_int(t) ? ir::as_int(t, v) : static_cast<std::int64_t>(v.low);
  inst.imm2 = static_cast<std::int64_t>(v.high);
  inst.loc = loc;
  inst.results = {result};
  return inst;
}

class Pass {
 public:
  explicit Pass(Function& f)
      : f_(f), replacements_(f.values.size()), known_(f.values.size()), made_(f.values.size()) {}

  bool run() {
    // Definitions come before uses in this order, so one walk is enough.
    const ir::Dominators dominators(f_);
    for (const BlockId b : dominators.order()) block(f_.blocks[b]);
    replacements_.apply(f_);
    return changed_;
  }

 private:
  void block(Block& b) {
    std::vector<Inst> out;
    out.reserve(b.insts.size());
    for (Inst& inst : b.insts) {
      for (ValueId& v : inst.args) v = replacements_.find(v);
      if (ir::is_terminator(inst.op)) {
        terminator(inst);
        out.push_back(std::move(inst));
      } else if (!fold(inst, out)) {
        for (const ValueId v : inst.results) made_[v] = inst.op;
        remember(inst);
        out.push_back(std::move(inst));
      }
    }
    b.insts = std::move(out);
  }

  void remember(const Inst& inst) {
    if (inst.op == Op::kConst) known_[inst.results[0]] = ir::constant_value(inst);
    // What a later op may look through: not (xor with true) and complex numbers.
    if (inst.op == Op::kComplex || (inst.op == Op::kXor && inst.type == Type::kI1)) {
      parts_.push_back({inst.args[0], inst.args[1]});
      part_of_.resize(f_.values.size(), kNone);
      part_of_[inst.results[0]] = static_cast<std::uint32_t>(parts_.size() - 1);
    }
  }

  bool is_constant(ValueId v) const { return known_[v].has_value(); }

  bool fold(Inst& inst, std::vector<Inst>& out) {
    if (!ir::is_computation(inst.op)) return false;
    if (evaluate(inst, out)) return true;
    const ValueId same = simplify(inst);
    // A select of obj may have an obj.own arm, which is not what users of the result expect.
    if (same == kNone || f_.values[same] != f_.values[inst.results[0]]) return false;
    replacements_.set(inst.results[0], same);
    if (inst.results.size() > 1) emit(Type::kI1, Value{}, inst.results[1], inst.loc, out);
    changed_ = true;
    return true;
  }

  void emit(Type t, const Value& v, ValueId result, ir::Loc loc, std::vector<Inst>& out) {
    out.push_back(make_constant(t, v, result, loc));
    known_[result] = v;
    changed_ = true;
  }

  bool evaluate(const Inst& inst, std::vector<Inst>& out) {
    Value args[3];
    for (std::size_t i = 0; i < inst.args.size(); ++i) {
      if (!is_constant(inst.args[i])) return false;
      args[i] = *known_[inst.args[i]];
    }
    const auto r = ir::evaluate(inst, {args, inst.args.size()});
    const Type t = f_.values[inst.results[0]];
    if (!r.ok() || has_nan(t, r->first)) return false;
    emit(t, r->first, inst.results[0], inst.loc, out);
    if (inst.results.size() > 1) emit(Type::kI1, r->second, inst.results[1], inst.loc, out);
    return true;
  }

  bool is_int_constant(ValueId v, std::int64_t n) const {
    const Type t = f_.values[v];
    return ir::is_int(t) && is_constant(v) && *known_[v] == ir::int_value(t, n);
  }

  /// The operand that the first result equals, kNone when there is none. A second result (overflow)
  /// is false then.
  ValueId simplify(const Inst& inst) const {
    const auto arg = [&](std::size_t i) { return inst.args[i]; };
    switch (inst.op) {
      case Op::kSelect:
        if (is_constant(arg(0))) return arg(is_int_constant(arg(0), 1) ? 1 : 2);
        return arg(1) == arg(2) ? arg(1) : kNone;
      case Op::kReal:
      case Op::kImag: {
        const auto* parts = parts_of(arg(0), Op::kComplex);
        if (parts == nullptr) return kNone;
        return inst.op == Op::kReal ? parts->first : parts->second;
      }
      case Op::kConvert:
      case Op::kBitcast:
        return inst.type == inst.type2 ? arg(0) : kNone;
      default:
        return ir::is_int(inst.type) ? neutral(inst) : kNone;
    }
  }

  ValueId neutral(const Inst& inst) const {
    if (inst.args.size() != 2) return kNone;
    const ValueId a = inst.args[0];
    const ValueId b = inst.args[1];
    const auto either = [&](std::int64_t n) {
      return is_int_constant(b, n) ? a : is_int_constant(a, n) ? b : kNone;
    };
    switch (inst.op) {
      case Op::kAdd:
      case Op::kAddOv:
        return either(0);
      case Op::kMul:
      case Op::kMulOv:
        return either(1);
      case Op::kSub:
      case Op::kSubOv:
      case Op::kShl:
      case Op::kShr:
        return is_int_constant(b, 0) ? a : kNone;
      case Op::kDiv:
        return is_int_constant(b, 1) ? a : kNone;
      case Op::kAnd:
        return a == b ? a : either(inst.type == Type::kI1 ? 1 : -1);
      case Op::kOr:
        return a == b ? a : either(0);
      case Op::kXor: {
        const auto* inner = parts_of(a, Op::kXor);
        if (inner != nullptr && is_int_constant(b, 1) && is_int_constant(inner->second, 1)) {
          return inner->first;  // not not x
        }
        return either(0);
      }
      default:
        return kNone;
    }
  }

  const std::pair<ValueId, ValueId>* parts_of(ValueId v, Op op) const {
    if (made_[v] != op || v >= part_of_.size() || part_of_[v] == kNone) return nullptr;
    return &parts_[part_of_[v]];
  }

  void terminator(Inst& inst) {
    if (inst.op != Op::kCondBr && inst.op != Op::kSwitch) return;
    std::size_t chosen = 0;
    if (is_constant(inst.args[0])) {
      chosen = taken(inst);
    } else if (!all_targets_equal(inst)) {
      return;
    }
    Target target = std::move(inst.targets[chosen]);
    const ir::Loc loc = inst.loc;
    inst = Inst{};
    inst.op = Op::kBr;
    inst.loc = loc;
    inst.targets.push_back(std::move(target));
    changed_ = true;
  }

  std::size_t taken(const Inst& inst) const {
    const Value& v = *known_[inst.args[0]];
    if (inst.op == Op::kCondBr) return v.low != 0 ? 0 : 1;
    const std::int64_t n = ir::as_int(inst.type, v);
    for (std::size_t i = 0; i < inst.cases.size(); ++i) {
      if (inst.cases[i] == n) return i;
    }
    return inst.cases.size();
  }

  bool all_targets_equal(Inst& inst) {
    for (Target& t : inst.targets) {
      for (ValueId& v : t.args) v = replacements_.find(v);
    }
    for (const Target& t : inst.targets) {
      if (t.block != inst.targets[0].block || t.args != inst.targets[0].args) return false;
    }
    return true;
  }

  Function& f_;
  Replacements replacements_;
  std::vector<std::optional<Value>> known_;
  std::vector<Op> made_;  ///< op that makes the value, as far as the walk has come
  std::vector<std::pair<ValueId, ValueId>> parts_;
  std::vector<std::uint32_t> part_of_;
  bool changed_ = false;
};

}  // namespace

bool fold_constants(Function& f) { return Pass(f).run(); }

}  // namespace splice::opt
