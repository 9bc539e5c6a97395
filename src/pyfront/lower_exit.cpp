// pyfront/lower_exit.cpp: how an abstract state becomes an exit record.
#include <algorithm>
#include <map>

#include "cpy/runtime_chaos.h"
#include "pyfront/function_lowering.h"

namespace splice::pyfront {

using Tag = AbsVal::Tag;

namespace {

std::uint32_t live_index(ir::ValueId value, ir::Type type, ir::Exit& exit,
                         std::vector<ir::ValueId>& live) {
  const auto found = std::find(live.begin(), live.end(), value);
  if (found != live.end()) return static_cast<std::uint32_t>(found - live.begin());
  live.push_back(value);
  exit.live.push_back(type);
  return static_cast<std::uint32_t>(live.size() - 1);
}

ir::Recipe::Kind aggregate_recipe(Tag tag) {
  switch (tag) {
    case Tag::kRange:
      return ir::Recipe::Kind::kRange;
    case Tag::kRangeIter:
      return ir::Recipe::Kind::kRangeIter;
    case Tag::kListIter:
      return ir::Recipe::Kind::kListIter;
    case Tag::kReversed:
      return ir::Recipe::Kind::kReversed;
    case Tag::kEnumerate:
      return ir::Recipe::Kind::kEnumerate;
    case Tag::kSlice:
      return ir::Recipe::Kind::kSlice;
    case Tag::kZip:
      return ir::Recipe::Kind::kZip;
    case Tag::kView:
      return ir::Recipe::Kind::kArrayView;
    default:
      return ir::Recipe::Kind::kTuple;
  }
}

/// Calls f(recipe) for those that make an object of parts.
template <class F>
void for_each_aggregate(std::vector<ir::Recipe>& recipes, F f) {
  for (ir::Recipe& r : recipes) {
    if (r.kind >= ir::Recipe::Kind::kTuple && r.kind != ir::Recipe::Kind::kEither) f(r);
    for_each_aggregate(r.items, f);
  }
}

/// Numbers the aggregates that stand in several places from 0; the others need no number.
void number_shared(ir::ExitFrame& frame) {
  std::map<std::uint32_t, int> places;
  std::map<std::uint32_t, std::uint32_t> numbers;
  for (auto* recipes : {&frame.locals, &frame.stack})
    for_each_aggregate(*recipes, [&](ir::Recipe& r) { ++places[r.index]; });
  for (auto* recipes : {&frame.locals, &frame.stack}) {
    for_each_aggregate(*recipes, [&](ir::Recipe& r) {
      if (places[r.index] == 1)
        r.index = ir::kNone;
      else
        r.index = numbers.try_emplace(r.index, numbers.size()).first->second;
    });
  }
}

}  // namespace

ir::Recipe FunctionLowering::recipe(const AbsVal& v, ir::Exit& exit,
                                    std::vector<ir::ValueId>& live) {
  ir::Recipe r;
  const auto use = [&](ir::ValueId value) {
    return live_index(value, b_.type_of(value), exit, live);
  };
  switch (v.tag) {
    case Tag::kNull:
      return r;
    case Tag::kEither: {
      // The values are equal: each kind of number is made of the one that is there.
      r.kind = ir::Recipe::Kind::kEither;
      r.items.push_back(recipe(AbsVal::number(v.python_tag, v.value, v.origin), exit, live));
      r.items[0].present = use(v.is_python);
      r.items.push_back(recipe(AbsVal::scalar(v.element, v.value, v.origin), exit, live));
      if (v.may_be_unbound()) r.present = use(v.present);
      return r;
    }
    case Tag::kConst:
      r.kind = ir::Recipe::Kind::kSymbol;
      r.index = unit_.object_symbol(v.object);
      return r;
    case Tag::kInt:
      r.kind = ir::Recipe::Kind::kInt;
      break;
    case Tag::kFloat:
      r.kind = ir::Recipe::Kind::kFloat;
      break;
    case Tag::kBool:
      r.kind = ir::Recipe::Kind::kBool;
      break;
    case Tag::kComplex:
      r.kind = ir::Recipe::Kind::kComplex;
      break;
    case Tag::kScalar:
      r.kind = ir::Recipe::Kind::kScalar;
      r.symbol = unit_.object_symbol(reinterpret_cast<PyObject*>(cpy::scalar_type(v.element)));
      break;
    case Tag::kObject:
      r.kind = ir::Recipe::Kind::kObject;
      break;
    default:
      r.kind = aggregate_recipe(v.tag);
      r.index = v.value;
      for (const AbsVal& item : *v.items) r.items.push_back(recipe(item, exit, live));
      if (v.may_be_unbound()) r.present = use(v.present);
      return r;
  }
  r.index = use(v.value);
  if (v.has_origin()) r.origin = use(v.origin);
  if (v.may_be_unbound()) r.present = use(v.present);
  return r;
}

ir::Exit FunctionLowering::make_exit(const State& state, const PyInst& inst,
                                     std::vector<ir::ValueId>& live) {
  ir::Exit exit;
  exit.kind = ir::Exit::Kind::kFrames;
  exit.loc = {line_of(inst), inst.offset};
  ir::ExitFrame frame;
  frame.code = unit_.object_symbol(reinterpret_cast<PyObject*>(code_));
  const bool known = function_value_ == ir::kNone;
  frame.function.kind = known ? ir::Recipe::Kind::kSymbol : ir::Recipe::Kind::kObject;
  frame.function.index = known ? unit_.object_symbol(reinterpret_cast<PyObject*>(function_))
                               : live_index(function_value_, ir::Type::kObj, exit, live);
  frame.offset = inst.offset;
  for (const AbsVal& v : state.locals) frame.locals.push_back(recipe(v, exit, live));
  for (const AbsVal& v : state.stack) frame.stack.push_back(recipe(v, exit, live));
  number_shared(frame);
  exit.frames.push_back(std::move(frame));
  return exit;
}

const char* FunctionLowering::intern(const std::string& text) {
  return interned_.try_emplace(text, text).first->second.c_str();
}

const FunctionLowering::ExitSite& FunctionLowering::exit_site(const char* reason) {
  // What the instruction has made so far is dropped when it is left.
  std::vector<ir::ValueId> dropped;
  for (const ir::ValueId object : state_.owned)
    if (!pre_.owns(object)) dropped.push_back(object);
  for (const ExitSite& site : exit_sites_)
    if (site.reason == reason && site.dropped == dropped) return site;
  ExitSite site{reason, ir::kNone, {}, dropped};
  ir::Exit exit = make_exit(pre_, *inst_, site.live);
  for (const ir::ValueId object : dropped) {
    site.live.push_back(object);
    exit.live.push_back(ir::Type::kOwned);
  }
  exit.reason = reason;
  site.exit = b_.add_exit(std::move(exit));
  exit_sites_.push_back(std::move(site));
  return exit_sites_.back();
}

void FunctionLowering::guard(ir::ValueId cond, const char* reason) {
  if (cpy::chaos_seed() != 0) {
    const ir::SymbolId chaos = unit_.runtime("splice_rt_chaos", {ir::Type::kI64}, ir::Type::kI32,
                                             reinterpret_cast<void*>(&splice_rt_chaos));
    unit_.module().symbols[chaos].quiet = true;
    const ir::ValueId stay = b_.call_runtime(chaos, {b_.const_i64(cpy::new_chaos_site())});
    cond = b_.binary(ir::Op::kAnd, cond, b_.compare(ir::Op::kNe, stay, b_.const_i32(0)));
  }
  guard_done(cond, reason);
}

void FunctionLowering::guard_done(ir::ValueId cond, const char* reason) {
  const ExitSite& site = exit_site(reason);
  b_.guard(cond, site.exit, site.live);
}

void FunctionLowering::check_made(ir::ValueId object, const char* reason) {
  guard_done(b_.compare(ir::Op::kNe, object, b_.null(ir::Type::kOwned)), reason);
}

bool FunctionLowering::leave(const std::string& reason) {
  const ExitSite& site = exit_site(intern(reason));
  unit_.note(line_of(*inst_), std::string(kLeaves) + reason);
  leaves_.try_emplace(static_cast<std::int32_t>(inst_ - bytecode_.insts.data()), intern(reason));
  b_.leave(site.exit, site.live);
  return false;
}

}  // namespace splice::pyfront
