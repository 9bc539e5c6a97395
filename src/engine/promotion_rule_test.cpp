#include "engine/promotion_rule.h"

#include <gtest/gtest.h>

#include "engine/sample_table.h"

namespace splice::engine {
namespace {

TEST(PromotionRule, HotIsNotEnough) {
  EXPECT_EQ(judge({0, 0, 0}), Verdict::kWatch);
  EXPECT_EQ(judge({kHotSamples - 1, 0, 0}), Verdict::kWatch);
  EXPECT_EQ(judge({kHotSamples, 0, 0}), Verdict::kCount);
  EXPECT_EQ(judge({kHotSamples, kOftenCalls - 1, kCountingNs}), Verdict::kCount);
  EXPECT_EQ(judge({kHotSamples, kOftenCalls, kCountingNs - 1}), Verdict::kCount);
  EXPECT_EQ(judge({kHotSamples, kOftenCalls, kCountingNs}), Verdict::kPromote);
}

TEST(PromotionRule, ACandidateThatCoolsDownMayStillBeCalledOften) {
  EXPECT_EQ(judge({0, kOftenCalls, kCountingNs}), Verdict::kPromote);
}

TEST(PromotionRule, LongCallsNeedNoProof) {
  EXPECT_EQ(judge({kVeryHotSamples - 1, 0, 0}), Verdict::kCount);
  EXPECT_EQ(judge({kVeryHotSamples, 0, 0}), Verdict::kPromote);
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
  EXPECT_EQ(table.add(objects), 1u);
  EXPECT_EQ(table.add(objects), 2u);
  EXPECT_EQ(table.add(objects + 16), 1u);
  EXPECT_EQ(table.samples(objects), 2u);
  table.halve();
  EXPECT_EQ(table.samples(objects), 1u);
  table.forget(objects);
  EXPECT_EQ(table.samples(objects), 0u);
  EXPECT_EQ(table.add(objects), 1u);
}

TEST(SampleTable, TheHotterOneKeepsThePlace) {
  SampleTable table;
  auto at = [](std::uintptr_t address) { return reinterpret_cast<const void*>(address); };
  const void* hot = at(0x10000);
  for (int i = 0; i < 8; ++i) table.add(hot);
  // The next that falls into the same place is not taken in, and takes one sample away.
  std::uintptr_t other = 0x10010;
  while (table.add(at(other)) != 0) other += 16;
  EXPECT_EQ(table.samples(hot), 7u);
  EXPECT_EQ(table.samples(at(other)), 0u);
  for (int i = 0; i < 6; ++i) EXPECT_EQ(table.add(at(other)), 0u);
  EXPECT_EQ(table.add(at(other)), 1u);
  EXPECT_EQ(table.samples(hot), 0u);
}

}  // namespace
}  // namespace splice::engine
