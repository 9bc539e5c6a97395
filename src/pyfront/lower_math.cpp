// pyfront/lower_math.cpp: calls of the math module on numbers.
#include <cstring>
#include <limits>

#include "cpy/math_table.h"
#include "pyfront/function_lowering.h"

namespace splice::pyfront {

using cpy::MathFunction;
using cpy::MathType;
using ir::Op;
using ir::Type;
using Tag = AbsVal::Tag;

namespace {

Type type_of(MathType type) {
  switch (type) {
    case MathType::kFloat:
      return Type::kF64;
    case MathType::kInt:
      return Type::kI64;
    case MathType::kBool:
      return Type::kI1;
  }
  return Type::kVoid;
}

}  // namespace

int FunctionLowering::call_math(PyObject* callable, const std::vector<AbsVal>& args, AbsVal& out) {
  if (!PyCFunction_CheckExact(callable)) return -1;
  const char* name = reinterpret_cast<PyCFunctionObject*>(callable)->m_ml->ml_name;
  const auto is = [&](const char* text) { return std::strcmp(name, text) == 0; };
  const MathFunction* f = cpy::find_math_function(callable, args.size());
  if (f == nullptr) return -1;
  std::vector<Number> numbers(args.size());
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (!number(as_python_number(args[i]), numbers[i]) || numbers[i].tag == Tag::kComplex)
      return -1;
    if (f->args[i] == MathType::kInt && numbers[i].tag == Tag::kFloat) return -1;
    // The exponent must be an int.
    if (is("ldexp") && i == 1 && scalar_element(args[i])) return -1;
  }
  const bool rounding = is("floor") || is("ceil") || is("trunc");
  // It takes no other way than `__trunc__`, which numpy.float32 has not.
  if (is("trunc") && scalar_element(args[0]) == mem::ElementType::kF32) return -1;
  // An integer of NumPy is asked as a float.
  if (rounding && numbers[0].tag == Tag::kInt && number_tag(args[0]) == Tag::kNull) return -1;
  if (rounding && numbers[0].tag == Tag::kInt) {
    out = args[0];  // the same object
    return 1;
  }
  if (rounding && numbers[0].tag == Tag::kBool) {
    out = known_int(as_int(numbers[0]));
    return 1;
  }
  if (rounding) {
    const Op op = is("floor") ? Op::kFloor : is("ceil") ? Op::kCeil : Op::kTrunc;
    return float_to_int(b_.unary(op, numbers[0].value), out);
  }
  if (is("fabs")) {
    out = known_float(b_.unary(Op::kFabs, as_float(numbers[0])));
    return 1;
  }
  if (is("sqrt")) {
    const ir::ValueId x = as_float(numbers[0]);
    // A NaN is no error: it passes, negative numbers do not.
    guard(b_.not_(b_.compare(Op::kLt, x, b_.const_f64(0.0))),
          "the square root of a negative number");
    out = known_float(b_.unary(Op::kSqrt, x));
    return 1;
  }
  std::vector<Type> types;
  std::vector<ir::ValueId> values;
  for (std::size_t i = 0; i < args.size(); ++i) {
    types.push_back(type_of(f->args[i]));
    values.push_back(f->args[i] == MathType::kFloat ? as_float(numbers[i]) : as_int(numbers[i]));
  }
  if (f->can_fail) types.push_back(Type::kPtr);
  const Type result = type_of(f->result);
  const ir::SymbolId symbol = unit_.runtime(f->symbol, types, result, f->address, !f->can_fail);
  const auto direct = [&] {
    return unit_.runtime(f->direct_symbol, {Type::kF64}, Type::kF64, f->direct, /*pure=*/true);
  };
  const ir::ValueId value =
      f->direct != nullptr
          ? call_direct(direct(), symbol, std::move(values), "an error of the math module")
      : f->can_fail ? call_failing(symbol, std::move(values), "an error of the math module")
                    : b_.call_runtime(symbol, values);
  out = f->result == MathType::kFloat ? known_float(value)
        : f->result == MathType::kInt ? known_int(value)
                                      : known_bool(value);
  return 1;
}

/// Nearly all results are finite: then there was no error, which `careful` would tell through
/// memory.
ir::ValueId FunctionLowering::call_direct(ir::SymbolId direct, ir::SymbolId careful,
                                          std::vector<ir::ValueId> args, const char* reason) {
  const ir::ValueId result = b_.call_runtime(direct, args);
  const ir::ValueId finite = b_.compare(Op::kLe, b_.unary(Op::kFabs, result),
                                        b_.const_f64(std::numeric_limits<double>::max()));
  const ir::BlockId other = b_.create_block("not_finite");
  const ir::BlockId done = b_.create_block("computed", {Type::kF64});
  b_.cond_br(finite, {done, {result}}, {other, {}});
  b_.set_block(other);
  b_.br(done, {call_failing(careful, std::move(args), reason)});
  b_.set_block(done);
  return b_.block_arg(done, 0);
}

}  // namespace splice::pyfront
