// Comparisons, selects and conversions.
#include "codegen/function_lowering.h"

namespace splice::codegen {

using ir::Op;
using ir::Type;
using Predicate = llvm::CmpInst::Predicate;

namespace {

Predicate float_predicate(Op op) {
  switch (op) {
    case Op::kEq:
      return Predicate::FCMP_OEQ;
    case Op::kNe:
      return Predicate::FCMP_UNE;  // a NaN differs from everything
    case Op::kLt:
      return Predicate::FCMP_OLT;
    case Op::kLe:
      return Predicate::FCMP_OLE;
    case Op::kGt:
      return Predicate::FCMP_OGT;
    default:
      return Predicate::FCMP_OGE;
  }
}

Predicate int_predicate(Op op, bool is_signed) {
  switch (op) {
    case Op::kEq:
      return Predicate::ICMP_EQ;
    case Op::kNe:
      return Predicate::ICMP_NE;
    case Op::kLt:
      return is_signed ? Predicate::ICMP_SLT : Predicate::ICMP_ULT;
    case Op::kLe:
      return is_signed ? Predicate::ICMP_SLE : Predicate::ICMP_ULE;
    case Op::kGt:
      return is_signed ? Predicate::ICMP_SGT : Predicate::ICMP_UGT;
    default:
      return is_signed ? Predicate::ICMP_SGE : Predicate::ICMP_UGE;
  }
}

}  // namespace

void FunctionLowering::lower_compare(const ir::Inst& inst) {
  // `type` is that of the operands.
  const Type type = type_of(inst.args[0]);
  const Lowered a = use(inst.args[0]);
  const Lowered b = use(inst.args[1]);
  if (type == Type::kC128) {
    if (inst.op != Op::kEq && inst.op != Op::kNe) {
      return fail(ErrorCode::kInvalidArgument, "complex numbers have no order");
    }
    const Predicate predicate = float_predicate(inst.op);
    llvm::Value* real = builder_.CreateFCmp(predicate, a.first, b.first);
    llvm::Value* imaginary = builder_.CreateFCmp(predicate, a.second, b.second);
    return define(inst, inst.op == Op::kEq ? builder_.CreateAnd(real, imaginary)
                                           : builder_.CreateOr(real, imaginary));
  }
  if (ir::is_float(type)) {
    return define(inst, builder_.CreateFCmp(float_predicate(inst.op), a.first, b.first));
  }
  const Predicate predicate = int_predicate(inst.op, ir::is_signed_int(type));
  define(inst, builder_.CreateICmp(predicate, a.first, b.first));
}

void FunctionLowering::lower_convert(const ir::Inst& inst) {
  if (inst.op == Op::kSelect) {
    llvm::Value* cond = use1(inst, 0);
    const Lowered a = use(inst.args[1]);
    const Lowered b = use(inst.args[2]);
    const MemoryClass ma = memory_[inst.args[1]];
    if (ma == memory_[inst.args[2]]) memory_[inst.results[0]] = ma;
    return define(inst, builder_.CreateSelect(cond, a.first, b.first),
                  a.second != nullptr ? builder_.CreateSelect(cond, a.second, b.second) : nullptr);
  }
  if (inst.op == Op::kComplex) return define(inst, use1(inst, 0), use1(inst, 1));
  const Lowered operand = use(inst.args[0]);
  if (inst.op == Op::kReal) return define(inst, operand.first);
  if (inst.op == Op::kImag) return define(inst, operand.second);

  llvm::Value* value = operand.first;
  const Type from = type_of(inst.args[0]);
  const Type to = inst.type;
  llvm::Type* type = scalar(to);
  if (inst.op == Op::kBitcast) {
    if (value->getType() == type) {
      memory_[inst.results[0]] = memory_[inst.args[0]];
      return define(inst, value, operand.second);
    }
    if (ir::is_pointer(to)) return define(inst, builder_.CreateIntToPtr(value, type));
    if (ir::is_pointer(from)) return define(inst, builder_.CreatePtrToInt(value, type));
    return define(inst, builder_.CreateBitCast(value, type));
  }

  const bool from_signed = ir::is_signed_int(from);
  if (ir::is_int(from) && ir::is_int(to)) {
    return define(inst, builder_.CreateIntCast(value, type, from_signed));
  }
  if (ir::is_int(from)) {
    return define(inst, from_signed ? builder_.CreateSIToFP(value, type)
                                    : builder_.CreateUIToFP(value, type));
  }
  if (ir::is_int(to)) {
    llvm::Value* whole = ir::is_signed_int(to) ? builder_.CreateFPToSI(value, type)
                                               : builder_.CreateFPToUI(value, type);
    // Out of range LLVM gives poison, which a later range test must be able to look at.
    return define(inst, builder_.CreateFreeze(whole));
  }
  define(inst, builder_.CreateFPCast(value, type));
}

}  // namespace splice::codegen
