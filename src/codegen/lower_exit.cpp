// Guards, polls and leaves: the ways out of native code.
#include <algorithm>

#include "codegen/expand_exits.h"
#include "codegen/function_lowering.h"
#include "layout/context.h"

namespace splice::codegen {

using ir::Op;
using ir::Type;

llvm::BasicBlock* FunctionLowering::exit_block(const ir::Inst& inst, std::size_t first) {
  std::vector<ir::ValueId> live;
  if (source_.exits[inst.index].kind != ir::Exit::Kind::kRestart) {
    live.assign(inst.args.begin() + static_cast<std::ptrdiff_t>(first), inst.args.end());
  }
  // All guards with the same exit and live values share a block: what dominates each of them
  // dominates the block.
  llvm::BasicBlock*& block = exits_[{inst.index, std::move(live)}];
  if (block == nullptr) block = new_block("leave");
  return block;
}

void FunctionLowering::lower_exit(const ir::Inst& inst) {
  if (source_.c_abi) return fail(ErrorCode::kInvalidArgument, "a C function has no exits");
  if (inst.op == Op::kLeave) {
    builder_.CreateBr(exit_block(inst, 0));
    return;
  }
  llvm::BasicBlock* next = new_block("b");
  builder_.CreateCondBr(use1(inst, 0), next, exit_block(inst, 1), module_.likely());
  builder_.SetInsertPoint(next);
}

void FunctionLowering::lower_poll(const ir::Inst& inst) {
  using layout::Context;
  if (source_.c_abi) return fail(ErrorCode::kInvalidArgument, "a C function has no exits");
  auto* serve = llvm::dyn_cast_or_null<llvm::Function>(required_symbol("splice_rt_poll"));
  if (serve == nullptr) return fail(ErrorCode::kInvalidArgument, "splice_rt_poll is no function");

  llvm::Type* word_type = builder_.getInt32Ty();
  llvm::Value* word_at = context_field(offsetof(Context, eval_breaker), builder_.getPtrTy());
  llvm::Value* mask = context_field(offsetof(Context, eval_breaker_mask), word_type);
  // Other threads write the word: it is read again at each poll.
  llvm::LoadInst* word = builder_.CreateAlignedLoad(word_type, word_at, llvm::Align(4));
  word->setAtomic(llvm::AtomicOrdering::Monotonic);
  llvm::Value* asked = builder_.CreateIsNotNull(builder_.CreateAnd(word, mask));

  const bool branches = inst.op == Op::kPollBr;
  llvm::BasicBlock* slow = new_block("poll");
  llvm::BasicBlock* next = branches ? edge(inst.targets[1], false) : new_block("b");
  builder_.CreateCondBr(asked, slow, next, module_.unlikely());
  builder_.SetInsertPoint(slow);
  llvm::BasicBlock* served = branches ? edge(inst.targets[0], false) : next;
  llvm::CallInst* call = builder_.CreateCall(serve, {context_value()});
  call->addFnAttr(llvm::Attribute::Cold);
  llvm::Value* go_on = builder_.CreateIsNull(call);
  builder_.CreateCondBr(go_on, served, exit_block(inst, 0));
  if (!branches) builder_.SetInsertPoint(next);
}

// Runs after all blocks, when every live value has its LLVM value. Each exit block only names its
// live values and says who it is; what is common to all of them, the call of the runtime, stands in
// one block. So an exit costs few bytes and little time to compile, and no live value has to be
// kept in a register that survives calls. The stores are made after optimisation (expand_exits.h).
void FunctionLowering::finish_exits() {
  if (exits_.empty()) return;
  std::vector<Leaving> restarting;
  std::vector<Leaving> leaving;
  for (const auto& [key, block] : exits_) {
    const auto& [exit, live] = key;
    builder_.SetInsertPoint(block);
    llvm::SmallVector<llvm::Value*, 16> words;
    for (ir::ValueId id : live) append_values(id, words);
    if (!words.empty()) builder_.CreateCall(live_values_function(module_.module()), words);
    const bool restart = source_.exits[exit].kind == ir::Exit::Kind::kRestart;
    (restart ? restarting : leaving).push_back({block, exit, words.size()});
  }
  // Blocks with very many predecessors make several passes of LLVM quadratic.
  constexpr std::size_t kGroup = 64;
  const auto in_groups = [&](std::span<const Leaving> all, std::int32_t status) {
    for (std::size_t i = 0; i < all.size(); i += kGroup) {
      leave_together(all.subspan(i, std::min(kGroup, all.size() - i)), status);
    }
  };
  in_groups(restarting, layout::kRestart);
  in_groups(leaving, layout::kLeft);
}

// One call of the runtime for some exit blocks.
void FunctionLowering::leave_together(std::span<const Leaving> group, std::int32_t status) {
  llvm::GlobalValue* unit = required_symbol("splice_unit");
  llvm::GlobalValue* record = required_symbol("splice_rt_exit");
  if (unit == nullptr || record == nullptr) return;
  llvm::BasicBlock* common = new_block("leave");
  builder_.SetInsertPoint(common);
  llvm::Type* word = builder_.getInt64Ty();
  llvm::Type* pointer = builder_.getPtrTy();
  const auto size = static_cast<unsigned>(group.size());
  llvm::PHINode* exit = builder_.CreatePHI(word, size);
  llvm::PHINode* words = builder_.CreatePHI(word, size);
  std::size_t most = 0;
  for (const Leaving& one : group) {
    llvm::BranchInst::Create(common, one.from);
    exit->addIncoming(builder_.getInt64(one.exit), one.from);
    words->addIncoming(builder_.getInt64(one.words), one.from);
    most = std::max(most, one.words);
  }
  // Widened to 64 bits: right for whichever unsigned types the runtime declares.
  auto* type = llvm::FunctionType::get(pointer, {pointer, pointer, word, word, word}, false);
  llvm::CallInst* call = builder_.CreateCall(
      type, record, {context_value(), unit, builder_.getInt64(index_), exit, words});
  call->addFnAttr(llvm::Attribute::Cold);
  call->addFnAttr(llvm::Attribute::NoUnwind);
  if (most > 0) builder_.CreateCall(take_values_function(module_.module()), {call, words});
  llvm::Value* result = llvm::PoisonValue::get(function_->getReturnType());
  builder_.CreateRet(
      builder_.CreateInsertValue(result, builder_.getInt32(static_cast<std::uint32_t>(status)), 0));
}

}  // namespace splice::codegen
