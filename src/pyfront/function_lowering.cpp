// pyfront/function_lowering.cpp: versions, edges and the instruction dispatch.
#include "pyfront/function_lowering.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/check.h"

namespace splice::pyfront {

using Tag = AbsVal::Tag;

namespace {

/// Shapes of one bytecode position before the interpreter is left to sort it out.
constexpr std::size_t kMaxVersions = 8;

std::vector<ir::Type> param_types(const std::vector<AbsVal>& params) {
  std::vector<ir::Type> types;
  for (const AbsVal& p : params) append_types(p, types);
  return types;
}

std::string text_of(PyObject* str) {
  const char* text = str != nullptr ? PyUnicode_AsUTF8(str) : nullptr;
  if (text == nullptr) {
    PyErr_Clear();
    return "?";
  }
  return text;
}

}  // namespace

FunctionLowering::FunctionLowering(Unit& unit, std::uint32_t index, PyFunctionObject* function,
                                   std::vector<AbsVal> params, const Role& role)
    : unit_(unit),
      index_(index),
      function_(function),
      code_(reinterpret_cast<PyCodeObject*>(function->func_code)),
      params_(std::move(params)),
      role_(role),
      b_(unit.module(), index) {}

bool FunctionLowering::matches(PyFunctionObject* function, const std::vector<AbsVal>& args,
                               const Role& role) const {
  if (function != function_ || role != role_ || args.size() != params_.size()) return false;
  for (std::size_t i = 0; i < args.size(); ++i)
    if (!accepts(params_[i], args[i])) return false;
  return true;
}

bool FunctionLowering::prepare(std::string& error) {
  if (!decode(code_, bytecode_, error)) return false;
  lists_ = unit_.private_lists(function_, bytecode_);
  leader_.assign(bytecode_.insts.size() + 1, false);
  for (const PyInst& inst : bytecode_.insts)
    if (inst.target >= 0) leader_[static_cast<std::size_t>(inst.target)] = true;

  std::vector<ir::Type> types = param_types(params_);
  if (role_.any_closure) types.push_back(ir::Type::kObj);
  const std::uint32_t made = ir::add_function(
      unit_.module(), "f" + std::to_string(index_) + "_" + text_of(code_->co_name), types, {});
  SPLICE_CHECK(made == index_, "instances and IR functions are numbered alike");
  unit_.module().functions[made].has_handlers = PyBytes_GET_SIZE(code_->co_exceptiontable) > 0;
  b_.set_block(0);
  const std::vector<ir::ValueId> values = b_.function().blocks[0].args;
  const ir::ValueId* next = values.data();
  for (AbsVal& p : params_) bind_values(p, next);
  if (role_.any_closure) function_value_ = values.back();
  fail_slot_ = b_.slot(8);
  pair_slot_ = b_.slot(16);

  State state;
  state.locals = params_;
  state.locals.resize(static_cast<std::size_t>(code_->co_nlocalsplus));
  unit_.keep(reinterpret_cast<PyObject*>(code_));
  if (role_.consumer != Consumer::kNone) start_consumer(state);
  add_edge(0, 0, std::move(state));
  return true;
}

int FunctionLowering::line_of(const PyInst& inst) { return PyCode_Addr2Line(code_, inst.offset); }

void FunctionLowering::add_edge(int target, ir::BlockId block, State state) {
  mark_ownership(state);
  pending_[target].push_back({block, std::move(state)});
}

void FunctionLowering::flatten(ir::Builder& b, const AbsVal& shape, const AbsVal& v,
                               std::vector<ir::ValueId>& out) {
  if (shape.may_be_unbound())
    out.push_back(v.may_be_unbound() ? v.present : b.const_i1(v.tag != Tag::kNull));
  if (shape.has_items()) {
    const bool unbound = v.tag == Tag::kNull;
    for (std::size_t i = 0; i < shape.items->size(); ++i)
      flatten(b, (*shape.items)[i], unbound ? v : (*v.items)[i], out);
    return;
  }
  if (shape.tag == Tag::kNull || shape.tag == Tag::kConst) return;
  if (v.tag == Tag::kNull) {
    out.push_back(shape.tag == Tag::kObject ? b.null() : b.undef(value_type(shape)));
    if (shape.tag == Tag::kEither) out.push_back(b.const_i1(false));
    if (shape.has_origin()) out.push_back(b.null());
    return;
  }
  if (shape.tag == Tag::kObject) {
    out.push_back(v.tag == Tag::kConst ? b.symbol(unit_.object_symbol(v.object)) : v.value);
    return;
  }
  if (shape.tag == Tag::kEither) {
    out.push_back(number_tag(v) != Tag::kNull ? scalar_value(b, v, shape.element) : v.value);
    out.push_back(v.tag == Tag::kEither ? v.is_python : b.const_i1(v.tag != Tag::kScalar));
  } else if (v.tag != Tag::kConst) {
    out.push_back(v.value);
  } else if (shape.tag == Tag::kInt) {
    out.push_back(b.const_i64(PyLong_AsLongLong(v.object)));
  } else if (shape.tag == Tag::kFloat) {
    out.push_back(b.const_f64(PyFloat_AS_DOUBLE(v.object)));
  } else if (shape.tag == Tag::kBool) {
    out.push_back(b.const_i1(v.object == Py_True));
  } else {
    const Py_complex c = PyComplex_AsCComplex(v.object);
    out.push_back(b.const_c128(c.real, c.imag));
  }
  if (!shape.has_origin()) return;
  if (v.has_origin()) {
    out.push_back(v.origin);
  } else if (v.tag == Tag::kConst && constant_needs_origin(v.object)) {
    out.push_back(b.symbol(unit_.object_symbol(v.object)));
  } else {
    out.push_back(b.null());
  }
}

void FunctionLowering::flatten_args(ir::Builder& b, const std::vector<AbsVal>& args,
                                    std::vector<ir::ValueId>& out) {
  for (std::size_t i = 0; i < params_.size(); ++i) flatten(b, params_[i], args[i], out);
}

void FunctionLowering::pass(const AbsVal& shape, const AbsVal& v, std::vector<ir::ValueId>& free,
                            std::vector<ir::ValueId>& out, bool nullable) {
  nullable = nullable || shape.may_be_unbound();
  if (shape.has_items()) {
    if (shape.may_be_unbound())
      out.push_back(v.may_be_unbound() ? v.present : b_.const_i1(v.tag != Tag::kNull));
    for (std::size_t i = 0; i < shape.items->size(); ++i)
      pass((*shape.items)[i], v.tag == Tag::kNull ? v : (*v.items)[i], free, out, nullable);
    return;
  }
  const std::size_t first = out.size();
  flatten(b_, shape, v, out);
  if (!shape.owned || out.size() == first) return;
  ir::ValueId& object = out.back();
  const auto mine = std::find(free.begin(), free.end(), object);
  if (mine != free.end()) {
    free.erase(mine);
  } else {
    object = take_reference(b_, object, shape.tag != Tag::kObject || nullable);
  }
}

void FunctionLowering::connect(Edge& edge, const Version& version, int at) {
  b_.set_block(edge.block);
  if (b_.terminated()) return;  // it died when its loop was lowered again
  fit_numbers(edge, version.shape, at);
  std::vector<ir::ValueId> free = edge.state.owned;
  std::vector<ir::ValueId> args;
  for (std::size_t i = 0; i < version.shape.locals.size(); ++i)
    pass(version.shape.locals[i], edge.state.locals[i], free, args);
  for (std::size_t i = 0; i < version.shape.stack.size(); ++i)
    pass(version.shape.stack[i], edge.state.stack[i], free, args);
  SPLICE_CHECK(free.empty(), "a merge keeps what its edges own");
  b_.br(version.block, args);
}

void FunctionLowering::step() {
  auto node = pending_.extract(pending_.begin());
  const int at = node.key();
  const bool loop = bytecode_.loop_header[static_cast<std::size_t>(at)];
  std::vector<Version>& known = versions_[at];
  const Merge merge{loop, loop ? may_be_either(at) : nullptr};

  struct Group {
    State shape;
    std::vector<Edge> edges;
  };
  std::vector<Group> groups;
  const bool merges = loop || node.mapped().size() > 1 || !known.empty();
  for (Edge& edge : node.mapped()) {
    if (merges) share_at_merge(edge, at);
    const auto version = std::find_if(
        known.begin(), known.end(), [&](const Version& v) { return accepts(v.shape, edge.state); });
    if (version != known.end()) {
      connect(edge, *version, at);
      continue;
    }
    const auto group = std::find_if(groups.begin(), groups.end(),
                                    [&](Group& g) { return join(g.shape, edge.state, merge); });
    if (group != groups.end()) {
      group->edges.push_back(std::move(edge));
      continue;
    }
    groups.push_back({edge.state, {}});
    generalize(groups.back().shape, loop);
    groups.back().edges.push_back(std::move(edge));
  }

  if (loop) {
    for (Group& group : groups) widen(at, group.shape, group.edges);
  }

  for (Group& group : groups) {
    if (versions_[at].size() >= kMaxVersions) {
      for (Edge& edge : group.edges) {
        b_.set_block(edge.block);
        if (b_.terminated()) continue;
        inst_ = &bytecode_.insts[static_cast<std::size_t>(at)];
        exit_sites_.clear();
        state_ = std::move(edge.state);
        pre_ = state_;
        leave("the types of its variables keep changing");
      }
      continue;
    }
    if (group.edges.size() == 1 && !loop) {
      lower_version(at, {std::move(group.edges[0].state), group.edges[0].block});
      continue;
    }
    std::vector<ir::Type> types;
    append_types(group.shape, types);
    Version version{std::move(group.shape), b_.create_block("at" + std::to_string(at), types)};
    const std::vector<ir::ValueId> values = b_.block_data(version.block).args;
    const ir::ValueId* next = values.data();
    bind_values(version.shape, next);
    for (Edge& edge : group.edges) connect(edge, version, at);
    versions_[at].push_back(version);
    lower_version(at, std::move(version));
  }
}

void FunctionLowering::widen(int at, State& shape, std::vector<Edge>& edges) {
  // The first edge into a loop knows nothing of what the loop assigns: variables still unbound,
  // values without an owner. When a later edge could have shared its version, the two become one:
  // the old version only leads to the new, and what was lowered for it is dead.
  std::vector<Version>& known = versions_[at];
  for (std::size_t i = 0; i < known.size(); ++i) {
    State joined = shape;
    if (!join(joined, known[i].shape, {true, may_be_either(at)})) continue;
    shape = std::move(joined);
    const Version old = known[i];
    known.erase(known.begin() + static_cast<std::ptrdiff_t>(i));
    b_.block_data(old.block).insts.clear();
    Edge edge{old.block, old.shape};
    mark_ownership(edge.state);
    forget_unreachable(old.block);
    edges.push_back(std::move(edge));
    return;
  }
}

void FunctionLowering::forget_unreachable(ir::BlockId emptied) {
  std::vector<bool> reached(b_.function().blocks.size(), false);
  std::vector<ir::BlockId> work{0};
  reached[0] = true;
  while (!work.empty()) {
    const ir::Block& block = b_.block_data(work.back());
    work.pop_back();
    if (block.insts.empty()) continue;
    for (const ir::Target& target : block.insts.back().targets) {
      if (target.block == ir::kNone || reached[target.block]) continue;
      reached[target.block] = true;
      work.push_back(target.block);
    }
  }
  const auto dead = [&](ir::BlockId block) { return !reached[block] || block == emptied; };
  for (ir::BlockId block = 0; block < reached.size(); ++block) {
    if (reached[block]) continue;
    b_.block_data(block).insts.clear();
    b_.set_block(block);
    b_.unreachable();
  }
  for (auto it = pending_.begin(); it != pending_.end();) {
    std::erase_if(it->second, [&](const Edge& edge) { return dead(edge.block); });
    it = it->second.empty() ? pending_.erase(it) : std::next(it);
  }
  std::erase_if(returns_, [&](const Return& r) { return dead(r.block); });
  for (CallSite& site : call_sites_) site.gone = site.gone || dead(site.block);
  // Nothing may lead into dead code again: its own edges are gone.
  for (auto& [at, known] : versions_)
    std::erase_if(known, [&](const Version& version) { return dead(version.block); });
}

void FunctionLowering::lower_version(int at, Version version) {
  state_ = std::move(version.shape);
  like_facts_.clear();
  b_.set_block(version.block);
  for (int i = at;; ++i) {
    if (i != at && leader_[static_cast<std::size_t>(i)]) {
      if (bytecode_.loop_header[static_cast<std::size_t>(i)]) look_at_arrays(i);
      add_edge(i, b_.current_block(), std::move(state_));
      return;
    }
    if (!lower_inst(i)) return;
  }
}

void FunctionLowering::in_branch(ir::BlockId block, const std::function<void()>& body) {
  const State state = state_;
  const State in_front = pre_;
  b_.set_block(block);
  exit_sites_.clear();
  body();
  state_ = state;
  pre_ = in_front;
  exit_sites_.clear();
}

bool FunctionLowering::give(AbsVal result, std::size_t popped) {
  state_.stack.resize(state_.stack.size() - popped);
  state_.stack.push_back(std::move(result));
  return true;
}

bool FunctionLowering::lower_inst(int at) {
  const PyInst& inst = bytecode_.insts[static_cast<std::size_t>(at)];
  inst_ = &inst;
  std::vector<AbsVal>& stack = state_.stack;
  std::vector<AbsVal>& locals = state_.locals;
  const auto local = [&]() -> AbsVal& { return locals[static_cast<std::size_t>(inst.arg)]; };
  const auto top = [&](std::size_t depth = 1) -> const AbsVal& {
    return stack[stack.size() - depth];
  };

  const bool takes_parts = inst.op == PyOp::kBuildTuple || inst.op == PyOp::kBuildSlice;
  if (takes_parts && resolve_either(inst, at) == 0) return false;

  // Instructions that never leave.
  switch (inst.op) {
    case PyOp::kNop:
      return true;
    case PyOp::kLoadFast:
      local().present = ir::kNone;  // CPython's compiler has proved it
      stack.push_back(local());
      return true;
    case PyOp::kLoadFastAndClear:
      stack.push_back(local());
      local() = AbsVal::null();
      return true;
    case PyOp::kStoreFast:
      if (!state_.owned.empty() || stack.back().is_iterator()) break;
      local() = stack.back();
      stack.pop_back();
      return true;
    case PyOp::kLoadConst: {
      PyObject* value = PyTuple_GET_ITEM(code_->co_consts, inst.arg);
      stack.push_back(AbsVal::constant(value));
      return true;
    }
    case PyOp::kPopTop:
      if (!state_.owned.empty()) break;
      stack.pop_back();
      return true;
    case PyOp::kPushNull:
      stack.push_back(AbsVal::null());
      return true;
    case PyOp::kReturnGenerator:
      if (makes_list()) break;
      stack.push_back(py_none());
      return true;
    case PyOp::kCopy:
      stack.push_back(top(static_cast<std::size_t>(inst.arg)));
      return true;
    case PyOp::kSwap:
      std::swap(stack.back(), stack[stack.size() - static_cast<std::size_t>(inst.arg)]);
      return true;
    case PyOp::kBuildSlice: {
      const std::size_t n = static_cast<std::size_t>(inst.arg);
      std::vector<AbsVal> bounds(stack.end() - inst.arg, stack.end());
      bounds.resize(3, py_none());
      return give(AbsVal::aggregate(Tag::kSlice, std::move(bounds)), n);
    }
    case PyOp::kBuildTuple: {
      const auto n = static_cast<std::ptrdiff_t>(inst.arg);
      if (n == 0) break;
      std::vector<AbsVal> items(stack.end() - n, stack.end());
      return give(AbsVal::aggregate(Tag::kTuple, std::move(items)), static_cast<std::size_t>(n));
    }
    case PyOp::kCopyFreeVars:
      copy_free_vars(inst.arg);
      return true;
    case PyOp::kJump:
      add_edge(inst.target, b_.current_block(), std::move(state_));
      return false;
    default:
      break;
  }

  // The two halves of STORE_FAST_STORE_FAST are one instruction to the interpreter: it can take
  // over in front of the first only.
  const auto is_second_store = [&](int i) {
    const auto& insts = bytecode_.insts;
    const auto k = static_cast<std::size_t>(i);
    return k > 0 && k < insts.size() && insts[k].op == PyOp::kStoreFast &&
           insts[k - 1].op == PyOp::kStoreFast && insts[k].offset == insts[k - 1].offset;
  };
  if (!is_second_store(at)) {
    pre_ = state_;
    exit_sites_.clear();
    b_.set_loc({line_of(inst), inst.offset});
  }
  if (!lower_guarded(inst, at)) return false;
  if (!is_second_store(at + 1)) release_unreferenced(false);
  return true;
}

bool FunctionLowering::lower_guarded(const PyInst& inst, int at) {
  std::vector<AbsVal>& stack = state_.stack;
  std::vector<AbsVal>& locals = state_.locals;
  const auto local = [&]() -> AbsVal& { return locals[static_cast<std::size_t>(inst.arg)]; };
  const auto top = [&](std::size_t depth = 1) -> const AbsVal& {
    return stack[stack.size() - depth];
  };
  AbsVal out;
  if (const int done = resolve_either(inst, at); done >= 0) return done > 0;
  if (role_.changes_nothing && changes_things(inst))
    return leave("a change of an object within the values of a generator");
  switch (inst.op) {
    case PyOp::kStoreFast:
      // Loops advance a copy of what the state knows: only the interpreter can share one.
      if (top().is_iterator()) return leave("an iterator kept in a variable");
      local() = stack.back();
      stack.pop_back();
      return true;
    case PyOp::kPopTop:
      stack.pop_back();
      return true;
    case PyOp::kLoadFastCheck:
    case PyOp::kDeleteFast:
      if (local().tag == Tag::kNull) return leave("an unbound local");
      if (local().may_be_unbound()) guard(local().present, "an unbound local");
      local().present = ir::kNone;
      if (inst.op == PyOp::kDeleteFast)
        local() = AbsVal::null();
      else
        stack.push_back(local());
      return true;
    case PyOp::kLoadGlobal:
      return load_global(inst);
    case PyOp::kStoreGlobal:
      return store_global(inst, at + 1);
    case PyOp::kLoadDeref:
      return load_deref(inst);
    case PyOp::kLoadAttr:
      return load_attr(inst);
    case PyOp::kUnaryNegative:
      return negative(top(), out) && give(std::move(out), 1);
    case PyOp::kUnaryPositive:
      return positive(top(), out) && give(std::move(out), 1);
    case PyOp::kUnaryInvert:
      return invert(top(), out) && give(std::move(out), 1);
    case PyOp::kUnaryNot:
    case PyOp::kToBool: {
      const ir::ValueId t = truth(top());
      if (t == ir::kNone) return leave("the truth of " + with_article(top()));
      return give(known_bool(inst.op == PyOp::kUnaryNot ? b_.not_(t) : t), 1);
    }
    case PyOp::kBinaryOp:
      if (const int done = large_int_op(inst, at); done >= 0) return done > 0;
      if (inst.arg2 != 0 && number_tag(top(2)) == Tag::kNull && top(2).tag != Tag::kTuple)
        return in_place_op(AbsVal(top(2)), AbsVal(top(1)), static_cast<BinaryOperator>(inst.arg),
                           at + 1);
      return binary_op(top(2), top(1), static_cast<BinaryOperator>(inst.arg), out) &&
             give(std::move(out), 2);
    case PyOp::kCompareOp: {
      if (const int done = large_int_op(inst, at); done >= 0) return done > 0;
      if (!compare(top(2), top(1), inst.arg, out)) return false;
      if (inst.arg2 != 0) out = known_bool(truth(out));
      return give(std::move(out), 2);
    }
    case PyOp::kIsOp:
      return identity(top(2), top(1), inst.arg != 0, out) && give(std::move(out), 2);
    case PyOp::kContainsOp:
      return contains(top(2), top(1), inst.arg != 0, out) && give(std::move(out), 2);
    case PyOp::kJumpBackward:
      return poll_and_jump(inst);
    case PyOp::kPopJumpIfFalse:
    case PyOp::kPopJumpIfTrue:
      return branch_on(top(), inst.op == PyOp::kPopJumpIfTrue, inst, at);
    case PyOp::kPopJumpIfNone:
    case PyOp::kPopJumpIfNotNone: {
      if (!identity(top(), py_none(), false, out)) return false;
      return branch_on(out, inst.op == PyOp::kPopJumpIfNone, inst, at);
    }
    case PyOp::kGetIter:
      return get_iter(top(), out) && give(std::move(out), 1);
    case PyOp::kForIter:
      return for_iter(inst, at);
    case PyOp::kReturnGenerator:
      return begin_list();
    case PyOp::kYieldValue:
      return yield_value(at);
    case PyOp::kReturnValue:
      return role_.consumer != Consumer::kNone ? end_consumer(at) : return_value(top());
    case PyOp::kReturnConst:
      if (role_.consumer != Consumer::kNone) return end_consumer(at);
      return return_value(AbsVal::constant(PyTuple_GET_ITEM(code_->co_consts, inst.arg)));
    case PyOp::kCall:
    case PyOp::kCallKw:
      return call(inst, at);
    case PyOp::kUnpackSequence:
      return unpack(static_cast<std::size_t>(inst.arg), 0, false);
    case PyOp::kUnpackEx:
      return unpack(static_cast<std::size_t>(inst.arg), static_cast<std::size_t>(inst.arg2), true);
    case PyOp::kBinarySubscr:
      if (const Mixed like = mixed_items(top(2)); like.whole != nullptr && !top().has_items()) {
        const ir::ValueId i = checked_index(top(2), top());
        if (i == ir::kNone) return leave("an index that is " + with_article(top()));
        return give_either(b_.load(ir::Type::kObj, item_pointer(top(2), i)), like, 2, at + 1);
      }
      return load_item(AbsVal(top(2)), AbsVal(top(1)), out) && give(std::move(out), 2);
    case PyOp::kBinarySlice:
      return get_slice(AbsVal(top(3)), {top(2), top(1)}, out) && give(std::move(out), 3);
    case PyOp::kStoreSlice:
      return set_slice(AbsVal(top(3)), {top(2), top(1)}, AbsVal(top(4)), 4, at + 1);
    case PyOp::kDeleteSubscr:
      return delete_item(at + 1);
    case PyOp::kBuildTuple: {  // the empty tuple is one object
      PyObject* empty = PyTuple_New(0);
      if (empty == nullptr) {
        PyErr_Clear();
        return leave("no memory");
      }
      unit_.keep(empty);
      Py_DECREF(empty);
      stack.push_back(AbsVal::constant(empty));
      return true;
    }
    case PyOp::kStoreSubscr:
      return store_item(at);
    case PyOp::kBuildList:
      return build_list(inst);
    case PyOp::kListAppend:
      return list_append(inst, at);
    case PyOp::kListExtend:
      return list_extend(inst);
    case PyOp::kMakeCell:
      return make_cell(inst);
    case PyOp::kStoreDeref:
      return store_deref(inst, at + 1);
    case PyOp::kMakeFunction:
      return make_function(inst);
    case PyOp::kSetFunctionAttribute:
      return set_function_attribute(inst);
    default: {
      const char* name = opcode_name(inst.opcode);
      return leave(name != nullptr ? name : "opcode " + std::to_string(inst.opcode));
    }
  }
}

std::string FunctionLowering::signature() {
  std::string text = text_of(code_->co_qualname) + "(";
  for (std::size_t i = 0; i < params_.size(); ++i)
    text += (i == 0 ? "" : ", ") + text_of(PyTuple_GET_ITEM(code_->co_localsplusnames, i)) + ": " +
            describe(params_[i]);
  text += ")";
  for (std::size_t k = 0; k < results_.size(); ++k)
    text += (k == 0 ? " -> " : " | ") + std::string(describe(results_[k].shape));
  std::set<std::string> lines;
  for (const auto& [at, type] : typed_)
    lines.insert("\n  line " +
                 std::to_string(line_of(bytecode_.insts[static_cast<std::size_t>(at)])) + ": " +
                 type + " without objects");
  for (const std::string& line : lines) text += line;
  return text;
}

void FunctionLowering::finish() {
  ir::Function& f = b_.function();
  for (const Return& r : returns_) {
    b_.set_block(r.block);
    std::vector<ir::ValueId> values;
    for (std::size_t k = 0; k < results_.size(); ++k) {
      if (k == r.kind) {
        values.insert(values.end(), r.values.begin(), r.values.end());
        continue;
      }
      for (std::size_t i = 0; i < results_[k].result_count; ++i)
        values.push_back(b_.undef(f.results[results_[k].first_result + i]));
    }
    b_.ret(values, static_cast<std::int64_t>(r.kind));
  }
  for (const CallSite& site : call_sites_) {
    if (site.gone) continue;
    std::vector<ir::ValueId> results;
    for (const auto& kind : site.kinds) results.insert(results.end(), kind.begin(), kind.end());
    results.push_back(site.status);
    f.blocks[site.block].insts[site.call_inst].results = std::move(results);
  }
}

}  // namespace splice::pyfront
