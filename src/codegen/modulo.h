// codegen/modulo.h: ir::Op::kMod, as LLVM sees it. Internal to codegen.
//
// A modulus by a variable is a call that may be made anywhere (it has no undefined cases), so that
// loops keep what is the same in all rounds in front of them; LLVM never moves a division by a
// variable. Written out, it divides only where the dividend is not below the divisor already:
// indices that wrap around (`(i + 1) % n`) hardly ever are.
#pragma once

#include <llvm/IR/ConstantRange.h>

#include "codegen/llvm_ir.h"

namespace splice::codegen {

llvm::Value* create_modulo(llvm::IRBuilder<>& builder, llvm::Value* a, llvm::Value* b,
                           bool is_signed);

bool is_modulo(const llvm::CallInst& call);
bool is_unsigned_modulo(const llvm::CallInst& call);

/// What the result may be when the operands are in these ranges.
llvm::ConstantRange modulo_range(const llvm::CallInst& call, const llvm::ConstantRange& a,
                                 const llvm::ConstantRange& b);

/// Writes them out. True when there were any.
bool expand_modulos(llvm::Function& function);

}  // namespace splice::codegen
