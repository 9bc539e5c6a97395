// pyfront/observed.cpp: one pass over the bytecode with a stack of "which variable is this".
#include "pyfront/observed.h"

#include <utility>

namespace splice::pyfront {

namespace {

constexpr int kOther = -1;  ///< a stack item that is no variable's object

class Scan {
 public:
  Scan(const Bytecode& bytecode, std::size_t locals)
      : bytecode_(bytecode), locals_(locals), observed_(locals + bytecode.insts.size(), false) {}

  std::vector<bool> run() {
    std::vector<bool> target(bytecode_.insts.size() + 1, false);
    for (const PyInst& inst : bytecode_.insts)
      if (inst.target >= 0) target[static_cast<std::size_t>(inst.target)] = true;
    for (std::size_t i = 0; i < bytecode_.insts.size(); ++i) {
      if (target[i]) forget_stack();  // other paths bring other variables
      step(bytecode_.insts[i], static_cast<int>(locals_ + i));
    }
    // What is copied into an observed variable is observed.
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& [from, to] : copies_) {
        if (!observed_[to] || observed_[from]) continue;
        observed_[from] = true;
        changed = true;
      }
    }
    return std::move(observed_);
  }

 private:
  int pop() {
    if (stack_.empty()) return kOther;
    const int top = stack_.back();
    stack_.pop_back();
    return top;
  }
  void drop(int n) {
    for (int i = 0; i < n; ++i) pop();
  }
  void observe(int n) {
    for (int i = 0; i < n; ++i) {
      const int local = pop();
      if (local != kOther) observed_[static_cast<std::size_t>(local)] = true;
    }
  }
  void push(int what = kOther, int n = 1) { stack_.insert(stack_.end(), n, what); }
  void forget_stack() { observe(static_cast<int>(stack_.size())); }

  /// An operation that may hand its left operand back.
  void may_return_left(int result) {
    pop();
    const int left = pop();
    if (left != kOther)
      copies_.emplace_back(static_cast<std::size_t>(left), static_cast<std::size_t>(result));
    push(result);
  }

  /// `result`: number of the instruction's result, should it be watched.
  void step(const PyInst& inst, int result) {
    switch (inst.op) {
      case PyOp::kNop:
        return;
      case PyOp::kLoadFast:
      case PyOp::kLoadFastCheck:
      case PyOp::kLoadFastAndClear:
        return push(inst.arg);
      case PyOp::kStoreFast: {
        const int from = pop();
        if (from != kOther)
          copies_.emplace_back(static_cast<std::size_t>(from), static_cast<std::size_t>(inst.arg));
        return;
      }
      case PyOp::kDeleteFast:
      case PyOp::kCopyFreeVars:
        return;
      case PyOp::kMakeCell:
        push(inst.arg);
        return observe(1);
      case PyOp::kStoreDeref:
        return observe(1);
      case PyOp::kSetFunctionAttribute:
        drop(1);
        observe(1);
        return push();
      case PyOp::kLoadConst:
      case PyOp::kLoadDeref:
      case PyOp::kPushNull:
        return push();
      case PyOp::kLoadGlobal:
        return push(kOther, inst.arg2 != 0 ? 2 : 1);
      case PyOp::kPopTop:
        return drop(1);
      case PyOp::kCopy: {
        const auto depth = static_cast<std::size_t>(inst.arg);
        return push(stack_.size() >= depth ? stack_[stack_.size() - depth] : kOther);
      }
      case PyOp::kSwap: {
        const auto depth = static_cast<std::size_t>(inst.arg);
        if (stack_.size() < depth) return forget_stack();
        std::swap(stack_.back(), stack_[stack_.size() - depth]);
        return;
      }
      case PyOp::kUnaryPositive:
        return;  // an exact number is handed back
      case PyOp::kUnaryNegative:
      case PyOp::kUnaryNot:
      case PyOp::kUnaryInvert:
      case PyOp::kToBool:
        drop(1);
        return push();
      case PyOp::kBinaryOp:
        if (inst.arg == static_cast<int>(BinaryOperator::kRemainder) ||
            inst.arg == static_cast<int>(BinaryOperator::kRshift))
          return may_return_left(result);
        [[fallthrough]];
      case PyOp::kCompareOp:
        drop(2);
        return push();
      case PyOp::kBinarySubscr:
        drop(1);
        return push(pop());  // an item stands for its container
      case PyOp::kStoreSubscr:
        drop(2);
        return observe(1);
      case PyOp::kPopJumpIfFalse:
      case PyOp::kPopJumpIfTrue:
      case PyOp::kPopJumpIfNone:
      case PyOp::kPopJumpIfNotNone:
        drop(1);
        return forget_stack();
      case PyOp::kUnpackSequence:
        return push(pop(), inst.arg);  // its items stand for it
      case PyOp::kCall:
      case PyOp::kCallKw:
        observe(inst.arg + (inst.op == PyOp::kCallKw ? 3 : 2));
        return push(result);
      case PyOp::kIsOp:
      case PyOp::kContainsOp:
        observe(2);
        return push();
      default:
        return forget_stack();
    }
  }

  const Bytecode& bytecode_;
  std::size_t locals_;
  std::vector<bool> observed_;
  std::vector<int> stack_;
  std::vector<std::pair<std::size_t, std::size_t>> copies_;
};

}  // namespace

std::vector<bool> observed_locals(const Bytecode& bytecode, std::size_t locals) {
  return Scan(bytecode, locals).run();
}

}  // namespace splice::pyfront
