// pyfront/lower_view.cpp: parts of arrays: slices, rows, transposes.
//
// A view is known as the array whose memory it shows and where its elements are (cpy/array_view.h).
// It becomes an object where the program could get hold of one.
#include <limits>

#include "cpy/array_view.h"
#include "pyfront/function_lowering.h"
#include "pyfront/numpy_values.h"

namespace splice::pyfront {

using ir::Op;
using ir::Type;
using mem::ElementType;
using Tag = AbsVal::Tag;

AbsVal FunctionLowering::constant_int(std::int64_t value) {
  PyObject* made = unit_.keep_new(PyLong_FromLongLong(value));
  return made != nullptr ? AbsVal::constant(made) : known_int(b_.const_i64(value));
}

void FunctionLowering::step_into(ViewParts& view, ir::ValueId index, ir::ValueId stride) {
  const ir::ValueId bytes = b_.binary(Op::kMul, index, stride);
  view.offset = view.offset == ir::kNone ? bytes : b_.binary(Op::kAdd, view.offset, bytes);
}

void FunctionLowering::keep_dimension(ViewParts& view, const AbsVal& array,
                                      const cpy::ArrayFacts& facts, int dimension) {
  view.is_dense = facts.contiguous && dimension + 1 == facts.rank;
  view.lengths.push_back(known_int(array_length(array, dimension)));
  view.strides.push_back(known_int(array_stride(array, dimension)));
}

bool FunctionLowering::slice_dimension(ViewParts& view, const AbsVal& array,
                                       const cpy::ArrayFacts& facts, int dimension,
                                       const AbsVal& slice) {
  SliceParts bounds;
  if (!slice_parts(*slice.items, bounds)) return false;
  const auto is_absent = [&](int which) { return (bounds.absent >> which & 1) != 0; };
  const ir::ValueId zero = b_.const_i64(0);
  const ir::ValueId one = b_.const_i64(1);
  const ir::ValueId length = array_length(array, dimension);
  const ir::ValueId stride = array_stride(array, dimension);
  constexpr const char* kNoStep = "a slice step of zero";
  Number step;
  if (!is_absent(2)) number((*slice.items)[2], step);
  if (step.is_const && step.const_int == 0) return leave(kNoStep);
  const bool plain = is_absent(2) || (step.is_const && step.const_int == 1);
  // As PySlice_Unpack() and PySlice_AdjustIndices() do.
  ir::ValueId by = one;
  ir::ValueId down = b_.const_i1(false);
  ir::ValueId first = zero;
  ir::ValueId last = length;
  if (!plain) {
    by = bounds.values[2];
    if (!step.is_const) guard(b_.compare(Op::kNe, by, zero), kNoStep);
    const ir::ValueId least = b_.const_i64(-std::numeric_limits<std::int64_t>::max());
    by = b_.select(b_.compare(Op::kLt, by, least), least, by);
    down = b_.compare(Op::kLt, by, zero);
    first = b_.select(down, b_.const_i64(-1), zero);
    last = b_.select(down, b_.binary(Op::kSub, length, one), length);
  }
  const auto bound = [&](int which, ir::ValueId otherwise) {
    if (is_absent(which)) return otherwise;
    ir::ValueId at = bounds.values[which];
    at = b_.select(b_.compare(Op::kLt, at, zero), b_.binary(Op::kAdd, at, length), at);
    at = b_.select(b_.compare(Op::kLt, at, first), first, at);
    return b_.select(b_.compare(Op::kGt, at, last), last, at);
  };
  ir::ValueId start = bound(0, plain ? zero : b_.select(down, last, zero));
  const ir::ValueId stop = bound(1, plain ? length : b_.select(down, first, length));
  ir::ValueId count;
  if (plain) {
    const ir::ValueId difference = b_.binary(Op::kSub, stop, start);
    const ir::ValueId is_empty = b_.compare(Op::kLe, difference, zero);
    count = b_.select(is_empty, zero, difference);
    if (!is_absent(0)) start = b_.select(is_empty, zero, start);
  } else {
    const ir::ValueId distance =
        b_.select(down, b_.binary(Op::kSub, start, stop), b_.binary(Op::kSub, stop, start));
    const ir::ValueId size = b_.select(down, b_.binary(Op::kSub, zero, by), by);
    const ir::ValueId is_empty = b_.compare(Op::kLe, distance, zero);
    count = b_.binary(Op::kAdd, b_.binary(Op::kDiv, b_.binary(Op::kSub, distance, one), size), one);
    count = b_.select(is_empty, zero, count);
    // What is empty begins at the start, by steps of one.
    start = b_.select(is_empty, zero, start);
    by = b_.select(is_empty, one, by);
  }
  if (!is_absent(0) || !plain) step_into(view, start, stride);
  view.lengths.push_back(known_int(count));
  view.strides.push_back(known_int(plain ? stride : b_.binary(Op::kMul, stride, by)));
  view.is_dense = plain && facts.contiguous && dimension + 1 == facts.rank;
  return true;
}

bool FunctionLowering::view_at(const AbsVal& array, const cpy::ArrayFacts& facts,
                               const std::vector<AbsVal>& parts, AbsVal& out) {
  int indexed = 0;
  int filled = 0;
  int inserted = 0;
  for (const AbsVal& part : parts) {
    if (part.is_const(Py_Ellipsis))
      ++filled;
    else if (part.is_const(Py_None))
      ++inserted;
    else if (part.tag == Tag::kSlice || is_array_index(part))
      ++indexed;
    else
      return leave("an array index that is " + with_article(part));
  }
  if (indexed > facts.rank || filled > 1) return leave("an index of too many dimensions");
  if (facts.rank + inserted > cpy::kMaxRank)
    return leave("an array of more dimensions than native code knows");
  ViewParts view;
  int dimension = 0;
  const auto keep = [&](int count) {
    for (int i = 0; i < count; ++i) keep_dimension(view, array, facts, dimension++);
  };
  for (const AbsVal& part : parts) {
    if (part.is_const(Py_Ellipsis)) {
      keep(facts.rank - indexed);
    } else if (part.is_const(Py_None)) {
      view.lengths.push_back(known_int(b_.const_i64(1)));
      view.strides.push_back(known_int(b_.const_i64(0)));
      view.is_dense = true;
    } else if (part.tag == Tag::kSlice) {
      if (!slice_dimension(view, array, facts, dimension++, part)) return false;
    } else {
      const ir::ValueId index = array_index(array, dimension, part);
      step_into(view, index, array_stride(array, dimension++));
    }
  }
  keep(facts.rank - dimension);
  out = new_view(array, facts, view);
  return true;
}

AbsVal FunctionLowering::new_view(const AbsVal& array, const cpy::ArrayFacts& facts,
                                  const ViewParts& view) {
  const bool of_view = array.tag == Tag::kView;
  ir::ValueId offset = view.offset == ir::kNone ? b_.const_i64(0) : view.offset;
  if (of_view) offset = b_.binary(Op::kAdd, offset, view_part(array, cpy::kViewOffset));
  std::vector<AbsVal> parts{of_view ? (*array.items)[cpy::kViewBase] : array,
                            constant_int(static_cast<std::int64_t>(facts.element)),
                            known_int(offset), known_int(array_flags(array)),
                            AbsVal::constant(view.is_dense ? Py_True : Py_False)};
  parts.insert(parts.end(), view.lengths.begin(), view.lengths.end());
  parts.insert(parts.end(), view.strides.begin(), view.strides.end());
  return AbsVal::aggregate(Tag::kView, std::move(parts));
}

bool FunctionLowering::assign_part(const AbsVal& array, const std::vector<AbsVal>& parts,
                                   const AbsVal& value, std::size_t popped, int next) {
  // First: the value may be a view that the array is too, and becomes an object here.
  if (is_array(value)) object_for(value);
  const AbsVal target = as_it_is_now(array);
  const auto facts = array_facts(target);
  AbsVal view;
  return facts && view_at(target, *facts, parts, view) && assign_view(view, value, popped, next);
}

bool FunctionLowering::assign_view(const AbsVal& view, const AbsVal& value, std::size_t popped,
                                   int next) {
  const ElementType element = guessed_facts(view)->element;
  guard_writeable(view);
  ir::ValueId assigned;
  if (is_array(value)) {
    const auto theirs = array_facts(value);
    if (!theirs) return false;
    // A conversion may call the program's error handler.
    if (theirs->element != element)
      return leave("storing an array of " + std::string(mem::name_of(theirs->element)) +
                   " in one of " + mem::name_of(element));
    const ir::ValueId source = object_for(value);
    const ir::ValueId target = object_for(view);
    barrier(next);
    const ir::SymbolId copy =
        unit_.runtime("splice_rt_array_copy_into", {Type::kObj, Type::kObj}, Type::kI32,
                      reinterpret_cast<void*>(&splice_rt_array_copy_into));
    assigned = b_.call_runtime(copy, {target, source});
  } else {
    object_for(view);
    barrier(next);
    if (!fill_array(as_it_is_now(view), value, element)) return false;
    state_.stack.resize(state_.stack.size() - popped);
    release_unreferenced(true);
    stay_if_current(next);
    return true;
  }
  guard_done(b_.compare(Op::kEq, assigned, b_.const_i32(0)), "an assignment that NumPy refuses");
  state_.stack.resize(state_.stack.size() - popped);
  release_unreferenced(true);
  stay_if_current(next);
  return true;
}

}  // namespace splice::pyfront
