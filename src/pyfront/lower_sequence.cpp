// pyfront/lower_sequence.cpp: lists, tuples, strings and bytes as a whole: slices, unpacking,
// concatenation, comparison, membership. What runtime functions of cpy do is done by CPython's own
// C code, on operands that call nothing of the program.
#include "cpy/runtime_list.h"
#include "cpy/runtime_sequence.h"
#include "pyfront/function_lowering.h"

namespace splice::pyfront {

using ir::Op;
using ir::Type;
using Tag = AbsVal::Tag;

namespace {

constexpr const char* kPlainOnly = "an operation on objects that the interpreter must do";

AbsVal slice_of(std::vector<AbsVal> bounds) {
  bounds.resize(3, AbsVal::constant(Py_None));
  return AbsVal::aggregate(Tag::kSlice, std::move(bounds));
}

bool is_list_or_tuple(const PyTypeObject* type) {
  return type == &PyList_Type || type == &PyTuple_Type;
}

}  // namespace

bool FunctionLowering::slice_parts(const std::vector<AbsVal>& bounds, SliceParts& out) {
  for (std::size_t i = 0; i < 3; ++i) {
    const AbsVal bound = i < bounds.size() ? as_python_int(bounds[i]) : py_none();
    Number n;
    if (bound.is_const(Py_None)) {
      out.absent |= std::int64_t{1} << i;
      out.values[i] = b_.const_i64(0);
    } else if (number(bound, n) && n.tag != Tag::kFloat && n.tag != Tag::kComplex) {
      out.values[i] = as_int(n);
    } else {
      return leave("a slice by " + with_article(bound));
    }
  }
  return true;
}

bool FunctionLowering::get_slice(const AbsVal& container, const std::vector<AbsVal>& bounds,
                                 AbsVal& out) {
  if (is_array(container)) {
    const auto facts = array_facts(container);
    return facts && view_at(container, *facts, {slice_of(bounds)}, out);
  }
  PyTypeObject* type = exact_type(container);
  const bool typed = is_typed_list(container);
  if (!typed && (!is_sequence(type) || !can_be_object(container)))
    return leave("a slice of " + with_article(container));
  SliceParts parts;
  if (!slice_parts(bounds, parts)) return false;
  if (typed) {
    out = slice_typed(container, parts);
    return true;
  }
  PyObject* hint = sample_of(container);
  const ir::ValueId object = object_for(container);
  const ir::SymbolId slice = unit_.runtime(
      "splice_rt_get_slice", {Type::kObj, Type::kI64, Type::kI64, Type::kI64, Type::kI64},
      Type::kOwned, reinterpret_cast<void*>(&splice_rt_get_slice));
  const ir::ValueId made = b_.call_runtime(slice, {object, parts.values[0], parts.values[1],
                                                   parts.values[2], b_.const_i64(parts.absent)});
  check_made(made, kPlainOnly);
  adopt(made);
  out = AbsVal::object_of(made, type, hint);
  return true;
}

bool FunctionLowering::set_slice(const AbsVal& container, const std::vector<AbsVal>& bounds,
                                 const AbsVal& value, std::size_t popped, int next) {
  if (is_array(container)) return assign_part(container, {slice_of(bounds)}, value, popped, next);
  PyTypeObject* type = exact_type(value);
  if (!container.is_exact(&PyList_Type) || !is_list_or_tuple(type) || !can_be_object(value))
    return leave("an assignment of " + with_article(value) + " to a slice of " +
                 with_article(container));
  SliceParts parts;
  if (!slice_parts(bounds, parts)) return false;
  const ir::ValueId items = object_for(value);
  barrier(next);
  const ir::SymbolId store =
      unit_.runtime("splice_rt_set_slice",
                    {Type::kObj, Type::kI64, Type::kI64, Type::kI64, Type::kI64, Type::kObj},
                    Type::kI32, reinterpret_cast<void*>(&splice_rt_set_slice));
  succeed(b_.call_runtime(store, {object_value(container), parts.values[0], parts.values[1],
                                  parts.values[2], b_.const_i64(parts.absent), items}));
  state_.stack.resize(state_.stack.size() - popped);
  release_unreferenced(true);
  return true;
}

bool FunctionLowering::delete_item(int next) {
  const AbsVal container = state_.stack[state_.stack.size() - 2];
  const AbsVal index = state_.stack.back();
  const bool typed = is_typed_list(container);
  if (container.is_exact(&PyList_Type) && index.tag == Tag::kSlice) {
    PyObject* nothing = unit_.keep_new(PyTuple_New(0));
    if (nothing == nullptr) return leave("no memory");
    return set_slice(container, *index.items, AbsVal::constant(nothing), 2, next);
  }
  if ((!container.is_exact(&PyList_Type) && !typed) || index.has_items())
    return leave("`del` of an item of " + with_article(container));
  const ir::ValueId i = checked_index(container, index);
  if (i == ir::kNone) return leave("an index that is " + with_article(index));
  if (typed) {
    barrier(next);
    remove_typed(container, i);
    state_.stack.resize(state_.stack.size() - 2);
    release_unreferenced(true);
    return true;
  }
  barrier(next);
  const ir::SymbolId drop =
      unit_.runtime("splice_rt_delete_item", {Type::kObj, Type::kI64}, Type::kI32,
                    reinterpret_cast<void*>(&splice_rt_delete_item));
  succeed(b_.call_runtime(drop, {object_value(container), i}));
  state_.stack.resize(state_.stack.size() - 2);
  release_unreferenced(true);
  return true;
}

void FunctionLowering::succeed(ir::ValueId failed) {
  guard_done(b_.compare(Op::kEq, failed, b_.const_i32(0)), kPlainOnly);
}

AbsVal FunctionLowering::as_object(const AbsVal& v) {
  if (v.tag != Tag::kConst) return v;
  return AbsVal::object_of(object_value(v), Py_TYPE(v.object), v.object);
}

bool FunctionLowering::unpack_elements(const AbsVal& v, std::size_t n, std::vector<AbsVal>& out) {
  std::optional<cpy::ArrayFacts> array;
  std::optional<cpy::FlatFacts> flat;
  ir::ValueId length;
  if (is_array(v)) {
    array = array_facts(v);
    if (!array) return false;
    if (array->rank == 0) return leave("unpacking an array of no dimension");
    length = array_length(v, 0);
  } else {
    flat = flat_facts(v);
    if (!flat) return false;
    length = flat_length(v);
  }
  guard(b_.compare(Op::kEq, length, b_.const_i64(static_cast<std::int64_t>(n))),
        "unpacking the wrong number of values");
  for (std::size_t i = 0; i < n; ++i) {
    const ir::ValueId place = b_.const_i64(static_cast<std::int64_t>(i));
    out.push_back(array ? array_item(v, *array, place) : flat_item(v, *flat, place));
  }
  return true;
}

bool FunctionLowering::unpack_parts(const AbsVal& v, std::size_t before, std::size_t after,
                                    bool starred, std::vector<AbsVal>& out) {
  const std::size_t least = before + after;
  if (v.tag == Tag::kTuple) {
    const std::size_t n = v.items->size();
    if (n < least || (!starred && n != least)) return leave("unpacking the wrong number of values");
    if (!starred) {
      out = *v.items;
      return true;
    }
    if (!can_be_object(v)) return leave("unpacking " + with_article(v));
    PyObject* sample = make_sample(v);
    return unpack_parts(AbsVal::object_of(object_for(v), &PyTuple_Type, sample), before, after,
                        starred, out);
  }
  if (!starred && (is_array(v) || is_flat(v))) return unpack_elements(v, before, out);
  const bool text = exact_type(v) == &PyUnicode_Type && !starred;
  if (!is_list_or_tuple(exact_type(v)) && !text) return leave("unpacking " + with_article(v));
  if (v.tag == Tag::kConst && !starred && !text) {
    if (static_cast<std::size_t>(PyTuple_GET_SIZE(v.object)) != least)
      return leave("unpacking the wrong number of values");
    for (std::size_t i = 0; i < least; ++i)
      out.push_back(AbsVal::constant(PyTuple_GET_ITEM(v.object, static_cast<Py_ssize_t>(i))));
    return true;
  }
  const AbsVal sequence = as_object(v);
  const ir::ValueId size = sequence_size(sequence);
  const ir::ValueId wanted = b_.const_i64(static_cast<std::int64_t>(least));
  guard(b_.compare(starred ? Op::kGe : Op::kEq, size, wanted),
        "unpacking the wrong number of values");
  const auto item = [&](ir::ValueId i, std::int64_t from_front) {
    if (text) return item_at(sequence, i, nullptr);
    return unpack_object(b_.load(Type::kObj, item_pointer(sequence, i)),
                         hint_at(sequence, from_front));
  };
  for (std::size_t i = 0; i < before; ++i) {
    const auto place = static_cast<std::int64_t>(i);
    out.push_back(item(b_.const_i64(place), place));
  }
  if (starred) {
    AbsVal rest;
    if (!take_list(object_value(sequence), b_.const_i64(static_cast<std::int64_t>(before)),
                   b_.binary(Op::kSub, size, wanted), rest))
      return false;
    if (PyObject* like = hint_at(sequence, -1)) note_item(rest.hint, AbsVal::constant(like));
    out.push_back(std::move(rest));
  }
  for (std::size_t i = after; i > 0; --i) {
    const ir::ValueId place = b_.binary(Op::kSub, size, b_.const_i64(static_cast<std::int64_t>(i)));
    out.push_back(item(place, starred ? -1 : static_cast<std::int64_t>(least - i)));
  }
  return true;
}

bool FunctionLowering::take_list(ir::ValueId sequence, ir::ValueId start, ir::ValueId n,
                                 AbsVal& out) {
  const ir::SymbolId take =
      unit_.runtime("splice_rt_take_list", {Type::kObj, Type::kI64, Type::kI64}, Type::kOwned,
                    reinterpret_cast<void*>(&splice_rt_take_list));
  const ir::ValueId made = b_.call_runtime(take, {sequence, start, n});
  check_made(made);
  adopt(made);
  out = AbsVal::object_of(made, &PyList_Type, unit_.make_list_sample());
  return true;
}

bool FunctionLowering::unpack(std::size_t before, std::size_t after, bool starred) {
  std::vector<AbsVal> items;
  const AbsVal v = state_.stack.back();
  if (!unpack_parts(v, before, after, starred, items)) return false;
  state_.stack.pop_back();
  state_.stack.insert(state_.stack.end(), items.rbegin(), items.rend());
  return true;
}

PyObject* FunctionLowering::sample_of_both(const AbsVal& a, const AbsVal& b) {
  PyObject* first = sample_of(a);
  PyObject* second = sample_of(b);
  if (first == nullptr || second == nullptr) return first != nullptr ? first : second;
  if (!PyList_CheckExact(first) || !PyList_CheckExact(second)) return first;
  PyObject* both = unit_.make_list_sample();
  for (PyObject* list : {first, second}) {
    const Py_ssize_t n = PyList_GET_SIZE(list);
    for (const Py_ssize_t i : {Py_ssize_t{0}, n / 2, n - 1})
      if (i >= 0 && i < n) note_item(both, AbsVal::constant(PyList_GET_ITEM(list, i)));
  }
  return both;
}

bool FunctionLowering::concat(const AbsVal& a, const AbsVal& b, AbsVal& out) {
  PyTypeObject* type = exact_type(a);
  PyObject* hint = sample_of_both(a, b);
  const ir::ValueId left = object_for(a);
  const ir::ValueId right = object_for(b);
  const ir::SymbolId add = unit_.runtime("splice_rt_concat", {Type::kObj, Type::kObj}, Type::kOwned,
                                         reinterpret_cast<void*>(&splice_rt_concat));
  const ir::ValueId made = b_.call_runtime(add, {left, right});
  check_made(made, kPlainOnly);
  adopt(made);
  out = AbsVal::object_of(made, type, hint);
  return true;
}

bool FunctionLowering::can_concat(const AbsVal& a, const AbsVal& b) {
  PyTypeObject* type = exact_type(a);
  return type != nullptr && type == exact_type(b) && can_be_object(a) && can_be_object(b) &&
         (is_list_or_tuple(type) || type == &PyUnicode_Type || type == &PyBytes_Type);
}

bool FunctionLowering::can_repeat(const AbsVal& sequence, const AbsVal& count) {
  const Tag n = number_tag(count);
  PyTypeObject* type = exact_type(sequence);
  return (n == Tag::kInt || n == Tag::kBool) && can_be_object(sequence) && is_sequence(type) &&
         type != &PyByteArray_Type;
}

bool FunctionLowering::repeat(const AbsVal& sequence, const AbsVal& count, AbsVal& out) {
  Number n;
  number(count, n);
  PyTypeObject* type = exact_type(sequence);
  PyObject* hint = type == &PyTuple_Type ? nullptr : sample_of(sequence);
  const ir::ValueId object = object_for(sequence);
  const ir::SymbolId repeat =
      unit_.runtime("splice_rt_repeat", {Type::kObj, Type::kI64}, Type::kOwned,
                    reinterpret_cast<void*>(&splice_rt_repeat));
  const ir::ValueId made = b_.call_runtime(repeat, {object, as_int(n)});
  check_made(made);
  adopt(made);
  out = AbsVal::object_of(made, type, hint);
  return true;
}

bool FunctionLowering::in_place_op(const AbsVal& a, const AbsVal& b, BinaryOperator op, int next) {
  AbsVal out;
  if (op == BinaryOperator::kAdd && is_typed_list(a)) {
    if (!extend_by_typed(a, b)) return false;
    state_.stack.pop_back();
    release_unreferenced(true);
    return true;
  }
  if (exact_type(a) != &PyList_Type) {
    if (exact_type(a) == nullptr || exact_type(a) == &PyByteArray_Type)
      return leave("an operation in place on " + with_article(a));
    return binary_op(a, b, op, out) && give(std::move(out), 2);
  }
  Number n;
  if (op == BinaryOperator::kAdd && is_list_or_tuple(exact_type(b)) && can_be_object(b)) {
    if (!extend_list(a, b)) return false;
  } else if (op == BinaryOperator::kMultiply && number(b, n) &&
             (n.tag == Tag::kInt || n.tag == Tag::kBool)) {
    barrier(next);
    const ir::SymbolId repeat =
        unit_.runtime("splice_rt_list_repeat_in_place", {Type::kObj, Type::kI64}, Type::kI32,
                      reinterpret_cast<void*>(&splice_rt_list_repeat_in_place));
    succeed(b_.call_runtime(repeat, {object_value(a), as_int(n)}));
  } else {
    return leave("an operation in place on a list with " + with_article(b));
  }
  state_.stack.pop_back();
  release_unreferenced(true);
  return true;
}

bool FunctionLowering::extend_list(const AbsVal& list, const AbsVal& items) {
  if (PyObject* like = hint_at(items, -1)) note_item(list.hint, AbsVal::constant(like));
  const ir::ValueId more = object_for(items);
  const ir::SymbolId extend =
      unit_.runtime("splice_rt_list_extend", {Type::kObj, Type::kObj}, Type::kI32,
                    reinterpret_cast<void*>(&splice_rt_list_extend));
  succeed(b_.call_runtime(extend, {object_value(list), more}));
  return true;
}

ir::ValueId FunctionLowering::plain_answer(ir::ValueId answer) {
  guard(b_.compare(Op::kGe, answer, b_.const_i32(0)), kPlainOnly);
  return b_.compare(Op::kNe, answer, b_.const_i32(0));
}

bool FunctionLowering::compare_plain(const AbsVal& a, const AbsVal& b, int op, AbsVal& out) {
  const ir::ValueId left = object_for(a);
  const ir::ValueId right = object_for(b);
  const ir::SymbolId compare =
      unit_.runtime("splice_rt_compare_plain", {Type::kObj, Type::kObj, Type::kI64}, Type::kI32,
                    reinterpret_cast<void*>(&splice_rt_compare_plain));
  const bool strings = exact_type(a) == &PyUnicode_Type && exact_type(b) == &PyUnicode_Type;
  if (!strings || (op != Py_EQ && op != Py_NE)) {
    out = known_bool(plain_answer(b_.call_runtime(compare, {left, right, b_.const_i64(op)})));
    return true;
  }
  // One object is equal to itself, and most short strings are one object.
  const ir::BlockId differ = b_.create_block();
  const ir::BlockId done = b_.create_block("", {Type::kI1});
  b_.cond_br(b_.compare(Op::kEq, b_.bitcast(left, Type::kObj), b_.bitcast(right, Type::kObj)),
             {done, {b_.const_i1(op == Py_EQ)}}, {differ, {}});
  b_.set_block(differ);
  const ir::ValueId answer =
      plain_answer(b_.call_runtime(compare, {left, right, b_.const_i64(op)}));
  b_.br(done, {answer});
  b_.set_block(done);
  out = known_bool(b_.block_arg(done, 0));
  return true;
}

bool FunctionLowering::contains_plain(const char* symbol,
                                      std::int32_t (*asked)(PyObject*, PyObject*),
                                      const AbsVal& item, const AbsVal& container, bool negate,
                                      AbsVal& out) {
  const ir::ValueId inside = object_for(container);
  const ir::ValueId wanted = object_for(item);
  const ir::SymbolId find =
      unit_.runtime(symbol, {Type::kObj, Type::kObj}, Type::kI32, reinterpret_cast<void*>(asked));
  const ir::ValueId found = plain_answer(b_.call_runtime(find, {inside, wanted}));
  out = known_bool(negate ? b_.not_(found) : found);
  return true;
}

bool FunctionLowering::may_be_plain(const AbsVal& v) {
  PyTypeObject* type = exact_type(v);
  return can_be_object(v) &&
         (type == &PyUnicode_Type || type == &PyBytes_Type || type == &PyByteArray_Type ||
          is_list_or_tuple(type) || type == &PyRange_Type || number_tag(v) != Tag::kNull ||
          v.is_const(Py_None));
}

}  // namespace splice::pyfront
