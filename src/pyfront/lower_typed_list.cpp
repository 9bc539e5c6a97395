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
  const auto at = static_cast<std::size_t>(inst_ - bytecode_.insts.data());
  const int list_class = lists_.made[at];
  if (list_class == ListClasses::kNone) return nullptr;
  for (const AbsVal& item : items) unit_.learned().lists.note(code_, list_class, number_tag(item));
  return unit_.learned().lists.type_of(code_, list_class);
}

bool FunctionLowering::will_be_mixed() {
  const int list_class = lists_.made[static_cast<std::size_t>(inst_ - bytecode_.insts.data())];
  return list_class != ListClasses::kNone && unit_.learned().lists.is_mixed(code_, list_class);
}

void FunctionLowering::note_stored(const AbsVal& item) {
  const int list_class = lists_.used[static_cast<std::size_t>(inst_ - bytecode_.insts.data())];
  if (list_class != ListClasses::kNone)
    unit_.learned().lists.note(code_, list_class, number_tag(item));
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
    Number item;
    number(items[static_cast<std::size_t>(i)], item);
    b_.store(array, item.value, i * size);
  }
  const ir::SymbolId make =
      unit_.runtime("splice_rt_typed_make", {Type::kObj, Type::kPtr, Type::kI64}, Type::kOwned,
                    reinterpret_cast<void*>(&splice_rt_typed_make));
  const ir::ValueId symbol = b_.symbol(unit_.object_symbol(reinterpret_cast<PyObject*>(type)));
  return give(new_typed(b_.call_runtime(make, {symbol, array, b_.const_i64(n)}), type),
              items.size());
}

bool FunctionLowering::repeat_typed(const AbsVal& a, const AbsVal& b, AbsVal& out) {
  const AbsVal& list = is_typed_list(a) ? a : b;
  const AbsVal& count = is_typed_list(a) ? b : a;
  Number n;
  if (!number(count, n) || (n.tag != Tag::kInt && n.tag != Tag::kBool))
    return leave(std::string("`*` of a list and a ") + describe(count));
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
  return AbsVal::number(item, b_.load(value_type(item), item_pointer(list, index)));
}

bool FunctionLowering::store_typed(const AbsVal& list, const AbsVal& index, const AbsVal& value) {
  Number item;
  if (!number(value, item) || item.tag != typed_item(list)) return leave(kOtherKind);
  if (index.has_items()) return leave(std::string("an index that is a ") + describe(index));
  const ir::ValueId i = checked_index(list, index);
  if (i == ir::kNone) return leave(std::string("an index that is a ") + describe(index));
  b_.store(item_pointer(list, i), item.value);
  state_.stack.resize(state_.stack.size() - 3);
  release_unreferenced(true);
  return true;
}

bool FunctionLowering::append_typed(const AbsVal& list, const AbsVal& item, std::size_t popped) {
  Number n;
  if (!number(item, n) || n.tag != typed_item(list)) return leave(kOtherKind);
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
  b_.store(item_pointer(list, size), n.value);
  b_.store(list.value, b_.binary(Op::kAdd, size, b_.const_i64(1)), kSizeAt);
  state_.stack.resize(state_.stack.size() - popped);
  return true;
}

bool FunctionLowering::extend_typed(const AbsVal& list, const AbsVal& items) {
  if (items.tag != Tag::kConst || !PyTuple_CheckExact(items.object))
    return leave(std::string("extending a list by a ") + describe(items));
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

int FunctionLowering::call_typed_method(const char* name, const std::vector<AbsVal>& args,
                                        AbsVal& out) {
  const AbsVal& list = args[0];
  const auto is = [&](const char* text, std::size_t n) {
    return std::strcmp(name, text) == 0 && args.size() == n + 1;
  };
  out = py_none();
  if (is("pop", 0)) {
    const ir::ValueId last = b_.binary(Op::kSub, sequence_size(list), b_.const_i64(1));
    guard(b_.compare(Op::kGe, last, b_.const_i64(0)), "pop() from an empty list");
    out = typed_item_at(list, last);
    b_.store(list.value, last, kSizeAt);
    return 1;
  }
  if (is("pop", 1)) {
    const ir::ValueId i = checked_index(list, args[1]);
    if (i == ir::kNone) return -1;
    out = typed_item_at(list, i);
    remove_typed(list, i);
    return 1;
  }
  if (is("insert", 2)) {
    Number index;
    Number item;
    if (!number(args[1], index) || (index.tag != Tag::kInt && index.tag != Tag::kBool)) return -1;
    if (!number(args[2], item) || item.tag != typed_item(list)) {
      leave(kOtherKind);
      return 0;
    }
    const ir::SymbolId insert =
        unit_.runtime("splice_rt_typed_insert", {Type::kObj, Type::kI64, Type::kPtr}, Type::kI32,
                      reinterpret_cast<void*>(&splice_rt_typed_insert));
    succeed(b_.call_runtime(insert, {list.value, as_int(index), pair_slot_}));
    b_.store(b_.load(Type::kPtr, pair_slot_), item.value);
    return 1;
  }
  if (is("clear", 0)) {
    b_.store(list.value, b_.const_i64(0), kSizeAt);
    return 1;
  }
  if (is("reverse", 0)) {
    const ir::SymbolId reverse = unit_.runtime("splice_rt_typed_reverse", {Type::kObj}, Type::kVoid,
                                               reinterpret_cast<void*>(&splice_rt_typed_reverse));
    b_.call_runtime(reverse, {list.value});
    return 1;
  }
  if (is("sort", 0)) {
    const ir::SymbolId sort = unit_.runtime("splice_rt_typed_sort", {Type::kObj}, Type::kI32,
                                            reinterpret_cast<void*>(&splice_rt_typed_sort));
    succeed(b_.call_runtime(sort, {list.value}));
    return 1;
  }
  return -1;
}

int FunctionLowering::typed_builtin(const char* name, const AbsVal& list, AbsVal& out) {
  const auto is = [&](const char* text) { return std::strcmp(name, text) == 0; };
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
