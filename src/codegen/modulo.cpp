#include "codegen/modulo.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <string>
#include <vector>

namespace splice::codegen {
namespace {

constexpr llvm::StringRef kSigned = "splice.mod.i";
constexpr llvm::StringRef kUnsigned = "splice.mod.u";

bool calls(const llvm::CallInst& call, llvm::StringRef name) {
  const llvm::Function* callee = call.getCalledFunction();
  return callee != nullptr && callee->getName().starts_with(name);
}

/// The remainder of a division that traps for no operands, with the divisor's sign.
llvm::Value* divide(llvm::IRBuilder<>& builder, llvm::Value* a, llvm::Value* b, bool is_signed) {
  llvm::Value* zero = llvm::ConstantInt::get(a->getType(), 0);
  llvm::Value* one = llvm::ConstantInt::get(a->getType(), 1);
  if (!is_signed) {
    llvm::Value* divisor = builder.CreateSelect(builder.CreateICmpEQ(b, zero), one, b);
    return builder.CreateURem(a, divisor);
  }
  // By 0 and -1: nothing is left of a division by 1.
  llvm::Value* small = builder.CreateICmpULE(builder.CreateAdd(b, one), one);
  llvm::Value* rest = builder.CreateSRem(a, builder.CreateSelect(small, one, b));
  llvm::Value* other_sign = builder.CreateAnd(
      builder.CreateICmpNE(rest, zero), builder.CreateICmpSLT(builder.CreateXor(rest, b), zero));
  return builder.CreateAdd(rest, builder.CreateSelect(other_sign, b, zero));
}

/// Products, and sums with one, as of hashes and random numbers: beyond the divisor as a rule, and
/// below it by chance, which costs more than a division.
bool has_product(const llvm::Value* v, int depth = 3) {
  using namespace llvm::PatternMatch;
  const llvm::Value* x = nullptr;
  const llvm::Value* y = nullptr;
  const auto checked = [&](llvm::Intrinsic::ID id) {
    const llvm::Value* call = nullptr;
    if (!match(v, m_ExtractValue<0>(m_Value(call)))) return false;
    const auto* op = llvm::dyn_cast<llvm::WithOverflowInst>(call);
    if (op == nullptr || op->getIntrinsicID() != id) return false;
    x = op->getLHS();
    y = op->getRHS();
    return true;
  };
  if (match(v, m_Mul(m_Value(), m_Value())) || checked(llvm::Intrinsic::smul_with_overflow))
    return true;
  if (depth == 0) return false;
  return (match(v, m_Add(m_Value(x), m_Value(y))) || match(v, m_Sub(m_Value(x), m_Value(y))) ||
          checked(llvm::Intrinsic::sadd_with_overflow) ||
          checked(llvm::Intrinsic::ssub_with_overflow)) &&
         (has_product(x, depth - 1) || has_product(y, depth - 1));
}

void expand(llvm::CallInst* call) {
  llvm::Value* a = call->getArgOperand(0);
  llvm::Value* b = call->getArgOperand(1);
  const bool is_signed = !is_unsigned_modulo(*call);
  llvm::IRBuilder<> builder(call);
  llvm::Value* result = nullptr;
  if (llvm::isa<llvm::Constant>(b) || has_product(a)) {
    result = divide(builder, a, b, is_signed);
  } else {
    llvm::Value* below = builder.CreateICmpULT(a, b);
    if (is_signed) {
      llvm::Value* zero = llvm::ConstantInt::get(a->getType(), 0);
      below = builder.CreateAnd(builder.CreateICmpSGT(b, zero), below);
    }
    llvm::BasicBlock* const from = call->getParent();
    llvm::Instruction* slow =
        llvm::SplitBlockAndInsertIfThen(builder.CreateNot(below), call, /*Unreachable=*/false);
    builder.SetInsertPoint(slow);
    llvm::Value* rest = divide(builder, a, b, is_signed);
    builder.SetInsertPoint(call);
    llvm::PHINode* phi = builder.CreatePHI(a->getType(), 2);
    phi->addIncoming(a, from);
    phi->addIncoming(rest, slow->getParent());
    result = phi;
  }
  call->replaceAllUsesWith(result);
  call->eraseFromParent();
}

}  // namespace

llvm::Value* create_modulo(llvm::IRBuilder<>& builder, llvm::Value* a, llvm::Value* b,
                           bool is_signed) {
  llvm::Type* type = a->getType();
  llvm::Module& module = *builder.GetInsertBlock()->getModule();
  const std::string name =
      (is_signed ? kSigned : kUnsigned).str() + std::to_string(type->getIntegerBitWidth());
  llvm::Function* function = module.getFunction(name);
  if (function == nullptr) {
    function = llvm::Function::Create(llvm::FunctionType::get(type, {type, type}, false),
                                      llvm::GlobalValue::ExternalLinkage, name, module);
    for (const auto attribute :
         {llvm::Attribute::NoUnwind, llvm::Attribute::WillReturn, llvm::Attribute::NoCallback,
          llvm::Attribute::NoSync, llvm::Attribute::NoFree, llvm::Attribute::Speculatable})
      function->addFnAttr(attribute);
    function->setDoesNotAccessMemory();
  }
  return builder.CreateCall(function, {a, b});
}

bool is_unsigned_modulo(const llvm::CallInst& call) { return calls(call, kUnsigned); }

bool is_modulo(const llvm::CallInst& call) {
  return calls(call, kSigned) || is_unsigned_modulo(call);
}

llvm::ConstantRange modulo_range(const llvm::CallInst& call, const llvm::ConstantRange& a,
                                 const llvm::ConstantRange& b) {
  const unsigned bits = a.getBitWidth();
  const llvm::APInt zero = llvm::APInt::getZero(bits);
  if (is_unsigned_modulo(call)) {
    const llvm::ConstantRange rest = a.urem(b);
    return rest.isEmptySet() ? llvm::ConstantRange(zero) : rest;
  }
  // [lowest divisor + 1, highest - 1], and 0.
  const llvm::APInt low = b.getSignedMin();
  const llvm::APInt high = b.getSignedMax();
  return llvm::ConstantRange::getNonEmpty(low.isNegative() ? low + 1 : zero,
                                          high.isStrictlyPositive() ? high : zero + 1);
}

bool expand_modulos(llvm::Function& function) {
  std::vector<llvm::CallInst*> calls;
  for (llvm::Instruction& inst : llvm::instructions(function)) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(&inst);
    if (call != nullptr && is_modulo(*call)) calls.push_back(call);
  }
  for (llvm::CallInst* call : calls) expand(call);
  return !calls.empty();
}

}  // namespace splice::codegen
