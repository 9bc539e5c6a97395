// pyfront/lower_loop.cpp: range, its iterator, back edges.
#include "pyfront/function_lowering.h"

namespace splice::pyfront {

using ir::Op;
using ir::Type;
using Tag = AbsVal::Tag;

bool FunctionLowering::make_range(const std::vector<AbsVal>& args, AbsVal& out) {
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

bool FunctionLowering::get_iter(const AbsVal& v, AbsVal& out) {
  if (v.tag != Tag::kRange) return leave(std::string("iterating over a ") + describe(v));
  std::vector<AbsVal> items = *v.items;
  for (AbsVal& item : items) item.origin = ir::kNone;
  out = AbsVal::aggregate(Tag::kRangeIter, std::move(items));
  return true;
}

bool FunctionLowering::for_iter(const PyInst& inst, int at) {
  const AbsVal iterator = state_.stack.back();
  if (iterator.tag != Tag::kRangeIter)
    return leave(std::string("iterating over a ") + describe(iterator));
  Number next;
  Number stop;
  Number step;
  number((*iterator.items)[0], next);
  number((*iterator.items)[1], stop);
  number((*iterator.items)[2], step);
  ir::ValueId more;
  if (step.is_const) {
    more = b_.compare(step.const_int > 0 ? Op::kLt : Op::kGt, next.value, stop.value);
  } else {
    const ir::ValueId up = b_.compare(Op::kGt, step.value, b_.const_i64(0));
    more = b_.select(up, b_.compare(Op::kLt, next.value, stop.value),
                     b_.compare(Op::kGt, next.value, stop.value));
  }
  const ir::BlockId body = b_.create_block();
  const ir::BlockId done = b_.create_block();
  b_.cond_br(more, {body, {}}, {done, {}});

  State after = state_;
  after.stack.pop_back();
  add_edge(inst.target, done, std::move(after));

  b_.set_block(body);
  std::vector<AbsVal> items = *iterator.items;
  items[0] = known_int(b_.binary(Op::kAdd, next.value, step.value));
  state_.stack.back() = AbsVal::aggregate(Tag::kRangeIter, std::move(items));
  state_.stack.push_back(known_int(next.value));
  add_edge(at + 1, body, std::move(state_));
  return false;
}

bool FunctionLowering::poll_and_jump(const PyInst& inst) {
  const ExitSite& site = exit_site("a signal or another request to the interpreter");
  b_.poll(site.exit, site.live);
  has_loop_ = true;
  add_edge(inst.target, b_.current_block(), std::move(state_));
  return false;
}

}  // namespace splice::pyfront
