// pyfront/lower_generator.cpp: a generator expression whose values are taken at once, by sum, any,
// all, min, max, list, tuple or sorted.
//
// An expression has no handlers, so that closing it early does nothing. Its code becomes an
// instance that gives each value it yields to its consumer at once, as a loop would; the two lowest
// stack slots hold what the consumer has so far. Nothing of it can be seen from outside before it
// has ended: such an instance, and what it calls, changes nothing but objects of its own. So when
// anything in it leaves, its records are dropped, and the interpreter starts in front of the making
// of the generator.
#include <cstring>
#include <utility>

#include "cpy/runtime_list.h"
#include "pyfront/function_lowering.h"

namespace splice::pyfront {

using ir::Op;
using ir::Type;
using Tag = AbsVal::Tag;

namespace {

/// What takes values, and the argument that may stand beside them: a constant.
struct Taker {
  Consumer consumer;
  const char* name;  ///< of a builtin function; null: `type`
  PyTypeObject* type;
  const char* keyword;  ///< of the constant; null: none is taken
  bool positional;      ///< the constant may also come without its keyword
};

const Taker* taker(PyObject* callable) {
  static const Taker kTakers[] = {{Consumer::kSum, "sum", nullptr, "start", true},
                                  {Consumer::kAny, "any", nullptr, nullptr, false},
                                  {Consumer::kAll, "all", nullptr, nullptr, false},
                                  {Consumer::kMin, "min", nullptr, "default", false},
                                  {Consumer::kMax, "max", nullptr, "default", false},
                                  {Consumer::kSorted, "sorted", nullptr, "reverse", false},
                                  {Consumer::kList, nullptr, &PyList_Type, nullptr, false},
                                  {Consumer::kTuple, nullptr, &PyTuple_Type, nullptr, false}};
  const char* name = is_builtin_function(callable)
                         ? reinterpret_cast<PyCFunctionObject*>(callable)->m_ml->ml_name
                         : nullptr;
  for (const Taker& t : kTakers) {
    const bool same = t.name != nullptr ? name != nullptr && std::strcmp(name, t.name) == 0
                                        : callable == reinterpret_cast<PyObject*>(t.type);
    if (same) return &t;
  }
  return nullptr;
}

/// A start that CPython's sum keeps as a machine number from the first item on.
bool can_start_sum(PyObject* start) {
  if (PyFloat_CheckExact(start)) return true;
  if (!PyLong_CheckExact(start)) return false;
  int overflow = 0;
  PyLong_AsLongAndOverflow(start, &overflow);
  return overflow == 0;
}

bool fits(Consumer consumer, PyObject* constant) {
  if (consumer == Consumer::kSum) return can_start_sum(constant);
  return consumer != Consumer::kSorted || PyBool_Check(constant);
}

}  // namespace

Consumption FunctionLowering::consumer_behind(int at, std::size_t popped) const {
  const auto& insts = bytecode_.insts;
  auto next = static_cast<std::size_t>(at);
  // The next instruction when nothing jumps to it.
  const auto step = [&]() -> const PyInst* {
    ++next;
    return next < insts.size() && !leader_[next] ? &insts[next] : nullptr;
  };
  const auto constant = [&](int index) { return PyTuple_GET_ITEM(code_->co_consts, index); };
  if (state_.stack.size() < popped + 2) return {};
  const AbsVal* below = &state_.stack[state_.stack.size() - popped - 2];
  const AbsVal& callable = below[kNullAboveCallable ? 0 : 1];
  const AbsVal& null = below[kNullAboveCallable ? 1 : 0];
  if (callable.tag != Tag::kConst || null.tag != Tag::kNull) return {};
  const Taker* by = taker(callable.object);
  if (by == nullptr) return {};

  Consumption taken{by->consumer};
  const PyInst* inst = step();
  PyObject* names = nullptr;
  if (inst != nullptr && inst->op == PyOp::kLoadConst && by->keyword != nullptr) {
    taken.constant = constant(inst->arg);
    inst = step();
    if (inst != nullptr && inst->op == PyOp::kLoadConst) {
      names = constant(inst->arg);
      inst = step();
      if (inst != nullptr && inst->op != PyOp::kCallKw) return {};
    }
  }
  if (inst == nullptr || inst->arg != (taken.constant != nullptr ? 2 : 1)) return {};
  if (inst->op == PyOp::kCall) {
    if (inst->arg2 >= 0) names = constant(inst->arg2);
  } else if (inst->op != PyOp::kCallKw || names == nullptr) {
    return {};
  }
  if (names != nullptr) {
    if (taken.constant == nullptr || !PyTuple_CheckExact(names) || PyTuple_GET_SIZE(names) != 1 ||
        PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(names, 0), by->keyword) != 0)
      return {};
  } else if (taken.constant != nullptr && !by->positional) {
    return {};
  }
  if (taken.constant != nullptr && !fits(by->consumer, taken.constant)) return {};
  taken.next = static_cast<int>(next) + 1;
  return taken;
}

void FunctionLowering::start_consumer(State& state) {
  AbsVal total = AbsVal::null();
  if (role_.constant != nullptr) unit_.keep(role_.constant);
  if (role_.consumer == Consumer::kSum) {
    // Without a value the result is a new object too.
    PyObject* const start = role_.constant;
    total = start == nullptr            ? known_int(b_.const_i64(0))
            : PyFloat_CheckExact(start) ? known_float(b_.const_f64(PyFloat_AS_DOUBLE(start)))
                                        : known_int(b_.const_i64(PyLong_AsLong(start)));
  }
  state.stack = {total, AbsVal::null()};
}

bool FunctionLowering::makes_list() const {
  return role_.consumer == Consumer::kList || role_.consumer == Consumer::kTuple ||
         role_.consumer == Consumer::kSorted;
}

bool FunctionLowering::begin_list() {
  const ir::SymbolId begin = unit_.runtime("splice_rt_begin_list", {}, Type::kOwned,
                                           reinterpret_cast<void*>(&splice_rt_begin_list));
  PyObject* sample = unit_.make_list_sample();
  if (sample == nullptr) return leave("no memory");
  if (!give_new(b_.call_runtime(begin, {}), &PyList_Type, sample)) return false;
  state_.stack[0] = std::move(state_.stack.back());
  state_.stack.back() = py_none();
  return true;
}

bool FunctionLowering::yield_value(int at) {
  const AbsVal value = state_.stack.back();
  switch (role_.consumer) {
    case Consumer::kNone:
      return leave("`yield`");
    case Consumer::kSum:
      if (!add_to_sum(value)) return false;
      break;
    case Consumer::kAny:
    case Consumer::kAll:
      if (!end_if_decided(value)) return false;
      break;
    case Consumer::kMin:
    case Consumer::kMax:
      if (!keep_best(value, at)) return false;
      break;
    case Consumer::kList:
    case Consumer::kTuple:
    case Consumer::kSorted:
      if (!append_to(state_.stack[0], value, 1, at + 1)) return false;
      state_.stack.push_back(py_none());
      release_unreferenced(true);
      return true;
  }
  state_.stack.back() = py_none();  // what it is sent
  return true;
}

bool FunctionLowering::keep_best(const AbsVal& value, int at) {
  AbsVal& best = state_.stack[0];
  if (best.tag == Tag::kNull) {
    best = value;
    return true;
  }
  if (best.may_be_unbound()) {
    // The first value goes on by itself.
    const ir::BlockId first = b_.create_block();
    const ir::BlockId later = b_.create_block();
    b_.cond_br(best.present, {later, {}}, {first, {}});
    in_branch(first, [&] {
      state_.stack[0] = value;
      state_.stack.back() = py_none();
      release_unreferenced(false);
      add_edge(at + 1, b_.current_block(), std::move(state_));
    });
    b_.set_block(later);
    state_.stack[0].present = ir::kNone;
  }
  const AbsVal before = state_.stack[0];
  AbsVal out;
  const int known = builtin_min_max({before, value}, role_.consumer == Consumer::kMax, out);
  if (known == 0) return false;
  if (known < 0) return leave("comparing " + with_article(before) + " with " + with_article(value));
  state_.stack[0] = std::move(out);
  return true;
}

bool FunctionLowering::add_to_sum(const AbsVal& value) {
  const AbsVal total = state_.stack[0];
  const AbsVal low = state_.stack[1];
  Number sum;
  Number n;
  if (!number(total, sum) || !number(value, n)) return leave("the sum with " + with_article(value));
  if (sum.tag != Tag::kFloat || n.tag == Tag::kComplex) {
    AbsVal out;
    AbsVal before = total;
    if (sum.tag == Tag::kFloat) before = known_float(with_low_part(sum.value, as_float_of(low)));
    if (!binary_op(before, value, BinaryOperator::kAdd, out)) return false;
    state_.stack[0] = std::move(out);
    Number now;
    number(state_.stack[0], now);
    state_.stack[1] = now.tag == Tag::kFloat ? known_float(b_.const_f64(0.0)) : AbsVal::null();
    return true;
  }
  // As CPython since 3.12: floats with the compensation of Neumaier (1974), ints without.
  const ir::ValueId x = as_float(n);
  const ir::ValueId s = sum.value;
  const ir::ValueId t = b_.binary(Op::kAdd, s, x);
  state_.stack[0] = known_float(t);
  if (n.tag != Tag::kFloat) return true;
  const ir::ValueId larger = b_.compare(Op::kGe, b_.unary(Op::kFabs, s), b_.unary(Op::kFabs, x));
  const ir::ValueId big = b_.select(larger, s, x);
  const ir::ValueId small = b_.select(larger, x, s);
  const ir::ValueId lost = b_.binary(Op::kAdd, b_.binary(Op::kSub, big, t), small);
  state_.stack[1] = known_float(b_.binary(Op::kAdd, as_float_of(low), lost));
  return true;
}

ir::ValueId FunctionLowering::as_float_of(const AbsVal& v) {
  Number n;
  return number(v, n) ? as_float(n) : b_.const_f64(0.0);
}

ir::ValueId FunctionLowering::with_low_part(ir::ValueId sum, ir::ValueId low) {
  const double infinity = Py_HUGE_VAL;
  const ir::ValueId counts =
      b_.binary(Op::kAnd, b_.compare(Op::kNe, low, b_.const_f64(0.0)),
                b_.compare(Op::kLt, b_.unary(Op::kFabs, low), b_.const_f64(infinity)));
  return b_.select(counts, b_.binary(Op::kAdd, sum, low), sum);
}

bool FunctionLowering::end_if_decided(const AbsVal& value) {
  const bool any = role_.consumer == Consumer::kAny;
  const ir::ValueId t = truth(value);
  if (t == ir::kNone) return leave("the truth of " + with_article(value));
  const ir::BlockId decided = b_.create_block();
  const ir::BlockId undecided = b_.create_block();
  b_.cond_br(t, {any ? decided : undecided, {}}, {any ? undecided : decided, {}});
  in_branch(decided, [&] { return_value(AbsVal::constant(any ? Py_True : Py_False)); });
  b_.set_block(undecided);
  return true;
}

bool FunctionLowering::end_list(AbsVal& result, int at) {
  if (role_.consumer == Consumer::kTuple) {
    const ir::SymbolId tuple = unit_.runtime("splice_rt_list_as_tuple", {Type::kObj}, Type::kOwned,
                                             reinterpret_cast<void*>(&splice_rt_list_as_tuple));
    const ir::ValueId made = b_.call_runtime(tuple, {object_value(result)});
    check_made(made);
    adopt(made);
    result = AbsVal::object_of(made, &PyTuple_Type, result.hint);
    return true;
  }
  const ir::SymbolId end = unit_.runtime("splice_rt_end_list", {Type::kObj}, Type::kVoid,
                                         reinterpret_cast<void*>(&splice_rt_end_list));
  b_.call_runtime(end, {object_value(result)});
  if (role_.consumer != Consumer::kSorted) return true;
  PyObject* const reverse = role_.constant != nullptr ? role_.constant : Py_False;
  return sort_list(result, AbsVal::constant(reverse), at) > 0;
}

bool FunctionLowering::end_consumer(int at) {
  AbsVal result = state_.stack[0];
  switch (role_.consumer) {
    case Consumer::kAny:
    case Consumer::kAll:
      result = AbsVal::constant(role_.consumer == Consumer::kAll ? Py_True : Py_False);
      break;
    case Consumer::kSum:
      if (result.tag == Tag::kFloat)
        result = known_float(with_low_part(result.value, as_float_of(state_.stack[1])));
      break;
    case Consumer::kList:
    case Consumer::kTuple:
    case Consumer::kSorted:
      if (!end_list(result, at)) return false;
      break;
    default:
      if (!end_without_values()) return false;
      result.present = ir::kNone;
  }
  return return_value(result);
}

bool FunctionLowering::end_without_values() {
  const AbsVal best = state_.stack[0];
  if (role_.constant == nullptr) {
    if (best.tag == Tag::kNull) return leave("no values");
    if (best.may_be_unbound()) guard(best.present, "no values");
    return true;
  }
  if (best.tag == Tag::kNull) return return_value(AbsVal::constant(role_.constant));
  if (!best.may_be_unbound()) return true;
  const ir::BlockId none = b_.create_block();
  const ir::BlockId some = b_.create_block();
  b_.cond_br(best.present, {some, {}}, {none, {}});
  in_branch(none, [&] { return_value(AbsVal::constant(role_.constant)); });
  b_.set_block(some);
  return true;
}

bool FunctionLowering::changes_things(const PyInst& inst) const {
  switch (inst.op) {
    case PyOp::kStoreSubscr:
    case PyOp::kDeleteSubscr:
    case PyOp::kStoreSlice:
    case PyOp::kStoreGlobal:
      return true;
    case PyOp::kStoreDeref:  // cells of its own are made anew with it
      return inst.arg >= code_->co_nlocalsplus - code_->co_nfreevars;
    case PyOp::kBinaryOp: {
      const AbsVal& left = state_.stack[state_.stack.size() - 2];
      return inst.arg2 != 0 && number_tag(left) == Tag::kNull && left.tag != Tag::kTuple;
    }
    default:
      return false;
  }
}

}  // namespace splice::pyfront
