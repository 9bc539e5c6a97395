// pyfront/leaks_step.cpp: what each instruction does with objects.
#include <algorithm>

#include "cpy/number_source.h"
#include "pyfront/leaks_pass.h"

namespace splice::pyfront::leaks {

namespace {

/// Ints that are one object whoever makes them, and bools.
bool has_no_identity(PyObject* o) {
  if (PyBool_Check(o)) return true;
  if (!PyLong_CheckExact(o)) return false;
  int overflow = 0;
  const long v = PyLong_AsLongAndOverflow(o, &overflow);
  return overflow == 0 && v >= -5 && v <= 256;
}

bool is_named(PyObject* text, const char* wanted) {
  return PyUnicode_CompareWithASCIIString(text, wanted) == 0;
}

/// The name of a function of module `module`, "" for others.
std::string function_of(PyObject* callable, const char* module) {
  if (callable == nullptr || !PyCFunction_CheckExact(callable)) return "";
  const auto* f = reinterpret_cast<PyCFunctionObject*>(callable);
  if (f->m_module == nullptr || !PyUnicode_Check(f->m_module) || !is_named(f->m_module, module))
    return "";
  return f->m_ml->ml_name;
}

}  // namespace

bool Pass::step(const PyInst& inst) {
  const auto local = [&]() -> Nodes& { return locals_[static_cast<std::size_t>(inst.arg)]; };
  switch (inst.op) {
    case PyOp::kNop:
    case PyOp::kDeleteFast:
    case PyOp::kMakeCell:
    case PyOp::kCopyFreeVars:
      return true;
    case PyOp::kLoadFast:
    case PyOp::kLoadFastCheck:
    case PyOp::kLoadFastAndClear:
      push(local());
      return true;
    case PyOp::kStoreFast: {
      const Value v = pop();
      keep(v);
      grow(local(), v.nodes);
      return true;
    }
    case PyOp::kLoadConst: {
      PyObject* value = PyTuple_GET_ITEM(names_.code->co_consts, inst.arg);
      Value v = named(value);
      if (has_no_identity(value)) v.nodes.clear();
      push(std::move(v));
      return true;
    }
    case PyOp::kLoadGlobal: {
      PyObject* name = PyTuple_GET_ITEM(names_.code->co_names, inst.arg);
      push(named(names_.global(name)));
      if (inst.arg2 == 0) return true;
      Value none;
      none.null = true;
      push(std::move(none));  // above or below the callable: call() looks
      return true;
    }
    case PyOp::kLoadDeref:
      push(named());
      return true;
    case PyOp::kStoreDeref:
    case PyOp::kStoreGlobal:
      observe(pop());
      return true;
    case PyOp::kMakeFunction:
      for (int attributes = inst.arg; attributes != 0; attributes &= attributes - 1) observe(pop());
      pop();
      push(named());
      return true;
    case PyOp::kSetFunctionAttribute:
      for (int i = 0; i < 2; ++i) observe(pop());
      push(named());
      return true;
    case PyOp::kReturnGenerator:
      push(named());
      return true;
    case PyOp::kYieldValue:
      observe(pop());
      push(named());
      return true;
    case PyOp::kPushNull: {
      Value none;
      none.null = true;
      push(std::move(none));
      return true;
    }
    case PyOp::kPopTop:
      pop();
      return true;
    case PyOp::kCopy: {
      const auto depth = static_cast<std::size_t>(inst.arg);
      push(stack_.size() >= depth ? stack_[stack_.size() - depth] : named());
      return true;
    }
    case PyOp::kSwap: {
      const auto depth = static_cast<std::size_t>(inst.arg);
      while (stack_.size() < depth) stack_.insert(stack_.begin(), named());
      std::swap(stack_.back(), stack_[stack_.size() - depth]);
      return true;
    }
    case PyOp::kUnaryPositive: {
      const Value v = pop();
      use_number(v);
      push(v.nodes);
      return true;
    }
    case PyOp::kUnaryNegative:
    case PyOp::kUnaryInvert:
      use_number(pop());
      push({number()});
      return true;
    case PyOp::kUnaryNot:
    case PyOp::kToBool:
      pop();
      push(Value{});
      return true;
    case PyOp::kBinaryOp:
      binary(inst);
      return true;
    case PyOp::kCompareOp:
      for (int i = 0; i < 2; ++i) use_number(pop());
      push(Value{});
      return true;
    case PyOp::kIsOp:
      for (int i = 0; i < 2; ++i) observe(pop());
      push(Value{});
      return true;
    case PyOp::kContainsOp: {
      const Value container = pop();
      lists_of(container);
      if (!is_list(container)) observe(container);
      const Value wanted = pop();
      note_search(is_list(container), wanted);
      use_number(wanted);
      push(Value{});
      return true;
    }
    case PyOp::kJump:
    case PyOp::kJumpBackward:
      reach(inst.target, stack_);
      return false;
    case PyOp::kPopJumpIfFalse:
    case PyOp::kPopJumpIfTrue:
    case PyOp::kPopJumpIfNone:
    case PyOp::kPopJumpIfNotNone:
      pop();
      reach(inst.target, stack_);
      return true;
    case PyOp::kGetIter:
      push({make(0, Node::Kind::kView, items_of(pop()))});
      return true;
    case PyOp::kForIter: {
      const Value iterator = pop();
      reach(inst.target, stack_);
      push(iterator);
      push(items_of(iterator));
      return true;
    }
    case PyOp::kReturnValue:
      returns(pop());
      return false;
    case PyOp::kReturnConst:
      return false;
    case PyOp::kRaise:
      for (int i = 0; i < inst.arg; ++i) observe(pop());
      return false;
    case PyOp::kCall:
    case PyOp::kCallKw:
      call(inst);
      return true;
    case PyOp::kLoadAttr:
      attribute(inst);
      return true;
    case PyOp::kBuildTuple: {
      std::vector<Nodes> parts(static_cast<std::size_t>(inst.arg));
      for (std::size_t i = parts.size(); i-- > 0;) parts[i] = pop().nodes;
      push(tuple_of(0, parts));
      return true;
    }
    case PyOp::kUnpackSequence: {
      const Value v = pop();
      leak_lists(v);
      const auto n = static_cast<std::size_t>(inst.arg);
      for (std::size_t i = n; i-- > 0;) push(part_of(v, i, n));
      return true;
    }
    case PyOp::kUnpackEx:
      observe(pop());
      push(named(), inst.arg + inst.arg2 + 1);
      return true;
    case PyOp::kBuildSlice: {
      for (int i = 0; i < inst.arg; ++i) observe(pop());
      Value v = named();
      v.slice = true;
      push(std::move(v));
      return true;
    }
    case PyOp::kBinarySubscr: {
      const Value index = pop();
      const Value container = pop();
      use_number(index);
      index.slice ? slice(container) : push(items_of(container));
      return true;
    }
    case PyOp::kStoreSubscr: {
      const Value index = pop();
      const Value container = pop();
      use_number(index);
      if (index.slice) observe(container);
      store(container, pop());
      return true;
    }
    case PyOp::kDeleteSubscr: {
      const Value index = pop();
      const Value container = pop();
      use_number(index);
      if (index.slice) observe(container);
      lists_of(container);
      return true;
    }
    case PyOp::kBinarySlice: {
      const Value stop = pop();
      const Value start = pop();
      const Value container = pop();
      for (const Value* bound : {&start, &stop})
        is_list(container) ? use_number(*bound) : observe(*bound);
      slice(container);
      return true;
    }
    case PyOp::kStoreSlice:
      for (int i = 0; i < 4; ++i) observe(pop());
      return true;
    case PyOp::kBuildList: {
      Value list = value_of({make(0, Node::Kind::kList)});
      for (int i = 0; i < inst.arg; ++i) store(list, pop());
      push(std::move(list));
      return true;
    }
    case PyOp::kListAppend:
    case PyOp::kListExtend: {
      const Value v = pop();
      const auto depth = static_cast<std::size_t>(inst.arg);
      const Value list = stack_.size() >= depth ? stack_[stack_.size() - depth] : named();
      if (inst.op == PyOp::kListAppend) {
        store(list, v);
        return true;
      }
      if (v.known != nullptr && PyTuple_CheckExact(v.known)) {
        Nodes items;
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(v.known); ++i)
          if (!has_no_identity(PyTuple_GET_ITEM(v.known, i))) items = {kNamed};
        store(list, value_of(items));
      } else {
        leak_lists(list);
        observe(v);
      }
      return true;
    }
    case PyOp::kUnsupported:
      break;
  }
  for (const Value& v : stack_) observe(v);
  stack_.clear();
  return true;
}

void Pass::slice(const Value& container) {
  const Nodes lists = lists_of(container);
  if (is_list(container)) return push(copy_of(lists));
  observe(container);
  push(named());
}

void Pass::binary(const PyInst& inst) {
  const Value right = pop();
  const Value left = pop();
  const auto op = static_cast<BinaryOperator>(inst.arg);
  if (op == BinaryOperator::kMultiply && inst.arg2 == 0) {
    for (const Value* v : {&left, &right}) {
      const Nodes lists = lists_of(*v);
      if (lists.empty() || !is_list(*v)) continue;
      use_number(v == &left ? right : left);
      return push(copy_of(lists));
    }
  }
  if (op == BinaryOperator::kAdd) {
    const Nodes lists = lists_of(left);
    const Nodes more = lists_of(right);
    if (!lists.empty() && !more.empty() && is_list(left) && is_list(right)) {
      if (inst.arg2 == 0) {
        Nodes both = lists;
        add_all(both, more);
        return push(copy_of(both));
      }
      extend(lists, more);
      return push(left.nodes);
    }
  }
  use_number(left);
  use_number(right);
  Nodes result = {number()};
  // A small dividend is handed back itself, and so may be what is raised to the power of 1 or
  // shifted by 0.
  if (op == BinaryOperator::kRemainder || op == BinaryOperator::kPower ||
      op == BinaryOperator::kRshift)
    add_all(result, left.nodes);
  push(std::move(result));
}

void Pass::attribute(const PyInst& inst) {
  const Value owner = pop();
  PyObject* name = PyTuple_GET_ITEM(names_.code->co_names, inst.arg);
  Value none;
  none.null = true;
  if (owner.known != nullptr && PyModule_CheckExact(owner.known)) {
    push(named(names_.attribute(owner.known, name)));
    if (inst.arg2 != 0) push(std::move(none));
    return;
  }
  if (inst.arg2 == 0) {
    observe(owner);
    return push(named());
  }
  Value method = named();
  method.method = inst.arg;
  push(std::move(method));
  push(owner);
}

void Pass::call(const PyInst& inst) {
  const bool keywords = inst.op == PyOp::kCallKw || inst.arg2 >= 0;
  if (inst.op == PyOp::kCallKw) pop();
  std::vector<Value> args(static_cast<std::size_t>(inst.arg));
  for (std::size_t i = args.size(); i-- > 0;) args[i] = pop();
  Value above = pop();
  Value below = pop();
  const Value& callable = below.null ? above : below;
  const bool has_self = !below.null && !above.null;
  if (!keywords && has_self && callable.method >= 0) {
    const char* name = PyUnicode_AsUTF8(PyTuple_GET_ITEM(names_.code->co_names, callable.method));
    if (name == nullptr)
      PyErr_Clear();
    else if (call_method(name, above, args))
      return;
  }
  if (!keywords && !has_self && call_known(callable.known, args)) return;
  if (!keywords && !has_self && call_function(callable.known, args)) return;
  observe(below);
  observe(above);
  for (const Value& arg : args) observe(arg);
  push(named());
}

bool Pass::call_method(const std::string& name, const Value& self, const std::vector<Value>& args) {
  const Nodes lists = lists_of(self);
  if (!is_list(self)) return false;
  const std::size_t n = args.size();
  if (name == "copy" && n == 0) {
    push(copy_of(lists));
    return true;
  }
  if ((name == "index" || name == "count") && n == 1) {
    note_search(true, args[0]);
    use_number(args[0]);
    push({number()});
    return true;
  }
  if (name == "append" && n == 1) {
    store(self, args[0]);
  } else if (name == "insert" && n == 2) {
    use_number(args[0]);
    store(self, args[1]);
  } else if (name == "pop" && n <= 1) {
    if (n == 1) use_number(args[0]);
    push(items_of(self));
    return true;
  } else if (name == "extend" && n == 1) {
    if (!is_list(args[0])) return false;
    extend(lists, lists_of(args[0]));
  } else if ((name != "clear" && name != "reverse" && name != "sort") || n != 0) {
    return false;
  }
  push(Value{});
  return true;
}

bool Pass::call_known(PyObject* callable, const std::vector<Value>& args) {
  const std::size_t n = args.size();
  const auto is_type = [&](PyTypeObject& type) {
    return callable == reinterpret_cast<PyObject*>(&type);
  };
  const std::string builtin = function_of(callable, "builtins");
  if (n == 1 && (builtin == "len" || builtin == "any" || builtin == "all" || builtin == "sum")) {
    lists_of(args[0]);
    push({number()});
    return true;
  }
  if (n == 1 && (builtin == "min" || builtin == "max")) {
    push(items_of(args[0]));
    return true;
  }
  if ((is_type(PyList_Type) || builtin == "sorted") && n == 1) {
    const Nodes lists = lists_of(args[0]);
    if (is_list(args[0])) {
      push(copy_of(lists));
      return true;
    }
  }
  if (is_type(PyBool_Type) && n == 1) {
    push(Value{});
    return true;
  }
  if (is_type(PyEnum_Type) || is_type(PyZip_Type) || is_type(PyReversed_Type)) {
    // zip and enumerate give tuples, reversed the items themselves.
    std::vector<Nodes> parts;
    if (is_type(PyEnum_Type)) parts.push_back({counted()});
    for (std::size_t i = 0; i < n; ++i) {
      if (is_type(PyEnum_Type) && i == 1)
        use_number(args[i]);
      else
        parts.push_back(items_of(args[i]));
    }
    const bool reversed = is_type(PyReversed_Type) && n == 1;
    push({make(0, Node::Kind::kView, reversed ? parts[0] : tuple_of(3, parts))});
    return true;
  }
  if (is_type(PyList_Type) && n == 1 && args[0].nodes.size() == 1 &&
      node(args[0].nodes[0]).kind == Node::Kind::kRange) {
    push({make(0, Node::Kind::kList, items_of(args[0]))});
    return true;
  }
  const bool range = is_type(PyRange_Type);
  const bool arithmetic = builtin == "abs" || builtin == "min" || builtin == "max" ||
                          builtin == "round" || builtin == "pow" || builtin == "divmod" ||
                          is_type(PyLong_Type) || is_type(PyFloat_Type) ||
                          !function_of(callable, "math").empty() ||
                          cpy::number_source(callable) != cpy::NumberSource::kNone;
  if (!range && !arithmetic) return false;
  for (const Value& arg : args) use_number(arg);
  if (range) {
    const int made = make(0, Node::Kind::kRange, {counted()});
    for (const Value& arg : args) grow(node(made).held, arg.nodes);
    push({made});
    return true;
  }
  Nodes numbers = {number()};  // many hand an argument back
  for (const Value& arg : args) add_all(numbers, arg.nodes);
  if (builtin == "divmod") numbers = {make(0, Node::Kind::kView, numbers)};
  push(std::move(numbers));
  return true;
}

bool Pass::call_function(PyObject* callable, const std::vector<Value>& args) {
  if (callable == nullptr || !PyFunction_Check(callable)) return false;
  auto* callee = reinterpret_cast<PyFunctionObject*>(callable);
  const auto* code = reinterpret_cast<PyCodeObject*>(callee->func_code);
  if ((code->co_flags & (CO_VARARGS | CO_VARKEYWORDS)) != 0 ||
      args.size() > static_cast<std::size_t>(code->co_argcount))
    return false;
  const std::vector<bool>& observed = names_.observed(callee);
  for (std::size_t i = 0; i < args.size(); ++i)
    observed[i] ? observe(args[i]) : use_number(args[i]);
  push(named());
  return true;
}

}  // namespace splice::pyfront::leaks
