#include "codegen/unfold_recursion.h"

#include <llvm/Transforms/Utils/Cloning.h>

namespace splice::codegen {

namespace {

constexpr std::size_t kMostCalls = 3;
constexpr std::size_t kMostInstructions = 150;

llvm::SmallVector<llvm::CallInst*, 4> self_calls(llvm::Function& f) {
  llvm::SmallVector<llvm::CallInst*, 4> calls;
  for (llvm::BasicBlock& block : f) {
    for (llvm::Instruction& inst : block) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(&inst);
      if (call != nullptr && call->getCalledFunction() == &f) calls.push_back(call);
    }
  }
  return calls;
}

std::vector<llvm::Function*> recursive_functions(llvm::Module& module) {
  std::vector<llvm::Function*> found;
  for (llvm::Function& f : module) {
    if (!f.isDeclaration() && !self_calls(f).empty()) found.push_back(&f);
  }
  return found;
}

std::size_t size_of(const llvm::Function& f) {
  std::size_t size = 0;
  for (const llvm::BasicBlock& block : f) size += block.size();
  return size;
}

}  // namespace

bool copy_for_null_arguments(llvm::Module& module) {
  bool changed = false;
  for (llvm::Function* f : recursive_functions(module)) {
    const auto calls = self_calls(*f);
    llvm::SmallVector<llvm::Argument*, 4> null;
    for (llvm::Argument& arg : f->args()) {
      const bool all = !arg.use_empty() && llvm::all_of(calls, [&](llvm::CallInst* call) {
        return llvm::isa<llvm::ConstantPointerNull>(call->getArgOperand(arg.getArgNo()));
      });
      if (all) null.push_back(&arg);
    }
    if (null.empty()) continue;
    llvm::ValueToValueMapTy copies;
    llvm::Function* copy = llvm::CloneFunction(f, copies);
    copy->setLinkage(llvm::GlobalValue::InternalLinkage);
    for (llvm::Argument* arg : null) {
      llvm::Argument* same = copy->getArg(arg->getArgNo());
      same->replaceAllUsesWith(
          llvm::ConstantPointerNull::get(llvm::cast<llvm::PointerType>(arg->getType())));
    }
    for (llvm::CallInst* call : calls) {
      call->setCalledFunction(copy);
      llvm::cast<llvm::CallInst>(static_cast<llvm::Value*>(copies[call]))->setCalledFunction(copy);
    }
    changed = true;
  }
  return changed;
}

bool unfold_recursion(llvm::Module& module) {
  bool changed = false;
  for (llvm::Function* f : recursive_functions(module)) {
    const auto calls = self_calls(*f);
    if (calls.size() > kMostCalls || size_of(*f) > kMostInstructions) continue;
    llvm::ValueToValueMapTy copies;
    llvm::Function* inner = llvm::CloneFunction(f, copies);
    inner->setLinkage(llvm::GlobalValue::InternalLinkage);
    for (llvm::CallInst* call : calls) {
      call->setCalledFunction(inner);
      llvm::InlineFunctionInfo info;
      llvm::InlineFunction(*call, info);
    }
    if (inner->use_empty()) inner->eraseFromParent();
    changed = true;
  }
  return changed;
}

}  // namespace splice::codegen
