// codegen/split_results.h: what inlined functions return, as one value per result.
#pragma once

#include "codegen/llvm_ir.h"

namespace splice::codegen {

/// A function with several returns that is inlined leaves a phi of whole structs behind, through
/// which LLVM doesn't see that one path has status 0. Gives each field that is used a phi of its
/// own. True when anything changed.
bool split_results(llvm::Function& function);

}  // namespace splice::codegen
