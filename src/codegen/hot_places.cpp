#include "codegen/hot_places.h"

#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/SSAUpdater.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "codegen/chunk_loops.h"
#include "layout/hot_place.h"

namespace splice::codegen {

namespace {

constexpr const char* kRest = "rest.";  // and the name of the function

/// Whether `v` is used on a way from the start of `block` that does not compute it again.
bool is_live_in(llvm::Instruction& v, llvm::BasicBlock* block) {
  llvm::SmallPtrSet<llvm::BasicBlock*, 32> seen;
  llvm::SmallVector<llvm::BasicBlock*, 16> todo;
  for (const llvm::Use& use : v.uses()) {
    auto* user = llvm::cast<llvm::Instruction>(use.getUser());
    auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
    todo.push_back(phi != nullptr ? phi->getIncomingBlock(use) : user->getParent());
  }
  while (!todo.empty()) {
    llvm::BasicBlock* at = todo.pop_back_val();
    if (at == v.getParent() || !seen.insert(at).second) continue;
    if (at == block) return true;
    todo.append(llvm::pred_begin(at), llvm::pred_end(at));
  }
  return false;
}

/// What must be handed over at the back edge of a loop: what is computed in front of it, and the
/// phis of its header, whose value in the next round is meant. The same for a module that was
/// written and read again.
std::vector<llvm::Instruction*> live_at(llvm::BasicBlock* header, const llvm::DominatorTree& tree) {
  std::vector<llvm::Instruction*> live;
  for (llvm::BasicBlock& block : *header->getParent()) {
    if (!tree.properlyDominates(&block, header)) continue;
    for (llvm::Instruction& inst : block) {
      if (inst.isUsedOutsideOfBlock(&block) && is_live_in(inst, header)) live.push_back(&inst);
    }
  }
  for (llvm::PHINode& phi : header->phis()) live.push_back(&phi);
  return live;
}

std::string types_of(const std::vector<llvm::Instruction*>& values) {
  std::string types;
  llvm::raw_string_ostream stream(types);
  for (const llvm::Instruction* v : values) {
    v->getType()->print(stream);
    stream << ' ';
  }
  return types;
}

/// 8-byte slots of a value that is handed over: an exit may need a structure, too.
std::uint64_t slots(const llvm::Instruction& v) {
  return llvm::divideCeil(v.getDataLayout().getTypeStoreSize(v.getType()).getFixedValue(), 8);
}

/// An exported copy of a function, with a pointer to values as one argument more.
llvm::Function* exported_copy(llvm::Function& f, llvm::ValueToValueMapTy& copies) {
  std::vector<llvm::Type*> params(f.getFunctionType()->params());
  params.push_back(llvm::PointerType::getUnqual(f.getContext()));
  auto* type = llvm::FunctionType::get(f.getReturnType(), params, false);
  llvm::Function* copy = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage,
                                                kRest + f.getName().str(), f.getParent());
  for (auto [from, to] : llvm::zip(f.args(), copy->args())) copies[&from] = &to;
  llvm::SmallVector<llvm::ReturnInst*, 4> returns;
  llvm::CloneFunctionInto(copy, &f, copies, llvm::CloneFunctionChangeType::LocalChangesOnly,
                          returns);
  copy->setLinkage(llvm::GlobalValue::ExternalLinkage);
  copy->setDSOLocal(true);
  return copy;
}

/// Makes the rest of a function: a copy that starts with a copy of the loop.
class Rest {
 public:
  Rest(llvm::Loop& loop, const std::vector<llvm::Instruction*>& live)
      : loop_(loop), live_(live), f_(*loop.getHeader()->getParent()) {
    rest_ = exported_copy(f_, copies_);
  }

  void make() {
    take_values();
    copy_loop();
    for (std::size_t i = 0; i < taken_.size(); ++i) {
      llvm::Instruction* v = live_[i];
      if (v->getParent() != loop_.getHeader()) reach(copied(v), taken_[i]);
    }
    drop_lifetimes();
    llvm::removeUnreachableBlocks(*rest_);
  }

 private:
  template <class T>
  T* copied(T* v) {
    return llvm::cast<T>(static_cast<llvm::Value*>(copies_[v]));
  }

  void take_values() {
    start_ = llvm::BasicBlock::Create(f_.getContext(), "resume", rest_, &rest_->getEntryBlock());
    llvm::IRBuilder<> builder(start_);
    llvm::Value* values = std::prev(rest_->arg_end());
    std::uint64_t slot = 0;
    for (llvm::Instruction* v : live_) {
      llvm::Value* at = builder.CreateConstInBoundsGEP1_64(builder.getInt64Ty(), values, slot);
      taken_.push_back(builder.CreateAlignedLoad(v->getType(), at, llvm::Align(8)));
      slot += slots(*v);
    }
  }

  // The loop may be entered again from a loop around it, so what starts here is a copy: a loop
  // with two entries would be none for LLVM.
  void copy_loop() {
    llvm::ValueToValueMapTy again;
    llvm::SmallVector<llvm::BasicBlock*, 16> blocks;
    for (llvm::BasicBlock* block : loop_.blocks()) {
      llvm::BasicBlock* copy = llvm::CloneBasicBlock(copied(block), again, ".again", rest_);
      again[copied(block)] = copy;
      blocks.push_back(copy);
    }
    llvm::remapInstructionsInBlocks(blocks, again);
    const auto copy_of = [&]<class T>(T* v) {
      const auto found = again.find(v);
      return found == again.end() ? v : llvm::cast<T>(static_cast<llvm::Value*>(found->second));
    };
    llvm::SmallVector<llvm::BasicBlock*, 8> exits;
    loop_.getUniqueExitBlocks(exits);
    for (llvm::BasicBlock* exit : exits) {
      for (llvm::PHINode& phi : copied(exit)->phis()) {
        for (unsigned i = 0, size = phi.getNumIncomingValues(); i < size; ++i) {
          phi.addIncoming(copy_of(phi.getIncomingValue(i)), copy_of(phi.getIncomingBlock(i)));
        }
      }
    }
    llvm::BasicBlock* before = copied(loop_.getLoopPreheader());
    for (std::size_t i = 0; i < taken_.size(); ++i) {
      auto* phi = llvm::dyn_cast<llvm::PHINode>(live_[i]);
      if (phi == nullptr || phi->getParent() != loop_.getHeader()) continue;
      llvm::PHINode* copy = copy_of(copied(phi));
      const auto from = static_cast<unsigned>(copy->getBasicBlockIndex(before));
      copy->setIncomingValue(from, taken_[i]);
      copy->setIncomingBlock(from, start_);
    }
    llvm::BranchInst::Create(copy_of(copied(loop_.getHeader())), start_);
  }

  /// `v` is what was handed over until it is computed again.
  static void reach(llvm::Instruction* v, llvm::Value* taken) {
    llvm::SSAUpdater values;
    values.Initialize(v->getType(), v->getName());
    values.AddAvailableValue(v->getParent(), v);
    values.AddAvailableValue(llvm::cast<llvm::Instruction>(taken)->getParent(), taken);
    llvm::SmallVector<llvm::Use*, 16> uses;
    for (llvm::Use& use : v->uses()) {
      const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
      if (user->getParent() != v->getParent() || llvm::isa<llvm::PHINode>(user)) {
        uses.push_back(&use);
      }
    }
    for (llvm::Use* use : uses) values.RewriteUse(*use);
  }

  /// They must name an alloca of their own function.
  void drop_lifetimes() {
    for (llvm::BasicBlock& block : *rest_) {
      for (llvm::Instruction& inst : llvm::make_early_inc_range(block)) {
        if (inst.isLifetimeStartOrEnd()) inst.eraseFromParent();
      }
    }
  }

  llvm::Loop& loop_;
  const std::vector<llvm::Instruction*>& live_;
  llvm::Function& f_;
  llvm::ValueToValueMapTy copies_;
  llvm::Function* rest_ = nullptr;
  llvm::BasicBlock* start_ = nullptr;
  std::vector<llvm::Value*> taken_;  ///< parallel to live_
};

/// A loop whose rounds are counted.
struct Counted {
  llvm::BasicBlock* header = nullptr;
  llvm::BasicBlock* latch = nullptr;
  std::size_t size = 0;  ///< instructions
  std::vector<llvm::Instruction*> live;
  llvm::BasicBlock* around = nullptr;  ///< header of the loop around it
};

/// The loops at `headers`, all of one function, in the form that their rest is made from.
void find_loops(llvm::ArrayRef<llvm::BasicBlock*> headers, std::vector<Counted>& all) {
  if (headers.empty()) return;
  llvm::DominatorTree tree(*headers.front()->getParent());
  llvm::LoopInfo loops(tree);
  for (llvm::BasicBlock* header : headers) {
    llvm::formLCSSA(*loops.getLoopFor(header), tree, &loops, nullptr);
  }
  for (llvm::BasicBlock* header : headers) {
    const llvm::Loop& loop = *loops.getLoopFor(header);
    std::size_t size = 0;
    for (const llvm::BasicBlock* block : loop.blocks()) size += block->size();
    const llvm::Loop* around = loop.getParentLoop();
    all.push_back({header, loop.getLoopLatch(), size, live_at(header, tree),
                   around != nullptr ? around->getHeader() : nullptr});
  }
}

/// Brings all loops of a function into LLVM's simplified form. Returns their headers, from the
/// inside out, so that what the form of an inner loop needs is there when an outer one is looked
/// at.
std::vector<llvm::BasicBlock*> simplify_loops(llvm::Function& f) {
  llvm::DominatorTree tree(f);
  llvm::LoopInfo loops(tree);
  if (loops.empty()) return {};
  llvm::AssumptionCache assumptions(f);
  for (llvm::Loop* loop : loops) {
    llvm::simplifyLoop(loop, &tree, &loops, nullptr, &assumptions, nullptr, false);
  }
  std::vector<llvm::BasicBlock*> headers;
  const auto outside_in = loops.getLoopsInPreorder();
  for (llvm::Loop* loop : llvm::reverse(outside_in)) {
    if (loop->isLoopSimplifyForm()) headers.push_back(loop->getHeader());
  }
  return headers;
}

/// Functions that may be called again, inside the module, before they return.
std::vector<llvm::Function*> recursive_functions(llvm::Module& module) {
  std::vector<llvm::Function*> found;
  llvm::CallGraph graph(module);
  for (auto component = llvm::scc_begin(&graph); !component.isAtEnd(); ++component) {
    if (!component.hasCycle()) continue;
    for (const llvm::CallGraphNode* node : *component) {
      llvm::Function* f = node->getFunction();
      if (f != nullptr && !f->isDeclaration() && f->hasLocalLinkage()) found.push_back(f);
    }
  }
  return found;
}

std::uint32_t number_of(const llvm::BasicBlock& block) {
  const llvm::Function& f = *block.getParent();
  return static_cast<std::uint32_t>(std::distance(f.begin(), block.getIterator()));
}

HotPlaces::Place place_of(const Counted& loop) {
  return {HotPlaces::Kind::kLoop,
          loop.header->getParent()->getName().str(),
          number_of(*loop.header),
          types_of(loop.live),
          {}};
}

/// Brings the loops of a function that is as lowered into the form in which they were counted.
void find_again(llvm::Function& f) {
  std::vector<Counted> loops;
  find_loops(simplify_loops(f), loops);
}

/// Counts rounds at the back edges of a module's loops, and calls.
class Counters {
 public:
  Counters(llvm::Module& module, const HotPlaceRuntime& runtime, std::size_t places)
      : module_(module), runtime_(runtime), builder_(module.getContext()) {
    record_type_ =
        llvm::StructType::get(builder_.getInt64Ty(), builder_.getPtrTy(), builder_.getInt64Ty());
    records_ = new llvm::GlobalVariable(module, llvm::ArrayType::get(record_type_, places), false,
                                        llvm::GlobalValue::InternalLinkage, nullptr, "hot");
    llvm::MDBuilder meta(module.getContext());
    llvm::MDNode* type = meta.createTBAAScalarTypeNode("hot loops", meta.createTBAARoot("splice"));
    tag_ = meta.createTBAAStructTagNode(type, type, 0);
    unlikely_ = meta.createUnlikelyBranchWeights();
    unit_ = module.getOrInsertGlobal(runtime.unit, builder_.getInt8Ty());
    llvm::Type* pointer = builder_.getPtrTy();
    compile_ = module.getOrInsertFunction(
        runtime.compile,
        llvm::FunctionType::get(pointer, {pointer, pointer, builder_.getInt32Ty()}, false));
    auto* compile = llvm::cast<llvm::Function>(compile_.getCallee());
    compile->addFnAttr(llvm::Attribute::Cold);
    compile->addFnAttr(llvm::Attribute::NoUnwind);
    compile->addFnAttr(llvm::Attribute::NonLazyBind);
  }

  void count(const Counted& loop, std::uint32_t index) {
    llvm::Function* f = loop.header->getParent();
    llvm::BasicBlock* round = block(*f, "round", loop.header);
    loop.latch->getTerminator()->replaceSuccessorWith(loop.header, round);
    for (llvm::PHINode& phi : loop.header->phis()) phi.replaceIncomingBlockWith(loop.latch, round);
    llvm::BasicBlock* ask = nullptr;
    llvm::Value* code = count_down(round, loop.header, rounds(loop), index, ask);
    for (llvm::PHINode& phi : loop.header->phis()) {
      phi.addIncoming(phi.getIncomingValueForBlock(round), ask);
    }
    hand_over(*f, loop, code, round);
  }

  /// At the start of a function: it goes on in the same function, compiled better.
  void count(llvm::Function& f, std::uint32_t index) {
    llvm::BasicBlock& entry = f.getEntryBlock();
    auto after_allocas = entry.begin();
    while (llvm::isa<llvm::AllocaInst>(*after_allocas)) ++after_allocas;
    llvm::BasicBlock* body = entry.splitBasicBlock(after_allocas, "body");
    for (llvm::Instruction& inst : llvm::make_early_inc_range(*body)) {
      auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(&inst);
      if (alloca != nullptr && llvm::isa<llvm::Constant>(alloca->getArraySize())) {
        alloca->moveBefore(entry.getTerminator()->getIterator());
      }
    }
    entry.getTerminator()->eraseFromParent();
    constexpr std::int64_t kRoundsPerCall = 32;
    llvm::BasicBlock* ask = nullptr;
    llvm::Value* code = count_down(
        &entry, body, std::max<std::int64_t>(runtime_.rounds / kRoundsPerCall, 1), index, ask);
    go_on(f, code,
          f.hasLocalLinkage() ? llvm::ConstantPointerNull::get(builder_.getPtrTy()) : nullptr);
  }

  void finish() {
    auto* type = llvm::cast<llvm::ArrayType>(records_->getValueType());
    records_->setInitializer(llvm::ConstantArray::get(type, at_first_));
    for (auto& [f, buffer] : buffers_) {
      buffer.first->setOperand(0, builder_.getInt32(static_cast<std::uint32_t>(buffer.second)));
    }
  }

 private:
  llvm::BasicBlock* block(llvm::Function& f, const char* name, llvm::BasicBlock* before) {
    return llvm::BasicBlock::Create(module_.getContext(), name, &f, before);
  }

  /// Fills `from`, which has no terminator: goes to `next` while there are rounds left, and also
  /// from `ask`, where no better code could be made. The builder stands where there is such code,
  /// which is the result.
  llvm::Value* count_down(llvm::BasicBlock* from, llvm::BasicBlock* next, std::int64_t rounds,
                          std::uint32_t index, llvm::BasicBlock*& ask) {
    llvm::Function& f = *from->getParent();
    llvm::Constant* at_first = builder_.getInt64(static_cast<std::uint64_t>(rounds));
    at_first_.push_back(llvm::ConstantStruct::get(
        record_type_, {at_first, llvm::ConstantPointerNull::get(builder_.getPtrTy()), at_first}));
    llvm::Value* record =
        builder_.CreateConstInBoundsGEP2_64(records_->getValueType(), records_, 0, index);
    llvm::BasicBlock* hot = block(f, "hot", next);
    ask = block(f, "ask", next);
    llvm::BasicBlock* go = block(f, "go", next);

    builder_.SetInsertPoint(from);
    llvm::Value* left = builder_.CreateSub(
        tagged(builder_.CreateLoad(builder_.getInt64Ty(), record)), builder_.getInt64(1));
    tagged(builder_.CreateStore(left, record));
    builder_.CreateCondBr(builder_.CreateICmpSLT(left, builder_.getInt64(0)), hot, next, unlikely_);

    builder_.SetInsertPoint(hot);
    llvm::Value* at = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), record,
                                                          offsetof(layout::HotPlace, rest));
    llvm::Value* known = tagged(builder_.CreateLoad(builder_.getPtrTy(), at));
    llvm::Value* often = builder_.CreateICmpEQ(
        left, builder_.getInt64(static_cast<std::uint64_t>(layout::kOftenHandedOver)));
    builder_.CreateCondBr(builder_.CreateOr(builder_.CreateIsNull(known), often), ask, go);

    builder_.SetInsertPoint(ask);
    llvm::CallInst* made =
        builder_.CreateCall(compile_, {unit_, record, builder_.getInt32(runtime_.first + index)});
    made->setDoesNotThrow();
    builder_.CreateCondBr(builder_.CreateIsNull(made), next, go);

    builder_.SetInsertPoint(go);
    llvm::PHINode* code = builder_.CreatePHI(builder_.getPtrTy(), 2);
    code->addIncoming(known, hot);
    code->addIncoming(made, ask);
    return code;
  }

  /// After which the loop is hot: the fewer the more it does in each.
  std::int64_t rounds(const Counted& loop) const {
    constexpr std::int64_t kSmall = 16;  // instructions
    constexpr std::int64_t kLeast = 4096;
    const std::int64_t as_long = runtime_.rounds * kSmall / static_cast<std::int64_t>(loop.size);
    return std::min(runtime_.rounds, std::max(kLeast, as_long));
  }

  template <class T>
  T* tagged(T* access) {
    access->setMetadata(llvm::LLVMContext::MD_tbaa, tag_);
    return access;
  }

  void hand_over(llvm::Function& f, const Counted& loop, llvm::Value* code,
                 llvm::BasicBlock* round) {
    auto& [buffer, words] = buffers_[&f];
    if (buffer == nullptr) {
      llvm::IRBuilder<> entry(&f.getEntryBlock(), f.getEntryBlock().begin());
      buffer = entry.CreateAlloca(entry.getInt64Ty(), entry.getInt32(1));
      buffer->setAlignment(llvm::Align(8));
    }
    std::uint64_t slot = 0;
    for (llvm::Instruction* v : loop.live) {
      auto* phi = llvm::dyn_cast<llvm::PHINode>(v);
      const bool carried = phi != nullptr && phi->getParent() == loop.header;
      llvm::Value* now = carried ? phi->getIncomingValueForBlock(round) : v;
      llvm::Value* at = builder_.CreateConstInBoundsGEP1_64(builder_.getInt64Ty(), buffer, slot);
      builder_.CreateAlignedStore(now, at, llvm::Align(8));
      slot += slots(*v);
    }
    words = std::max(words, slot);
    go_on(f, code, buffer);
  }

  /// Returns what `code` does for the arguments of `f` and, unless it is null, `values`.
  void go_on(llvm::Function& f, llvm::Value* code, llvm::Value* values) {
    std::vector<llvm::Type*> params(f.getFunctionType()->params());
    std::vector<llvm::Value*> args;
    std::vector<llvm::AttributeSet> attributes;
    for (llvm::Argument& arg : f.args()) {
      args.push_back(&arg);
      attributes.push_back(f.getAttributes().getParamAttrs(arg.getArgNo()));
    }
    if (values != nullptr) {
      params.push_back(values->getType());
      args.push_back(values);
      attributes.emplace_back();
    }
    llvm::CallInst* call =
        builder_.CreateCall(llvm::FunctionType::get(f.getReturnType(), params, false), code, args);
    call->setCallingConv(f.getCallingConv());
    call->setAttributes(llvm::AttributeList::get(module_.getContext(), {},
                                                 f.getAttributes().getRetAttrs(), attributes));
    call->setDoesNotThrow();
    if (f.getReturnType()->isVoidTy()) {
      builder_.CreateRetVoid();
    } else {
      builder_.CreateRet(call);
    }
  }

  llvm::Module& module_;
  const HotPlaceRuntime& runtime_;
  llvm::IRBuilder<> builder_;
  llvm::Value* unit_ = nullptr;
  llvm::FunctionCallee compile_;
  llvm::MDNode* tag_ = nullptr;
  llvm::MDNode* unlikely_ = nullptr;
  llvm::StructType* record_type_ = nullptr;  ///< layout::HotPlace
  llvm::GlobalVariable* records_ = nullptr;  ///< by index
  std::vector<llvm::Constant*> at_first_;
  llvm::DenseMap<llvm::Function*, std::pair<llvm::AllocaInst*, std::uint64_t>> buffers_;
};

}  // namespace

bool is_rest_link_name(std::string_view name) { return name.starts_with(kRest); }

HotPlaces count_chunk_loops(llvm::Module& module, const HotPlaceRuntime& runtime) {
  std::vector<Counted> loops;
  for (llvm::Function& f : module) {
    if (!f.isDeclaration()) find_loops(loops_to_chunk(f), loops);
  }
  HotPlaces found;
  if (loops.empty()) return found;
  for (const Counted& loop : loops) found.places.push_back(place_of(loop));
  llvm::raw_string_ostream stream(found.bitcode);
  llvm::WriteBitcodeToFile(module, stream);
  Counters counters(module, runtime, loops.size());
  for (std::uint32_t i = 0; i < loops.size(); ++i) counters.count(loops[i], i);
  counters.finish();
  return found;
}

HotPlaces count_all_places(llvm::Module& module, const HotPlaceRuntime& runtime) {
  std::vector<Counted> loops;
  std::vector<llvm::Function*> entries;
  for (llvm::Function& f : module) {
    if (f.isDeclaration()) continue;
    find_loops(simplify_loops(f), loops);
    if (!f.hasLocalLinkage()) entries.push_back(&f);
  }
  const std::vector<llvm::Function*> recursive = recursive_functions(module);
  const auto starts = static_cast<std::uint32_t>(loops.size());
  const auto entry = static_cast<std::uint32_t>(starts + recursive.size());
  HotPlaces found;
  // Before the functions get more blocks.
  for (const Counted& loop : loops) {
    const auto around =
        llvm::find_if(loops, [&](const Counted& other) { return other.header == loop.around; });
    found.places.push_back(place_of(loop));
    found.places.back().around =
        around != loops.end() ? static_cast<std::uint32_t>(around - loops.begin()) : entry;
  }
  for (llvm::Function* f : recursive)
    found.places.push_back({HotPlaces::Kind::kStart, f->getName().str(), 0, {}, entry});
  for (llvm::Function* f : entries)
    found.places.push_back({HotPlaces::Kind::kEntry, f->getName().str(), 0, {}, {}});
  Counters counters(module, runtime, found.places.size());
  for (std::uint32_t i = 0; i < loops.size(); ++i) counters.count(loops[i], i);
  for (std::uint32_t i = 0; i < recursive.size(); ++i) counters.count(*recursive[i], starts + i);
  for (std::uint32_t i = 0; i < entries.size(); ++i) counters.count(*entries[i], entry + i);
  counters.finish();
  return found;
}

std::unique_ptr<llvm::Module> read_back(const HotPlaces& hot, llvm::LLVMContext& context) {
  if (hot.bitcode.empty()) return nullptr;
  auto parsed = llvm::parseBitcodeFile(llvm::MemoryBufferRef(hot.bitcode, "rest"), context);
  if (parsed) return std::move(*parsed);
  llvm::consumeError(parsed.takeError());
  return nullptr;
}

bool make_rest(llvm::Module& module, const HotPlaces::Place& place, bool as_lowered) {
  if (place.kind == HotPlaces::Kind::kEntry) return false;
  llvm::Function* f = module.getFunction(place.function);
  if (f == nullptr) return false;
  if (as_lowered) find_again(*f);
  for (llvm::Function& other : module) {
    if (!other.isDeclaration()) other.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
  if (place.kind == HotPlaces::Kind::kStart) {
    llvm::ValueToValueMapTy copies;
    exported_copy(*f, copies);
    return true;
  }
  if (f->size() <= place.block) return false;
  llvm::BasicBlock* header = &*std::next(f->begin(), place.block);
  llvm::DominatorTree tree(*f);
  llvm::LoopInfo loops(tree);
  llvm::Loop* loop = loops.getLoopFor(header);
  const auto live = live_at(header, tree);
  if (loop == nullptr || loop->getHeader() != header || types_of(live) != place.live) return false;
  Rest(*loop, live).make();
  return true;
}

}  // namespace splice::codegen
