// pyfront/observed.cpp: one pass over the bytecode with a stack of "which variable is this".
#include "pyfront/observed.h"

#include <algorithm>
#include <utility>

#include "cpy/item_named.h"
#include "cpy/math_table.h"
#include "pyfront/unit.h"

namespace splice::pyfront {

namespace {

constexpr int kOther = -1;  ///< a stack item that is no variable's object

/// What a builtin does with the objects it is given.
enum class Use : std::uint8_t {
  kReadsValues,
  kMayReturnThem,
  kUnknown,
};

Use use_of(PyObject* callable, std::size_t argc) {
  if (const cpy::MathFunction* f = cpy::find_math_function(callable, argc))
    return f->result == cpy::MathType::kInt ? Use::kMayReturnThem : Use::kReadsValues;
  for (PyTypeObject* type : {&PyLong_Type, &PyFloat_Type, &PyBool_Type, &PyComplex_Type})
    if (callable == reinterpret_cast<PyObject*>(type)) return Use::kMayReturnThem;
  if (!PyCFunction_CheckExact(callable)) return Use::kUnknown;
  PyObject* builtins = PyEval_GetBuiltins();
  for (const char* name : {"abs", "divmod", "len", "max", "min", "pow", "round"})
    if (cpy::item_named(builtins, name) == callable) return Use::kMayReturnThem;
  return Use::kUnknown;
}

class Scan {
 public:
  Scan(Unit& unit, PyFunctionObject* function, const Bytecode& bytecode)
      : unit_(unit),
        function_(function),
        code_(reinterpret_cast<PyCodeObject*>(function->func_code)),
        bytecode_(bytecode),
        locals_(static_cast<std::size_t>(code_->co_nlocalsplus)),
        observed_(locals_ + bytecode.insts.size(), false) {}

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
      if (local >= 0) observed_[static_cast<std::size_t>(local)] = true;
    }
  }
  void copy(int from, int to) {
    if (from >= 0)
      copies_.emplace_back(static_cast<std::size_t>(from), static_cast<std::size_t>(to));
  }
  /// Constants stand on the stack by numbers below kOther.
  int number_of(PyObject* constant) {
    constants_.push_back(constant);
    return kOther - static_cast<int>(constants_.size());
  }
  PyObject* constant_at(int what) const {
    return what < kOther ? constants_[static_cast<std::size_t>(kOther - what - 1)] : nullptr;
  }
  void push_callable(PyObject* value, bool with_null) {
    if (with_null && !kNullAboveCallable) push();
    push(value != nullptr ? number_of(value) : kOther);
    if (with_null && kNullAboveCallable) push();
  }

  void load_attribute(const PyInst& inst) {
    PyObject* module = stack_.empty() ? nullptr : constant_at(stack_.back());
    if (module == nullptr || !PyModule_CheckExact(module)) {
      observe(1);
      return push(kOther, inst.arg2 != 0 ? 2 : 1);
    }
    drop(1);
    push_callable(unit_.find_callable(module, PyTuple_GET_ITEM(code_->co_names, inst.arg)),
                  inst.arg2 != 0);
  }

  void call(int argc, int result) {
    const auto n = static_cast<std::size_t>(argc);
    if (stack_.size() < n + 2) {
      forget_stack();
      return push(result);
    }
    const auto args = stack_.end() - argc;
    PyObject* callable = constant_at(args[kNullAboveCallable ? -2 : -1]);
    const bool plain = args[kNullAboveCallable ? -1 : -2] == kOther;
    if (callable == nullptr || !plain ||
        (PyFunction_Check(callable) && !unit_.may_look_into_callees())) {
      observe(argc + 2);
    } else if (PyFunction_Check(callable)) {
      auto* callee = reinterpret_cast<PyFunctionObject*>(callable);
      unit_.depend_on_function(callable);
      const std::vector<bool>& theirs = unit_.observed(callee);
      const auto parameters =
          static_cast<std::size_t>(reinterpret_cast<PyCodeObject*>(callee->func_code)->co_argcount);
      for (std::size_t i = n; i-- > 0;) {
        if (i < parameters && !theirs[i])
          drop(1);
        else
          observe(1);
      }
      drop(2);
    } else {
      const Use use = use_of(callable, n);
      if (use == Use::kMayReturnThem)
        std::for_each(args, stack_.end(), [&](int arg) { copy(arg, result); });
      if (use == Use::kUnknown)
        observe(argc + 2);
      else
        drop(argc + 2);
    }
    push(result);
  }
  void push(int what = kOther, int n = 1) { stack_.insert(stack_.end(), n, what); }
  void forget_stack() { observe(static_cast<int>(stack_.size())); }

  /// An operation that may hand its left operand back.
  void may_return_left(int result) {
    pop();
    const int left = pop();
    copy(left, result);
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
        copy(from, inst.arg);
        return;
      }
      case PyOp::kDeleteFast:
      case PyOp::kCopyFreeVars:
        return;
      case PyOp::kMakeCell:
        push(inst.arg);
        return observe(1);
      case PyOp::kStoreDeref:
      case PyOp::kStoreGlobal:
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
        return push_callable(
            unit_.find_callable(function_, PyTuple_GET_ITEM(code_->co_names, inst.arg)),
            inst.arg2 != 0);
      case PyOp::kLoadAttr:
        return load_attribute(inst);
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
        if (inst.arg2 < 0) return call(inst.arg, result);
        observe(inst.arg + 2);
        return push(result);
      case PyOp::kCallKw:
        observe(inst.arg + 3);
        return push(result);
      case PyOp::kIsOp:
      case PyOp::kContainsOp:
        observe(2);
        return push();
      default:
        return forget_stack();
    }
  }

  Unit& unit_;
  PyFunctionObject* function_;
  PyCodeObject* code_;
  const Bytecode& bytecode_;
  std::size_t locals_;
  std::vector<PyObject*> constants_;  ///< borrowed
  std::vector<bool> observed_;
  std::vector<int> stack_;
  std::vector<std::pair<std::size_t, std::size_t>> copies_;
};

}  // namespace

std::vector<bool> observed_locals(Unit& unit, PyFunctionObject* function,
                                  const Bytecode& bytecode) {
  return Scan(unit, function, bytecode).run();
}

}  // namespace splice::pyfront
