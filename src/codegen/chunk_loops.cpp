#include "codegen/chunk_loops.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopIterator.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/SSAUpdater.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "codegen/loop_analysis.h"
#include "codegen/loop_bounds.h"
#include "codegen/module_lowering.h"
#include "codegen/modulo.h"
#include "codegen/split_results.h"
#include "codegen/trial_rounds.h"

namespace splice::codegen {

namespace {

constexpr std::size_t kMostInstructions = 80;  // of a loop
constexpr std::size_t kMostOfArrays = 600;     // of a loop over arrays: most of it goes
constexpr std::size_t kMostUnrolled = 96;      // of all rounds that are written out
constexpr unsigned kFewRounds = 8;             // powers of two
constexpr unsigned kLeastRounds = 4;           // that are worth the tests of what arrays are
constexpr unsigned kManyRounds = 64;           // of loops that count
constexpr unsigned kMostRounds = 256;          // over arrays
constexpr std::size_t kMostLoops = 16;         // of a function

/// A test whether a poll is due: the branch, and the block that calls the runtime.
struct Poll {
  llvm::BranchInst* branch;
  unsigned slow;  ///< index of the successor that calls
};

bool calls_poll(const llvm::BasicBlock& block) {
  return llvm::any_of(block, [](const llvm::Instruction& inst) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&inst);
    const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
    return callee != nullptr && callee->getName().ends_with("splice_rt_poll");
  });
}

/// What is changed, while a loop is looked at and copied.
class Chunking {
 public:
  Chunking(llvm::Loop& loop, llvm::DominatorTree& dominators, llvm::LoopInfo& loops)
      : loop_(loop), dominators_(dominators), loops_(loops), f_(*loop.getHeader()->getParent()) {}

  /// False when the loop is none for this; then nothing has changed.
  bool look() {
    if (!loop_.isLoopSimplifyForm()) return false;
    llvm::LoopBlocksRPO order(&loop_);
    order.perform(&loops_);
    blocks_.assign(order.begin(), order.end());
    for (llvm::BasicBlock* block : blocks_) {
      if (!is_plain(*block)) return false;
      size_ += block->size();
    }
    if (size_ > (reads_elements() ? kMostOfArrays : kMostInstructions)) return false;
    for (llvm::BasicBlock* block : blocks_) find_poll(*block);
    // Unrolling and peeling do better with so few.
    Counting counting(f_);
    const unsigned trips = counting.evolution.getSmallConstantMaxTripCount(
        counting.loops.getLoopFor(loop_.getHeader()));
    const bool arrays = reads_elements();
    if (trips != 0 && trips <= (arrays ? kFewRounds : kManyRounds)) return false;
    const unsigned most = arrays ? kMostRounds : kManyRounds;
    bounds_ = loop_bounds(loop_, blocks_, early_loads(), kFewRounds, most);
    // A check that has to stay costs other loops more than the chunk gains. Over arrays it does
    // not: the tests of what they are go.
    if (bounds_.rounds == 0 && arrays) bounds_.rounds = most;
    const bool tests = !bounds_.checks.empty() || !polls_.empty() || (arrays && blocks_.size() > 1);
    return bounds_.rounds > 0 && tests;
  }

  llvm::BasicBlock* copied_header() { return copied(loop_.getHeader()); }

  void change() {
    llvm::formLCSSA(loop_, dominators_, &loops_, nullptr);
    copy_blocks();
    connect();
    // All ways to the head are there before ScalarEvolution may add to its phis.
    if (!polls_.empty()) return_after_polls();
    drop_checks();
    drop_polls();
    look_for_writes();
    test_loads();
    drop_signs();
    stay_for_some_rounds();
    finish();
    // What the loop begins with where no chunk is made.
    std::vector<std::pair<llvm::PHINode*, llvm::Value*>> before;
    for (llvm::PHINode& phi : loop_.getHeader()->phis()) {
      before.emplace_back(&phi, phi.getIncomingValueForBlock(test_end()->getParent()));
    }
    llvm::removeUnreachableBlocks(f_);
    try_rounds(before);
  }

 private:
  bool is_plain(const llvm::BasicBlock& block) const {
    if (!llvm::isa<llvm::BranchInst, llvm::SwitchInst>(block.getTerminator())) return false;
    const bool poll = calls_poll(block);
    return llvm::all_of(block, [&](const llvm::Instruction& inst) {
      if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&inst)) {
        if (is_modulo(*call)) return true;
        const bool rare = call->hasFnAttr(llvm::Attribute::Cold);
        return poll || ((rare || llvm::isa<llvm::IntrinsicInst>(call)) && call->onlyReadsMemory() &&
                        call->onlyAccessesInaccessibleMemory());
      }
      return !llvm::isa<llvm::FenceInst, llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(inst);
    });
  }

  /// Ints of arrays that are read before a round has done anything: there it can still begin again
  /// as one of the loop as it was.
  std::vector<llvm::LoadInst*> early_loads() const {
    std::vector<llvm::LoadInst*> found;
    for (llvm::BasicBlock* block : blocks_) {
      if (calls_poll(*block)) continue;
      for (llvm::Instruction& inst : *block) {
        if (inst.mayWriteToMemory()) return found;
        auto* load = llvm::dyn_cast<llvm::LoadInst>(&inst);
        if (load != nullptr && load->isSimple() && load->getType()->isIntegerTy(64) &&
            is_memory_of(kElementsMemory, *load))
          found.push_back(load);
      }
    }
    return found;
  }

  void find_poll(llvm::BasicBlock& block) {
    auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (branch == nullptr || !branch->isConditional()) return;
    for (const unsigned i : {0u, 1u}) {
      llvm::BasicBlock* slow = branch->getSuccessor(i);
      if (loop_.contains(slow) && slow->getSinglePredecessor() == &block && calls_poll(*slow)) {
        polls_.push_back({branch, i});
      }
    }
  }

  void copy_blocks() {
    for (llvm::BasicBlock* block : blocks_) {
      llvm::BasicBlock* copy = llvm::CloneBasicBlock(block, copies_, ".chunk", &f_);
      copies_[block] = copy;
      copied_.push_back(copy);
    }
    llvm::remapInstructionsInBlocks(copied_, copies_);
    llvm::SmallVector<llvm::BasicBlock*, 8> exits;
    loop_.getUniqueExitBlocks(exits);
    for (llvm::BasicBlock* exit : exits) {
      for (llvm::PHINode& phi : exit->phis()) {
        for (unsigned i = 0, size = phi.getNumIncomingValues(); i < size; ++i) {
          phi.addIncoming(copied(phi.getIncomingValue(i)), copied(phi.getIncomingBlock(i)));
        }
      }
    }
  }

  template <class T>
  T* copied(T* v) {
    const auto found = copies_.find(v);
    return found == copies_.end() ? v : llvm::cast<T>(static_cast<llvm::Value*>(found->second));
  }

  // The chunk's head in front of both loops, and the end of a round of the copy.
  void connect() {
    llvm::BasicBlock* before = loop_.getLoopPreheader();
    llvm::BasicBlock* header = loop_.getHeader();
    llvm::BasicBlock* latch = loop_.getLoopLatch();
    llvm::LLVMContext& context = f_.getContext();
    head_ = llvm::BasicBlock::Create(context, "chunk", &f_, header);
    start_ = llvm::BasicBlock::Create(context, "start", &f_, header);
    again_ = llvm::BasicBlock::Create(context, "again", &f_, header);
    after_ = llvm::BasicBlock::Create(context, "after", &f_, header);
    before->getTerminator()->replaceSuccessorWith(header, head_);
    copied(latch)->getTerminator()->replaceSuccessorWith(copied(header), again_);
    llvm::BranchInst::Create(copied(header), start_);
    for (llvm::PHINode& phi : header->phis()) {
      auto* in = llvm::PHINode::Create(phi.getType(), 3, "", head_);
      in->addIncoming(phi.getIncomingValueForBlock(before), before);
      in->addIncoming(copied(phi.getIncomingValueForBlock(latch)), after_);
      heads_.emplace_back(&phi, in);
      llvm::PHINode* inner = copied(&phi);
      const auto from = static_cast<unsigned>(phi.getBasicBlockIndex(before));
      phi.setIncomingValue(from, in);
      phi.setIncomingBlock(from, head_);
      phi.addIncoming(copied(phi.getIncomingValueForBlock(latch)), after_);
      inner->setIncomingValue(from, in);
      inner->setIncomingBlock(from, start_);
      inner->replaceIncomingBlockWith(copied(latch), again_);
    }
    llvm::IRBuilder<> builder(copied(header), copied(header)->begin());
    round_ = builder.CreatePHI(builder.getInt64Ty(), 2);
    round_->addIncoming(builder.getInt64(0), start_);
    builder.SetInsertPoint(again_);
    llvm::Value* next = builder.CreateAdd(round_, builder.getInt64(1), "", true, true);
    round_->addIncoming(next, again_);
    // The bound is filled in by finish().
    more_ = llvm::cast<llvm::ICmpInst>(
        builder.CreateICmp(llvm::CmpInst::ICMP_NE, next, llvm::UndefValue::get(next->getType())));
    llvm::MDBuilder meta(f_.getContext());
    builder.CreateCondBr(more_, copied(header), after_, meta.createBranchWeights(255, 1));
    builder.SetInsertPoint(after_);
    builder.CreateCondBr(builder.getTrue(), head_, header);
    builder.SetInsertPoint(head_);
    end_ =
        builder.CreateCondBr(builder.getTrue(), start_, header, meta.createLikelyBranchWeights());
  }

  /// The branch between the copy and the loop, in the last of the blocks that decide.
  llvm::Instruction* test_end() { return end_; }

  void require(llvm::Value* condition) { tests_.push_back(condition); }

  void drop_checks() {
    llvm::IRBuilder<> builder(test_end());
    const llvm::APInt bound = llvm::APInt::getOneBitSet(64, bounds_.bits);
    for (llvm::Value* v : bounds_.small) {
      llvm::Value* now = v;
      for (const auto& [phi, in] : heads_) {
        if (phi == v) now = in;
      }
      if (is_natural(*v)) {
        require(builder.CreateICmpULT(now, builder.getInt(bound)));
        continue;
      }
      llvm::Value* shifted = builder.CreateAdd(now, builder.getInt(bound));
      require(builder.CreateICmpULT(shifted, builder.getInt(bound.shl(1))));
    }
    for (llvm::WithOverflowInst* check : bounds_.checks) {
      llvm::WithOverflowInst* copy = copied(check);
      builder.SetInsertPoint(copy);
      llvm::Value* plain = builder.CreateBinOp(copy->getBinaryOp(), copy->getLHS(), copy->getRHS());
      if (auto* made = llvm::dyn_cast<llvm::Instruction>(plain)) made->setHasNoSignedWrap(true);
      for (llvm::User* user : llvm::make_early_inc_range(copy->users())) {
        auto* part = llvm::dyn_cast<llvm::ExtractValueInst>(user);
        if (part == nullptr) continue;
        part->replaceAllUsesWith(part->getIndices()[0] == 0 ? plain : builder.getFalse());
        part->eraseFromParent();
      }
      if (copy->use_empty()) copy->eraseFromParent();
    }
  }

  bool reads_elements() const {
    return llvm::any_of(blocks_, [](const llvm::BasicBlock* block) {
      return llvm::any_of(*block, [](const llvm::Instruction& inst) {
        return inst.mayReadOrWriteMemory() && is_memory_of(kElementsMemory, inst);
      });
    });
  }

  /// An index that rises from 0 or more is never counted from the end.
  void drop_signs() {
    using namespace llvm::PatternMatch;
    constexpr std::uint64_t kMostStep = std::uint64_t{1} << 32;
    constexpr std::uint64_t kMost = std::uint64_t{1} << 62;  // and no overflow in a chunk
    static_assert(kMostStep * kMostRounds < kMost);
    llvm::SmallVector<llvm::ICmpInst*, 4> compares;
    for (llvm::BasicBlock* block : copied_) {
      for (llvm::Instruction& inst : *block) {
        llvm::Value* v = nullptr;
        if (match(&inst, m_SpecificICmp(llvm::CmpInst::ICMP_SLT, m_Value(v), m_Zero())) &&
            v->getType()->isIntegerTy(64))
          compares.push_back(llvm::cast<llvm::ICmpInst>(&inst));
      }
    }
    if (compares.empty()) return;
    Counting counting(f_);
    llvm::ScalarEvolution& evolution = counting.evolution;
    const llvm::Loop* copy = counting.loops.getLoopFor(copied_header());
    llvm::SCEVExpander expander(evolution, "");
    llvm::IRBuilder<> builder(test_end());
    for (llvm::ICmpInst* compare : compares) {
      const auto* index =
          llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution.getSCEV(compare->getOperand(0)));
      if (index == nullptr || index->getLoop() != copy || !index->isAffine()) continue;
      const auto* step = llvm::dyn_cast<llvm::SCEVConstant>(index->getStepRecurrence(evolution));
      if (step == nullptr || !step->getAPInt().isStrictlyPositive() ||
          step->getAPInt().ugt(kMostStep) ||
          !expander.isSafeToExpandAt(index->getStart(), test_end())) {
        continue;
      }
      builder.SetInsertPoint(test_end());
      llvm::Value* start = expander.expandCodeFor(index->getStart(), nullptr, test_end());
      require(builder.CreateICmpULT(start, builder.getInt64(kMost)));
      compare->replaceAllUsesWith(builder.getFalse());
      compare->eraseFromParent();
    }
  }

  /// Takes exits out of the copy that are not taken in the first rounds: their conditions are the
  /// same in all of them, or they come in a round that can be told. What is read from one place in
  /// each round is read in front, as soon as it is certain that the first round comes to it.
  void stay_for_some_rounds() {
    Counting counting(f_);
    std::vector<llvm::BasicBlock*> always;
    for (llvm::BasicBlock* block : copied_) {
      if (counting.dominators.dominates(block, again_)) always.push_back(block);
    }
    // The first round may have left before it comes to a block: what is read there from anywhere
    // may not be there. What arrays are can be read as soon as that has been tested.
    bool certain = true;
    bool tested = true;
    for (llvm::BasicBlock* block : copied_) {
      const bool each_round = llvm::is_contained(always, block);
      if (each_round && tested) read_in_front(*block, certain);
      auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
      if (branch == nullptr) {
        certain = tested = false;  // a switch
        continue;
      }
      if (!branch->isConditional() || calls_poll(*block)) continue;
      const bool first = is_copied(branch->getSuccessor(0));
      if (first == is_copied(branch->getSuccessor(1))) continue;
      if (test_in_front(branch, first)) {
        stay(branch);
      } else if (branch->getSuccessor(1) == large_) {
        // The loop as it was goes on with the same round.
      } else if (!each_round || !count(block, branch)) {
        certain = false;
        if (each_round) tested = false;
      }
    }
  }

  /// Requires what the branch asks for that is the same in all rounds, and leaves the rest to it.
  /// True when nothing is left.
  bool test_in_front(llvm::BranchInst* branch, bool stays_when_true) {
    using namespace llvm::PatternMatch;
    llvm::SmallVector<llvm::Value*, 4> parts{branch->getCondition()};
    llvm::SmallVector<llvm::Value*, 4> left;
    while (!parts.empty()) {
      llvm::Value* part = parts.pop_back_val();
      llvm::Value* first = nullptr;
      llvm::Value* second = nullptr;
      const bool joint = stays_when_true
                             ? match(part, m_LogicalAnd(m_Value(first), m_Value(second)))
                             : match(part, m_LogicalOr(m_Value(first), m_Value(second)));
      if (llvm::Value* condition = at_head(part)) {
        llvm::IRBuilder<> builder(test_end());
        require(stays_when_true ? condition : builder.CreateNot(condition));
      } else if (joint) {
        parts.append({first, second});
      } else if (llvm::Value* within = never_beyond(part, stays_when_true)) {
        require(within);
      } else {
        left.push_back(part);
      }
    }
    if (left.size() == 1) branch->setCondition(left[0]);
    return left.empty();
  }

  /// Of a test that an index of few bits is within a length: that the length is beyond all of
  /// them. Null for other tests.
  llvm::Value* never_beyond(llvm::Value* test, bool stays_when_true) {
    constexpr std::uint64_t kMost = 0xFFFF;
    auto* compare = llvm::dyn_cast<llvm::ICmpInst>(test);
    const auto within = stays_when_true ? llvm::CmpInst::ICMP_ULT : llvm::CmpInst::ICMP_UGE;
    if (compare == nullptr) return nullptr;
    const unsigned index = compare->getPredicate() == within ? 0 : 1;
    if (index == 1 && compare->getSwappedPredicate() != within) return nullptr;
    llvm::Value* length = at_head(compare->getOperand(1 - index));
    if (length == nullptr) return nullptr;
    const llvm::APInt last =
        llvm::computeKnownBits(compare->getOperand(index), f_.getDataLayout()).getMaxValue();
    if (last.ugt(kMost)) return nullptr;
    llvm::IRBuilder<> builder(test_end());
    return builder.CreateICmpUGT(length, llvm::ConstantInt::get(length->getType(), last));
  }

  void read_in_front(llvm::BasicBlock& block, bool certain) {
    for (llvm::Instruction& inst : llvm::make_early_inc_range(block)) {
      auto* load = llvm::dyn_cast<llvm::LoadInst>(&inst);
      if (load == nullptr || !is_steady(*load)) continue;
      if (!certain && !is_memory_of(kHeaderMemory, *load)) continue;
      llvm::Value* place = at_head(load->getPointerOperand());
      if (place == nullptr) continue;
      settle_tests();
      llvm::Instruction* copy = load->clone();
      copy->setOperand(0, place);
      copy->insertBefore(test_end()->getIterator());
      load->replaceAllUsesWith(copy);
      at_head_.erase(load);
      load->eraseFromParent();
    }
  }

  /// The copy leaves by this branch in a round that is known in front of it.
  bool count(llvm::BasicBlock* block, llvm::BranchInst* branch) {
    Counting counting(f_);
    llvm::ScalarEvolution& evolution = counting.evolution;
    llvm::Loop* copy = counting.loops.getLoopFor(copied(loop_.getHeader()));
    const llvm::SCEV* times = evolution.getExitCount(copy, block);
    llvm::SCEVExpander expander(evolution, "");
    if (llvm::isa<llvm::SCEVCouldNotCompute>(times) || !evolution.isLoopInvariant(times, copy) ||
        evolution.getTypeSizeInBits(times->getType()) > 64 ||
        !expander.isSafeToExpandAt(times, test_end())) {
      return false;
    }
    times = evolution.getNoopOrZeroExtend(times, llvm::Type::getInt64Ty(f_.getContext()));
    llvm::IRBuilder<> builder(test_end());
    llvm::Value* number = builder.CreateFreeze(expander.expandCodeFor(times, nullptr, test_end()));
    counts_.push_back(number);
    builder.SetInsertPoint(test_end());
    const bool fewer = bounds_.rounds > kFewRounds && reads_elements();
    const unsigned least = fewer ? kLeastRounds : kFewRounds;
    require(builder.CreateICmpUGE(number, builder.getInt64(least)));
    stay(branch);
    return true;
  }

  /// From here on the tests so far have been passed.
  void settle_tests() {
    if (tests_.empty()) return;
    llvm::Instruction* end = test_end();
    llvm::BasicBlock* last = end->getParent();
    llvm::BasicBlock* header = loop_.getHeader();
    llvm::BasicBlock* next = llvm::BasicBlock::Create(f_.getContext(), "chunk", &f_, header);
    llvm::IRBuilder<> builder(end);
    llvm::Value* all = all_tests(builder);
    end->removeFromParent();
    end->insertInto(next, next->end());
    builder.SetInsertPoint(last);
    builder.CreateCondBr(all, next, header,
                         llvm::MDBuilder(f_.getContext()).createLikelyBranchWeights());
    for (llvm::PHINode& phi : header->phis()) {
      phi.replaceIncomingBlockWith(last, next);
      phi.addIncoming(phi.getIncomingValueForBlock(next), last);
    }
    end_ = end;
  }

  /// What is tested here earlier than the loop would may be poison where the loop never tests it.
  llvm::Value* all_tests(llvm::IRBuilder<>& builder) {
    llvm::Value* all = builder.getTrue();
    for (llvm::Value* test : tests_) all = builder.CreateAnd(all, builder.CreateFreeze(test));
    tests_.clear();
    return all;
  }

  /// The branch of the copy does not leave it.
  void stay(llvm::BranchInst* branch) {
    const bool first = is_copied(branch->getSuccessor(0));
    branch->setCondition(llvm::ConstantInt::getBool(f_.getContext(), first));
    llvm::ConstantFoldTerminator(branch->getParent(), /*DeleteDeadConditions=*/true);
  }

  bool is_copied(llvm::BasicBlock* block) const {
    return block == again_ || llvm::is_contained(copied_, block);
  }

  void drop_polls() {
    for (std::size_t i = 0; i < polls_.size(); ++i) {
      auto* branch =
          llvm::cast<llvm::BranchInst>(copied(polls_[i].branch->getParent())->getTerminator());
      const bool asked = polls_[i].slow == 0;
      if (i == 0) {
        llvm::Value* condition = at_head(branch->getCondition(), /*polling=*/true);
        if (condition == nullptr) condition = llvm::ConstantInt::getBool(f_.getContext(), asked);
        llvm::IRBuilder<> builder(test_end());
        require(asked ? builder.CreateNot(condition) : condition);
      }
      llvm::Value* condition = branch->getCondition();
      branch->setCondition(llvm::ConstantInt::getBool(f_.getContext(), !asked));
      llvm::ConstantFoldTerminator(branch->getParent(), /*DeleteDeadConditions=*/false);
      drop_unused(condition);
    }
  }

  /// LLVM would keep the reading of a word that others may write.
  void drop_unused(llvm::Value* v) {
    auto* inst = llvm::dyn_cast<llvm::Instruction>(v);
    if (inst == nullptr || !inst->use_empty() || !is_copied(inst->getParent())) return;
    if (inst->mayHaveSideEffects() && !llvm::isa<llvm::LoadInst>(inst)) return;
    const llvm::SmallVector<llvm::Value*, 3> operands(inst->operand_values());
    at_head_.erase(inst);
    inst->eraseFromParent();
    for (llvm::Value* operand : operands) drop_unused(operand);
  }

  void look_for_writes() {
    for (llvm::BasicBlock* block : copied_) {
      if (calls_poll(*block)) continue;
      for (llvm::Instruction& inst : *block) {
        if (!inst.mayWriteToMemory()) continue;
        const bool known = inst.hasMetadata(llvm::LLVMContext::MD_tbaa);
        (is_memory_of(kElementsMemory, inst) ? writes_elements_ : writes_) = true;
        writes_anywhere_ = writes_anywhere_ || !known;
      }
    }
  }

  /// A value of the copy that is the same in all rounds, computed in front of it; null when it may
  /// not be. `polling`: it is the test for a poll, whose word is read once for all rounds.
  llvm::Value* at_head(llvm::Value* v, bool polling = false) {
    auto* inst = llvm::dyn_cast<llvm::Instruction>(v);
    if (inst == nullptr || !is_copied(inst->getParent())) return v;
    const auto made = at_head_.find(inst);
    if (made != at_head_.end()) return made->second;
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(inst);
    if (load != nullptr ? !polling
                        : llvm::isa<llvm::PHINode>(inst) || inst->mayReadOrWriteMemory() ||
                              !llvm::isSafeToSpeculativelyExecute(inst)) {
      return nullptr;
    }
    llvm::SmallVector<llvm::Value*, 3> operands;
    for (llvm::Value* operand : inst->operands()) {
      llvm::Value* outside = at_head(operand, polling);
      if (outside == nullptr) return nullptr;
      operands.push_back(outside);
    }
    llvm::Instruction* copy = inst->clone();
    for (unsigned i = 0; i < operands.size(); ++i) copy->setOperand(i, operands[i]);
    copy->insertBefore(test_end()->getIterator());
    at_head_[inst] = copy;
    return copy;
  }

  /// Nothing in the loop writes where it reads.
  bool is_steady(const llvm::LoadInst& load) const {
    if (!load.isSimple()) return false;
    if (load.hasMetadata(llvm::LLVMContext::MD_invariant_load)) return true;
    if (writes_anywhere_) return false;
    if (is_memory_of(kHeaderMemory, load)) return true;
    return is_memory_of(kElementsMemory, load) ? !writes_elements_ : !writes_;
  }

  void finish() {
    llvm::IRBuilder<> builder(test_end());
    llvm::Value* rounds = builder.getInt64(kFewRounds);
    if (!counts_.empty() && bounds_.rounds > kFewRounds) {
      rounds = builder.getInt64(bounds_.rounds);
      for (llvm::Value* number : counts_) {
        rounds = builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, rounds, number);
      }
    }
    more_->setOperand(1, rounds);
    if (!llvm::isa<llvm::Constant>(rounds)) {
      // Else some round of the copy would leave: few are left, or none.
      builder.SetInsertPoint(after_->getTerminator());
      llvm::Value* all = builder.CreateICmpEQ(rounds, builder.getInt64(bounds_.rounds));
      llvm::cast<llvm::BranchInst>(after_->getTerminator())->setCondition(all);
      builder.SetInsertPoint(test_end());
    }
    llvm::cast<llvm::BranchInst>(test_end())->setCondition(all_tests(builder));
    limit_unrolling();
  }

  /// A round that reads a large int begins again in the loop as it was.
  void test_loads() {
    if (bounds_.loads.empty()) return;
    llvm::BasicBlock* header = loop_.getHeader();
    large_ = llvm::BasicBlock::Create(f_.getContext(), "large", &f_, header);
    llvm::BranchInst::Create(header, large_);
    for (llvm::PHINode& phi : header->phis()) phi.addIncoming(copied(&phi), large_);
    const llvm::APInt bound = llvm::APInt::getOneBitSet(64, bounds_.bits);
    for (llvm::LoadInst* read : bounds_.loads) {
      llvm::Instruction* load = copied(static_cast<llvm::Instruction*>(read));
      llvm::BasicBlock* block = load->getParent();
      llvm::BasicBlock* rest = llvm::SplitBlock(block, load->getNextNode());
      copied_.insert(llvm::find(copied_, block) + 1, rest);
      llvm::IRBuilder<> builder(block->getTerminator());
      llvm::Value* shifted = builder.CreateAdd(load, builder.getInt(bound));
      llvm::Value* small = builder.CreateICmpULT(shifted, builder.getInt(bound.shl(1)));
      builder.CreateCondBr(small, rest, large_);
      block->getTerminator()->eraseFromParent();
    }
  }

  /// Where only checks of what is computed are left in the copy, they can come after its rounds.
  void try_rounds(llvm::ArrayRef<std::pair<llvm::PHINode*, llvm::Value*>> before) {
    llvm::SmallPtrSet<llvm::BasicBlock*, 32> left;
    for (llvm::BasicBlock& block : f_) left.insert(&block);
    llvm::erase_if(copied_, [&](llvm::BasicBlock* block) { return !left.contains(block); });
    if (!left.contains(again_)) return;
    const CopiedRounds rounds{.blocks = copied_,
                              .start = start_,
                              .again = again_,
                              .after = after_,
                              .round = round_,
                              .rounds = more_->getOperand(1),
                              .most = bounds_.rounds,
                              .checked = loop_.getHeader(),
                              .before = before,
                              .large = large_};
    if (check_afterwards(rounds)) llvm::removeUnreachableBlocks(f_);
  }

  /// What is left of it, about.
  std::size_t size_of_copy() const {
    llvm::SmallPtrSet<llvm::BasicBlock*, 32> seen;
    llvm::SmallVector<llvm::BasicBlock*, 32> work{copied_.front()};
    std::size_t size = 0;
    while (!work.empty()) {
      llvm::BasicBlock* block = work.pop_back_val();
      if (!is_copied(block) || !seen.insert(block).second) continue;
      for (const llvm::Instruction& inst : *block) {
        size += inst.use_empty() && !inst.mayHaveSideEffects() && !inst.isTerminator() ? 0 : 1;
      }
      work.append(llvm::succ_begin(block), llvm::succ_end(block));
    }
    return size;
  }

  /// Written out, the rounds are most of what is left to compile.
  void limit_unrolling() {
    const std::size_t left = reads_elements() ? size_of_copy() : size_;
    unsigned count = kFewRounds;
    while (count > 1 && count * left > kMostUnrolled) count /= 2;
    if (count == kFewRounds) return;
    llvm::LLVMContext& context = f_.getContext();
    llvm::Metadata* limit[2] = {
        llvm::MDString::get(context,
                            count > 1 ? "llvm.loop.unroll.count" : "llvm.loop.unroll.disable"),
        llvm::ConstantAsMetadata::get(
            llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), count))};
    llvm::MDNode* node = llvm::MDNode::get(context, llvm::ArrayRef(limit, count > 1 ? 2 : 1));
    llvm::MDNode* id = llvm::MDNode::getDistinct(context, {nullptr, node});
    id->replaceOperandWith(0, id);
    again_->getTerminator()->setMetadata(llvm::LLVMContext::MD_loop, id);
  }

  // Requests come now and then; each would otherwise cost all rounds that are left.
  void return_after_polls() {
    llvm::BasicBlock* header = loop_.getHeader();
    llvm::BasicBlock* latch = loop_.getLoopLatch();
    llvm::LLVMContext& context = f_.getContext();
    llvm::BasicBlock* end = llvm::BasicBlock::Create(context, "end", &f_, header);
    latch->getTerminator()->replaceSuccessorWith(header, end);
    for (llvm::PHINode& phi : header->phis()) phi.replaceIncomingBlockWith(latch, end);
    for (const auto& [phi, in] : heads_) in->addIncoming(phi->getIncomingValueForBlock(end), end);
    llvm::Type* bit = llvm::Type::getInt1Ty(context);
    llvm::SSAUpdater served;
    served.Initialize(bit, "served");
    served.AddAvailableValue(header, llvm::ConstantInt::getFalse(bit));
    for (const Poll& poll : polls_) {
      served.AddAvailableValue(poll.branch->getSuccessor(poll.slow),
                               llvm::ConstantInt::getTrue(bit));
    }
    llvm::IRBuilder<> builder(end);
    builder.CreateCondBr(served.GetValueAtEndOfBlock(latch), head_, header);
  }

  llvm::Loop& loop_;
  llvm::DominatorTree& dominators_;
  llvm::LoopInfo& loops_;
  llvm::Function& f_;
  std::vector<llvm::BasicBlock*> blocks_;  ///< reverse postorder
  std::size_t size_ = 0;                   ///< instructions
  std::vector<Poll> polls_;
  LoopBounds bounds_;
  llvm::ValueToValueMapTy copies_;
  llvm::SmallVector<llvm::BasicBlock*, 16> copied_;
  llvm::BasicBlock* head_ = nullptr;   ///< decides between the copy and the loop
  llvm::BasicBlock* start_ = nullptr;  ///< in front of the copy
  llvm::BasicBlock* again_ = nullptr;  ///< the end of a round of the copy
  llvm::BasicBlock* after_ = nullptr;  ///< behind the last one
  llvm::PHINode* round_ = nullptr;
  llvm::ICmpInst* more_ = nullptr;
  std::vector<std::pair<llvm::PHINode*, llvm::PHINode*>> heads_;  ///< of the loop, of the chunk
  llvm::Instruction* end_ = nullptr;                              ///< test_end()
  llvm::BasicBlock* large_ = nullptr;  ///< where a round that reads a large int begins again
  std::vector<llvm::Value*> counts_;   ///< rounds in which the copy would leave
  std::vector<llvm::Value*> tests_;
  llvm::DenseMap<llvm::Instruction*, llvm::Value*> at_head_;
  bool writes_ = false;  ///< to something else than elements
  bool writes_elements_ = false;
  bool writes_anywhere_ = false;  ///< or to who knows where
};

bool simplify(llvm::Loop& loop, llvm::DominatorTree& dominators, llvm::LoopInfo& loops) {
  return loop.isLoopSimplifyForm() ||
         llvm::simplifyLoop(&loop, &dominators, &loops, nullptr, nullptr, nullptr, false);
}

}  // namespace

std::vector<llvm::BasicBlock*> loops_to_chunk(llvm::Function& function) {
  split_results(function);
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  std::vector<llvm::BasicBlock*> found;
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    if (!loop->isInnermost()) continue;
    simplify(*loop, dominators, loops);
    if (Chunking(*loop, dominators, loops).look()) found.push_back(loop->getHeader());
    if (found.size() == kMostLoops) break;
  }
  return found;
}

bool chunk_loops(llvm::Function& function) {
  llvm::SmallPtrSet<llvm::BasicBlock*, 16> seen;
  std::size_t changed = 0;
  // Sums and their flags that are used outside.
  const bool split = split_results(function);
  while (changed < kMostLoops) {
    llvm::DominatorTree dominators(function);
    llvm::LoopInfo loops(dominators);
    bool again = false;
    for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
      if (!loop->isInnermost() || !seen.insert(loop->getHeader()).second) continue;
      simplify(*loop, dominators, loops);
      Chunking chunking(*loop, dominators, loops);
      if (!chunking.look()) continue;
      chunking.change();
      seen.insert(chunking.copied_header());
      again = true;
      ++changed;
      break;
    }
    if (!again) break;
  }
  return changed > 0 || split;
}

}  // namespace splice::codegen
