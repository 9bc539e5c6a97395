// pyfront/lower_large.cpp: ints that do not fit 64 bits.
//
// They leave, the first time. Where a result has once been too large (Learned::large), code that is
// compiled again goes on with the object: what follows gets a version for it beside the one for 64
// bits, and each result that fits goes back to that.
#include "cpy/large_int.h"
#include "pyfront/function_lowering.h"

namespace splice::pyfront {

using ir::Op;
using ir::Type;
using Tag = AbsVal::Tag;

namespace {

bool is_int(const AbsVal& v) {
  const Tag tag = number_tag(v);
  return tag == Tag::kInt || tag == Tag::kBool || exact_type(v) == &PyLong_Type;
}

/// An object of any size.
bool is_large(const AbsVal& v) {
  return exact_type(v) == &PyLong_Type && number_tag(v) == Tag::kNull;
}

bool gives_int(BinaryOperator op) {
  return op != BinaryOperator::kTrueDivide && op != BinaryOperator::kMatrixMultiply;
}

/// CPython runs the handlers of signals within it.
bool may_take_long(BinaryOperator op) {
  return op == BinaryOperator::kMultiply || op == BinaryOperator::kFloorDivide ||
         op == BinaryOperator::kRemainder || op == BinaryOperator::kPower;
}

Op checked_op(BinaryOperator op) {
  return op == BinaryOperator::kAdd        ? Op::kAddOv
         : op == BinaryOperator::kSubtract ? Op::kSubOv
                                           : Op::kMulOv;
}

}  // namespace

int FunctionLowering::large_int_op(const PyInst& inst, int at) {
  const AbsVal a = state_.stack[state_.stack.size() - 2];
  const AbsVal b = state_.stack[state_.stack.size() - 1];
  if (!is_int(a) || !is_int(b)) return -1;
  if (number_tag(a) == Tag::kBool && number_tag(b) == Tag::kBool) return -1;
  const bool large = is_large(a) || is_large(b);
  if (inst.op == PyOp::kCompareOp) {
    if (!large) return -1;
    give(known_bool(compare_large(a, b, inst.arg)), 2);
    return 1;
  }
  const auto op = static_cast<BinaryOperator>(inst.arg);
  if (!gives_int(op) || (!large && !unit_.learned().large.contains(code_, inst.offset))) return -1;
  const bool sums = op == BinaryOperator::kAdd || op == BinaryOperator::kSubtract ||
                    op == BinaryOperator::kMultiply;
  if (large || !sums) {
    give_large(a, b, op, at);
    return 0;
  }
  Number x;
  Number y;
  number(a, x);
  number(b, y);
  const ir::Builder::Checked r = b_.checked(checked_op(op), as_int(x), as_int(y));
  const ir::BlockId too_large = b_.create_block("large");
  const ir::BlockId small = b_.create_block();
  b_.cond_br(r.flag, {too_large, {}}, {small, {}});
  in_branch(too_large, [&] { give_large(a, b, op, at); });
  b_.set_block(small);
  give(known_int(r.value), 2);
  return 1;
}

void FunctionLowering::give_large(const AbsVal& a, const AbsVal& b, BinaryOperator op, int at) {
  const bool is_long = may_take_long(op);
  if (is_long) barrier(at + 1);
  const ir::ValueId x = object_for(a);
  const ir::ValueId y = object_for(b);
  const ir::SymbolId apply =
      unit_.runtime("splice_rt_int_operator", {Type::kObj, Type::kObj, Type::kI32}, Type::kOwned,
                    reinterpret_cast<void*>(&splice_rt_int_operator));
  const ir::ValueId object =
      b_.call_runtime(apply, {x, y, b_.const_i32(static_cast<std::int32_t>(op))});
  check_made(object, "an operation on large ints that raises");
  adopt(object);
  const ir::Builder::Checked fits = b_.py_unbox_int(object);
  const ir::BlockId small = b_.create_block();
  const ir::BlockId large = b_.create_block();
  b_.cond_br(fits.flag, {small, {}}, {large, {}});
  PyObject* sample = unit_.keep_new(PyLong_FromUnsignedLongLong(UINT64_MAX));
  for (const ir::BlockId block : {small, large}) {
    in_branch(block, [&] {
      give(block == small ? AbsVal::number(Tag::kInt, fits.value, object)
                          : AbsVal::object_of(object, &PyLong_Type, sample),
           2);
      release_unreferenced(true);
      if (is_long) stay_if_current(at + 1);
      add_edge(at + 1, b_.current_block(), std::move(state_));
    });
  }
}

ir::ValueId FunctionLowering::compare_large(const AbsVal& a, const AbsVal& b, int op) {
  const ir::ValueId x = object_for(a);
  const ir::ValueId y = object_for(b);
  const ir::SymbolId compare =
      unit_.runtime("splice_rt_int_compare", {Type::kObj, Type::kObj, Type::kI32}, Type::kI32,
                    reinterpret_cast<void*>(&splice_rt_int_compare));
  unit_.module().symbols[compare].quiet = true;
  return b_.compare(Op::kNe, b_.call_runtime(compare, {x, y, b_.const_i32(op)}), b_.const_i32(0));
}

}  // namespace splice::pyfront
