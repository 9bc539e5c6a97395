// pyfront/lower_loop.cpp: range, its iterator, back edges.
#include <limits>

#include "cpy/poll.h"
#include "cpy/runtime_chaos.h"
#include "pyfront/function_lowering.h"

namespace splice::pyfront {

using ir::Op;
using ir::Type;
using Tag = AbsVal::Tag;

bool FunctionLowering::make_range(std::vector<AbsVal> args, AbsVal& out) {
  for (AbsVal& a : args) a = as_python_int(a);
  if (args.empty() || args.size() > 3) return leave("range() with a wrong number of arguments");
  for (const AbsVal& a : args) {
    const Tag tag = number_tag(a);
    if (tag != Tag::kInt && tag != Tag::kBool) return leave("range() of something else than ints");
    // range(True).stop is True: rare enough for the interpreter.
    if (tag == Tag::kBool) return leave("range() of a bool");
  }
  // Small ints, which CPython keeps for ever; borrowed is enough.
  PyObject* zero = PyLong_FromLong(0);
  PyObject* one = PyLong_FromLong(1);
  unit_.keep(zero);
  unit_.keep(one);
  AbsVal start = args.size() > 1 ? args[0] : AbsVal::constant(zero);
  AbsVal stop = args.size() > 1 ? args[1] : args[0];
  AbsVal step = args.size() > 2 ? args[2] : AbsVal::constant(one);
  Py_DECREF(zero);
  Py_DECREF(one);
  Number n;
  number(step, n);
  if (n.is_const && n.const_int == 0) return leave("range() with step 0");
  if (!n.is_const) guard(b_.compare(Op::kNe, n.value, b_.const_i64(0)), "range() with step 0");
  if (!n.is_const || (n.const_int != 1 && n.const_int != -1)) {
    // The value behind the last one must be representable: then the loop's own addition cannot
    // overflow and needs no check.
    Number end;
    number(stop, end);
    checked(Op::kAddOv, end.value, n.value);
  }
  out = AbsVal::aggregate(Tag::kRange, {std::move(start), std::move(stop), std::move(step)});
  return true;
}

FunctionLowering::RangeParts FunctionLowering::range_parts(const AbsVal& range) {
  RangeParts parts;
  number((*range.items)[0], parts.start);
  number((*range.items)[1], parts.stop);
  number((*range.items)[2], parts.step);
  return parts;
}

ir::ValueId FunctionLowering::range_length(const AbsVal& range) {
  const auto [start, stop, step] = range_parts(range);
  if (!step.is_const || step.const_int == std::numeric_limits<std::int64_t>::min())
    return ir::kNone;
  const bool up = step.const_int > 0;
  const ir::ValueId distance = up ? checked(Op::kSubOv, stop.value, start.value)
                                  : checked(Op::kSubOv, start.value, stop.value);
  const ir::ValueId zero = b_.const_i64(0);
  const ir::ValueId some = b_.compare(Op::kGt, distance, zero);
  const std::int64_t stride = up ? step.const_int : -step.const_int;
  if (stride == 1) return b_.select(some, distance, zero);
  // (distance - 1) / stride + 1, where there is anything.
  const ir::ValueId one = b_.const_i64(1);
  const ir::ValueId whole = b_.binary(
      Op::kDiv, b_.binary(Op::kSub, b_.select(some, distance, one), one), b_.const_i64(stride));
  return b_.select(some, b_.binary(Op::kAdd, whole, one), zero);
}

int FunctionLowering::reversed_range(const AbsVal& range, AbsVal& out) {
  const auto [start, stop, step] = range_parts(range);
  if (!step.is_const || (step.const_int != 1 && step.const_int != -1)) return -1;
  const ir::ValueId by = b_.const_i64(step.const_int);
  PyObject* back = PyLong_FromLongLong(-step.const_int);
  unit_.keep(back);
  Py_DECREF(back);
  out = AbsVal::aggregate(
      Tag::kRangeIter, {known_int(checked(Op::kSubOv, stop.value, by)),
                        known_int(checked(Op::kSubOv, start.value, by)), AbsVal::constant(back)});
  return 1;
}

bool FunctionLowering::range_item(const AbsVal& range, const AbsVal& index, AbsVal& out) {
  const auto [start, stop, step] = range_parts(range);
  Number n;
  const ir::ValueId size = range_length(range);
  if (size == ir::kNone || !number(index, n) || (n.tag != Tag::kInt && n.tag != Tag::kBool))
    return leave("an item of a range by " + with_article(index));
  const ir::ValueId i = index_within(size, n);
  out = known_int(b_.binary(Op::kAdd, start.value, b_.binary(Op::kMul, i, step.value)));
  return true;
}

bool FunctionLowering::get_iter(const AbsVal& v, AbsVal& out) {
  switch (v.tag) {
    case Tag::kRange: {
      std::vector<AbsVal> items = *v.items;
      for (AbsVal& item : items) item.origin = ir::kNone;
      out = AbsVal::aggregate(Tag::kRangeIter, std::move(items));
      return true;
    }
    case Tag::kRangeIter:
    case Tag::kListIter:
    case Tag::kReversed:
    case Tag::kEnumerate:
    case Tag::kZip:
      out = v;  // an iterator is its own iterator
      return true;
    default:
      break;
  }
  if (is_array(v)) {
    const auto facts = array_facts(v);
    if (!facts) return false;
    if (facts->rank == 0) return leave("iterating over an array without dimensions");
  } else if (is_flat(v)) {
    if (!flat_facts(v)) return false;
  } else if (!has_size(v) || (!can_be_object(v) && !is_typed_list(v))) {
    return leave("iterating over " + with_article(v));
  }
  AbsVal sequence = as_object(v);
  if (v.tag == Tag::kTuple)
    sequence = AbsVal::object_of(object_for(v), &PyTuple_Type, make_sample(v));
  out = AbsVal::aggregate(Tag::kListIter, {sequence, known_int(b_.const_i64(0))});
  return true;
}

ir::ValueId FunctionLowering::has_next(const AbsVal& iterator) {
  switch (iterator.tag) {
    case Tag::kRangeIter: {
      const auto [next, stop, step] = range_parts(iterator);
      if (step.is_const)
        return b_.compare(step.const_int > 0 ? Op::kLt : Op::kGt, next.value, stop.value);
      const ir::ValueId up = b_.compare(Op::kGt, step.value, b_.const_i64(0));
      return b_.select(up, b_.compare(Op::kLt, next.value, stop.value),
                       b_.compare(Op::kGt, next.value, stop.value));
    }
    case Tag::kListIter:
      if (const AbsVal& array = (*iterator.items)[0]; is_array(array)) {
        const auto facts = guessed_facts(array);
        if (!facts || facts->rank == 0) return ir::kNone;
        array_facts(array);
      } else if (is_flat(array)) {
        if (!guessed_flat(array)) return ir::kNone;
        flat_facts(array);
      }
      return b_.compare(Op::kLt, (*iterator.items)[1].value, sequence_size((*iterator.items)[0]));
    case Tag::kReversed: {
      // A list that has shrunk below the position ends the iteration.
      const ir::ValueId i = (*iterator.items)[1].value;
      return b_.compare(Op::kLt, b_.bitcast(i, Type::kU64),
                        b_.bitcast(sequence_size((*iterator.items)[0]), Type::kU64));
    }
    case Tag::kEnumerate:
      return has_next((*iterator.items)[0]);
    case Tag::kZip: {
      ir::ValueId all = ir::kNone;
      for (const AbsVal& item : *iterator.items) {
        const ir::ValueId more = has_next(item);
        if (more == ir::kNone) return ir::kNone;
        all = all == ir::kNone ? more : b_.binary(Op::kAnd, all, more);
      }
      return all;
    }
    default:
      return ir::kNone;
  }
}

AbsVal FunctionLowering::take_next(AbsVal& iterator) {
  std::vector<AbsVal> items = *iterator.items;
  AbsVal item;
  switch (iterator.tag) {
    case Tag::kRangeIter: {
      const auto [next, stop, step] = range_parts(iterator);
      item = known_int(next.value);
      items[0] = known_int(b_.binary(Op::kAdd, next.value, step.value));
      break;
    }
    case Tag::kListIter:
    case Tag::kReversed: {
      item = item_at(items[0], items[1].value, hint_at(items[0], -1));
      advance(iterator);
      return item;
    }
    case Tag::kEnumerate: {
      AbsVal value = take_next(items[0]);
      Number count;
      number(items[1], count);
      item = AbsVal::aggregate(Tag::kTuple, {known_int(count.value), std::move(value)});
      items[1] = known_int(checked(Op::kAddOv, count.value, b_.const_i64(1)));
      break;
    }
    default: {
      std::vector<AbsVal> values;
      for (AbsVal& inner : items) values.push_back(take_next(inner));
      item = AbsVal::aggregate(Tag::kTuple, std::move(values));
      break;
    }
  }
  iterator = AbsVal::aggregate(iterator.tag, std::move(items));
  return item;
}

void FunctionLowering::advance(AbsVal& iterator) {
  std::vector<AbsVal> items = *iterator.items;
  const std::int64_t step = iterator.tag == Tag::kListIter ? 1 : -1;
  items[1] = known_int(b_.binary(Op::kAdd, items[1].value, b_.const_i64(step)));
  iterator = AbsVal::aggregate(iterator.tag, std::move(items));
}

bool FunctionLowering::for_iter(const PyInst& inst, int at) {
  AbsVal iterator = state_.stack.back();
  const ir::ValueId more = has_next(iterator);
  if (more == ir::kNone) return leave("iterating over " + with_article(iterator));
  const ir::BlockId body = b_.create_block();
  const ir::BlockId done = b_.create_block();
  b_.cond_br(more, {body, {}}, {done, {}});

  in_branch(done, [&] {
    state_.stack.pop_back();
    release_unreferenced(false);
    add_edge(inst.target, b_.current_block(), std::move(state_));
  });
  b_.set_block(body);
  if (iterator.tag == Tag::kListIter || iterator.tag == Tag::kReversed) {
    const AbsVal list = (*iterator.items)[0];
    if (const Mixed like = mixed_items(list); like.whole != nullptr) {
      const ir::ValueId place = item_pointer(list, (*iterator.items)[1].value);
      const ir::ValueId object = b_.load(Type::kObj, place);
      advance(iterator);
      state_.stack.back() = std::move(iterator);
      return give_either(object, like, 0, at + 1);
    }
  }
  AbsVal item = take_next(iterator);
  state_.stack.back() = std::move(iterator);
  state_.stack.push_back(std::move(item));
  add_edge(at + 1, b_.current_block(), std::move(state_));
  return false;
}

void FunctionLowering::poll() {
  const char* const request = "a signal or another request to the interpreter";
  if (cpy::chaos_seed() != 0) guard(b_.const_i1(true), request);
  const ExitSite& site = exit_site(request);
  b_.poll(site.exit, site.live);
  like_facts_.clear();
}

void FunctionLowering::stay_if_current(int next) {
  like_facts_.clear();
  pre_ = state_;
  inst_ = &bytecode_.insts[static_cast<std::size_t>(next)];
  exit_sites_.clear();
  const ir::SymbolId is_current =
      unit_.runtime("splice_rt_is_current", {ir::Type::kPtr}, ir::Type::kI32,
                    reinterpret_cast<void*>(&splice_rt_is_current));
  const ir::ValueId answer = b_.call_runtime(is_current, {b_.ctx()});
  guard(b_.compare(Op::kNe, answer, b_.const_i32(0)), "a change by another thread");
}

std::optional<Bailout> FunctionLowering::doubt() {
  // A constant or a parameter is returned.
  constexpr std::size_t kNextToNothing = 3;
  const auto count = static_cast<std::int32_t>(bytecode_.insts.size());
  if (bytecode_.insts.size() <= kNextToNothing)
    return Bailout{"it does next to nothing", code_->co_firstlineno};
  std::vector<std::pair<std::int32_t, std::int32_t>> loops;  // from the header to the jump back
  for (std::int32_t i = 0; i < count; ++i) {
    const std::int32_t to = bytecode_.insts[static_cast<std::size_t>(i)].target;
    if (to >= 0 && to <= i) loops.emplace_back(to, i);
  }
  std::optional<Bailout> why;
  for (const auto& [header, jump] : loops) {
    const bool holds_another =
        std::any_of(loops.begin(), loops.end(), [from = header, to = jump](const auto& other) {
          return other.first > from && other.first <= to;
        });
    if (holds_another) continue;
    if (goes_round_.contains(header)) return std::nullopt;
    // In the loop, or on the way to it.
    auto leaves = leaves_.lower_bound(header);
    if (leaves == leaves_.end() || leaves->first > jump) leaves = leaves_.begin();
    if (!why && leaves != leaves_.end() && leaves->first <= jump)
      why = {std::string(kLeaves) + leaves->second,
             line_of(bytecode_.insts[static_cast<std::size_t>(leaves->first)])};
  }
  return why;
}

bool FunctionLowering::poll_and_jump(const PyInst& inst) {
  barrier(inst.target);
  pre_ = state_;
  // CPython 3.13 leaves some back edges out of the `try` around them. An exception that arises at a
  // poll of ours belongs to the loop.
  const auto handler = [&](std::ptrdiff_t i) {
    return bytecode_.handler[static_cast<std::size_t>(i)];
  };
  if (handler(&inst - bytecode_.insts.data()) != handler(inst.target))
    inst_ = &bytecode_.insts[static_cast<std::size_t>(inst.target)];
  poll();
  goes_round_.insert(inst.target);
  add_edge(inst.target, b_.current_block(), std::move(state_));
  return false;
}

}  // namespace splice::pyfront
