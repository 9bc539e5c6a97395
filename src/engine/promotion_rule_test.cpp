#include "engine/promotion_rule.h"

#include <gtest/gtest.h>

#include "engine/sample_table.h"

namespace splice::engine {
namespace {

TEST(PromotionRule, HotIsNotEnough) {
  EXPECT_EQ(judge({0, 0, 0, 0}), Verdict::kWatch);
  EXPECT_EQ(judge({kHotMs - 1, 0, 0, 0}), Verdict::kWatch);
  EXPECT_EQ(judge({kHotMs, 0, 0, 0}), Verdict::kCount);
  EXPECT_EQ(judge({kHotMs, kOftenCalls - 1, kCountingNs, 0}), Verdict::kCount);
  EXPECT_EQ(judge({kHotMs, kOftenCalls, kCountingNs - 1, 0}), Verdict::kCount);
  EXPECT_EQ(judge({kHotMs, kOftenCalls, kCountingNs, 0}), Verdict::kPromote);
}

TEST(PromotionRule, CalledOftenIsNotEnough) {
  EXPECT_EQ(judge({kHotMs - 1, 1'000'000, 1'000'000'000, 0}), Verdict::kWatch);
}

TEST(PromotionRule, MoreCodeHasToBeHotter) {
  constexpr std::uint32_t bytes = 100 * kBytesPerMs;
  EXPECT_EQ(judge({99, 1'000'000, 1'000'000'000, bytes}), Verdict::kCount);
  EXPECT_EQ(judge({100, kOftenCalls, kCountingNs, bytes}), Verdict::kPromote);
  EXPECT_EQ(judge({100 + kVeryHotMs - 1, 0, 0, bytes}), Verdict::kCount);
  EXPECT_EQ(judge({100 + kVeryHotMs, 0, 0, bytes}), Verdict::kPromote);
}

TEST(PromotionRule, WhatTheFrontEndSaysIsBelieved) {
  constexpr std::uint32_t bytes = 20 * kBytesPerMs;
  EXPECT_EQ(judge({20, kOftenCalls, kCountingNs, bytes}), Verdict::kPromote);
  EXPECT_EQ(judge({99, kOftenCalls, kCountingNs, bytes, 100}), Verdict::kCount);
  EXPECT_EQ(judge({100, kOftenCalls, kCountingNs, bytes, 100}), Verdict::kPromote);
  EXPECT_EQ(judge({kHotMs, kOftenCalls, kCountingNs, bytes, 1}), Verdict::kPromote);
}

TEST(PromotionRule, LongCallsNeedNoProof) {
  EXPECT_EQ(judge({kHotMs + kVeryHotMs - 1, 0, 0, 0}), Verdict::kCount);
  EXPECT_EQ(judge({kHotMs + kVeryHotMs, 0, 0, 0}), Verdict::kPromote);
}

TEST(PromotionRule, TheFrontEndIsAskedBeforeItIsWorthIt) {
  EXPECT_FALSE(may_ask({kHotMs - 1, 0, 0, 0}));
  EXPECT_TRUE(may_ask({kHotMs, 0, 0, 0}));
  constexpr std::uint32_t bytes = 20 * kAskedBytesPerMs;
  EXPECT_FALSE(may_ask({19, 0, 0, bytes}));
  EXPECT_TRUE(may_ask({20, 0, 0, bytes}));
  EXPECT_EQ(judge({20, kOftenCalls, kCountingNs, bytes}), Verdict::kCount);
}

TEST(PromotionRule, LooksBecomeRarer) {
  EXPECT_EQ(pause_until_next_look(true, 0), Pace::kFast);
  EXPECT_EQ(pause_until_next_look(false, 0), Pace::kSteady);
  EXPECT_EQ(pause_until_next_look(true, 1), 2 * Pace::kFast);
  EXPECT_EQ(pause_until_next_look(false, 1'000'000), Pace::kIdle);
}

TEST(SampleTable, CountsEachFunction) {
  SampleTable table;
  alignas(16) char objects[64];
  EXPECT_EQ(table.add(objects, 1), 1u);
  EXPECT_EQ(table.add(objects, 1), 2u);
  EXPECT_EQ(table.add(objects + 16, 1), 1u);
  EXPECT_EQ(table.add(objects, 8), 10u);
  EXPECT_EQ(table.recent(objects), 10u);
  table.halve();
  EXPECT_EQ(table.recent(objects), 5u);
  table.forget(objects);
  EXPECT_EQ(table.recent(objects), 0u);
  EXPECT_EQ(table.add(objects, 1), 1u);
}

TEST(SampleTable, TheHotterOneKeepsThePlace) {
  SampleTable table;
  auto at = [](std::uintptr_t address) { return reinterpret_cast<const void*>(address); };
  const void* hot = at(0x10000);
  for (int i = 0; i < 8; ++i) table.add(hot, 1);
  // The next that falls into the same place is not taken in, and takes one sample away.
  std::uintptr_t other = 0x10010;
  while (table.add(at(other), 1) != 0) other += 16;
  EXPECT_EQ(table.recent(hot), 7u);
  EXPECT_EQ(table.recent(at(other)), 0u);
  for (int i = 0; i < 6; ++i) EXPECT_EQ(table.add(at(other), 1), 0u);
  EXPECT_EQ(table.add(at(other), 1), 1u);
  EXPECT_EQ(table.recent(hot), 0u);
}

}  // namespace
}  // namespace splice::engine
