// Arithmetic: wrapping, checked, floating, and the float functions that IEEE defines exactly.
#include "codegen/function_lowering.h"
#include "codegen/modulo.h"

namespace splice::codegen {

using ir::Op;
using ir::Type;

namespace {

/// A float that LLVM knows nothing of. It takes the sign of a NaN for something that may be
/// anything: -x + y becomes y - x, -(x * y) x * -y, x * -1.0 becomes -x; Python code can see it
/// (math.copysign, numpy.signbit).
llvm::Value* opaque(llvm::IRBuilder<>& b, llvm::Value* value) {
  return b.CreateArithmeticFence(value, value->getType());
}

llvm::Value* negated(llvm::IRBuilder<>& b, llvm::Value* value) {
  return opaque(b, b.CreateFNeg(opaque(b, value)));
}

/// An operand of -1.0 or -0.0, with which an operation could become a change of sign.
llvm::Value* operand(llvm::IRBuilder<>& b, llvm::Value* value) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantFP>(value);
  const bool changes_sign =
      constant != nullptr && (constant->isExactlyValue(-1.0) || constant->isExactlyValue(-0.0));
  return changes_sign ? opaque(b, value) : value;
}

}  // namespace

void FunctionLowering::lower_arith(const ir::Inst& inst) {
  if (inst.type == Type::kC128) return lower_complex_arith(inst);
  const bool real = ir::is_float(inst.type);
  const bool is_signed = ir::is_signed_int(inst.type);
  llvm::Value* a = use1(inst, 0);
  if (inst.op == Op::kNeg) {
    return define(inst, real ? negated(builder_, a) : builder_.CreateNeg(a));
  }
  llvm::Value* b = use1(inst, 1);
  if (real) {
    a = operand(builder_, a);
    b = operand(builder_, b);
  }
  switch (inst.op) {
    case Op::kAdd:
      return define(inst, real ? builder_.CreateFAdd(a, b) : builder_.CreateAdd(a, b));
    case Op::kSub:
      return define(inst, real ? builder_.CreateFSub(a, b) : builder_.CreateSub(a, b));
    case Op::kMul:
      return define(inst, real ? builder_.CreateFMul(a, b) : builder_.CreateMul(a, b));
    case Op::kDiv:
      if (real) return define(inst, builder_.CreateFDiv(a, b));
      return define(inst, is_signed ? builder_.CreateSDiv(a, b) : builder_.CreateUDiv(a, b));
    case Op::kRem:
      if (real) return define(inst, builder_.CreateFRem(a, b));
      return define(inst, is_signed ? builder_.CreateSRem(a, b) : builder_.CreateURem(a, b));
    case Op::kMod:
      return define(inst, create_modulo(builder_, a, b, is_signed));
    case Op::kAnd:
      return define(inst, builder_.CreateAnd(a, b));
    case Op::kOr:
      return define(inst, builder_.CreateOr(a, b));
    case Op::kXor:
      return define(inst, builder_.CreateXor(a, b));
    case Op::kShl:
      return define(inst, builder_.CreateShl(a, b));
    default:  // kShr
      return define(inst, is_signed ? builder_.CreateAShr(a, b) : builder_.CreateLShr(a, b));
  }
}

void FunctionLowering::lower_complex_arith(const ir::Inst& inst) {
  const Lowered a = use(inst.args[0]);
  if (inst.op == Op::kNeg) {
    return define(inst, negated(builder_, a.first), negated(builder_, a.second));
  }
  const Lowered b = use(inst.args[1]);
  switch (inst.op) {
    case Op::kAdd:
      return define(inst, builder_.CreateFAdd(a.first, b.first),
                    builder_.CreateFAdd(a.second, b.second));
    case Op::kSub:
      return define(inst, builder_.CreateFSub(a.first, b.first),
                    builder_.CreateFSub(a.second, b.second));
    case Op::kMul: {
      llvm::Value* rr = builder_.CreateFMul(a.first, b.first);
      llvm::Value* ii = builder_.CreateFMul(a.second, b.second);
      llvm::Value* ri = builder_.CreateFMul(a.first, b.second);
      llvm::Value* ir = builder_.CreateFMul(a.second, b.first);
      return define(inst, builder_.CreateFSub(rr, ii), builder_.CreateFAdd(ri, ir));
    }
    default:
      return fail(ErrorCode::kInvalidArgument,
                  std::string(ir::op_name(inst.op)) + " has no complex form");
  }
}

void FunctionLowering::lower_checked(const ir::Inst& inst) {
  const bool is_signed = ir::is_signed_int(inst.type);
  llvm::Intrinsic::ID id = llvm::Intrinsic::not_intrinsic;
  if (inst.op == Op::kAddOv) {
    id = is_signed ? llvm::Intrinsic::sadd_with_overflow : llvm::Intrinsic::uadd_with_overflow;
  } else if (inst.op == Op::kSubOv) {
    id = is_signed ? llvm::Intrinsic::ssub_with_overflow : llvm::Intrinsic::usub_with_overflow;
  } else {
    id = is_signed ? llvm::Intrinsic::smul_with_overflow : llvm::Intrinsic::umul_with_overflow;
  }
  llvm::Value* both = builder_.CreateBinaryIntrinsic(id, use1(inst, 0), use1(inst, 1));
  values_[inst.results[0]] = {builder_.CreateExtractValue(both, 0), nullptr};
  values_[inst.results[1]] = {builder_.CreateExtractValue(both, 1), nullptr};
}

void FunctionLowering::lower_float_function(const ir::Inst& inst) {
  llvm::Intrinsic::ID id = llvm::Intrinsic::not_intrinsic;
  switch (inst.op) {
    case Op::kSqrt:
      id = llvm::Intrinsic::sqrt;
      break;
    case Op::kFloor:
      id = llvm::Intrinsic::floor;
      break;
    case Op::kCeil:
      id = llvm::Intrinsic::ceil;
      break;
    case Op::kTrunc:
      id = llvm::Intrinsic::trunc;
      break;
    case Op::kRint:
      id = llvm::Intrinsic::rint;
      break;
    case Op::kFabs:
      id = llvm::Intrinsic::fabs;
      break;
    case Op::kCopysign:
      id = llvm::Intrinsic::copysign;
      break;
    default:  // kFma
      id = llvm::Intrinsic::fma;
      break;
  }
  llvm::SmallVector<llvm::Value*, 3> args;
  for (ir::ValueId arg : inst.args) args.push_back(use(arg).first);
  define(inst, builder_.CreateIntrinsic(id, {scalar(inst.type)}, args));
}

}  // namespace splice::codegen
