// Every computing op on every type it knows, with corner values, against ir/evaluate.h.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "codegen/session.h"
#include "codegen/testing/native_host.h"
#include "ir/builder.h"
#include "ir/evaluate.h"
#include "ir/testing/random_module.h"
#include "ir/verify.h"

namespace splice::codegen {
namespace {

using ir::Op;
using ir::Type;
using ir::Value;

const std::vector<Type> kInts = {Type::kI8, Type::kI16, Type::kI32, Type::kI64,
                                 Type::kU8, Type::kU16, Type::kU32, Type::kU64};
const std::vector<Type> kFloats = {Type::kF32, Type::kF64};

std::vector<Value> corner_values(Type type) {
  std::vector<Value> out;
  if (type == Type::kI1) return {ir::int_value(type, 0), ir::int_value(type, 1)};
  if (ir::is_int(type)) {
    const int bits = ir::bit_width(type);
    const std::int64_t top = static_cast<std::int64_t>(std::uint64_t{1} << (bits - 1));
    for (std::int64_t v :
         {std::int64_t{0}, std::int64_t{1}, std::int64_t{-1}, std::int64_t{2}, std::int64_t{7},
          std::int64_t{-13}, top, static_cast<std::int64_t>(static_cast<std::uint64_t>(top) - 1)}) {
      out.push_back(ir::int_value(type, v));
    }
    return out;
  }
  const double inf = std::numeric_limits<double>::infinity();
  const std::vector<double> doubles = {0.0,    -0.0,   1.0,
                                       -1.0,   0.5,    -0.5,
                                       1.5,    2.5,    -2.5,
                                       3.7,    -3.7,   100.0,
                                       1e18,   -1e18,  1e300,
                                       1e-300, 5e-324, 9.3e18,
                                       127,    255.0,  4503599627370497.5,
                                       inf,    -inf,   std::numeric_limits<double>::quiet_NaN()};
  for (double d : doubles) {
    if (type == Type::kF64) out.push_back(ir::float_value(d));
    if (type == Type::kF32) {
      out.push_back({std::bit_cast<std::uint32_t>(static_cast<float>(d)), 0, false});
    }
  }
  if (type == Type::kC128) {
    for (double re : {0.0, -0.0, 1.5, -2.25, 1e300, inf, std::nan("")}) {
      for (double im : {0.0, -1.0, 3.0, -inf}) out.push_back(ir::complex_value(re, im));
    }
  }
  return out;
}

/// One op as a C function of memory cells, compiled plain and tuned, with variables and with
/// constants.
struct Case {
  ir::Inst inst;  ///< without operands and results
  std::vector<Type> params;
  std::vector<Type> results;
  std::string name() const {
    std::string text = ir::op_name(inst.op);
    for (Type t : params) text += std::string(" ") + ir::type_name(t);
    return text + " -> " + ir::type_name(results[0]);
  }
};

// f(in, out, n): for each of n rows of 16-byte cells, out = op(in...). A loop, so that the tuned
// code may vectorise it.
ir::Module looped(const Case& c) {
  ir::Module m;
  m.name = "op";
  const auto index = ir::add_function(m, "f", {Type::kPtr, Type::kPtr, Type::kI64}, {},
                                      /*c_abi=*/true, /*exported=*/true);
  ir::Builder b(m, index);
  const auto head = b.create_block("head", {Type::kI64});
  const auto body = b.create_block("body");
  const auto done = b.create_block("done");
  b.br(head, {b.const_i64(0)});
  b.set_block(head);
  const auto i = b.block_arg(head, 0);
  b.cond_br(b.compare(Op::kLt, i, b.param(2)), {body, {}}, {done, {}});
  b.set_block(body);
  const auto in = b.addr(b.param(0), i, static_cast<std::int64_t>(c.params.size()) * 16);
  const auto out = b.addr(b.param(1), i, static_cast<std::int64_t>(c.results.size()) * 16);
  ir::Inst inst = c.inst;
  for (std::size_t k = 0; k < c.params.size(); ++k) {
    inst.args.push_back(b.load(c.params[k], in, static_cast<std::int64_t>(k) * 16));
  }
  ir::Inst& placed = c.results.size() == 2 ? b.append(inst, {c.results[0], c.results[1]})
                                           : b.append(inst, {c.results[0]});
  const std::vector<ir::ValueId> results = placed.results;
  for (std::size_t k = 0; k < results.size(); ++k) {
    b.store(out, results[k], static_cast<std::int64_t>(k) * 16);
  }
  b.br(head, {b.binary(Op::kAdd, i, b.const_i64(1))});
  b.set_block(done);
  b.ret({});
  return m;
}

// f(out): the same op on constants, which LLVM folds; a row of 16-byte cells for each of `rows`.
ir::Module folded(const Case& c, const std::vector<std::vector<Value>>& rows) {
  ir::Module m;
  m.name = "op";
  const auto index = ir::add_function(m, "f", {Type::kPtr}, {}, true, true);
  ir::Builder b(m, index);
  std::int64_t cell = 0;
  for (const std::vector<Value>& args : rows) {
    ir::Inst inst = c.inst;
    for (std::size_t k = 0; k < c.params.size(); ++k) {
      ir::Inst constant;
      constant.op = Op::kConst;
      constant.type = c.params[k];
      constant.imm = static_cast<std::int64_t>(args[k].low);
      constant.imm2 = static_cast<std::int64_t>(args[k].high);
      if (ir::is_int(c.params[k])) constant.imm = ir::as_int(c.params[k], args[k]);
      inst.args.push_back(b.append(constant, {c.params[k]}).results[0]);
    }
    ir::Inst& placed = c.results.size() == 2 ? b.append(inst, {c.results[0], c.results[1]})
                                             : b.append(inst, {c.results[0]});
    const std::vector<ir::ValueId> results = placed.results;
    for (ir::ValueId result : results) b.store(b.param(0), result, 16 * cell++);
  }
  b.ret({});
  return m;
}

class Ops : public ::testing::Test {
 protected:
  static Session& session() {
    static std::unique_ptr<Session> one = std::move(Session::create().value());
    return *one;
  }

  static std::unique_ptr<CodeUnit> compile(const ir::Module& m, const Options& options) {
    const Status verified = ir::verify(m);
    EXPECT_TRUE(verified.ok()) << verified.message();
    auto unit = session().compile(m, testing::bind(m), options);
    EXPECT_TRUE(unit.ok()) << unit.status().message();
    return std::move(*unit);
  }

  void check(const Case& c) {
    // All combinations of corner values for which the op is defined.
    std::vector<std::vector<Value>> rows = {{}};
    for (Type t : c.params) {
      std::vector<std::vector<Value>> longer;
      for (const auto& row : rows) {
        for (const Value& v : corner_values(t)) {
          longer.push_back(row);
          longer.back().push_back(v);
        }
      }
      rows = std::move(longer);
    }
    std::vector<std::vector<Value>> used;
    std::vector<std::uint64_t> in;
    std::vector<Value> expected;
    for (const auto& row : rows) {
      const auto result = ir::evaluate(c.inst, row);
      if (!result.ok()) continue;
      for (const Value& v : row) in.insert(in.end(), {v.low, v.high});
      expected.push_back(result->first);
      if (c.results.size() == 2) expected.push_back(result->second);
      used.push_back(row);
    }
    ASSERT_FALSE(used.empty()) << c.name();

    const ir::Module loop = looped(c);
    for (const Options& options : {Options{.opt_level = 0}, Options{}, Options{.cpu = "x86-64"}}) {
      std::vector<std::uint64_t> out(expected.size() * 2, 0);
      const auto unit = compile(loop, options);
      using F = void (*)(const void*, void*, std::int64_t);
      reinterpret_cast<F>(unit->address("f"))(in.data(), out.data(),
                                              static_cast<std::int64_t>(used.size()));
      compare(c, used, expected, out, "in a loop");
    }

    // Some of the rows.
    const std::size_t n = c.results.size();
    std::vector<std::vector<Value>> rows_folded;
    std::vector<Value> expected_folded;
    for (std::size_t k = 0; k < used.size(); k += 1 + used.size() / 40) {
      rows_folded.push_back(used[k]);
      for (std::size_t i = 0; i < n; ++i) expected_folded.push_back(expected[k * n + i]);
    }
    std::vector<std::uint64_t> out(expected_folded.size() * 2, 0);
    const auto unit = compile(folded(c, rows_folded), {});
    reinterpret_cast<void (*)(void*)>(unit->address("f"))(out.data());
    compare(c, rows_folded, expected_folded, out, "of constants");
  }

  static void compare(const Case& c, const std::vector<std::vector<Value>>& rows,
                      const std::vector<Value>& expected, const std::vector<std::uint64_t>& out,
                      const char* how) {
    const std::size_t n = c.results.size();
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const Value got{out[2 * i], out[2 * i + 1], false};
      if (ir::testing::same_value(c.results[i % n], expected[i], got)) continue;
      std::string text = c.name() + " " + how + ":";
      for (const Value& v : rows[i / n]) text += " " + std::to_string(v.low);
      ADD_FAILURE() << text << ": result " << i % n << " is " << got.low << "/" << got.high
                    << ", not " << expected[i].low << "/" << expected[i].high;
      return;
    }
  }

  static ir::Inst inst(Op op, Type type, Type type2 = Type::kVoid) {
    ir::Inst i;
    i.op = op;
    i.type = type;
    i.type2 = type2;
    return i;
  }
};

TEST_F(Ops, IntegerArithmetic) {
  for (Type t : kInts) {
    for (Op op : {Op::kAdd, Op::kSub, Op::kMul, Op::kDiv, Op::kRem, Op::kMod, Op::kAnd, Op::kOr,
                  Op::kXor, Op::kShl, Op::kShr}) {
      check({inst(op, t), {t, t}, {t}});
    }
    check({inst(Op::kNeg, t), {t}, {t}});
    for (Op op : {Op::kAddOv, Op::kSubOv, Op::kMulOv}) {
      check({inst(op, t), {t, t}, {t, Type::kI1}});
    }
  }
  for (Op op : {Op::kAnd, Op::kOr, Op::kXor}) {
    check({inst(op, Type::kI1), {Type::kI1, Type::kI1}, {Type::kI1}});
  }
}

TEST_F(Ops, FloatArithmetic) {
  for (Type t : kFloats) {
    for (Op op : {Op::kAdd, Op::kSub, Op::kMul, Op::kDiv, Op::kRem, Op::kCopysign}) {
      check({inst(op, t), {t, t}, {t}});
    }
    for (Op op : {Op::kNeg, Op::kSqrt, Op::kFloor, Op::kCeil, Op::kTrunc, Op::kRint, Op::kFabs}) {
      check({inst(op, t), {t}, {t}});
    }
  }
  check({inst(Op::kFma, Type::kF64), {Type::kF64, Type::kF64, Type::kF64}, {Type::kF64}});
  check({inst(Op::kFma, Type::kF32), {Type::kF32, Type::kF32, Type::kF32}, {Type::kF32}});
}

TEST_F(Ops, Complex) {
  const Type c = Type::kC128;
  for (Op op : {Op::kAdd, Op::kSub, Op::kMul}) check({inst(op, c), {c, c}, {c}});
  check({inst(Op::kNeg, c), {c}, {c}});
  check({inst(Op::kEq, c), {c, c}, {Type::kI1}});
  check({inst(Op::kNe, c), {c, c}, {Type::kI1}});
  check({inst(Op::kReal, Type::kF64), {c}, {Type::kF64}});
  check({inst(Op::kImag, Type::kF64), {c}, {Type::kF64}});
  check({inst(Op::kComplex, c), {Type::kF64, Type::kF64}, {c}});
  check({inst(Op::kSelect, c), {Type::kI1, c, c}, {c}});
}

TEST_F(Ops, Comparison) {
  std::vector<Type> types = kInts;
  types.insert(types.end(), kFloats.begin(), kFloats.end());
  for (Type t : types) {
    for (Op op : {Op::kEq, Op::kNe, Op::kLt, Op::kLe, Op::kGt, Op::kGe}) {
      check({inst(op, t), {t, t}, {Type::kI1}});
    }
    check({inst(Op::kSelect, t), {Type::kI1, t, t}, {t}});
  }
  check({inst(Op::kEq, Type::kI1), {Type::kI1, Type::kI1}, {Type::kI1}});
  check({inst(Op::kNe, Type::kI1), {Type::kI1, Type::kI1}, {Type::kI1}});
}

TEST_F(Ops, Conversion) {
  std::vector<Type> ints = kInts;
  ints.push_back(Type::kI1);
  for (Type from : ints) {
    for (Type to : kInts) {
      if (from != to) check({inst(Op::kConvert, to, from), {from}, {to}});
    }
    for (Type to : kFloats) check({inst(Op::kConvert, to, from), {from}, {to}});
  }
  for (Type from : kFloats) {
    for (Type to : kInts) check({inst(Op::kConvert, to, from), {from}, {to}});
  }
  check({inst(Op::kConvert, Type::kF32, Type::kF64), {Type::kF64}, {Type::kF32}});
  check({inst(Op::kConvert, Type::kF64, Type::kF32), {Type::kF32}, {Type::kF64}});
  for (const auto& [from, to] : {std::pair{Type::kI64, Type::kF64},
                                 {Type::kF64, Type::kI64},
                                 {Type::kU32, Type::kF32},
                                 {Type::kF32, Type::kI32},
                                 {Type::kI64, Type::kU64}}) {
    check({inst(Op::kBitcast, to, from), {from}, {to}});
  }
}

}  // namespace
}  // namespace splice::codegen
