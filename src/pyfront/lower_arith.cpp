// pyfront/lower_arith.cpp: unary and binary operators on numbers, with CPython's meaning.
// Whatever CPython answers with an exception, a big integer or another type leaves.
#include <cstdint>
#include <limits>

#include "cpy/runtime_number.h"
#include "pyfront/function_lowering.h"

namespace splice::pyfront {

using ir::Op;
using ir::Type;
using Tag = AbsVal::Tag;

namespace {

constexpr const char* kOverflow = kLargeResult;
constexpr const char* kZeroDivision = "division by zero";
constexpr const char* kNegativeShift = "a negative shift count";
constexpr const char* kPowResult = "a power that is no plain number";
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kExactFloat = std::int64_t{1} << 53;  // ints up to here are exact floats

bool is_power_of_two(std::int64_t v) { return v > 0 && (v & (v - 1)) == 0; }

int log2_of(std::int64_t v) { return __builtin_ctzll(static_cast<std::uint64_t>(v)); }

const char* operator_text(BinaryOperator op) {
  constexpr const char* kText[] = {"+", "&",  "//", "<<", "@", "*", "%",
                                   "|", "**", ">>", "-",  "/", "^"};
  return kText[static_cast<int>(op)];
}

}  // namespace

ir::ValueId FunctionLowering::checked(Op op, ir::ValueId a, ir::ValueId b) {
  const ir::Builder::Checked r = b_.checked(op, a, b);
  guard(b_.not_(r.flag), kOverflow);
  return r.value;
}

void FunctionLowering::int_divmod(const Number& a, const Number& b, ir::ValueId* quotient,
                                  ir::ValueId* rest) {
  const ir::ValueId x = as_int(a);
  const ir::ValueId y = as_int(b);
  if (b.is_const && is_power_of_two(b.const_int)) {
    if (quotient != nullptr) *quotient = b_.binary(Op::kShr, x, b_.const_i64(log2_of(b.const_int)));
    if (rest != nullptr) *rest = b_.binary(Op::kAnd, x, b_.const_i64(b.const_int - 1));
    return;
  }
  const ir::ValueId zero = b_.const_i64(0);
  if (!b.is_const || b.const_int == 0) guard(b_.compare(Op::kNe, y, zero), kZeroDivision);
  if (quotient == nullptr && !b.is_const) {
    *rest = b_.binary(Op::kMod, x, y);
    return;
  }
  if (!b.is_const || b.const_int == -1) {
    const ir::ValueId minus_one = b_.compare(Op::kEq, y, b_.const_i64(-1));
    const ir::ValueId lowest = b_.compare(Op::kEq, x, b_.const_i64(kMin));
    guard(b_.not_(b_.binary(Op::kAnd, minus_one, lowest)), kOverflow);
  }
  const ir::ValueId r = b_.binary(Op::kRem, x, y);
  // The rest takes the sign of the divisor: where it has the other sign, one step down.
  ir::ValueId adjust;
  if (b.is_const && b.const_int > 0) {
    adjust = b_.compare(Op::kLt, r, zero);
  } else {
    adjust = b_.binary(Op::kAnd, b_.compare(Op::kNe, r, zero),
                       b_.compare(Op::kLt, b_.binary(Op::kXor, r, y), zero));
  }
  if (quotient != nullptr) {
    const ir::ValueId q = b_.binary(Op::kDiv, x, y);
    *quotient = b_.binary(Op::kSub, q, b_.convert(adjust, Type::kI64));
  }
  if (rest != nullptr) *rest = b_.binary(Op::kAdd, r, b_.select(adjust, y, zero));
}

ir::ValueId FunctionLowering::int_true_divide(const Number& a, const Number& b) {
  const ir::ValueId x = as_int(a);
  const ir::ValueId y = as_int(b);
  if (!b.is_const || b.const_int == 0)
    guard(b_.compare(Op::kNe, y, b_.const_i64(0)), kZeroDivision);
  // Both operands exact as floats: one rounding, that of the division.
  const auto fits = [&](ir::ValueId v) {
    const ir::ValueId shifted = b_.binary(Op::kAdd, v, b_.const_i64(kExactFloat));
    return b_.compare(Op::kLe, b_.bitcast(shifted, Type::kU64),
                      b_.const_int(Type::kU64, 2 * kExactFloat));
  };
  const bool y_fits = b.is_const && b.const_int >= -kExactFloat && b.const_int <= kExactFloat;
  ir::ValueId both = fits(x);
  if (!y_fits) both = b_.binary(Op::kAnd, both, fits(y));
  const ir::BlockId exact = b_.create_block("exact");
  const ir::BlockId wide = b_.create_block("wide");
  const ir::BlockId done = b_.create_block("divided", {Type::kF64});
  b_.cond_br(both, {exact, {}}, {wide, {}});
  b_.set_block(exact);
  b_.br(done, {b_.binary(Op::kDiv, b_.convert(x, Type::kF64), b_.convert(y, Type::kF64))});
  b_.set_block(wide);
  const ir::SymbolId divide =
      unit_.runtime("splice_rt_int_truediv", {Type::kI64, Type::kI64}, Type::kF64,
                    reinterpret_cast<void*>(&splice_rt_int_truediv), true);
  b_.br(done, {b_.call_runtime(divide, {x, y})});
  b_.set_block(done);
  return b_.block_arg(done, 0);
}

bool FunctionLowering::int_power(const Number& a, const Number& b, AbsVal& out) {
  const ir::ValueId x = as_int(a);
  if (b.is_const && b.const_int < 0) {
    const ir::SymbolId pow =
        unit_.runtime("splice_rt_float_pow", {Type::kF64, Type::kF64, Type::kPtr}, Type::kF64,
                      reinterpret_cast<void*>(&splice_rt_float_pow));
    out = known_float(call_failing(pow, {as_float(a), as_float(b)}, kPowResult));
    return true;
  }
  if (b.is_const && b.const_int <= 4) {
    // Another value than x even where it is equal: it is another object.
    ir::ValueId product =
        b.const_int == 0 ? b_.const_i64(1) : b_.binary(Op::kAdd, x, b_.const_i64(0));
    for (std::int64_t i = 1; i < b.const_int; ++i) product = checked(Op::kMulOv, product, x);
    out = known_int(product);
    return true;
  }
  const ir::ValueId y = as_int(b);
  if (!b.is_const) guard(b_.compare(Op::kGe, y, b_.const_i64(0)), kPowResult);
  const ir::SymbolId pow = unit_.runtime("splice_rt_int_pow", {Type::kI64, Type::kI64, Type::kPtr},
                                         Type::kI64, reinterpret_cast<void*>(&splice_rt_int_pow));
  out = known_int(call_failing(pow, {x, y}, kOverflow));
  return true;
}

bool FunctionLowering::int_op(const Number& a, const Number& b, BinaryOperator op, AbsVal& out) {
  if (a.tag == Tag::kBool && b.tag == Tag::kBool) {
    switch (op) {
      case BinaryOperator::kAnd:
        out = known_bool(b_.binary(Op::kAnd, a.value, b.value));
        return true;
      case BinaryOperator::kOr:
        out = known_bool(b_.binary(Op::kOr, a.value, b.value));
        return true;
      case BinaryOperator::kXor:
        out = known_bool(b_.binary(Op::kXor, a.value, b.value));
        return true;
      default:
        break;
    }
  }
  const ir::ValueId x = as_int(a);
  const ir::ValueId y = as_int(b);
  ir::ValueId r = ir::kNone;
  switch (op) {
    case BinaryOperator::kAdd:
      r = checked(Op::kAddOv, x, y);
      break;
    case BinaryOperator::kSubtract:
      r = checked(Op::kSubOv, x, y);
      break;
    case BinaryOperator::kMultiply:
      r = checked(Op::kMulOv, x, y);
      break;
    case BinaryOperator::kFloorDivide:
      int_divmod(a, b, &r, nullptr);
      break;
    case BinaryOperator::kRemainder:
      int_divmod(a, b, nullptr, &r);
      break;
    case BinaryOperator::kTrueDivide:
      out = known_float(int_true_divide(a, b));
      return true;
    case BinaryOperator::kPower:
      return int_power(a, b, out);
    case BinaryOperator::kAnd:
      r = b_.binary(Op::kAnd, x, y);
      break;
    case BinaryOperator::kOr:
      r = b_.binary(Op::kOr, x, y);
      break;
    case BinaryOperator::kXor:
      r = b_.binary(Op::kXor, x, y);
      break;
    case BinaryOperator::kLshift: {
      const ir::ValueId in_range =
          b_.compare(Op::kLt, b_.bitcast(y, Type::kU64), b_.const_int(Type::kU64, 64));
      guard(in_range, "a shift count outside 0 to 63");
      r = b_.binary(Op::kShl, x, y);
      guard(b_.compare(Op::kEq, b_.binary(Op::kShr, r, y), x), kOverflow);
      break;
    }
    case BinaryOperator::kRshift: {
      if (b.is_const && b.const_int >= 0) {
        r = b_.binary(Op::kShr, x, b_.const_i64(b.const_int > 63 ? 63 : b.const_int));
        break;
      }
      guard(b_.compare(Op::kGe, y, b_.const_i64(0)), kNegativeShift);
      const ir::ValueId most = b_.const_i64(63);
      r = b_.binary(Op::kShr, x, b_.select(b_.compare(Op::kGt, y, most), most, y));
      break;
    }
    case BinaryOperator::kMatrixMultiply:
      return leave("`@` on numbers");
  }
  out = known_int(r);
  return true;
}

bool FunctionLowering::float_op(const Number& a, const Number& b, BinaryOperator op, AbsVal& out) {
  const ir::ValueId x = as_float(a);
  const ir::ValueId y = as_float(b);
  const auto nonzero = [&] { guard(b_.compare(Op::kNe, y, b_.const_f64(0.0)), kZeroDivision); };
  const auto pure = [&](const char* name, double (*f)(double, double)) {
    return b_.call_runtime(
        unit_.runtime(name, {Type::kF64, Type::kF64}, Type::kF64, reinterpret_cast<void*>(f), true),
        {x, y});
  };
  switch (op) {
    case BinaryOperator::kAdd:
      out = known_float(b_.binary(Op::kAdd, x, y));
      return true;
    case BinaryOperator::kSubtract:
      out = known_float(b_.binary(Op::kSub, x, y));
      return true;
    case BinaryOperator::kMultiply:
      out = known_float(b_.binary(Op::kMul, x, y));
      return true;
    case BinaryOperator::kTrueDivide:
      nonzero();
      out = known_float(b_.binary(Op::kDiv, x, y));
      return true;
    case BinaryOperator::kFloorDivide:
      nonzero();
      out = known_float(pure("splice_rt_float_floordiv", &splice_rt_float_floordiv));
      return true;
    case BinaryOperator::kRemainder:
      nonzero();
      out = known_float(pure("splice_rt_float_mod", &splice_rt_float_mod));
      return true;
    case BinaryOperator::kPower: {
      const auto power = [&] {
        const ir::SymbolId pow =
            unit_.runtime("splice_rt_float_pow", {Type::kF64, Type::kF64, Type::kPtr}, Type::kF64,
                          reinterpret_cast<void*>(&splice_rt_float_pow));
        return call_failing(pow, {x, y}, kPowResult);
      };
      out = known_float(is_half(b) ? root_power(x, power) : power());
      return true;
    }
    default:
      return leave(std::string("`") + operator_text(op) + "` on floats");
  }
}

ir::ValueId FunctionLowering::root_power(ir::ValueId x, const std::function<ir::ValueId()>& power) {
#ifdef __GLIBC__
  // glibc's pow is wrong by less than 0.55 ulp (0.544 by its source,
  // sysdeps/ieee754/dbl-64/e_pow.c, and 0.5 before 2.28). So where the root is less than 0.45 ulp
  // from its nearest float, pow gives that float too: all others are further away than 0.55. The
  // distance is known by the remainder x - root**2, which is exact: root + remainder / (2 root) is
  // the root but for terms of its square.
  const ir::ValueId in_range = b_.binary(Op::kAnd, b_.compare(Op::kGe, x, b_.const_f64(0x1p-900)),
                                         b_.compare(Op::kLe, x, b_.const_f64(0x1p1000)));
  const ir::ValueId root = b_.unary(Op::kSqrt, x);
  const ir::ValueId remainder = b_.fma(b_.unary(Op::kNeg, root), root, x);
  constexpr std::int64_t kExponent = 0x7FF0'0000'0000'0000;
  constexpr std::int64_t kPrecision = std::int64_t{52} << 52;
  const ir::ValueId ulp = b_.bitcast(
      b_.binary(Op::kSub,
                b_.binary(Op::kAnd, b_.bitcast(root, Type::kI64), b_.const_i64(kExponent)),
                b_.const_i64(kPrecision)),
      Type::kF64);
  constexpr double kLimit = 2 * 0.45;
  const ir::ValueId limit =
      b_.binary(Op::kMul, b_.binary(Op::kMul, root, b_.const_f64(kLimit)), ulp);
  const ir::ValueId near = b_.compare(Op::kLe, b_.unary(Op::kFabs, remainder), limit);
  const ir::BlockId unsure = b_.create_block("pow");
  const ir::BlockId done = b_.create_block("root", {Type::kF64});
  b_.cond_br(b_.binary(Op::kAnd, in_range, near), {done, {root}}, {unsure, {}});
  b_.set_block(unsure);
  b_.br(done, {power()});
  b_.set_block(done);
  return b_.block_arg(done, 0);
#else
  (void)x;
  return power();
#endif
}

bool FunctionLowering::complex_op(const Number& a, const Number& b, BinaryOperator op,
                                  AbsVal& out) {
  const ir::ValueId x = as_complex(a);
  const ir::ValueId y = as_complex(b);
  switch (op) {
    case BinaryOperator::kAdd:
      out = known_complex(b_.binary(Op::kAdd, x, y));
      return true;
    case BinaryOperator::kSubtract:
      out = known_complex(b_.binary(Op::kSub, x, y));
      return true;
    case BinaryOperator::kMultiply:
      out = known_complex(b_.binary(Op::kMul, x, y));
      return true;
    case BinaryOperator::kTrueDivide:
    case BinaryOperator::kPower: {
      const bool divide = op == BinaryOperator::kTrueDivide;
      const ir::SymbolId f = unit_.runtime(
          divide ? "splice_rt_complex_div" : "splice_rt_complex_pow",
          {Type::kF64, Type::kF64, Type::kF64, Type::kF64, Type::kPtr, Type::kPtr}, Type::kVoid,
          divide ? reinterpret_cast<void*>(&splice_rt_complex_div)
                 : reinterpret_cast<void*>(&splice_rt_complex_pow));
      call_failing(f, {b_.real(x), b_.imag(x), b_.real(y), b_.imag(y), pair_slot_},
                   divide ? kZeroDivision : kPowResult);
      out = known_complex(
          b_.make_complex(b_.load(Type::kF64, pair_slot_), b_.load(Type::kF64, pair_slot_, 8)));
      return true;
    }
    default:
      return leave(std::string("`") + operator_text(op) + "` on complex numbers");
  }
}

bool FunctionLowering::binary_op(AbsVal a, AbsVal b, BinaryOperator op, AbsVal& out) {
  Number x;
  Number y;
  if (op == BinaryOperator::kMultiply) {
    if (is_typed_list(a) || is_typed_list(b)) return repeat_typed(a, b, out);
    if (can_repeat(a, b)) return repeat(a, b, out);
    if (can_repeat(b, a)) return repeat(b, a, out);
  }
  if (op == BinaryOperator::kAdd && (is_typed_list(a) || is_typed_list(b)))
    return concat_typed(a, b, out);
  if (op == BinaryOperator::kAdd && can_concat(a, b)) return concat(a, b, out);
  if (const int done = scalar_op(a, b, op, out); done >= 0) return done > 0;
  if (!number(a, x) || !number(b, y)) {
    if (exact_type(a) == &PyLong_Type && exact_type(b) == &PyLong_Type) return leave(kOverflow);
    return leave(std::string("`") + operator_text(op) + "` of " + describe(a) + " and " +
                 describe(b));
  }
  if (x.tag == Tag::kComplex || y.tag == Tag::kComplex) return complex_op(x, y, op, out);
  if (x.tag == Tag::kFloat || y.tag == Tag::kFloat) return float_op(x, y, op, out);
  if (!int_op(x, y, op, out)) return false;
  if (op == BinaryOperator::kRemainder) share_small_dividend(a, y, out);
  if (op == BinaryOperator::kRshift) share_unshifted(a, y, out);
  return true;
}

bool FunctionLowering::negative(const AbsVal& v, AbsVal& out) {
  Number n;
  if (const int done = scalar_unary(v, PyOp::kUnaryNegative, out); done >= 0) return done > 0;
  if (!number(v, n)) return leave(std::string("`-` of ") + describe(v));
  if (n.tag == Tag::kFloat) {
    out = known_float(b_.unary(Op::kNeg, n.value));
  } else if (n.tag == Tag::kComplex) {
    out = known_complex(b_.unary(Op::kNeg, n.value));
  } else {
    out = known_int(checked(Op::kSubOv, b_.const_i64(0), as_int(n)));
  }
  return true;
}

bool FunctionLowering::positive(const AbsVal& v, AbsVal& out) {
  Number n;
  if (const int done = scalar_unary(v, PyOp::kUnaryPositive, out); done >= 0) return done > 0;
  if (!number(v, n)) return leave(std::string("`+` of ") + describe(v));
  if (n.tag == Tag::kBool) {
    out = known_int(as_int(n));
  } else {
    out = v;  // CPython hands the same object back
  }
  return true;
}

bool FunctionLowering::invert(const AbsVal& v, AbsVal& out) {
  Number n;
  if (const int done = scalar_unary(v, PyOp::kUnaryInvert, out); done >= 0) return done > 0;
  // A bool warns (3.12), a float raises: both are the interpreter's.
  if (!number(v, n) || n.tag != Tag::kInt) return leave(std::string("`~` of ") + describe(v));
  out = known_int(b_.binary(Op::kXor, n.value, b_.const_i64(-1)));
  return true;
}

}  // namespace splice::pyfront
