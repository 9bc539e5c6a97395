#include "ir/text.h"

#include <gtest/gtest.h>

#include "ir/builder.h"
#include "ir/testing/random.h"
#include "ir/testing/random_module.h"
#include "ir/verify.h"

namespace splice::ir {
namespace {

TEST(Text, PrintParsePrintIsIdentity) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const std::string text = print(testing::random_module(seed));
    Result<Module> back = parse(text);
    ASSERT_TRUE(back.ok()) << "seed " << seed << ": " << back.status().message() << "\n" << text;
    ASSERT_TRUE(verify(*back).ok());
    ASSERT_EQ(print(*back), text) << "seed " << seed;
  }
}

TEST(Text, KeepsEverything) {
  const std::string text =
      "module \"a \\\"b\\\" \\\\ \\x0a\"\n"
      "symbol @Py_True object\n"
      "symbol @\"odd name\" data\n"
      "symbol @rt runtime pure (i64, obj) -> obj.own\n"
      "symbol @rt2 runtime quiet () -> void\n"
      "\n"
      "func @f(i64, obj) -> (i64, obj.own) exported {\n"
      "  exit #0 restart () \"why\" !3:14\n"
      "  exit #1 frames (i64, obj) \"call to print\" !4 drops_callees {\n"
      "    frame @Py_True @\"odd name\" +20 {\n"
      "      locals int 0 origin 1, null, tuple(symbol @Py_True, object 1, tuple())\n"
      "      stack range.iter(int 0, symbol @Py_True, int 0), range(int 0, int 0, int 0)\n"
      "    }\n"
      "    frame @Py_True object 1 +0 {\n"
      "    }\n"
      "  }\n"
      "^0 \"entry\"(%0: i64, %1: obj):\n"
      "  %2: f64 = const f64 -0 !7\n"
      "  %3: f64 = const f64 0x7ff8000000000001 !7:2\n"
      "  %4: f32 = const f32 1e-10\n"
      "  %5: c128 = const c128 0.1, 1e+300\n"
      "  %6: obj = const obj null\n"
      "  %9: u64 = const u64 -1\n"
      "  %10: i64 = convert i64 from f64 %2\n"
      "  %11: ptr = addr [8, -24] %1, %0\n"
      "  call.rt @rt2\n"
      "  %12: obj.own = call.rt @rt %0, %1\n"
      "  %13: i1 = py.type.is @Py_True %1\n"
      "  guard #1 %13, %0, %1\n"
      "  switch i64 %0, -1: ^1(%0), 7: ^2, else: ^1(%10)\n"
      "^1(%20: i64):\n"
      "  ret [2] %20, %12 !9:0\n"
      "^2:\n"
      "  %21: i64, %22: obj.own, %23: i32 = call @f %0, %1\n"
      "  leave #0\n"
      "}\n";
  Result<Module> m = parse(text);
  ASSERT_TRUE(m.ok()) << m.status().message();
  EXPECT_EQ(print(*m), text);
  EXPECT_EQ(m->name, "a \"b\" \\ \n");
}

TEST(Text, ErrorsHaveAPlace) {
  const auto error = [](std::string_view text) {
    Result<Module> m = parse(text);
    return m.ok() ? std::string("ok") : m.status().message();
  };
  EXPECT_EQ(error(""), "1:1: expected 'module'");
  EXPECT_EQ(error("module \"m\"\n  ; comment\n  thing"), "3:3: expected 'func'");
  EXPECT_EQ(error("module \"m"), "1:8: quoted text without an end");
  EXPECT_EQ(error("module \"m\"\nsymbol @a data\nsymbol @a data"), "3:8: symbol defined twice");
  EXPECT_EQ(
      error("module \"m\"\nfunc @f() -> () {\n^0:\n  %1: i64 = const i64 99999999999999999999\n}"),
      "4:23: expected an integer");
  EXPECT_EQ(error("module \"m\"\nfunc @f() -> () {\n^0:\n  frobnicate\n}"), "4:3: unknown op");
  EXPECT_EQ(error("module \"m\"\nfunc @f() -> () {\n^0:\n  %1: i65 = undef i64\n}"),
            "4:7: unknown type");
  EXPECT_EQ(error("module \"m\"\nfunc @f() -> () {\n^0:\n  %99999999: i64 = undef i64\n}"),
            "4:4: number out of range");
  EXPECT_EQ(error("module \"m\"\nfunc @f() -> () {\n^1:\n}"),
            "3:2: blocks must be numbered in order");
  EXPECT_EQ(error("module \"m\"\nfunc @f() -> () {\n^0:\n  call @nobody\n}"),
            "4:8: no function @nobody");
  EXPECT_EQ(error("module \"m\"\nfunc @f() -> () {\n^0:\n  ret [0]\n"), "5:1: expected '}'");
}

TEST(Text, DeepNestingIsAnError) {
  std::string deep =
      "module \"m\"\nsymbol @o object\nfunc @f() -> () {\n"
      "exit #0 frames () \"\" { frame @o @o +0 { locals ";
  for (int i = 0; i < 100000; ++i) deep += "tuple(";
  Result<Module> m = parse(deep);
  ASSERT_FALSE(m.ok());
  EXPECT_NE(m.status().message().find("nested too deep"), std::string::npos);
}

TEST(Text, SurvivesDamage) {
  const std::string text = print(testing::random_module(11, {.functions = 1, .statements = 8}));
  int parsed = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    testing::Random r(seed);
    std::string t = text;
    for (std::size_t n = 1 + r.below(3); n > 0; --n) {
      switch (r.below(4)) {
        case 0:
          t[r.below(t.size())] = static_cast<char>(r.bits());
          break;
        case 1:
          t.erase(r.below(t.size()), 1 + r.below(10));
          break;
        case 2:
          t.insert(r.below(t.size()), t.substr(r.below(t.size()), r.below(20)));
          break;
        default:
          t.resize(1 + r.below(t.size()));
      }
    }
    Result<Module> m = parse(t);
    if (!m.ok()) {
      EXPECT_FALSE(m.status().message().empty());
      continue;
    }
    ++parsed;
    const std::string again = print(*m);
    if (!verify(*m).ok()) continue;
    Result<Module> back = parse(again);
    ASSERT_TRUE(back.ok()) << back.status().message();
    ASSERT_EQ(print(*back), again);
  }
  EXPECT_GT(parsed, 5);
}

}  // namespace
}  // namespace splice::ir
