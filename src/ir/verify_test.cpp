#include "ir/verify.h"

#include <gtest/gtest.h>

#include "ir/builder.h"
#include "ir/testing/random.h"
#include "ir/testing/random_module.h"
#include "ir/text.h"

namespace splice::ir {
namespace {

/// Message of the verifier for a module given as text; empty when it is fine.
std::string complaint(std::string_view text) {
  Result<Module> m = parse(text);
  EXPECT_TRUE(m.ok()) << (m.ok() ? "" : m.status().message());
  if (!m.ok()) return "parse error";
  return verify(*m).message();
}

/// The body becomes the function @f(i64, f64, i1) -> (i64).
std::string complaint_in(const std::string& body) {
  return complaint(
      "module \"m\"\nsymbol @obj object\nsymbol @d data\n"
      "symbol @rt runtime (i64) -> f64\n"
      "func @g(i64) -> (f64) {\n^0(%0: i64):\n %1: f64 = const f64 1\n ret [0] %1\n}\n"
      "func @f(i64, f64, i1) -> (i64) {\n exit #0 restart () \"r\"\n"
      " exit #1 frames (i64, obj) \"r\" { frame @obj @obj +2 { locals int 0 origin 1 } }\n"
      "^0(%0: i64, %1: f64, %2: i1):\n" +
      body + "}\n");
}

TEST(Verify, RandomModulesAreFine) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Status s = verify(testing::random_module(seed));
    ASSERT_TRUE(s.ok()) << "seed " << seed << ": " << s.message();
  }
}

struct Case {
  const char* body;
  const char* message;  ///< part of it
};

class VerifyBody : public ::testing::TestWithParam<Case> {};

TEST_P(VerifyBody, IsRefused) {
  const std::string got = complaint_in(GetParam().body);
  EXPECT_NE(got.find(GetParam().message), std::string::npos) << got << "\n" << GetParam().body;
  EXPECT_NE(got.find("function 'f'"), std::string::npos) << got;
}

const Case kBodies[] = {
    {" %3: i64 = add i64 %0, %1\n ret [0] %3\n", "operand 1 is f64, not i64"},
    {" %3: i64 = add i64 %0\n ret [0] %3\n", "needs 2 operands, has 1"},
    {" %3: f64 = add i64 %0, %0\n ret [0] %0\n", "result 0 is f64, not i64"},
    {" add i64 %0, %0\n ret [0] %0\n", "needs 1 results, has 0"},
    {" %3: i1 = add i1 %2, %2\n ret [0] %0\n", "wrong type for this op"},
    {" %3: i1 = shl i1 %2, %2\n ret [0] %0\n", "wider than i1"},
    {" %3: i1 = lt i1 %2, %2\n ret [0] %0\n", "no order"},
    {" %3: i8 = const i8 200\n ret [0] %0\n", "outside the type"},
    {" %3: i1 = const i1 2\n ret [0] %0\n", "outside the type"},
    {" %3: obj = const obj 7\n ret [0] %0\n", "outside the type"},
    {" ret [0] %1\n", "operand 0 is f64, not i64"},
    {" ret [-1] %0\n", "not negative"},
    {" ret [0]\n", "needs 1 operands, has 0"},
    {" %3: i64 = const i64 1\n", "does not end in a terminator"},
    {" ret [0] %0\n ret [0] %0\n", "a terminator before the end"},
    {" br ^7\n", "a target is out of range"},
    {" br ^0(%0, %1, %2)\n", "an edge goes to the entry block"},
    {" br ^1\n^1(%3: i64):\n ret [0] %3\n", "passes 0 values"},
    {" br ^1(%1)\n^1(%3: i64):\n ret [0] %3\n", "passes f64 as argument 0"},
    {" cond.br %0, ^1, ^1\n^1:\n ret [0] %0\n", "operand 0 is i64, not i1"},
    {" cond.br %2, ^1\n^1:\n ret [0] %0\n", "wrong number of targets"},
    {" switch i64 %0, 1: ^1, 1: ^1, else: ^1\n^1:\n ret [0] %0\n", "a case comes twice"},
    {" %9: i32 = convert i32 from i64 %0\n switch i32 %9, 3000000000: ^1, else: ^1\n^1:\n"
     " ret [0] %0\n",
     "a case is outside the type"},
    {" ret [0] %9\n", "value %9 is not defined"},
    {" %4: i64 = add i64 %3, %0\n %3: i64 = add i64 %0, %0\n ret [0] %4\n", "before it is defined"},
    {" cond.br %2, ^1, ^2\n^1:\n %3: i64 = const i64 1\n br ^2\n^2:\n ret [0] %3\n",
     "before it is defined"},
    {" guard #0 %0\n ret [0] %0\n", "the condition must be i1"},
    {" guard #0\n ret [0] %0\n", "the condition must be i1"},
    {" guard #0 %2, %0\n ret [0] %0\n", "needs 1 operands, has 2"},
    {" guard #2 %2\n ret [0] %0\n", "index is out of range"},
    {" leave #1 %0, %0\n", "operand 1 is i64, not obj"},
    {" %3: f64, %4: i32 = call @g %1\n ret [0] %0\n", "operand 0 is f64, not i64"},
    {" %3: f64 = call @g %0\n ret [0] %0\n", "needs 2 results, has 1"},
    {" %3: f64 = call.rt @rt\n ret [0] %0\n", "needs 1 operands, has 0"},
    {" %3: i64 = call.rt @rt %0\n ret [0] %0\n", "must be the symbol's result"},
    {" call.rt @d %0\n ret [0] %0\n", "not a runtime function"},
    {" %3: obj = symbol obj @d\n ret [0] %0\n", "the address of a symbol"},
    {" %3: i1 = py.type.is @d %0\n ret [0] %0\n", "needs the symbol of a type"},
    {" %3: obj.own = py.box.int %1\n ret [0] %0\n", "operand 0 is f64, not i64"},
    {" %3: i64 = load i64 [0] %0\n ret [0] %3\n", "operand 0 is i64, not ptr"},
    {" %3: ptr = slot [0]\n ret [0] %0\n", "the size of a slot"},
    {" %3: i1 = convert i1 from f64 %1\n ret [0] %0\n", "cannot become i1"},
    {" %3: i32 = bitcast i32 from i64 %0\n ret [0] %0\n", "widths differ"},
    {" %3: obj = const obj null\n py.decref %3\n ret [0] %0\n", "operand 0 is obj, not obj.own"},
};

INSTANTIATE_TEST_SUITE_P(All, VerifyBody, ::testing::ValuesIn(kBodies));

TEST(Verify, AcceptsWhatTheRulesAllow) {
  EXPECT_EQ(
      complaint_in(" %3: obj.own = py.box.int %0\n %4: ptr = load ptr [8] %3\n"
                   " %5: i64, %6: i1 = py.unbox.int %3\n %7: obj = bitcast obj from obj.own %3\n"
                   " %8: i1 = eq obj %7, %3\n guard #1 %8, %5, %7\n py.decref %3\n"
                   " ret [0] %5\n"),
      "");
  // In a block that nothing reaches, any value counts as available.
  EXPECT_EQ(complaint_in(" cond.br %2, ^1, ^2\n^1:\n %3: i64 = const i64 1\n ret [0] %3\n^2:\n"
                         " ret [0] %0\n^3:\n ret [0] %3\n"),
            "");
}

TEST(Verify, ExitsAndNames) {
  const std::string head = "module \"m\"\nsymbol @o object\nsymbol @d data\nfunc @f(i64) -> () {\n";
  const std::string tail = "^0(%0: i64):\n ret [0]\n}\n";
  const auto with_exit = [&](const std::string& exit) { return complaint(head + exit + tail); };
  EXPECT_NE(with_exit(" exit #0 restart (i64) \"\"\n").find("a restart"), std::string::npos);
  EXPECT_NE(with_exit(" exit #0 frames () \"\"\n").find("no frame"), std::string::npos);
  EXPECT_NE(with_exit(" exit #0 frames () \"\" { frame @d @o +0 { } }\n").find("code"),
            std::string::npos);
  EXPECT_NE(with_exit(" exit #0 frames () \"\" { frame @o @d +0 { } }\n").find("symbol"),
            std::string::npos);
  EXPECT_NE(with_exit(" exit #0 frames (i64) \"\" { frame @o object 0 +0 { } }\n").find("live obj"),
            std::string::npos);
  EXPECT_NE(with_exit(" exit #0 frames () \"\" { frame @o @o +1 { } }\n").find("offset"),
            std::string::npos);
  for (const char* bad :
       {"int 1", "int 2", "float 1", "object 0", "bool 0", "complex 0", "symbol @d",
        "tuple(null, float 9)", "range(int 1, int 1)", "range(null, null, null)", "int 1 origin 0",
        "object 2 origin 2", "null origin 2", "either(int 1, float 0)", "either(int 1 present 3)",
        "either(int 1 present 3, null)", "either(int 1 present 3, float 0 present 3)"}) {
    const std::string got =
        with_exit(" exit #0 frames (f32, i64, obj, i1) \"\" { frame @o @o +0 { stack " +
                  std::string(bad) + " } }\n");
    const bool fine = std::string(bad) == "int 1";
    EXPECT_EQ(got.empty(), fine) << bad << ": " << got;
  }
  for (const char* good : {"int 0", "float 0", "either(int 1 present 3, float 0) present 3"}) {
    EXPECT_EQ(with_exit(" exit #0 frames (f32, i64, obj, i1) \"\" { frame @o @o +0 { stack " +
                        std::string(good) + " } }\n"),
              "");
  }
  EXPECT_NE(complaint("module \"m\"\nsymbol @f data\nfunc @f() -> () {\n^0:\n ret [0]\n}\n")
                .find("twice"),
            std::string::npos);
  EXPECT_NE(complaint("module \"m\"\nfunc @f(i64) -> () {\n^0:\n ret [0]\n}\n")
                .find("not the parameters"),
            std::string::npos);
}

TEST(Verify, PlainFunctions) {
  const auto in_c = [](const std::string& results, const std::string& body) {
    return complaint(
        "module \"m\"\nsymbol @rt runtime () -> ptr\n"
        "func @g(i64) -> () {\n^0(%0: i64):\n ret [0]\n}\n"
        "func @f(i64) -> " +
        results + " c_abi {\n" + body + "}\n");
  };
  EXPECT_EQ(in_c("(i32)",
                 "^0(%0: i64):\n %1: ptr = call.rt @rt\n %2: i32 = call @g %1, %0\n"
                 " ret [0] %2\n"),
            "");
  EXPECT_NE(in_c("(i32)", "^0(%0: i64):\n %2: i32 = call @g %0\n ret [0] %2\n"), "");
  EXPECT_NE(in_c("(i64, i64)", "^0(%0: i64):\n ret [0] %0, %0\n"), "");
  EXPECT_NE(in_c("()", "^0(%0: i64):\n ret [1]\n"), "");
  EXPECT_NE(in_c("()", "^0(%0: i64):\n %1: ptr = ctx\n ret [0]\n"), "");
  EXPECT_NE(in_c("()", " exit #0 restart () \"\"\n^0(%0: i64):\n ret [0]\n"), "");
  EXPECT_NE(in_c("()", "^0(%0: i64):\n %1: i32 = call @f %0\n ret [0]\n"), "");
}

/// Changes one number somewhere in the module.
void damage(Module& m, testing::Random& r) {
  Function& f = m.functions[r.below(m.functions.size())];
  Block& b = f.blocks[r.below(f.blocks.size())];
  Inst& inst = b.insts[r.below(b.insts.size())];
  const auto id = [&] { return static_cast<std::uint32_t>(r.chance(20) ? r.bits() : r.below(40)); };
  const auto element = [&](auto& list) {
    if (!list.empty())
      list[r.below(list.size())] = static_cast<std::remove_reference_t<decltype(list[0])>>(id());
  };
  switch (r.below(16)) {
    case 0:
      element(inst.args);
      break;
    case 1:
      element(inst.results);
      break;
    case 2:
      inst.op = static_cast<Op>(r.below(256));
      break;
    case 3:
      inst.type = static_cast<Type>(r.below(40));
      break;
    case 4:
      inst.type2 = static_cast<Type>(r.below(40));
      break;
    case 5:
      inst.index = id();
      break;
    case 6:
      if (!inst.targets.empty()) inst.targets[0].block = id();
      break;
    case 7:
      if (!inst.targets.empty()) element(inst.targets[0].args);
      break;
    case 8:
      inst.targets.emplace_back();
      break;
    case 9:
      inst.args.clear();
      break;
    case 10:
      element(b.args);
      break;
    case 11:
      b.insts.pop_back();
      break;
    case 12:
      element(f.values);
      break;
    case 13:
      if (!f.exits.empty())
        f.exits[r.below(f.exits.size())].kind = static_cast<Exit::Kind>(r.below(4));
      break;
    case 14:
      if (!m.symbols.empty())
        m.symbols[r.below(m.symbols.size())].kind = static_cast<Symbol::Kind>(r.below(5));
      break;
    default:
      f.blocks.pop_back();
  }
}

TEST(Verify, SurvivesDamage) {
  int refused = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    testing::Random r(seed);
    Module m = testing::random_module(seed % 50, {.functions = 1, .statements = 8});
    damage(m, r);
    if (!verify(m).ok()) ++refused;
    EXPECT_FALSE(print(m).empty());
  }
  EXPECT_GT(refused, 300);
}

}  // namespace
}  // namespace splice::ir
