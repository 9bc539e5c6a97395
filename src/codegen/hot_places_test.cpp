// What counts in baseline code, when it is compiled again, and in what form. That the results stay
// the same is tested by chunk_loops_test.cpp and differential_test.cpp.
#include <gtest/gtest.h>

#include <optional>

#include "codegen/session.h"
#include "codegen/testing/hot_code.h"
#include "codegen/testing/native_host.h"

namespace splice::codegen {
namespace {

struct Result {
  std::int32_t status;
  std::int64_t value;
};
using Unary = Result (*)(void*, std::int64_t);

constexpr const char* kFibonacci = R"(
func @fib(i64) -> (i64) {
^0(%0: i64):
  %1: i64 = const i64 2
  %2: i1 = lt i64 %0, %1
  cond.br %2, ^1, ^2
^1:
  ret [0] %0
^2:
  %3: i64 = const i64 1
  %4: i64 = sub i64 %0, %3
  %5: i64, %6: i32 = call @fib %4
  %7: i64 = sub i64 %0, %1
  %8: i64, %9: i32 = call @fib %7
  %10: i64 = add i64 %5, %8
  ret [0] %10
}
func @f(i64) -> (i64) exported {
^0(%0: i64):
  %1: i64, %2: i32 = call @fib %0
  ret [0] %1
}
)";

// The number of pairs i, k with k < i < n.
constexpr const char* kPairs = R"(
func @f(i64) -> (i64) exported {
^0(%0: i64):
  %1: i64 = const i64 0
  %2: i64 = const i64 1
  br ^1(%1, %1)
^1(%3: i64, %4: i64):
  %5: i1 = lt i64 %3, %0
  cond.br %5, ^2, ^6
^2:
  br ^3(%1, %4)
^3(%6: i64, %7: i64):
  %8: i1 = lt i64 %6, %3
  cond.br %8, ^4, ^5
^4:
  %9: i64 = add i64 %7, %2
  %10: i64 = add i64 %6, %2
  br ^3(%10, %9)
^5:
  %11: i64 = add i64 %3, %2
  br ^1(%11, %7)
^6:
  ret [0] %4
}
)";

class Baseline : public ::testing::Test {
 protected:
  void compile(const char* text, std::int64_t rounds) {
    module_ = testing::parse_module(text);
    code_.emplace(session(), module_, "f",
                  Options{.keep_text = true, .hot_rounds = rounds, .baseline = true});
  }
  std::int64_t call(std::int64_t x) {
    testing::reset();
    return reinterpret_cast<Unary>(code_->enter())(&testing::context(), x).value;
  }
  std::size_t again() const { return code_->again().size(); }

  static Session& session() {
    static std::unique_ptr<Session> the_session = std::move(Session::create().value());
    return *the_session;
  }

  ir::Module module_;
  std::optional<testing::HotCode> code_;
};

TEST_F(Baseline, AnInnerLoopIsHotBeforeTheOuterOne) {
  compile(kPairs, 1000);
  EXPECT_EQ(call(30), 435);
  EXPECT_EQ(again(), 0u);
  EXPECT_EQ(call(100), 4950);  // the inner loop, in the middle of a call
  EXPECT_EQ(again(), 1u);
  EXPECT_EQ(code_->better(), nullptr);
  EXPECT_NE(code_->again()[0]->rest(), nullptr);
  EXPECT_EQ(call(100), 4950);
  EXPECT_EQ(again(), 1u);
}

TEST_F(Baseline, NothingIsHotAtFirst) {
  compile(kPairs, 1000);
  EXPECT_EQ(call(2), 1);
  for (int i = 0; i < 25; ++i) call(2);
  EXPECT_EQ(again(), 0u);
}

TEST_F(Baseline, ARecursiveFunctionIsHotInTheMiddleOfACall) {
  compile(kFibonacci, 32 * 100);
  EXPECT_EQ(call(8), 21);  // 67 calls
  EXPECT_EQ(again(), 0u);
  EXPECT_EQ(call(20), 6765);
  EXPECT_EQ(again(), 1u);
  EXPECT_NE(code_->again()[0]->rest(), nullptr);
  EXPECT_EQ(code_->better(), nullptr);
  EXPECT_EQ(call(20), 6765);
  EXPECT_EQ(again(), 1u);
}

TEST_F(Baseline, CallsFromOutsideMakeTheModuleHot) {
  compile(kPairs, 32 * 10);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(call(3), 3);
  EXPECT_EQ(code_->better(), nullptr);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(call(3), 3);
  ASSERT_NE(code_->better(), nullptr);
  EXPECT_EQ(again(), 1u);
  EXPECT_NE(code_->better()->address("f"), nullptr);
  // In a closed form: it was optimised.
  EXPECT_EQ(code_->better()->llvm_ir().find("hot."), std::string::npos);
}

TEST_F(Baseline, PlacesThatDoNotExist) {
  compile(kPairs, 1);
  const Options options = code_->options();
  auto first = session().compile(module_, testing::bind(module_), options);
  ASSERT_TRUE(first.ok());
  for (const std::uint32_t place : {3u | kBaselinePlace, kBaselinePlace - 1, ~0u})
    EXPECT_FALSE(
        session().compile_rest(**first, place, module_, testing::bind(module_), options).ok());
}

}  // namespace
}  // namespace splice::codegen
