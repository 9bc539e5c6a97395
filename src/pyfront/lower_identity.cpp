// pyfront/lower_identity.cpp: which object a value is, where that can be seen.
//
// A number that native code computed has no object until one is asked for. Two slots may hold the
// same such number; CPython would hold one object in both. As long as they share an SSA value they
// also share its object. Where they part (a merge, a call) they get it first, unless nothing of the
// program can tell (observed.h).
#include <algorithm>

#include "cpy/array_view.h"
#include "cpy/runtime_number.h"
#include "pyfront/function_lowering.h"
#include "pyfront/numpy_values.h"
#include "pyfront/observed.h"

namespace splice::pyfront {

using ir::Op;
using ir::Type;
using Tag = AbsVal::Tag;

namespace {

/// CPython's ints have 30 bits to a digit.
constexpr std::int64_t kOneDigit = std::int64_t{1} << 30;

bool is_boxable(const AbsVal& v) {
  return v.tag == Tag::kInt || v.tag == Tag::kFloat || v.tag == Tag::kComplex ||
         v.tag == Tag::kEither || (v.tag == Tag::kScalar && v.element != mem::ElementType::kBool);
}

/// What native code holds in parts: numbers that were computed, tuples that were put together.
bool is_virtual(const AbsVal& v) {
  return is_boxable(v) || v.tag == Tag::kTuple || v.tag == Tag::kRange || v.tag == Tag::kView;
}

/// Not asked of observed.h, which follows variables, not what they hold.
bool is_always_seen(const AbsVal& v) { return v.has_items() && v.tag != Tag::kView; }

bool is_same(const AbsVal& a, const AbsVal& b) {
  return a.tag == b.tag && a.value == b.value && a.element == b.element &&
         a.is_python == b.is_python;
}

/// Calls f(part) for `v` and its parts that may have no object yet. Positions are none, but
/// the bounds of a range.
template <class F>
void for_each_virtual(const AbsVal& v, F f) {
  for (std::size_t i = 0; v.has_items() && i < v.items->size(); ++i)
    if (v.tag == Tag::kRange || !is_position(v.tag, i)) for_each_virtual((*v.items)[i], f);
  if (is_virtual(v)) f(v);
}

bool holds(const AbsVal& v, const AbsVal& one) {
  bool found = false;
  for_each_virtual(v, [&](const AbsVal& part) { found = found || is_same(part, one); });
  return found;
}

/// Everything in `slots` that is `one` becomes that object.
void set_object(std::vector<AbsVal>& slots, const AbsVal& one, const AbsVal& object) {
  for (AbsVal& slot : slots) {
    if (!holds(slot, one)) continue;
    for_each_part(slot, [&](AbsVal& part) {
      if (!is_same(part, one)) return;
      if (is_boxable(one))
        part.origin = object.value;
      else
        part = object;
    });
  }
}

}  // namespace

bool FunctionLowering::has_certain_object(const AbsVal& v) const {
  return v.has_origin() && std::find(certain_.begin(), certain_.end(), v.origin) != certain_.end();
}

void FunctionLowering::share_at_merge(Edge& edge, int at) {
  b_.set_block(edge.block);
  if (b_.terminated()) return;
  std::vector<AbsVal> seen;
  std::vector<AbsVal> shared;
  const auto look = [&](const AbsVal& slot) {
    for_each_virtual(slot, [&](const AbsVal& part) {
      if (!can_be_object(part)) return;
      const auto same = [&](const AbsVal& v) { return is_same(v, part); };
      if (has_certain_object(part) || std::any_of(shared.begin(), shared.end(), same)) return;
      auto& list = std::any_of(seen.begin(), seen.end(), same) ? shared : seen;
      list.push_back(part);
    });
  };
  const std::vector<bool>& observed = unit_.observed(function_);
  for (std::size_t i = 0; i < edge.state.locals.size(); ++i) {
    const AbsVal& local = edge.state.locals[i];
    if (is_virtual(local) && (observed[i] || is_always_seen(local)) && live_at(at, i)) look(local);
  }
  for (const AbsVal& item : edge.state.stack) look(item);
  if (shared.empty()) return;
  in_front_of(edge, at, [&] {
    for (const AbsVal& number : shared) object_for(number);
    release_unreferenced(false);
  });
}

void FunctionLowering::in_front_of(Edge& edge, int at, const std::function<void()>& body) {
  b_.set_block(edge.block);
  inst_ = &bytecode_.insts[static_cast<std::size_t>(at)];
  exit_sites_.clear();
  b_.set_loc({line_of(*inst_), inst_->offset});
  state_ = std::move(edge.state);
  pre_ = state_;
  body();
  edge.state = std::move(state_);
  edge.block = b_.current_block();
  mark_ownership(edge.state);
}

bool FunctionLowering::is_held_beside(const AbsVal& number, std::size_t operands, int next) {
  const std::vector<bool>& observed = unit_.observed(function_);
  for (std::size_t i = 0; i < state_.locals.size(); ++i) {
    const AbsVal& local = state_.locals[i];
    if ((observed[i] || is_always_seen(local)) && holds(local, number) && live_at(next, i))
      return true;
  }
  for (std::size_t i = 0; i + operands < state_.stack.size(); ++i)
    if (holds(state_.stack[i], number)) return true;
  return false;
}

/// Tuples of tuples that grow with each call would give callees parameters without end.
bool FunctionLowering::has_many_parts(const AbsVal& v) {
  constexpr int kMost = 32;
  if (v.tag != Tag::kTuple || !can_be_object(v)) return false;
  int parts = 0;
  AbsVal copy = v;
  for_each_part(copy, [&](AbsVal&) { ++parts; });
  return parts > kMost;
}

void FunctionLowering::share_arguments(PyFunctionObject* callee, std::vector<AbsVal>& args,
                                       std::size_t popped, int next) {
  const std::vector<bool>& theirs = unit_.observed(callee);
  const auto held_elsewhere = [&](const AbsVal& number, std::size_t argument) {
    if (is_held_beside(number, popped, next)) return true;
    for (std::size_t i = 0; i < args.size(); ++i)
      if (i != argument && theirs[i] && holds(args[i], number)) return true;
    return false;
  };
  bool any = false;
  for (std::size_t i = 0; i < args.size(); ++i) {
    std::vector<AbsVal> needed;
    if (has_many_parts(args[i])) {
      needed.push_back(args[i]);
    } else if (theirs[i]) {
      for_each_virtual(args[i], [&](const AbsVal& part) {
        if (!has_certain_object(part) && held_elsewhere(part, i)) needed.push_back(part);
      });
    }
    for (const AbsVal& one : needed) {
      AbsVal object = AbsVal::object_of(object_for(one), nullptr);
      if (one.has_items()) object = as_it_is_now(one);
      set_object(args, one, object);
    }
    any = any || !needed.empty();
  }
  if (!any) return;
  release_unreferenced(false);
  pre_ = state_;
  exit_sites_.clear();
}

void FunctionLowering::box_repeated(const AbsVal& v) {
  // `return x, x` of a computed x: one object twice.
  std::vector<AbsVal> seen;
  std::vector<AbsVal> repeated;
  for_each_virtual(v, [&](const AbsVal& part) {
    const auto same = [&](const AbsVal& other) { return is_same(other, part); };
    if (has_certain_object(part) || std::any_of(repeated.begin(), repeated.end(), same)) return;
    (std::any_of(seen.begin(), seen.end(), same) ? repeated : seen).push_back(part);
  });
  for (const AbsVal& number : repeated) object_for(number);
}

bool FunctionLowering::operand_has_object(AbsVal& a, std::size_t operands) {
  const std::vector<bool>& observed = unit_.observed(function_);
  const int at = static_cast<int>(inst_ - bytecode_.insts.data());
  const Tag tag = number_tag(a);
  if ((tag == Tag::kNull && !is_boxable(a)) || tag == Tag::kBool ||
      !observed[state_.locals.size() + static_cast<std::size_t>(at)])
    return false;
  if (a.tag == Tag::kConst)
    a = AbsVal::number(tag, constant_value(a.object, tag), origin_of(a));
  else if (!has_certain_object(a) && is_held_beside(a, operands, at + 1))
    a.origin = object_for(a);
  return a.has_origin();
}

void FunctionLowering::operands_have_objects(std::vector<AbsVal>& args, std::size_t operands) {
  for (std::size_t i = 0; i < args.size(); ++i) {
    const AbsVal before = args[i];
    operand_has_object(args[i], operands);
    for (std::size_t k = i + 1; k < args.size(); ++k) {
      AbsVal& other = args[k];
      if (before.value != ir::kNone && other.tag == before.tag && other.value == before.value &&
          other.origin == before.origin)
        other = args[i];
    }
  }
}

void FunctionLowering::hand_back(const AbsVal& a, ir::BlockId unlike,
                                 const std::function<ir::ValueId()>& is_same, AbsVal& result) {
  const ir::BlockId same = b_.create_block("operand_itself");
  const ir::BlockId done = b_.create_block("", {Type::kOwned});
  const ir::ValueId cond = is_same();
  b_.cond_br(cond, {same, {}}, {done, {b_.null(Type::kOwned)}});
  b_.set_block(same);
  b_.br(done, {take_reference(b_, a.origin, true)});
  if (unlike != ir::kNone) {
    b_.set_block(unlike);
    b_.br(done, {b_.null(Type::kOwned)});
  }
  b_.set_block(done);
  result.origin = b_.block_arg(done, 0);
  adopt(result.origin);
}

void FunctionLowering::share_small_dividend(AbsVal a, const Number& b, AbsVal& rest) {
  // Only a divisor of more than one digit can be of more than the dividend, or of a greater first
  // one; then CPython hands the dividend back.
  if (b.is_const && b.const_int > -kOneDigit && b.const_int < kOneDigit) return;
  if (number_tag(a) != Tag::kInt || !operand_has_object(a, 2)) return;
  // Loops pay for the first test only; what range analysis knows of the divisor drops the rest.
  const ir::BlockId equal = b_.create_block("equal_dividend");
  const ir::BlockId other = b_.create_block();
  b_.cond_br(b_.compare(Op::kEq, a.value, rest.value), {equal, {}}, {other, {}});
  b_.set_block(equal);
  hand_back(
      a, other,
      [&] {
        const ir::ValueId divisor = as_int(b);
        const ir::ValueId one_digit =
            b_.binary(Op::kAnd, b_.compare(Op::kGt, divisor, b_.const_i64(-kOneDigit)),
                      b_.compare(Op::kLt, divisor, b_.const_i64(kOneDigit)));
        const ir::SymbolId returned = unit_.runtime(
            "splice_rt_int_mod_returns_dividend", {Type::kI64, Type::kI64}, Type::kI64,
            reinterpret_cast<void*>(&splice_rt_int_mod_returns_dividend), true);
        const ir::ValueId is_returned =
            b_.compare(Op::kNe, b_.call_runtime(returned, {a.value, divisor}), b_.const_i64(0));
        return b_.binary(Op::kAnd, b_.not_(one_digit), is_returned);
      },
      rest);
}

void FunctionLowering::share_unshifted(AbsVal a, const Number& count, AbsVal& shifted) {
  // A negative number of more than one digit, by nothing: the number itself (long_rshift).
  if ((count.is_const && count.const_int != 0) || number_tag(a) != Tag::kInt ||
      !operand_has_object(a, 2))
    return;
  hand_back(
      a, ir::kNone,
      [&] {
        return b_.binary(Op::kAnd, b_.compare(Op::kEq, as_int(count), b_.const_i64(0)),
                         b_.compare(Op::kLe, a.value, b_.const_i64(-kOneDigit)));
      },
      shifted);
}

ir::ValueId FunctionLowering::choose_origin(ir::ValueId cond, ir::ValueId yes, ir::ValueId no) {
  if (yes == ir::kNone && no == ir::kNone) return ir::kNone;
  const auto borrowed = [&](ir::ValueId v) {
    return v == ir::kNone ? b_.null() : b_.bitcast(v, Type::kObj);
  };
  const ir::ValueId chosen = b_.select(cond, borrowed(yes), borrowed(no));
  const auto stays = [&](ir::ValueId v) {
    return v == ir::kNone || (!state_.owns(v) && !state_.is_frail(v));
  };
  if (stays(yes) && stays(no)) return chosen;
  const ir::ValueId owned = take_reference(b_, chosen, true);
  adopt(owned);
  return owned;
}

bool FunctionLowering::can_be_object(const AbsVal& v) const {
  if (!v.has_items()) return v.tag != Tag::kNull && !is_typed_list(v);
  return is_virtual(v) && std::all_of(v.items->begin(), v.items->end(),
                                      [&](const AbsVal& item) { return can_be_object(item); });
}

AbsVal FunctionLowering::as_it_is_now(const AbsVal& v) const {
  if (!is_virtual(v)) return v;
  AbsVal found = v;
  for (const std::vector<AbsVal>* slots : {&state_.locals, &state_.stack})
    for (const AbsVal& slot : *slots)
      for_each_virtual(slot, [&](const AbsVal& part) {
        if (is_same(part, v)) found = part;
      });
  for (const auto& [number, object] : made_)
    if (v.has_items() && number == v.value && state_.owns(object.value)) found = object;
  return found;
}

ir::ValueId FunctionLowering::object_for(const AbsVal& value, Exits exits) {
  const AbsVal v = as_it_is_now(value);
  switch (v.tag) {
    case Tag::kConst:
    case Tag::kObject:
      return object_value(v);
    case Tag::kBool:
      return b_.py_box_bool(v.value);
    case Tag::kScalar:
      if (v.element == mem::ElementType::kBool) return numpy_bool(unit_, b_, v.value);
      return box_for(v, exits);
    case Tag::kInt:
    case Tag::kFloat:
    case Tag::kComplex:
    case Tag::kEither:
      return box_for(v, exits);
    default:
      return aggregate_for(v, exits);
  }
}

ir::ValueId FunctionLowering::box_for(const AbsVal& v, Exits exits) {
  const auto box_one = [&](const AbsVal& one) {
    return one.tag == Tag::kScalar  ? box_scalar(unit_, b_, one)
           : one.tag == Tag::kInt   ? b_.py_box_int(one.value)
           : one.tag == Tag::kFloat ? b_.py_box_float(one.value)
                                    : b_.py_box_complex(one.value);
  };
  const auto box = [&] {
    if (v.tag != Tag::kEither) return box_one(v);
    const ir::BlockId python = b_.create_block();
    const ir::BlockId numpy = b_.create_block();
    const ir::BlockId boxed = b_.create_block("", {Type::kOwned});
    b_.cond_br(v.is_python, {python, {}}, {numpy, {}});
    b_.set_block(python);
    b_.br(boxed, {box_one(python_part(v))});
    b_.set_block(numpy);
    b_.br(boxed, {box_one(scalar_part(v))});
    b_.set_block(boxed);
    return b_.block_arg(boxed, 0);
  };
  ir::ValueId object = ir::kNone;
  // The state's own reference, null or not, becomes that of the new object.
  const bool handed_on = v.has_origin() && exits == Exits::kOwnIt && state_.owns(v.origin);
  if (!v.has_origin()) {
    object = box();
  } else {
    const ir::BlockId same = b_.create_block();
    const ir::BlockId fresh = b_.create_block();
    const ir::BlockId done = b_.create_block("", {Type::kOwned});
    b_.cond_br(b_.compare(Op::kEq, v.origin, b_.null(b_.type_of(v.origin))), {fresh, {}},
               {same, {}});
    b_.set_block(same);
    b_.br(done, {handed_on ? v.origin : b_.py_incref(v.origin)});
    b_.set_block(fresh);
    b_.br(done, {box()});
    b_.set_block(done);
    object = b_.block_arg(done, 0);
  }
  check_made(object);
  if (handed_on) {
    std::erase(state_.owned, v.origin);
    std::erase(pre_.owned, v.origin);
  }
  certain_.push_back(object);
  own_as(v, AbsVal::object_of(object, nullptr), exits);
  return object;
}

ir::ValueId FunctionLowering::aggregate_for(const AbsVal& v, Exits exits) {
  const ir::ValueId object =
      v.tag == Tag::kView
          ? box_view(unit_, b_, v, b_.py_incref(object_value((*v.items)[cpy::kViewBase])))
          : box_items(v, exits);
  check_made(object);
  made_.emplace_back(v.value, AbsVal::object_of(object, exact_type(v), make_sample(v)));
  own_as(v, made_.back().second, exits);
  return object;
}

ir::ValueId FunctionLowering::box_items(const AbsVal& v, Exits exits) {
  std::vector<AbsVal> items = *v.items;
  const auto n = static_cast<std::int64_t>(items.size());
  const ir::ValueId array = b_.slot(n * static_cast<std::int64_t>(sizeof(void*)));
  std::vector<ir::ValueId> references;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const AbsVal item = items[i];
    const ir::ValueId object = object_for(item, exits);
    if (is_virtual(item)) set_object(items, item, AbsVal::object_of(object, nullptr));
    references.push_back(b_.py_incref(object));
  }
  for (std::size_t i = 0; i < references.size(); ++i)
    b_.store(array, references[i], static_cast<std::int64_t>(i * sizeof(void*)));
  const ir::SymbolId make =
      unit_.runtime(maker_of(v.tag), {Type::kPtr, Type::kI64}, Type::kOwned, nullptr);
  return b_.call_runtime(make, {array, b_.const_i64(n)});
}

void FunctionLowering::own_as(const AbsVal& v, const AbsVal& object, Exits exits) {
  const auto apply = [&](State& s) {
    set_object(s.locals, v, object);
    set_object(s.stack, v, object);
    s.owned.push_back(object.value);
  };
  const auto holds_it = [&](const AbsVal& slot) { return holds(slot, v); };
  const bool known_to_exits = std::any_of(pre_.locals.begin(), pre_.locals.end(), holds_it) ||
                              std::any_of(pre_.stack.begin(), pre_.stack.end(), holds_it);
  apply(state_);
  if (exits == Exits::kForgetIt || !known_to_exits) return;
  apply(pre_);
  exit_sites_.clear();
  // What only the parts needed: the new object has references of its own.
  for (const ir::ValueId part : std::vector(state_.owned)) {
    if (state_.refers_to(part) || pre_.refers_to(part)) continue;
    if_not_null(part, true, [&] { b_.py_decref(part); });
    std::erase(state_.owned, part);
    std::erase(pre_.owned, part);
  }
}

}  // namespace splice::pyfront
