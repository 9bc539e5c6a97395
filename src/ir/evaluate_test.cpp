#include "ir/evaluate.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

namespace splice::ir {
namespace {

Value calc(Op op, Type t, std::vector<Value> args, Type from = Type::kVoid) {
  Inst inst;
  inst.op = op;
  inst.type = t;
  inst.type2 = from;
  Result<Evaluated> r = evaluate(inst, args);
  EXPECT_TRUE(r.ok()) << op_name(op);
  return r.ok() ? r->first : Value{};
}

std::pair<std::int64_t, bool> checked(Op op, Type t, std::int64_t a, std::int64_t b) {
  Inst inst;
  inst.op = op;
  inst.type = t;
  const Value args[] = {int_value(t, a), int_value(t, b)};
  Result<Evaluated> r = evaluate(inst, args);
  EXPECT_TRUE(r.ok());
  return {as_int(t, r->first), r->second.low != 0};
}

std::int64_t ints(Op op, Type t, std::int64_t a, std::int64_t b) {
  return as_int(t, calc(op, t, {int_value(t, a), int_value(t, b)}));
}

bool holds(Op op, Type t, Value a, Value b) { return calc(op, t, {a, b}).low != 0; }

TEST(Evaluate, IntegersWrap) {
  EXPECT_EQ(ints(Op::kAdd, Type::kI64, INT64_MAX, 1), INT64_MIN);
  EXPECT_EQ(ints(Op::kAdd, Type::kI8, 127, 1), -128);
  EXPECT_EQ(ints(Op::kMul, Type::kU8, 16, 17), 16);
  EXPECT_EQ(ints(Op::kSub, Type::kU16, 0, 1), 65535);
  EXPECT_EQ(as_int(Type::kI32, calc(Op::kNeg, Type::kI32, {int_value(Type::kI32, INT32_MIN)})),
            INT32_MIN);
}

TEST(Evaluate, DivisionTruncates) {
  EXPECT_EQ(ints(Op::kDiv, Type::kI64, -7, 2), -3);
  EXPECT_EQ(ints(Op::kRem, Type::kI64, -7, 2), -1);
  EXPECT_EQ(ints(Op::kDiv, Type::kU8, 249, 2), 124);
  EXPECT_EQ(ints(Op::kRem, Type::kI64, INT64_MIN + 1, -1), 0);
  EXPECT_EQ(ints(Op::kDiv, Type::kI64, INT64_MIN + 1, -1), INT64_MAX);
}

TEST(Evaluate, ModuloTakesTheDivisorsSign) {
  EXPECT_EQ(ints(Op::kMod, Type::kI64, -7, 2), 1);
  EXPECT_EQ(ints(Op::kMod, Type::kI64, 7, -2), -1);
  EXPECT_EQ(ints(Op::kMod, Type::kI64, -8, 2), 0);
  EXPECT_EQ(ints(Op::kMod, Type::kI64, INT64_MIN, -1), 0);
  EXPECT_EQ(ints(Op::kMod, Type::kI64, 5, 0), 0);
  EXPECT_EQ(ints(Op::kMod, Type::kU8, 249, 10), 9);
  EXPECT_EQ(ints(Op::kMod, Type::kU64, 7, 0), 0);
}

TEST(Evaluate, ShiftsFollowTheSign) {
  EXPECT_EQ(ints(Op::kShr, Type::kI8, -128, 3), -16);
  EXPECT_EQ(ints(Op::kShr, Type::kU8, 128, 3), 16);
  EXPECT_EQ(ints(Op::kShl, Type::kI32, 1, 31), INT32_MIN);
}

TEST(Evaluate, CheckedArithmetic) {
  using P = std::pair<std::int64_t, bool>;
  EXPECT_EQ(checked(Op::kAddOv, Type::kI64, INT64_MAX, 1), P(INT64_MIN, true));
  EXPECT_EQ(checked(Op::kAddOv, Type::kI64, INT64_MAX, 0), P(INT64_MAX, false));
  EXPECT_EQ(checked(Op::kSubOv, Type::kI64, INT64_MIN, 1), P(INT64_MAX, true));
  EXPECT_EQ(checked(Op::kMulOv, Type::kI64, INT64_MIN, -1), P(INT64_MIN, true));
  EXPECT_EQ(checked(Op::kMulOv, Type::kI64, 3037000499, 3037000499), P(9223372030926249001, false));
  EXPECT_EQ(checked(Op::kMulOv, Type::kI64, 3037000500, 3037000500).second, true);
  EXPECT_EQ(checked(Op::kAddOv, Type::kU8, 200, 56), P(0, true));
  EXPECT_EQ(checked(Op::kSubOv, Type::kU64, 0, 1), P(-1, true));
  EXPECT_EQ(checked(Op::kMulOv, Type::kU64, -1, -1), P(1, true));
  EXPECT_EQ(checked(Op::kAddOv, Type::kI8, -128, -1), P(127, true));
}

TEST(Evaluate, Comparison) {
  const Value nan = float_value(std::numeric_limits<double>::quiet_NaN());
  const Value one = float_value(1);
  for (Op op : {Op::kEq, Op::kLt, Op::kLe, Op::kGt, Op::kGe}) {
    EXPECT_FALSE(holds(op, Type::kF64, nan, one)) << op_name(op);
    EXPECT_FALSE(holds(op, Type::kF64, nan, nan)) << op_name(op);
  }
  EXPECT_TRUE(holds(Op::kNe, Type::kF64, nan, nan));
  EXPECT_TRUE(holds(Op::kEq, Type::kF64, float_value(0.0), float_value(-0.0)));
  EXPECT_TRUE(holds(Op::kLt, Type::kI8, int_value(Type::kI8, -1), int_value(Type::kI8, 0)));
  EXPECT_FALSE(holds(Op::kLt, Type::kU8, int_value(Type::kU8, 255), int_value(Type::kU8, 0)));
  EXPECT_FALSE(holds(Op::kLt, Type::kPtr, Value{~0ull, 0, false}, Value{1, 0, false}));
  EXPECT_TRUE(holds(Op::kNe, Type::kC128, complex_value(1, 2), complex_value(1, 3)));
  EXPECT_TRUE(holds(Op::kEq, Type::kC128, complex_value(0.0, 2), complex_value(-0.0, 2)));
}

TEST(Evaluate, Floats) {
  EXPECT_EQ(as_float(calc(Op::kRint, Type::kF64, {float_value(2.5)})), 2.0);
  EXPECT_EQ(as_float(calc(Op::kRint, Type::kF64, {float_value(3.5)})), 4.0);
  EXPECT_TRUE(std::signbit(as_float(calc(Op::kCeil, Type::kF64, {float_value(-0.5)}))));
  EXPECT_EQ(as_float(calc(Op::kRem, Type::kF64, {float_value(-7.5), float_value(2)})), -1.5);
  EXPECT_EQ(as_float(calc(Op::kCopysign, Type::kF64, {float_value(3), float_value(-0.0)})), -3.0);
  // One rounding: the exact square of 1 + 2^-30 is 1 + 2^-29 + 2^-60.
  const double x = 1 + std::ldexp(1, -30);
  EXPECT_EQ(as_float(calc(Op::kFma, Type::kF64,
                          {float_value(x), float_value(x), float_value(-1 - std::ldexp(1, -29))})),
            std::ldexp(1, -60));
  const Value f32 = calc(Op::kConvert, Type::kF32, {float_value(0.1)}, Type::kF64);
  EXPECT_EQ(f32.low, std::bit_cast<std::uint32_t>(0.1f));
  EXPECT_EQ(as_float(calc(Op::kConvert, Type::kF64, {f32}, Type::kF32)), static_cast<double>(0.1f));
}

TEST(Evaluate, ComplexProductHasNoShortcuts) {
  const Value p = calc(Op::kMul, Type::kC128, {complex_value(HUGE_VAL, 0), complex_value(0, 1)});
  // inf*0 - 0*1 is nan; a library's __muldc3 would repair it.
  EXPECT_TRUE(std::isnan(as_float(p)));
  EXPECT_EQ(std::bit_cast<double>(p.high), HUGE_VAL);
}

TEST(Evaluate, Conversion) {
  const auto convert = [](Type to, Type from, std::int64_t v) {
    return as_int(to, calc(Op::kConvert, to, {int_value(from, v)}, from));
  };
  EXPECT_EQ(convert(Type::kI64, Type::kI8, -1), -1);
  EXPECT_EQ(convert(Type::kI64, Type::kU8, 255), 255);
  EXPECT_EQ(convert(Type::kI64, Type::kI1, 1), 1);
  EXPECT_EQ(convert(Type::kI8, Type::kI64, 300), 44);
  EXPECT_EQ(convert(Type::kI1, Type::kI64, 2), 0);
  // Halfway cases go to even, straight from the 64 bits.
  const Value big = int_value(Type::kI64, (std::int64_t{1} << 53) + 1);
  EXPECT_EQ(as_float(calc(Op::kConvert, Type::kF64, {big}, Type::kI64)), 9007199254740992.0);
  EXPECT_EQ(as_float(calc(Op::kConvert, Type::kF64, {int_value(Type::kU64, -1)}, Type::kU64)),
            18446744073709551616.0);
  EXPECT_EQ(as_int(Type::kI64, calc(Op::kConvert, Type::kI64, {float_value(-2.9)}, Type::kF64)),
            -2);
  EXPECT_EQ(as_int(Type::kU8, calc(Op::kConvert, Type::kU8, {float_value(255.9)}, Type::kF64)),
            255);
  EXPECT_EQ(as_int(Type::kI64, calc(Op::kConvert, Type::kI64, {float_value(-9223372036854775808.0)},
                                    Type::kF64)),
            INT64_MIN);
}

TEST(Evaluate, UndefinedSpreads) {
  const Value undefined{0, 0, true};
  const Value yes = int_value(Type::kI1, 1);
  EXPECT_TRUE(calc(Op::kAdd, Type::kI64, {undefined, yes}).undefined);
  EXPECT_FALSE(calc(Op::kSelect, Type::kI64, {yes, yes, undefined}).undefined);
  EXPECT_TRUE(calc(Op::kSelect, Type::kI64, {yes, undefined, yes}).undefined);
}

}  // namespace
}  // namespace splice::ir
