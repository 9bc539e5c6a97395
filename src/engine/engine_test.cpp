// engine/engine_test.cpp: entries and exits with code that the tests bring themselves, so that
// every status a body can return is seen, whatever the front end makes today.
#include "engine/engine.h"

#include <string>

#include "cpy/watch.h"
#include "engine/compile.h"
#include "engine/entry.h"
#include "engine/record.h"
#include "engine/testing/own_body.h"
#include "engine/testing/python.h"

namespace splice::engine {
namespace {

using testing::Ref;
using testing::repr;
using testing::run;

std::string g_body;                       ///< IR of the body that the next compilation gets
std::string g_refused;                    ///< not empty: the next compilation bails out
std::optional<pyfront::Bailout> g_doubt;  ///< of the next compilation
int g_told = 0;
std::string g_reason;  ///< of the last time

std::variant<pyfront::Lowered, pyfront::Bailout> lower(const pyfront::Request& request) {
  if (!g_refused.empty()) return pyfront::Bailout{g_refused, 0};
  auto outcome = testing::lower_own_body(g_body, request);
  if (auto* lowered = std::get_if<pyfront::Lowered>(&outcome)) {
    lowered->doubt = g_doubt;
    auto* function = reinterpret_cast<PyFunctionObject*>(request.function);
    using Kind = pyfront::Dependency::Kind;
    lowered->dependencies.push_back({Kind::kDictKey, function->func_globals, function->func_name});
  }
  return outcome;
}

int tell(PyObject*, const char* reason, int, bool strict) {
  ++g_told;
  g_reason = reason;
  if (strict) PyErr_SetString(PyExc_NotImplementedError, "told");
  return strict ? -1 : 0;
}

class EngineTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    Hooks hooks;
    hooks.not_compiled = &tell;
    hooks.disabled = [](const char*) { return 0; };
    ASSERT_TRUE(start(hooks).ok());
    ASSERT_EQ(disabled_reason(), "");
    set_lowering_for_test(&lower);
  }
  static void TearDownTestSuite() { set_lowering_for_test(&pyfront::lower_function); }
  void SetUp() override {
    g_refused.clear();
    g_doubt.reset();
    g_told = 0;
  }

  /// f(argument) as the interpreter calls it.
  static std::string call(const Ref& f, const std::string& argument) {
    Ref value = run("v = " + argument, "v");
    Ref result(PyObject_CallOneArg(f.get(), value.get()));
    return result ? repr(result.get()) : "<error>";
  }
};

constexpr const char* kFinish = R"(func @body(obj) -> (obj.own) {
^0 "entry"(%0: obj):
  %1: obj.own = py.incref %0
  ret [0] %1
})";
constexpr const char* kRestart = R"(func @body(obj) -> (obj.own) {
  exit #0 restart () "always" !7:0
^0 "entry"(%0: obj):
  leave #0
})";
// Goes on at the start of the code: RESUME, after whatever COPY_FREE_VARS and MAKE_CELL there is.
constexpr const char* kLeave = R"(func @body(obj) -> (obj.own) {
  exit #0 frames (obj) "always" !7:0 {
    frame @code @function +0 {
      locals object 0
    }
  }
^0 "entry"(%0: obj):
  leave #0 %0
})";

TEST_F(EngineTest, Finishes) {
  g_body = kFinish;
  Ref f = run("def f(x): return 'interpreted'");
  ASSERT_EQ(jit(f.get(), {}), 0);
  EXPECT_EQ(call(f, "12"), "12");
  EXPECT_EQ(call(f, "12"), "12");
  EXPECT_EQ(g_told, 0) << g_reason;
  EXPECT_EQ(find_record(f.get())->slow_calls, 1u);
  ASSERT_EQ(unjit(f.get()), 0);
  EXPECT_EQ(call(f, "12"), "'interpreted'");
}

TEST_F(EngineTest, RestartRunsTheCallAgain) {
  g_body = kRestart;
  Ref f = run("def f(x): return x + 1");
  ASSERT_EQ(jit(f.get(), {}), 0);
  EXPECT_EQ(call(f, "1"), "2");
  EXPECT_EQ(call(f, "2"), "3");
  const Record& record = *find_record(f.get());
  EXPECT_EQ(record.restarts, 2u);
  EXPECT_EQ(record.variants[0]->unit->exits_taken[0][0], 2u);
}

TEST_F(EngineTest, RestartPassesKeywordOnlyArgumentsByName) {
  g_body = kRestart;
  // The test's stub takes the first value of the complete array only.
  Ref f = run("def f(*, x): return x + 1\ng = lambda: f(x=1)", "g");
  Ref inner(Py_XNewRef(
      PyDict_GetItemString(reinterpret_cast<PyFunctionObject*>(f.get())->func_globals, "f")));
  ASSERT_EQ(jit(inner.get(), {}), 0);
  Ref result(PyObject_CallNoArgs(f.get()));
  EXPECT_EQ(repr(result.get()), "2");
  EXPECT_EQ(find_record(inner.get())->restarts, 1u);
}

TEST_F(EngineTest, LeavingRebuildsTheFrame) {
  g_body = kLeave;
  Ref f = run("import sys\ndef f(x): return sys._getframe().f_code.co_name, x");
  ASSERT_EQ(jit(f.get(), {}), 0);
  EXPECT_EQ(call(f, "[1]"), "('f', [1])");
  EXPECT_EQ(find_record(f.get())->variants[0]->unit->total_exits(), 1u);
}

TEST_F(EngineTest, FunctionWhoseCallsAllLeaveIsGivenBack) {
  for (const char* body : {kRestart, kLeave}) {
    g_body = body;
    Ref f = run("def f(x): return x");
    ASSERT_EQ(jit(f.get(), {}), 0);
    for (int i = 0; i < 300; ++i) ASSERT_EQ(call(f, "5"), "5");
    const Record& record = *find_record(f.get());
    EXPECT_EQ(record.state, State::kGivenBack);
    EXPECT_EQ(record.line, 7);
    EXPECT_NE(record.reason.find("always"), std::string::npos) << record.reason;
  }
}

TEST_F(EngineTest, WhatAFunctionReliedOnIsNotWatchedAfterItIsGivenBack) {
  g_body = kLeave;
  const std::size_t before = cpy::watch_count();
  Ref f = run("def f(x): return x");
  ASSERT_EQ(jit(f.get(), {}), 0);
  EXPECT_EQ(call(f, "5"), "5");
  EXPECT_GT(cpy::watch_count(), before);
  for (int i = 0; i < 300; ++i) ASSERT_EQ(call(f, "5"), "5");
  EXPECT_EQ(find_record(f.get())->state, State::kGivenBack);
  run("pass");  // the interpreter looks for what is to be done
  EXPECT_EQ(cpy::watch_count(), before);
  EXPECT_NE(find_record(f.get())->variants[0]->unit, nullptr) << "explain shows it";
  ASSERT_EQ(jit(f.get(), {}), 0);  // asked for again
  EXPECT_EQ(call(f, "5"), "5");
  EXPECT_GT(cpy::watch_count(), before);
}

TEST_F(EngineTest, WhoAsksGetsWhatIsHardlyWorthIt) {
  g_body = kFinish;
  g_doubt = {"for a test", 3};
  Ref f = run("def f(x): return 'interpreted'");
  ASSERT_EQ(jit(f.get(), {.quiet = true}), 0);
  EXPECT_EQ(call(f, "12"), "'interpreted'");
  EXPECT_EQ(find_record(f.get())->variants[0]->reason, "for a test");
  ASSERT_EQ(jit(f.get(), {}), 0);
  EXPECT_EQ(call(f, "12"), "12");
}

TEST_F(EngineTest, RefusedFunctionIsToldOnceAndGivenBack) {
  g_refused = "for a test";
  Ref f = run("def f(x): return x");
  ASSERT_EQ(jit(f.get(), {}), 0);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(call(f, "5"), "5");
  EXPECT_EQ(g_told, 1);
  EXPECT_EQ(find_record(f.get())->state, State::kGivenBack);
  EXPECT_EQ(find_record(f.get())->reason, "for a test");
}

TEST_F(EngineTest, StrictRaisesAtEachCall) {
  g_refused = "for a test";
  Ref f = run("def f(x): return x");
  JitOptions options;
  options.strict = true;
  ASSERT_EQ(jit(f.get(), options), 0);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(PyObject_CallOneArg(f.get(), Py_None), nullptr);
    EXPECT_TRUE(PyErr_ExceptionMatches(PyExc_NotImplementedError));
    PyErr_Clear();
  }
}

TEST_F(EngineTest, ChangedCodeUnlinks) {
  g_body = kFinish;
  Ref f = run("def f(x): return x");
  ASSERT_EQ(jit(f.get(), {}), 0);
  EXPECT_EQ(call(f, "1"), "1");
  EXPECT_EQ(find_record(f.get())->variants.size(), 1u);
  Ref g = run("def f(x): return -x");
  PyObject_SetAttrString(f.get(), "__code__", g.function()->func_code);
  EXPECT_EQ(find_record(f.get())->variants.size(), 0u);
  g_refused = "new code";
  EXPECT_EQ(call(f, "1"), "-1");
}

TEST_F(EngineTest, RecordGoesWithItsFunction) {
  g_body = kFinish;
  PyObject* gone = nullptr;
  {
    Ref f = run("def f(x): return x");
    ASSERT_EQ(jit(f.get(), {}), 0);
    EXPECT_EQ(call(f, "1"), "1");
    gone = f.get();
  }
  PyGC_Collect();
  EXPECT_EQ(find_record(gone), nullptr);
}

TEST_F(EngineTest, SomebodyElsesEntryIsLeftAlone) {
  Ref f = run("def f(x): return x");
  vectorcallfunc theirs = [](PyObject*, PyObject* const*, std::size_t, PyObject*) {
    return PyLong_FromLong(77);
  };
  PyFunction_SetVectorcall(f.function(), theirs);
  ASSERT_EQ(jit(f.get(), {}), 0);
  EXPECT_EQ(g_told, 1);
  EXPECT_EQ(call(f, "1"), "77");
  ASSERT_EQ(unjit(f.get()), 0);
  EXPECT_EQ(call(f, "1"), "77");
}

}  // namespace
}  // namespace splice::engine
