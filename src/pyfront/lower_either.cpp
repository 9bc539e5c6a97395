// pyfront/lower_either.cpp: a Python number or a NumPy scalar of the same value.
//
// `s = 0.0; for x in a: s += x` begins with a float and goes on with numpy.float64. A loop that
// holds either serves both: what it does to them is the same, but for what the result is called.
// An operation with a certain scalar makes a certain scalar; whatever depends on which one it is
// makes two versions of what follows, one for each.
#include "pyfront/function_lowering.h"

namespace splice::pyfront {

using ir::Op;
using ir::Type;
using mem::ElementType;
using Tag = AbsVal::Tag;

namespace {

bool is_either(const AbsVal& v) { return v.tag == Tag::kEither; }

bool is_one(const AbsVal& part, const AbsVal& either) {
  return is_either(part) && part.value == either.value && part.is_python == either.is_python;
}

/// The first kEither among the uppermost `n` items; null when there is none.
const AbsVal* find_either(const std::vector<AbsVal>& stack, std::size_t n) {
  for (std::size_t i = stack.size() - std::min(n, stack.size()); i < stack.size(); ++i) {
    const AbsVal* found = nullptr;
    AbsVal copy = stack[i];
    for_each_part(copy, [&](AbsVal& part) {
      if (is_either(part)) found = &stack[i];
    });
    if (found != nullptr) return found;
  }
  return nullptr;
}

/// The kEither in a slot that find_either() found.
AbsVal either_in(const AbsVal& slot) {
  AbsVal copy = slot;
  AbsVal found;
  for_each_part(copy, [&](AbsVal& part) {
    if (is_either(part)) found = part;
  });
  return found;
}

/// Items that an instruction takes from the stack, or all when that is not known here.
std::size_t operands_of(const PyInst& inst) {
  constexpr std::size_t kAll = static_cast<std::size_t>(-1);
  const auto count = static_cast<std::size_t>(inst.arg);
  switch (inst.op) {
    case PyOp::kNop:
    case PyOp::kLoadFast:
    case PyOp::kLoadFastCheck:
    case PyOp::kLoadFastAndClear:
    case PyOp::kStoreFast:
    case PyOp::kDeleteFast:
    case PyOp::kLoadConst:
    case PyOp::kLoadGlobal:
    case PyOp::kLoadDeref:
    case PyOp::kMakeCell:
    case PyOp::kCopyFreeVars:
    case PyOp::kPopTop:
    case PyOp::kPushNull:
    case PyOp::kCopy:
    case PyOp::kSwap:
    case PyOp::kJump:
    case PyOp::kJumpBackward:
    case PyOp::kReturnConst:
    // Their truth is that of the value.
    case PyOp::kUnaryNot:
    case PyOp::kToBool:
    case PyOp::kPopJumpIfFalse:
    case PyOp::kPopJumpIfTrue:
      return 0;
    case PyOp::kUnaryNegative:
    case PyOp::kUnaryPositive:
    case PyOp::kUnaryInvert:
    case PyOp::kPopJumpIfNone:
    case PyOp::kPopJumpIfNotNone:
    case PyOp::kGetIter:
    case PyOp::kForIter:
    case PyOp::kLoadAttr:
      return 1;
    case PyOp::kBinaryOp:
    case PyOp::kCompareOp:
    case PyOp::kIsOp:
    case PyOp::kContainsOp:
    case PyOp::kBinarySubscr:
    case PyOp::kDeleteSubscr:
      return 2;
    case PyOp::kStoreSubscr:
    case PyOp::kBinarySlice:
      return 3;
    case PyOp::kCall:
      return count + 2;
    case PyOp::kBuildTuple:
    case PyOp::kBuildSlice:
    case PyOp::kBuildList:
      return count;
    default:
      return kAll;
  }
}

/// Operators that give a Python number and a NumPy scalar of one value results of one value, with
/// an operand that is a Python number or such a value too.
bool is_common(BinaryOperator op, ElementType element) {
  switch (op) {
    case BinaryOperator::kAdd:
    case BinaryOperator::kSubtract:
    case BinaryOperator::kMultiply:
      return true;
    case BinaryOperator::kTrueDivide:
      return element == ElementType::kF64;
    case BinaryOperator::kAnd:
    case BinaryOperator::kOr:
    case BinaryOperator::kXor:
      return element == ElementType::kI64;
    default:
      return false;
  }
}

/// What `a op b` of a kEither and something is: kScalar, kEither (`number` is the Python one), or
/// kNull where it depends on which of the two it is.
AbsVal result_of(const AbsVal& a, const AbsVal& b, BinaryOperator op) {
  const AbsVal& one = is_either(a) ? a : b;
  const AbsVal& other = is_either(a) ? b : a;
  if (const auto element = scalar_element(other))
    return *element == one.element ? AbsVal::scalar(one.element, ir::kNone) : AbsVal{};
  const Tag with = is_either(other) ? other.python_tag : number_tag(other);
  if (is_either(other) && other.element != one.element) return {};
  if (!is_common(op, one.element)) return {};
  const bool floats = one.element == ElementType::kF64 &&
                      (one.python_tag == Tag::kFloat || with == Tag::kFloat) &&
                      (with == Tag::kFloat || with == Tag::kInt || with == Tag::kBool);
  const bool ints = one.element == ElementType::kI64 && one.python_tag == Tag::kInt &&
                    (with == Tag::kInt || with == Tag::kBool);
  if (!floats && !ints) return {};
  return AbsVal::either(floats ? Tag::kFloat : Tag::kInt, one.element, ir::kNone, ir::kNone);
}

/// Whether comparing the values tells what either would tell.
bool compare_alike(const AbsVal& a, const AbsVal& b) {
  const AbsVal& one = is_either(a) ? a : b;
  const AbsVal& other = is_either(a) ? b : a;
  if (is_either(other)) return one.element == other.element;
  const Tag with = number_tag(other);
  // NumPy compares with a float32 in its precision.
  if (one.element == ElementType::kF32)
    return with == Tag::kFloat && other.tag == Tag::kConst && may_fit(other, one.element);
  if (with == Tag::kInt && one.element == ElementType::kF64)
    return other.tag == Tag::kConst && may_fit(other, one.element);
  return with == one.python_tag;
}

}  // namespace

ir::ValueId FunctionLowering::scalar_value(ir::Builder& b, const AbsVal& number,
                                           ElementType element) {
  const Type type = element_type(element);
  if (number.tag == Tag::kConst) {
    if (number_tag(number) == Tag::kInt) {
      // One that does not fit has left (fit_numbers).
      const std::int64_t value = may_fit(number, element) ? PyLong_AsLongLong(number.object) : 0;
      if (mem::is_float(element)) return b.const_f64(static_cast<double>(value));
      return b.const_int(type, value);
    }
    const double value = PyFloat_AS_DOUBLE(number.object);
    return type == Type::kF32 ? b.const_f32(static_cast<float>(value)) : b.const_f64(value);
  }
  if (b.type_of(number.value) == type) return number.value;
  return type == Type::kU64 ? b.bitcast(number.value, type) : b.convert(number.value, type);
}

AbsVal FunctionLowering::scalar_part(const AbsVal& either) {
  AbsVal v = AbsVal::scalar(either.element, either.value, either.origin);
  v.present = either.present;
  return v;
}

AbsVal FunctionLowering::python_part(const AbsVal& either) {
  const Type type = value_type(either.python_tag);
  ir::ValueId value = either.value;
  if (b_.type_of(value) == Type::kU64)
    value = b_.bitcast(value, type);
  else if (b_.type_of(value) != type)
    value = b_.convert(value, type);
  AbsVal v = AbsVal::number(either.python_tag, value, either.origin);
  v.present = either.present;
  return v;
}

const std::vector<bool>* FunctionLowering::may_be_either(int header) {
  const auto [found, is_new] = may_be_either_.try_emplace(header);
  std::vector<bool>& may = found->second;
  if (!is_new) return &may;
  may.assign(static_cast<std::size_t>(code_->co_nlocalsplus), true);
  int last = header;
  for (int i = header; i < static_cast<int>(bytecode_.insts.size()); ++i) {
    const PyInst& inst = bytecode_.insts[static_cast<std::size_t>(i)];
    if (inst.op == PyOp::kJumpBackward && inst.target == header) last = i;
  }
  for (int i = header; i < last; ++i) {
    const PyInst& inst = bytecode_.insts[static_cast<std::size_t>(i)];
    const bool loads = inst.op == PyOp::kLoadFast || inst.op == PyOp::kLoadFastCheck;
    if (loads && !is_used_alike(i)) may[static_cast<std::size_t>(inst.arg)] = false;
  }
  return &may;
}

bool FunctionLowering::is_used_alike(int load) const {
  std::size_t above = 0;  // items on top of the one that was loaded
  for (std::size_t i = static_cast<std::size_t>(load) + 1; i < bytecode_.insts.size(); ++i) {
    const PyInst& inst = bytecode_.insts[i];
    switch (inst.op) {
      case PyOp::kNop:
        continue;
      case PyOp::kLoadFast:
      case PyOp::kLoadFastCheck:
      case PyOp::kLoadConst:
      case PyOp::kLoadDeref:
      case PyOp::kPushNull:
        ++above;
        continue;
      case PyOp::kLoadGlobal:
        above += 1 + static_cast<std::size_t>(inst.arg2);
        continue;
      default:
        break;
    }
    const std::size_t taken = operands_of(inst);
    if (above >= taken && taken > 0) {
      if (inst.op == PyOp::kGetIter || inst.op == PyOp::kForIter || inst.op == PyOp::kStoreSubscr ||
          inst.op == PyOp::kPopJumpIfNone || inst.op == PyOp::kPopJumpIfNotNone ||
          inst.op == PyOp::kDeleteSubscr)
        return false;
      const bool method = inst.op == PyOp::kLoadAttr && inst.arg2 != 0;
      above = above - taken + 1 + (method ? 1 : 0);
      continue;
    }
    switch (inst.op) {
      case PyOp::kUnaryNot:
      case PyOp::kToBool:
      case PyOp::kPopJumpIfFalse:
      case PyOp::kPopJumpIfTrue:
      case PyOp::kPopTop:
      case PyOp::kStoreFast:
      case PyOp::kUnaryNegative:
        return above == 0;
      case PyOp::kBinaryOp:
      case PyOp::kCompareOp:
        return true;
      case PyOp::kBinarySubscr:
        return above == 0;  // an index
      case PyOp::kStoreSubscr:
        return above != 1;  // not the container
      default:
        return false;
    }
  }
  return false;
}

bool FunctionLowering::is_only_tested(int at) const {
  const PyInst& inst = bytecode_.insts[static_cast<std::size_t>(at)];
  if (inst.arg2 != 0) return true;
  switch (bytecode_.insts[static_cast<std::size_t>(at) + 1].op) {
    case PyOp::kToBool:
    case PyOp::kUnaryNot:
    case PyOp::kPopJumpIfFalse:
    case PyOp::kPopJumpIfTrue:
      return true;
    default:
      return false;
  }
}

int FunctionLowering::resolve_either(const PyInst& inst, int at) {
  std::vector<AbsVal>& stack = state_.stack;
  const AbsVal* first = find_either(stack, operands_of(inst));
  if (first == nullptr) return -1;
  const auto top = [&](std::size_t depth) -> AbsVal& { return stack[stack.size() - depth]; };
  AbsVal out;
  switch (inst.op) {
    case PyOp::kUnaryNegative: {
      const AbsVal v = top(1);
      if (v.element != ElementType::kF64 && v.element != ElementType::kI64) break;
      if (v.python_tag == Tag::kInt && v.element == ElementType::kF64) break;  // -0.0
      if (!negative(scalar_part(v), out)) return 0;
      return give(AbsVal::either(v.python_tag, v.element, out.value, v.is_python), 1);
    }
    case PyOp::kBinaryOp: {
      const AbsVal a = top(2);
      const AbsVal b = top(1);
      const auto op = static_cast<BinaryOperator>(inst.arg);
      const AbsVal result = result_of(a, b, op);
      if (result.tag == Tag::kNull) break;
      const AbsVal x = is_either(a) ? scalar_part(a) : a;
      const AbsVal y = is_either(b) ? scalar_part(b) : b;
      if (is_either(result) && op == BinaryOperator::kTrueDivide) {
        // Python raises where NumPy may be told to say nothing.
        const ir::ValueId divisor = operand_as(y, ElementType::kF64);
        guard(b_.compare(Op::kNe, divisor, b_.const_f64(0.0)), "division by zero");
      }
      if (!binary_op(x, y, op, out)) return 0;
      if (is_either(result)) {
        const ir::ValueId is_python = is_either(a) && is_either(b)
                                          ? b_.binary(Op::kAnd, a.is_python, b.is_python)
                                      : is_either(a) ? a.is_python
                                                     : b.is_python;
        out = AbsVal::either(result.python_tag, result.element, out.value, is_python);
      }
      return give(std::move(out), 2);
    }
    case PyOp::kCompareOp: {
      const AbsVal a = top(2);
      const AbsVal b = top(1);
      const AbsVal x = is_either(a) ? scalar_part(a) : a;
      const AbsVal y = is_either(b) ? scalar_part(b) : b;
      const bool certain = result_of(a, b, BinaryOperator::kAdd).tag == Tag::kScalar;
      const bool tested = is_only_tested(at);
      if (!certain && !(tested && compare_alike(a, b))) break;
      if (!compare(x, y, inst.arg, out)) return 0;
      if (tested) out = known_bool(truth(out));
      return give(std::move(out), 2);
    }
    case PyOp::kBinarySubscr:
      if (!is_array(top(2)) || !is_either(top(1)) || !mem::is_integer(top(1).element)) break;
      top(1) = scalar_part(top(1));
      return -1;
    case PyOp::kStoreSubscr: {
      const bool index = !is_either(top(1)) || mem::is_integer(top(1).element);
      if (!is_array(top(2)) || !index || find_either(stack, 2) > &top(1)) break;
      const auto facts = guessed_facts(top(2));
      const bool value = !is_either(top(3)) || (facts && facts->element == top(3).element);
      if (!value || (top(1).has_items() && find_either(stack, 1) != nullptr)) break;
      for (const std::size_t depth : {std::size_t{1}, std::size_t{3}})
        if (is_either(top(depth))) top(depth) = scalar_part(top(depth));
      return -1;
    }
    default:
      break;
  }
  split_either(either_in(*first), at);
  return 0;
}

void FunctionLowering::split_either(const AbsVal& either, int at) {
  const ir::BlockId python = b_.create_block();
  const ir::BlockId numpy = b_.create_block();
  b_.cond_br(either.is_python, {python, {}}, {numpy, {}});
  for (const ir::BlockId block : {python, numpy}) {
    in_branch(block, [&] {
      const AbsVal certain = block == python ? python_part(either) : scalar_part(either);
      for (std::vector<AbsVal>* slots : {&state_.locals, &state_.stack}) {
        for (AbsVal& slot : *slots) {
          for_each_part(slot, [&](AbsVal& part) {
            if (!is_one(part, either)) return;
            const AbsVal old = part;
            part = certain;
            part.origin = old.origin;
            part.present = old.present;
          });
        }
      }
      // Not by an edge to the instruction: where ways join there, a version holds either.
      if (lower_inst(at)) add_edge(at + 1, b_.current_block(), std::move(state_));
    });
  }
}

void FunctionLowering::fit_numbers(Edge& edge, const State& shape, int at) {
  struct Fit {
    AbsVal number;
    ElementType element;
  };
  std::vector<Fit> fits;
  const auto look = [&](const AbsVal& want, const AbsVal& v, const auto& self) -> void {
    if (want.has_items() && v.has_items()) {
      for (std::size_t i = 0; i < want.items->size(); ++i)
        self((*want.items)[i], (*v.items)[i], self);
      return;
    }
    const bool same = want.element == ElementType::kI64 || want.python_tag == Tag::kFloat;
    if (!is_either(want) || number_tag(v) != want.python_tag) return;
    const bool fits_always =
        v.tag == Tag::kConst ? may_fit(v, want.element) : same && want.element != ElementType::kF32;
    if (!fits_always) fits.push_back({v, want.element});
  };
  for (std::size_t i = 0; i < shape.locals.size(); ++i)
    look(shape.locals[i], edge.state.locals[i], look);
  for (std::size_t i = 0; i < shape.stack.size(); ++i)
    look(shape.stack[i], edge.state.stack[i], look);
  if (fits.empty()) return;
  in_front_of(edge, at, [&] {
    for (const Fit& fit : fits) {
      const ir::ValueId value = fit.number.value;
      ir::ValueId cond;
      if (fit.number.tag == Tag::kConst) {
        cond = b_.const_i1(false);
      } else if (fit.number.tag == Tag::kFloat) {
        const ir::ValueId narrow = b_.convert(value, element_type(fit.element));
        cond = b_.compare(Op::kEq, b_.convert(narrow, Type::kF64), value);
      } else {
        cond =
            b_.binary(Op::kAnd, b_.compare(Op::kGe, value, b_.const_i64(mem::lowest(fit.element))),
                      b_.compare(Op::kLe, value, b_.const_i64(mem::highest(fit.element))));
      }
      guard(cond, "a Python number that does not fit a NumPy type");
    }
  });
}

}  // namespace splice::pyfront
