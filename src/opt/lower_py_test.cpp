// Lowered py.* ops against objects laid out by hand, run by the interpreter.

#include "opt/lower_py.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <deque>

#include "ir/builder.h"
#include "ir/interpret.h"
#include "ir/verify.h"

namespace splice::opt {
namespace {

using ir::Builder;
using ir::Type;
using ir::Value;

/// 64 bytes of memory with the fields that ObjectLayout names.
struct alignas(16) FakeObject {
  std::uint64_t words[8] = {};
};

class Heap : public ir::Host {
 public:
  explicit Heap(const layout::ObjectLayout& layout) : layout_(layout) {}

  FakeObject* add(std::uint64_t type = 0, std::uint64_t refcount = 1) {
    FakeObject& o = objects_.emplace_back();
    set(o, layout_.refcount, refcount);
    set(o, layout_.type, type);
    return &o;
  }

  FakeObject* add_int(__int128 v) {
    FakeObject* o = add();
    const bool negative = v < 0;
    unsigned __int128 rest = negative ? -static_cast<unsigned __int128>(v) : v;
    std::uint64_t digits = 0;
    for (; rest != 0; rest >>= layout_.long_digit_bits, ++digits) {
      const auto digit = static_cast<std::uint32_t>(rest & ((1u << layout_.long_digit_bits) - 1));
      std::memcpy(bytes(*o) + layout_.long_digits + digits * 4, &digit, 4);
    }
    const std::uint64_t sign = digits == 0 ? 1 : negative ? 2 : 0;
    set(*o, layout_.long_tag, digits << layout_.long_size_shift | sign);
    return o;
  }

  static char* bytes(FakeObject& o) { return reinterpret_cast<char*>(o.words); }
  static void set(FakeObject& o, std::int64_t at, std::uint64_t v) {
    std::memcpy(bytes(o) + at, &v, 8);
  }
  static Value pointer(const void* p) { return {reinterpret_cast<std::uintptr_t>(p), 0, false}; }
  std::uint64_t refcount(FakeObject& o) const {
    std::uint64_t v = 0;
    std::memcpy(&v, bytes(o) + layout_.refcount, 8);
    return v;
  }

  Result<std::uint64_t> symbol(const ir::Module& m, ir::SymbolId s) override {
    const std::string& name = m.symbols[s].name;
    if (name == "Py_True") return reinterpret_cast<std::uintptr_t>(&true_object);
    if (name == "Py_False") return reinterpret_cast<std::uintptr_t>(&false_object);
    return 0x5550 + s;
  }

  Result<Value> call(const ir::Symbol& s, std::span<const Value> args) override {
    calls.push_back(s.name);
    call_args.assign(args.begin(), args.end());
    return pointer(&box);
  }

  bool can_access(std::uint64_t at, std::size_t n, bool) override {
    for (FakeObject& o : objects_) {
      const auto start = reinterpret_cast<std::uintptr_t>(&o);
      if (at >= start && at + n <= start + sizeof o) return true;
    }
    return false;
  }

  FakeObject true_object, false_object, box;
  std::vector<std::string> calls;
  std::vector<Value> call_args;

 private:
  const layout::ObjectLayout& layout_;
  std::deque<FakeObject> objects_;
};

class LowerPy : public ::testing::TestWithParam<int> {
 protected:
  const layout::ObjectLayout& layout_ = *layout::object_layout(GetParam());
  Heap heap_{layout_};
  ir::Module m_;

  Builder start(std::vector<Type> params, std::vector<Type> results) {
    m_ = ir::Module();
    return Builder(m_, ir::add_function(m_, "f", std::move(params), std::move(results)));
  }

  std::vector<Value> run(const std::vector<Value>& args) {
    EXPECT_TRUE(ir::verify(m_).ok()) << ir::verify(m_).message();
    EXPECT_TRUE(lower_py(m_, 0, layout_));
    EXPECT_TRUE(ir::verify(m_).ok()) << ir::verify(m_).message();
    EXPECT_FALSE(lower_py(m_, 0, layout_));
    return again(args);
  }

  std::vector<Value> again(const std::vector<Value>& args) {
    heap_.calls.clear();
    auto r = ir::interpret(m_, 0, args, heap_);
    EXPECT_TRUE(r.ok()) << r.status().message();
    return r.ok() ? r->results : std::vector<Value>(8);
  }
};

TEST_P(LowerPy, UnboxInt) {
  Builder b = start({Type::kObj}, {Type::kI64, Type::kI1});
  const Builder::Checked n = b.py_unbox_int(b.param(0));
  b.ret({n.value, n.flag});
  run({Heap::pointer(heap_.add_int(0))});
  const __int128 digit = 1 << 30;
  const __int128 two63 = static_cast<__int128>(1) << 63;
  const __int128 values[] = {0,
                             1,
                             -1,
                             7,
                             -256,
                             digit - 1,
                             1 - digit,
                             digit,
                             -digit,
                             digit * digit - 1,
                             1 - digit * digit,
                             digit * 5,
                             -digit * 3 - 2,
                             digit * digit,
                             -digit * digit,
                             two63 - 1,
                             1 - two63,
                             -two63,
                             two63,
                             -two63 - 1,
                             -two63 - digit,
                             2 * two63 - 1,
                             1 - 2 * two63,
                             2 * two63,
                             -2 * two63,
                             2 * two63 + 5,
                             digit * digit * (digit - 1),
                             digit * digit * digit,
                             -digit * digit * digit,
                             digit * digit * digit + 17};
  for (const __int128 v : values) {
    const auto r = again({Heap::pointer(heap_.add_int(v))});
    const bool fits = v >= INT64_MIN && v <= INT64_MAX;
    EXPECT_EQ(r[1].low, fits ? 1u : 0u) << static_cast<double>(v);
    if (fits) {
      EXPECT_EQ(ir::as_int(Type::kI64, r[0]), static_cast<std::int64_t>(v));
    }
    EXPECT_TRUE(heap_.calls.empty());
  }
}

TEST_P(LowerPy, UnboxOthers) {
  Builder b = start({Type::kObj, Type::kObj, Type::kObj}, {Type::kF64, Type::kC128, Type::kI1});
  const ir::ValueId f = b.py_unbox_float(b.param(0));
  const ir::ValueId c = b.py_unbox_complex(b.param(1));
  b.ret({f, c, b.py_unbox_bool(b.param(2))});
  FakeObject* const number = heap_.add();
  Heap::set(*number, layout_.float_value, std::bit_cast<std::uint64_t>(-0.25));
  FakeObject* const complex = heap_.add();
  Heap::set(*complex, layout_.complex_value, std::bit_cast<std::uint64_t>(1.5));
  Heap::set(*complex, layout_.complex_value + 8, std::bit_cast<std::uint64_t>(-2.0));
  const auto yes =
      run({Heap::pointer(number), Heap::pointer(complex), Heap::pointer(&heap_.true_object)});
  EXPECT_EQ(ir::as_float(yes[0]), -0.25);
  EXPECT_EQ(yes[1], ir::complex_value(1.5, -2.0));
  EXPECT_EQ(yes[2].low, 1u);
  const auto no =
      again({Heap::pointer(number), Heap::pointer(complex), Heap::pointer(&heap_.false_object)});
  EXPECT_EQ(no[2].low, 0u);
}

TEST_P(LowerPy, TypeIs) {
  Builder b = start({Type::kObj}, {Type::kI1});
  b.ret({b.py_type_is(b.param(0), ir::add_object(m_, "a type"))});
  EXPECT_EQ(run({Heap::pointer(heap_.add(0x5550))})[0].low, 1u);
  EXPECT_EQ(again({Heap::pointer(heap_.add(0x5551))})[0].low, 0u);
}

TEST_P(LowerPy, Box) {
  Builder b = start({Type::kI64, Type::kF64, Type::kI1, Type::kC128},
                    {Type::kOwned, Type::kOwned, Type::kOwned, Type::kOwned});
  const ir::ValueId i = b.py_box_int(b.param(0));
  const ir::ValueId f = b.py_box_float(b.param(1));
  const ir::ValueId t = b.py_box_bool(b.param(2));
  b.ret({i, f, t, b.py_box_complex(b.param(3))});
  const std::vector<Value> args = {ir::int_value(Type::kI64, 5), ir::float_value(2.5),
                                   ir::int_value(Type::kI1, 1), ir::complex_value(3, 4)};
  const auto r = run(args);
  EXPECT_EQ(heap_.calls, (std::vector<std::string>{"splice_rt_box_int", "splice_rt_box_float",
                                                   "splice_rt_box_complex"}));
  EXPECT_EQ(heap_.call_args, (std::vector<Value>{ir::float_value(3), ir::float_value(4)}));
  EXPECT_EQ(r[0], Heap::pointer(&heap_.box));
  EXPECT_EQ(r[2], Heap::pointer(&heap_.true_object));
  EXPECT_EQ(again({args[0], args[1], ir::int_value(Type::kI1, 0), args[3]})[2],
            Heap::pointer(&heap_.false_object));
}

TEST_P(LowerPy, References) {
  Builder b = start({Type::kObj}, {Type::kOwned});
  b.ret({b.py_incref(b.param(0))});
  FakeObject* const mortal = heap_.add(0, 7);
  EXPECT_EQ(run({Heap::pointer(mortal)})[0], Heap::pointer(mortal));
  EXPECT_EQ(heap_.refcount(*mortal), 8u);
  FakeObject* const immortal = heap_.add(0, 0xffffffffu);
  again({Heap::pointer(immortal)});
  EXPECT_EQ(heap_.refcount(*immortal), 0xffffffffu);

  Builder give = start({Type::kOwned}, {});
  give.py_decref(give.param(0));
  give.ret({});
  run({Heap::pointer(mortal)});
  EXPECT_EQ(heap_.refcount(*mortal), 7u);
  EXPECT_TRUE(heap_.calls.empty());
  again({Heap::pointer(immortal)});
  EXPECT_EQ(heap_.refcount(*immortal), 0xffffffffu);
  FakeObject* const last = heap_.add(0, 1);
  again({Heap::pointer(last)});
  EXPECT_EQ(heap_.calls, std::vector<std::string>{"splice_rt_dealloc"});
  EXPECT_EQ(heap_.call_args[0], Heap::pointer(last));
  EXPECT_EQ(heap_.refcount(*last), 0u);
}

TEST_P(LowerPy, ManyInOneBlockAndInALoop) {
  // Sum of the same three ints, four times around.
  Builder b = start({Type::kObj, Type::kObj, Type::kObj}, {Type::kI64});
  const ir::BlockId head = b.create_block("head", {Type::kI64, Type::kI64});
  const ir::BlockId body = b.create_block("body");
  const ir::BlockId done = b.create_block("done");
  const ir::ValueId zero = b.const_i64(0);
  b.br(head, {zero, zero});
  b.set_block(head);
  b.cond_br(b.compare(ir::Op::kLt, b.block_arg(head, 0), b.const_i64(4)), {body, {}}, {done, {}});
  b.set_block(body);
  ir::ValueId sum = b.block_arg(head, 1);
  for (std::size_t i = 0; i < 3; ++i) {
    sum = b.binary(ir::Op::kAdd, sum, b.py_unbox_int(b.param(i)).value);
  }
  b.br(head, {b.binary(ir::Op::kAdd, b.block_arg(head, 0), b.const_i64(1)), sum});
  b.set_block(done);
  b.ret({b.block_arg(head, 1)});
  const auto r = run({Heap::pointer(heap_.add_int(5)), Heap::pointer(heap_.add_int(-3000000000)),
                      Heap::pointer(heap_.add_int(static_cast<__int128>(1) << 60))});
  EXPECT_EQ(ir::as_int(Type::kI64, r[0]), 4 * (5 - 3000000000 + (std::int64_t{1} << 60)));
}

INSTANTIATE_TEST_SUITE_P(Minors, LowerPy, ::testing::Values(12, 13));

}  // namespace
}  // namespace splice::opt
