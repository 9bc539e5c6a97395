#include "opt/lower_py.h"

#include <algorithm>
#include <utility>

#include "ir/builder.h"
#include "opt/edit.h"

namespace splice::opt {
namespace {

using ir::BlockId;
using ir::Builder;
using ir::Inst;
using ir::kNone;
using ir::Op;
using ir::SymbolId;
using ir::Type;
using ir::ValueId;

bool is_python(Op op) { return op >= Op::kPyTypeIs && op < Op::kCount; }

class Lowering {
 public:
  Lowering(ir::Module& m, std::uint32_t function, const layout::ObjectLayout& layout)
      : m_(m), b_(m, function), layout_(layout), replacements_(b_.function().values.size()) {}

  bool run() {
    const std::size_t blocks = b_.function().blocks.size();
    for (BlockId b = 0; b < blocks; ++b) block(b);
    replacements_.apply(b_.function());
    return changed_;
  }

 private:
  /// Rewrites a block; where an op needs branches, the rest of the block moves to a new one.
  void block(BlockId b) {
    auto& insts = b_.function().blocks[b].insts;
    std::size_t first = 0;
    while (first < insts.size() && !is_python(insts[first].op)) ++first;
    if (first == insts.size()) return;
    changed_ = true;
    std::vector<Inst> rest(
        std::make_move_iterator(insts.begin() + static_cast<std::ptrdiff_t>(first)),
        std::make_move_iterator(insts.end()));
    insts.resize(first);
    b_.set_block(b);
    for (Inst& inst : rest) {
      b_.set_loc(inst.loc);
      if (is_python(inst.op)) {
        lower(inst);
      } else {
        b_.function().blocks[b_.current_block()].insts.push_back(std::move(inst));
      }
    }
  }

  void lower(const Inst& inst) {
    const ValueId arg = inst.args[0];
    switch (inst.op) {
      case Op::kPyTypeIs: {
        const ValueId type = b_.load(Type::kPtr, arg, layout_.type);
        return result(inst, b_.compare(Op::kEq, type, b_.symbol(inst.index, Type::kPtr)));
      }
      case Op::kPyUnboxInt:
        return unbox_int(inst);
      case Op::kPyUnboxFloat:
        return result(inst, b_.load(Type::kF64, arg, layout_.float_value));
      case Op::kPyUnboxBool:
        return result(inst, b_.compare(Op::kEq, arg, true_object()));
      case Op::kPyUnboxComplex: {
        const ValueId real = b_.load(Type::kF64, arg, layout_.complex_value);
        const ValueId imag = b_.load(Type::kF64, arg, layout_.complex_value + 8);
        return result(inst, b_.make_complex(real, imag));
      }
      case Op::kPyBoxInt:
        return result(
            inst, b_.call_runtime(
                      runtime(box_int_, "splice_rt_box_int", {Type::kI64}, Type::kOwned), {arg}));
      case Op::kPyBoxFloat:
        return result(inst, b_.call_runtime(runtime(box_float_, "splice_rt_box_float", {Type::kF64},
                                                    Type::kOwned),
                                            {arg}));
      case Op::kPyBoxBool: {
        // Both are immortal: no count to change.
        const ValueId yes = true_object();
        const ValueId no = b_.symbol(object(false_, "Py_False"));
        return result(inst, b_.bitcast(b_.select(arg, yes, no), Type::kOwned));
      }
      case Op::kPyBoxComplex: {
        const SymbolId box =
            runtime(box_complex_, "splice_rt_box_complex", {Type::kF64, Type::kF64}, Type::kOwned);
        const ValueId real = b_.real(arg);
        return result(inst, b_.call_runtime(box, {real, b_.imag(arg)}));
      }
      case Op::kPyIncref:
        return incref(inst);
      default:
        return decref(inst);
    }
  }

  void result(const Inst& inst, ValueId value) { replacements_.set(inst.results[0], value); }

  SymbolId runtime(SymbolId& cache, const char* name, std::vector<Type> params, Type result) {
    if (cache == kNone) cache = ir::add_runtime(m_, name, std::move(params), result);
    return cache;
  }

  SymbolId object(SymbolId& cache, const char* name) {
    if (cache == kNone) cache = ir::add_object(m_, name);
    return cache;
  }

  ValueId true_object() { return b_.symbol(object(true_, "Py_True")); }

  ValueId digit(ValueId object, int i) {
    const std::int64_t at = layout_.long_digits + i * layout_.long_digit_bytes;
    return b_.convert(b_.load(Type::kU32, object, at), Type::kI64);
  }

  /// if (tag < 2 digits) one digit; else if (tag < 3 digits) two; else three.
  void unbox_int(const Inst& inst) {
    const ValueId object = inst.args[0];
    const BlockId small = b_.create_block("int.small");
    const BlockId more = b_.create_block("int.more");
    const BlockId two = b_.create_block("int.two");
    const BlockId big = b_.create_block("int.big");
    const BlockId three = b_.create_block("int.three");
    const BlockId next = b_.create_block("int", {Type::kI64, Type::kI1});

    const ValueId tag = b_.load(Type::kU64, object, layout_.long_tag);
    const ValueId mask = b_.const_int(Type::kU64, layout_.long_sign_mask);
    const ValueId sign_bits = b_.bitcast(b_.binary(Op::kAnd, tag, mask), Type::kI64);
    const ValueId sign = b_.binary(Op::kSub, b_.const_i64(1), sign_bits);  // 1, 0 or -1
    b_.cond_br(digits_below(tag, 2), {small, {}}, {more, {}});

    b_.set_block(small);
    // No digit at all is 0 with sign 0: the product is right whatever the digit says.
    const ValueId one_digit = b_.binary(Op::kMul, digit(object, 0), sign);
    b_.br(next, {one_digit, b_.const_i1(true)});

    b_.set_block(more);
    b_.cond_br(digits_below(tag, 3), {two, {}}, {big, {}});

    b_.set_block(two);
    b_.br(next, {b_.binary(Op::kMul, low_digits(object), sign), b_.const_i1(true)});

    // What fits has three digits, of which the last has 3 bits, or is the lowest i64.
    b_.set_block(big);
    b_.cond_br(digits_below(tag, 4), {three, {}}, {next, {sign, b_.const_i1(false)}});

    b_.set_block(three);
    const ValueId top = digit(object, 2);
    const ValueId top_bits = b_.binary(Op::kShl, top, b_.const_i64(2 * layout_.long_digit_bits));
    const ValueId magnitude = b_.binary(Op::kOr, top_bits, low_digits(object));
    // Below 2^64, so that what does not fit has changed its sign.
    const ValueId limit = b_.const_i64(std::int64_t{1} << (64 - 2 * layout_.long_digit_bits));
    const ValueId three_digits = b_.binary(Op::kMul, magnitude, sign);
    const ValueId fits =
        b_.binary(Op::kAnd, b_.compare(Op::kLt, top, limit),
                  b_.compare(Op::kGe, b_.binary(Op::kXor, three_digits, sign), b_.const_i64(0)));
    b_.br(next, {three_digits, fits});

    b_.set_block(next);
    replacements_.set(inst.results[0], b_.block_arg(next, 0));
    replacements_.set(inst.results[1], b_.block_arg(next, 1));
  }

  ValueId low_digits(ValueId object) {
    const ValueId low = digit(object, 0);
    const ValueId high =
        b_.binary(Op::kShl, digit(object, 1), b_.const_i64(layout_.long_digit_bits));
    return b_.binary(Op::kOr, high, low);
  }

  ValueId digits_below(ValueId tag, std::int64_t n) {
    return b_.compare(Op::kLt, tag, b_.const_int(Type::kU64, n << layout_.long_size_shift));
  }

  /// The low half of the count, saturating: an immortal object's is all ones.
  void incref(const Inst& inst) {
    const ValueId object = inst.args[0];
    const BlockId store = b_.create_block("incref");
    const BlockId next = b_.create_block();
    const ValueId count = b_.load(Type::kU32, object, layout_.refcount);
    const ValueId more = b_.binary(Op::kAdd, count, b_.const_int(Type::kU32, 1));
    const ValueId immortal = b_.compare(Op::kEq, more, b_.const_int(Type::kU32, 0));
    b_.cond_br(immortal, {next, {}}, {store, {}});
    b_.set_block(store);
    b_.store(object, more, layout_.refcount);
    b_.br(next);
    b_.set_block(next);
    result(inst, b_.bitcast(object, Type::kOwned));
  }

  /// In the low half too, where CPython subtracts in both: a wide load behind the narrow store of
  /// an incref would wait until that is in the cache. splice_rt_dealloc looks at the whole count.
  void decref(const Inst& inst) {
    const ValueId object = inst.args[0];
    const BlockId mortal = b_.create_block("decref");
    const BlockId last = b_.create_block("dealloc");
    const BlockId next = b_.create_block();
    const ValueId low = b_.load(Type::kI32, object, layout_.refcount);
    b_.cond_br(b_.compare(Op::kLt, low, b_.const_i32(0)), {next, {}}, {mortal, {}});
    b_.set_block(mortal);
    const ValueId less = b_.binary(Op::kSub, low, b_.const_i32(1));
    b_.store(object, less, layout_.refcount);
    b_.cond_br(b_.compare(Op::kEq, less, b_.const_i32(0)), {last, {}}, {next, {}});
    b_.set_block(last);
    b_.call_runtime(runtime(dealloc_, "splice_rt_dealloc", {Type::kObj}, Type::kVoid), {object});
    b_.br(next);
    b_.set_block(next);
  }

  ir::Module& m_;
  Builder b_;
  const layout::ObjectLayout& layout_;
  Replacements replacements_;
  bool changed_ = false;
  SymbolId true_ = kNone, false_ = kNone;
  SymbolId box_int_ = kNone, box_float_ = kNone, box_complex_ = kNone;
  SymbolId dealloc_ = kNone;
};

}  // namespace

bool lower_py(ir::Module& m, std::uint32_t function, const layout::ObjectLayout& layout) {
  return Lowering(m, function, layout).run();
}

}  // namespace splice::opt
