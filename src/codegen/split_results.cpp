#include "codegen/split_results.h"

#include <llvm/Analysis/ValueTracking.h>

namespace splice::codegen {

namespace {

bool only_fields_are_used(const llvm::PHINode& phi) {
  return llvm::isa<llvm::StructType>(phi.getType()) &&
         llvm::all_of(phi.users(), [](const llvm::User* user) {
           const auto* field = llvm::dyn_cast<llvm::ExtractValueInst>(user);
           return field != nullptr && field->getNumIndices() == 1;
         });
}

llvm::Value* field_of(llvm::Value* whole, unsigned index, llvm::BasicBlock* end_of) {
  if (llvm::Value* known = llvm::FindInsertedValue(whole, index)) return known;
  llvm::IRBuilder<> builder(end_of->getTerminator());
  return builder.CreateExtractValue(whole, index);
}

void split(llvm::PHINode& phi) {
  llvm::SmallDenseMap<unsigned, llvm::PHINode*> fields;
  for (llvm::User* user : llvm::make_early_inc_range(phi.users())) {
    auto* use = llvm::cast<llvm::ExtractValueInst>(user);
    const unsigned index = use->getIndices()[0];
    llvm::PHINode*& field = fields[index];
    if (field == nullptr) {
      field =
          llvm::PHINode::Create(use->getType(), phi.getNumIncomingValues(), "", phi.getIterator());
      for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
        llvm::BasicBlock* from = phi.getIncomingBlock(i);
        // A block that comes in twice must bring one value.
        const int before = field->getBasicBlockIndex(from);
        field->addIncoming(before >= 0 ? field->getIncomingValue(static_cast<unsigned>(before))
                                       : field_of(phi.getIncomingValue(i), index, from),
                           from);
      }
    }
    use->replaceAllUsesWith(field);
    use->eraseFromParent();
  }
  phi.eraseFromParent();
}

}  // namespace

bool split_results(llvm::Function& function) {
  llvm::SmallVector<llvm::PHINode*, 8> found;
  for (llvm::BasicBlock& block : function) {
    for (llvm::PHINode& phi : block.phis()) {
      if (only_fields_are_used(phi)) found.push_back(&phi);
    }
  }
  for (llvm::PHINode* phi : found) split(*phi);
  return !found.empty();
}

}  // namespace splice::codegen
