// pyfront/lower_ufunc.cpp: NumPy's universal functions on scalars and Python numbers.
#include <cstring>

#include "cpy/numpy_ufunc.h"
#include "pyfront/function_lowering.h"
#include "pyfront/numpy_values.h"

namespace splice::pyfront {

using ir::Op;
using ir::Type;
using mem::ElementType;
using Tag = AbsVal::Tag;

namespace {

constexpr int kUnknown = -1;
constexpr int kDone = 1;

constexpr const char* kWarns = "a function of which NumPy warns";

std::optional<cpy::UfuncOperand> operand_of(const AbsVal& v) {
  switch (number_tag(v)) {
    case Tag::kBool:
      return cpy::UfuncOperand{ElementType::kBool, nullptr};
    case Tag::kInt:
      return cpy::UfuncOperand{std::nullopt, &PyLong_Type};
    case Tag::kFloat:
      return cpy::UfuncOperand{std::nullopt, &PyFloat_Type};
    case Tag::kComplex:
      return cpy::UfuncOperand{std::nullopt, &PyComplex_Type};
    default:
      break;
  }
  const auto element = scalar_element(v);
  if (!element) return std::nullopt;
  return cpy::UfuncOperand{element, nullptr};
}

/// One instruction that does the same for all floats but NaNs; kConst stands for none.
Op instruction_of(const char* name) {
  constexpr std::pair<const char*, Op> kKnown[] = {
      {"sqrt", Op::kSqrt},     {"floor", Op::kFloor}, {"ceil", Op::kCeil},   {"trunc", Op::kTrunc},
      {"absolute", Op::kFabs}, {"fabs", Op::kFabs},   {"negative", Op::kNeg}};
  for (const auto& [known, op] : kKnown)
    if (std::strcmp(known, name) == 0) return op;
  return Op::kConst;
}

}  // namespace

ir::ValueId FunctionLowering::call_loop(PyObject* ufunc, const cpy::UfuncLoop& loop,
                                        const std::vector<ir::ValueId>& inputs) {
  const std::size_t operands = loop.inputs.size() + loop.outputs.size();
  const ir::ValueId place = b_.slot(static_cast<std::int64_t>(operands) * cpy::kUfuncOperand);
  for (std::size_t i = 0; i < inputs.size(); ++i)
    pyfront::store_element(b_, place, inputs[i], loop.inputs[i],
                           static_cast<std::int64_t>(i) * cpy::kUfuncOperand);
  unit_.keep(ufunc);
  const ir::SymbolId call =
      unit_.runtime("splice_rt_call_ufunc", {Type::kObj, Type::kI64, Type::kPtr, Type::kI64},
                    Type::kI32, reinterpret_cast<void*>(&splice_rt_call_ufunc));
  unit_.module().symbols[call].quiet = true;  // arithmetic
  const ir::ValueId quiet = b_.call_runtime(
      call, {b_.symbol(unit_.object_symbol(ufunc)), b_.const_i64(loop.index), place,
             b_.const_i64(static_cast<std::int64_t>(mem::size_of(loop.outputs.back())))});
  guard(b_.compare(Op::kNe, quiet, b_.const_i32(0)), kWarns);
  return place;
}

int FunctionLowering::call_ufunc(PyObject* ufunc, const std::vector<AbsVal>& args, AbsVal& out) {
  // Of complex numbers NumPy's own results depend on where in memory the operands happen to lie.
  for (const AbsVal& arg : args)
    if (number_tag(arg) == Tag::kComplex ||
        mem::is_complex(scalar_element(arg).value_or(ElementType::kBool)))
      return kUnknown;
  return apply_ufunc(ufunc, args, out);
}

int FunctionLowering::apply_ufunc(PyObject* ufunc, const std::vector<AbsVal>& args, AbsVal& out) {
  std::vector<cpy::UfuncOperand> operands;
  for (const AbsVal& arg : args) {
    const auto operand = operand_of(arg);
    if (!operand) return kUnknown;
    operands.push_back(*operand);
  }
  const auto loop = cpy::find_ufunc_loop(ufunc, operands);
  if (!loop) return kUnknown;
  std::vector<ir::ValueId> inputs;
  for (std::size_t i = 0; i < args.size(); ++i) {
    inputs.push_back(operand_as(args[i], loop->inputs[i]));
    if (inputs.back() == ir::kNone) return kUnknown;
  }
  const ElementType result = loop->outputs[0];
  const auto output = [&](ir::ValueId place, std::size_t i) {
    const auto at = static_cast<std::int64_t>(loop->inputs.size() + i) * cpy::kUfuncOperand;
    return exact(pyfront::load_element(b_, place, loop->outputs[i], at));
  };
  PyObject* name = PyObject_GetAttrString(ufunc, "__name__");
  const char* text = name != nullptr ? PyUnicode_AsUTF8(name) : nullptr;
  const Op op = text != nullptr ? instruction_of(text) : Op::kConst;
  Py_XDECREF(name);
  PyErr_Clear();
  if (op != Op::kConst && mem::is_float(result) && loop->inputs[0] == result) {
    const ir::ValueId x = inputs[0];
    const ir::ValueId least =
        op == Op::kSqrt ? (result == ElementType::kF32 ? b_.const_f32(0.0F) : b_.const_f64(0.0))
                        : x;
    const ir::BlockId other = b_.create_block("unusual");
    const ir::BlockId done = b_.create_block("", {element_type(result)});
    b_.cond_br(b_.compare(Op::kGe, x, least), {done, {b_.unary(op, x)}}, {other, {}});
    b_.set_block(other);
    const ir::ValueId slow = output(call_loop(ufunc, *loop, inputs), 0);
    b_.br(done, {slow});
    b_.set_block(done);
    out = AbsVal::scalar(result, b_.block_arg(done, 0));
    return kDone;
  }
  const ir::ValueId place = call_loop(ufunc, *loop, inputs);
  std::vector<AbsVal> results;
  for (std::size_t i = 0; i < loop->outputs.size(); ++i)
    results.push_back(AbsVal::scalar(loop->outputs[i], output(place, i)));
  out = results.size() == 1 ? results[0] : AbsVal::aggregate(Tag::kTuple, std::move(results));
  return kDone;
}

}  // namespace splice::pyfront
