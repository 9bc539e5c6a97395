#include "opt/pipeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>

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
  ASSERT_EQ(times.size(), 11u);
  for (const PassTime& t : times) {
    EXPECT_GT(t.nanoseconds, 0) << t.name;
    EXPECT_GE(t.runs, static_cast<int>(m.functions.size())) << t.name;
  }
}

/// A chain of `n` loops, each with an argument that never changes.
ir::Module chain(int n) {
  ir::Module m;
  ir::Builder b(m, ir::add_function(m, "f", {ir::Type::kI64, ir::Type::kI64}, {ir::Type::kI64}));
  ir::ValueId value = b.param(0);
  for (int i = 0; i < n; ++i) {
    const ir::BlockId head = b.create_block("", {ir::Type::kI64, ir::Type::kI64});
    const ir::BlockId next = b.create_block();
    b.br(head, {value, b.param(1)});
    b.set_block(head);
    const ir::ValueId same = b.block_arg(head, 1);
    value = b.binary(ir::Op::kAdd, b.block_arg(head, 0), same);
    b.cond_br(b.compare(ir::Op::kLt, value, b.param(0)), {head, {value, same}}, {next, {}});
    b.set_block(next);
  }
  b.ret({value});
  return m;
}

/// Processor time, so that other work on the machine does not count.
std::clock_t time_of_chain(int n) {
  ir::Module m = chain(n);
  const std::clock_t start = std::clock();
  EXPECT_TRUE(optimize(m, layout::kLayout312).ok());
  const std::clock_t end = std::clock();
  EXPECT_EQ(m.functions[0].blocks[1].args.size(), 1u);
  return end - start;
}

TEST(Pipeline, TimeGrowsWithTheSizeOnly) {
  const std::clock_t small = std::min({time_of_chain(300), time_of_chain(300), time_of_chain(300)});
  // 40 times the size. A quadratic pass would take 1600 times as long; cold caches need some room.
  EXPECT_LT(time_of_chain(12000), 400 * small);
}

}  // namespace
}  // namespace splice::opt
