#include "codegen/expand_exits.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
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

/// The exit's block when it names its values and goes on, and nothing else.
bool is_plain_exit(const llvm::CallInst& call) {
  const llvm::BasicBlock& block = *call.getParent();
  return &block.front() == &call && call.getNextNode() == block.getTerminator() &&
         block.getSingleSuccessor() != nullptr;
}

/// Exits of the same values differ in the numbers that their blocks hand on: these become phis of
/// one block for all of them, behind which the values are named once.
void share_exits(const std::vector<llvm::CallInst*>& exits) {
  llvm::BasicBlock* const next = exits.front()->getParent()->getSingleSuccessor();
  llvm::BasicBlock* const shared =
      llvm::BasicBlock::Create(next->getContext(), "leave", next->getParent());
  for (llvm::PHINode& phi : next->phis()) {
    auto* merged =
        llvm::PHINode::Create(phi.getType(), static_cast<unsigned>(exits.size()), "", shared);
    for (llvm::CallInst* exit : exits) {
      llvm::BasicBlock* const block = exit->getParent();
      merged->addIncoming(phi.getIncomingValueForBlock(block), block);
      phi.removeIncomingValue(block, /*DeletePHIIfEmpty=*/false);
    }
    phi.addIncoming(merged, shared);
  }
  exits.front()->clone()->insertInto(shared, shared->end());
  llvm::BranchInst::Create(next, shared);
  for (llvm::CallInst* exit : exits) {
    exit->getParent()->getTerminator()->replaceSuccessorWith(next, shared);
    exit->eraseFromParent();
  }
}

void share_equal_exits(llvm::Module& module) {
  // By where they go and what they name; in the order in which they are met, so that equal modules
  // give equal code.
  using Shape = std::pair<llvm::BasicBlock*, std::vector<llvm::Value*>>;
  std::map<Shape, std::size_t> known;
  std::vector<std::vector<llvm::CallInst*>> groups;
  for (llvm::CallInst* call : calls_of(module, kLive)) {
    if (!is_plain_exit(*call)) continue;
    Shape shape{call->getParent()->getSingleSuccessor(), {call->arg_begin(), call->arg_end()}};
    const auto [found, is_new] = known.try_emplace(std::move(shape), groups.size());
    if (is_new) groups.emplace_back();
    groups[found->second].push_back(call);
  }
  for (const std::vector<llvm::CallInst*>& exits : groups)
    if (exits.size() > 1) share_exits(exits);
}

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
  share_equal_exits(module);
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
