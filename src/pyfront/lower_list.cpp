// pyfront/lower_list.cpp: exact lists and tuples as the C structs that they are.
//
// Items are read in place, so that a list shared with other code is always seen as it is. What an
// item is gets guessed by an object of the kind expected (AbsVal::hint) and checked at each read.
#include <algorithm>
#include <cstddef>
#include <cstring>

#include "cpy/array_view.h"
#include "cpy/runtime_list.h"
#include "cpy/runtime_sequence.h"
#include "cpy/typed_list.h"
#include "pyfront/function_lowering.h"
#include "pyfront/numpy_values.h"

namespace splice::pyfront {

using ir::Op;
using ir::Type;
using Tag = AbsVal::Tag;

namespace {

constexpr const char* kIndexError = "an index out of range";
constexpr std::int64_t kSizeAt = offsetof(PyVarObject, ob_size);
constexpr std::int64_t kListItemsAt = offsetof(PyListObject, ob_item);
constexpr std::int64_t kListAllocatedAt = offsetof(PyListObject, allocated);
constexpr std::int64_t kByteArrayStartAt = offsetof(PyByteArrayObject, ob_start);
constexpr std::int64_t kTupleItemsAt = offsetof(PyTupleObject, ob_item);
constexpr std::int64_t kPointer = sizeof(void*);

/// The item that stands for all items of a sample; null when they differ or there are none.
PyObject* typical_item(PyObject* sample) {
  if (sample == nullptr) return nullptr;
  PyObject** items;
  Py_ssize_t n;
  if (PyList_CheckExact(sample)) {
    items = reinterpret_cast<PyListObject*>(sample)->ob_item;
    n = PyList_GET_SIZE(sample);
  } else if (PyTuple_CheckExact(sample)) {
    items = &PyTuple_GET_ITEM(sample, 0);
    n = PyTuple_GET_SIZE(sample);
  } else {
    return nullptr;
  }
  if (n == 0) return nullptr;
  for (const Py_ssize_t i : {Py_ssize_t{1}, n / 2, n - 1})
    if (i < n && Py_TYPE(items[i]) != Py_TYPE(items[0])) return nullptr;
  return items[0];
}

bool is_plain_number(PyObject* o) {
  return o != nullptr && (PyLong_CheckExact(o) || PyFloat_CheckExact(o));
}

}  // namespace

ir::ValueId FunctionLowering::sequence_size(const AbsVal& container) {
  if (is_array(container)) return array_length(container, 0);
  if (is_flat(container)) return flat_length(container);
  return b_.load(Type::kI64, object_value(container), kSizeAt);
}

ir::ValueId FunctionLowering::item_pointer(const AbsVal& container, ir::ValueId index) {
  const ir::ValueId object = object_value(container);
  if (is_typed_list(container))
    return b_.addr(b_.load(Type::kPtr, object, kListItemsAt), index,
                   static_cast<std::int64_t>(cpy::item_size(container.type)));
  const bool list = container.is_exact(&PyList_Type);
  const ir::ValueId items =
      list ? b_.load(Type::kPtr, object, kListItemsAt) : b_.bitcast(object, Type::kPtr);
  return b_.addr(items, index, kPointer, list ? 0 : kTupleItemsAt);
}

PyObject* FunctionLowering::sample_of(const AbsVal& v) {
  return v.tag == Tag::kObject ? v.hint : make_sample(v);
}

PyObject* FunctionLowering::hint_at(const AbsVal& container, std::int64_t index) {
  PyObject* sample = sample_of(container);
  if (sample == nullptr || index < 0) return typical_item(sample);
  if (PyTuple_CheckExact(sample) && index < PyTuple_GET_SIZE(sample))
    return PyTuple_GET_ITEM(sample, index);
  if (PyList_CheckExact(sample) && index < PyList_GET_SIZE(sample) && !unit_.is_own_sample(sample))
    return PyList_GET_ITEM(sample, index);
  return typical_item(sample);
}

FunctionLowering::Mixed FunctionLowering::mixed_items(const AbsVal& container) {
  PyObject* sample = container.is_exact(&PyList_Type) ? container.hint : nullptr;
  if (sample == nullptr || !PyList_CheckExact(sample)) return {};
  Mixed found;
  const Py_ssize_t n = PyList_GET_SIZE(sample);
  for (const Py_ssize_t i : {Py_ssize_t{0}, Py_ssize_t{1}, n / 2, n - 1}) {
    if (i < 0 || i >= n) continue;
    PyObject* item = PyList_GET_ITEM(sample, i);
    if (!is_plain_number(item)) return {};
    (PyFloat_CheckExact(item) ? found.fraction : found.whole) = item;
  }
  return found.whole != nullptr && found.fraction != nullptr ? found : Mixed{};
}

bool FunctionLowering::give_either(ir::ValueId object, const Mixed& like, std::size_t popped,
                                   int next) {
  const ir::BlockId fraction = b_.create_block();
  const ir::BlockId whole = b_.create_block();
  const ir::SymbolId type = unit_.object_symbol(reinterpret_cast<PyObject*>(&PyFloat_Type));
  b_.cond_br(b_.py_type_is(object, type), {fraction, {}}, {whole, {}});
  for (PyObject* hint : {like.fraction, like.whole}) {
    in_branch(hint == like.fraction ? fraction : whole, [&] {
      give(unpack_object(object, hint), popped);
      release_unreferenced(false);
      add_edge(next, b_.current_block(), std::move(state_));
    });
  }
  return false;
}

AbsVal FunctionLowering::item_at(const AbsVal& container, ir::ValueId index, PyObject* hint) {
  const PyTypeObject* type = exact_type(container);
  if (is_typed_list(container)) return typed_item_at(container, index);
  if (is_array(container)) return array_item(container, *guessed_facts(container), index);
  if (is_flat(container)) return flat_item(container, *guessed_flat(container), index);
  const ir::ValueId object = object_value(container);
  const auto byte = [&](ir::ValueId base, std::int64_t first) {
    const ir::ValueId at = b_.addr(b_.elements(base), index, 1, first);
    return known_int(b_.convert(b_.load(Type::kU8, at), Type::kI64));
  };
  if (type == &PyBytes_Type)
    return byte(b_.bitcast(object, Type::kPtr), offsetof(PyBytesObject, ob_sval));
  if (type == &PyByteArray_Type) return byte(b_.load(Type::kPtr, object, kByteArrayStartAt), 0);
  if (type == &PyUnicode_Type) {
    const ir::SymbolId item =
        unit_.runtime("splice_rt_str_item", {Type::kObj, Type::kI64}, Type::kOwned,
                      reinterpret_cast<void*>(&splice_rt_str_item));
    const ir::ValueId made = b_.call_runtime(item, {object, index});
    check_made(made);
    adopt(made);
    return AbsVal::object_of(made, &PyUnicode_Type, sample_of(container));
  }
  return unpack_object(b_.load(Type::kObj, item_pointer(container, index)), hint);
}

AbsVal FunctionLowering::unpack_object(ir::ValueId object, PyObject* hint, const char* other_type) {
  AbsVal v = AbsVal::object_of(object, nullptr, hint);
  if (hint == nullptr) {
    state_.frail.push_back(object);
    return v;
  }
  if (hint == Py_None) {
    guard(b_.compare(Op::kEq, object, b_.symbol(unit_.object_symbol(Py_None))), other_type);
    return py_none();
  }
  PyTypeObject* type = Py_TYPE(hint);
  const Tag tag = number_tag(AbsVal::constant(hint));
  const auto element = cpy::scalar_element(hint);
  const bool known = tag != Tag::kNull || element || is_sequence(type) || cpy::is_array(hint) ||
                     cpy::flat_facts(hint);
  if (!known) {
    state_.frail.push_back(object);
    if (!can_be_called(hint)) v.hint = nullptr;
    return v;
  }
  guard(b_.py_type_is(object, unit_.object_symbol(reinterpret_cast<PyObject*>(type))), other_type);
  v.type = type;
  if (element) {
    v = AbsVal::scalar(*element, exact(unbox_scalar(b_, object, *element)), object);
    if (v.has_origin()) state_.frail.push_back(object);
    return v;
  }
  switch (tag) {
    case Tag::kInt: {
      const ir::Builder::Checked n = b_.py_unbox_int(object);
      guard(n.flag, "an int beyond 64 bits");
      v = AbsVal::number(Tag::kInt, n.value, object);
      break;
    }
    case Tag::kFloat:
      v = AbsVal::number(Tag::kFloat, b_.py_unbox_float(object), object);
      break;
    case Tag::kComplex:
      v = AbsVal::number(Tag::kComplex, b_.py_unbox_complex(object), object);
      break;
    case Tag::kBool:
      return known_bool(b_.py_unbox_bool(object));
    default:
      break;
  }
  state_.frail.push_back(object);
  return v;
}

ir::ValueId FunctionLowering::checked_index(const AbsVal& container, const AbsVal& index) {
  Number n;
  if (!number(as_python_int(index), n) || n.tag == Tag::kFloat || n.tag == Tag::kComplex) {
    make_real(container);  // the index may be a slice, which makes another list of the same items
    return ir::kNone;
  }
  return index_within(sequence_size(container), n);
}

ir::ValueId FunctionLowering::index_within(ir::ValueId size, const Number& n) {
  ir::ValueId i = as_int(n);
  if (!n.is_const) {
    const ir::ValueId negative = b_.compare(Op::kLt, i, b_.const_i64(0));
    i = b_.select(negative, b_.binary(Op::kAdd, i, size), i);
  } else if (n.const_int < 0) {
    i = b_.binary(Op::kAdd, i, size);
  }
  guard(b_.compare(Op::kLt, b_.bitcast(i, Type::kU64), b_.bitcast(size, Type::kU64)), kIndexError);
  return i;
}

bool FunctionLowering::load_item(const AbsVal& container, const AbsVal& index, AbsVal& out) {
  if (is_array(container)) return load_element(container, index, out);
  if (is_flat(container)) return load_flat(container, index, out);
  if (index.tag == Tag::kSlice) return get_slice(container, *index.items, out);
  Number n;
  if (container.tag == Tag::kRange) return range_item(container, index, out);
  if (container.tag == Tag::kTuple ||
      (container.tag == Tag::kConst && PyTuple_CheckExact(container.object))) {
    const auto size = static_cast<std::int64_t>(container.tag == Tag::kTuple
                                                    ? container.items->size()
                                                    : PyTuple_GET_SIZE(container.object));
    if (number(index, n) && n.is_const) {
      const std::int64_t i = n.const_int < 0 ? n.const_int + size : n.const_int;
      if (i < 0 || i >= size) return leave("a tuple index out of range");
      out = container.tag == Tag::kTuple ? (*container.items)[static_cast<std::size_t>(i)]
                                         : AbsVal::constant(PyTuple_GET_ITEM(container.object, i));
      return true;
    }
  }
  if (!has_size(container) || (!can_be_object(container) && !is_typed_list(container)))
    return leave("an item of " + with_article(container));
  AbsVal sequence = as_object(container);
  if (container.tag == Tag::kTuple)
    sequence = AbsVal::object_of(object_for(container), &PyTuple_Type, make_sample(container));
  const ir::ValueId i = checked_index(sequence, index);
  if (i == ir::kNone) return leave("an index that is " + with_article(index));
  const bool known = number(index, n) && n.is_const && n.const_int >= 0;
  out = item_at(sequence, i, hint_at(sequence, known ? n.const_int : -1));
  return true;
}

bool FunctionLowering::store_item(int at) {
  const std::size_t size = state_.stack.size();
  const AbsVal value = state_.stack[size - 3];
  const AbsVal container = state_.stack[size - 2];
  const AbsVal index = state_.stack[size - 1];
  if (is_array(container)) return store_element(container, index, value, at + 1);
  if (is_flat(container)) return store_flat(container, index, value);
  note_stored(value);
  if (is_typed_list(container)) return store_typed(container, index, value, at + 1);
  if (container.is_exact(&PyByteArray_Type)) return store_byte(container, index, value);
  if (!container.is_exact(&PyList_Type))
    return leave("an item assignment to " + with_article(container));
  if (index.tag == Tag::kSlice) return set_slice(container, *index.items, value, 3, at + 1);
  if (!can_be_object(value)) return leave("storing " + with_article(value));
  const ir::ValueId i = checked_index(container, index);
  if (i == ir::kNone) return leave("an index that is " + with_article(index));
  const ir::ValueId place = item_pointer(container, i);
  const ir::ValueId old = b_.load(Type::kObj, place);
  guard_droppable(old, hint_at(container, -1));
  note_item(container.hint, value);
  const ir::ValueId object = new_reference(value, 3);
  barrier(at + 1);
  b_.store(place, object);
  b_.py_decref(b_.bitcast(old, Type::kOwned));
  release_unreferenced(true);
  return true;
}

bool FunctionLowering::store_byte(const AbsVal& container, const AbsVal& index,
                                  const AbsVal& value) {
  Number n;
  if (!number(value, n) || (n.tag != Tag::kInt && n.tag != Tag::kBool) || index.has_items())
    return leave("storing " + with_article(value) + " in a bytearray");
  const ir::ValueId i = checked_index(container, index);
  if (i == ir::kNone) return leave("an index that is " + with_article(index));
  const ir::ValueId byte = as_int(n);
  guard(b_.compare(Op::kLt, b_.bitcast(byte, Type::kU64), b_.const_int(Type::kU64, 256)),
        "a byte that is not in range(0, 256)");
  const ir::ValueId start = b_.load(Type::kPtr, object_value(container), kByteArrayStartAt);
  b_.store(b_.addr(b_.elements(start), i, 1), b_.convert(byte, Type::kU8));
  state_.stack.resize(state_.stack.size() - 3);
  release_unreferenced(true);
  return true;
}

void FunctionLowering::guard_droppable(ir::ValueId object, PyObject* hint, const char* other_type) {
  if (is_plain_number(hint)) {
    guard(b_.py_type_is(object, unit_.object_symbol(reinterpret_cast<PyObject*>(Py_TYPE(hint)))),
          other_type);
    return;
  }
  const ir::SymbolId may_drop = unit_.runtime("splice_rt_may_drop", {Type::kObj}, Type::kI32,
                                              reinterpret_cast<void*>(&splice_rt_may_drop));
  guard(b_.compare(Op::kNe, b_.call_runtime(may_drop, {object}), b_.const_i32(0)),
        "the death of an object");
}

ir::ValueId FunctionLowering::held_reference(const AbsVal& v, std::size_t popped) {
  const ir::ValueId object = object_for(v, Exits::kForgetIt);
  state_.stack.resize(state_.stack.size() - popped);
  if (state_.owns(object) && !state_.refers_to(object)) return object;
  const ir::ValueId reference = b_.py_incref(object);
  state_.owned.push_back(reference);
  return reference;
}

void FunctionLowering::give_away(ir::ValueId reference) {
  state_.owned.erase(std::find(state_.owned.begin(), state_.owned.end(), reference));
}

ir::ValueId FunctionLowering::new_reference(const AbsVal& v, std::size_t popped) {
  const ir::ValueId reference = held_reference(v, popped);
  give_away(reference);
  return reference;
}

PyObject* FunctionLowering::make_sample(const AbsVal& v) {
  PyObject* made = nullptr;
  switch (v.tag) {
    case Tag::kConst:
      return v.object;
    case Tag::kInt:
      made = PyLong_FromLong(0);
      break;
    case Tag::kFloat:
      made = PyFloat_FromDouble(0.0);
      break;
    case Tag::kBool:
      return Py_False;
    case Tag::kComplex:
      made = PyComplex_FromDoubles(0.0, 0.0);
      break;
    case Tag::kScalar: {
      constexpr unsigned char kZero[16] = {};
      made = cpy::make_scalar(cpy::scalar_type(v.element), kZero);
      break;
    }
    case Tag::kObject:
      return v.hint;
    case Tag::kTuple: {
      made = PyTuple_New(static_cast<Py_ssize_t>(v.items->size()));
      for (std::size_t i = 0; made != nullptr && i < v.items->size(); ++i) {
        PyObject* item = make_sample((*v.items)[i]);
        // An instance of object is a sample of nothing known.
        if (item == nullptr) item = reinterpret_cast<PyObject*>(&PyBaseObject_Type);
        PyTuple_SET_ITEM(made, static_cast<Py_ssize_t>(i), Py_NewRef(item));
      }
      break;
    }
    case Tag::kView: {
      // As an array it may not be contiguous as a whole.
      cpy::ArrayFacts facts = *guessed_facts(v);
      facts.contiguous = facts.contiguous && facts.rank <= 1;
      made = cpy::new_array_like(facts);
      break;
    }
    default:
      return nullptr;
  }
  if (made == nullptr) {
    PyErr_Clear();
    return nullptr;
  }
  const bool kept = unit_.keep_sample(made);
  Py_DECREF(made);
  return kept ? made : nullptr;
}

void FunctionLowering::note_item(PyObject* sample, const AbsVal& item) {
  if (sample == nullptr || !unit_.is_own_sample(sample) || PyList_GET_SIZE(sample) >= 4) return;
  PyObject* like = make_sample(item);
  if (is_plain_number(like)) {
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(sample); ++i)
      if (Py_TYPE(PyList_GET_ITEM(sample, i)) == Py_TYPE(like)) return;
  }
  if (like != nullptr && PyList_Append(sample, like) < 0) PyErr_Clear();
}

bool FunctionLowering::build_list(const PyInst& inst) {
  const auto n = static_cast<std::size_t>(inst.arg);
  const std::vector<AbsVal> items(state_.stack.end() - static_cast<std::ptrdiff_t>(n),
                                  state_.stack.end());
  if (PyTypeObject* type = typed_list_of(items)) return build_typed(type, items);
  for (const AbsVal& item : items)
    if (!can_be_object(item)) return leave("a list with " + with_article(item));
  PyObject* sample = unit_.make_list_sample();
  if (sample == nullptr) return leave("no memory");
  if (will_be_mixed()) {
    note_item(sample, known_int(ir::kNone));
    note_item(sample, known_float(ir::kNone));
  }
  const ir::ValueId array = b_.slot(kPointer * static_cast<std::int64_t>(n == 0 ? 1 : n));
  // References first, popping one by one, so that a box made here is given away at once.
  std::vector<ir::ValueId> references(n);
  for (std::size_t i = n; i-- > 0;) references[i] = held_reference(items[i], 1);
  for (std::size_t i = 0; i < n; ++i) {
    b_.store(array, references[i], kPointer * static_cast<std::int64_t>(i));
    note_item(sample, items[i]);
  }
  const ir::SymbolId make =
      unit_.runtime("splice_rt_make_list", {Type::kPtr, Type::kI64}, Type::kOwned,
                    reinterpret_cast<void*>(&splice_rt_make_list));
  const ir::ValueId list =
      b_.call_runtime(make, {array, b_.const_i64(static_cast<std::int64_t>(n))});
  give_new(list, &PyList_Type, sample);
  for (const ir::ValueId reference : references) give_away(reference);
  // The list has some operands: no exit any more. What dies now are parts of its tuples, which
  // hold them too.
  release_unreferenced(true);
  return true;
}

bool FunctionLowering::give_new(ir::ValueId object, PyTypeObject* type, PyObject* sample) {
  check_made(object);
  adopt(object);
  state_.stack.push_back(AbsVal::object_of(object, type, sample));
  return true;
}

bool FunctionLowering::append_to(const AbsVal& list, const AbsVal& item, std::size_t popped,
                                 int next) {
  note_stored(item);
  if (is_typed_list(list)) return append_typed(list, item, popped);
  if (!can_be_object(item)) return leave("appending " + with_article(item));
  note_item(list.hint, item);
  const ir::ValueId object = held_reference(item, popped);
  barrier(next);
  const ir::ValueId target = object_value(list);
  const ir::ValueId size = b_.load(Type::kI64, target, kSizeAt);
  const ir::ValueId room = b_.load(Type::kI64, target, kListAllocatedAt);
  const ir::BlockId fits = b_.create_block();
  const ir::BlockId grow = b_.create_block();
  const ir::BlockId done = b_.create_block();
  b_.cond_br(b_.compare(Op::kLt, size, room), {fits, {}}, {grow, {}});
  b_.set_block(fits);
  const ir::ValueId items = b_.load(Type::kPtr, target, kListItemsAt);
  b_.store(b_.addr(items, size, kPointer), object);
  b_.store(target, b_.binary(Op::kAdd, size, b_.const_i64(1)), kSizeAt);
  b_.br(done);
  b_.set_block(grow);
  const ir::SymbolId append =
      unit_.runtime("splice_rt_list_append", {Type::kObj, Type::kOwned}, Type::kI32,
                    reinterpret_cast<void*>(&splice_rt_list_append));
  const ir::ValueId failed = b_.call_runtime(append, {target, object});
  guard_done(b_.compare(Op::kEq, failed, b_.const_i32(0)), "no memory");
  b_.br(done);
  b_.set_block(done);
  give_away(object);
  return true;
}

bool FunctionLowering::list_append(const PyInst& inst, int at) {
  const std::size_t size = state_.stack.size();
  const AbsVal item = state_.stack[size - 1];
  const AbsVal list = state_.stack[size - 1 - static_cast<std::size_t>(inst.arg)];
  if (!list.is_exact(&PyList_Type) && !is_typed_list(list))
    return leave("appending to " + with_article(list));
  if (!append_to(list, item, 1, at + 1)) return false;
  release_unreferenced(true);
  return true;
}

bool FunctionLowering::list_extend(const PyInst& inst) {
  const std::size_t size = state_.stack.size();
  const AbsVal items = state_.stack[size - 1];
  const AbsVal list = state_.stack[size - 1 - static_cast<std::size_t>(inst.arg)];
  if (items.tag == Tag::kConst && PyTuple_CheckExact(items.object)) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(items.object); ++i)
      note_stored(AbsVal::constant(PyTuple_GET_ITEM(items.object, i)));
  }
  if (is_typed_list(list)) return extend_typed(list, items);
  const PyTypeObject* type = exact_type(items);
  if (!list.is_exact(&PyList_Type) || (type != &PyTuple_Type && type != &PyList_Type) ||
      !can_be_object(items))
    return leave("extending a list by " + with_article(items));
  if (!extend_list(list, items)) return false;
  state_.stack.pop_back();
  release_unreferenced(true);
  return true;
}

int FunctionLowering::call_list_method(const char* name, const std::vector<AbsVal>& args,
                                       PyObject* keywords, std::size_t popped, int at,
                                       AbsVal& out) {
  const AbsVal& list = args[0];
  const auto is = [&](const char* text) { return std::strcmp(name, text) == 0; };
  if (keywords != nullptr) {
    const bool reverse =
        PyTuple_GET_SIZE(keywords) == 1 && args.size() == 2 &&
        PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(keywords, 0), "reverse") == 0;
    if (!is("sort") || !reverse || is_typed_list(list)) return -1;
    out = py_none();
    return sort_list(list, args[1], at + 1);
  }
  if (is("insert") && args.size() == 3) note_stored(args[2]);
  if (is_typed_list(list) && !is("append")) return call_typed_method(name, args, at + 1, out);
  if (is("append") && args.size() == 2) {
    if (!append_to(list, args[1], popped, at + 1)) return 0;
    state_.stack.resize(state_.stack.size() + popped);  // give() pops them
    out = py_none();
    return 1;
  }
  if (is("pop") && args.size() <= 2) {
    PyObject* zero = PyLong_FromLong(-1);
    unit_.keep(zero);
    Py_DECREF(zero);
    const AbsVal last = AbsVal::constant(zero);
    const ir::ValueId i = checked_index(list, args.size() == 2 ? args[1] : last);
    if (i == ir::kNone) return -1;
    const ir::ValueId object = b_.load(Type::kObj, item_pointer(list, i));
    out = unpack_object(object, hint_at(list, -1));
    state_.frail.erase(std::remove(state_.frail.begin(), state_.frail.end(), object),
                       state_.frail.end());
    barrier(at + 1);
    const ir::SymbolId pop =
        unit_.runtime("splice_rt_list_pop", {Type::kObj, Type::kI64}, Type::kOwned,
                      reinterpret_cast<void*>(&splice_rt_list_pop));
    const ir::ValueId taken = b_.call_runtime(pop, {object_value(list), i});
    adopt(taken);
    if (out.tag == Tag::kObject) out.value = taken;
    if (out.has_origin()) out.origin = taken;
    return 1;
  }
  return change_list(name, args, at + 1, out);
}

}  // namespace splice::pyfront
