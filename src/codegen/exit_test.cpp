// Guards, polls, leaves and statuses of machine code.
#include <gtest/gtest.h>

#include <atomic>
#include <bit>
#include <memory>
#include <string>
#include <thread>

#include "codegen/session.h"
#include "codegen/testing/native_host.h"

namespace splice::codegen {
namespace {

using testing::parse_module;

class Exits : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override { testing::reset(); }

  void* compile(const std::string& text, const char* function) {
    static std::unique_ptr<Session> session = std::move(Session::create().value());
    const ir::Module module = parse_module(text);
    Options options;
    options.opt_level = GetParam();
    auto unit = session->compile(module, testing::bind(module), options);
    EXPECT_TRUE(unit.ok()) << unit.status().message();
    unit_ = std::move(*unit);
    return unit_->address(function);
  }

  std::unique_ptr<CodeUnit> unit_;
};

struct IntResult {
  std::int32_t status;
  std::int64_t value;
};

TEST_P(Exits, LiveValuesOfEachTypeAreStoredAsWords) {
  auto* f = reinterpret_cast<IntResult (*)(void*, std::int8_t, std::uint16_t, float, double, bool,
                                           void*)>(compile(R"(
func @f(i8, u16, f32, f64, i1, ptr) -> (i64) exported {
  exit #0 frames (i8, u16, f32, f64, i1, ptr, c128, obj) "all types"
^0(%0: i8, %1: u16, %2: f32, %3: f64, %4: i1, %5: ptr):
  %6: f64 = neg f64 %3
  %7: c128 = complex %3, %6
  %8: obj = const obj null
  guard #0 %4, %0, %1, %2, %3, %4, %5, %7, %8
  %9: i64 = const i64 12
  ret [3] %9
}
)",
                                                           "f"));
  int object = 0;
  const IntResult stays = f(&testing::context(), -1, 60000, 1.5f, 2.5, true, &object);
  EXPECT_EQ(stays.status, 3);
  EXPECT_EQ(stays.value, 12);
  EXPECT_TRUE(testing::exits().empty());

  const IntResult left = f(&testing::context(), -1, 60000, 1.5f, 2.5, false, &object);
  EXPECT_EQ(left.status, layout::kLeft);
  ASSERT_EQ(testing::exits().size(), 1u);
  const testing::NativeExit& exit = testing::exits()[0];
  EXPECT_EQ(exit.unit, testing::unit_address());
  EXPECT_EQ(exit.function, 0u);
  EXPECT_EQ(exit.exit, 0u);
  const std::vector<std::uint64_t> expected = {0xff,  // zero-extended, also when signed
                                               60000,
                                               std::bit_cast<std::uint32_t>(1.5f),
                                               std::bit_cast<std::uint64_t>(2.5),
                                               0,
                                               reinterpret_cast<std::uintptr_t>(&object),
                                               std::bit_cast<std::uint64_t>(2.5),
                                               std::bit_cast<std::uint64_t>(-2.5),
                                               0};
  EXPECT_EQ(exit.live, expected);
}

const char* const kChain = R"(
func @inner(i64) -> (i64) {
  exit #0 restart () "too small"
  exit #1 frames (i64) "odd"
  exit #2 frames () "nothing live"
^0(%0: i64):
  %1: i64 = const i64 10
  %2: i1 = ge i64 %0, %1
  guard #0 %2
  %3: i64 = const i64 1
  %4: i64 = and i64 %0, %3
  %5: i64 = const i64 0
  %6: i1 = eq i64 %4, %5
  guard #1 %6, %0
  %7: i64 = const i64 1000
  %8: i1 = lt i64 %0, %7
  cond.br %8, ^1, ^2
^1:
  ret [1] %0
^2:
  leave #2
}
func @outer(i64) -> (i64) exported {
  exit #0 restart () "callee restarted"
  exit #1 frames (i64) "callee left"
^0(%0: i64):
  %1: i64, %2: i32 = call @inner %0
  switch i32 %2, -1: ^1, -2: ^2, 1: ^3, else: ^4
^1:
  leave #0
^2:
  leave #1 %0
^3:
  ret [0] %1
^4:
  unreachable
}
)";

constexpr const char* kEqualExits = R"(
func @f(i64, i64) -> (i64) exported {
  exit #0 frames (i64, i64) "zero"
  exit #1 frames (i64, i64) "one"
  exit #2 frames (i64, i64) "two, the other way round"
  exit #3 restart () "three"
  exit #4 frames (i64, i64) "four"
^0(%0: i64, %1: i64):
  %2: i64 = const i64 0
  %3: i1 = ne i64 %0, %2
  guard #0 %3, %0, %1
  %4: i64 = const i64 1
  %5: i1 = ne i64 %0, %4
  guard #1 %5, %0, %1
  %6: i64 = const i64 2
  %7: i1 = ne i64 %0, %6
  guard #2 %7, %1, %0
  %8: i64 = const i64 3
  %9: i1 = ne i64 %0, %8
  guard #3 %9
  %10: i64 = const i64 4
  %11: i1 = ne i64 %0, %10
  guard #4 %11, %0, %1
  ret [0] %1
}
)";

TEST_P(Exits, ThoseOfTheSameValuesShareTheStores) {
  auto* f =
      reinterpret_cast<IntResult (*)(void*, std::int64_t, std::int64_t)>(compile(kEqualExits, "f"));
  EXPECT_EQ(f(&testing::context(), 5, 77).value, 77);
  EXPECT_TRUE(testing::exits().empty());
  for (const std::int64_t n : {0, 1, 2, 3, 4}) {
    testing::reset();
    const IntResult left = f(&testing::context(), n, 77);
    EXPECT_EQ(left.status, n == 3 ? layout::kRestart : layout::kLeft);
    if (n == 3) continue;
    ASSERT_EQ(testing::exits().size(), 1u);
    EXPECT_EQ(testing::exits()[0].exit, static_cast<std::uint32_t>(n));
    const auto word = static_cast<std::uint64_t>(n);
    EXPECT_EQ(testing::exits()[0].live, n == 2 ? (std::vector<std::uint64_t>{77, word})
                                               : (std::vector<std::uint64_t>{word, 77}));
  }
}

TEST(EqualExits, AreStoredOnce) {
  const ir::Module module = parse_module(kEqualExits);
  Options options;
  options.opt_level = 0;
  options.keep_text = true;
  auto session = std::move(Session::create().value());
  const auto unit = std::move(session->compile(module, testing::bind(module), options).value());
  const std::string& text = unit->llvm_ir();
  std::size_t stores = 0;
  for (std::size_t at = text.find("store i64"); at != std::string::npos;
       at = text.find("store i64", at + 1)) {
    ++stores;
  }
  EXPECT_EQ(stores, 4u) << text;  // #0, #1 and #4 together, and #2
}

TEST_P(Exits, CallersSeeTheStatusAndLeaveToo) {
  auto* outer = reinterpret_cast<IntResult (*)(void*, std::int64_t)>(compile(kChain, "outer"));
  const IntResult finished = outer(&testing::context(), 12);
  EXPECT_EQ(finished.status, 0);
  EXPECT_EQ(finished.value, 12);

  EXPECT_EQ(outer(&testing::context(), 4).status, layout::kRestart);
  ASSERT_EQ(testing::exits().size(), 2u);
  EXPECT_EQ(testing::exits()[0].function, 0u);
  EXPECT_TRUE(testing::exits()[0].live.empty());
  EXPECT_EQ(testing::exits()[1].function, 1u);

  testing::reset();
  EXPECT_EQ(outer(&testing::context(), 13).status, layout::kLeft);
  ASSERT_EQ(testing::exits().size(), 2u);  // the innermost function first
  EXPECT_EQ(testing::exits()[0].function, 0u);
  EXPECT_EQ(testing::exits()[0].exit, 1u);
  EXPECT_EQ(testing::exits()[0].live, std::vector<std::uint64_t>{13});
  EXPECT_EQ(testing::exits()[1].function, 1u);
  EXPECT_EQ(testing::exits()[1].exit, 1u);

  testing::reset();
  EXPECT_EQ(outer(&testing::context(), 2000).status, layout::kLeft);
  ASSERT_EQ(testing::exits().size(), 2u);
  EXPECT_EQ(testing::exits()[0].exit, 2u);
  EXPECT_TRUE(testing::exits()[0].live.empty());
}

const char* const kSpin = R"(
func @spin(i64) -> (i64) exported {
  exit #0 frames (i64) "asked to leave"
^0(%0: i64):
  %1: i64 = const i64 1
  %2: i64 = const i64 0
  br ^1(%2)
^1(%3: i64):
  poll #0 %3
  %4: i64 = add i64 %3, %1
  %5: i1 = ne i64 %4, %0
  cond.br %5, ^1(%4), ^2
^2:
  ret [0] %4
}
)";

TEST_P(Exits, PollsServeAndLeave) {
  auto* spin = reinterpret_cast<IntResult (*)(void*, std::int64_t)>(compile(kSpin, "spin"));
  const IntResult served = spin(&testing::context(), 5);
  EXPECT_EQ(served.status, 0);
  EXPECT_EQ(served.value, 5);
  EXPECT_EQ(testing::polls(), 5);

  testing::reset(/*leave_at_poll=*/3);
  EXPECT_EQ(spin(&testing::context(), 5).status, layout::kLeft);
  EXPECT_EQ(testing::exits()[0].live, std::vector<std::uint64_t>{2});
}

TEST_P(Exits, PollsTellWhetherTheyServed) {
  auto* f = reinterpret_cast<IntResult (*)(void*, std::int64_t)>(compile(R"(
func @f(i64) -> (i64) exported {
  exit #0 frames (i64) "a signal"
^0(%0: i64):
  %1: i64 = const i64 1
  %2: i64 = const i64 2
  poll.br #0 %0, ^1(%1), ^1(%2)
^1(%3: i64):
  ret [0] %3
}
)",
                                                                         "f"));
  EXPECT_EQ(f(&testing::context(), 5).value, 1);
  EXPECT_EQ(testing::polls(), 1);
  layout::Context idle = testing::context();
  idle.eval_breaker_mask = 0;
  EXPECT_EQ(f(&idle, 5).value, 2);
  EXPECT_EQ(testing::polls(), 1);
  testing::reset(/*leave_at_poll=*/1);
  EXPECT_EQ(f(&testing::context(), 5).status, layout::kLeft);
  EXPECT_EQ(testing::exits()[0].live, std::vector<std::uint64_t>{5});
}

TEST_P(Exits, OnlyBitsOfTheMaskAsk) {
  auto* spin = reinterpret_cast<IntResult (*)(void*, std::int64_t)>(compile(kSpin, "spin"));
  layout::Context context = testing::context();
  const std::uint32_t word = 0x100;
  context.eval_breaker = &word;
  context.eval_breaker_mask = 0xff;
  EXPECT_EQ(spin(&context, 5).status, 0);
  EXPECT_EQ(testing::polls(), 0);
}

TEST_P(Exits, WordsThatOtherThreadsWriteAreSeen) {
  auto* spin = reinterpret_cast<IntResult (*)(void*, std::int64_t)>(compile(kSpin, "spin"));
  layout::Context& context = testing::context();
  const auto* const old = context.eval_breaker;
  std::uint32_t word = 0;
  context.eval_breaker = &word;
  testing::reset(/*leave_at_poll=*/1);
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    std::atomic_ref<std::uint32_t>(word).store(1);
  });
  // Ends long before 2^64 steps only because the word is read again.
  const IntResult result = spin(&context, 0);
  other.join();
  context.eval_breaker = old;
  EXPECT_EQ(result.status, layout::kLeft);
  EXPECT_GT(testing::exits()[0].live[0], 0u);
}

TEST_P(Exits, RecursionUsesTheCounterOfTheContext) {
  // depth(n) = 0 for n = 0, else depth(n - 1) + 1, as long as the counter allows.
  auto* depth = reinterpret_cast<IntResult (*)(void*, std::int64_t)>(compile(R"(
func @depth(i64) -> (i64) exported {
  exit #0 frames (i64) "recursion"
^0(%0: i64):
  %1: i64 = const i64 0
  %2: i1 = eq i64 %0, %1
  cond.br %2, ^1, ^2
^1:
  ret [0] %1
^2:
  %3: ptr = ctx
  %4: ptr = load ptr [24] %3
  %5: i32 = load i32 [0] %4
  %6: i32 = const i32 0
  %7: i1 = gt i32 %5, %6
  guard #0 %7, %0
  %8: i32 = const i32 1
  %9: i32 = sub i32 %5, %8
  store i32 [0] %4, %9
  %10: i64 = const i64 1
  %11: i64 = sub i64 %0, %10
  %12: i64, %13: i32 = call @depth %11
  store i32 [0] %4, %5
  %14: i1 = eq i32 %13, %6
  guard #0 %14, %0
  %15: i64 = add i64 %12, %10
  ret [0] %15
}
)",
                                                                             "depth"));
  layout::Context& context = testing::context();
  std::int32_t left = 100;
  std::int32_t* const old = context.py_recursion_remaining;
  context.py_recursion_remaining = &left;
  const IntResult fits = depth(&context, 100);
  EXPECT_EQ(fits.status, 0);
  EXPECT_EQ(fits.value, 100);
  EXPECT_EQ(left, 100);
  EXPECT_EQ(depth(&context, 101).status, layout::kLeft);
  EXPECT_EQ(left, 100);
  EXPECT_EQ(testing::exits().size(), 101u);  // each frame of the chain
  context.py_recursion_remaining = old;
}

INSTANTIATE_TEST_SUITE_P(All, Exits, ::testing::Values(0, 2),
                         [](const ::testing::TestParamInfo<int>& info) {
                           return info.param == 0 ? std::string("plain") : std::string("tuned");
                         });

}  // namespace
}  // namespace splice::codegen
