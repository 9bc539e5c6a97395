// pyfront/lower_flat.cpp: elements of memoryview and array.array.
//
// Like arrays of NumPy they are read where they are needed, and what they are is guarded once in
// each block: a memoryview may be released, an array may grow. Their items are Python numbers.

#include "pyfront/flat_values.h"
#include "pyfront/function_lowering.h"

namespace splice::pyfront {

using ir::Op;
using ir::Type;
using mem::ElementType;
using Tag = AbsVal::Tag;

namespace {

constexpr const char* kAnother = "a buffer of another type";

constexpr std::int64_t kSizeAt = offsetof(PyVarObject, ob_size);

std::int64_t in_view(std::size_t offset) { return cpy::view_field(offset); }

}  // namespace

ir::ValueId is_flat_like(ir::Builder& b, ir::ValueId object, const cpy::FlatFacts& facts) {
  const ir::ValueId header = b.header(object);
  const auto is = [&](ir::ValueId value, ir::ValueId wanted) {
    return b.compare(Op::kEq, value, wanted);
  };
  const auto code = [&](ir::ValueId text, std::int64_t at, char wanted) {
    return is(b.load(Type::kI8, text, at), b.const_int(Type::kI8, wanted));
  };
  if (!facts.is_view)
    return code(b.load(Type::kPtr, header, cpy::kItemArrayDescription), 0, facts.code);
  const auto size = static_cast<std::int64_t>(mem::size_of(facts.element));
  const ir::ValueId no_bits = b.const_i64(0);
  const ir::ValueId released = b.binary(
      Op::kAnd,
      b.binary(Op::kOr, b.load(Type::kI32, header, cpy::kViewStateFlags),
               b.load(Type::kI32, b.header(b.load(Type::kObj, header, cpy::kViewManagedBuffer)),
                      cpy::kManagedBufferFlags)),
      b.const_i32(_Py_MEMORYVIEW_RELEASED));
  const ir::ValueId is_open =
      b.binary(Op::kAnd, is(released, b.const_i32(0)),
               is(b.load(Type::kI32, header, in_view(offsetof(Py_buffer, ndim))), b.const_i32(1)));
  // Without dimensions there are no strides, and the format may go with the exporter: then the
  // object itself is read instead.
  const auto pointed = [&](std::size_t field) {
    return b.select(is_open, b.load(Type::kPtr, header, in_view(field)), header);
  };
  const ir::ValueId format = pointed(offsetof(Py_buffer, format));
  const ir::ValueId stride = b.load(Type::kI64, pointed(offsetof(Py_buffer, strides)));
  // Alignment, of what CPython itself reads byte by byte.
  ir::ValueId bits = b.bitcast(
      b.bitcast(b.load(Type::kPtr, header, in_view(offsetof(Py_buffer, buf))), Type::kU64),
      Type::kI64);
  if (!facts.contiguous) bits = b.binary(Op::kOr, bits, stride);
  ir::ValueId like = is(b.binary(Op::kAnd, bits, b.const_i64(size - 1)), no_bits);
  const auto also = [&](ir::ValueId condition) { like = b.binary(Op::kAnd, condition, like); };
  if (facts.contiguous) also(is(stride, b.const_i64(size)));
  also(is(b.load(Type::kI64, header, in_view(offsetof(Py_buffer, itemsize))), b.const_i64(size)));
  also(
      is(b.load(Type::kPtr, header, in_view(offsetof(Py_buffer, suboffsets))), b.null(Type::kPtr)));
  also(code(format, 1, 0));
  also(code(format, 0, facts.code));
  also(is_open);
  return like;
}

bool FunctionLowering::is_flat(const AbsVal& v) const {
  if (v.tag == Tag::kConst) return cpy::flat_facts(v.object).has_value();
  return v.tag == Tag::kObject && v.type != nullptr &&
         (v.type == &PyMemoryView_Type || v.type == cpy::item_array_type());
}

std::optional<cpy::FlatFacts> FunctionLowering::guessed_flat(const AbsVal& v) {
  PyObject* sample = sample_of(v);
  return sample != nullptr ? cpy::flat_facts(sample) : std::nullopt;
}

std::optional<cpy::FlatFacts> FunctionLowering::flat_facts(const AbsVal& v) {
  const auto facts = guessed_flat(v);
  if (!facts) {
    leave("a buffer of a kind that native code does not know");
    return std::nullopt;
  }
  guard_once(v, kAnother, [&](ir::ValueId object) { return is_flat_like(b_, object, *facts); });
  return facts;
}

ir::ValueId FunctionLowering::flat_length(const AbsVal& v) {
  const ir::ValueId header = b_.header(object_value(v));
  if (exact_type(v) != &PyMemoryView_Type) return b_.load(Type::kI64, header, kSizeAt);
  return b_.load(Type::kI64, b_.load(Type::kPtr, header, in_view(offsetof(Py_buffer, shape))));
}

ir::ValueId FunctionLowering::flat_place(const AbsVal& v, const cpy::FlatFacts& facts,
                                         ir::ValueId index) {
  const ir::ValueId header = b_.header(object_value(v));
  const std::int64_t data = facts.is_view ? in_view(offsetof(Py_buffer, buf)) : cpy::kItemArrayData;
  const ir::ValueId first = b_.elements(b_.load(Type::kPtr, header, data));
  if (facts.contiguous)
    return b_.addr(first, index, static_cast<std::int64_t>(mem::size_of(facts.element)));
  const ir::ValueId stride =
      b_.load(Type::kI64, b_.load(Type::kPtr, header, in_view(offsetof(Py_buffer, strides))));
  return b_.addr(first, b_.binary(Op::kMul, index, stride), 1);
}

AbsVal FunctionLowering::flat_item(const AbsVal& v, const cpy::FlatFacts& facts,
                                   ir::ValueId index) {
  const AbsVal scalar = load_scalar(flat_place(v, facts, index), facts.element);
  return facts.element == ElementType::kBool ? known_bool(scalar.value) : as_python_number(scalar);
}

ir::ValueId FunctionLowering::flat_index(const AbsVal& v, const AbsVal& index) {
  Number n;
  if (!number(as_python_int(index), n) || (n.tag != Tag::kInt && n.tag != Tag::kBool))
    return ir::kNone;
  return index_within(flat_length(v), n);
}

bool FunctionLowering::load_flat(const AbsVal& v, const AbsVal& index, AbsVal& out) {
  const auto facts = flat_facts(v);
  if (!facts) return false;
  const ir::ValueId i = flat_index(v, index);
  if (i == ir::kNone) return leave("an index that is " + with_article(index));
  out = flat_item(v, *facts, i);
  return true;
}

ir::ValueId FunctionLowering::flat_element(const AbsVal& value, const cpy::FlatFacts& facts) {
  const ElementType element = facts.element;
  if (element == ElementType::kBool) return truth(value);
  Number n;
  if (!number(value, n) || n.tag == Tag::kComplex) return ir::kNone;
  if (mem::is_float(element)) return cast_element(as_float(n), ElementType::kF64, element);
  if (n.tag == Tag::kFloat) return ir::kNone;
  // True and False are ints.
  return operand_as(known_int(as_int(n)), element);
}

bool FunctionLowering::store_flat(const AbsVal& v, const AbsVal& index, const AbsVal& value) {
  const auto facts = flat_facts(v);
  if (!facts) return false;
  const ir::ValueId i = flat_index(v, index);
  if (i == ir::kNone) return leave("an index that is " + with_article(index));
  const ir::ValueId place = flat_place(v, *facts, i);
  if (facts->is_view) {
    const ir::ValueId readonly =
        b_.load(Type::kI32, b_.header(object_value(v)), in_view(offsetof(Py_buffer, readonly)));
    guard(b_.compare(Op::kEq, readonly, b_.const_i32(0)), "a memoryview that is read-only");
  }
  const ir::ValueId element = flat_element(value, *facts);
  if (element == ir::kNone)
    return leave("storing " + with_article(value) + " in " + with_article(v));
  b_.store(place, element);
  state_.stack.resize(state_.stack.size() - 3);
  release_unreferenced(true);
  return true;
}

}  // namespace splice::pyfront
