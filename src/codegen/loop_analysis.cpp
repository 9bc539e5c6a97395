#include "codegen/loop_analysis.h"

namespace splice::codegen {

Counting::Counting(llvm::Function& f)
    : none(f.getParent()->getTargetTriple()),
      library(none),
      assumptions(f),
      dominators(f),
      loops(dominators),
      evolution(f, library, assumptions, dominators, loops) {
  none.disableAllFunctions();
}

bool is_memory_of(llvm::StringRef memory, const llvm::Instruction& access) {
  const llvm::MDNode* tag = access.getMetadata(llvm::LLVMContext::MD_tbaa);
  const auto* type = tag == nullptr ? nullptr : llvm::dyn_cast<llvm::MDNode>(tag->getOperand(1));
  const auto* name =
      type == nullptr ? nullptr : llvm::dyn_cast<llvm::MDString>(type->getOperand(0));
  return name != nullptr && name->getString() == memory;
}

}  // namespace splice::codegen
