#include "engine/trial.h"

#include <gtest/gtest.h>

namespace splice::engine {
namespace {

using Outcome = Trial::Outcome;

constexpr std::int64_t kMs = 1'000'000;

TEST(Trial, AClearGainIsEnough) {
  Trial trial({1000, kMs});
  EXPECT_TRUE(trial.needed());
  EXPECT_EQ(trial.add({4000, 2 * kMs}), Outcome::kPays);
}

TEST(Trial, SlowerThanTheInterpreterMostOfTheTime) {
  Trial trial({1000, kMs});
  EXPECT_EQ(trial.add({1600, 2 * kMs}), Outcome::kInterpreted);
  EXPECT_EQ(trial.add({2200, 2 * kMs}), Outcome::kNative);
  EXPECT_EQ(trial.add({2200, 2 * kMs}), Outcome::kInterpreted);
  EXPECT_EQ(trial.add({2200, 2 * kMs}), Outcome::kNative);
  EXPECT_EQ(trial.add({1600, 2 * kMs}), Outcome::kInterpreted);
  EXPECT_EQ(trial.add({2200, 2 * kMs}), Outcome::kNative);
  EXPECT_EQ(trial.add({1400, 2 * kMs}), Outcome::kDoesNotPay);
  EXPECT_DOUBLE_EQ(trial.interpreted_rate(), 1100);
  EXPECT_DOUBLE_EQ(trial.native_rate(), 700);
}

TEST(Trial, NoSlowerMostOfTheTime) {
  Trial trial({1000, kMs});
  EXPECT_EQ(trial.add({2000, 2 * kMs}), Outcome::kInterpreted);
  EXPECT_EQ(trial.add({2000, 2 * kMs}), Outcome::kNative);
  EXPECT_EQ(trial.add({1950, 2 * kMs}), Outcome::kInterpreted);
  EXPECT_EQ(trial.add({2000, 2 * kMs}), Outcome::kNative);
  EXPECT_EQ(trial.add({2100, 2 * kMs}), Outcome::kPays);
}

TEST(Trial, ThePhaseOfTheProgramIsNotHeldAgainstIt) {
  Trial trial({1000, kMs});
  EXPECT_EQ(trial.add({200, 2 * kMs}), Outcome::kInterpreted);
  EXPECT_EQ(trial.add({80, 2 * kMs}), Outcome::kNative);
  EXPECT_EQ(trial.add({200, 2 * kMs}), Outcome::kPays);
}

TEST(Trial, CallsThatComeNoMoreProveNothing) {
  Trial trial({1000, kMs});
  EXPECT_EQ(trial.add({0, 2 * kMs}), Outcome::kInterpreted);
  EXPECT_EQ(trial.add({0, 2 * kMs}), Outcome::kPays);
}

TEST(Trial, LongCallsNeedNone) {
  EXPECT_FALSE(Trial({3, kMs}).needed());
  EXPECT_FALSE(Trial({0, 0}).needed());
}

}  // namespace
}  // namespace splice::engine
