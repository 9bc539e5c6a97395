// Random modules run as machine code and by the IR interpreter: results, side effects and exits
// must be the same. SPLICE_FUZZ_MODULES sets how many modules are tried per configuration.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "codegen/session.h"
#include "codegen/testing/hot_code.h"
#include "codegen/testing/native_host.h"
#include "ir/interpret.h"
#include "ir/testing/random_module.h"
#include "ir/testing/test_host.h"
#include "ir/text.h"
#include "sys/cpu.h"

namespace splice::codegen {
namespace {

using ir::Type;
using ir::Value;
using ir::testing::RandomOptions;
using ir::testing::TestHost;

struct Config {
  const char* name;
  int opt_level;
  const char* cpu;
  int level;  ///< x86-64 level that this machine must have to run the code
  std::int64_t hot_rounds = 0;
  bool baseline = false;
};

std::uint64_t module_count() {
  const char* wanted = std::getenv("SPLICE_FUZZ_MODULES");
  return wanted == nullptr ? 150 : std::strtoull(wanted, nullptr, 10);
}

// Words of the live values as machine code stores them; empty optional words are undefined values.
void expect_same_exit(const ir::Module& module, const ir::ExitEvent& expected,
                      const testing::NativeExit& actual, const std::string& where) {
  EXPECT_EQ(actual.unit, testing::unit_address()) << where;
  ASSERT_EQ(actual.function, expected.function) << where;
  ASSERT_EQ(actual.exit, expected.exit) << where;
  const ir::Exit& exit = module.functions[expected.function].exits[expected.exit];
  std::size_t at = 0;
  for (std::size_t i = 0; i < exit.live.size(); ++i) {
    const bool two = exit.live[i] == Type::kC128;
    ASSERT_LE(at + (two ? 2u : 1u), actual.live.size()) << where;
    const Value got{actual.live[at], two ? actual.live[at + 1] : 0, false};
    at += two ? 2 : 1;
    EXPECT_TRUE(ir::testing::same_value(exit.live[i], expected.live[i], got))
        << where << ": live value " << i << " of exit " << expected.exit << " of function "
        << expected.function;
  }
  EXPECT_EQ(at, actual.live.size()) << where;
}

class Differential : public ::testing::TestWithParam<Config> {
 protected:
  static Session& session() {
    static std::unique_ptr<Session> one = std::move(Session::create().value());
    return *one;
  }

  void run(std::uint64_t seed, const RandomOptions& random) {
    const ir::Module module = ir::testing::random_module(seed, random);
    Options options;
    options.opt_level = GetParam().opt_level;
    options.cpu = GetParam().cpu;
    options.hot_rounds = GetParam().hot_rounds;
    options.baseline = GetParam().baseline;
    testing::HotCode code(session(), module, "run", options);
    using Run = std::int32_t (*)(const void*, void*);
    const auto run = reinterpret_cast<Run>(code.enter());
    ASSERT_NE(run, nullptr);

    const auto function = static_cast<std::uint32_t>(module.functions.size() - 2);
    const ir::Function& body = module.functions[function];
    for (std::uint64_t k = 0; k < 4; ++k) {
      const int leave_at_poll = k == 3 ? 2 : 0;
      const auto args = ir::testing::random_arguments(seed * 7 + k, body.params);
      const std::string where = "seed " + std::to_string(seed) + ", arguments " + std::to_string(k);

      TestHost host;
      host.leave_at_poll(leave_at_poll);
      ir::testing::clear_log();
      const auto expected = ir::interpret(module, function, args, host);
      ASSERT_TRUE(expected.ok()) << where << ": " << expected.status().message();
      const std::vector<std::uint64_t> expected_log = ir::testing::log_of_thread();

      alignas(16) std::uint64_t in[64] = {};
      alignas(16) std::uint64_t out[64] = {};
      for (std::size_t i = 0; i < args.size(); ++i) {
        in[2 * i] = args[i].low;
        in[2 * i + 1] = args[i].high;
      }
      testing::reset(leave_at_poll);
      // Chunks of loops run while nobody asks for a poll.
      testing::context().eval_breaker_mask = k < 2 ? 0 : ~std::uint32_t{0};
      ir::testing::clear_log();
      run(in, out);

      ASSERT_EQ(static_cast<std::int64_t>(out[0]), expected->status) << where;
      EXPECT_EQ(ir::testing::log_of_thread(), expected_log) << where;
      ASSERT_EQ(testing::exits().size(), host.exits().size()) << where;
      for (std::size_t i = 0; i < host.exits().size(); ++i) {
        expect_same_exit(module, host.exits()[i], testing::exits()[i], where);
      }
      (expected->status < 0 ? left_ : finished_) += 1;
      if (expected->status < 0) continue;
      for (std::size_t i = 0; i < body.results.size(); ++i) {
        const Value got{out[2 * i + 2], out[2 * i + 3], false};
        EXPECT_TRUE(ir::testing::same_value(body.results[i], expected->results[i], got))
            << where << ": result " << i;
      }
    }
    again_ += code.again().size();
  }

  int finished_ = 0;
  int left_ = 0;
  std::size_t again_ = 0;
};

TEST_P(Differential, RandomModules) {
  if (sys::cpu().level < GetParam().level) {
    std::printf("this processor cannot run %s code\n", GetParam().cpu);
    return;
  }
  const std::uint64_t count = module_count();
  for (std::uint64_t seed = 0; seed < count && !HasFailure(); ++seed) {
    RandomOptions random;
    if (seed % 3 == 1) random = {.functions = 1, .statements = 40, .depth = 4};
    if (seed % 3 == 2) random = {.functions = 5, .statements = 8, .depth = 2};
    run(seed, random);
  }
  EXPECT_GT(finished_, static_cast<int>(count));
  EXPECT_GT(left_, static_cast<int>(count / 8));
  EXPECT_EQ(again_ > 0, GetParam().hot_rounds > 0);
}

INSTANTIATE_TEST_SUITE_P(
    All, Differential,
    ::testing::Values(Config{"plain", 0, "", 1}, Config{"tuned", 2, "", 1},
                      Config{"tuned_v1", 2, "x86-64", 1}, Config{"tuned_v2", 2, "x86-64-v2", 2},
                      Config{"tuned_v3", 2, "x86-64-v3", 3}, Config{"plain_v1", 0, "x86-64", 1},
                      Config{"baseline_hot_at_once", 2, "", 1, 1, true},
                      Config{"baseline_hot_later", 2, "", 1, 5, true},
                      Config{"baseline_hot_late", 2, "", 1, 70, true}),
    [](const ::testing::TestParamInfo<Config>& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace splice::codegen
