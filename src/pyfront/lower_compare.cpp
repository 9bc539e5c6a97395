// pyfront/lower_compare.cpp: comparison, identity, membership, branches.
#include "cpy/runtime_number.h"
#include "cpy/runtime_sequence.h"
#include "pyfront/function_lowering.h"

namespace splice::pyfront {

using ir::Op;
using ir::Type;
using Tag = AbsVal::Tag;

Op compare_op(int op) {
  switch (op) {
    case Py_LT:
      return Op::kLt;
    case Py_LE:
      return Op::kLe;
    case Py_EQ:
      return Op::kEq;
    case Py_NE:
      return Op::kNe;
    case Py_GT:
      return Op::kGt;
    default:
      return Op::kGe;
  }
}

int swapped(int op) {
  switch (op) {
    case Py_LT:
      return Py_GT;
    case Py_LE:
      return Py_GE;
    case Py_GT:
      return Py_LT;
    case Py_GE:
      return Py_LE;
    default:
      return op;
  }
}

namespace {

constexpr std::int64_t kExactFloat = std::int64_t{1} << 53;

/// NumPy's own dtype object, and what names another or the same.
bool are_dtypes(PyObject* a, PyObject* b) {
  const auto names = [](PyObject* o) { return PyType_Check(o) || PyUnicode_Check(o); };
  return cpy::named_dtype(a) && cpy::named_dtype(b) && !(names(a) && names(b));
}

}  // namespace

ir::ValueId FunctionLowering::compare_int_float(ir::ValueId i, const Number& n, ir::ValueId f,
                                                int op) {
  const ir::ValueId rounded = b_.convert(i, Type::kF64);
  if (n.tag == Tag::kBool ||
      (n.is_const && n.const_int >= -kExactFloat && n.const_int <= kExactFloat))
    return b_.compare(compare_op(op), rounded, f);
  const ir::ValueId shifted = b_.binary(Op::kAdd, i, b_.const_i64(kExactFloat));
  const ir::ValueId exact = b_.compare(Op::kLe, b_.bitcast(shifted, Type::kU64),
                                       b_.const_int(Type::kU64, 2 * kExactFloat));
  const ir::BlockId near = b_.create_block("near");
  const ir::BlockId far = b_.create_block("far");
  const ir::BlockId done = b_.create_block("compared", {Type::kI1});
  b_.cond_br(exact, {near, {}}, {far, {}});
  b_.set_block(near);
  b_.br(done, {b_.compare(compare_op(op), rounded, f)});
  b_.set_block(far);
  const ir::SymbolId symbol =
      unit_.runtime("splice_rt_compare_int_float", {Type::kI64, Type::kF64}, Type::kI64,
                    reinterpret_cast<void*>(&splice_rt_compare_int_float), true);
  const ir::ValueId order = b_.call_runtime(symbol, {i, f});  // -1, 0, 1; 2 = unordered
  ir::ValueId r = b_.compare(compare_op(op), order, b_.const_i64(0));
  if (op == Py_GT || op == Py_GE)
    r = b_.binary(Op::kAnd, r, b_.compare(Op::kNe, order, b_.const_i64(2)));
  b_.br(done, {r});
  b_.set_block(done);
  return b_.block_arg(done, 0);
}

ir::ValueId FunctionLowering::compare_numbers(const Number& a, const Number& b, int op) {
  const bool fa = a.tag == Tag::kFloat;
  const bool fb = b.tag == Tag::kFloat;
  if (fa && fb) return b_.compare(compare_op(op), a.value, b.value);
  if (fb) return compare_int_float(as_int(a), a, b.value, op);
  if (fa) return compare_int_float(as_int(b), b, a.value, swapped(op));
  return b_.compare(compare_op(op), as_int(a), as_int(b));
}

bool FunctionLowering::compare(const AbsVal& a, const AbsVal& b, int op, AbsVal& out) {
  Number x;
  Number y;
  const bool equality = op == Py_EQ || op == Py_NE;
  if (equality && a.tag == Tag::kConst && b.tag == Tag::kConst && are_dtypes(a.object, b.object)) {
    const bool same = cpy::named_dtype(a.object) == cpy::named_dtype(b.object);
    out = AbsVal::constant(same == (op == Py_EQ) ? Py_True : Py_False);
    return true;
  }
  if (const int done = scalar_compare(a, b, op, out); done >= 0) return done > 0;
  if (number(a, x) && number(b, y)) {
    if (x.tag != Tag::kComplex && y.tag != Tag::kComplex) {
      out = known_bool(compare_numbers(x, y, op));
      return true;
    }
    if (!equality) return leave("an order of complex numbers");
    const auto parts = [&](const Number& n, Number& real, ir::ValueId& imag) {
      if (n.tag == Tag::kComplex) {
        real = Number{Tag::kFloat, b_.real(n.value)};
        imag = b_.imag(n.value);
      } else {
        real = n;
        imag = b_.const_f64(0.0);
      }
    };
    Number xr;
    Number yr;
    ir::ValueId xi;
    ir::ValueId yi;
    parts(x, xr, xi);
    parts(y, yr, yi);
    const ir::ValueId equal =
        b_.binary(Op::kAnd, compare_numbers(xr, yr, Py_EQ), b_.compare(Op::kEq, xi, yi));
    out = known_bool(op == Py_EQ ? equal : b_.not_(equal));
    return true;
  }
  // None and numbers compare unequal with each other by identity.
  const bool none_a = a.is_const(Py_None);
  const bool none_b = b.is_const(Py_None);
  if (equality && (none_a || none_b) && (none_a || number_tag(a) != Tag::kNull) &&
      (none_b || number_tag(b) != Tag::kNull)) {
    out = known_bool(b_.const_i1((none_a && none_b) == (op == Py_EQ)));
    return true;
  }
  if (may_be_plain(a) && may_be_plain(b)) return compare_plain(a, b, op, out);
  return leave(std::string("a comparison of ") + describe(a) + " and " + describe(b));
}

bool FunctionLowering::identity(const AbsVal& a, const AbsVal& b, bool negate, AbsVal& out) {
  const auto answer = [&](ir::ValueId same) {
    out = known_bool(negate ? b_.not_(same) : same);
    return true;
  };
  const auto is_object = [](const AbsVal& v) {
    return v.tag == Tag::kObject || (v.tag == Tag::kConst && number_tag(v) == Tag::kNull);
  };
  const auto is_bool = [](const AbsVal& v) { return number_tag(v) == Tag::kBool; };
  if (is_object(a) && is_object(b)) {
    if (a.tag == Tag::kConst && b.tag == Tag::kConst)
      return answer(b_.const_i1(a.object == b.object));
    return answer(b_.compare(Op::kEq, object_value(a), object_value(b)));
  }
  if (is_bool(a) && is_bool(b)) {
    Number x;
    Number y;
    number(a, x);
    number(b, y);
    return answer(b_.compare(Op::kEq, x.value, y.value));
  }
  // A number or tuple that native code made is none of the singletons, and no number is a bool.
  const auto singleton = [](const AbsVal& v) {
    return v.is_const(Py_None) || v.is_const(Py_True) || v.is_const(Py_False) ||
           v.is_const(Py_Ellipsis);
  };
  const auto unlike = [&](const AbsVal& single, const AbsVal& v) {
    if (!singleton(single)) return false;
    if (v.has_items() || v.tag == Tag::kScalar) return true;
    const Tag tag = number_tag(v);
    return tag != Tag::kNull && (tag != Tag::kBool || number_tag(single) == Tag::kNull);
  };
  if (unlike(a, b) || unlike(b, a)) return answer(b_.const_i1(false));
  // A tuple that is no object yet is only what shares its number.
  if (a.tag == Tag::kTuple || b.tag == Tag::kTuple)
    return answer(b_.const_i1(a.tag == b.tag && a.value == b.value));
  return leave(std::string("the identity of ") + describe(a) + " and " + describe(b));
}

namespace {

/// Values that a set can be asked for without code of anybody. Not bytes: to compare one with a str
/// may warn.
bool may_be_asked_for(const AbsVal& v) {
  return number_tag(v) != Tag::kNull || v.is_const(Py_None) || exact_type(v) == &PyUnicode_Type;
}

/// A set of such.
bool can_be_asked(PyObject* set) {
  PyObject* items = PySequence_Tuple(set);
  if (items == nullptr) PyErr_Clear();
  bool plain = items != nullptr;
  for (Py_ssize_t i = 0; plain && i < PyTuple_GET_SIZE(items); ++i)
    plain = may_be_asked_for(AbsVal::constant(PyTuple_GET_ITEM(items, i)));
  Py_XDECREF(items);
  return plain;
}

}  // namespace

bool FunctionLowering::contains(const AbsVal& item, const AbsVal& container, bool negate,
                                AbsVal& out) {
  if (is_typed_list(container)) return contains_typed(item, container, negate, out);
  std::vector<AbsVal> items;
  if (container.tag == Tag::kTuple) {
    items = *container.items;
  } else if (container.tag == Tag::kConst && PyTuple_CheckExact(container.object)) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(container.object); ++i)
      items.push_back(AbsVal::constant(PyTuple_GET_ITEM(container.object, i)));
  }
  if (container.tag == Tag::kConst && PyFrozenSet_CheckExact(container.object)) {
    if (!may_be_asked_for(item) || !can_be_asked(container.object))
      return leave("`in` " + with_article(container) + " for " + with_article(item));
    return contains_plain("splice_rt_in_set", &splice_rt_in_set, item, container, negate, out);
  }
  Number x;
  // `in` asks identity first: only a NaN is the same object and yet unequal to itself.
  bool by_value =
      !items.empty() && number(item, x) && x.tag != Tag::kComplex && x.tag != Tag::kFloat;
  for (const AbsVal& candidate : items)
    by_value = by_value &&
               (candidate.is_const(Py_None) ||
                (number_tag(candidate) != Tag::kNull && number_tag(candidate) != Tag::kComplex));
  if (!by_value) {
    if (!may_be_plain(item) || !may_be_plain(container))
      return leave("`in` " + with_article(container) + " for " + with_article(item));
    return contains_plain("splice_rt_contains_plain", &splice_rt_contains_plain, item, container,
                          negate, out);
  }
  ir::ValueId found = b_.const_i1(false);
  for (const AbsVal& candidate : items) {
    Number y;
    if (candidate.is_const(Py_None)) continue;
    number(candidate, y);
    found = b_.binary(Op::kOr, found, compare_numbers(x, y, Py_EQ));
  }
  out = known_bool(negate ? b_.not_(found) : found);
  return true;
}

void FunctionLowering::branch(ir::ValueId cond, int yes, int no) {
  const ir::BlockId yes_block = b_.create_block();
  const ir::BlockId no_block = b_.create_block();
  b_.cond_br(cond, {yes_block, {}}, {no_block, {}});
  add_edge(yes, yes_block, state_);
  add_edge(no, no_block, std::move(state_));
}

bool FunctionLowering::branch_on(const AbsVal& v, bool jump_if, const PyInst& inst, int at) {
  int known = known_truth(v);
  if (known < 0 && truth(v) == ir::kNone) return leave("the truth of " + with_article(v));
  const ir::ValueId cond = known < 0 ? truth(v) : ir::kNone;
  state_.stack.pop_back();
  release_unreferenced(false);
  if (known >= 0) {
    add_edge((known != 0) == jump_if ? inst.target : at + 1, b_.current_block(), std::move(state_));
    return false;
  }
  if (jump_if)
    branch(cond, inst.target, at + 1);
  else
    branch(cond, at + 1, inst.target);
  return false;
}

}  // namespace splice::pyfront
