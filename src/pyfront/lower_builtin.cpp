// pyfront/lower_builtin.cpp: builtin functions and types applied to numbers.
// Each returns -1 (not a call this front end knows), 0 (left, the block is finished) or 1.
#include <cmath>
#include <cstring>
#include <limits>

#include "cpy/runtime_number.h"
#include "pyfront/function_lowering.h"

namespace splice::pyfront {

using ir::Op;
using ir::Type;
using Tag = AbsVal::Tag;

namespace {

constexpr int kUnknown = -1;
constexpr int kLeft = 0;
constexpr int kDone = 1;
constexpr std::size_t kCallable = 2;  ///< stack slots of a callable and its NULL

}  // namespace

int FunctionLowering::call_builtin(PyObject* callable, const std::vector<AbsVal>& args,
                                   AbsVal& out) {
  if (!is_builtin_function(callable)) return call_math(callable, args, out);
  const char* name = reinterpret_cast<PyCFunctionObject*>(callable)->m_ml->ml_name;
  const auto is = [&](const char* text) { return std::strcmp(name, text) == 0; };
  if (is("abs") && args.size() == 1) return builtin_abs(args[0], out);
  if (is("round") && (args.size() == 1 || args.size() == 2)) return builtin_round(args, out);
  if (is("divmod") && args.size() == 2) return builtin_divmod(args[0], args[1], out);
  if (is("pow") && args.size() == 2)
    return binary_op(args[0], args[1], BinaryOperator::kPower, out) ? kDone : kLeft;
  if (is("pow") && args.size() == 3) return builtin_pow_mod(args, out);
  if (is("min") && args.size() >= 2) return builtin_min_max(args, false, out);
  if (is("max") && args.size() >= 2) return builtin_min_max(args, true, out);
  if (is("len") && args.size() == 1) return builtin_len(args[0], out);
  if (args.size() == 1 && is_typed_list(args[0])) return typed_builtin(name, args[0], out);
  if (is("isinstance") && args.size() == 2) return builtin_isinstance(args[0], args[1], out);
  return kUnknown;
}

int FunctionLowering::call_type(PyTypeObject* type, const std::vector<AbsVal>& args, AbsVal& out) {
  if (type == &PyRange_Type) return make_range(args, out) ? kDone : kLeft;
  if (type == &PyEnum_Type || type == &PyZip_Type || type == &PyReversed_Type)
    return call_iterator_type(type, args, out);
  if (type == &PyList_Type && args.size() == 1 && args[0].tag == Tag::kRange)
    return list_of_range(args[0], out);
  if (type == &PyList_Type && args.size() == 1 && is_typed_list(args[0])) {
    out = copy_typed(args[0]);
    return kDone;
  }
  if (type == &PyType_Type && args.size() == 1 && can_be_object(args[0])) {
    PyTypeObject* of = exact_type(args[0]);
    if (of == nullptr) return kUnknown;
    out = AbsVal::constant(reinterpret_cast<PyObject*>(of));
    unit_.keep(out.object);
    return kDone;
  }
  if (const auto element = cpy::element_of_scalar_type(type); element && args.size() == 1)
    return scalar_of(*element, args[0], out);
  Number n;
  const auto python_number = [&](const AbsVal& v) {
    const bool is_bool = v.element == mem::ElementType::kBool;
    return is_bool ? known_int(b_.convert(v.value, ir::Type::kI64)) : as_python_number(v);
  };
  if (type == &PyLong_Type && args.size() == 1 && args[0].tag == Tag::kScalar) {
    const AbsVal v = python_number(args[0]);
    if (!number(v, n)) return kUnknown;
    if (n.tag == Tag::kFloat) return float_to_int(n.value, out);
    out = v;
    return kDone;
  }
  if (type == &PyFloat_Type && args.size() == 1 && args[0].tag == Tag::kScalar) {
    const AbsVal v = python_number(args[0]);
    if (!number(v, n)) return kUnknown;
    out = known_float(as_float(n));
    return kDone;
  }
  if (type == &PyBool_Type && args.size() == 1) {
    const ir::ValueId t = truth(args[0]);
    if (t == ir::kNone) return kUnknown;
    out = known_bool(t);
    return kDone;
  }
  if (type == &PyLong_Type && args.size() == 1 && number(args[0], n)) {
    if (n.tag == Tag::kComplex) return kUnknown;
    if (n.tag == Tag::kFloat) return float_to_int(n.value, out);
    out = n.tag == Tag::kInt ? args[0] : known_int(as_int(n));  // an exact int is handed back
    return kDone;
  }
  if (type == &PyFloat_Type && args.size() == 1 && number(args[0], n)) {
    if (n.tag == Tag::kComplex) return kUnknown;
    out = n.tag == Tag::kFloat ? args[0] : known_float(as_float(n));
    return kDone;
  }
  if (type == &PyComplex_Type && (args.size() == 1 || args.size() == 2) && number(args[0], n)) {
    if (n.tag == Tag::kComplex) {
      if (args.size() == 2) return kUnknown;
      out = args[0];
      return kDone;
    }
    ir::ValueId imag = b_.const_f64(0.0);
    if (args.size() == 2) {
      Number m;
      if (!number(args[1], m) || m.tag == Tag::kComplex) return kUnknown;
      imag = as_float(m);
    }
    out = known_complex(b_.make_complex(as_float(n), imag));
    return kDone;
  }
  return kUnknown;
}

int FunctionLowering::call_iterator_type(PyTypeObject* type, const std::vector<AbsVal>& args,
                                         AbsVal& out) {
  if (type == &PyReversed_Type && args.size() == 1 && args[0].tag == Tag::kRange)
    return reversed_range(args[0], out);
  if (type == &PyReversed_Type) {
    if (args.size() != 1 || (!args[0].is_exact(&PyList_Type) && !is_typed_list(args[0])))
      return kUnknown;
    const ir::ValueId last = b_.binary(Op::kSub, sequence_size(args[0]), b_.const_i64(1));
    out = AbsVal::aggregate(Tag::kReversed, {args[0], known_int(last)});
    return kDone;
  }
  std::vector<AbsVal> iterators;
  const std::size_t n = type == &PyEnum_Type && !args.empty() ? 1 : args.size();
  for (std::size_t i = 0; i < n; ++i) {
    iterators.emplace_back();
    if (!get_iter(args[i], iterators.back())) return kLeft;
  }
  if (type == &PyZip_Type) {
    if (iterators.empty()) return kUnknown;
    out = AbsVal::aggregate(Tag::kZip, std::move(iterators));
    return kDone;
  }
  if (args.empty() || args.size() > 2) return kUnknown;
  AbsVal count = known_int(b_.const_i64(0));
  if (args.size() == 2) {
    Number start;
    if (!number(args[1], start) || start.tag != Tag::kInt) return kUnknown;
    count = known_int(start.value);
  }
  out = AbsVal::aggregate(Tag::kEnumerate, {iterators[0], count});
  return kDone;
}

int FunctionLowering::float_to_int(ir::ValueId v, AbsVal& out) {
  // 2**63 is a float, 2**63 - 1 is not: the upper end is open. A NaN fails both comparisons.
  const ir::ValueId fits =
      b_.binary(Op::kAnd, b_.compare(Op::kGe, v, b_.const_f64(-9223372036854775808.0)),
                b_.compare(Op::kLt, v, b_.const_f64(9223372036854775808.0)));
  guard(fits, "a float without a 64-bit integer value");
  out = known_int(b_.convert(v, Type::kI64));
  return kDone;
}

int FunctionLowering::builtin_abs(AbsVal v, AbsVal& out) {
  Number n;
  if (const int done = scalar_abs(v, out); done >= 0) return done;
  if (!number(v, n)) return kUnknown;
  if (n.tag == Tag::kFloat) {
    out = known_float(b_.unary(Op::kFabs, n.value));
    return kDone;
  }
  if (n.tag == Tag::kComplex) {
    const ir::SymbolId careful =
        unit_.runtime("splice_rt_complex_abs", {Type::kF64, Type::kF64, Type::kPtr}, Type::kF64,
                      reinterpret_cast<void*>(&splice_rt_complex_abs));
    double (*const hypot)(double, double) = ::hypot;
    const ir::SymbolId direct =
        unit_.runtime("splice_libm_hypot", {Type::kF64, Type::kF64}, Type::kF64,
                      reinterpret_cast<void*>(hypot), /*pure=*/true);
    out = known_float(call_direct(direct, careful, {b_.real(n.value), b_.imag(n.value)},
                                  "the absolute value of a huge complex number"));
    return kDone;
  }
  const ir::ValueId x = as_int(n);
  const ir::ValueId zero = b_.const_i64(0);
  const ir::ValueId is_negative = b_.compare(Op::kLt, x, zero);
  const ir::ValueId lowest =
      b_.compare(Op::kEq, x, b_.const_i64(std::numeric_limits<std::int64_t>::min()));
  guard(b_.not_(lowest), "an int beyond 64 bits");
  out = known_int(b_.select(is_negative, b_.binary(Op::kSub, zero, x), x));
  // A positive int is handed back itself.
  if (n.tag == Tag::kInt) operand_has_object(v, kCallable + 1);
  const ir::ValueId origin = n.tag == Tag::kInt ? origin_of(v) : ir::kNone;
  if (origin != ir::kNone) out.origin = choose_origin(is_negative, ir::kNone, origin);
  return kDone;
}

int FunctionLowering::builtin_round(const std::vector<AbsVal>& args, AbsVal& out) {
  Number n;
  if (!number(args[0], n) || n.tag == Tag::kComplex) return kUnknown;
  const bool plain = args.size() == 1 || args[1].is_const(Py_None);
  if (plain) {
    if (n.tag == Tag::kFloat) return float_to_int(b_.unary(Op::kRint, n.value), out);
    out = n.tag == Tag::kInt ? args[0] : known_int(as_int(n));
    return kDone;
  }
  Number digits;
  if (!number(args[1], digits) || digits.tag != Tag::kInt) return kUnknown;
  if (n.tag == Tag::kFloat) {
    const ir::SymbolId f =
        unit_.runtime("splice_rt_float_round", {Type::kF64, Type::kI64, Type::kPtr}, Type::kF64,
                      reinterpret_cast<void*>(&splice_rt_float_round));
    out = known_float(call_failing(f, {n.value, digits.value}, "round() beyond a float"));
    return kDone;
  }
  if (digits.is_const && digits.const_int >= 0) {
    out = n.tag == Tag::kInt ? args[0] : known_int(as_int(n));
    return kDone;
  }
  const ir::SymbolId f = unit_.runtime("splice_rt_int_round", {Type::kI64, Type::kI64, Type::kPtr},
                                       Type::kI64, reinterpret_cast<void*>(&splice_rt_int_round));
  out = known_int(call_failing(f, {as_int(n), digits.value}, "round() beyond 64 bits"));
  return kDone;
}

int FunctionLowering::builtin_divmod(const AbsVal& a, const AbsVal& b, AbsVal& out) {
  Number x;
  Number y;
  if (!number(a, x) || !number(b, y)) return kUnknown;
  if (x.tag == Tag::kComplex || y.tag == Tag::kComplex) return kUnknown;
  AbsVal quotient;
  AbsVal rest;
  if (x.tag == Tag::kFloat || y.tag == Tag::kFloat) {
    if (!float_op(x, y, BinaryOperator::kFloorDivide, quotient)) return kLeft;
    if (!float_op(x, y, BinaryOperator::kRemainder, rest)) return kLeft;
  } else {
    ir::ValueId q = ir::kNone;
    ir::ValueId r = ir::kNone;
    int_divmod(x, y, &q, &r);
    quotient = known_int(q);
    rest = known_int(r);
    share_small_dividend(a, y, rest);
  }
  out = AbsVal::aggregate(Tag::kTuple, {quotient, rest});
  return kDone;
}

int FunctionLowering::builtin_pow_mod(const std::vector<AbsVal>& args, AbsVal& out) {
  std::vector<ir::ValueId> values;
  for (const AbsVal& a : args) {
    Number n;
    if (!number(a, n) || (n.tag != Tag::kInt && n.tag != Tag::kBool)) return kUnknown;
    values.push_back(as_int(n));
  }
  const ir::SymbolId f =
      unit_.runtime("splice_rt_int_pow_mod", {Type::kI64, Type::kI64, Type::kI64, Type::kPtr},
                    Type::kI64, reinterpret_cast<void*>(&splice_rt_int_pow_mod));
  out = known_int(call_failing(f, std::move(values), "pow() with a modulus it cannot do natively"));
  return kDone;
}

int FunctionLowering::scalar_min_max(std::vector<AbsVal> args, bool is_max, AbsVal& out) {
  // The result is one of them: they must be of one type.
  const auto element = scalar_element(args[0]);
  const bool alike = std::all_of(args.begin(), args.end(), [&](const AbsVal& arg) {
    return arg.tag == Tag::kScalar && arg.element == element;
  });
  if (!alike || mem::is_complex(*element) || *element == mem::ElementType::kBool) return kUnknown;
  operands_have_objects(args, kCallable + args.size());
  AbsVal best = args[0];
  for (std::size_t i = 1; i < args.size(); ++i) {
    const ir::ValueId better = b_.compare(is_max ? Op::kGt : Op::kLt, args[i].value, best.value);
    best.origin = choose_origin(better, args[i].origin, best.origin);
    best.value = b_.select(better, args[i].value, best.value);
  }
  out = AbsVal::scalar(*element, best.value, best.origin);
  return kDone;
}

int FunctionLowering::builtin_min_max(std::vector<AbsVal> args, bool is_max, AbsVal& out) {
  if (scalar_element(args[0])) return scalar_min_max(std::move(args), is_max, out);
  Number best;
  if (!number(args[0], best) || best.tag == Tag::kComplex) return kUnknown;
  operands_have_objects(args, kCallable + args.size());
  ir::ValueId origin = origin_of(args[0]);
  for (std::size_t i = 1; i < args.size(); ++i) {
    Number n;
    // Operands of two types give a result of two types.
    if (!number(args[i], n) || n.tag != best.tag) return kUnknown;
    const ir::ValueId better = compare_numbers(n, best, is_max ? Py_GT : Py_LT);
    const ir::ValueId other = origin_of(args[i]);
    origin = choose_origin(better, other, origin);
    best.value = b_.select(better, n.value, best.value);
    best.is_const = false;
  }
  out = AbsVal::number(best.tag, best.value, best.tag == Tag::kBool ? ir::kNone : origin);
  return kDone;
}

bool FunctionLowering::is_mixed_min_max(PyObject* callable, const std::vector<AbsVal>& args) {
  if (!is_builtin_function(callable)) return false;
  const char* name = reinterpret_cast<PyCFunctionObject*>(callable)->m_ml->ml_name;
  if (std::strcmp(name, "min") != 0 && std::strcmp(name, "max") != 0) return false;
  constexpr std::size_t kMost = 4;  // each may be the result
  if (args.size() < 2 || args.size() > kMost) return false;
  const auto type_of = [&](const AbsVal& v) -> std::optional<std::pair<Tag, mem::ElementType>> {
    const Tag tag = number_tag(v);
    if (tag != Tag::kNull && tag != Tag::kComplex) return std::pair(tag, mem::ElementType::kBool);
    const bool ordered = v.tag == Tag::kScalar && !mem::is_complex(v.element) &&
                         v.element != mem::ElementType::kBool;
    return ordered ? std::optional(std::pair(v.tag, v.element)) : std::nullopt;
  };
  const auto first = type_of(args[0]);
  return std::all_of(args.begin(), args.end(), [&](const AbsVal& v) { return type_of(v); }) &&
         std::any_of(args.begin(), args.end(),
                     [&](const AbsVal& v) { return type_of(v) != first; });
}

bool FunctionLowering::mixed_min_max(PyObject* callable, std::vector<AbsVal> args,
                                     std::size_t popped, int at) {
  const bool is_max =
      std::strcmp(reinterpret_cast<PyCFunctionObject*>(callable)->m_ml->ml_name, "max") == 0;
  operands_have_objects(args, kCallable + args.size());
  return best_of(args, args[0], 1, is_max, popped, at);
}

bool FunctionLowering::best_of(const std::vector<AbsVal>& args, AbsVal best, std::size_t next,
                               bool is_max, std::size_t popped, int at) {
  for (; next < args.size(); ++next) {
    if (const int known = builtin_min_max({best, args[next]}, is_max, best); known == kDone)
      continue;
    // The result has the type of whichever it is: two ways on.
    const int op = is_max ? Py_GT : Py_LT;
    Number a;
    Number b;
    ir::ValueId better;
    if (number(args[next], a) && number(best, b)) {
      better = compare_numbers(a, b, op);
    } else {
      AbsVal answer;
      const int known = scalar_compare(args[next], best, op, answer);
      if (known == kUnknown) return leave("`min` or `max` of these types");
      if (known == kLeft) return false;
      better = answer.value;
    }
    const ir::BlockId take = b_.create_block();
    const ir::BlockId keep = b_.create_block();
    b_.cond_br(better, {take, {}}, {keep, {}});
    in_branch(take, [&] { best_of(args, args[next], next + 1, is_max, popped, at); });
    in_branch(keep, [&] { best_of(args, best, next + 1, is_max, popped, at); });
    return false;
  }
  give(std::move(best), popped);
  release_unreferenced(false);
  add_edge(at + 1, b_.current_block(), std::move(state_));
  return false;
}

int FunctionLowering::builtin_len(const AbsVal& v, AbsVal& out) {
  if (v.tag == Tag::kTuple) {
    out = known_int(b_.const_i64(static_cast<std::int64_t>(v.items->size())));
    return kDone;
  }
  if (is_array(v)) {
    const auto facts = array_facts(v);
    if (!facts) return kLeft;
    if (facts->rank == 0) return kUnknown;
    out = known_int(array_length(v, 0));
    return kDone;
  }
  if (is_flat(v)) {
    if (!flat_facts(v)) return kLeft;
    out = known_int(flat_length(v));
    return kDone;
  }
  if (v.tag == Tag::kObject && has_size(v)) {
    out = known_int(sequence_size(v));
    return kDone;
  }
  if (v.tag == Tag::kConst && (PyUnicode_CheckExact(v.object) || PyTuple_CheckExact(v.object) ||
                               PyBytes_CheckExact(v.object))) {
    out = known_int(b_.const_i64(PyObject_Size(v.object)));
    return kDone;
  }
  if (v.tag == Tag::kRange) {
    const ir::ValueId length = range_length(v);
    if (length == ir::kNone) return kUnknown;
    out = known_int(length);
    return kDone;
  }
  return kUnknown;
}

int FunctionLowering::builtin_isinstance(const AbsVal& v, const AbsVal& type, AbsVal& out) {
  PyTypeObject* have = exact_type(v);
  if (have == nullptr || type.tag != Tag::kConst) return kUnknown;
  std::vector<PyObject*> wanted;
  if (PyTuple_CheckExact(type.object)) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(type.object); ++i)
      wanted.push_back(PyTuple_GET_ITEM(type.object, i));
  } else {
    wanted.push_back(type.object);
  }
  // Only classes without an __instancecheck__ of their own, and values whose __class__ is their
  // type.
  for (PyTypeObject* plain : {&PyLong_Type, &PyFloat_Type, &PyBool_Type, &PyComplex_Type,
                              &PyTuple_Type, &PyRange_Type, &PyUnicode_Type, Py_TYPE(Py_None)})
    if (have == plain) {
      bool is = false;
      for (PyObject* w : wanted) {
        if (Py_TYPE(w) != &PyType_Type) return kUnknown;
        is = is || PyType_IsSubtype(have, reinterpret_cast<PyTypeObject*>(w)) != 0;
      }
      out = known_bool(b_.const_i1(is));
      return kDone;
    }
  return kUnknown;
}

}  // namespace splice::pyfront
