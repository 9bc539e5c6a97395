#include "ir/interpret.h"

#include <gtest/gtest.h>

#include <cmath>

#include "ir/builder.h"
#include "ir/testing/random_module.h"
#include "ir/testing/test_host.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "layout/context.h"

namespace splice::ir {
namespace {

using testing::TestHost;

/// Result of the only function of a module, whose text is given without the frame around it.
Result<Outcome> run(const std::string& function, std::vector<Value> args, Host& host,
                    InterpretOptions options = {}) {
  Result<Module> m = parse(
      "module \"m\"\nsymbol @test_next runtime (i64) -> i64\n"
      "symbol @test_half runtime (f64) -> f64\nsymbol @o object\n" +
      function);
  if (!m.ok()) return m.status();
  if (Status s = verify(*m); !s.ok()) return s;
  const auto last = static_cast<std::uint32_t>(m->functions.size() - 1);
  return interpret(*m, last, args, host, options);
}

std::string error_of(const std::string& function, std::vector<Value> args,
                     InterpretOptions options = {}) {
  TestHost host;
  Result<Outcome> r = run(function, std::move(args), host, options);
  return r.ok() ? "" : r.status().message();
}

Value i64(std::int64_t v) { return int_value(Type::kI64, v); }

TEST(Interpret, Loop) {
  TestHost host;
  // 1 + 2 + ... + n
  Result<Outcome> r =
      run("func @f(i64) -> (i64) {\n^0(%0: i64):\n %1: i64 = const i64 0\n br ^1(%1, %1)\n"
          "^1(%2: i64, %3: i64):\n %4: i1 = lt i64 %2, %0\n cond.br %4, ^2, ^3\n"
          "^2:\n %5: i64 = const i64 1\n %6: i64 = add i64 %2, %5\n %7: i64 = add i64 %3, %6\n"
          " br ^1(%6, %7)\n^3:\n ret [0] %3\n}\n",
          {i64(100)}, host);
  ASSERT_TRUE(r.ok()) << r.status().message();
  EXPECT_EQ(r->status, 0);
  EXPECT_EQ(r->results[0], i64(5050));
}

TEST(Interpret, BlockArgumentsAreReplacedAtOnce) {
  TestHost host;
  // Swaps its two values ten times, and once more.
  Result<Outcome> r =
      run("func @f(i64, i64) -> (i64, i64) {\n^0(%0: i64, %1: i64):\n %2: i64 = const i64 0\n"
          " br ^1(%2, %0, %1)\n^1(%3: i64, %4: i64, %5: i64):\n %6: i64 = const i64 1\n"
          " %7: i64 = add i64 %3, %6\n %8: i64 = const i64 11\n %9: i1 = le i64 %7, %8\n"
          " cond.br %9, ^1(%7, %5, %4), ^2\n^2:\n ret [1] %4, %5\n}\n",
          {i64(5), i64(7)}, host);
  ASSERT_TRUE(r.ok()) << r.status().message();
  EXPECT_EQ(r->status, 1);
  EXPECT_EQ(r->results[0], i64(7));
  EXPECT_EQ(r->results[1], i64(5));
}

struct Undefined {
  const char* body;
  const char* message;
};

TEST(Interpret, WhatIsUndefinedIsReported) {
  const Undefined cases[] = {
      {" %1: i64 = div i64 %0, %9\n", "division by zero"},
      {" %1: i64 = rem i64 %0, %9\n", "division by zero"},
      {" %1: i64 = const i64 -9223372036854775808\n %2: i64 = const i64 -1\n"
       " %3: i64 = div i64 %1, %2\n",
       "division overflows"},
      {" %1: i64 = const i64 64\n %2: i64 = shl i64 %0, %1\n", "shift count"},
      {" %1: i64 = const i64 -1\n %2: i64 = shr i64 %0, %1\n", "shift count"},
      {" %1: f64 = const f64 9223372036854775808\n %2: i64 = convert i64 from f64 %1\n", "range"},
      {" %1: f64 = const f64 0x7ff8000000000000\n %2: i64 = convert i64 from f64 %1\n", "range"},
      {" %1: f64 = const f64 -1\n %2: u8 = convert u8 from f64 %1\n", "range"},
      {" %1: i1 = undef i1\n guard #0 %1\n", "guard on an undefined value"},
      {" %1: i64 = undef i64\n %2: i64 = add i64 %1, %0\n %3: i1 = eq i64 %2, %0\n"
       " %4: ptr = slot [8]\n store i1 [0] %4, %3\n",
       "store of an undefined value"},
      {" %1: i64 = undef i64\n %2: i64 = call.rt @test_next %1\n", "undefined argument"},
      {" %1: ptr = const ptr null\n %2: i64 = load i64 [0] %1\n", "outside of known memory"},
      {" %1: ptr = slot [8]\n %2: i64 = load i64 [8] %1\n", "outside of known memory"},
      {" %1: ptr = slot [16]\n %2: i64 = load i64 [4] %1\n", "not aligned"},
  };
  for (const Undefined& c : cases) {
    const std::string got = error_of(
        "func @f(i64) -> () {\n exit #0 restart () \"\"\n^0(%0: i64):\n"
        " %9: i64 = const i64 0\n" +
            std::string(c.body) + " ret [0]\n}\n",
        {i64(1)});
    EXPECT_NE(got.find(c.message), std::string::npos) << c.body << got;
    EXPECT_EQ(got.rfind("undefined: ", 0), 0u) << c.body << got;
  }
  EXPECT_EQ(error_of("func @f() -> () {\n^0:\n unreachable\n}\n", {}),
            "undefined: an unreachable place is reached");
}

TEST(Interpret, LimitsAreErrors) {
  EXPECT_EQ(error_of("func @f() -> () {\n^0:\n br ^1\n^1:\n br ^1\n}\n", {}, {.max_steps = 1000}),
            "too many steps");
  EXPECT_EQ(error_of("func @f() -> () {\n^0:\n %0: i32 = call @f\n ret [0]\n}\n", {}),
            "calls are nested too deep");
  EXPECT_EQ(error_of("func @f(i64) -> () {\n^0(%0: i64):\n ret [0]\n}\n", {}),
            "wrong number of arguments");
}

TEST(Interpret, LeavingIsSeenByTheCaller) {
  TestHost host;
  Result<Outcome> r =
      run("func @g(i64) -> (f64) {\n exit #0 frames (i64, i64) \"\" { frame @o @o +0 { } }\n"
          "^0(%0: i64):\n %1: i64 = const i64 3\n %2: i1 = ne i64 %0, %1\n guard #0 %2, %0, %1\n"
          " %3: f64 = const f64 1.5\n ret [0] %3\n}\n"
          "func @f(i64) -> (i32, f64) {\n exit #0 restart () \"\"\n^0(%0: i64):\n"
          " %1: f64, %2: i32 = call @g %0\n ret [1] %2, %1\n}\n",
          {i64(3)}, host);
  ASSERT_TRUE(r.ok()) << r.status().message();
  EXPECT_EQ(as_int(Type::kI32, r->results[0]), layout::kLeft);
  EXPECT_TRUE(r->results[1].undefined);
  ASSERT_EQ(host.exits().size(), 1u);
  EXPECT_EQ(host.exits()[0].function, 0u);
  EXPECT_EQ(host.exits()[0].live, (std::vector<Value>{i64(3), i64(3)}));
}

TEST(Interpret, PollsLeaveWhenTheHostSaysSo) {
  TestHost host;
  host.leave_at_poll(4);
  Result<Outcome> r =
      run("func @f() -> () {\n exit #0 frames (i64) \"\" { frame @o @o +0 { } }\n^0:\n"
          " %0: i64 = const i64 0\n br ^1(%0)\n^1(%1: i64):\n poll #0 %1\n %2: i64 = const i64 1\n"
          " %3: i64 = add i64 %1, %2\n br ^1(%3)\n}\n",
          {}, host);
  ASSERT_TRUE(r.ok()) << r.status().message();
  EXPECT_EQ(r->status, layout::kLeft);
  ASSERT_EQ(host.exits().size(), 1u);
  EXPECT_EQ(host.exits()[0].live[0], i64(3));
}

TEST(Interpret, RandomModulesDoNothingUndefined) {
  int finished = 0;
  int left = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Module m = testing::random_module(seed);
    const auto function = static_cast<std::uint32_t>(m.functions.size() - 2);
    for (std::uint64_t k = 0; k < 4; ++k) {
      TestHost host;
      testing::clear_log();
      const auto args = testing::random_arguments(seed * 7 + k, m.functions[function].params);
      Result<Outcome> r = interpret(m, function, args, host);
      ASSERT_TRUE(r.ok()) << "seed " << seed << ": " << r.status().message();
      (r->status < 0 ? left : finished) += 1;

      // The entry does the same through memory.
      std::uint64_t in_cells[16] = {};
      std::uint64_t out_cells[16] = {};
      for (std::size_t i = 0; i < args.size(); ++i) {
        in_cells[2 * i] = args[i].low;
        in_cells[2 * i + 1] = args[i].high;
      }
      TestHost host2;
      host2.allow(in_cells, sizeof in_cells);
      host2.allow(out_cells, sizeof out_cells);
      testing::clear_log();
      const Value pointers[] = {{reinterpret_cast<std::uintptr_t>(in_cells), 0, false},
                                {reinterpret_cast<std::uintptr_t>(out_cells), 0, false}};
      Result<Outcome> through = interpret(m, function + 1, pointers, host2);
      ASSERT_TRUE(through.ok()) << "seed " << seed << ": " << through.status().message();
      ASSERT_EQ(static_cast<std::int64_t>(out_cells[0]), r->status);
      if (r->status < 0) continue;
      for (std::size_t i = 0; i < r->results.size(); ++i) {
        const Value got{out_cells[2 * i + 2], out_cells[2 * i + 3], false};
        EXPECT_TRUE(testing::same_value(m.functions[function].results[i], r->results[i], got));
      }
    }
  }
  EXPECT_GT(finished, 200);
  EXPECT_GT(left, 50);
}

}  // namespace
}  // namespace splice::ir
