#include "engine/compile_cost.h"

#include <gtest/gtest.h>

namespace splice::engine {
namespace {

TEST(CompileCost, GrowsWithTheCode) {
  CompileCost cost;
  EXPECT_GT(cost.expected_ms(1000), 5 * cost.expected_ms(100));
}

TEST(CompileCost, TheFirstOneCostsMore) {
  CompileCost cost;
  const double first = cost.expected_ms(100);
  cost.note(100, first);
  EXPECT_LT(cost.expected_ms(100), first);
  EXPECT_NEAR(cost.expected_ms(200), 2 * cost.expected_ms(100), 1e-9);
}

TEST(CompileCost, LearnsHowSlowTheMachineIs) {
  CompileCost cost;
  for (int i = 0; i < 8; ++i) cost.note(500, 500.0);
  EXPECT_NEAR(cost.expected_ms(100), 100.0, 5.0);
  for (int i = 0; i < 8; ++i) cost.note(500, 25.0);
  EXPECT_NEAR(cost.expected_ms(100), 5.0, 1.0);
}

TEST(CompileCost, ForgetsWhatCannotBe) {
  CompileCost cost;
  cost.note(3, 1e9);
  EXPECT_LT(cost.expected_ms(100), 20.0);
  cost.note(500, 1e9);
  EXPECT_LT(cost.expected_ms(100), 200.0);
}

}  // namespace
}  // namespace splice::engine
