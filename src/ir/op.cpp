#include "ir/op.h"

#include <array>
#include <cstddef>

#include "ir/op_shape.h"

namespace splice::ir {
namespace {

constexpr std::size_t kOps = static_cast<std::size_t>(Op::kCount);

constexpr OpShape typed(const char* name) { return {.name = name, .type = true}; }
constexpr OpShape plain(const char* name, Type fixed) { return {.name = name, .fixed = fixed}; }

constexpr std::array<OpShape, kOps + 1> make_table() {
  std::array<OpShape, kOps + 1> t{};
  auto set = [&t](Op op, OpShape s) { t[static_cast<std::size_t>(op)] = s; };
  set(Op::kConst, typed("const"));
  set(Op::kSymbol, {.name = "symbol", .type = true, .index = IndexUse::kSymbol});
  set(Op::kUndef, typed("undef"));
  set(Op::kCtx, plain("ctx", Type::kPtr));
  set(Op::kStackAddress, plain("stack.address", Type::kPtr));
  set(Op::kAdd, typed("add"));
  set(Op::kSub, typed("sub"));
  set(Op::kMul, typed("mul"));
  set(Op::kDiv, typed("div"));
  set(Op::kRem, typed("rem"));
  set(Op::kMod, typed("mod"));
  set(Op::kNeg, typed("neg"));
  set(Op::kAnd, typed("and"));
  set(Op::kOr, typed("or"));
  set(Op::kXor, typed("xor"));
  set(Op::kShl, typed("shl"));
  set(Op::kShr, typed("shr"));
  set(Op::kAddOv, typed("add.ov"));
  set(Op::kSubOv, typed("sub.ov"));
  set(Op::kMulOv, typed("mul.ov"));
  set(Op::kSqrt, typed("sqrt"));
  set(Op::kFloor, typed("floor"));
  set(Op::kCeil, typed("ceil"));
  set(Op::kTrunc, typed("trunc"));
  set(Op::kRint, typed("rint"));
  set(Op::kFabs, typed("fabs"));
  set(Op::kCopysign, typed("copysign"));
  set(Op::kFma, typed("fma"));
  set(Op::kEq, typed("eq"));
  set(Op::kNe, typed("ne"));
  set(Op::kLt, typed("lt"));
  set(Op::kLe, typed("le"));
  set(Op::kGt, typed("gt"));
  set(Op::kGe, typed("ge"));
  set(Op::kSelect, typed("select"));
  set(Op::kConvert, {.name = "convert", .type = true, .type2 = true});
  set(Op::kBitcast, {.name = "bitcast", .type = true, .type2 = true});
  set(Op::kComplex, plain("complex", Type::kC128));
  set(Op::kReal, plain("real", Type::kF64));
  set(Op::kImag, plain("imag", Type::kF64));
  set(Op::kLoad, {.name = "load", .type = true, .imms = 1});
  set(Op::kStore, {.name = "store", .type = true, .imms = 1, .effect = true});
  set(Op::kSlot, {.name = "slot", .fixed = Type::kPtr, .imms = 1});
  set(Op::kElements, plain("elements", Type::kPtr));
  set(Op::kHeader, plain("header", Type::kPtr));
  set(Op::kAddr, {.name = "addr", .fixed = Type::kPtr, .imms = 2});
  set(Op::kCall, {.name = "call", .index = IndexUse::kFunction, .effect = true});
  set(Op::kCallRuntime, {.name = "call.rt", .index = IndexUse::kSymbol, .effect = true});
  set(Op::kGuard, {.name = "guard", .index = IndexUse::kExit, .effect = true});
  set(Op::kPoll, {.name = "poll", .index = IndexUse::kExit, .effect = true});
  set(Op::kBr, {.name = "br", .targets = 1, .terminator = true, .effect = true});
  set(Op::kCondBr, {.name = "cond.br", .targets = 2, .terminator = true, .effect = true});
  set(Op::kPollBr, {.name = "poll.br",
                    .index = IndexUse::kExit,
                    .targets = 2,
                    .terminator = true,
                    .effect = true});
  set(Op::kSwitch,
      {.name = "switch", .type = true, .targets = 1, .terminator = true, .effect = true});
  set(Op::kRet, {.name = "ret", .imms = 1, .terminator = true, .effect = true});
  set(Op::kLeave, {.name = "leave", .index = IndexUse::kExit, .terminator = true, .effect = true});
  set(Op::kUnreachable, {.name = "unreachable", .terminator = true, .effect = true});
  set(Op::kPyTypeIs, {.name = "py.type.is", .fixed = Type::kI1, .index = IndexUse::kSymbol});
  set(Op::kPyUnboxInt, plain("py.unbox.int", Type::kI64));
  set(Op::kPyUnboxFloat, plain("py.unbox.float", Type::kF64));
  set(Op::kPyUnboxBool, plain("py.unbox.bool", Type::kI1));
  set(Op::kPyUnboxComplex, plain("py.unbox.complex", Type::kC128));
  set(Op::kPyBoxInt, plain("py.box.int", Type::kOwned));
  set(Op::kPyBoxFloat, plain("py.box.float", Type::kOwned));
  set(Op::kPyBoxBool, plain("py.box.bool", Type::kOwned));
  set(Op::kPyBoxComplex, plain("py.box.complex", Type::kOwned));
  set(Op::kPyIncref, {.name = "py.incref", .fixed = Type::kOwned, .effect = true});
  set(Op::kPyDecref, {.name = "py.decref", .effect = true});
  t[kOps] = plain("?", Type::kVoid);
  return t;
}

constexpr std::array<OpShape, kOps + 1> kTable = make_table();

constexpr bool every_op_has_a_shape() {
  for (const OpShape& s : kTable) {
    if (s.name == nullptr) return false;
  }
  return true;
}
static_assert(every_op_has_a_shape());

}  // namespace

const OpShape& op_shape(Op op) {
  const auto i = static_cast<std::size_t>(op);
  return kTable[i < kOps ? i : kOps];
}

const char* op_name(Op op) { return op_shape(op).name; }
bool is_terminator(Op op) { return op_shape(op).terminator; }
bool has_side_effect(Op op) { return op_shape(op).effect; }

}  // namespace splice::ir
