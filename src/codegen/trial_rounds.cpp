#include "codegen/trial_rounds.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <vector>

#include "codegen/loop_analysis.h"
#include "codegen/module_lowering.h"

namespace splice::codegen {

namespace {

constexpr std::uint64_t kMostBytes = 8192;  // that stores of one loop overwrite in all rounds

const llvm::CallInst* call_of_quiet(const llvm::Instruction& inst) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&inst);
  const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
  return callee != nullptr && callee->getName().contains("splice_rt_is_quiet") ? call : nullptr;
}

/// A branch that leaves the usual way where a float is unusual: not finite, or so small that bits
/// may have been lost.
struct Check {
  llvm::BranchInst* branch = nullptr;
  unsigned usual = 0;                     ///< index of the successor
  llvm::Value* number = nullptr;          ///< null: it is one of the tests of ints
  const llvm::CallInst* quiet = nullptr;  ///< what would be asked
  /// When the number is found to be not finite: in its round; by a later check, for sums and
  /// products of what is not finite are not either; or, where the next round adds to it, at the
  /// end.
  enum class Seen { kNow, kLater, kAtEnd };
  Seen seen = Seen::kNow;
};

/// A place that some rounds store to, and what it holds in front of each.
struct Place {
  const llvm::SCEV* start = nullptr;
  const llvm::SCEV* step = nullptr;  ///< bytes from round to round; null: none
  std::vector<llvm::StoreInst*> stores;
  llvm::Value* address = nullptr;   ///< in the first round
  llvm::Value* distance = nullptr;  ///< `step`
  llvm::Instruction* at = nullptr;  ///< in each round, in front of all of these stores: what reads
                                    ///< it, the first store, or the start of the round
  llvm::Value* old = nullptr;       ///< what was there, by round
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
    for (Place& place : places_) {
      if (!is_there(place)) return false;
      choose_instant(place);
    }
    // By when they are read: what overlaps is put back in the opposite order.
    llvm::stable_sort(places_, [&](const Place& a, const Place& b) {
      return a.at != b.at && counting_.dominators.dominates(a.at, b.at);
    });
    std::size_t tiny = 0;
    for (Check& check : checks_) {
      if (check.number == nullptr) continue;
      check.seen = seen_when(check);
      tiny += tiny_test(check) != nullptr ? 1 : 0;
    }
    // A call costs as much as one such test in all rounds.
    asks_first_ = tiny > 1;
    return bytes_of_old() <= kMostBytes;
  }

  void change() {
    llvm::IRBuilder<> builder(&f_.getEntryBlock(), f_.getEntryBlock().begin());
    bad_ = builder.CreateAlloca(builder.getInt1Ty());
    tiny_ = builder.CreateAlloca(builder.getInt1Ty());
    std::uint64_t offset = 0;
    for (Place& place : places_) {
      find_address(place);
      llvm::Instruction* old = old_values();
      builder.SetInsertPoint(old->getNextNode());
      place.old = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), old, offset);
      offset += bytes_of_old(place);
    }
    builder.SetInsertPoint(rounds_.start->getTerminator());
    builder.CreateStore(builder.getFalse(), bad_);
    builder.CreateStore(builder.getFalse(), tiny_);
    for (const Place& place : places_) keep_old(place);
    for (const Check& check : checks_) collect(check);
    let_ints_wrap();
    decide();
    if (asks_first_) ask_first();
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
  static llvm::Type* type_of(const Place& place) {
    return place.stores.front()->getValueOperand()->getType();
  }

  std::uint64_t bytes_of_old(const Place& place) const {
    const std::uint64_t size = f_.getDataLayout().getTypeStoreSize(type_of(place));
    return llvm::alignTo(size * rounds_.most, 64);
  }

  std::uint64_t bytes_of_old() const {
    std::uint64_t all = 0;
    for (const Place& place : places_) all += bytes_of_old(place);
    return all;
  }

  /// One for all loops of a function, of which one is in its rounds at a time.
  llvm::Instruction* old_values() {
    llvm::BasicBlock& entry = f_.getEntryBlock();
    auto* type = llvm::ArrayType::get(llvm::Type::getInt8Ty(context_), kMostBytes);
    for (llvm::Instruction& inst : entry) {
      const auto* made = llvm::dyn_cast<llvm::AllocaInst>(&inst);
      if (made != nullptr && made->getAllocatedType() == type) return &inst;
    }
    llvm::IRBuilder<> builder(&entry, entry.begin());
    auto* made = builder.CreateAlloca(type, nullptr, "old_values");
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
    if (rounds_.large != nullptr && branch->getSuccessor(1) == rounds_.large) {
      checks_.push_back({branch});
      return true;
    }
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
        } else if (!llvm::isa<llvm::CmpInst, llvm::BranchInst, llvm::FreezeInst>(inst) &&
                   !(llvm::isa<llvm::BinaryOperator, llvm::SelectInst>(inst) &&
                     inst.getType()->isIntegerTy(1))) {
          return false;  // more than to ask whether it matters
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

  /// The parts of a condition that hold together where a float is usual, inverted or not; none when
  /// it also asks for something else than floats.
  static llvm::SmallVector<llvm::CmpInst*, 2> parts_of(const Check& check) {
    llvm::SmallVector<llvm::CmpInst*, 2> parts;
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
        return {};
      }
    }
    return parts;
  }

  /// Whether the comparison holds, on the usual way, where a size is no less than the smallest
  /// normal number; is_large_test(): no more than the largest.
  static bool is_tiny_test(const Check& check, const llvm::CmpInst& compare) {
    const auto* bound = llvm::dyn_cast<llvm::ConstantFP>(compare.getOperand(1));
    return is_usual(check, compare, llvm::CmpInst::FCMP_OGE) && bound != nullptr &&
           bound->getValueAPF().bitwiseIsEqual(
               llvm::APFloat::getSmallestNormalized(bound->getValueAPF().getSemantics()));
  }

  static bool is_large_test(const Check& check, const llvm::CmpInst& compare) {
    const auto* bound = llvm::dyn_cast<llvm::ConstantFP>(compare.getOperand(1));
    return is_usual(check, compare, llvm::CmpInst::FCMP_OLE) && bound != nullptr &&
           bound->getValueAPF().isLargest() && !bound->isNegative();
  }

  static bool is_usual(const Check& check, const llvm::CmpInst& compare,
                       llvm::CmpInst::Predicate predicate) {
    return compare.getPredicate() ==
           (check.usual == 0 ? predicate : llvm::CmpInst::getInversePredicate(predicate));
  }

  static bool find_number(Check& check) {
    for (llvm::CmpInst* part : parts_of(check)) {
      llvm::Value* number = nullptr;
      if (!llvm::PatternMatch::match(
              part->getOperand(0),
              llvm::PatternMatch::m_FAbs(llvm::PatternMatch::m_Value(number))) ||
          (check.number != nullptr && check.number != number) ||
          !(is_tiny_test(check, *part) || is_large_test(check, *part)))
        return false;
      check.number = number;
    }
    return check.number != nullptr && large_test(check) != nullptr && is_asked_about(check);
  }

  /// Whether the call asks about the very operation that makes the number: a branch of the program
  /// may look like a check.
  static bool is_asked_about(const Check& check) {
    using namespace llvm::PatternMatch;
    const auto* op = llvm::dyn_cast<llvm::ConstantInt>(check.quiet->getArgOperand(0));
    llvm::Value* a = check.quiet->getArgOperand(1);
    llvm::Value* b = check.quiet->getArgOperand(2);
    llvm::Value* number = check.number;
    const auto* constant = llvm::dyn_cast<llvm::ConstantFP>(b);
    const auto with = [&](const llvm::APFloat& value) {
      return llvm::ConstantFP::get(number->getType(), value);
    };
    switch (op == nullptr ? 0 : op->getSExtValue()) {
      case '+':
        return match(number, m_c_FAdd(m_Specific(a), m_Specific(b)));
      case '-':
        // Of a constant LLVM makes a sum.
        return match(number, m_FSub(m_Specific(a), m_Specific(b))) ||
               (constant != nullptr &&
                match(number,
                      m_FAdd(m_Specific(a), m_Specific(with(llvm::neg(constant->getValueAPF()))))));
      case '*':
        return match(number, m_c_FMul(m_Specific(a), m_Specific(b)));
      case '/': {
        if (match(number, m_FDiv(m_Specific(a), m_Specific(b)))) return true;
        // Of a power of two a product.
        llvm::APFloat inverse(0.0);
        return constant != nullptr && constant->getValueAPF().getExactInverse(&inverse) &&
               match(number, m_FMul(m_Specific(a), m_Specific(with(inverse))));
      }
      case 'f':
        return match(number, m_FPTrunc(m_Specific(a)));
      default:
        return false;
    }
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

  template <class Test>
  static llvm::CmpInst* find_test(const Check& check, Test is_it) {
    const llvm::SmallVector<llvm::CmpInst*, 2> parts = parts_of(check);
    const auto found =
        llvm::find_if(parts, [&](llvm::CmpInst* part) { return is_it(check, *part); });
    return found == parts.end() ? nullptr : *found;
  }
  static llvm::CmpInst* large_test(const Check& check) { return find_test(check, is_large_test); }
  static llvm::CmpInst* tiny_test(const Check& check) { return find_test(check, is_tiny_test); }

  bool each_round(const llvm::BasicBlock* block) const {
    return counting_.dominators.dominates(block, rounds_.again);
  }

  bool can_take_back(llvm::StoreInst& store) {
    llvm::Type* type = store.getValueOperand()->getType();
    if (!store.isSimple() || !is_memory_of(kElementsMemory, store) ||
        !(type->isFloatingPointTy() || type->isIntegerTy()))
      return false;
    llvm::ScalarEvolution& evolution = counting_.evolution;
    Place place;
    place.start = evolution.getSCEV(store.getPointerOperand());
    const auto* steps = llvm::dyn_cast<llvm::SCEVAddRecExpr>(place.start);
    if (steps != nullptr && steps->getLoop() == loop_ && steps->isAffine()) {
      place.start = steps->getStart();
      place.step = steps->getStepRecurrence(evolution);
    }
    for (Place& known : places_) {
      if (known.start != place.start || known.step != place.step || type_of(known) != type)
        continue;
      known.stores.push_back(&store);
      return true;
    }
    if (!evolution.isLoopInvariant(place.start, loop_) ||
        !is_known_at_start(store.getPointerOperand()))
      return false;
    if (place.step != nullptr) {
      // What counts in loops around would be made a counter of its own.
      const bool counts = llvm::SCEVExprContains(
          place.step, [](const llvm::SCEV* part) { return llvm::isa<llvm::SCEVAddRecExpr>(part); });
      llvm::SCEVExpander expander(evolution, "");
      if (counts || !evolution.isLoopInvariant(place.step, loop_) ||
          !expander.isSafeToExpandAt(place.step, rounds_.start->getTerminator()))
        return false;
    }
    place.stores.push_back(&store);
    places_.push_back(std::move(place));
    return true;
  }

  /// Whether each round stores to the place or reads it, so that it is there to be read.
  bool is_there(const Place& place) {
    const llvm::SCEV* where = place_of(*place.stores.front());
    llvm::SmallPtrSet<const llvm::BasicBlock*, 16> touching;
    for (llvm::BasicBlock* block : rounds_.blocks) {
      for (const llvm::Instruction& inst : *block) {
        const auto* store = llvm::dyn_cast<llvm::StoreInst>(&inst);
        const auto* load = llvm::dyn_cast<llvm::LoadInst>(&inst);
        if ((store != nullptr && llvm::is_contained(place.stores, store)) ||
            (load != nullptr && load->isSimple() && load->getType() == type_of(place) &&
             place_of(*load) == where))
          touching.insert(block);
      }
    }
    llvm::SmallPtrSet<const llvm::BasicBlock*, 32> seen;
    llvm::SmallVector<const llvm::BasicBlock*, 32> work{rounds_.blocks.front()};
    while (!work.empty()) {
      const llvm::BasicBlock* block = work.pop_back_val();
      if (block == rounds_.again) return false;
      if (touching.contains(block) || rare_.contains(block) || !inside(block) ||
          !seen.insert(block).second)
        continue;
      work.append(llvm::succ_begin(block), llvm::succ_end(block));
    }
    return true;
  }

  /// Whether the address, of the loop, can be computed for the first round in front of it.
  bool is_known_at_start(llvm::Value* v) const {
    const auto* inst = llvm::dyn_cast<llvm::Instruction>(v);
    if (inst == nullptr || !inside(inst->getParent())) return true;
    if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(inst))
      return phi->getParent() == rounds_.blocks.front();
    return !inst->mayReadOrWriteMemory() && llvm::isSafeToSpeculativelyExecute(inst) &&
           llvm::all_of(inst->operands(),
                        [&](llvm::Value* operand) { return is_known_at_start(operand); });
  }

  llvm::Value* at_start(llvm::Value* v) {
    auto* inst = llvm::dyn_cast<llvm::Instruction>(v);
    if (inst == nullptr || !inside(inst->getParent())) return v;
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(inst))
      return phi->getIncomingValueForBlock(rounds_.start);
    llvm::Instruction* copy = inst->clone();
    for (llvm::Use& operand : copy->operands()) operand.set(at_start(operand.get()));
    copy->insertBefore(rounds_.start->getTerminator()->getIterator());
    return copy;
  }

  void find_address(Place& place) {
    place.address = at_start(place.stores.front()->getPointerOperand());
    if (place.step == nullptr) return;
    // The phis of LCSSA would come to the checked loop's head after `before` was made.
    llvm::SCEVExpander expander(counting_.evolution, "", /*PreserveLCSSA=*/false);
    place.distance = expander.expandCodeFor(place.step, llvm::Type::getInt64Ty(context_),
                                            rounds_.start->getTerminator());
  }

  static llvm::Value* address(const Place& place, llvm::Value* round, llvm::IRBuilder<>& builder) {
    if (place.distance == nullptr) return place.address;
    return builder.CreateGEP(builder.getInt8Ty(), place.address,
                             {builder.CreateMul(round, place.distance)});
  }

  void choose_instant(Place& place) {
    const auto is_first = [&](llvm::Instruction& inst) {
      return llvm::all_of(place.stores, [&](llvm::StoreInst* store) {
        return store == &inst || counting_.dominators.dominates(&inst, store);
      });
    };
    const llvm::SCEV* where = place_of(*place.stores.front());
    place.at = &*rounds_.blocks.front()->getFirstInsertionPt();
    for (llvm::BasicBlock* block : rounds_.blocks) {
      if (rare_.contains(block) || !each_round(block)) continue;
      for (llvm::Instruction& inst : *block) {
        const auto* load = llvm::dyn_cast<llvm::LoadInst>(&inst);
        const bool reads = load != nullptr && load->isSimple() &&
                           load->getType() == type_of(place) && place_of(*load) == where;
        if ((!reads && !llvm::is_contained(place.stores, &inst)) || !is_first(inst)) continue;
        place.at = &inst;
        return;
      }
    }
  }

  template <class Access>
  const llvm::SCEV* place_of(const Access& access) {
    return counting_.evolution.getSCEV(const_cast<llvm::Value*>(access.getPointerOperand()));
  }

  void keep_old(const Place& place) {
    llvm::IRBuilder<> builder(place.at);
    const llvm::StoreInst& store = *place.stores.front();
    llvm::Type* type = type_of(place);
    llvm::Value* old = place.at;
    if (llvm::isa<llvm::LoadInst>(place.at) && place.at->getType() == type &&
        place_of(*llvm::cast<llvm::LoadInst>(place.at)) == place_of(store)) {
      builder.SetInsertPoint(place.at->getNextNode());
    } else {
      const bool stores = llvm::is_contained(place.stores, place.at);
      llvm::Value* pointer = stores ? const_cast<llvm::Value*>(store.getPointerOperand())
                                    : address(place, rounds_.round, builder);
      auto* load = builder.CreateAlignedLoad(type, pointer, store.getAlign());
      load->copyMetadata(store, {llvm::LLVMContext::MD_tbaa});
      old = load;
    }
    builder.CreateStore(old, builder.CreateInBoundsGEP(type, place.old, {rounds_.round}));
  }

  void collect(const Check& check) {
    llvm::SmallVector<llvm::CmpInst*, 2> parts;
    if (check.number != nullptr) parts = parts_of(check);
    llvm::IRBuilder<> builder(check.branch);
    if (check.number == nullptr) {
      llvm::Value* so_far = builder.CreateLoad(builder.getInt1Ty(), bad_);
      llvm::Value* large = builder.CreateNot(check.branch->getCondition());
      builder.CreateStore(builder.CreateOr(so_far, large), bad_);
    }
    for (llvm::CmpInst* part : parts) {
      llvm::Value* unusual = part;
      if (check.usual == 0) {
        builder.SetInsertPoint(part->getNextNode());
        unusual = builder.CreateFCmp(part->getInversePredicate(), part->getOperand(0),
                                     part->getOperand(1));
      }
      builder.SetInsertPoint(check.branch);
      const bool tiny = is_tiny_test(check, *part);
      if (tiny && asks_first_) continue;
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

  /// What is computed of an int that turns out to be large is thrown away, but must be something.
  void let_ints_wrap() {
    llvm::SmallPtrSet<llvm::Instruction*, 32> seen;
    llvm::SmallVector<llvm::Instruction*, 32> work;
    for (llvm::BasicBlock* block : rounds_.blocks)
      for (llvm::Instruction& inst : *block)
        if (llvm::isa<llvm::LoadInst>(inst) && inst.getType()->isIntegerTy()) work.push_back(&inst);
    while (!work.empty()) {
      llvm::Instruction* inst = work.pop_back_val();
      if (!inside(inst->getParent()) || !seen.insert(inst).second) continue;
      inst->dropPoisonGeneratingFlags();
      for (llvm::User* user : inst->users()) work.push_back(llvm::cast<llvm::Instruction>(user));
    }
  }

  llvm::BasicBlock* new_block(const char* name) {
    return llvm::BasicBlock::Create(context_, name, &f_, rounds_.checked);
  }

  /// Behind the last round.
  void decide() {
    llvm::BasicBlock* end = new_block("judge");
    llvm::BasicBlock* good = new_block("good");
    llvm::BasicBlock* undo = new_block("undo");
    rounds_.again->getTerminator()->replaceSuccessorWith(rounds_.after, end);
    llvm::MDNode* unlikely = llvm::MDBuilder(context_).createUnlikelyBranchWeights();
    llvm::IRBuilder<> builder(end);
    llvm::Value* bad = builder.CreateLoad(builder.getInt1Ty(), bad_);
    for (llvm::Value* unusual : at_end_) bad = builder.CreateOr(bad, unusual);
    const auto asks = llvm::find_if(checks_, [](const Check& c) { return c.quiet != nullptr; });
    llvm::BasicBlock* fine = asks == checks_.end() ? good : new_block("finite");
    builder.CreateCondBr(bad, undo, fine, unlikely);
    if (asks != checks_.end()) {
      llvm::BasicBlock* lost = new_block("lost_bits");
      builder.SetInsertPoint(fine);
      builder.CreateCondBr(builder.CreateLoad(builder.getInt1Ty(), tiny_), lost, good, unlikely);
      builder.SetInsertPoint(lost);
      llvm::Value* asked = ask_underflow(builder, *asks->quiet);
      builder.CreateCondBr(builder.CreateIsNull(asked), undo, good);
    }
    builder.SetInsertPoint(good);
    builder.CreateBr(rounds_.after);
    rounds_.after->replacePhiUsesWith(rounds_.again, good);
    take_back(undo);
  }

  /// i32, not 0: underflow is ignored.
  static llvm::Value* ask_underflow(llvm::IRBuilder<>& builder, const llvm::CallInst& like) {
    llvm::Value* zero = llvm::ConstantFP::get(like.getArgOperand(1)->getType(), 0.0);
    llvm::CallInst* asked = builder.CreateCall(like.getFunctionType(), like.getCalledOperand(),
                                               {builder.getInt32('u'), zero, zero});
    asked->setAttributes(like.getAttributes());
    return asked;
  }

  /// In front of the rounds: where underflow is not ignored, they are those of the loop as it was.
  void ask_first() {
    const auto like = llvm::find_if(checks_, [](const Check& c) { return c.quiet != nullptr; });
    llvm::Instruction* end = rounds_.start->getTerminator();
    llvm::BasicBlock* go = llvm::SplitBlock(rounds_.start, end);
    rounds_.start->getTerminator()->eraseFromParent();
    llvm::IRBuilder<> builder(rounds_.start);
    llvm::Value* asked = ask_underflow(builder, *like->quiet);
    builder.CreateCondBr(builder.CreateIsNull(asked), rounds_.checked, go);
    for (const auto& [phi, in] : rounds_.before) phi->addIncoming(in, rounds_.start);
  }

  void take_back(llvm::BasicBlock* undo) {
    llvm::BasicBlock* done = undo;
    llvm::IRBuilder<> builder(undo);
    if (!places_.empty()) {
      llvm::BasicBlock* back = new_block("back");
      done = new_block("undone");
      builder.CreateBr(back);
      builder.SetInsertPoint(back);
      llvm::PHINode* left = builder.CreatePHI(builder.getInt64Ty(), 2);
      llvm::Value* round = builder.CreateSub(left, builder.getInt64(1));
      left->addIncoming(rounds_.rounds, undo);
      left->addIncoming(round, back);
      for (const Place& place : llvm::reverse(places_)) {
        const llvm::StoreInst& store = *place.stores.front();
        llvm::Type* type = type_of(place);
        llvm::Value* old =
            builder.CreateLoad(type, builder.CreateInBoundsGEP(type, place.old, {round}));
        auto* restored =
            builder.CreateAlignedStore(old, address(place, round, builder), store.getAlign());
        restored->copyMetadata(store, {llvm::LLVMContext::MD_tbaa});
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
  std::vector<Place> places_;
  llvm::SmallPtrSet<llvm::BasicBlock*, 16> rare_;
  std::vector<llvm::Value*> at_end_;  ///< what must not be in the last round
  llvm::AllocaInst* bad_ = nullptr;
  llvm::AllocaInst* tiny_ = nullptr;  ///< bits may have been lost
  bool asks_first_ = false;           ///< whether that matters, rather than afterwards
};

}  // namespace

bool check_afterwards(const CopiedRounds& rounds) {
  Trial trial(rounds);
  if (!trial.look()) return false;
  trial.change();
  return true;
}

}  // namespace splice::codegen
