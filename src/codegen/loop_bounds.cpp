#include "codegen/loop_bounds.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <cstdint>

#include "codegen/modulo.h"

namespace splice::codegen {

namespace {

using llvm::ConstantRange;
using Checks = llvm::SmallSetVector<llvm::WithOverflowInst*, 8>;

__extension__ using Wide = __int128;

bool is_word(const llvm::Value* v) { return v->getType()->isIntegerTy(64); }

ConstantRange full(const llvm::Value* v) {
  return ConstantRange::getFull(v->getType()->getIntegerBitWidth());
}

bool never_overflows(const llvm::WithOverflowInst& check, const ConstantRange& a,
                     const ConstantRange& b) {
  const auto ends = [](const ConstantRange& r) {
    return std::pair<Wide, Wide>{r.getSignedMin().getSExtValue(), r.getSignedMax().getSExtValue()};
  };
  const auto [a_low, a_high] = ends(a);
  const auto [b_low, b_high] = ends(b);
  Wide low = 0;
  Wide high = 0;
  switch (check.getBinaryOp()) {
    case llvm::Instruction::Add:
      low = a_low + b_low;
      high = a_high + b_high;
      break;
    case llvm::Instruction::Sub:
      low = a_low - b_high;
      high = a_high - b_low;
      break;
    default: {
      const auto all = {a_low * b_low, a_low * b_high, a_high * b_low, a_high * b_high};
      low = std::min(all);
      high = std::max(all);
    }
  }
  return low >= INT64_MIN && high <= INT64_MAX;
}

/// One round after the other, in intervals. What branches tell is not looked at.
class Rounds {
 public:
  Rounds(const llvm::Loop& loop, llvm::ArrayRef<llvm::BasicBlock*> blocks, unsigned bits,
         llvm::ArrayRef<llvm::Value*> small)
      : loop_(loop), blocks_(blocks) {
    const llvm::APInt bound = llvm::APInt::getOneBitSet(64, bits);
    for (llvm::Value* v : small) {
      // What is read is tested as a signed number, whatever it is used for.
      const bool natural = is_natural(*v) && !llvm::isa<llvm::LoadInst>(v);
      small_.try_emplace(v, natural ? llvm::APInt::getZero(64) : -bound, bound);
    }
    for (llvm::PHINode& phi : loop.getHeader()->phis()) {
      if (!phi.getType()->isIntegerTy()) continue;
      const auto bounded = small_.find(&phi);
      now_.insert_or_assign(&phi, bounded == small_.end() ? full(&phi) : bounded->second);
    }
  }

  /// Takes the checks away that may fail in this round.
  void round(Checks& checks) {
    for (llvm::BasicBlock* block : blocks_) {
      for (llvm::Instruction& inst : *block) {
        if (block == loop_.getHeader() && llvm::isa<llvm::PHINode>(inst)) continue;
        auto* check = llvm::dyn_cast<llvm::WithOverflowInst>(&inst);
        if (check != nullptr && checks.contains(check) &&
            !never_overflows(*check, range(check->getLHS()), range(check->getRHS()))) {
          checks.remove(check);
        }
        if (inst.getType()->isIntegerTy()) now_.insert_or_assign(&inst, result(inst));
      }
    }
    llvm::SmallVector<std::pair<llvm::PHINode*, ConstantRange>, 8> next;
    for (llvm::PHINode& phi : loop_.getHeader()->phis()) {
      if (!phi.getType()->isIntegerTy()) continue;
      next.emplace_back(&phi, range(phi.getIncomingValueForBlock(loop_.getLoopLatch())));
    }
    steady_ = true;
    for (auto& [phi, range] : next) {
      const ConstantRange& before = now_.find(phi)->second;
      steady_ = steady_ && before.contains(range);
      now_.insert_or_assign(phi, range);
    }
  }

  /// What holds in front of the next round held in front of the last: all others are like it.
  bool steady() const { return steady_; }

 private:
  ConstantRange range(llvm::Value* v) {
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(v)) {
      return ConstantRange(constant->getValue());
    }
    if (const auto known = now_.find(v); known != now_.end()) return known->second;
    const auto* inst = llvm::dyn_cast<llvm::Instruction>(v);
    if (inst != nullptr && loop_.contains(inst)) return full(v);
    ConstantRange outside = llvm::computeConstantRange(v, /*ForSigned=*/true);
    if (const auto bounded = small_.find(v); bounded != small_.end()) {
      const ConstantRange both = outside.intersectWith(bounded->second, ConstantRange::Signed);
      if (!both.isEmptySet()) outside = both;
    }
    now_.insert_or_assign(v, outside);
    return outside;
  }

  ConstantRange result(llvm::Instruction& inst) {
    if (llvm::isa<llvm::LoadInst>(inst)) {
      const auto bounded = small_.find(&inst);
      if (bounded != small_.end()) return bounded->second;
    }
    const ConstantRange made = computed(inst);
    return made.isEmptySet() ? full(&inst) : made;
  }

  ConstantRange computed(llvm::Instruction& inst) {
    if (auto* op = llvm::dyn_cast<llvm::BinaryOperator>(&inst)) {
      const ConstantRange a = range(op->getOperand(0));
      const ConstantRange b = range(op->getOperand(1));
      unsigned flags = 0;
      if (llvm::isa<llvm::OverflowingBinaryOperator>(op)) {
        if (op->hasNoSignedWrap()) flags |= llvm::OverflowingBinaryOperator::NoSignedWrap;
        if (op->hasNoUnsignedWrap()) flags |= llvm::OverflowingBinaryOperator::NoUnsignedWrap;
      }
      return flags == 0 ? a.binaryOp(op->getOpcode(), b)
                        : a.overflowingBinaryOp(op->getOpcode(), b, flags);
    }
    if (auto* cast = llvm::dyn_cast<llvm::CastInst>(&inst)) {
      if (!cast->getSrcTy()->isIntegerTy()) return full(&inst);
      return range(cast->getOperand(0))
          .castOp(cast->getOpcode(), inst.getType()->getIntegerBitWidth());
    }
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&inst)) {
      ConstantRange all = ConstantRange::getEmpty(phi->getType()->getIntegerBitWidth());
      for (llvm::Value* v : phi->incoming_values()) {
        all = all.unionWith(range(v), ConstantRange::Signed);
      }
      return all;
    }
    if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&inst)) {
      return range(select->getTrueValue())
          .unionWith(range(select->getFalseValue()), ConstantRange::Signed);
    }
    if (auto* part = llvm::dyn_cast<llvm::ExtractValueInst>(&inst)) {
      auto* check = llvm::dyn_cast<llvm::WithOverflowInst>(part->getAggregateOperand());
      if (check == nullptr || part->getIndices()[0] != 0 || !check->isSigned()) return full(&inst);
      // What has overflowed is not used but to leave.
      return range(check->getLHS())
          .overflowingBinaryOp(check->getBinaryOp(), range(check->getRHS()),
                               llvm::OverflowingBinaryOperator::NoSignedWrap);
    }
    if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&inst);
        call != nullptr && is_modulo(*call)) {
      return modulo_range(*call, range(call->getArgOperand(0)), range(call->getArgOperand(1)));
    }
    if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&inst)) {
      if (!ConstantRange::isIntrinsicSupported(call->getIntrinsicID())) return full(&inst);
      llvm::SmallVector<ConstantRange, 3> args;
      for (llvm::Value* arg : call->args()) args.push_back(range(arg));
      return ConstantRange::intrinsic(call->getIntrinsicID(), args);
    }
    return full(&inst);
  }

  const llvm::Loop& loop_;
  const llvm::ArrayRef<llvm::BasicBlock*> blocks_;
  llvm::DenseMap<const llvm::Value*, ConstantRange> small_;
  llvm::DenseMap<const llvm::Value*, ConstantRange> now_;
  bool steady_ = false;
};

/// For how many rounds, at most `most`, all of `checks` hold.
unsigned rounds_of(const llvm::Loop& loop, llvm::ArrayRef<llvm::BasicBlock*> blocks, unsigned bits,
                   llvm::ArrayRef<llvm::Value*> small, const Checks& all, unsigned most) {
  Checks checks = all;
  Rounds walk(loop, blocks, bits, small);
  for (unsigned i = 0; i < most; ++i) {
    walk.round(checks);
    if (checks.size() != all.size()) return i;
    if (walk.steady()) break;
  }
  return most;
}

/// What the operands of the checks are computed from: what the loop carries and what comes from
/// outside.
llvm::SmallSetVector<llvm::Value*, 8> numbers_of(const llvm::Loop& loop, const Checks& checks) {
  llvm::SmallSetVector<llvm::Value*, 8> numbers;
  llvm::SmallSetVector<llvm::Value*, 16> work;
  for (llvm::WithOverflowInst* check : checks) work.insert(check);
  for (std::size_t i = 0; i < work.size(); ++i) {
    auto* inst = llvm::dyn_cast<llvm::Instruction>(work[i]);
    const bool inside = inst != nullptr && loop.contains(inst);
    auto* phi = inside ? llvm::dyn_cast<llvm::PHINode>(inst) : nullptr;
    const bool carried = phi != nullptr && phi->getParent() == loop.getHeader();
    if (is_word(work[i]) && (carried || (!inside && !llvm::isa<llvm::Constant>(work[i]))))
      numbers.insert(work[i]);
    if (carried)
      work.insert(phi->getIncomingValueForBlock(loop.getLoopLatch()));
    else if (inside && !llvm::isa<llvm::LoadInst>(inst))
      work.insert(inst->op_begin(), inst->op_end());
  }
  return numbers;
}

}  // namespace

bool is_natural(const llvm::Value& v) {
  return llvm::any_of(v.users(), [&v](const llvm::User* user) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(user);
    if (call != nullptr) return is_unsigned_modulo(*call);
    const auto* op = llvm::dyn_cast<llvm::BinaryOperator>(user);
    if (op == nullptr) return false;
    return op->getOpcode() == llvm::Instruction::UDiv ||
           op->getOpcode() == llvm::Instruction::URem ||
           (op->getOpcode() == llvm::Instruction::LShr && op->getOperand(0) == &v);
  });
}

LoopBounds loop_bounds(const llvm::Loop& loop, llvm::ArrayRef<llvm::BasicBlock*> blocks,
                       llvm::ArrayRef<llvm::LoadInst*> loads, unsigned least, unsigned most) {
  LoopBounds found;
  Checks checks;
  for (llvm::BasicBlock* block : blocks) {
    for (llvm::Instruction& inst : *block) {
      auto* check = llvm::dyn_cast<llvm::WithOverflowInst>(&inst);
      if (check != nullptr && check->isSigned() && is_word(check->getLHS())) checks.insert(check);
    }
  }
  llvm::SmallSetVector<llvm::Value*, 8> numbers = numbers_of(loop, checks);
  constexpr std::size_t kMostNumbers = 8;
  if (checks.empty()) {
    found.rounds = most;
    return found;
  }
  if (numbers.size() > kMostNumbers) return found;

  const auto find_bits = [&] {
    for (const unsigned bits : {62u, 54u, 46u, 38u, 30u}) {
      if (rounds_of(loop, blocks, bits, numbers.getArrayRef(), checks, least) < least) continue;
      found.bits = bits;
      break;
    }
  };
  find_bits();
  if (found.bits == 0 && !loads.empty()) {
    numbers.insert(loads.begin(), loads.end());
    find_bits();
  }
  if (found.bits == 0) return found;
  llvm::SmallVector<llvm::Value*, 8> small(numbers.begin(), numbers.end());
  for (llvm::Value* v : numbers) {
    llvm::SmallVector<llvm::Value*, 8> fewer = small;
    llvm::erase(fewer, v);
    if (rounds_of(loop, blocks, found.bits, fewer, checks, least) == least) small = fewer;
  }
  const unsigned rounds = rounds_of(loop, blocks, found.bits, small, checks, most);
  found.rounds = least;
  while (found.rounds * 2 <= rounds) found.rounds *= 2;
  for (llvm::Value* v : small) {
    auto* load = llvm::dyn_cast<llvm::LoadInst>(v);
    if (load != nullptr && llvm::is_contained(loads, load))
      found.loads.push_back(load);
    else
      found.small.push_back(v);
  }
  found.checks.assign(checks.begin(), checks.end());
  return found;
}

}  // namespace splice::codegen
