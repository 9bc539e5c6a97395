#include "codegen/trial_rounds.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <vector>

#include "codegen/loop_analysis.h"
#include "codegen/module_lowering.h"

namespace splice::codegen {

namespace {

constexpr std::uint64_t kMostBytes = 8192;  // that stores of one loop overwrite in all rounds
constexpr const char* kOld = "old_values";

const llvm::CallInst* call_of_quiet(const llvm::Instruction& inst) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&inst);
  const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
  return callee != nullptr && callee->getName().contains("splice_rt_is_quiet") ? call : nullptr;
}

/// A branch that leaves the usual way where a float is unusual: not finite, or so small that bits
/// may have been lost.
struct Check {
  llvm::BranchInst* branch = nullptr;
  unsigned usual = 0;  ///< index of the successor
  llvm::Value* number = nullptr;
  const llvm::CallInst* quiet = nullptr;  ///< what would be asked
  /// When the number is found to be not finite: in its round; by a later check, for sums and
  /// products of what is not finite are not either; or, where the next round adds to it, at the
  /// end.
  enum class Seen { kNow, kLater, kAtEnd };
  Seen seen = Seen::kNow;
};

/// A store of each round, and what it overwrites.
struct Stored {
  llvm::StoreInst* store = nullptr;
  llvm::LoadInst* load = nullptr;  ///< of the same place, in each round; null: none yet
  const llvm::SCEV* start = nullptr;
  const llvm::SCEV* step = nullptr;  ///< bytes from round to round; null: none
  llvm::Value* old = nullptr;        ///< what was there, by round
};

class Trial {
 public:
  explicit Trial(const CopiedRounds& rounds)
      : rounds_(rounds),
        f_(*rounds.start->getParent()),
        context_(f_.getContext()),
        counting_(f_),
        loop_(counting_.loops.getLoopFor(rounds.again)) {}

  bool look() {
    if (loop_ == nullptr) return false;
    for (llvm::BasicBlock* block : rounds_.blocks) {
      if (rare_.contains(block)) continue;
      auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
      if (branch == nullptr) return false;
      if (branch->isConditional() && !find_check(branch) && leaves(*branch)) return false;
    }
    if (checks_.empty()) return false;
    for (llvm::BasicBlock* block : rounds_.blocks) {
      if (rare_.contains(block)) continue;
      for (llvm::Instruction& inst : *block) {
        // What a failed check would have kept from being converted.
        if (llvm::isa<llvm::FPToSIInst, llvm::FPToUIInst>(inst)) return false;
        if (!inst.mayWriteToMemory()) continue;
        auto* store = llvm::dyn_cast<llvm::StoreInst>(&inst);
        if (store == nullptr || !can_take_back(*store)) return false;
      }
    }
    for (Check& check : checks_) check.seen = seen_when(check);
    return bytes_of_old() <= kMostBytes;
  }

  void change() {
    llvm::IRBuilder<> builder(&f_.getEntryBlock(), f_.getEntryBlock().begin());
    bad_ = builder.CreateAlloca(builder.getInt1Ty());
    tiny_ = builder.CreateAlloca(builder.getInt1Ty());
    std::uint64_t offset = 0;
    for (Stored& stored : stored_) {
      stored.old = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), old_values(), offset);
      offset += bytes_of_old(stored);
    }
    builder.SetInsertPoint(rounds_.start->getTerminator());
    builder.CreateStore(builder.getFalse(), bad_);
    builder.CreateStore(builder.getFalse(), tiny_);
    for (const Stored& stored : stored_) keep_old(stored);
    for (const Check& check : checks_) collect(check);
    decide();
    for (llvm::BasicBlock* block : rare_) {
      // Nothing comes here any more; the exits behind it go with it.
      for (llvm::BasicBlock* next : llvm::successors(block)) next->removePredecessor(block, true);
      block->getTerminator()->eraseFromParent();
      llvm::IRBuilder<>(block).CreateUnreachable();
    }
    llvm::DominatorTree dominators(f_);
    llvm::PromoteMemToReg({bad_, tiny_}, dominators);
  }

 private:
  static llvm::Type* type_of(const Stored& stored) {
    return stored.store->getValueOperand()->getType();
  }

  std::uint64_t bytes_of_old(const Stored& stored) const {
    const std::uint64_t size = f_.getDataLayout().getTypeStoreSize(type_of(stored));
    return llvm::alignTo(size * rounds_.most, 64);
  }

  std::uint64_t bytes_of_old() const {
    std::uint64_t all = 0;
    for (const Stored& stored : stored_) all += bytes_of_old(stored);
    return all;
  }

  /// One for all loops of a function, of which one is in its rounds at a time.
  llvm::Value* old_values() {
    llvm::BasicBlock& entry = f_.getEntryBlock();
    for (llvm::Instruction& inst : entry)
      if (llvm::isa<llvm::AllocaInst>(inst) && inst.getName().starts_with(kOld)) return &inst;
    llvm::IRBuilder<> builder(&entry, entry.begin());
    auto* made =
        builder.CreateAlloca(llvm::ArrayType::get(builder.getInt8Ty(), kMostBytes), nullptr, kOld);
    made->setAlignment(llvm::Align(64));
    return made;
  }

  bool inside(const llvm::BasicBlock* block) const {
    return block == rounds_.again || llvm::is_contained(rounds_.blocks, block);
  }

  bool leaves(const llvm::BranchInst& branch) const {
    return !inside(branch.getSuccessor(0)) || !inside(branch.getSuccessor(1));
  }

  /// Whether the branch is a check: one way ends in a call of is_quiet and an exit, or joins the
  /// other way as if nothing had been.
  bool find_check(llvm::BranchInst* branch) {
    for (const unsigned usual : {0u, 1u}) {
      Check check{branch, usual};
      llvm::SmallPtrSet<llvm::BasicBlock*, 8> rare;
      if (!inside(branch->getSuccessor(usual))) continue;
      if (!is_rare(check, rare) || !find_number(check)) continue;
      rare_.insert(rare.begin(), rare.end());
      checks_.push_back(check);
      return true;
    }
    return false;
  }

  bool is_rare(Check& check, llvm::SmallPtrSet<llvm::BasicBlock*, 8>& rare) const {
    constexpr std::size_t kMost = 8;
    llvm::BasicBlock* joined = check.branch->getSuccessor(check.usual);
    llvm::SmallVector<llvm::BasicBlock*, 8> work{check.branch->getSuccessor(1 - check.usual)};
    while (!work.empty()) {
      llvm::BasicBlock* block = work.pop_back_val();
      if (block == joined || !inside(block) || rare.contains(block)) continue;
      if (block == rounds_.again || rare.size() == kMost) return false;
      if (!llvm::isa<llvm::BranchInst>(block->getTerminator())) return false;
      rare.insert(block);
      for (llvm::Instruction& inst : *block) {
        if (const llvm::CallInst* call = call_of_quiet(inst)) {
          if (check.quiet != nullptr) return false;
          check.quiet = call;
        } else if (inst.mayReadOrWriteMemory() || llvm::isa<llvm::PHINode>(inst)) {
          return false;
        }
      }
      work.append(llvm::succ_begin(block), llvm::succ_end(block));
    }
    if (check.quiet == nullptr) return false;
    for (llvm::BasicBlock* block : rare) {
      for (llvm::BasicBlock* from : llvm::predecessors(block))
        if (from != check.branch->getParent() && !rare.contains(from)) return false;
      for (llvm::Instruction& inst : *block)
        for (llvm::User* user : inst.users())
          if (inside(llvm::cast<llvm::Instruction>(user)->getParent()) &&
              !rare.contains(llvm::cast<llvm::Instruction>(user)->getParent()))
            return false;
    }
    for (llvm::PHINode& phi : joined->phis()) {
      llvm::Value* usual = phi.getIncomingValueForBlock(check.branch->getParent());
      for (llvm::BasicBlock* block : rare)
        if (const int i = phi.getBasicBlockIndex(block); i >= 0)
          if (phi.getIncomingValue(static_cast<unsigned>(i)) != usual) return false;
    }
    return true;
  }

  /// The parts of a condition that hold together where a float is usual, inverted or not.
  static void parts_of(const Check& check, llvm::SmallVectorImpl<llvm::CmpInst*>& parts, bool& ok) {
    llvm::SmallVector<llvm::Value*, 4> work{check.branch->getCondition()};
    const auto joint = check.usual == 0 ? llvm::Instruction::And : llvm::Instruction::Or;
    while (!work.empty()) {
      llvm::Value* part = work.pop_back_val();
      auto* both = llvm::dyn_cast<llvm::BinaryOperator>(part);
      auto* compare = llvm::dyn_cast<llvm::FCmpInst>(part);
      if (both != nullptr && both->getOpcode() == joint) {
        work.append(both->op_begin(), both->op_end());
      } else if (compare != nullptr) {
        parts.push_back(compare);
      } else {
        ok = false;
      }
    }
  }

  static bool is_tiny_test(const llvm::CmpInst& compare) {
    const auto* bound = llvm::dyn_cast<llvm::ConstantFP>(compare.getOperand(1));
    return bound != nullptr &&
           bound->getValueAPF().bitwiseIsEqual(
               llvm::APFloat::getSmallestNormalized(bound->getValueAPF().getSemantics()));
  }

  static bool is_large_test(const llvm::CmpInst& compare) {
    const auto* bound = llvm::dyn_cast<llvm::ConstantFP>(compare.getOperand(1));
    return bound != nullptr && bound->getValueAPF().isLargest() && !bound->isNegative();
  }

  static bool find_number(Check& check) {
    llvm::SmallVector<llvm::CmpInst*, 2> parts;
    bool ok = true;
    parts_of(check, parts, ok);
    for (llvm::CmpInst* part : parts) {
      llvm::Value* number = nullptr;
      if (!llvm::PatternMatch::match(
              part->getOperand(0),
              llvm::PatternMatch::m_FAbs(llvm::PatternMatch::m_Value(number))) ||
          (check.number != nullptr && check.number != number) ||
          !(is_tiny_test(*part) || is_large_test(*part)))
        return false;
      check.number = number;
    }
    return ok && check.number != nullptr;
  }

  /// Whether what `user` computes of `number` in each round is checked, and not finite where that
  /// is not.
  bool passes_on(const llvm::User& user, const llvm::Value& number) const {
    const auto* inst = llvm::dyn_cast<llvm::BinaryOperator>(&user);
    if (inst == nullptr || !each_round(inst->getParent())) return false;
    switch (inst->getOpcode()) {
      case llvm::Instruction::FAdd:
      case llvm::Instruction::FSub:
      case llvm::Instruction::FMul:
        break;
      case llvm::Instruction::FDiv:
        if (inst->getOperand(0) == &number) break;
        return false;
      default:
        return false;
    }
    return llvm::any_of(checks_, [&](const Check& check) {
      return check.number == inst && each_round(check.branch->getParent()) &&
             large_test(check) != nullptr;
    });
  }

  Check::Seen seen_when(const Check& check) const {
    if (!each_round(check.branch->getParent())) return Check::Seen::kNow;
    for (const llvm::User* user : check.number->users()) {
      if (passes_on(*user, *check.number)) return Check::Seen::kLater;
      const auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
      if (phi == nullptr || phi->getParent() != rounds_.blocks.front()) continue;
      for (const llvm::User* next : phi->users())
        if (passes_on(*next, *phi)) return Check::Seen::kAtEnd;
    }
    return Check::Seen::kNow;
  }

  static llvm::CmpInst* large_test(const Check& check) {
    llvm::SmallVector<llvm::CmpInst*, 2> parts;
    bool ok = true;
    parts_of(check, parts, ok);
    for (llvm::CmpInst* part : parts)
      if (is_large_test(*part)) return part;
    return nullptr;
  }

  bool each_round(const llvm::BasicBlock* block) const {
    return counting_.dominators.dominates(block, rounds_.again);
  }

  bool can_take_back(llvm::StoreInst& store) {
    llvm::Type* type = store.getValueOperand()->getType();
    if (!store.isSimple() || !is_memory_of(kElementsMemory, store) ||
        !(type->isFloatingPointTy() || type->isIntegerTy()))
      return false;
    llvm::ScalarEvolution& evolution = counting_.evolution;
    const llvm::SCEV* place = evolution.getSCEV(store.getPointerOperand());
    Stored stored{&store};
    const auto* steps = llvm::dyn_cast<llvm::SCEVAddRecExpr>(place);
    if (steps != nullptr && steps->getLoop() == loop_ && steps->isAffine()) {
      stored.start = steps->getStart();
      stored.step = steps->getStepRecurrence(evolution);
    } else {
      stored.start = place;
    }
    llvm::SCEVExpander expander(evolution, "");
    for (const llvm::SCEV* part : {stored.start, stored.step}) {
      if (part == nullptr) continue;
      if (!evolution.isLoopInvariant(part, loop_) ||
          !expander.isSafeToExpandAt(part, rounds_.start->getTerminator()))
        return false;
    }
    if (!each_round(store.getParent()) && !find_load(stored)) return false;
    stored_.push_back(stored);
    return true;
  }

  /// What is stored now and then only is read in each round, so that it can be.
  bool find_load(Stored& stored) {
    for (llvm::BasicBlock* block : rounds_.blocks) {
      if (rare_.contains(block) || !each_round(block)) continue;
      for (llvm::Instruction& inst : *block) {
        auto* load = llvm::dyn_cast<llvm::LoadInst>(&inst);
        if (load == nullptr || !load->isSimple() ||
            load->getType() != stored.store->getValueOperand()->getType() ||
            !counting_.dominators.dominates(load, stored.store))
          continue;
        if (counting_.evolution.getSCEV(load->getPointerOperand()) !=
            counting_.evolution.getSCEV(stored.store->getPointerOperand()))
          continue;
        stored.load = load;
        return true;
      }
    }
    return false;
  }

  void keep_old(const Stored& stored) {
    llvm::IRBuilder<> builder(stored.store);
    if (stored.load != nullptr) builder.SetInsertPoint(stored.load->getNextNode());
    llvm::Type* type = type_of(stored);
    llvm::Value* old = stored.load;
    if (old == nullptr) {
      auto* load = builder.CreateAlignedLoad(type, stored.store->getPointerOperand(),
                                             stored.store->getAlign());
      load->copyMetadata(*stored.store, {llvm::LLVMContext::MD_tbaa});
      old = load;
    }
    builder.CreateStore(old, builder.CreateInBoundsGEP(type, stored.old, {rounds_.round}));
  }

  void collect(const Check& check) {
    llvm::SmallVector<llvm::CmpInst*, 2> parts;
    bool ok = true;
    parts_of(check, parts, ok);
    llvm::IRBuilder<> builder(check.branch);
    for (llvm::CmpInst* part : parts) {
      llvm::Value* unusual = part;
      if (check.usual == 0) {
        builder.SetInsertPoint(part->getNextNode());
        unusual = builder.CreateFCmp(part->getInversePredicate(), part->getOperand(0),
                                     part->getOperand(1));
      }
      builder.SetInsertPoint(check.branch);
      const bool tiny = is_tiny_test(*part);
      if (!tiny && check.seen == Check::Seen::kAtEnd) at_end_.push_back(unusual);
      if (!tiny && check.seen != Check::Seen::kNow) continue;
      llvm::AllocaInst* flag = tiny ? tiny_ : bad_;
      llvm::Value* so_far = builder.CreateLoad(builder.getInt1Ty(), flag);
      builder.CreateStore(builder.CreateOr(so_far, unusual), flag);
    }
    llvm::BasicBlock* usual = check.branch->getSuccessor(check.usual);
    llvm::BasicBlock* from = check.branch->getParent();
    check.branch->getSuccessor(1 - check.usual)->removePredecessor(from, true);
    builder.CreateBr(usual);
    check.branch->eraseFromParent();
  }

  llvm::BasicBlock* new_block(const char* name) {
    return llvm::BasicBlock::Create(context_, name, &f_, rounds_.checked);
  }

  /// Behind the last round.
  void decide() {
    llvm::BasicBlock* end = new_block("judge");
    llvm::BasicBlock* lost = new_block("lost_bits");
    llvm::BasicBlock* good = new_block("good");
    llvm::BasicBlock* undo = new_block("undo");
    rounds_.again->getTerminator()->replaceSuccessorWith(rounds_.head, end);
    for (llvm::PHINode& phi : rounds_.head->phis())
      phi.replaceIncomingBlockWith(rounds_.again, good);
    llvm::MDNode* unlikely = llvm::MDBuilder(context_).createUnlikelyBranchWeights();
    llvm::IRBuilder<> builder(end);
    llvm::BasicBlock* fine = new_block("finite");
    llvm::Value* bad = builder.CreateLoad(builder.getInt1Ty(), bad_);
    for (llvm::Value* unusual : at_end_) bad = builder.CreateOr(bad, unusual);
    builder.CreateCondBr(bad, undo, fine, unlikely);
    builder.SetInsertPoint(fine);
    builder.CreateCondBr(builder.CreateLoad(builder.getInt1Ty(), tiny_), lost, good, unlikely);
    builder.SetInsertPoint(good);
    builder.CreateBr(rounds_.head);
    // Of a product of the smallest normal numbers all bits are lost.
    builder.SetInsertPoint(lost);
    const llvm::CallInst* like = checks_.front().quiet;
    llvm::Type* type = like->getArgOperand(1)->getType();
    llvm::Value* least = llvm::ConstantFP::get(
        context_, llvm::APFloat::getSmallestNormalized(type->getFltSemantics()));
    llvm::CallInst* asked = builder.CreateCall(like->getFunctionType(), like->getCalledOperand(),
                                               {builder.getInt32('*'), least, least});
    asked->setAttributes(like->getAttributes());
    builder.CreateCondBr(builder.CreateIsNull(asked), undo, good);
    take_back(undo);
  }

  void take_back(llvm::BasicBlock* undo) {
    llvm::BasicBlock* done = undo;
    llvm::IRBuilder<> builder(undo);
    if (!stored_.empty()) {
      llvm::BasicBlock* back = new_block("back");
      done = new_block("undone");
      builder.CreateBr(back);
      builder.SetInsertPoint(back);
      llvm::PHINode* left = builder.CreatePHI(builder.getInt64Ty(), 2);
      llvm::Value* round = builder.CreateSub(left, builder.getInt64(1));
      left->addIncoming(rounds_.rounds, undo);
      left->addIncoming(round, back);
      llvm::SCEVExpander expander(counting_.evolution, "");
      llvm::Instruction* outside = rounds_.start->getTerminator();
      for (const Stored& stored : llvm::reverse(stored_)) {
        llvm::Type* type = type_of(stored);
        llvm::Value* place = expander.expandCodeFor(
            stored.start, stored.store->getPointerOperand()->getType(), outside);
        if (stored.step != nullptr) {
          llvm::Value* step = expander.expandCodeFor(stored.step, builder.getInt64Ty(), outside);
          place = builder.CreateGEP(builder.getInt8Ty(), place, {builder.CreateMul(round, step)});
        }
        llvm::Value* old =
            builder.CreateLoad(type, builder.CreateInBoundsGEP(type, stored.old, {round}));
        auto* restored = builder.CreateAlignedStore(old, place, stored.store->getAlign());
        restored->copyMetadata(*stored.store, {llvm::LLVMContext::MD_tbaa});
      }
      builder.CreateCondBr(builder.CreateIsNull(round), done, back);
      builder.SetInsertPoint(done);
    }
    builder.CreateBr(rounds_.checked);
    for (const auto& [phi, in] : rounds_.before) phi->addIncoming(in, done);
  }

  const CopiedRounds& rounds_;
  llvm::Function& f_;
  llvm::LLVMContext& context_;
  Counting counting_;
  llvm::Loop* loop_;
  std::vector<Check> checks_;
  std::vector<Stored> stored_;
  llvm::SmallPtrSet<llvm::BasicBlock*, 16> rare_;
  std::vector<llvm::Value*> at_end_;  ///< what must not be in the last round
  llvm::AllocaInst* bad_ = nullptr;
  llvm::AllocaInst* tiny_ = nullptr;  ///< bits may have been lost
};

}  // namespace

bool check_afterwards(const CopiedRounds& rounds) {
  Trial trial(rounds);
  if (!trial.look()) return false;
  trial.change();
  return true;
}

}  // namespace splice::codegen
