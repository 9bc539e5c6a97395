// pyfront/numpy_values.cpp
#include "pyfront/numpy_values.h"

#include "cpy/array_view.h"
#include "layout/numpy_layout.h"

namespace splice::pyfront {

using ir::Op;
using ir::Type;
using mem::ElementType;

namespace {

constexpr std::int64_t kPart = sizeof(float);  ///< of a complex64

ir::ValueId has_dtype(ir::Builder& b, ir::ValueId array, ElementType element) {
  const ir::ValueId dtype = b.load(Type::kPtr, b.header(array), layout::kArrayDtype);
  const ir::ValueId head =
      b.binary(Op::kAnd, b.load(Type::kU64, dtype, layout::kDtypeHead),
               b.const_int(Type::kU64, static_cast<std::int64_t>(layout::kDtypeHeadMask)));
  return b.compare(Op::kEq, head,
                   b.const_int(Type::kU64, static_cast<std::int64_t>(cpy::dtype_head(element))));
}

}  // namespace

ir::ValueId numpy_bool(Unit& unit, ir::Builder& b, ir::ValueId value) {
  const auto symbol = [&](bool which) {
    const unsigned char byte = which;
    PyObject* object = cpy::make_scalar(cpy::scalar_type(ElementType::kBool), &byte);
    unit.keep(object);
    Py_DECREF(object);
    return b.symbol(unit.object_symbol(object));
  };
  const ir::ValueId yes = symbol(true);
  return b.select(value, yes, symbol(false));
}

ir::ValueId box_scalar(Unit& unit, ir::Builder& b, const AbsVal& v) {
  if (v.element == ElementType::kBool) return b.py_incref(numpy_bool(unit, b, v.value));
  const ir::ValueId type =
      b.symbol(unit.object_symbol(reinterpret_cast<PyObject*>(cpy::scalar_type(v.element))));
  if (mem::is_complex(v.element)) {
    const ir::SymbolId box =
        unit.runtime("splice_rt_box_complex_scalar", {Type::kObj, Type::kF64, Type::kF64},
                     Type::kOwned, reinterpret_cast<void*>(&splice_rt_box_complex_scalar));
    return b.call_runtime(box, {type, b.real(v.value), b.imag(v.value)});
  }
  ir::ValueId bits = v.value;
  if (v.element == ElementType::kF64) {
    bits = b.bitcast(bits, Type::kU64);
  } else {
    if (v.element == ElementType::kF32) bits = b.bitcast(bits, Type::kU32);
    if (b.type_of(bits) == Type::kI64)
      bits = b.bitcast(bits, Type::kU64);
    else if (b.type_of(bits) != Type::kU64)
      bits = b.convert(bits, Type::kU64);
  }
  const ir::SymbolId box =
      unit.runtime("splice_rt_box_scalar", {Type::kObj, Type::kU64}, Type::kOwned,
                   reinterpret_cast<void*>(&splice_rt_box_scalar));
  return b.call_runtime(box, {type, bits});
}

ir::ValueId box_view(Unit& unit, ir::Builder& b, const AbsVal& v, ir::ValueId base) {
  constexpr std::int64_t kSize = sizeof(std::int64_t);
  const std::vector<AbsVal>& parts = *v.items;
  const auto n = static_cast<std::int64_t>(parts.size());
  const ir::ValueId numbers = b.slot(kSize * n);
  for (std::int64_t i = cpy::kViewElement; i < n; ++i) {
    const AbsVal& part = parts[static_cast<std::size_t>(i)];
    const ir::ValueId value =
        part.tag == AbsVal::Tag::kConst ? b.const_i64(PyLong_AsLongLong(part.object)) : part.value;
    b.store(numbers, value, kSize * i);
  }
  const ir::SymbolId make =
      unit.runtime("splice_rt_make_array_view", {Type::kOwned, Type::kPtr, Type::kI64},
                   Type::kOwned, reinterpret_cast<void*>(&splice_rt_make_array_view));
  return b.call_runtime(make, {base, numbers, b.const_i64(n)});
}

LoadedElement load_element(ir::Builder& b, ir::ValueId address, ElementType element,
                           std::int64_t offset) {
  if (element != ElementType::kC64) return {b.load(element_type(element), address, offset)};
  const ir::ValueId real = b.load(Type::kF32, address, offset);
  const ir::ValueId imag = b.load(Type::kF32, address, offset + kPart);
  const ir::ValueId numbers =
      b.binary(Op::kAnd, b.compare(Op::kEq, real, real), b.compare(Op::kEq, imag, imag));
  return {b.make_complex(b.convert(real, Type::kF64), b.convert(imag, Type::kF64)), numbers};
}

void store_element(ir::Builder& b, ir::ValueId address, ir::ValueId value, ElementType element,
                   std::int64_t offset) {
  if (element != ElementType::kC64) {
    b.store(address, value, offset);
    return;
  }
  b.store(address, b.convert(b.real(value), Type::kF32), offset);
  b.store(address, b.convert(b.imag(value), Type::kF32), offset + kPart);
}

LoadedElement unbox_scalar(ir::Builder& b, ir::ValueId object, ElementType element) {
  return load_element(b, object, element, layout::kScalarValue);
}

ir::ValueId is_array_like(ir::Builder& b, ir::ValueId array, const cpy::ArrayFacts& facts) {
  const ir::ValueId header = b.header(array);
  const std::int32_t flags =
      layout::kArrayIsAligned | (facts.contiguous ? layout::kArrayIsContiguous : 0);
  const ir::ValueId wanted = b.const_i32(flags);
  const ir::ValueId has_flags = b.compare(
      Op::kEq, b.binary(Op::kAnd, b.load(Type::kI32, header, layout::kArrayFlags), wanted), wanted);
  const ir::ValueId same_rank =
      b.compare(Op::kEq, b.load(Type::kI32, header, layout::kArrayRank), b.const_i32(facts.rank));
  return b.binary(Op::kAnd, has_dtype(b, array, facts.element),
                  b.binary(Op::kAnd, same_rank, has_flags));
}

}  // namespace splice::pyfront
