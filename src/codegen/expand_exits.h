// codegen/expand_exits.h: the live values of exits, as LLVM sees them. Internal to codegen.
//
// Exits store more values than all other code of a module together. While LLVM optimises they are
// operands of one call per exit, which no pass has to look into; a stack buffer with hundreds of
// stores takes a fourth of the time of compilation.
#pragma once

#include "codegen/llvm_ir.h"

namespace splice::codegen {

/// void (...): names the live values of an exit. The next call on the way is the one below.
llvm::FunctionCallee live_values_function(llvm::Module& module);
/// void (ptr to, i64 words): copies the values named last to `to`.
llvm::FunctionCallee take_values_function(llvm::Module& module);

/// Replaces both by stores to a buffer on the stack of each function and a copy of it; exits of the
/// same values share the stores. Runs once, after all optimisation.
void expand_exits(llvm::Module& module);

}  // namespace splice::codegen
