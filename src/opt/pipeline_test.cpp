#include "opt/pipeline.h"

#include <gtest/gtest.h>

#include "ir/builder.h"
#include "ir/op.h"
#include "ir/testing/random_module.h"
#include "ir/verify.h"

namespace splice::opt {
namespace {

TEST(Pipeline, LeavesNoPythonOps) {
  ir::Module m;
  ir::Builder b(m, ir::add_function(m, "f", {ir::Type::kObj}, {ir::Type::kOwned}));
  const ir::Builder::Checked n = b.py_unbox_int(b.param(0));
  b.guard(n.flag, b.add_exit({}));
  b.ret({b.py_box_int(n.value)});
  const Status s = optimize(m, layout::kLayout313);
  ASSERT_TRUE(s.ok()) << s.message();
  for (const auto& block : m.functions[0].blocks) {
    for (const auto& inst : block.insts) EXPECT_LT(inst.op, ir::Op::kPyTypeIs);
  }
}

TEST(Pipeline, RefusesBrokenInput) {
  ir::Module m;
  ir::Builder b(m, ir::add_function(m, "f", {ir::Type::kObj}, {ir::Type::kI64}));
  b.ret({b.param(0)});
  const Status s = optimize(m, layout::kLayout312);
  ASSERT_FALSE(s.ok());
  EXPECT_EQ(s.code(), ErrorCode::kInvalidArgument);
  EXPECT_FALSE(run_pass("no_such_pass", m, layout::kLayout312).ok());
}

TEST(Pipeline, TimesEachPass) {
  ir::Module m = ir::testing::random_module(3);
  std::vector<PassTime> times;
  ASSERT_TRUE(optimize(m, layout::kLayout312, &times).ok());
  ASSERT_EQ(times.size(), 6u);
  for (const PassTime& t : times) {
    EXPECT_GT(t.nanoseconds, 0) << t.name;
    EXPECT_GE(t.runs, static_cast<int>(m.functions.size())) << t.name;
  }
}

/// A chain of `n` loops, each with arguments that never change.
ir::Module chain(int n) {
  ir::Module m;
  ir::Builder b(m, ir::add_function(m, "f", {ir::Type::kI64, ir::Type::kI1}, {ir::Type::kI64}));
  const ir::ExitId exit = b.add_exit({});
  ir::ValueId value = b.param(0);
  for (int i = 0; i < n; ++i) {
    const ir::BlockId head = b.create_block("", {ir::Type::kI64, ir::Type::kI64});
    const ir::BlockId next = b.create_block();
    b.br(head, {value, b.param(0)});
    b.set_block(head);
    const ir::ValueId again = b.binary(ir::Op::kAdd, b.block_arg(head, 0), b.block_arg(head, 1));
    b.guard(b.param(1), exit);
    b.cond_br(b.param(1), {head, {again, b.block_arg(head, 1)}}, {next, {}});
    b.set_block(next);
    value = again;
  }
  b.ret({value});
  return m;
}

std::int64_t total(const std::vector<PassTime>& times) {
  std::int64_t sum = 0;
  for (const PassTime& t : times) sum += t.nanoseconds;
  return sum;
}

TEST(Pipeline, TimeGrowsWithTheSizeOnly) {
  // The guard makes each branch known, so the loops never end and the code behind them is cut.
  ir::Module small = chain(500);
  ir::Module large = chain(5000);
  std::vector<PassTime> small_times;
  std::vector<PassTime> large_times;
  ASSERT_TRUE(optimize(small, layout::kLayout312, &small_times).ok());
  ASSERT_TRUE(optimize(large, layout::kLayout312, &large_times).ok());
  // 10 times the size; a quadratic pass would take 100 times as long.
  EXPECT_LT(total(large_times), 40 * total(small_times) + 20'000'000);
  EXPECT_LE(small.functions[0].blocks.size(), 3u);
}

}  // namespace
}  // namespace splice::opt
