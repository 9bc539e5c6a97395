// pyfront/lower_array.cpp: exact ndarrays, read and written element by element.
//
// Data, shape and strides are read where they are needed: whoever changes them in place is seen.
// What an array is (type of its elements, rank, order) is guessed by a sample and guarded, once in
// each block.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>

#include "cpy/array_view.h"
#include "cpy/numpy_api.h"
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

std::int64_t size_of(const cpy::ArrayFacts& facts) {
  return static_cast<std::int64_t>(mem::size_of(facts.element));
}

const AbsVal& base_of(const AbsVal& array) {
  return array.tag == Tag::kView ? (*array.items)[cpy::kViewBase] : array;
}

}  // namespace

bool FunctionLowering::is_array(const AbsVal& v) const {
  return v.tag == Tag::kConst
             ? cpy::is_array(v.object)
             : v.tag == Tag::kView ||
                   (v.tag == Tag::kObject && v.type != nullptr && v.type == cpy::array_type());
}

std::optional<cpy::ArrayFacts> FunctionLowering::guessed_facts(const AbsVal& array) {
  if (array.tag == Tag::kView) {
    const std::vector<AbsVal>& parts = *array.items;
    cpy::ArrayFacts facts;
    facts.element = static_cast<ElementType>(PyLong_AsLong(parts[cpy::kViewElement].object));
    facts.rank = static_cast<std::uint8_t>(cpy::view_rank(parts.size()));
    facts.contiguous = parts[cpy::kViewIsDense].object == Py_True;
    return facts;
  }
  PyObject* sample = sample_of(array);
  return sample != nullptr ? cpy::array_facts(sample) : std::nullopt;
}

std::optional<cpy::ArrayFacts> FunctionLowering::array_facts(const AbsVal& array) {
  const auto facts = guessed_facts(array);
  if (!facts) {
    leave("an array of a kind that native code does not know");
    return std::nullopt;
  }
  if (array.tag == Tag::kView) return facts;
  guard_once(array, kAnotherArray,
             [&](ir::ValueId object) { return is_array_like(b_, object, *facts); });
  return facts;
}

void FunctionLowering::look_at_arrays(int header) {
  const auto& insts = bytecode_.insts;
  std::size_t end = insts.size();
  while (insts[end - 1].target != header) --end;
  const auto is_used = [&](std::size_t local) {
    return std::any_of(insts.begin() + header, insts.begin() + static_cast<std::ptrdiff_t>(end),
                       [&](const PyInst& inst) {
                         return (inst.op == PyOp::kLoadFast || inst.op == PyOp::kLoadFastCheck) &&
                                inst.arg == static_cast<int>(local);
                       });
  };
  std::vector<AbsVal> arrays;
  const auto add = [&](const AbsVal& v) {
    if (v.tag == Tag::kObject && !v.may_be_unbound() && is_array(v)) arrays.push_back(v);
  };
  for (std::size_t i = 0; i < state_.locals.size(); ++i)
    if (is_used(i)) add(state_.locals[i]);
  for (AbsVal v : state_.stack) for_each_part(v, add);
  if (arrays.empty()) return;
  pre_ = state_;
  inst_ = &insts[static_cast<std::size_t>(header)];
  exit_sites_.clear();
  b_.set_loc({line_of(*inst_), inst_->offset});
  for (const AbsVal& array : arrays) {
    if (!guessed_facts(array)) continue;
    const auto facts = array_facts(array);
    b_.load(Type::kPtr, b_.header(object_value(array)), layout::kArrayData);
    for (int i = 0; i < facts->rank; ++i) {
      array_length(array, i);
      array_stride(array, i);
    }
  }
}

void FunctionLowering::guard_once(const AbsVal& v, const char* reason,
                                  const std::function<ir::ValueId(ir::ValueId)>& is_like) {
  const ir::ValueId object = object_value(v);
  if (std::find(like_facts_.begin(), like_facts_.end(), object) != like_facts_.end()) return;
  guard(is_like(object), reason);
  if (v.tag == Tag::kObject) like_facts_.push_back(object);
}

ir::ValueId FunctionLowering::view_part(const AbsVal& view, std::size_t part) {
  Number n;
  number((*view.items)[part], n);
  return n.value;
}

ir::ValueId FunctionLowering::array_length(const AbsVal& array, int dimension) {
  if (array.tag == Tag::kView)
    return view_part(array, cpy::kViewLengths + static_cast<std::size_t>(dimension));
  return b_.load(Type::kI64,
                 b_.load(Type::kPtr, b_.header(object_value(array)), layout::kArrayShape),
                 kExtent * dimension);
}

ir::ValueId FunctionLowering::array_stride(const AbsVal& array, int dimension) {
  if (array.tag == Tag::kView)
    return view_part(array,
                     cpy::view_strides(array.items->size()) + static_cast<std::size_t>(dimension));
  return b_.load(Type::kI64,
                 b_.load(Type::kPtr, b_.header(object_value(array)), layout::kArrayStrides),
                 kExtent * dimension);
}

ir::ValueId FunctionLowering::array_flags(const AbsVal& array) {
  if (array.tag == Tag::kView) return view_part(array, cpy::kViewFlags);
  return b_.convert(b_.load(Type::kI32, b_.header(object_value(array)), layout::kArrayFlags),
                    Type::kI64);
}

void FunctionLowering::guard_writeable(const AbsVal& array) {
  const std::int64_t plain = layout::kArrayIsWriteable;
  const ir::ValueId found =
      b_.binary(Op::kAnd, array_flags(array),
                b_.const_i64(plain | static_cast<std::int64_t>(layout::kArrayWarnsOnWrite)));
  guard(b_.compare(Op::kEq, found, b_.const_i64(plain)), "an array that is read-only");
}

ir::ValueId FunctionLowering::element_at(const AbsVal& array, const cpy::ArrayFacts& facts,
                                         const std::vector<ir::ValueId>& indices) {
  const ir::ValueId header = b_.header(object_value(base_of(array)));
  ir::ValueId at = b_.elements(b_.load(Type::kPtr, header, layout::kArrayData));
  if (array.tag == Tag::kView) at = b_.addr(at, view_part(array, cpy::kViewOffset), 1);
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (facts.contiguous && i + 1 == facts.rank) {
      at = b_.addr(at, indices[i], size_of(facts));
      continue;
    }
    const ir::ValueId stride = array_stride(array, static_cast<int>(i));
    at = b_.addr(at, b_.binary(Op::kMul, indices[i], stride), 1);
  }
  return at;
}

std::vector<AbsVal> FunctionLowering::index_parts(const AbsVal& index) {
  if (index.tag == Tag::kTuple) return *index.items;
  std::vector<AbsVal> parts{index};
  if (index.tag == Tag::kConst && PyTuple_CheckExact(index.object)) {
    parts.clear();
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(index.object); ++i)
      parts.push_back(AbsVal::constant(PyTuple_GET_ITEM(index.object, i)));
  }
  return parts;
}

bool FunctionLowering::is_array_index(const AbsVal& part) {
  Scalar s;
  // True and False select, they do not count.
  return number_tag(part) == Tag::kInt || (scalar(part, s) && mem::is_integer(s.element));
}

ir::ValueId FunctionLowering::array_index(const AbsVal& array, int dimension, const AbsVal& part) {
  Number n;
  number(as_python_int(part), n);
  return index_within(array_length(array, dimension), n);
}

ir::ValueId FunctionLowering::element_address(const AbsVal& array, const cpy::ArrayFacts& facts,
                                              const std::vector<AbsVal>& parts) {
  const bool counts = std::all_of(parts.begin(), parts.end(),
                                  [&](const AbsVal& part) { return is_array_index(part); });
  if (!counts || parts.size() != facts.rank) return ir::kNone;
  std::vector<ir::ValueId> indices;
  for (std::size_t i = 0; i < parts.size(); ++i)
    indices.push_back(array_index(array, static_cast<int>(i), parts[i]));
  return element_at(array, facts, indices);
}

AbsVal FunctionLowering::load_scalar(ir::ValueId address, ElementType element) {
  return AbsVal::scalar(element, exact(pyfront::load_element(b_, address, element)));
}

bool FunctionLowering::load_element(const AbsVal& array, const AbsVal& index, AbsVal& out) {
  const auto facts = array_facts(array);
  if (!facts) return false;
  const std::vector<AbsVal> parts = index_parts(index);
  const ir::ValueId address = element_address(array, *facts, parts);
  if (address == ir::kNone) return view_at(array, *facts, parts, out);
  out = load_scalar(address, facts->element);
  return true;
}

AbsVal FunctionLowering::array_item(const AbsVal& array, const cpy::ArrayFacts& facts,
                                    ir::ValueId index) {
  if (facts.rank == 1) return load_scalar(element_at(array, facts, {index}), facts.element);
  ViewParts view;
  step_into(view, index, array_stride(array, 0));
  for (int i = 1; i < facts.rank; ++i) keep_dimension(view, array, facts, i);
  return new_view(array, facts, view);
}

ir::ValueId FunctionLowering::stored_element(const AbsVal& value, ElementType element) {
  Scalar s;
  Number n;
  const bool is_scalar = scalar(value, s);
  if (!is_scalar && !number(value, n)) return ir::kNone;
  if (is_scalar && s.element == element) return s.value;
  // Narrowing may overflow or lose all bits, of which NumPy may warn.
  const auto narrowed = [&](ir::ValueId wide) {
    const ir::ValueId narrow = b_.convert(wide, Type::kF32);
    guard_quiet('f', wide, wide, narrow);
    return narrow;
  };
  const bool is_complex = is_scalar ? mem::is_complex(s.element) : n.tag == Tag::kComplex;
  if (is_complex) {
    const ir::ValueId given = is_scalar ? s.value : n.value;
    if (element == ElementType::kC128) return given;
    if (element != ElementType::kC64) return ir::kNone;
    const auto part = [&](ir::ValueId wide) { return b_.convert(narrowed(wide), Type::kF64); };
    const ir::ValueId real = part(b_.real(given));
    return b_.make_complex(real, part(b_.imag(given)));
  }
  if (element == ElementType::kBool) return truth(value);
  const bool is_real = is_scalar ? mem::is_float(s.element) : n.tag == Tag::kFloat;
  if (is_real && (element == ElementType::kF32 || element == ElementType::kC64)) {
    const ir::ValueId given = is_scalar ? s.value : n.value;
    const bool wide = !is_scalar || s.element == ElementType::kF64;
    if (!wide) guard_bits_kept(given, element);
    return cast_element(wide ? narrowed(given) : given, ElementType::kF32, element);
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
  if (!is_scalar) return operand_as(value, element);
  const ir::ValueId stored = cast_element(s.value, s.element, element);
  if (mem::is_integer(s.element) && mem::is_integer(element) &&
      mem::promote(s.element, element) != element) {
    // What does not fit wraps around or raises, by types and versions of NumPy.
    const ir::ValueId back = cast_element(stored, element, s.element);
    ir::ValueId fits = b_.compare(Op::kEq, back, s.value);
    if (mem::is_signed(s.element) != mem::is_signed(element)) {
      const bool from_signed = mem::is_signed(s.element);
      const ir::ValueId sign = from_signed ? s.value : stored;
      fits =
          b_.binary(Op::kAnd, fits, b_.compare(Op::kGe, sign, b_.const_int(b_.type_of(sign), 0)));
    }
    guard(fits, kDoesNotFit);
  } else if (s.element == ElementType::kF32 && element != ElementType::kF32) {
    // A signalling NaN is told of where it becomes wider.
    guard_quiet('w', s.value, s.value, s.value);
  }
  return stored;
}

bool FunctionLowering::store_element(const AbsVal& array, const AbsVal& index, const AbsVal& value,
                                     int next) {
  const auto facts = array_facts(array);
  if (!facts) return false;
  const std::vector<AbsVal> parts = index_parts(index);
  const ir::ValueId address = element_address(array, *facts, parts);
  if (address == ir::kNone) {
    return assign_part(array, parts, value, 3, next);
  }
  guard_writeable(array);
  const ir::ValueId element = stored_element(value, facts->element);
  if (element == ir::kNone)
    return leave("storing " + with_article(value) + " in an array of " +
                 mem::name_of(facts->element));
  pyfront::store_element(b_, address, element, facts->element);
  state_.stack.resize(state_.stack.size() - 3);
  release_unreferenced(true);
  return true;
}

int FunctionLowering::array_attribute(const AbsVal& array, const std::string& name, AbsVal& out) {
  constexpr const char* kKnown[] = {"shape",    "strides", "ndim", "size",
                                    "itemsize", "nbytes",  "T",    "dtype"};
  if (std::find(std::begin(kKnown), std::end(kKnown), name) == std::end(kKnown)) return -1;
  const auto facts = array_facts(array);
  if (!facts) return 0;
  if (name == "ndim" || name == "itemsize") {
    out = constant_int(name == "ndim" ? facts->rank : size_of(*facts));
  } else if (name == "size" || name == "nbytes") {
    ir::ValueId count = b_.const_i64(name == "size" ? 1 : size_of(*facts));
    for (int i = 0; i < facts->rank; ++i)
      count = b_.binary(Op::kMul, count, array_length(array, i));
    out = known_int(count);
  } else if (name == "T") {
    ViewParts view;
    for (int i = facts->rank; i-- > 0;) keep_dimension(view, array, *facts, i);
    out = new_view(array, *facts, view);
  } else if (name == "dtype") {
    const ir::ValueId base = object_value(base_of(array));
    // Nearly all arrays share NumPy's own.
    PyObject* usual = unit_.keep_new(cpy::new_dtype(facts->element));
    if (usual == nullptr) return -1;
    const ir::ValueId dtype = b_.load(Type::kObj, b_.header(base), layout::kArrayDtype);
    guard(b_.compare(Op::kEq, dtype, b_.symbol(unit_.object_symbol(usual))), kAnotherArray);
    out = AbsVal::constant(usual);
  } else {
    std::vector<AbsVal> extents;
    for (int i = 0; i < facts->rank; ++i)
      extents.push_back(
          known_int(name == "shape" ? array_length(array, i) : array_stride(array, i)));
    out = extents.empty() ? AbsVal::constant(unit_.keep_new(PyTuple_New(0)))
                          : AbsVal::aggregate(Tag::kTuple, std::move(extents));
  }
  return 1;
}

}  // namespace splice::pyfront
