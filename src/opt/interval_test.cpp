// Intervals of 8-bit numbers against all the numbers in them.
#include "opt/interval.h"

#include <gtest/gtest.h>

#include <tuple>
#include <vector>

#include "ir/evaluate.h"
#include "ir/testing/random.h"

namespace splice::opt {
namespace {

using ir::Op;
using ir::Type;

/// Half of them near 0, where products fit.
Interval random_interval(ir::testing::Random& random, Type t) {
  const Interval all = full(t);
  const Interval from = random.chance(50) ? all : meet(all, {-6, 6});
  const auto width = static_cast<std::size_t>(from.high - from.low) + 1;
  const Wide a = from.low + static_cast<Wide>(random.below(width));
  const Wide size = static_cast<Wide>(random.below(random.chance(50) ? 4 : 40));
  return meet({a, a + size}, all);
}

class Numbers : public ::testing::TestWithParam<std::tuple<Op, Type>> {};

TEST_P(Numbers, LieInTheInterval) {
  const auto [op, type] = GetParam();
  ir::Inst inst;
  inst.op = op;
  inst.type = type;
  inst.args = {0, 1};
  const bool checked = op == Op::kAddOv || op == Op::kSubOv || op == Op::kMulOv;
  inst.results = checked ? std::vector<ir::ValueId>{2, 3} : std::vector<ir::ValueId>{2};
  ir::testing::Random random(static_cast<std::uint64_t>(op) * 31 + static_cast<unsigned>(type));
  int tight = 0;
  for (int round = 0; round < 60; ++round) {
    const Interval a = random_interval(random, type);
    const Interval b = random_interval(random, type);
    const bool is_compare = op >= Op::kEq && op <= Op::kGe;
    const Interval result = is_compare ? compare(op, a, b) : binary(op, type, a, b);
    if (result != full(is_compare ? Type::kI1 : type)) ++tight;
    for (Wide x = a.low; x <= a.high; ++x) {
      for (Wide y = b.low; y <= b.high; ++y) {
        const ir::Value args[] = {ir::int_value(type, static_cast<std::int64_t>(x)),
                                  ir::int_value(type, static_cast<std::int64_t>(y))};
        const auto value = ir::evaluate(inst, args);
        if (!value.ok()) continue;  // undefined
        const Type t = is_compare ? Type::kI1 : type;
        const Wide number = ir::as_int(t, value->first);
        ASSERT_TRUE(result.low <= number && number <= result.high)
            << static_cast<int>(x) << " and " << static_cast<int>(y) << " give "
            << static_cast<int>(number);
        if (checked && value->second.low == 0) {
          const Interval wide = exact(op, a, b);
          ASSERT_TRUE(wide.low <= number && number <= wide.high);
        }
        if (checked && value->second.low != 0) {
          ASSERT_FALSE(full(type).contains(exact(op, a, b)));
        }
      }
    }
  }
  EXPECT_GT(tight, 3);
}

INSTANTIATE_TEST_SUITE_P(
    Ops, Numbers,
    ::testing::Combine(::testing::Values(Op::kAdd, Op::kSub, Op::kMul, Op::kDiv, Op::kRem, Op::kMod,
                                         Op::kAnd, Op::kOr, Op::kXor, Op::kShl, Op::kShr,
                                         Op::kAddOv, Op::kSubOv, Op::kMulOv, Op::kEq, Op::kNe,
                                         Op::kLt, Op::kLe, Op::kGt, Op::kGe),
                       ::testing::Values(Type::kI8, Type::kU8)));

TEST(Interval, ConversionKeepsTheLowBits) {
  constexpr Type kTypes[] = {Type::kI1, Type::kI8, Type::kU8, Type::kI16, Type::kU16};
  ir::testing::Random random(5);
  for (const Type from : kTypes) {
    for (const Type to : kTypes) {
      for (int round = 0; round < 40; ++round) {
        const Interval a = random_interval(random, from);
        const Interval result = convert(a, to);
        for (Wide x = a.low; x <= a.high; ++x) {
          const Wide number = ir::as_int(to, ir::int_value(to, static_cast<std::int64_t>(x)));
          ASSERT_TRUE(result.low <= number && number <= result.high);
        }
      }
    }
  }
}

TEST(Interval, ProductsOfTheBiggestNumbers) {
  const Interval u64 = full(Type::kU64);
  const Interval i64 = full(Type::kI64);
  EXPECT_EQ(binary(Op::kMul, Type::kU64, u64, u64), u64);
  EXPECT_EQ(binary(Op::kMul, Type::kI64, i64, i64), i64);
  EXPECT_FALSE(u64.contains(exact(Op::kMulOv, u64, u64)));
  EXPECT_EQ(convert({-1, -1}, Type::kU64), (Interval{u64.high, u64.high}));
}

}  // namespace
}  // namespace splice::opt
