#include "ir/builder.h"

#include <gtest/gtest.h>

#include "ir/text.h"
#include "ir/verify.h"

namespace splice::ir {
namespace {

TEST(Builder, EveryFamily) {
  Module m;
  m.name = "m";
  const SymbolId int_type = add_object(m, "int");
  const SymbolId rt = add_runtime(m, "rt", {Type::kObj}, Type::kOwned);
  EXPECT_EQ(add_object(m, "int"), int_type);
  const auto leaf = add_function(m, "leaf", {Type::kI64}, {Type::kF64});
  {
    Builder b(m, leaf);
    b.ret({b.convert(b.param(0), Type::kF64)});
  }
  const auto f =
      add_function(m, "f", {Type::kObj, Type::kC128}, {Type::kI64, Type::kF64}, false, true);
  Builder b(m, f);
  b.set_loc({7, 2});
  Exit e;
  e.reason = "not an int";
  const ExitId restart = b.add_exit(e);
  b.guard(b.py_type_is(b.param(0), int_type), restart);
  const Builder::Checked n = b.py_unbox_int(b.param(0));
  b.guard(n.flag, restart);
  const Builder::Checked sum = b.checked(Op::kAddOv, n.value, b.const_i64(1));
  b.guard(b.not_(sum.flag), restart);
  const Builder::Values called = b.call(leaf, {sum.value});
  ASSERT_EQ(called.size(), 2u);
  const ValueId z = b.binary(Op::kMul, b.param(1), b.make_complex(called[0], b.const_f64(0)));
  const ValueId own = b.call_runtime(rt, {b.param(0)});
  EXPECT_EQ(b.type_of(own), Type::kOwned);
  const ValueId same = b.compare(Op::kEq, own, b.param(0));
  b.py_decref(own);
  const ValueId slot = b.slot(64);
  b.store(b.addr(slot, b.const_i64(1), 8), b.real(z), 8);
  const ValueId loaded = b.load(Type::kF64, slot, 16);
  const BlockId done = b.create_block("done", {Type::kF64});
  b.cond_br(same, {done, {loaded}}, {done, {b.fma(loaded, loaded, b.imag(z))}});
  b.set_block(done);
  b.ret({sum.value, b.block_arg(done, 0)});
  const Status s = verify(m);
  EXPECT_TRUE(s.ok()) << s.message();
  EXPECT_EQ(b.function().blocks[0].insts[0].loc.line, 7);
}

TEST(Builder, EdgesAndCasesCanBePatchedLater) {
  Module m;
  m.name = "m";
  Builder b(m, add_function(m, "f", {Type::kI64}, {Type::kI64}));
  const BlockId a = b.create_block("a");
  const BlockId c = b.create_block("c");
  b.switch_(b.param(0), {a, {}});
  b.set_block(a);
  b.ret({b.param(0)});
  b.set_block(c);
  b.ret({b.const_i64(3)});
  b.add_case(0, 5, {c, {}});
  b.add_case(0, 6, {a, {}});
  EXPECT_TRUE(verify(m).ok());
  // A new argument of a block, and what the edges pass for it.
  const ValueId arg = b.add_block_arg(a, Type::kI64);
  EXPECT_FALSE(verify(m).ok());
  for (Target& t : b.terminator(0).targets) {
    if (t.block == a) t.args.push_back(b.param(0));
  }
  b.terminator(a).args[0] = arg;
  const Status s = verify(m);
  EXPECT_TRUE(s.ok()) << s.message();
  EXPECT_EQ(b.terminator(0).targets.back().block, a);
  EXPECT_EQ(b.terminator(0).cases, (std::vector<std::int64_t>{5, 6}));
}

}  // namespace
}  // namespace splice::ir
