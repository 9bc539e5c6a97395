#include "codegen/expand_exits.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace splice::codegen {

namespace {

constexpr const char* kLive = "splice.live_values";
constexpr const char* kTake = "splice.take_values";

llvm::FunctionCallee declare(llvm::Module& module, const char* name, llvm::FunctionType* type) {
  if (llvm::Function* made = module.getFunction(name)) return made;
  auto* function = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, name, module);
  llvm::AttrBuilder attributes(module.getContext());
  attributes.addAttribute(llvm::Attribute::NoUnwind);
  attributes.addAttribute(llvm::Attribute::WillReturn);
  attributes.addAttribute(llvm::Attribute::NoCallback);
  attributes.addAttribute(llvm::Attribute::Cold);
  function->addFnAttrs(attributes);
  return function;
}

std::vector<llvm::CallInst*> calls_of(llvm::Module& module, const char* name) {
  std::vector<llvm::CallInst*> calls;
  llvm::Function* function = module.getFunction(name);
  if (function == nullptr) return calls;
  for (llvm::User* user : function->users()) calls.push_back(llvm::cast<llvm::CallInst>(user));
  return calls;
}

/// Stack buffers of the functions that have exits, each as big as its biggest exit.
class Buffers {
 public:
  explicit Buffers(llvm::Module& module) : builder_(module.getContext()) {}

  llvm::AllocaInst* of(llvm::Function* function, std::size_t words) {
    auto& [buffer, most] = buffers_[function];
    most = std::max(most, words);
    if (buffer == nullptr) {
      llvm::BasicBlock& entry = function->getEntryBlock();
      builder_.SetInsertPoint(&entry, entry.begin());
      buffer = builder_.CreateAlloca(builder_.getInt64Ty(), builder_.getInt32(1));
      buffer->setAlignment(llvm::Align(16));
    }
    buffer->setOperand(0, builder_.getInt32(static_cast<std::uint32_t>(most)));
    return buffer;
  }

 private:
  llvm::IRBuilder<> builder_;
  llvm::DenseMap<llvm::Function*, std::pair<llvm::AllocaInst*, std::size_t>> buffers_;
};

}  // namespace

llvm::FunctionCallee live_values_function(llvm::Module& module) {
  llvm::Type* nothing = llvm::Type::getVoidTy(module.getContext());
  return declare(module, kLive, llvm::FunctionType::get(nothing, {}, /*isVarArg=*/true));
}

llvm::FunctionCallee take_values_function(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  auto* type = llvm::FunctionType::get(
      llvm::Type::getVoidTy(context),
      {llvm::PointerType::getUnqual(context), llvm::Type::getInt64Ty(context)}, false);
  return declare(module, kTake, type);
}

void expand_exits(llvm::Module& module) {
  Buffers buffers(module);
  llvm::IRBuilder<> builder(module.getContext());
  llvm::Type* word = builder.getInt64Ty();
  for (llvm::CallInst* call : calls_of(module, kLive)) {
    llvm::AllocaInst* buffer = buffers.of(call->getFunction(), call->arg_size());
    builder.SetInsertPoint(call);
    for (unsigned i = 0; i < call->arg_size(); ++i) {
      llvm::Value* v = call->getArgOperand(i);
      if (v->getType()->isFloatTy()) v = builder.CreateBitCast(v, builder.getInt32Ty());
      if (v->getType()->isIntegerTy()) v = builder.CreateZExt(v, word);
      llvm::Value* at = builder.CreateConstInBoundsGEP1_64(word, buffer, i);
      builder.CreateAlignedStore(v, at, llvm::Align(8));
    }
    call->eraseFromParent();
  }
  for (llvm::CallInst* call : calls_of(module, kTake)) {
    llvm::AllocaInst* buffer = buffers.of(call->getFunction(), 1);
    builder.SetInsertPoint(call);
    llvm::Value* bytes = builder.CreateShl(call->getArgOperand(1), 3, "", /*HasNUW=*/true,
                                           /*HasNSW=*/true);
    builder.CreateMemCpy(call->getArgOperand(0), llvm::Align(8), buffer, llvm::Align(16), bytes);
    call->eraseFromParent();
  }
  for (const char* name : {kLive, kTake}) {
    if (llvm::Function* function = module.getFunction(name)) function->eraseFromParent();
  }
}

}  // namespace splice::codegen
