// pyfront/lower_scalar.cpp: operations on NumPy scalars.
//
// Promotion is NEP 50's: two scalars meet in the type that both fit, a Python number adapts to the
// scalar. Where NumPy would warn (overflow, division by zero, an invalid value) or raise, the
// interpreter does it, under the program's own numpy.errstate.
#include <cmath>
#include <limits>

#include "pyfront/function_lowering.h"
#include "pyfront/numpy_values.h"

namespace splice::pyfront {

using ir::Op;
using ir::Type;
using mem::ElementType;
using Tag = AbsVal::Tag;

namespace {

constexpr int kUnknown = -1;
constexpr int kDone = 1;

constexpr const char* kWarns = "an operation of which NumPy warns";
constexpr const char* kDoesNotFit = "a Python number that does not fit a NumPy type";

int width(ElementType t) { return static_cast<int>(8 * mem::size_of(t)); }

/// Of the four operations of arithmetic; 0 for others.
char sign_of(BinaryOperator op) {
  switch (op) {
    case BinaryOperator::kAdd:
      return '+';
    case BinaryOperator::kSubtract:
      return '-';
    case BinaryOperator::kMultiply:
      return '*';
    case BinaryOperator::kTrueDivide:
      return '/';
    default:
      return 0;
  }
}

const char* ufunc_of(BinaryOperator op) {
  switch (op) {
    case BinaryOperator::kAdd:
      return "add";
    case BinaryOperator::kAnd:
      return "bitwise_and";
    case BinaryOperator::kFloorDivide:
      return "floor_divide";
    case BinaryOperator::kLshift:
      return "left_shift";
    case BinaryOperator::kMultiply:
      return "multiply";
    case BinaryOperator::kRemainder:
      return "remainder";
    case BinaryOperator::kOr:
      return "bitwise_or";
    case BinaryOperator::kPower:
      return "power";
    case BinaryOperator::kRshift:
      return "right_shift";
    case BinaryOperator::kSubtract:
      return "subtract";
    case BinaryOperator::kTrueDivide:
      return "divide";
    case BinaryOperator::kXor:
      return "bitwise_xor";
    default:
      return "matmul";
  }
}

bool is_scalar_of(const AbsVal& v, ElementType element) { return scalar_element(v) == element; }

}  // namespace

bool FunctionLowering::scalar(const AbsVal& v, Scalar& out) {
  if (v.tag == Tag::kScalar) {
    out = {v.element, v.value};
    return true;
  }
  if (v.tag != Tag::kConst) return false;
  const auto element = cpy::scalar_element(v.object);
  if (!element) return false;
  out = {*element, exact(unbox_scalar(b_, object_value(v), *element))};
  return true;
}

bool FunctionLowering::operation_type(const AbsVal& a, const AbsVal& b, ElementType& out) {
  const auto x = scalar_element(a);
  const auto y = scalar_element(b);
  if (x && y) {
    out = mem::promote(*x, *y);
    return true;
  }
  const ElementType mine = x ? *x : *y;
  const bool counts = mine == ElementType::kBool || mem::is_integer(mine);
  switch (number_tag(x ? b : a)) {
    case Tag::kBool:
      out = mine;
      return true;
    case Tag::kInt:
      out = mine == ElementType::kBool ? ElementType::kI64 : mine;
      return true;
    case Tag::kFloat:
      out = counts ? ElementType::kF64 : mine;
      return true;
    case Tag::kComplex:
      // Python's complex answers for numpy.float64, a subclass of float, by itself.
      out = mine;
      return mem::is_complex(mine);
    default:
      return false;
  }
}

ir::ValueId FunctionLowering::cast_element(ir::ValueId value, ElementType from, ElementType to) {
  if (from == to) return value;
  if (to == ElementType::kBool) return truth(AbsVal::scalar(from, value));
  const auto narrow = [&](ir::ValueId wide) {
    return b_.convert(b_.convert(wide, Type::kF32), Type::kF64);
  };
  if (mem::is_complex(to) && mem::is_complex(from))
    return to == ElementType::kC128
               ? value
               : b_.make_complex(narrow(b_.real(value)), narrow(b_.imag(value)));
  if (to == ElementType::kC64)
    return b_.make_complex(b_.convert(cast_element(value, from, ElementType::kF32), Type::kF64),
                           b_.const_f64(0.0));
  if (to == ElementType::kC128)
    return b_.make_complex(cast_element(value, from, ElementType::kF64), b_.const_f64(0.0));
  return b_.convert(value, element_type(to));
}

ir::ValueId FunctionLowering::operand_as(const AbsVal& v, ElementType to) {
  Scalar s;
  if (scalar(v, s)) {
    if (s.element == ElementType::kF32) guard_bits_kept(s.value, to);
    return cast_element(s.value, s.element, to);
  }
  Number n;
  if (!number(v, n)) return ir::kNone;
  switch (n.tag) {
    case Tag::kBool:
      return cast_element(n.value, ElementType::kBool, to);
    case Tag::kInt: {
      if (to == ElementType::kBool) return ir::kNone;
      if (to == ElementType::kU64) {
        guard(b_.compare(Op::kGe, n.value, b_.const_i64(0)), kDoesNotFit);
        return b_.bitcast(n.value, Type::kU64);
      }
      if (mem::is_integer(to) && to != ElementType::kI64) {
        const ir::ValueId fits =
            b_.binary(Op::kAnd, b_.compare(Op::kGe, n.value, b_.const_i64(mem::lowest(to))),
                      b_.compare(Op::kLe, n.value, b_.const_i64(mem::highest(to))));
        guard(fits, kDoesNotFit);
      }
      if (to == ElementType::kF32 || to == ElementType::kC64)
        return cast_element(b_.convert(b_.convert(n.value, Type::kF64), Type::kF32),
                            ElementType::kF32, to);
      return cast_element(n.value, ElementType::kI64, to);
    }
    case Tag::kFloat:
      if (to == ElementType::kF64 || to == ElementType::kC128)
        return cast_element(n.value, ElementType::kF64, to);
      if (to != ElementType::kF32 && to != ElementType::kC64) return ir::kNone;
      return cast_element(narrow_float(n.value), ElementType::kF32, to);
    default:
      if (to != ElementType::kC64) return to == ElementType::kC128 ? n.value : ir::kNone;
      const ir::ValueId real = b_.convert(narrow_float(b_.real(n.value)), Type::kF64);
      return b_.make_complex(real, b_.convert(narrow_float(b_.imag(n.value)), Type::kF64));
  }
}

void FunctionLowering::guard_bits_kept(ir::ValueId narrow, ElementType to) {
  if (to == ElementType::kC64) guard(b_.compare(Op::kEq, narrow, narrow), "a NaN in a complex64");
}

ir::ValueId FunctionLowering::narrow_float(ir::ValueId value) {
  const ir::ValueId narrow = b_.convert(value, Type::kF32);
  const ir::ValueId is_finite = b_.compare(Op::kLe, b_.unary(Op::kFabs, narrow),
                                           b_.const_f32(std::numeric_limits<float>::max()));
  const ir::ValueId was_not = b_.not_(b_.compare(Op::kLe, b_.unary(Op::kFabs, value),
                                                 b_.const_f64(std::numeric_limits<double>::max())));
  guard(b_.binary(Op::kOr, is_finite, was_not), kDoesNotFit);
  return narrow;
}

ir::ValueId FunctionLowering::exact(const LoadedElement& loaded) {
  if (loaded.is_exact != ir::kNone) guard(loaded.is_exact, "a NaN in a complex64");
  return loaded.value;
}

void FunctionLowering::guard_quiet(char op, ir::ValueId a, ir::ValueId b, ir::ValueId result) {
  const auto limit = [&](double wide, float narrow) {
    return b_.type_of(result) == Type::kF32 ? b_.const_f32(narrow) : b_.const_f64(wide);
  };
  const ir::ValueId size = b_.unary(Op::kFabs, result);
  ir::ValueId usual = b_.compare(
      Op::kLe, size, limit(std::numeric_limits<double>::max(), std::numeric_limits<float>::max()));
  // Sums below the smallest normal number are exact: nothing is lost.
  if (op != '+' && op != '-' && op != 'w')
    usual = b_.binary(
        Op::kAnd, usual,
        b_.compare(Op::kGe, size,
                   limit(std::numeric_limits<double>::min(), std::numeric_limits<float>::min())));
  const ir::BlockId unusual = b_.create_block("unusual");
  const ir::BlockId done = b_.create_block("quiet");
  b_.cond_br(usual, {done, {}}, {unusual, {}});
  b_.set_block(unusual);
  if (op == '*') {
    // Most that is below is a product with 0.
    const ir::ValueId zero = limit(0.0, 0.0F);
    const ir::ValueId is_zero =
        b_.binary(Op::kAnd, b_.compare(Op::kEq, result, zero),
                  b_.binary(Op::kOr, b_.compare(Op::kEq, a, zero), b_.compare(Op::kEq, b, zero)));
    const ir::BlockId other = b_.create_block();
    b_.cond_br(is_zero, {done, {}}, {other, {}});
    b_.set_block(other);
  }
  const Type operand = b_.type_of(a);
  const bool narrow = operand == Type::kF32;
  const ir::SymbolId is_quiet =
      unit_.runtime(narrow ? "splice_rt_is_quiet_f32" : "splice_rt_is_quiet_f64",
                    {Type::kI32, operand, operand}, Type::kI32,
                    narrow ? reinterpret_cast<void*>(&splice_rt_is_quiet_f32)
                           : reinterpret_cast<void*>(&splice_rt_is_quiet_f64),
                    /*pure=*/true);  // numpy.errstate belongs to this thread, which is busy here
  const ir::ValueId answer = b_.call_runtime(is_quiet, {b_.const_i32(op), a, b});
  guard(b_.compare(Op::kNe, answer, b_.const_i32(0)), kWarns);
  b_.br(done);
  b_.set_block(done);
}

ir::ValueId FunctionLowering::scalar_shift(ir::ValueId x, ir::ValueId count, ElementType type,
                                           bool left) {
  // A count that is negative or too large shifts everything out.
  const Type machine = element_type(type);
  const auto constant = [&](std::int64_t v) { return b_.const_int(machine, v); };
  const ir::ValueId in_range = b_.binary(Op::kAnd, b_.compare(Op::kGe, count, constant(0)),
                                         b_.compare(Op::kLt, count, constant(width(type))));
  const ir::ValueId safe = b_.select(in_range, count, constant(0));
  const ir::ValueId shifted = b_.binary(left ? Op::kShl : Op::kShr, x, safe);
  ir::ValueId out = constant(0);
  if (!left && mem::is_signed(type))
    out = b_.select(b_.compare(Op::kLt, x, out), constant(-1), out);
  return b_.select(in_range, shifted, out);
}

int FunctionLowering::scalar_int_op(ir::ValueId x, ir::ValueId y, ElementType type,
                                    BinaryOperator op, AbsVal& out) {
  const Type machine = element_type(type);
  const ir::ValueId zero = b_.const_int(machine, 0);
  const auto give_checked = [&](Op checked_op) {
    const ir::Builder::Checked r = b_.checked(checked_op, x, y);
    guard(b_.not_(r.flag), kWarns);
    out = AbsVal::scalar(type, r.value);
    return kDone;
  };
  const auto give_value = [&](ir::ValueId value) {
    out = AbsVal::scalar(type, value);
    return kDone;
  };
  switch (op) {
    case BinaryOperator::kAdd:
      return give_checked(Op::kAddOv);
    case BinaryOperator::kSubtract:
      return give_checked(Op::kSubOv);
    case BinaryOperator::kMultiply:
      return give_checked(Op::kMulOv);
    case BinaryOperator::kAnd:
      return give_value(b_.binary(Op::kAnd, x, y));
    case BinaryOperator::kOr:
      return give_value(b_.binary(Op::kOr, x, y));
    case BinaryOperator::kXor:
      return give_value(b_.binary(Op::kXor, x, y));
    case BinaryOperator::kLshift:
    case BinaryOperator::kRshift:
      return give_value(scalar_shift(x, y, type, op == BinaryOperator::kLshift));
    case BinaryOperator::kFloorDivide:
    case BinaryOperator::kRemainder: {
      guard(b_.compare(Op::kNe, y, zero), kWarns);
      const bool quotient = op == BinaryOperator::kFloorDivide;
      if (!mem::is_signed(type)) return give_value(b_.binary(quotient ? Op::kDiv : Op::kRem, x, y));
      const ir::ValueId minus_one = b_.compare(Op::kEq, y, b_.const_int(machine, -1));
      const ir::ValueId least = b_.compare(Op::kEq, x, b_.const_int(machine, mem::lowest(type)));
      guard(b_.not_(b_.binary(Op::kAnd, minus_one, least)), kWarns);
      const ir::ValueId rest = b_.binary(Op::kRem, x, y);
      // The rest takes the sign of the divisor.
      const ir::ValueId adjust = b_.binary(Op::kAnd, b_.compare(Op::kNe, rest, zero),
                                           b_.compare(Op::kLt, b_.binary(Op::kXor, rest, y), zero));
      if (!quotient) return give_value(b_.binary(Op::kAdd, rest, b_.select(adjust, y, zero)));
      const ir::ValueId one = b_.select(adjust, b_.const_int(machine, 1), zero);
      return give_value(b_.binary(Op::kSub, b_.binary(Op::kDiv, x, y), one));
    }
    default:
      return kUnknown;
  }
}

int FunctionLowering::scalar_float_op(ir::ValueId x, ir::ValueId y, ElementType type,
                                      BinaryOperator op, AbsVal& out) {
  const auto give_quiet = [&](char sign, ir::ValueId value) {
    guard_quiet(sign, x, y, value);
    out = AbsVal::scalar(type, value);
    return kDone;
  };
  switch (op) {
    case BinaryOperator::kAdd:
      return give_quiet('+', b_.binary(Op::kAdd, x, y));
    case BinaryOperator::kSubtract:
      return give_quiet('-', b_.binary(Op::kSub, x, y));
    case BinaryOperator::kMultiply:
      return give_quiet('*', b_.binary(Op::kMul, x, y));
    case BinaryOperator::kTrueDivide:
      return give_quiet('/', b_.binary(Op::kDiv, x, y));
    case BinaryOperator::kPower: {
      double (*const pow)(double, double) = ::pow;
      float (*const powf)(float, float) = ::powf;
      const bool narrow = type == ElementType::kF32;
      const Type machine = element_type(type);
      const ir::SymbolId power = unit_.runtime(
          narrow ? "splice_libm_powf" : "splice_libm_pow", {machine, machine}, machine,
          narrow ? reinterpret_cast<void*>(powf) : reinterpret_cast<void*>(pow), /*pure=*/true);
      return give_quiet('p', b_.call_runtime(power, {x, y}));
    }
    default:
      return kUnknown;
  }
}

AbsVal FunctionLowering::scalar_complex_op(ir::ValueId x, ir::ValueId y, ElementType type,
                                           char op) {
  constexpr std::int64_t kSize = sizeof(double);
  const ir::ValueId operands = b_.slot(4 * kSize);
  b_.store(operands, b_.real(x), 0);
  b_.store(operands, b_.imag(x), kSize);
  b_.store(operands, b_.real(y), 2 * kSize);
  b_.store(operands, b_.imag(y), 3 * kSize);
  const ir::SymbolId compute =
      unit_.runtime("splice_rt_complex_op", {Type::kI32, Type::kI32, Type::kPtr}, Type::kI32,
                    reinterpret_cast<void*>(&splice_rt_complex_op));
  unit_.module().symbols[compute].quiet = true;  // arithmetic
  const ir::ValueId single = b_.const_i32(type == ElementType::kC64);
  const ir::ValueId quiet = b_.call_runtime(compute, {b_.const_i32(op), single, operands});
  guard(b_.compare(Op::kNe, quiet, b_.const_i32(0)), kWarns);
  return AbsVal::scalar(type, b_.make_complex(b_.load(Type::kF64, operands, 0),
                                              b_.load(Type::kF64, operands, kSize)));
}

int FunctionLowering::scalar_op(const AbsVal& a, const AbsVal& b, BinaryOperator op, AbsVal& out) {
  Scalar s;
  if (!scalar(a, s) && !scalar(b, s)) return kUnknown;
  ElementType type;
  if (!operation_type(a, b, type)) return kUnknown;
  const int done = scalar_arithmetic(a, b, type, op, out);
  if (done != kUnknown) return done;
  // What NumPy's scalars do not do themselves its ufuncs do.
  PyObject* ufunc = cpy::numpy_ufunc(ufunc_of(op));
  return ufunc != nullptr ? apply_ufunc(ufunc, {a, b}, out) : kUnknown;
}

int FunctionLowering::scalar_arithmetic(const AbsVal& a, const AbsVal& b, ElementType type,
                                        BinaryOperator op, AbsVal& out) {
  const bool counts = type == ElementType::kBool || mem::is_integer(type);
  if (counts && op == BinaryOperator::kTrueDivide) type = ElementType::kF64;
  // Where neither is of the type of the result, or the left one a bool, NumPy takes the way of
  // arrays, whose power may round otherwise than C's.
  const bool as_arrays = (!is_scalar_of(a, type) && !is_scalar_of(b, type)) ||
                         (is_scalar_of(a, ElementType::kBool) && type != ElementType::kBool);
  if (op == BinaryOperator::kPower && as_arrays) return kUnknown;
  const ir::ValueId x = operand_as(a, type);
  const ir::ValueId y = x == ir::kNone ? ir::kNone : operand_as(b, type);
  if (y == ir::kNone) return kUnknown;
  if (mem::is_complex(type)) {
    const char sign = sign_of(op);
    if (sign == 0) return kUnknown;
    out = scalar_complex_op(x, y, type, sign);
    return kDone;
  }
  if (Number exponent; op == BinaryOperator::kPower && type == ElementType::kF64 &&
                       number(b, exponent) && is_half(exponent)) {
    const auto power = [&] {
      scalar_float_op(x, y, type, op, out);
      return out.value;
    };
    out = AbsVal::scalar(type, root_power(x, power));
    return kDone;
  }
  if (mem::is_float(type)) return scalar_float_op(x, y, type, op, out);
  if (type != ElementType::kBool) return scalar_int_op(x, y, type, op, out);
  switch (op) {
    case BinaryOperator::kAnd:
    case BinaryOperator::kMultiply:
      out = AbsVal::scalar(type, b_.binary(Op::kAnd, x, y));
      return kDone;
    case BinaryOperator::kOr:
    case BinaryOperator::kAdd:
      out = AbsVal::scalar(type, b_.binary(Op::kOr, x, y));
      return kDone;
    case BinaryOperator::kXor:
      out = AbsVal::scalar(type, b_.binary(Op::kXor, x, y));
      return kDone;
    default:
      return kUnknown;
  }
}

int FunctionLowering::scalar_compare(const AbsVal& a, const AbsVal& b, int op, AbsVal& out) {
  Scalar s;
  Scalar other;
  const bool first = scalar(a, s);
  const bool second = scalar(b, first ? other : s);
  if (!first && !second) return kUnknown;
  ElementType type;
  if (!operation_type(a, b, type)) return kUnknown;
  const bool order = op != Py_EQ && op != Py_NE;
  const Tag weak = number_tag(first ? b : a);
  if (mem::is_integer(s.element) && weak == Tag::kInt) {
    // By value, whether or not the int fits the other type.
    if (s.element == ElementType::kU64) {
      out = compare_unsigned(s.value, first ? b : a, first ? op : swapped(op));
      return kDone;
    }
    type = ElementType::kI64;
  }
  if (type == ElementType::kBool && order) type = ElementType::kU8;
  // Integers of different signs that no integer type holds: by value too.
  const bool by_value = first && second && type == ElementType::kF64 &&
                        mem::is_integer(s.element) && mem::is_integer(other.element);
  // Where the first is a bool, or both get a type that neither has, the ufunc is asked, which warns
  // of NaNs.
  const bool asked =
      first && second &&
      (s.element == ElementType::kBool || (type != s.element && type != other.element));
  if (by_value || (mem::is_complex(type) && order && asked)) {
    constexpr const char* kNames[] = {"less",      "less_equal", "equal",
                                      "not_equal", "greater",    "greater_equal"};
    PyObject* ufunc = cpy::numpy_ufunc(kNames[op]);
    return ufunc != nullptr ? apply_ufunc(ufunc, {a, b}, out) : kUnknown;
  }
  const ir::ValueId x = operand_as(a, type);
  const ir::ValueId y = x == ir::kNone ? ir::kNone : operand_as(b, type);
  if (y == ir::kNone) return kUnknown;
  ir::ValueId answer;
  if (mem::is_complex(type)) {
    // By their real parts first. A ufunc would find nothing ordered that has a NaN in its imaginary
    // part.
    answer = b_.binary(Op::kAnd, b_.compare(Op::kEq, b_.real(x), b_.real(y)),
                       b_.compare(order ? compare_op(op) : Op::kEq, b_.imag(x), b_.imag(y)));
    if (op == Py_NE) answer = b_.not_(answer);
    if (order) {
      const Op first_op = op == Py_LT || op == Py_LE ? Op::kLt : Op::kGt;
      answer = b_.binary(Op::kOr, b_.compare(first_op, b_.real(x), b_.real(y)), answer);
    }
  } else {
    answer = b_.compare(compare_op(op), x, y);
  }
  out = AbsVal::scalar(ElementType::kBool, answer);
  return kDone;
}

AbsVal FunctionLowering::compare_unsigned(ir::ValueId x, const AbsVal& number, int op) {
  Number n;
  this->number(number, n);
  const ir::ValueId is_negative = b_.compare(Op::kLt, n.value, b_.const_i64(0));
  const bool beyond = op == Py_GT || op == Py_GE || op == Py_NE;
  return AbsVal::scalar(ElementType::kBool,
                        b_.select(is_negative, b_.const_i1(beyond),
                                  b_.compare(compare_op(op), x, b_.bitcast(n.value, Type::kU64))));
}

int FunctionLowering::scalar_unary(const AbsVal& v, PyOp op, AbsVal& out) {
  Scalar s;
  if (!scalar(v, s)) return kUnknown;
  const Type machine = element_type(s.element);
  const auto all_ones = [&](Type type, ElementType element) {
    // What a constant of an unsigned type of less than 64 bits is written as.
    const bool narrow = mem::is_unsigned(element) && element != ElementType::kU64;
    return b_.const_int(type, narrow ? mem::highest(element) : -1);
  };
  if (op == PyOp::kUnaryInvert) {
    if (s.element == ElementType::kBool)
      out = AbsVal::scalar(s.element, b_.not_(s.value));
    else if (mem::is_integer(s.element))
      out = AbsVal::scalar(s.element, b_.binary(Op::kXor, s.value, all_ones(machine, s.element)));
    else
      return kUnknown;
    return kDone;
  }
  if (s.element == ElementType::kBool) return kUnknown;
  if (op == PyOp::kUnaryPositive) {
    // Another object of the same value.
    out = AbsVal::scalar(s.element, b_.bitcast(s.value, machine));
    return kDone;
  }
  if (mem::is_float(s.element)) {
    out = AbsVal::scalar(s.element, b_.unary(Op::kNeg, s.value));
    return kDone;
  }
  if (mem::is_complex(s.element)) {
    out = AbsVal::scalar(s.element, b_.make_complex(b_.unary(Op::kNeg, b_.real(s.value)),
                                                    b_.unary(Op::kNeg, b_.imag(s.value))));
    return kDone;
  }
  const ir::ValueId zero = b_.const_int(machine, 0);
  const ir::Builder::Checked r = b_.checked(Op::kSubOv, zero, s.value);
  guard(b_.not_(r.flag), kWarns);
  out = AbsVal::scalar(s.element, r.value);
  return kDone;
}

int FunctionLowering::scalar_abs(const AbsVal& v, AbsVal& out) {
  Scalar s;
  if (!scalar(v, s)) return kUnknown;
  if (s.element == ElementType::kBool) {
    out = v;
    return kDone;
  }
  if (mem::is_complex(s.element)) {
    const ir::ValueId size = b_.real(scalar_complex_op(s.value, s.value, s.element, 'a').value);
    out = s.element == ElementType::kC128
              ? AbsVal::scalar(ElementType::kF64, size)
              : AbsVal::scalar(ElementType::kF32, b_.convert(size, Type::kF32));
    return kDone;
  }
  if (mem::is_float(s.element)) {
    out = AbsVal::scalar(s.element, b_.unary(Op::kFabs, s.value));
    return kDone;
  }
  const Type machine = element_type(s.element);
  ir::ValueId value = b_.bitcast(s.value, machine);
  if (mem::is_signed(s.element)) {
    const ir::ValueId zero = b_.const_int(machine, 0);
    guard(b_.compare(Op::kNe, value, b_.const_int(machine, mem::lowest(s.element))), kWarns);
    value = b_.select(b_.compare(Op::kLt, value, zero), b_.binary(Op::kSub, zero, value), value);
  }
  out = AbsVal::scalar(s.element, value);
  return kDone;
}

int FunctionLowering::scalar_of(ElementType element, const AbsVal& v, AbsVal& out) {
  const ir::ValueId value = stored_element(v, element);
  if (value == ir::kNone) return kUnknown;
  // A number of its own, also where it is the same.
  out = AbsVal::scalar(
      element, element == ElementType::kBool ? value : b_.bitcast(value, element_type(element)));
  return kDone;
}

AbsVal FunctionLowering::as_python_int(const AbsVal& v) {
  Scalar s;
  if (!scalar(v, s) || !mem::is_integer(s.element)) return v;
  if (s.element == ElementType::kU64) {
    const ir::ValueId value = b_.bitcast(s.value, Type::kI64);
    guard(b_.compare(Op::kGe, value, b_.const_i64(0)), "an int beyond 64 bits");
    return known_int(value);
  }
  return known_int(cast_element(s.value, s.element, ElementType::kI64));
}

AbsVal FunctionLowering::as_python_number(const AbsVal& v) {
  Scalar s;
  if (!scalar(v, s)) return v;
  if (mem::is_float(s.element))
    return known_float(cast_element(s.value, s.element, ElementType::kF64));
  return mem::is_integer(s.element) ? as_python_int(v) : v;
}

}  // namespace splice::pyfront
