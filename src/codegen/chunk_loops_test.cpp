// Loops in chunks, and functions that call themselves: as tuned code and as lowered, with numbers
// around the bounds of the chunks and of 64 bits, both must give the same and leave at one place.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "base/check.h"
#include "codegen/session.h"
#include "codegen/testing/hot_code.h"
#include "codegen/testing/native_host.h"

namespace splice::codegen {
namespace {

struct Result3 {
  std::int32_t status;
  std::int64_t value;
};
using Ternary = Result3 (*)(void*, std::int64_t, std::int64_t, std::int64_t);

class Chunks : public ::testing::Test {
 protected:
  void SetUp() override { mask_ = testing::context().eval_breaker_mask; }
  void TearDown() override { testing::context().eval_breaker_mask = mask_; }

  struct Seen {
    std::int32_t status = 0;
    std::int64_t value = 0;
    std::uint32_t function = 0;
    std::uint32_t exit = 0;
    std::vector<std::uint64_t> live;
    bool operator==(const Seen&) const = default;
  };

  void compile(const std::string& text) {
    module_ = testing::parse_module(text);
    plain_ = unit({.opt_level = 0});
    tuned_ = unit({.keep_text = true});
    for (const std::int64_t rounds : {1, 2, 3, 20}) {
      for (const bool baseline : {false, true})
        hot_.push_back(std::make_unique<testing::HotCode>(
            session(), module_, "f",
            Options{.keep_text = true, .hot_rounds = rounds, .baseline = baseline}));
    }
  }

  static Session& session() {
    static std::unique_ptr<Session> the_session = std::move(Session::create().value());
    return *the_session;
  }

  std::unique_ptr<CodeUnit> unit(const Options& options) {
    auto made = session().compile(module_, testing::bind(module_), options);
    SPLICE_CHECK(made.ok(), made.status().message().c_str());
    return std::move(*made);
  }

  std::string tuned_text() const { return tuned_->llvm_ir(); }

  static Seen run(void* code, std::int64_t a, std::int64_t b, std::int64_t c, int leave_at_poll) {
    testing::reset(leave_at_poll);
    testing::context().eval_breaker_mask = leave_at_poll == 0 ? 0 : ~std::uint32_t{0};
    const auto f = reinterpret_cast<Ternary>(code);
    const Result3 r = f(&testing::context(), a, b, c);
    Seen seen;
    seen.status = r.status;
    if (r.status >= 0) seen.value = r.value;
    if (!testing::exits().empty()) {
      seen.function = testing::exits()[0].function;
      seen.exit = testing::exits()[0].exit;
      seen.live = testing::exits()[0].live;
    }
    return seen;
  }

  void same(std::int64_t a, std::int64_t b, std::int64_t c) {
    for (const int leave_at_poll : {0, 1, 3, 70}) {
      const Seen expected = run(plain_->address("f"), a, b, c, leave_at_poll);
      const auto call = [&] {
        return std::to_string(a) + " " + std::to_string(b) + " " + std::to_string(c) + ", poll " +
               std::to_string(leave_at_poll) + ", status " + std::to_string(expected.status);
      };
      EXPECT_EQ(run(tuned_->address("f"), a, b, c, leave_at_poll), expected) << call();
      for (const auto& hot : hot_) {
        EXPECT_EQ(run(hot->enter(), a, b, c, leave_at_poll), expected)
            << call() << ", hot after " << hot->options().hot_rounds << ", baseline "
            << hot->options().baseline;
      }
      (expected.status < 0 ? left_ : finished_) += 1;
    }
  }

  void same_for_all(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b,
                    const std::vector<std::int64_t>& c) {
    for (const std::int64_t x : a) {
      for (const std::int64_t y : b) {
        for (const std::int64_t z : c) same(x, y, z);
      }
    }
    EXPECT_GT(finished_, 0);
    EXPECT_GT(left_, 0);
    const bool loops = tuned_text().find("chunk") != std::string::npos;
    for (const auto& hot : hot_) {
      if (hot->options().baseline) {
        EXPECT_FALSE(hot->again().empty());
        continue;
      }
      EXPECT_EQ(hot->again().empty(), !loops);
      for (const auto& rest : hot->again())
        EXPECT_NE(rest->llvm_ir().find("chunk"), std::string::npos);
    }
  }

  std::uint32_t mask_ = 0;
  ir::Module module_;
  std::unique_ptr<CodeUnit> plain_;
  std::unique_ptr<CodeUnit> tuned_;
  std::vector<std::unique_ptr<testing::HotCode>> hot_;
  int finished_ = 0;
  int left_ = 0;
};

const std::vector<std::int64_t> kCounts = {-1, 0, 1, 7, 8, 9, 15, 16, 17, 63, 64, 65, 100, 200};
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
const std::vector<std::int64_t> kNumbers = {0,
                                            1,
                                            -1,
                                            3,
                                            (1LL << 30) - 1,
                                            1LL << 30,
                                            (1LL << 46) - 3,
                                            1LL << 46,
                                            -(1LL << 54),
                                            (1LL << 54) - 1,
                                            1LL << 54,
                                            -(1LL << 62) - 1,
                                            1LL << 62,
                                            kMax - 60,
                                            kMax,
                                            kMin,
                                            kMin + 5};

TEST_F(Chunks, TwoNumbersThatGrow) {
  compile(R"(
func @f(i64, i64, i64) -> (i64) exported {
  exit #0 frames (i64, i64, i64) "overflow"
  exit #1 frames (i64, i64, i64) "poll"
^0(%0: i64, %1: i64, %2: i64):
  %3: i64 = const i64 0
  %4: i64 = const i64 1
  %5: i1 = const i1 1
  br ^1(%1, %2, %3)
^1(%6: i64, %7: i64, %8: i64):
  %9: i1 = lt i64 %8, %0
  cond.br %9, ^2, ^3
^2:
  %10: i64, %11: i1 = add.ov i64 %6, %7
  %12: i1 = xor i1 %11, %5
  guard #0 %12, %6, %7, %8
  %13: i64 = add i64 %8, %4
  poll #1 %7, %10, %13
  br ^1(%7, %10, %13)
^3:
  ret [0] %6
}
)");
  EXPECT_NE(tuned_text().find("chunk"), std::string::npos);
  same_for_all(kCounts, kNumbers, kNumbers);
}

TEST_F(Chunks, ASumIsVectorised) {
  compile(R"(
func @f(i64, i64, i64) -> (i64) exported {
  exit #0 frames (i64, i64) "overflow"
  exit #1 frames (i64, i64) "poll"
^0(%0: i64, %1: i64, %2: i64):
  %3: i64 = const i64 0
  %4: i64 = const i64 1
  %5: i1 = const i1 1
  %6: i64 = const i64 255
  br ^1(%1, %3)
^1(%7: i64, %8: i64):
  %9: i1 = lt i64 %8, %0
  cond.br %9, ^2, ^3
^2:
  %10: i64 = xor i64 %8, %2
  %11: i64 = and i64 %10, %6
  %12: i64, %13: i1 = add.ov i64 %7, %11
  %14: i1 = xor i1 %13, %5
  guard #0 %14, %7, %8
  %15: i64 = add i64 %8, %4
  poll #1 %12, %15
  br ^1(%12, %15)
^3:
  ret [0] %7
}
)");
  EXPECT_NE(tuned_text().find("x i64>"), std::string::npos);
  same_for_all(kCounts, kNumbers, {0, 5, -1, kMax});
}

TEST_F(Chunks, ALoopThatEndsBySomethingElse) {
  compile(R"(
func @f(i64, i64, i64) -> (i64) exported {
  exit #0 frames (i64, i64) "times three"
  exit #1 frames (i64, i64) "and one"
  exit #2 frames (i64, i64) "length"
  exit #3 frames (i64, i64) "poll"
^0(%0: i64, %1: i64, %2: i64):
  %3: i64 = const i64 0
  %4: i64 = const i64 1
  %5: i1 = const i1 1
  %6: i64 = const i64 3
  br ^1(%1, %2)
^1(%7: i64, %8: i64):
  %9: i1 = gt i64 %7, %4
  cond.br %9, ^2, ^6
^2:
  %10: i64 = and i64 %7, %4
  %11: i1 = eq i64 %10, %3
  cond.br %11, ^3, ^4
^3:
  %12: i64 = shr i64 %7, %4
  br ^5(%12)
^4:
  %13: i64, %14: i1 = mul.ov i64 %7, %6
  %15: i1 = xor i1 %14, %5
  guard #0 %15, %7, %8
  %16: i64, %17: i1 = add.ov i64 %13, %4
  %18: i1 = xor i1 %17, %5
  guard #1 %18, %13, %8
  br ^5(%16)
^5(%19: i64):
  %20: i64, %21: i1 = add.ov i64 %8, %4
  %22: i1 = xor i1 %21, %5
  guard #2 %22, %19, %8
  poll #3 %19, %20
  br ^1(%19, %20)
^6:
  ret [0] %8
}
)");
  EXPECT_NE(tuned_text().find("chunk"), std::string::npos);
  std::vector<std::int64_t> starts = kNumbers;
  for (std::int64_t n = 2; n < 60; ++n) starts.push_back(n);
  starts.push_back(kMax / 3);
  starts.push_back(kMax / 3 - 1);
  same_for_all({0}, starts, {0, kMax - 20, kMax});
}

TEST_F(Chunks, UnsignedDivisionsSayThatNumbersAreNotNegative) {
  compile(R"(
func @f(i64, i64, i64) -> (i64) exported {
  exit #0 frames (i64, i64) "overflow"
  exit #1 frames (i64, i64) "poll"
^0(%0: i64, %1: i64, %2: i64):
  %3: i64 = const i64 0
  %4: i64 = const i64 1
  %5: i1 = const i1 1
  %6: u64 = convert u64 from i64 %1
  br ^1(%2, %4)
^1(%7: i64, %8: i64):
  %9: i1 = lt i64 %8, %0
  cond.br %9, ^2, ^3
^2:
  %10: u64 = convert u64 from i64 %8
  %11: u64 = div u64 %6, %10
  %12: i64 = convert i64 from u64 %11
  %13: i64, %14: i1 = add.ov i64 %7, %12
  %15: i1 = xor i1 %14, %5
  guard #0 %15, %7, %8
  %16: i64 = add i64 %8, %4
  poll #1 %13, %16
  br ^1(%13, %16)
^3:
  ret [0] %7
}
)");
  EXPECT_NE(tuned_text().find("chunk"), std::string::npos);
  same_for_all(kCounts, {0, 1, 1000, (1LL << 54) - 1, 1LL << 54, kMax}, kNumbers);
}

TEST_F(Chunks, ModuliBoundTheirResults) {
  compile(R"(
func @f(i64, i64, i64) -> (i64) exported {
  exit #0 frames (i64, i64) "overflow"
  exit #1 frames (i64, i64) "poll"
^0(%0: i64, %1: i64, %2: i64):
  %3: i64 = const i64 0
  %4: i64 = const i64 1
  %5: i1 = const i1 1
  br ^1(%2, %3)
^1(%7: i64, %8: i64):
  %9: i1 = lt i64 %8, %0
  cond.br %9, ^2, ^3
^2:
  %10: i64, %11: i1 = add.ov i64 %7, %8
  %12: i1 = xor i1 %11, %5
  guard #0 %12, %7, %8
  %13: i64 = mod i64 %10, %1
  %14: i64, %15: i1 = mul.ov i64 %13, %13
  %16: i1 = xor i1 %15, %5
  guard #0 %16, %7, %8
  %17: i64 = mod i64 %14, %1
  %18: i64 = add i64 %8, %4
  poll #1 %17, %18
  br ^1(%17, %18)
^3:
  ret [0] %7
}
)");
  EXPECT_NE(tuned_text().find("chunk"), std::string::npos);
  same_for_all(kCounts, {0, 1, -1, 2, 7, -7, 1000, -1000, 1LL << 31, 1LL << 40, kMax, -kMax - 1},
               kNumbers);
}

TEST_F(Chunks, IndicesThatRiseFromZeroHaveNoSign) {
  compile(R"(
func @f(i64, i64, i64) -> (i64) exported {
  exit #0 frames (i64, i64) "out of range"
  exit #1 frames (i64, i64) "poll"
^0(%0: i64, %1: i64, %2: i64):
  %3: i64 = const i64 0
  %4: i64 = const i64 1
  br ^1(%2, %1)
^1(%7: i64, %8: i64):
  %9: i1 = ne i64 %8, %0
  cond.br %9, ^2, ^3
^2:
  %10: i1 = lt i64 %8, %3
  %11: i64 = add i64 %8, %0
  %12: i64 = select i64 %10, %11, %8
  %13: u64 = bitcast u64 from i64 %12
  %14: u64 = bitcast u64 from i64 %0
  %15: i1 = lt u64 %13, %14
  guard #0 %15, %7, %8
  %16: i64 = xor i64 %7, %12
  %17: i64 = add i64 %8, %4
  poll #1 %16, %17
  br ^1(%16, %17)
^3:
  ret [0] %7
}
)");
  EXPECT_NE(tuned_text().find("chunk"), std::string::npos);
  same_for_all({0, 1, 5, 200, 1000},
               {0, 1, 3, 900, 1001, -1, -2, -70, -1000, -1001, kMax, -kMax - 1}, {0, 7});
}

TEST_F(Chunks, ServedPollsGoBackToTheChunks) {
  compile(R"(
func @f(i64, i64, i64) -> (i64) exported {
  exit #0 frames (i64, i64) "overflow"
  exit #1 frames (i64, i64) "poll"
^0(%0: i64, %1: i64, %2: i64):
  %3: i64 = const i64 0
  %4: i64 = const i64 1
  %5: i1 = const i1 1
  br ^1(%1, %3)
^1(%7: i64, %8: i64):
  %9: i1 = lt i64 %8, %0
  cond.br %9, ^2, ^3
^2:
  %10: i64, %11: i1 = add.ov i64 %7, %2
  %12: i1 = xor i1 %11, %5
  guard #0 %12, %7, %8
  %13: i64 = add i64 %8, %4
  poll #1 %10, %13
  br ^1(%10, %13)
^3:
  ret [0] %7
}
)");
  // The host's poll is always asked for: all rounds are of the loop as it was.
  const Seen all = run(tuned_->address("f"), 100, 0, 3, 1000);
  EXPECT_EQ(all.value, 300);
  EXPECT_EQ(testing::polls(), 100);
  // Nobody asks: no poll.
  EXPECT_EQ(run(tuned_->address("f"), 100, 0, 3, 0).value, 300);
  EXPECT_EQ(testing::polls(), 0);
  same_for_all(kCounts, kNumbers, kNumbers);
}

TEST_F(Chunks, ALoopInALoopIsEnteredAgain) {
  // The inner loop ends in two ways; both go on with what the outer one computed before it.
  compile(R"(
func @f(i64, i64, i64) -> (i64) exported {
  exit #0 frames (i64, i64, i64, i64) "inner overflow"
  exit #1 frames (i64, i64, i64, i64) "inner poll"
  exit #2 frames (i64, i64, i64) "overflow"
  exit #3 frames (i64, i64) "poll"
^0(%0: i64, %1: i64, %2: i64):
  %3: i64 = const i64 0
  %4: i64 = const i64 1
  %5: i1 = const i1 1
  %6: i64 = const i64 3
  %7: i64 = const i64 100000
  br ^1(%3, %1)
^1(%8: i64, %9: i64):
  %10: i1 = lt i64 %8, %0
  cond.br %10, ^2, ^7
^2:
  %11: i64 = mul i64 %8, %6
  br ^3(%3, %9)
^3(%12: i64, %13: i64):
  %14: i1 = lt i64 %12, %8
  cond.br %14, ^4, ^6(%13, %11)
^4:
  %15: i64, %16: i1 = add.ov i64 %13, %2
  %17: i1 = xor i1 %16, %5
  guard #0 %17, %8, %11, %12, %13
  %18: i1 = gt i64 %15, %7
  cond.br %18, ^6(%11, %12), ^5
^5:
  %19: i64 = add i64 %12, %4
  poll #1 %8, %11, %19, %15
  br ^3(%19, %15)
^6(%20: i64, %21: i64):
  %22: i64, %23: i1 = add.ov i64 %20, %21
  %24: i1 = xor i1 %23, %5
  guard #2 %24, %8, %20, %21
  %25: i64 = add i64 %8, %4
  poll #3 %25, %22
  br ^1(%25, %22)
^7:
  ret [0] %9
}
)");
  EXPECT_NE(tuned_text().find("chunk"), std::string::npos);
  same_for_all({0, 1, 2, 8, 9, 10, 33}, kNumbers, {0, 1, 5000, kMax / 10, kMax / 200, kMin});
}

TEST_F(Chunks, ResultsOfACallThatOnlyExitsNeed) {
  // LLVM keeps the structure of results in front of the inner loop.
  compile(R"(
func @down(i64, i64) -> (i64, i64, i64) {
  exit #0 frames (i64, i64) "left"
^0(%0: i64, %1: i64):
  %2: i64 = const i64 1
  %3: i1 = lt i64 %0, %2
  cond.br %3, ^1, ^2
^1:
  ret [0] %0, %1, %2
^2:
  %4: i64 = sub i64 %0, %2
  %5: i64 = xor i64 %1, %0
  %6: i64, %7: i64, %8: i64, %9: i32 = call @down %4, %5
  switch i32 %9, 0: ^3, else: ^4
^3:
  %10: i64 = add i64 %8, %0
  ret [0] %5, %7, %10
^4:
  leave #0 %0, %1
}
func @f(i64, i64, i64) -> (i64) exported {
  exit #0 frames (i64, i64, i64, i64, i64) "inner overflow"
  exit #1 frames (i64, i64, i64, i64, i64) "inner poll"
  exit #2 frames (i64, i64, i64, i64, i64) "overflow"
  exit #3 frames (i64, i64, i64, i64) "poll"
  exit #4 frames (i64, i64) "callee left"
^0(%0: i64, %1: i64, %2: i64):
  %3: i64 = const i64 0
  %4: i64 = const i64 1
  %5: i1 = const i1 1
  br ^1(%3, %1)
^1(%8: i64, %9: i64):
  %10: i1 = lt i64 %8, %0
  cond.br %10, ^2, ^7
^2:
  %30: i64, %31: i64, %32: i64, %33: i32 = call @down %8, %9
  switch i32 %33, 0: ^3(%3, %9), else: ^6
^3(%12: i64, %13: i64):
  %14: i1 = lt i64 %12, %8
  cond.br %14, ^4, ^5
^4:
  %15: i64, %16: i1 = add.ov i64 %13, %2
  %17: i1 = xor i1 %16, %5
  guard #0 %17, %8, %12, %13, %31, %30
  %19: i64 = add i64 %12, %4
  poll #1 %8, %19, %15, %30, %32
  br ^3(%19, %15)
^5:
  %22: i64, %23: i1 = add.ov i64 %13, %8
  %24: i1 = xor i1 %23, %5
  guard #2 %24, %8, %13, %30, %31, %32
  %25: i64 = add i64 %8, %4
  poll #3 %25, %22, %31, %32
  br ^1(%25, %22)
^6:
  leave #4 %8, %9
^7:
  ret [0] %9
}
)");
  EXPECT_NE(tuned_text().find("chunk"), std::string::npos);
  same_for_all({0, 1, 2, 9, 21}, kNumbers, {0, 1, 5000, kMax / 10, kMax / 200, kMin});
}

TEST_F(Chunks, RecursionIsUnfolded) {
  // fib(n) with an object that inner calls have none of; a check that fails for big results.
  compile(R"(
func @fib(i64, i64, obj) -> (i64, obj) {
  exit #0 frames (i64, obj) "overflow"
  exit #1 frames (i64, obj) "first call left"
  exit #2 frames (i64, obj, i64) "second call left"
^0(%0: i64, %1: i64, %2: obj):
  %3: i64 = const i64 2
  %4: i1 = lt i64 %0, %3
  cond.br %4, ^1, ^2
^1:
  %5: i64 = add i64 %0, %1
  ret [0] %5, %2
^2:
  %6: i64 = const i64 1
  %7: obj = const obj null
  %8: i64 = sub i64 %0, %6
  %9: i64, %10: obj, %11: i32 = call @fib %8, %1, %7
  switch i32 %11, 0: ^3, else: ^4
^3:
  %12: i64 = sub i64 %0, %3
  %13: i64, %14: obj, %15: i32 = call @fib %12, %1, %7
  switch i32 %15, 0: ^5, else: ^6
^4:
  leave #1 %0, %2
^5:
  %16: i64, %17: i1 = add.ov i64 %9, %13
  %18: i1 = const i1 1
  %19: i1 = xor i1 %17, %18
  guard #0 %19, %0, %2
  %20: i1 = eq obj %10, %14
  %21: i64 = convert i64 from i1 %20
  %22: i64 = add i64 %16, %21
  ret [0] %22, %7
^6:
  leave #2 %0, %2, %9
}
func @f(i64, i64, i64) -> (i64) exported {
  exit #0 frames (i64) "callee left"
^0(%0: i64, %1: i64, %2: i64):
  %3: obj = symbol obj @code
  %4: i64, %5: obj, %6: i32 = call @fib %0, %1, %3
  switch i32 %6, 0: ^1, else: ^2
^1:
  %7: i1 = eq obj %5, %3
  %8: i64 = convert i64 from i1 %7
  %9: i64 = add i64 %4, %8
  ret [0] %9
^2:
  leave #0 %0
}
)");
  same_for_all({-5, 0, 1, 2, 3, 4, 5, 6, 7, 11, 12}, {0, 1, 1LL << 56, 1LL << 60, kMax / 2}, {0});
}

}  // namespace
}  // namespace splice::codegen
