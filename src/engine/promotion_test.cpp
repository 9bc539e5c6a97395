// engine/promotion_test.cpp: the look-out with code that the tests bring themselves, so that it is
// known which of the two is faster.
#include <cstddef>
#include <string>
#include <vector>

#include "cpy/look.h"
#include "engine/compile.h"
#include "engine/engine.h"
#include "engine/record.h"
#include "engine/testing/own_body.h"
#include "engine/testing/python.h"

namespace splice::engine {
namespace {

using testing::Ref;
using testing::run;

std::string g_body;  ///< empty: every function bails out
int g_lowered = 0;

std::variant<pyfront::Lowered, pyfront::Bailout> lower(const pyfront::Request& request) {
  ++g_lowered;
  if (g_body.empty()) return pyfront::Bailout{"for a test", 3};
  return testing::lower_own_body(g_body, request);
}

constexpr const char* kFast = R"(func @body(obj) -> (obj.own) {
^0 "entry"(%0: obj):
  %1: obj.own = py.incref %0
  ret [0] %1
})";
// A recurrence that no optimiser sees through.
constexpr const char* kSlow = R"(func @body(obj) -> (obj.own) {
^0 "entry"(%0: obj):
  %1: i64 = const i64 3
  %2: i64 = const i64 5000
  %3: i64 = const i64 1
  br ^1(%1, %2)
^1 "loop"(%4: i64, %5: i64):
  %6: i64 = mul i64 %4, %4
  %7: i64 = add i64 %6, %5
  %8: i64 = sub i64 %5, %3
  %9: i1 = eq i64 %8, %3
  cond.br %9, ^2, ^1(%7, %8)
^2:
  %10: i1 = eq i64 %7, %2
  cond.br %10, ^1(%7, %2), ^3
^3:
  %11: obj.own = py.incref %0
  ret [0] %11
})";

class PromotionTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    Hooks hooks;
    hooks.not_compiled = [](PyObject*, const char*, int, bool) {
      ADD_FAILURE() << "promotion is quiet";
      return 0;
    };
    hooks.disabled = [](const char*) { return 0; };
    ASSERT_TRUE(start(hooks).ok());
    set_lowering_for_test(&lower);
  }
  static void TearDownTestSuite() { set_lowering_for_test(&pyfront::lower_function); }
  void SetUp() override {
    g_lowered = 0;
    ASSERT_EQ(start_promotion(), 0);
  }
  void TearDown() override { stop_promotion(); }

  /// Calls f for so many seconds of CPU time.
  static Ref spend(const std::string& f, double seconds) {
    return run(f +
               "\nimport time\ndef spend(seconds):\n"
               "  end = time.process_time() + seconds\n"
               "  while time.process_time() < end:\n"
               "    for i in range(100): f(i)\n"
               "spend(" +
               std::to_string(seconds) + ")\n");
  }
};

TEST_F(PromotionTest, AFasterFunctionStaysNative) {
  g_body = kFast;
  Ref f = spend("def f(x):\n  for i in range(100): x += 1\n  return x", 0.5);
  const Record* record = find_record(f.get());
  ASSERT_NE(record, nullptr);
  EXPECT_EQ(record->state, State::kActive);
  ASSERT_NE(record->primary, nullptr);
  EXPECT_EQ(f.function()->vectorcall, record->primary->unit->stub);
  EXPECT_EQ(g_lowered, 2);  // to know that it can be, and to compile it
}

TEST_F(PromotionTest, ASlowerFunctionIsGivenBack) {
  g_body = kSlow;
  Ref f = spend("def f(x): return x", 1.0);
  const Record* record = find_record(f.get());
  ASSERT_NE(record, nullptr);
  EXPECT_EQ(record->state, State::kGivenBack);
  EXPECT_NE(record->reason.find("native code made it slower"), std::string::npos) << record->reason;
  Ref fresh = run("def f(): pass");
  EXPECT_EQ(f.function()->vectorcall, fresh.function()->vectorcall);
  // Calls of it can be specialised as before. 1: CPython 3.13 never does so again.
  EXPECT_GT(f.function()->func_version, 1u);
}

TEST_F(PromotionTest, AFunctionThatCannotBeCompiledIsNotTouched) {
  g_body.clear();
  Ref f = spend("def f(x): return x", 1.0);
  const Record* record = find_record(f.get());
  ASSERT_NE(record, nullptr);
  EXPECT_EQ(record->state, State::kRefused);
  EXPECT_EQ(record->reason, "for a test");
  EXPECT_EQ(record->line, 3);
  EXPECT_EQ(record->slow_calls, 0u);
  EXPECT_EQ(g_lowered, 1);
  // Setting an entry takes the version away, and with it the caches of the calls.
  EXPECT_NE(f.function()->func_version, 0u);
}

TEST_F(PromotionTest, LooksAreServedOneAtATime) {
  stop_promotion();
  static int looks = 0;
  static bool in_module = false;
  cpy::set_look([] {
    ++looks;
    PyFunctionObject* function = cpy::running_now().function;
    in_module = function != nullptr &&
                PyUnicode_CompareWithASCIIString(function->func_name, "<module>") == 0;
  });
  EXPECT_TRUE(cpy::request_look());
  EXPECT_FALSE(cpy::request_look());
  run("def here():\n  for i in range(10): pass\nhere()", "here");
  EXPECT_EQ(looks, 1);
  EXPECT_TRUE(in_module);
  EXPECT_TRUE(cpy::request_look());
  run("def here():\n  for i in range(10): pass\nhere()", "here");
  EXPECT_EQ(looks, 2);
}

}  // namespace
}  // namespace splice::engine
