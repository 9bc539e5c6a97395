// Shapes of control flow and data that need care on the way to LLVM.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <string>

#include "codegen/session.h"
#include "codegen/testing/native_host.h"

namespace splice::codegen {
namespace {

using testing::parse_module;

class Control : public ::testing::TestWithParam<int> {
 protected:
  template <class F>
  F compile(const std::string& text, const char* function) {
    static std::unique_ptr<Session> session = std::move(Session::create().value());
    const ir::Module module = parse_module(text);
    Options options;
    options.opt_level = GetParam();
    auto unit = session->compile(module, testing::bind(module), options);
    EXPECT_TRUE(unit.ok()) << unit.status().message();
    unit_ = std::move(*unit);
    return reinterpret_cast<F>(unit_->address(function));
  }

  std::unique_ptr<CodeUnit> unit_;
};

using Unary = std::int64_t (*)(std::int64_t);

TEST_P(Control, BothEdgesOfABranchMayGoToOneBlock) {
  const auto f = compile<Unary>(R"(
func @f(i64) -> (i64) exported c_abi {
^0(%0: i64):
  %1: i64 = const i64 10
  %2: i1 = lt i64 %0, %1
  %3: i64 = const i64 100
  %4: i64 = const i64 200
  cond.br %2, ^1(%3), ^1(%4)
^1(%5: i64):
  %6: i64 = add i64 %5, %0
  ret [0] %6
}
)",
                                "f");
  EXPECT_EQ(f(1), 101);
  EXPECT_EQ(f(11), 211);
}

TEST_P(Control, SwitchesMayReachABlockSeveralTimes) {
  const auto f = compile<Unary>(R"(
func @f(i64) -> (i64) exported c_abi {
^0(%0: i64):
  %1: i64 = const i64 1
  %2: i64 = const i64 2
  %3: i64 = const i64 3
  switch i64 %0, -5: ^1(%1), 9000000000: ^1(%2), 7: ^2, else: ^1(%3)
^1(%4: i64):
  ret [0] %4
^2:
  ret [0] %0
}
)",
                                "f");
  EXPECT_EQ(f(-5), 1);
  EXPECT_EQ(f(9000000000), 2);
  EXPECT_EQ(f(7), 7);
  EXPECT_EQ(f(8), 3);

  const auto narrow = compile<std::int64_t (*)(std::int32_t)>(R"(
func @g(i32) -> (i64) exported c_abi {
^0(%0: i32):
  %1: i64 = const i64 1
  %2: i64 = const i64 2
  switch i32 %0, -2: ^1(%1), else: ^1(%2)
^1(%4: i64):
  ret [0] %4
}
)",
                                                              "g");
  EXPECT_EQ(narrow(-2), 1);
  EXPECT_EQ(narrow(2), 2);
}

TEST_P(Control, UnreachableBlocksAreDropped) {
  const auto f = compile<Unary>(R"(
func @f(i64) -> (i64) exported c_abi {
^0(%0: i64):
  br ^1(%0)
^1(%1: i64):
  ret [0] %1
^2(%2: i64):
  br ^3(%2)
^3(%3: i64):
  br ^1(%3)
}
)",
                                "f");
  EXPECT_EQ(f(3), 3);
}

TEST_P(Control, BlockArgumentsSwapAtOnce) {
  const auto f = compile<Unary>(R"(
func @f(i64) -> (i64) exported c_abi {
^0(%0: i64):
  %1: i64 = const i64 1
  %2: i64 = const i64 2
  %3: i64 = const i64 0
  br ^1(%1, %2, %3)
^1(%4: i64, %5: i64, %6: i64):
  %7: i1 = lt i64 %6, %0
  %8: i64 = const i64 1
  %9: i64 = add i64 %6, %8
  cond.br %7, ^1(%5, %4, %9), ^2
^2:
  %10: i64 = const i64 10
  %11: i64 = mul i64 %4, %10
  %12: i64 = add i64 %11, %5
  ret [0] %12
}
)",
                                "f");
  EXPECT_EQ(f(4), 12);
  EXPECT_EQ(f(5), 21);
}

TEST_P(Control, ManyParametersAndResultsTravel) {
  // More than fit registers, both ways, with a complex number among them.
  std::string params;
  std::string args;
  std::string returned;
  for (int i = 0; i < 9; ++i) {
    const std::string n = std::to_string(i);
    params += (i > 0 ? ", " : "") + std::string("i64");
    args += (i > 0 ? ", %" : "%") + n + ": i64";
    returned += (i > 0 ? ", %" : "%") + n;
  }
  const std::string types = params + ", f64, c128, i1, f32";
  const auto f = compile<std::int64_t (*)(const std::int64_t*, double*)>(
      "func @many(" + types + ") -> (" + types + ") {\n^0(" + args +
          ", %9: f64, %10: c128, %11: i1, %12: f32):\n  ret [5] " + returned +
          ", %9, %10, %11, %12\n}\n" + R"(
func @run(ptr, ptr) -> (i64) exported c_abi {
^0(%0: ptr, %1: ptr):
  %2: ptr = call.rt @splice_rt_enter
  %3: i64 = load i64 [0] %0
  %4: i64 = load i64 [8] %0
  %5: f64 = const f64 0.5
  %6: f64 = const f64 -3.25
  %7: c128 = complex %5, %6
  %8: i1 = const i1 1
  %9: f32 = const f32 8.5
  %10: i64, %11: i64, %12: i64, %13: i64, %14: i64, %15: i64, %16: i64, %17: i64, %18: i64, %19: f64, %20: c128, %21: i1, %22: f32, %23: i32 = call @many %2, %3, %4, %3, %4, %3, %4, %3, %4, %4, %6, %7, %8, %9
  %30: i64 = sub i64 %10, %18
  store f64 [0] %1, %19
  store c128 [8] %1, %20
  %31: f64 = convert f64 from f32 %22
  store f64 [24] %1, %31
  store i1 [32] %1, %21
  %32: i64 = convert i64 from i32 %23
  %33: i64 = const i64 1000
  %34: i64 = mul i64 %30, %33
  %35: i64 = add i64 %34, %32
  ret [0] %35
}
)",
      "run");
  const std::int64_t in[2] = {50, 8};
  double out[5] = {};
  EXPECT_EQ(f(in, out), (50 - 8) * 1000 + 5);
  EXPECT_EQ(out[0], -3.25);
  EXPECT_EQ(out[1], 0.5);
  EXPECT_EQ(out[2], -3.25);
  EXPECT_EQ(out[3], 8.5);
  unsigned char flag = 0;
  std::memcpy(&flag, &out[4], 1);
  EXPECT_EQ(flag, 1);
}

TEST_P(Control, NarrowTypesCrossTheCAbi) {
  const auto f = compile<std::int16_t (*)(std::int8_t, std::uint8_t, bool)>(R"(
func @f(i8, u8, i1) -> (i16) exported c_abi {
^0(%0: i8, %1: u8, %2: i1):
  %3: i16 = convert i16 from i8 %0
  %4: i16 = convert i16 from u8 %1
  %5: i16 = convert i16 from i1 %2
  %6: i16 = add i16 %3, %4
  %7: i16 = const i16 1000
  %8: i16 = mul i16 %5, %7
  %9: i16 = add i16 %6, %8
  ret [0] %9
}
)",
                                                                            "f");
  EXPECT_EQ(f(-100, 200, true), 1100);
  EXPECT_EQ(f(-100, 1, false), -99);

  const auto truth = compile<bool (*)(const void*)>(
      "func @t(ptr) -> (i1) exported c_abi {\n^0(%0: ptr):\n %1: i1 = load i1 [0] %0\n"
      " ret [0] %1\n}\n",
      "t");
  const unsigned char bytes[] = {0, 1, 2, 0x80};
  EXPECT_FALSE(truth(bytes));
  for (int i = 1; i < 4; ++i) EXPECT_TRUE(truth(bytes + i));
}

TEST_P(Control, ComplexCrossesTheCAbi) {
  const auto f = compile<_Complex double (*)(_Complex double, double)>(R"(
func @f(c128, f64) -> (c128) exported c_abi {
^0(%0: c128, %1: f64):
  %2: f64 = real %0
  %3: f64 = imag %0
  %4: f64 = mul f64 %2, %1
  %5: c128 = complex %4, %3
  ret [0] %5
}
)",
                                                                       "f");
  _Complex double argument;
  __real__ argument = 1.5;
  __imag__ argument = -2.0;
  const _Complex double z = f(argument, 4.0);
  EXPECT_EQ(__real__ z, 6.0);
  EXPECT_EQ(__imag__ z, -2.0);
}

TEST_P(Control, UndefinedValuesAreOneValueAndMayBeBranchedOn) {
  const auto f = compile<Unary>(R"(
func @f(i64) -> (i64) exported c_abi {
^0(%0: i64):
  %1: i64 = undef i64
  %2: i64 = sub i64 %1, %1
  %3: i1 = eq i64 %1, %0
  cond.br %3, ^1, ^2
^1:
  ret [0] %2
^2:
  ret [0] %2
}
)",
                                "f");
  EXPECT_EQ(f(3), 0);
}

TEST_P(Control, NansOfArithmeticHaveTheSignOfTheProcessor) {
  const auto f = compile<std::uint64_t (*)()>(R"(
func @f() -> (u64) exported c_abi {
^0:
  %0: f64 = const f64 0x7ff0000000000000
  %1: f64 = sub f64 %0, %0
  %2: u64 = bitcast u64 from f64 %1
  ret [0] %2
}
)",
                                              "f");
  volatile double inf = std::numeric_limits<double>::infinity();
  const double nan = inf - inf;
  EXPECT_EQ(f(), std::bit_cast<std::uint64_t>(nan));
}

TEST_P(Control, FloatsAreNeitherContractedNorReordered) {
  const auto f = compile<double (*)(double, double, double)>(R"(
func @f(f64, f64, f64) -> (f64) exported c_abi {
^0(%0: f64, %1: f64, %2: f64):
  %3: f64 = mul f64 %0, %1
  %4: f64 = add f64 %3, %2
  ret [0] %4
}
)",
                                                             "f");
  const double x = 1.0 + std::ldexp(1.0, -30);
  volatile double product = x * x;
  EXPECT_EQ(f(x, x, -1.0), product - 1.0);
  EXPECT_NE(f(x, x, -1.0), std::fma(x, x, -1.0));
}

TEST_P(Control, BigStackSlotsWork) {
  const auto f = compile<Unary>(R"(
func @f(i64) -> (i64) exported c_abi {
^0(%0: i64):
  %1: ptr = slot [200000]
  %2: ptr = addr [8, 0] %1, %0
  store i64 [0] %2, %0
  %3: i64 = load i64 [0] %2
  ret [0] %3
}
)",
                                "f");
  EXPECT_EQ(f(0), 0);
  EXPECT_EQ(f(24999), 24999);
}

INSTANTIATE_TEST_SUITE_P(All, Control, ::testing::Values(0, 2),
                         [](const ::testing::TestParamInfo<int>& info) {
                           return info.param == 0 ? std::string("plain") : std::string("tuned");
                         });

}  // namespace
}  // namespace splice::codegen
