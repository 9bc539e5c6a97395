// pyfront/lower_typed_list.cpp: lists that nobody else ever has, as arrays of numbers
// (cpy/typed_list.h). Which lists those are says leaks.h, what they hold list_kinds.h.
#include <cstddef>
#include <cstring>

#include "cpy/typed_list.h"
#include "pyfront/function_lowering.h"

namespace splice::pyfront {

using ir::Op;
using ir::Type;
using Tag = AbsVal::Tag;

namespace {

constexpr std::int64_t kSizeAt = offsetof(cpy::TypedList, ob_base.ob_size);
constexpr std::int64_t kRoomAt = offsetof(cpy::TypedList, allocated);
constexpr const char* kOtherKind = "an item of another type than its list was made for";

}  // namespace

PyTypeObject* FunctionLowering::typed_list_of(const std::vector<AbsVal>& items) {
  const int list_class = class_at(lists_.made);
  if (list_class == ListClasses::kNone) return nullptr;
  for (const AbsVal& item : items) note_in_class(list_class, item);
  const ListClasses::Nesting& nesting = lists_.nesting[static_cast<std::size_t>(list_class)];
  PyTypeObject* type = unit_.learned().lists.type_of(code_, nesting.innermost);
  for (int depth = 1; depth < nesting.depth && type != nullptr; ++depth)
    type = cpy::table_type(type);
  return type;
}

bool FunctionLowering::will_be_mixed() {
  const int list_class = class_at(lists_.made);
  return list_class != ListClasses::kNone && unit_.learned().lists.is_mixed(code_, list_class);
}

int FunctionLowering::class_at(const std::vector<int>& classes) const {
  return classes[static_cast<std::size_t>(inst_ - bytecode_.insts.data())];
}

void FunctionLowering::note_in_class(int list_class, const AbsVal& item) {
  const ListClasses::Nesting& nesting = lists_.nesting[static_cast<std::size_t>(list_class)];
  Tag tag = number_tag(item);
  if (lists_.searched && tag == Tag::kFloat) tag = Tag::kNull;
  if (nesting.depth == 1)
    unit_.learned().lists.note(code_, list_class, tag);
  else if (tag != Tag::kNull)  // besides the lists of its class: a number without identity
    unit_.learned().lists.note(code_, nesting.innermost, Tag::kNull);
}

void FunctionLowering::note_stored(const AbsVal& item) {
  const int list_class = class_at(lists_.used);
  if (list_class != ListClasses::kNone) note_in_class(list_class, item);
}

void FunctionLowering::make_real(const AbsVal& list) {
  const int list_class = class_at(lists_.used);
  if (list_class == ListClasses::kNone || !is_typed_list(list)) return;
  const ListClasses::Nesting& nesting = lists_.nesting[static_cast<std::size_t>(list_class)];
  unit_.learned().lists.note(code_, nesting.innermost, Tag::kNull);
}

AbsVal FunctionLowering::new_typed(ir::ValueId list, PyTypeObject* type) {
  check_made(list);
  adopt(list);
  typed_[static_cast<int>(inst_ - bytecode_.insts.data())] = type->tp_name;
  return AbsVal::object_of(list, type);
}

bool FunctionLowering::build_typed(PyTypeObject* type, const std::vector<AbsVal>& items) {
  const auto size = static_cast<std::int64_t>(cpy::item_size(type));
  const auto n = static_cast<std::int64_t>(items.size());
  const ir::ValueId array = b_.slot(n == 0 ? 1 : n * size);
  for (std::int64_t i = 0; i < n; ++i) {
    ir::ValueId value;
    if (!typed_value(type, items[static_cast<std::size_t>(i)], value)) return leave(kOtherKind);
    b_.store(array, value, i * size);
  }
  const ir::SymbolId make =
      unit_.runtime("splice_rt_typed_make", {Type::kObj, Type::kPtr, Type::kI64}, Type::kOwned,
                    reinterpret_cast<void*>(&splice_rt_typed_make));
  const ir::ValueId symbol = b_.symbol(unit_.object_symbol(reinterpret_cast<PyObject*>(type)));
  give(new_typed(b_.call_runtime(make, {symbol, array, b_.const_i64(n)}), type), items.size());
  release_unreferenced(true);
  return true;
}

bool FunctionLowering::typed_value(const PyTypeObject* type, const AbsVal& item,
                                   ir::ValueId& value) {
  if (const PyTypeObject* row = cpy::row_type(type)) {
    value = item.value;
    return item.is_exact(row);
  }
  Number n;
  if (!number(item, n) || n.tag != typed_item(type)) return false;
  value = n.value;
  return true;
}

AbsVal FunctionLowering::slice_typed(const AbsVal& list, const SliceParts& parts) {
  const ir::SymbolId slice = unit_.runtime(
      "splice_rt_typed_slice", {Type::kObj, Type::kI64, Type::kI64, Type::kI64, Type::kI64},
      Type::kOwned, reinterpret_cast<void*>(&splice_rt_typed_slice));
  return new_typed(b_.call_runtime(slice, {list.value, parts.values[0], parts.values[1],
                                           parts.values[2], b_.const_i64(parts.absent)}),
                   list.type);
}

AbsVal FunctionLowering::copy_typed(const AbsVal& list) {
  SliceParts whole;
  slice_parts({}, whole);
  return slice_typed(list, whole);
}

bool FunctionLowering::sorted_typed(const AbsVal& list, AbsVal& out) {
  if (cpy::row_type(list.type) != nullptr) return leave("sorting lists");
  out = copy_typed(list);
  sort_typed(out);
  return true;
}

void FunctionLowering::sort_typed(const AbsVal& list) {
  const ir::SymbolId sort = unit_.runtime("splice_rt_typed_sort", {Type::kObj}, Type::kI32,
                                          reinterpret_cast<void*>(&splice_rt_typed_sort));
  succeed(b_.call_runtime(sort, {list.value}));
}

bool FunctionLowering::extend_by_typed(const AbsVal& list, const AbsVal& items) {
  if (!items.is_exact(list.type)) return leave(kOtherKind);
  const ir::SymbolId extend =
      unit_.runtime("splice_rt_typed_extend_list", {Type::kObj, Type::kObj}, Type::kI32,
                    reinterpret_cast<void*>(&splice_rt_typed_extend_list));
  succeed(b_.call_runtime(extend, {list.value, items.value}));
  return true;
}

bool FunctionLowering::concat_typed(const AbsVal& a, const AbsVal& b, AbsVal& out) {
  if (!is_typed_list(a) || !b.is_exact(a.type)) return leave(kOtherKind);
  out = copy_typed(a);
  return extend_by_typed(out, b);
}

ir::ValueId FunctionLowering::wanted_item(const AbsVal& list, const AbsVal& item) {
  const Tag tag = typed_item(list);
  Number n;
  if (tag == Tag::kObject || !number(item, n)) return ir::kNone;
  const bool both_int = tag == Tag::kInt && n.tag == Tag::kBool;
  if (n.tag != tag && !both_int) return ir::kNone;
  // A NaN is found where it is the same object.
  if (tag == Tag::kFloat) guard(b_.compare(Op::kEq, n.value, n.value), "a search for a NaN");
  const ir::ValueId slot = b_.slot(static_cast<std::int64_t>(sizeof(std::int64_t)));
  b_.store(slot, both_int ? as_int(n) : n.value);
  return slot;
}

ir::ValueId FunctionLowering::find_typed(const AbsVal& list, ir::ValueId wanted) {
  const ir::SymbolId find =
      unit_.runtime("splice_rt_typed_find", {Type::kObj, Type::kPtr, Type::kI64}, Type::kI64,
                    reinterpret_cast<void*>(&splice_rt_typed_find));
  return b_.call_runtime(find, {list.value, wanted, b_.const_i64(0)});
}

bool FunctionLowering::contains_typed(const AbsVal& item, const AbsVal& list, bool negate,
                                      AbsVal& out) {
  const ir::ValueId wanted = wanted_item(list, item);
  if (wanted == ir::kNone)
    return leave("`in` " + with_article(list) + " for " + with_article(item));
  out = known_bool(
      b_.compare(negate ? Op::kGe : Op::kLt, find_typed(list, wanted), sequence_size(list)));
  return true;
}

bool FunctionLowering::repeat_typed(const AbsVal& a, const AbsVal& b, AbsVal& out) {
  const AbsVal& list = is_typed_list(a) ? a : b;
  const AbsVal& count = is_typed_list(a) ? b : a;
  Number n;
  if (!number(count, n) || (n.tag != Tag::kInt && n.tag != Tag::kBool))
    return leave("`*` of a list and " + with_article(count));
  const ir::SymbolId repeat =
      unit_.runtime("splice_rt_typed_repeat", {Type::kObj, Type::kI64}, Type::kOwned,
                    reinterpret_cast<void*>(&splice_rt_typed_repeat));
  out = new_typed(b_.call_runtime(repeat, {list.value, as_int(n)}), list.type);
  return true;
}

int FunctionLowering::list_of_range(const AbsVal& range, AbsVal& out) {
  PyTypeObject* type = typed_list_of({known_int(ir::kNone)});
  if (type == nullptr) return -1;
  std::vector<ir::ValueId> parts;
  for (const AbsVal& part : *range.items) {
    Number n;
    number(part, n);
    parts.push_back(n.value);
  }
  const ir::SymbolId make =
      unit_.runtime("splice_rt_typed_range", {Type::kI64, Type::kI64, Type::kI64}, Type::kOwned,
                    reinterpret_cast<void*>(&splice_rt_typed_range));
  out = new_typed(b_.call_runtime(make, parts), type);
  return 1;
}

AbsVal FunctionLowering::typed_item_at(const AbsVal& list, ir::ValueId index) {
  const Tag item = typed_item(list);
  const ir::ValueId value = b_.load(value_type(item), item_pointer(list, index));
  if (item != Tag::kObject) return AbsVal::number(item, value);
  state_.frail.push_back(value);
  return AbsVal::object_of(value, cpy::row_type(list.type));
}

bool FunctionLowering::store_typed(const AbsVal& list, const AbsVal& index, const AbsVal& value,
                                   int next) {
  ir::ValueId item;
  if (!typed_value(list.type, value, item)) return leave(kOtherKind);
  if (index.has_items()) return leave("an index that is " + with_article(index));
  const ir::ValueId i = checked_index(list, index);
  if (i == ir::kNone) return leave("an index that is " + with_article(index));
  const ir::ValueId place = item_pointer(list, i);
  if (typed_item(list) == Tag::kObject) {
    const ir::ValueId old = b_.load(Type::kObj, place);
    barrier(next);
    b_.store(place, b_.py_incref(item));
    b_.py_decref(b_.bitcast(old, Type::kOwned));
  } else {
    b_.store(place, item);
  }
  state_.stack.resize(state_.stack.size() - 3);
  release_unreferenced(true);
  return true;
}

bool FunctionLowering::append_typed(const AbsVal& list, const AbsVal& item, std::size_t popped) {
  ir::ValueId value;
  if (!typed_value(list.type, item, value)) return leave(kOtherKind);
  const ir::ValueId size = sequence_size(list);
  const ir::BlockId grow = b_.create_block();
  const ir::BlockId fits = b_.create_block();
  b_.cond_br(b_.compare(Op::kLt, size, b_.load(Type::kI64, list.value, kRoomAt)), {fits, {}},
             {grow, {}});
  b_.set_block(grow);
  const ir::SymbolId make_room = unit_.runtime("splice_rt_typed_grow", {Type::kObj}, Type::kI32,
                                               reinterpret_cast<void*>(&splice_rt_typed_grow));
  succeed(b_.call_runtime(make_room, {list.value}));
  b_.br(fits);
  b_.set_block(fits);
  if (typed_item(list) == Tag::kObject) value = b_.py_incref(value);
  b_.store(item_pointer(list, size), value);
  b_.store(list.value, b_.binary(Op::kAdd, size, b_.const_i64(1)), kSizeAt);
  state_.stack.resize(state_.stack.size() - popped);
  return true;
}

bool FunctionLowering::extend_typed(const AbsVal& list, const AbsVal& items) {
  if (items.tag != Tag::kConst || !PyTuple_CheckExact(items.object))
    return leave("extending a list by " + with_article(items));
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(items.object); ++i)
    if (number_tag(AbsVal::constant(PyTuple_GET_ITEM(items.object, i))) != typed_item(list))
      return leave(kOtherKind);
  const ir::SymbolId extend =
      unit_.runtime("splice_rt_typed_extend", {Type::kObj, Type::kObj}, Type::kI32,
                    reinterpret_cast<void*>(&splice_rt_typed_extend));
  succeed(b_.call_runtime(extend, {list.value, object_value(items)}));
  state_.stack.pop_back();
  release_unreferenced(true);
  return true;
}

void FunctionLowering::remove_typed(const AbsVal& list, ir::ValueId index) {
  const ir::SymbolId remove =
      unit_.runtime("splice_rt_typed_remove_at", {Type::kObj, Type::kI64}, Type::kVoid,
                    reinterpret_cast<void*>(&splice_rt_typed_remove_at));
  b_.call_runtime(remove, {list.value, index});
}

int FunctionLowering::call_typed_method(const char* name, const std::vector<AbsVal>& args, int next,
                                        AbsVal& out) {
  const AbsVal& list = args[0];
  const bool table = typed_item(list) == Tag::kObject;
  const auto is = [&](const char* text, std::size_t n) {
    return std::strcmp(name, text) == 0 && args.size() == n + 1;
  };
  out = py_none();
  if (is("pop", 0) || is("pop", 1)) {
    ir::ValueId i;
    if (args.size() == 1) {
      i = b_.binary(Op::kSub, sequence_size(list), b_.const_i64(1));
      guard(b_.compare(Op::kGe, i, b_.const_i64(0)), "pop() from an empty list");
    } else {
      i = checked_index(list, args[1]);
      if (i == ir::kNone) return -1;
    }
    if (table) {
      barrier(next);
      const ir::SymbolId take =
          unit_.runtime("splice_rt_typed_take", {Type::kObj, Type::kI64}, Type::kOwned,
                        reinterpret_cast<void*>(&splice_rt_typed_take));
      const ir::ValueId row = b_.call_runtime(take, {list.value, i});
      adopt(row);
      out = AbsVal::object_of(row, cpy::row_type(list.type));
      return 1;
    }
    out = typed_item_at(list, i);
    if (args.size() == 1)
      b_.store(list.value, i, kSizeAt);
    else
      remove_typed(list, i);
    return 1;
  }
  if (is("insert", 2)) {
    Number index;
    ir::ValueId item;
    if (!number(args[1], index) || (index.tag != Tag::kInt && index.tag != Tag::kBool)) return -1;
    if (!typed_value(list.type, args[2], item)) {
      leave(kOtherKind);
      return 0;
    }
    const ir::SymbolId insert =
        unit_.runtime("splice_rt_typed_insert", {Type::kObj, Type::kI64, Type::kPtr}, Type::kI32,
                      reinterpret_cast<void*>(&splice_rt_typed_insert));
    succeed(b_.call_runtime(insert, {list.value, as_int(index), pair_slot_}));
    b_.store(b_.load(Type::kPtr, pair_slot_), table ? b_.py_incref(item) : item);
    return 1;
  }
  if (is("clear", 0)) {
    barrier(next);
    const ir::SymbolId clear = unit_.runtime("splice_rt_typed_clear", {Type::kObj}, Type::kVoid,
                                             reinterpret_cast<void*>(&splice_rt_typed_clear));
    b_.call_runtime(clear, {list.value});
    return 1;
  }
  if (is("copy", 0)) {
    out = copy_typed(list);
    return 1;
  }
  if (is("extend", 1)) return extend_by_typed(list, args[1]) ? 1 : 0;
  if (is("index", 1) || is("count", 1)) {
    const ir::ValueId wanted = wanted_item(list, args[1]);
    if (wanted == ir::kNone) return -1;
    if (is("index", 1)) {
      const ir::ValueId at = find_typed(list, wanted);
      guard(b_.compare(Op::kLt, at, sequence_size(list)), "an item that is not in the list");
      out = known_int(at);
      return 1;
    }
    const ir::SymbolId count =
        unit_.runtime("splice_rt_typed_count", {Type::kObj, Type::kPtr}, Type::kI64,
                      reinterpret_cast<void*>(&splice_rt_typed_count));
    out = known_int(b_.call_runtime(count, {list.value, wanted}));
    return 1;
  }
  if (is("reverse", 0)) {
    const ir::SymbolId reverse = unit_.runtime("splice_rt_typed_reverse", {Type::kObj}, Type::kVoid,
                                               reinterpret_cast<void*>(&splice_rt_typed_reverse));
    b_.call_runtime(reverse, {list.value});
    return 1;
  }
  if (is("sort", 0) && !table) {
    sort_typed(list);
    return 1;
  }
  return -1;
}

int FunctionLowering::typed_builtin(const char* name, const AbsVal& list, AbsVal& out) {
  const auto is = [&](const char* text) { return std::strcmp(name, text) == 0; };
  if (is("sorted")) return sorted_typed(list, out) ? 1 : 0;
  if (typed_item(list) == Tag::kObject) return -1;
  const ir::ValueId size = sequence_size(list);
  const auto not_empty = [&] {
    guard(b_.compare(Op::kGt, size, b_.const_i64(0)), "an empty list");
  };
  if (is("any") || is("all")) {
    const ir::SymbolId find =
        unit_.runtime("splice_rt_typed_find_truth", {Type::kObj, Type::kI32}, Type::kI64,
                      reinterpret_cast<void*>(&splice_rt_typed_find_truth));
    const ir::ValueId at = b_.call_runtime(find, {list.value, b_.const_i32(is("any") ? 1 : 0)});
    out = known_bool(b_.compare(is("any") ? Op::kLt : Op::kEq, at, size));
    return 1;
  }
  if (is("min") || is("max")) {
    not_empty();
    const ir::SymbolId best =
        unit_.runtime("splice_rt_typed_best", {Type::kObj, Type::kI32}, Type::kI64,
                      reinterpret_cast<void*>(&splice_rt_typed_best));
    out = typed_item_at(list, b_.call_runtime(best, {list.value, b_.const_i32(is("max") ? 1 : 0)}));
    return 1;
  }
  if (!is("sum")) return -1;
  if (typed_item(list) == Tag::kFloat) {
    not_empty();  // the sum of nothing is an int
    const ir::SymbolId sum = unit_.runtime("splice_rt_typed_sum_floats", {Type::kObj}, Type::kF64,
                                           reinterpret_cast<void*>(&splice_rt_typed_sum_floats));
    out = known_float(b_.call_runtime(sum, {list.value}));
    return 1;
  }
  const ir::SymbolId sum =
      unit_.runtime("splice_rt_typed_sum_ints", {Type::kObj, Type::kPtr}, Type::kI64,
                    reinterpret_cast<void*>(&splice_rt_typed_sum_ints));
  out = known_int(call_failing(sum, {list.value}, "an int beyond 64 bits"));
  return 1;
}

}  // namespace splice::pyfront
