// pyfront/lower_array.cpp: exact ndarrays, read and written element by element.
//
// Data, shape and strides are read where they are needed: whoever changes them in place is seen.
// What an array is (type of its elements, rank, order) is guessed by a sample and guarded, once in
// each block.
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "layout/numpy_layout.h"
#include "pyfront/function_lowering.h"
#include "pyfront/numpy_values.h"

namespace splice::pyfront {

using ir::Op;
using ir::Type;
using mem::ElementType;
using Tag = AbsVal::Tag;

namespace {

constexpr const char* kAnotherArray = "an array of another type, rank or order";
constexpr const char* kDoesNotFit = "a value that does not fit an element";
constexpr std::int64_t kExtent = sizeof(std::int64_t);  ///< bytes of a dimension or stride

}  // namespace

bool FunctionLowering::is_array(const AbsVal& v) const {
  return v.tag == Tag::kConst
             ? cpy::is_array(v.object)
             : v.tag == Tag::kObject && v.type != nullptr && v.type == cpy::array_type();
}

std::optional<cpy::ArrayFacts> FunctionLowering::guessed_facts(const AbsVal& array) {
  PyObject* sample = sample_of(array);
  return sample != nullptr ? cpy::array_facts(sample) : std::nullopt;
}

std::optional<cpy::ArrayFacts> FunctionLowering::array_facts(const AbsVal& array) {
  const auto facts = guessed_facts(array);
  if (!facts) {
    leave("an array of a kind that native code does not know");
    return std::nullopt;
  }
  const ir::ValueId object = object_value(array);
  const bool known = array.tag == Tag::kObject &&
                     std::find(like_facts_.begin(), like_facts_.end(), object) != like_facts_.end();
  if (!known) {
    guard(is_array_like(b_, object, *facts), kAnotherArray);
    if (array.tag == Tag::kObject) like_facts_.push_back(object);
  }
  return facts;
}

ir::ValueId FunctionLowering::array_length(const AbsVal& array, int dimension) {
  return b_.load(Type::kI64,
                 b_.load(Type::kPtr, b_.header(object_value(array)), layout::kArrayShape),
                 kExtent * dimension);
}

ir::ValueId FunctionLowering::element_at(const AbsVal& array, const cpy::ArrayFacts& facts,
                                         const std::vector<ir::ValueId>& indices) {
  const ir::ValueId header = b_.header(object_value(array));
  ir::ValueId at = b_.elements(b_.load(Type::kPtr, header, layout::kArrayData));
  const auto size = static_cast<std::int64_t>(mem::size_of(facts.element));
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (facts.contiguous && i + 1 == facts.rank) {
      at = b_.addr(at, indices[i], size);
      continue;
    }
    const ir::ValueId stride =
        b_.load(Type::kI64, b_.load(Type::kPtr, header, layout::kArrayStrides),
                kExtent * static_cast<std::int64_t>(i));
    at = b_.addr(at, b_.binary(Op::kMul, indices[i], stride), 1);
  }
  return at;
}

ir::ValueId FunctionLowering::element_address(const AbsVal& array, const cpy::ArrayFacts& facts,
                                              const AbsVal& index) {
  std::vector<AbsVal> parts{index};
  if (index.tag == Tag::kTuple) parts = *index.items;
  if (index.tag == Tag::kConst && PyTuple_CheckExact(index.object)) {
    parts.clear();
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(index.object); ++i)
      parts.push_back(AbsVal::constant(PyTuple_GET_ITEM(index.object, i)));
  }
  if (parts.size() != facts.rank) {
    leave("an index that leaves dimensions over");
    return ir::kNone;
  }
  std::vector<ir::ValueId> indices;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Number n;
    // True and False select, they do not count.
    if (!number(as_python_int(parts[i]), n) || n.tag != Tag::kInt) {
      leave("an array index that is " + with_article(parts[i]));
      return ir::kNone;
    }
    indices.push_back(index_within(array_length(array, static_cast<int>(i)), n));
  }
  return element_at(array, facts, indices);
}

AbsVal FunctionLowering::load_scalar(ir::ValueId address, ElementType element) {
  return AbsVal::scalar(element, b_.load(element_type(element), address));
}

bool FunctionLowering::load_element(const AbsVal& array, const AbsVal& index, AbsVal& out) {
  const auto facts = array_facts(array);
  if (!facts) return false;
  Number n;
  if (facts->rank > 1 && number(as_python_int(index), n) && n.tag == Tag::kInt) {
    const ir::ValueId i = index_within(array_length(array, 0), n);
    out = array_item(array, *facts, i);
    return true;
  }
  const ir::ValueId address = element_address(array, *facts, index);
  if (address == ir::kNone) return false;
  out = load_scalar(address, facts->element);
  return true;
}

AbsVal FunctionLowering::array_item(const AbsVal& array, const cpy::ArrayFacts& facts,
                                    ir::ValueId index) {
  if (facts.rank == 1) return load_scalar(element_at(array, facts, {index}), facts.element);
  PyObject* sample = sample_of(array);
  PyObject* like = PySequence_Size(sample) > 0 ? PySequence_GetItem(sample, 0) : nullptr;
  PyErr_Clear();
  if (like != nullptr) {
    const bool kept = unit_.keep_sample(like);
    Py_DECREF(like);
    if (!kept) like = nullptr;
  }
  const ir::SymbolId row =
      unit_.runtime("splice_rt_array_row", {Type::kObj, Type::kI64}, Type::kOwned,
                    reinterpret_cast<void*>(&splice_rt_array_row));
  const ir::ValueId made = b_.call_runtime(row, {object_value(array), index});
  check_made(made);
  adopt(made);
  return AbsVal::object_of(made, cpy::array_type(), like);
}

ir::ValueId FunctionLowering::stored_element(const AbsVal& value, ElementType element) {
  Scalar s;
  Number n;
  const bool is_scalar = scalar(value, s);
  if (!is_scalar && !number(value, n)) return ir::kNone;
  const bool is_complex = is_scalar ? s.element == ElementType::kC128 : n.tag == Tag::kComplex;
  if (is_complex)
    return element == ElementType::kC128 ? (is_scalar ? s.value : n.value) : ir::kNone;
  if (is_scalar && s.element == element) return s.value;
  if (element == ElementType::kBool) return truth(value);
  const bool is_real = is_scalar ? mem::is_float(s.element) : n.tag == Tag::kFloat;
  if (element == ElementType::kF32 && is_real) {
    // Narrowing may overflow or lose all bits, of which NumPy may warn.
    const ir::ValueId wide = is_scalar ? s.value : n.value;
    const ir::ValueId narrow = b_.convert(wide, Type::kF32);
    guard_quiet('f', wide, wide, narrow);
    return narrow;
  }
  if (mem::is_integer(element) && is_real) {
    const ir::ValueId wide =
        is_scalar ? cast_element(s.value, s.element, ElementType::kF64) : n.value;
    if (element == ElementType::kU64) return ir::kNone;
    const int bits = static_cast<int>(8 * mem::size_of(element)) - mem::is_signed(element);
    const double end = std::ldexp(1.0, bits);
    const double start = mem::is_signed(element) ? -end : 0.0;
    guard(b_.binary(Op::kAnd, b_.compare(Op::kGe, wide, b_.const_f64(start)),
                    b_.compare(Op::kLt, wide, b_.const_f64(end))),
          kDoesNotFit);
    return b_.convert(b_.convert(wide, Type::kI64), element_type(element));
  }
  // Scalars wrap around, Python numbers must fit.
  return is_scalar ? cast_element(s.value, s.element, element) : operand_as(value, element);
}

bool FunctionLowering::store_element(const AbsVal& array, const AbsVal& index,
                                     const AbsVal& value) {
  const auto facts = array_facts(array);
  if (!facts) return false;
  const ir::ValueId address = element_address(array, *facts, index);
  if (address == ir::kNone) return false;
  const ir::ValueId writeable =
      b_.binary(Op::kAnd, b_.load(Type::kI32, b_.header(object_value(array)), layout::kArrayFlags),
                b_.const_i32(layout::kArrayIsWriteable));
  guard(b_.compare(Op::kNe, writeable, b_.const_i32(0)), "an array that is read-only");
  const ir::ValueId element = stored_element(value, facts->element);
  if (element == ir::kNone)
    return leave("storing " + with_article(value) + " in an array of " +
                 mem::name_of(facts->element));
  b_.store(address, element);
  state_.stack.resize(state_.stack.size() - 3);
  release_unreferenced(true);
  return true;
}

int FunctionLowering::array_attribute(const AbsVal& array, const std::string& name, AbsVal& out) {
  if (name != "shape" && name != "ndim" && name != "size") return -1;
  const auto facts = array_facts(array);
  if (!facts) return 0;
  if (name == "ndim") {
    PyObject* rank = PyLong_FromLong(facts->rank);
    unit_.keep(rank);
    Py_DECREF(rank);
    out = AbsVal::constant(rank);
    return 1;
  }
  std::vector<AbsVal> dimensions;
  ir::ValueId size = b_.const_i64(1);
  for (int i = 0; i < facts->rank; ++i) {
    const ir::ValueId length = array_length(array, i);
    dimensions.push_back(known_int(length));
    size = b_.binary(Op::kMul, size, length);
  }
  if (name == "size") {
    out = known_int(size);
  } else if (dimensions.empty()) {
    out = AbsVal::constant(unit_.keep_new(PyTuple_New(0)));
  } else {
    out = AbsVal::aggregate(Tag::kTuple, std::move(dimensions));
  }
  return 1;
}

}  // namespace splice::pyfront
