#include "codegen/session.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "codegen/testing/native_host.h"
#include "ir/interpret.h"
#include "ir/testing/random_module.h"
#include "ir/testing/test_host.h"
#include "sys/code_map.h"

namespace splice::codegen {
namespace {

using testing::bind;
using testing::parse_module;

std::unique_ptr<Session> new_session() { return std::move(Session::create().value()); }

Session& session() {
  static std::unique_ptr<Session> one = new_session();
  return *one;
}

std::unique_ptr<CodeUnit> compile(const ir::Module& module, Options options = {}) {
  auto unit = session().compile(module, bind(module), options);
  EXPECT_TRUE(unit.ok()) << unit.status().message();
  return unit.ok() ? std::move(*unit) : nullptr;
}

/// Executable memory only: a sanitizer keeps freed heap memory for a while.
std::size_t mapped_code_bytes() {
  std::ifstream maps("/proc/self/maps");
  std::size_t bytes = 0;
  for (std::string line; std::getline(maps, line);) {
    unsigned long begin = 0;
    unsigned long end = 0;
    char access[5] = {};
    if (std::sscanf(line.c_str(), "%lx-%lx %4s", &begin, &end, access) == 3 && access[2] == 'x')
      bytes += end - begin;
  }
  return bytes;
}

std::string add_constant(std::int64_t constant) {
  return "func @f(i64) -> (i64) exported c_abi {\n^0(%0: i64):\n %1: i64 = const i64 " +
         std::to_string(constant) + "\n %2: i64 = add i64 %0, %1\n ret [0] %2\n}\n";
}

using Unary = std::int64_t (*)(std::int64_t);

TEST(Session, FindsExportedFunctionsOnly) {
  const ir::Module module =
      parse_module(add_constant(5) + "func @hidden() -> () c_abi {\n^0:\n ret [0]\n}\n");
  const auto unit = compile(module);
  ASSERT_NE(unit, nullptr);
  EXPECT_EQ(reinterpret_cast<Unary>(unit->address("f"))(37), 42);
  EXPECT_EQ(unit->address("hidden"), nullptr);
  EXPECT_EQ(unit->address("nothing"), nullptr);
  EXPECT_GT(unit->code_bytes(), 0u);
  EXPECT_TRUE(unit->llvm_ir().empty());
  EXPECT_TRUE(unit->assembly().empty());
}

TEST(Session, KeepsTextWhenAsked) {
  const auto unit = compile(parse_module(add_constant(5)), {.keep_text = true});
  ASSERT_NE(unit, nullptr);
  EXPECT_NE(unit->llvm_ir().find("define"), std::string::npos);
  EXPECT_NE(unit->assembly().find("retq"), std::string::npos);
  EXPECT_EQ(reinterpret_cast<Unary>(unit->address("f"))(1), 6);
}

TEST(Session, NamesOfTheProgramMeanNothingToLlvm) {
  // Names of C functions and of LLVM's own, an empty one, one with a zero byte, a long one, and two
  // that look alike after cleaning.
  std::vector<std::string> names = {"sin",
                                    "memcpy",
                                    "llvm.sqrt.f64",
                                    "",
                                    "a b",
                                    "a?b",
                                    "main",
                                    std::string("nul\0byte", 8),
                                    std::string(3000, 'x'),
                                    "é<locals>.ü"};
  ir::Module module = parse_module("");
  for (std::size_t i = 0; i < names.size(); ++i) {
    ir::Module one = parse_module(add_constant(static_cast<std::int64_t>(i)));
    one.functions[0].name = names[i];
    module.functions.push_back(one.functions[0]);
  }
  const auto unit = compile(module, {.keep_text = true});
  ASSERT_NE(unit, nullptr);
  for (std::size_t i = 0; i < names.size(); ++i) {
    ASSERT_NE(unit->address(names[i]), nullptr) << names[i];
    EXPECT_EQ(reinterpret_cast<Unary>(unit->address(names[i]))(100),
              100 + static_cast<std::int64_t>(i));
  }
}

double wrong_sin(double x) { return x + 1000.0; }

TEST(Session, RuntimeCallsAreNeverFolded) {
  // A function called "sin" is the one that was bound, also for constants.
  const ir::Module module = parse_module(
      "symbol @sin runtime pure (f64) -> f64\n"
      "func @f() -> (f64) exported c_abi {\n^0:\n %0: f64 = const f64 0.5\n"
      " %1: f64 = call.rt @sin %0\n %2: f64 = call.rt @sin %0\n %3: f64 = add f64 %1, %2\n"
      " ret [0] %3\n}\n");
  std::vector<void*> addresses = bind(module);
  addresses.back() = reinterpret_cast<void*>(wrong_sin);
  auto unit = session().compile(module, addresses, {});
  ASSERT_TRUE(unit.ok());
  EXPECT_EQ(reinterpret_cast<double (*)()>((*unit)->address("f"))(), 2001.0);
}

int calls = 0;
double counted(double x) {
  ++calls;
  return x;
}

TEST(Session, PureCallsAreSharedAndHoisted) {
  const ir::Module module = parse_module(R"(
symbol @counted runtime pure (f64) -> f64
func @f(f64, i64) -> (f64) exported c_abi {
^0(%0: f64, %1: i64):
  %2: i64 = const i64 0
  %3: i64 = const i64 1
  %4: f64 = const f64 0
  br ^1(%2, %4)
^1(%10: i64, %11: f64):
  %12: f64 = call.rt @counted %0
  %13: f64 = call.rt @counted %0
  %14: f64 = add f64 %12, %13
  %15: f64 = add f64 %11, %14
  %16: i64 = add i64 %10, %3
  %17: i1 = lt i64 %16, %1
  cond.br %17, ^1(%16, %15), ^2
^2:
  ret [0] %15
}
)");
  std::vector<void*> addresses = bind(module);
  addresses.back() = reinterpret_cast<void*>(counted);
  auto unit = session().compile(module, addresses, {});
  ASSERT_TRUE(unit.ok());
  calls = 0;
  const auto f = reinterpret_cast<double (*)(double, std::int64_t)>((*unit)->address("f"));
  EXPECT_EQ(f(0.25, 100), 50.0);
  EXPECT_EQ(calls, 1);
}

TEST(Session, OneAddressUnderTwoNamesIsOneObject) {
  const ir::Module module = parse_module(R"(
symbol @a object
symbol @b object
symbol @c data
func @f() -> (i64) exported c_abi {
^0:
  %0: obj = symbol obj @a
  %1: obj = symbol obj @b
  %2: i1 = eq obj %0, %1
  %3: i64 = const i64 7
  %4: i64 = const i64 9
  store i64 [0] %0, %3
  store i64 [0] %1, %4
  %5: i64 = load i64 [0] %0
  %6: i64 = convert i64 from i1 %2
  %7: i64 = const i64 100
  %8: i64 = mul i64 %6, %7
  %9: i64 = add i64 %5, %8
  ret [0] %9
}
)");
  std::vector<void*> addresses = bind(module);
  addresses[addresses.size() - 2] = addresses[addresses.size() - 3];
  auto same = session().compile(module, addresses, {});
  ASSERT_TRUE(same.ok());
  EXPECT_EQ(reinterpret_cast<std::int64_t (*)()>((*same)->address("f"))(), 109);
  const auto different = compile(module);
  EXPECT_EQ(reinterpret_cast<std::int64_t (*)()>(different->address("f"))(), 7);
}

TEST(Session, FarAddressesAreReached) {
  // The GOT carries any 64-bit address; these are read as values only.
  const ir::Module module = parse_module(R"(
symbol @low data
symbol @high data
func @f() -> (i64) exported c_abi {
^0:
  %0: ptr = symbol ptr @low
  %1: ptr = symbol ptr @high
  %2: i64 = bitcast i64 from ptr %0
  %3: i64 = bitcast i64 from ptr %1
  %4: i64 = sub i64 %3, %2
  ret [0] %4
}
)");
  std::vector<void*> addresses = bind(module);
  addresses[addresses.size() - 2] = reinterpret_cast<void*>(0x1000);
  addresses[addresses.size() - 1] = reinterpret_cast<void*>(0x7fff'ffff'f000);
  auto unit = session().compile(module, addresses, {});
  ASSERT_TRUE(unit.ok());
  EXPECT_EQ(reinterpret_cast<std::int64_t (*)()>((*unit)->address("f"))(), 0x7fff'ffff'e000);
}

TEST(Session, ErrorsAreStatus) {
  const ir::Module module = parse_module(
      "symbol @elsewhere runtime (i64) -> i64\n"
      "func @f(i64) -> (i64) exported c_abi {\n^0(%0: i64):\n"
      " %1: i64 = call.rt @elsewhere %0\n ret [0] %1\n}\n");
  const auto unbound = session().compile(module, bind(module), {});
  ASSERT_FALSE(unbound.ok());
  EXPECT_NE(unbound.status().message().find("elsewhere"), std::string::npos);

  const auto few = session().compile(module, {}, {});
  ASSERT_FALSE(few.ok());
  EXPECT_EQ(few.status().code(), ErrorCode::kInvalidArgument);

  const auto cpu = session().compile(parse_module(""), bind(parse_module("")), {.cpu = "z80"});
  ASSERT_FALSE(cpu.ok());
  EXPECT_EQ(cpu.status().code(), ErrorCode::kInvalidArgument);

  // An address that the code does not need may be missing.
  ir::Module unused = module;
  unused.functions = parse_module(add_constant(1)).functions;
  EXPECT_TRUE(session().compile(unused, bind(unused), {}).ok());
}

TEST(Session, MissingExitRuntimeIsAnError) {
  const char* const body =
      "func @g(i1) -> () {\n exit #0 restart () \"r\"\n^0(%0: i1):\n guard #0 %0\n ret [0]\n}\n";
  for (const char* name : {"splice_unit", "splice_rt_exit"}) {
    ir::Module module = parse_module(body);
    for (ir::Symbol& symbol : module.symbols) {
      if (symbol.name == name) symbol.name = "renamed";
    }
    const auto unit = session().compile(module, bind(module), {});
    ASSERT_FALSE(unit.ok());
    EXPECT_NE(unit.status().message().find(name), std::string::npos);
  }
  ir::Module module =
      parse_module("func @g() -> () {\n exit #0 restart () \"r\"\n^0:\n poll #0\n ret [0]\n}\n");
  module.symbols[2].name = "renamed";
  const auto unit = session().compile(module, bind(module), {});
  ASSERT_FALSE(unit.ok());
  EXPECT_NE(unit.status().message().find("splice_rt_poll"), std::string::npos);
}

TEST(Session, OpsOfPythonMustBeGone) {
  const ir::Module module = parse_module(
      "func @f(obj) -> (i1) exported c_abi {\n^0(%0: obj):\n %1: i1 = py.type.is @code %0\n"
      " ret [0] %1\n}\n");
  const auto unit = session().compile(module, bind(module), {});
  ASSERT_FALSE(unit.ok());
  EXPECT_NE(unit.status().message().find("py.type.is"), std::string::npos);
}

TEST(Session, MemoryIsFreedWithTheUnit) {
  const ir::Module module = ir::testing::random_module(11);
  const std::vector<void*> addresses = bind(module);
  Options options;
  options.opt_level = 0;
  const auto once = [&] { EXPECT_TRUE(session().compile(module, addresses, options).ok()); };
  for (int i = 0; i < 10; ++i) once();
  const std::size_t names_before = sys::code_map().size();
  const std::size_t before = mapped_code_bytes();
  for (int i = 0; i < 200; ++i) once();
  // 200 units that stayed would be 200 pages of code at the very least.
  EXPECT_LT(mapped_code_bytes(), before + 200u * 4096 / 4);
  EXPECT_EQ(sys::code_map().size(), names_before);
}

TEST(Session, UnitsOutliveTheSession) {
  auto own = new_session();
  const ir::Module module = parse_module(add_constant(2));
  auto unit = own->compile(module, bind(module), {});
  ASSERT_TRUE(unit.ok());
  own.reset();
  EXPECT_EQ(reinterpret_cast<Unary>((*unit)->address("f"))(40), 42);
}

TEST(Session, CodeHasNames) {
  ir::Module module = parse_module(add_constant(2));
  module.functions[0].name = "module.Class.<locals>.f";
  const auto unit = compile(module);
  auto* code = static_cast<char*>(unit->address("module.Class.<locals>.f"));
  const auto range = sys::code_map().find(code + 1);
  ASSERT_TRUE(range);
  EXPECT_EQ(range->name, "module.Class.<locals>.f");
  EXPECT_EQ(range->start, code);
}

TEST(Session, ThreadsCompileAtOnce) {
  constexpr int kThreads = 8;
  std::atomic<int> good = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (std::uint64_t k = 0; k < 6; ++k) {
        const std::uint64_t seed = static_cast<std::uint64_t>(t) * 100 + k;
        const ir::Module module = ir::testing::random_module(seed);
        auto unit = session().compile(module, bind(module), {.opt_level = k % 2 == 0 ? 2 : 0});
        if (!unit.ok()) continue;
        const auto function = static_cast<std::uint32_t>(module.functions.size() - 2);
        const auto args = ir::testing::random_arguments(seed, module.functions[function].params);
        ir::testing::TestHost host;
        ir::testing::clear_log();
        const auto expected = ir::interpret(module, function, args, host);
        alignas(16) std::uint64_t in[64] = {};
        alignas(16) std::uint64_t out[64] = {};
        for (std::size_t i = 0; i < args.size(); ++i) {
          in[2 * i] = args[i].low;
          in[2 * i + 1] = args[i].high;
        }
        testing::reset();
        ir::testing::clear_log();
        reinterpret_cast<void (*)(void*, void*)>((*unit)->address("run"))(in, out);
        if (expected.ok() && static_cast<std::int64_t>(out[0]) == expected->status) ++good;
      }
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(good, kThreads * 6);
}

}  // namespace
}  // namespace splice::codegen
