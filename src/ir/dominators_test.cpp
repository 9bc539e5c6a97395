#include "ir/dominators.h"

#include <gtest/gtest.h>

#include "ir/testing/random_module.h"

namespace splice::ir {
namespace {

/// By definition: `a` dominates `b` when `b` cannot be reached without passing `a`.
bool dominates_slowly(const Function& f, BlockId a, BlockId b) {
  if (a == b) return true;
  std::vector<bool> seen(f.blocks.size(), false);
  std::vector<BlockId> work;
  if (a != 0) {
    seen[0] = true;
    work.push_back(0);
  }
  while (!work.empty()) {
    const BlockId at = work.back();
    work.pop_back();
    for (const Target& t : f.blocks[at].insts.back().targets) {
      if (t.block == a || seen[t.block]) continue;
      seen[t.block] = true;
      work.push_back(t.block);
    }
  }
  return !seen[b];
}

TEST(Dominators, AgreeWithTheDefinition) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Module m = testing::random_module(seed);
    for (const Function& f : m.functions) {
      const Dominators d(f);
      for (const BlockId a : d.order()) {
        for (const BlockId b : d.order()) {
          ASSERT_EQ(d.dominates(a, b), dominates_slowly(f, a, b)) << seed << " " << a << " " << b;
        }
      }
    }
  }
}

TEST(Dominators, UnreachableAndEmpty) {
  Function f;
  EXPECT_TRUE(Dominators(f).order().empty());
  f.blocks.resize(3);  // no terminators at all
  const Dominators d(f);
  EXPECT_EQ(d.order(), std::vector<BlockId>{0});
  EXPECT_FALSE(d.reachable(1));
}

}  // namespace
}  // namespace splice::ir
