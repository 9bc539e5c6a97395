// codegen/unfold_recursion.h: functions that call themselves.
#pragma once

#include "codegen/llvm_ir.h"

namespace splice::codegen {

/// Gives a function that always hands itself null for an argument (the object that a number came
/// from) a copy for that argument, which it calls instead: nothing has to be done for objects
/// there. True when there are such. Their results, null again, are left to constant propagation.
bool copy_for_null_arguments(llvm::Module& module);

/// Puts small functions that call themselves into themselves once, so that half of the calls go
/// away. Each level still counts its depth and tests the limits as before. True when there are
/// such.
bool unfold_recursion(llvm::Module& module);

}  // namespace splice::codegen
