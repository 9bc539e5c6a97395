// Every pass, and all of them together, on random modules: the interpreter must see no difference.

#include <gtest/gtest.h>

#include "ir/interpret.h"
#include "ir/testing/random_module.h"
#include "ir/testing/test_host.h"
#include "ir/text.h"
#include "opt/pipeline.h"

namespace splice::opt {
namespace {

using ir::Value;

/// All that can be seen of a run.
struct Observed {
  std::int32_t status = 0;
  std::vector<Value> results;
  std::vector<ir::ExitEvent> exits;
  std::vector<std::uint64_t> log;
};

Observed observe(const ir::Module& m, std::uint32_t function, const std::vector<Value>& args,
                 int leave_at_poll) {
  ir::testing::TestHost host;
  host.leave_at_poll(leave_at_poll);
  ir::testing::clear_log();
  auto r = ir::interpret(m, function, args, host);
  EXPECT_TRUE(r.ok()) << r.status().message();
  if (!r.ok()) return {};
  return {r->status, r->results, host.exits(), ir::testing::log_of_thread()};
}

/// What a recipe makes, as text. A null origin is none; a boxed number is named by its value.
std::string made(const ir::Recipe& r, const std::vector<Value>& live) {
  const auto number = [&](std::uint32_t k) { return live[k].undefined ? 0 : live[k].low; };
  if (r.present != ir::kNone && number(r.present) == 0) return "nothing";
  if (r.kind == ir::Recipe::Kind::kEither)
    return made(r.items[number(r.items[0].present) == 0 ? 1 : 0], live);
  std::string text = std::to_string(static_cast<int>(r.kind));
  if (r.kind == ir::Recipe::Kind::kSymbol) text += " symbol " + std::to_string(r.index);
  if (r.kind >= ir::Recipe::Kind::kInt && r.kind <= ir::Recipe::Kind::kObject) {
    const Value& v = live[r.index];
    // Undefined and NaN values may be anything.
    const bool some =
        v.undefined || r.kind == ir::Recipe::Kind::kFloat || r.kind == ir::Recipe::Kind::kComplex;
    text += some ? " some number" : " " + std::to_string(v.low);
  }
  for (const ir::Recipe& item : r.items) text += " (" + made(item, live) + ")";
  return text;
}

/// merge_back_edges may choose another jump back to the same head, so places do not count.
std::string made(const ir::Module& m, const ir::ExitEvent& event) {
  const ir::Exit& exit = m.functions[event.function].exits[event.exit];
  std::string text = std::to_string(event.function);
  for (const ir::ExitFrame& f : exit.frames) {
    text += " frame " + std::to_string(f.code) + ":";
    ir::for_each_recipe(f, [&](const ir::Recipe& r) { text += " " + made(r, event.live) + ","; });
  }
  return text;
}

void expect_same(const ir::Module& before, const ir::Module& after, std::uint32_t function,
                 const Observed& a, const Observed& b) {
  ASSERT_EQ(a.status, b.status);
  const auto& types = before.functions[function].results;
  for (std::size_t i = 0; i < types.size(); ++i) {
    EXPECT_TRUE(ir::testing::same_value(types[i], a.results[i], b.results[i])) << "result " << i;
  }
  EXPECT_EQ(a.log, b.log);
  ASSERT_EQ(a.exits.size(), b.exits.size());
  for (std::size_t i = 0; i < a.exits.size(); ++i) {
    EXPECT_EQ(made(before, a.exits[i]), made(after, b.exits[i]));
    const auto& live = before.functions[a.exits[i].function].exits[a.exits[i].exit].live;
    if (a.exits[i].live.size() != b.exits[i].live.size()) continue;  // shrink_exits
    for (std::size_t k = 0; k < live.size(); ++k) {
      EXPECT_TRUE(ir::testing::same_value(live[k], a.exits[i].live[k], b.exits[i].live[k]));
    }
  }
}

class RandomModules : public ::testing::TestWithParam<const char*> {};

TEST_P(RandomModules, BehaveAsBefore) {
  const std::string pass = GetParam();
  const bool counts_polls = pass != "fold_ranges" && pass != "all";
  int changed = 0;
  for (std::uint64_t seed = 0; seed < 120; ++seed) {
    const ir::Module before = ir::testing::random_module(seed);
    ir::Module after = before;
    const Status s = pass == "all" ? optimize(after, layout::kLayout312)
                                   : run_pass(pass, after, layout::kLayout312);
    ASSERT_TRUE(s.ok()) << "seed " << seed << ": " << s.message() << "\n" << ir::print(before);
    if (ir::print(before) != ir::print(after)) ++changed;
    const auto function = static_cast<std::uint32_t>(before.functions.size() - 2);
    for (std::uint64_t k = 0; k < 5; ++k) {
      const auto args =
          ir::testing::random_arguments(seed * 11 + k, before.functions[function].params);
      // Short loops lose their polls: the n-th one is not the same any more.
      const int poll = counts_polls ? static_cast<int>(k) * 3 : 0;
      const Observed a = observe(before, function, args, poll);
      const Observed b = observe(after, function, args, poll);
      expect_same(before, after, function, a, b);
      if (HasFailure()) {
        FAIL() << pass << ", seed " << seed << "\n" << ir::print(before) << ir::print(after);
      }
    }
  }
  EXPECT_GT(changed, 50) << pass;
}

INSTANTIATE_TEST_SUITE_P(Passes, RandomModules,
                         ::testing::Values("simplify_block_args", "fold_constants", "common_values",
                                           "fold_ranges", "merge_back_edges", "redundant_guards",
                                           "dead_code", "shrink_exits", "all"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace splice::opt
