// pyfront/lower_call.cpp: names from outside, calls, returns.
#include <algorithm>
#include <cstddef>
#include <cstring>

#include "base/check.h"
#include "layout/context.h"
#include "pyfront/function_lowering.h"

namespace splice::pyfront {

using ir::Op;
using ir::Type;
using layout::Context;
using Tag = AbsVal::Tag;

namespace {

constexpr std::size_t kMaxResultKinds = 6;

std::string name_of(PyObject* callable) {
  PyObject* name = nullptr;
  if (PyFunction_Check(callable)) name = reinterpret_cast<PyFunctionObject*>(callable)->func_name;
  if (name != nullptr && PyUnicode_Check(name)) {
    const char* text = PyUnicode_AsUTF8(name);
    if (text != nullptr) return text;
    PyErr_Clear();
  }
  if (PyCFunction_Check(callable))
    return reinterpret_cast<PyCFunctionObject*>(callable)->m_ml->ml_name;
  if (PyType_Check(callable)) return reinterpret_cast<PyTypeObject*>(callable)->tp_name;
  return with_article(Py_TYPE(callable)->tp_name);
}

}  // namespace

bool FunctionLowering::load_attr(const PyInst& inst) {
  const AbsVal owner = state_.stack.back();
  PyObject* name = PyTuple_GET_ITEM(code_->co_names, inst.arg);
  const char* text = PyUnicode_AsUTF8(name);
  if (text == nullptr) {
    PyErr_Clear();
    return leave("an attribute with a strange name");
  }
  const std::string attribute = text;
  const auto push = [&](AbsVal v) {
    state_.stack.pop_back();
    if (inst.arg2 != 0 && !kNullAboveCallable) state_.stack.push_back(AbsVal::null());
    state_.stack.push_back(std::move(v));
    if (inst.arg2 != 0 && kNullAboveCallable) state_.stack.push_back(AbsVal::null());
    return true;
  };
  if (owner.tag == Tag::kConst && PyModule_CheckExact(owner.object) &&
      attribute.compare(0, 2, "__") != 0) {
    PyObject* value = unit_.find_in_module(owner.object, name);
    if (value != nullptr) return push(AbsVal::constant(value));
  }
  PyTypeObject* type = is_typed_list(owner) ? &PyList_Type : exact_type(owner);
  if (inst.arg2 != 0 && (is_sequence(type) || type == &PyLong_Type || type == &PyFloat_Type ||
                         type == &PyComplex_Type || is_array(owner))) {
    PyObject* method = _PyType_Lookup(type, name);
    if (method != nullptr && Py_TYPE(method) == &PyMethodDescr_Type) {
      unit_.keep(method);
      state_.stack.back() = AbsVal::constant(method);
      state_.stack.push_back(owner);
      return true;
    }
  }
  if (inst.arg2 == 0 && is_array(owner)) {
    AbsVal value;
    const int known = array_attribute(owner, attribute, value);
    if (known >= 0) return known > 0 && push(std::move(value));
  }
  Scalar s;
  if (inst.arg2 == 0 && (attribute == "real" || attribute == "imag") && scalar(owner, s) &&
      mem::is_complex(s.element)) {
    const ir::ValueId part = attribute == "real" ? b_.real(s.value) : b_.imag(s.value);
    return push(s.element == mem::ElementType::kC128
                    ? AbsVal::scalar(mem::ElementType::kF64, part)
                    : AbsVal::scalar(mem::ElementType::kF32, b_.convert(part, Type::kF32)));
  }
  Number n;
  if (inst.arg2 == 0 && number(owner, n)) {
    const bool real = attribute == "real";
    if (real || attribute == "imag") {
      if (n.tag == Tag::kComplex)
        return push(known_float(real ? b_.real(n.value) : b_.imag(n.value)));
      if (n.tag == Tag::kInt) return push(real ? owner : known_int(b_.const_i64(0)));
      if (n.tag == Tag::kFloat && real) return push(owner);
    }
  }
  return leave("the attribute '" + attribute + "' of " + with_article(owner));
}

std::int64_t FunctionLowering::large_frame() const {
  // 400 statements of 10 instructions took 26 KiB without LLVM's passes, 44 took 3 with them.
  constexpr std::int64_t kPerInstruction = 16;
  constexpr std::int64_t kSmall = 4096;
  const std::int64_t bytes = kPerInstruction * static_cast<std::int64_t>(bytecode_.insts.size());
  return bytes < kSmall ? 0 : bytes;
}

ir::ValueId has_stack(ir::Builder& b, ir::ValueId ctx, std::int64_t bytes) {
  const auto number = [&](ir::ValueId address) { return b.bitcast(address, Type::kU64); };
  ir::ValueId limit = number(
      b.load(Type::kPtr, ctx, static_cast<std::int64_t>(offsetof(layout::Context, stack_limit))));
  if (bytes != 0) limit = b.binary(Op::kAdd, limit, b.bitcast(b.const_i64(bytes), Type::kU64));
  return b.compare(Op::kGt, number(b.stack_address()), limit);
}

bool FunctionLowering::call(const PyInst& inst, int at) {
  const std::size_t size = state_.stack.size();
  const std::size_t keywords_on_stack = inst.op == PyOp::kCallKw ? 1 : 0;
  const auto argc = static_cast<std::size_t>(inst.arg);
  const std::size_t popped = argc + 2 + keywords_on_stack;
  SPLICE_CHECK(size >= popped, "a call has its operands on the stack");
  AbsVal* base = &state_.stack[size - popped];
  const AbsVal& callable =
      kNullAboveCallable ? base[0] : (base[0].tag == Tag::kNull ? base[1] : base[0]);
  const bool has_self = kNullAboveCallable ? base[1].tag != Tag::kNull : base[0].tag != Tag::kNull;

  PyObject* target = callable.tag == Tag::kConst ? callable.object : nullptr;
  bool any_closure = false;
  if (callable.tag == Tag::kObject && callable.hint != nullptr && can_be_called(callable.hint)) {
    target = callable.hint;
    any_closure = PyFunction_Check(target) && PyFunction_GET_CLOSURE(target) != nullptr;
    if (any_closure) target = unit_.sample_of_closure(reinterpret_cast<PyFunctionObject*>(target));
    if (target != nullptr) guard_callable(callable.value, target);
  }
  const bool of_numpy = target != nullptr && cpy::numpy_routine(target).has_value();
  if (target != nullptr && PyFunction_Check(target) && !of_numpy) {
    // The callee may change what containers hold.
    barrier(at + 1);
    pre_ = state_;
  }
  PyObject* keywords = nullptr;
  if (inst.op == PyOp::kCallKw) keywords = state_.stack.back().object;
  if (inst.op == PyOp::kCall && inst.arg2 >= 0)
    keywords = PyTuple_GET_ITEM(code_->co_consts, inst.arg2);

  std::vector<AbsVal> args;
  if (has_self) args.push_back(base[1]);
  args.insert(args.end(), base + 2, base + 2 + argc);

  if (target == nullptr) return leave("a call of " + with_article(callable));
  if (PyFunction_Check(target) && !of_numpy) {
    auto* callee = reinterpret_cast<PyFunctionObject*>(target);
    const ir::ValueId function = any_closure ? callable.value : ir::kNone;
    const bool expression =
        is_generator_expression(reinterpret_cast<PyCodeObject*>(callee->func_code));
    const Consumption taken = expression ? consumer_behind(at, popped) : Consumption{};
    // A consumer's call is made with this one: its callable and NULL are popped too.
    const bool both = taken.consumer != Consumer::kNone;
    return call_python(callee, function, args, keywords, both ? popped + 2 : popped,
                       both ? taken.next : at + 1, taken);
  }
  if (keywords == nullptr && is_mixed_min_max(target, args))
    return mixed_min_max(target, args, popped, at);
  AbsVal out;
  const bool is_method = Py_TYPE(target) == &PyMethodDescr_Type && !args.empty();
  const bool of_list = is_method && (args[0].is_exact(&PyList_Type) || is_typed_list(args[0]));
  int known = -1;
  if (of_numpy) {
    known = call_numpy(target, args, keywords, at + 1, out);
    if (known > 0) {
      give(std::move(out), popped);
      release_unreferenced(true);
      stay_if_current(at + 1);
      return true;
    }
  } else if (keywords == nullptr && cpy::is_numpy_ufunc(target)) {
    known = call_ufunc(target, args, out);
  } else if (is_method && is_array(args[0])) {
    known = call_array_method(target, args, keywords, at + 1, out);
    if (known > 0) {
      give(std::move(out), popped);
      release_unreferenced(true);
      stay_if_current(at + 1);
      return true;
    }
  } else if (of_list || (is_method && args[0].is_exact(&PyByteArray_Type))) {
    const char* method = reinterpret_cast<PyMethodDescrObject*>(target)->d_method->ml_name;
    if (role_.changes_nothing && std::strcmp(method, "index") != 0 &&
        std::strcmp(method, "count") != 0)
      return leave("a change of an object within the values of a generator");
    known = of_list ? call_list_method(method, args, keywords, popped, at, out)
                    : call_plain(target, args, keywords, out);
    if (known > 0) {
      give(std::move(out), popped);
      release_unreferenced(true);
      return true;
    }
  } else if (keywords == nullptr && PyType_Check(target)) {
    known = call_type(reinterpret_cast<PyTypeObject*>(target), args, out);
  } else if (keywords == nullptr && !is_method) {
    known = call_builtin(target, args, out);
  }
  if (known < 0) known = call_plain(target, args, keywords, out);
  if (known == 0) return false;
  if (known > 0) return give(std::move(out), popped);
  return leave("a call of " + name_of(target));
}

void FunctionLowering::guard_callable(ir::ValueId object, PyObject* expected) {
  const char* const another = "a call of another function than before";
  unit_.keep(expected);
  const auto* f = reinterpret_cast<PyFunctionObject*>(expected);
  if (!PyFunction_Check(expected)) {
    guard(b_.compare(Op::kEq, object, b_.symbol(unit_.object_symbol(expected))), another);
    return;
  }
  // Another function object of the same making will do: a `def` or `lambda` that ran again. Its
  // cells may be others.
  guard(b_.py_type_is(object, unit_.object_symbol(reinterpret_cast<PyObject*>(&PyFunction_Type))),
        another);
  ir::ValueId same = ir::kNone;
  const auto require = [&](std::size_t offset, PyObject* value) {
    const ir::ValueId loaded = b_.load(Type::kObj, object, static_cast<std::int64_t>(offset));
    const ir::ValueId equal = b_.compare(
        Op::kEq, loaded, value != nullptr ? b_.symbol(unit_.object_symbol(value)) : b_.null());
    same = same == ir::kNone ? equal : b_.binary(Op::kAnd, same, equal);
  };
  require(offsetof(PyFunctionObject, func_code), f->func_code);
  require(offsetof(PyFunctionObject, func_globals), f->func_globals);
  require(offsetof(PyFunctionObject, func_builtins), f->func_builtins);
  if (f->func_closure == nullptr) require(offsetof(PyFunctionObject, func_closure), nullptr);
  require(offsetof(PyFunctionObject, func_defaults), f->func_defaults);
  require(offsetof(PyFunctionObject, func_kwdefaults), f->func_kwdefaults);
  guard(same, another);
}

bool FunctionLowering::bind_arguments(PyFunctionObject* callee, const std::vector<AbsVal>& args,
                                      PyObject* keywords, std::vector<AbsVal>& out,
                                      std::string& error) {
  auto* code = reinterpret_cast<PyCodeObject*>(callee->func_code);
  const auto positional = static_cast<std::size_t>(code->co_argcount);
  const auto total = positional + static_cast<std::size_t>(code->co_kwonlyargcount);
  const std::size_t named =
      keywords != nullptr ? static_cast<std::size_t>(PyTuple_GET_SIZE(keywords)) : 0;
  const std::size_t given = args.size() - named;
  error = "a call with arguments that do not fit";
  if (given > positional) return false;
  out.assign(total, AbsVal::null());
  std::copy(args.begin(), args.begin() + static_cast<std::ptrdiff_t>(given), out.begin());
  for (std::size_t k = 0; k < named; ++k) {
    PyObject* name = PyTuple_GET_ITEM(keywords, k);
    std::size_t i = static_cast<std::size_t>(code->co_posonlyargcount);
    while (i < total) {
      PyObject* parameter = PyTuple_GET_ITEM(code->co_localsplusnames, i);
      if (parameter == name || PyUnicode_Compare(parameter, name) == 0) break;
      ++i;
    }
    if (i == total || out[i].tag != Tag::kNull) return false;
    out[i] = args[given + k];
  }
  const auto defaults = static_cast<std::size_t>(
      callee->func_defaults != nullptr ? PyTuple_GET_SIZE(callee->func_defaults) : 0);
  for (std::size_t i = 0; i < total; ++i) {
    if (out[i].tag != Tag::kNull) continue;
    PyObject* value = nullptr;
    if (i < positional) {
      if (i + defaults < positional) return false;
      value = PyTuple_GET_ITEM(callee->func_defaults, i + defaults - positional);
    } else if (callee->func_kwdefaults != nullptr && PyDict_CheckExact(callee->func_kwdefaults)) {
      PyObject* parameter = PyTuple_GET_ITEM(code->co_localsplusnames, i);
      value = PyDict_GetItemWithError(callee->func_kwdefaults, parameter);
      unit_.depend_on_key(callee->func_kwdefaults, parameter);
    }
    if (value == nullptr) {
      PyErr_Clear();
      return false;
    }
    unit_.keep(value);
    out[i] = AbsVal::constant(value);
  }
  return true;
}

bool FunctionLowering::call_python(PyFunctionObject* callee, ir::ValueId function,
                                   const std::vector<AbsVal>& args, PyObject* keywords,
                                   std::size_t popped, int next, const Consumption& taken) {
  std::string error;
  std::vector<AbsVal> bound;
  unit_.depend_on_function(reinterpret_cast<PyObject*>(callee));
  const std::string name = name_of(reinterpret_cast<PyObject*>(callee));
  if ((reinterpret_cast<PyCodeObject*>(callee->func_code)->co_flags &
       (CO_VARARGS | CO_VARKEYWORDS)) != 0)
    return leave("a call of " + name + ", which takes * or ** arguments");
  if (!bind_arguments(callee, args, keywords, bound, error)) return leave(error);
  share_arguments(callee, bound, popped, next);
  // The callee borrows: this frame holds its arguments until it returns.
  for (AbsVal& arg : bound) {
    for_each_part(arg, [](AbsVal& part) {
      part.owned = false;
      part.frail = false;
    });
  }
  const bool consumed = taken.consumer != Consumer::kNone;
  const Role role{function != ir::kNone, role_.changes_nothing || consumed, taken.consumer,
                  taken.constant};
  FunctionLowering* instance = unit_.instance(callee, bound, role, error);
  if (instance == nullptr) return leave("a call of " + name + ": " + error);

  // CPython polls where a function begins. Calls that neither call nor loop lose this again
  // (opt/leaf_calls).
  poll();
  // One level of CPython's recursion, counted by the caller.
  const ir::ValueId ctx = b_.ctx();
  const ir::ValueId counter = b_.load(
      Type::kPtr, ctx, static_cast<std::int64_t>(offsetof(Context, py_recursion_remaining)));
  const ir::ValueId remaining = b_.load(Type::kI32, counter);
  guard(b_.compare(Op::kGt, remaining, b_.const_i32(0)), "the recursion limit");
  const bool may_close_a_cycle = instance->index() <= index_;
  if (may_close_a_cycle || instance->large_frame() != 0)
    guard(has_stack(b_, ctx, instance->large_frame()), "the end of the C stack");
  b_.store(counter, b_.binary(Op::kSub, remaining, b_.const_i32(1)));
  std::vector<ir::ValueId> values;
  instance->flatten_args(b_, bound, values);
  if (function != ir::kNone) values.push_back(function);
  const ir::Builder::Values results = b_.call(instance->index(), values);
  const ir::BlockId block = b_.current_block();
  CallSite site;
  site.block = block;
  site.call_inst = b_.block_data(block).insts.size() - 1;
  site.status = results.back();
  b_.store(counter, remaining);

  const ir::BlockId not_ok = b_.create_block();
  b_.switch_(site.status, {not_ok, {}});
  // The callee left: with frames, this frame waits at its CALL behind them; without, nothing has
  // happened yet and the interpreter makes the call.
  b_.set_block(not_ok);
  const ir::BlockId chain = b_.create_block();
  const ir::BlockId again = b_.create_block();
  b_.cond_br(b_.compare(Op::kEq, site.status, b_.const_i32(layout::kLeft)), {chain, {}},
             {again, {}});
  b_.set_block(chain);
  if (consumed) {
    // It has changed nothing: it is made again.
    const char* const reason = intern("a value of a generator");
    b_.function().exits[exit_site(reason).exit].drops_callees = true;
    leave(reason);
  } else {
    leave("a callee that left");
  }
  b_.set_block(again);
  leave("a callee that could not start");

  site.callee = instance->index();
  site.state = state_;
  site.state.stack.resize(site.state.stack.size() - popped);
  site.next = next;
  call_sites_.push_back(std::move(site));
  instance->callers_.emplace_back(index_, call_sites_.size() - 1);
  for (std::size_t k = 0; k < instance->results_.size(); ++k) resume_call(call_sites_.back(), k);
  return false;
}

void FunctionLowering::resume_call(CallSite& site, std::size_t kind) {
  const ResultKind& result = unit_.instance_at(site.callee)->results()[kind];
  AbsVal v = result.shape;
  std::vector<Type> types;
  append_types(v, types);
  std::vector<ir::ValueId> values;
  for (const Type type : types) {
    values.push_back(static_cast<ir::ValueId>(b_.function().values.size()));
    b_.function().values.push_back(type);
  }
  const ir::ValueId* next = values.data();
  bind_values(v, next);
  SPLICE_CHECK(site.kinds.size() == kind, "result kinds come in order");
  site.kinds.push_back(std::move(values));
  if (site.gone) return;
  const ir::BlockId block = b_.create_block("returned");
  b_.add_case(site.block, static_cast<std::int64_t>(kind), {block, {}});
  b_.set_block(block);
  state_ = site.state;
  like_facts_.clear();
  for_each_part(v, [&](const AbsVal& part) {
    if (part.owned) adopt(part.reference());
  });
  state_.stack.push_back(std::move(v));
  pre_ = state_;
  release_unreferenced(true);
  add_edge(site.next, b_.current_block(), std::move(state_));
}

bool FunctionLowering::return_value(AbsVal v) {
  // What the result refers to needs an owner before everything else the frame owns dies, and before
  // the caller drops the arguments that it may be.
  state_.locals.clear();
  state_.stack.assign(1, v);
  std::vector<ir::ValueId> references;
  AbsVal parts = v;
  for_each_part(parts, [&](const AbsVal& part) {
    const ir::ValueId object = part.reference();
    if (object != ir::kNone && !state_.owns(object)) references.push_back(object);
  });
  for (const ir::ValueId object : references)
    if (state_.refers_to(object)) own(object);
  box_repeated(v);
  mark_ownership(state_);
  const AbsVal result = state_.stack[0];

  std::size_t kind = 0;
  while (kind < results_.size() && !accepts(results_[kind].shape, result)) ++kind;
  if (kind == results_.size()) {
    if (kind == kMaxResultKinds) return leave("a result of yet another type");
    AbsVal shape = result;
    generalize_result(shape);
    if (shape.tag == Tag::kConst && shape.object != Py_None)
      shape = AbsVal::object_of(ir::kNone, Py_TYPE(shape.object));
    ResultKind added{shape, b_.function().results.size(), 0};
    std::vector<Type> types;
    append_types(shape, types);
    added.result_count = types.size();
    b_.function().results.insert(b_.function().results.end(), types.begin(), types.end());
    results_.push_back(std::move(added));
  }
  release_unreferenced(false);
  Return r{0, kind, {}};
  std::vector<ir::ValueId> free = state_.owned;
  pass(results_[kind].shape, result, free, r.values);
  r.block = b_.current_block();
  returns_.push_back(std::move(r));
  wake_callers(kind);
  return false;
}

void FunctionLowering::wake_callers(std::size_t kind) {
  for (std::size_t i = 0; i < callers_.size(); ++i) {
    FunctionLowering* caller = unit_.instance_at(callers_[i].first);
    CallSite& site = caller->call_sites_[callers_[i].second];
    if (site.kinds.size() == kind) caller->resume_call(site, kind);
  }
}

}  // namespace splice::pyfront
