// pyfront/lower_value.cpp: numbers, objects and truth out of abstract values.
#include "pyfront/function_lowering.h"

namespace splice::pyfront {

using ir::Op;
using Tag = AbsVal::Tag;

ir::ValueId FunctionLowering::constant_value(PyObject* number, Tag tag) {
  switch (tag) {
    case Tag::kInt:
      return b_.const_i64(PyLong_AsLongLong(number));
    case Tag::kFloat:
      return b_.const_f64(PyFloat_AS_DOUBLE(number));
    case Tag::kBool:
      return b_.const_i1(number == Py_True);
    default: {
      const Py_complex c = PyComplex_AsCComplex(number);
      return b_.const_c128(c.real, c.imag);
    }
  }
}

bool FunctionLowering::number(const AbsVal& v, Number& out) {
  out.tag = number_tag(v);
  if (out.tag == Tag::kNull) return false;
  if (v.tag != Tag::kConst) {
    out.value = v.value;
    return true;
  }
  out.is_const = true;
  out.value = constant_value(v.object, out.tag);
  if (out.tag == Tag::kInt) out.const_int = PyLong_AsLongLong(v.object);
  if (out.tag == Tag::kBool) out.const_int = v.object == Py_True;
  if (out.tag == Tag::kFloat) out.const_float = PyFloat_AS_DOUBLE(v.object);
  return true;
}

ir::ValueId FunctionLowering::origin_of(const AbsVal& v) {
  if (v.tag == Tag::kConst && constant_needs_origin(v.object))
    return b_.symbol(unit_.object_symbol(v.object));
  return v.origin;
}

ir::ValueId FunctionLowering::as_int(const Number& n) {
  return n.tag == Tag::kBool ? b_.convert(n.value, ir::Type::kI64) : n.value;
}

ir::ValueId FunctionLowering::as_float(const Number& n) {
  if (n.tag == Tag::kFloat) return n.value;
  return b_.convert(as_int(n), ir::Type::kF64);
}

ir::ValueId FunctionLowering::as_complex(const Number& n) {
  if (n.tag == Tag::kComplex) return n.value;
  return b_.make_complex(as_float(n), b_.const_f64(0.0));
}

ir::ValueId FunctionLowering::object_value(const AbsVal& v) {
  return v.tag == Tag::kConst ? b_.symbol(unit_.object_symbol(v.object)) : v.value;
}

ir::ValueId FunctionLowering::call_failing(ir::SymbolId symbol, std::vector<ir::ValueId> args,
                                           const char* reason) {
  unit_.module().symbols[symbol].quiet = true;  // arithmetic
  b_.store(fail_slot_, b_.const_i64(0));
  args.push_back(fail_slot_);
  const ir::ValueId result = b_.call_runtime(symbol, args);
  const ir::ValueId failed = b_.load(ir::Type::kI64, fail_slot_);
  guard(b_.compare(Op::kEq, failed, b_.const_i64(0)), reason);
  return result;
}

int FunctionLowering::known_truth(const AbsVal& v) {
  switch (v.tag) {
    case Tag::kTuple:
      return !v.items->empty();
    case Tag::kRangeIter:
      return 1;
    case Tag::kConst:
      break;
    default:
      return -1;
  }
  PyObject* o = v.object;
  const bool plain = o == Py_None || o == Py_Ellipsis || number_tag(v) != Tag::kNull ||
                     PyLong_CheckExact(o) || PyUnicode_CheckExact(o) || PyBytes_CheckExact(o) ||
                     PyTuple_CheckExact(o) || PyFrozenSet_CheckExact(o) || PyFunction_Check(o) ||
                     PyCFunction_Check(o) || PyModule_CheckExact(o) || Py_TYPE(o) == &PyType_Type;
  return plain ? PyObject_IsTrue(o) : -1;
}

ir::ValueId FunctionLowering::truth(const AbsVal& v) {
  const int known = known_truth(v);
  if (known >= 0) return b_.const_i1(known != 0);
  switch (v.tag) {
    case Tag::kBool:
      return v.value;
    case Tag::kInt:
      return b_.compare(Op::kNe, v.value, b_.const_i64(0));
    case Tag::kFloat:
      return b_.compare(Op::kNe, v.value, b_.const_f64(0.0));
    case Tag::kComplex: {
      const ir::ValueId zero = b_.const_f64(0.0);
      return b_.binary(Op::kOr, b_.compare(Op::kNe, b_.real(v.value), zero),
                       b_.compare(Op::kNe, b_.imag(v.value), zero));
    }
    case Tag::kEither:
    case Tag::kScalar: {
      if (v.element == mem::ElementType::kBool) return v.value;
      if (!mem::is_complex(v.element)) {
        const ir::Type type = element_type(v.element);
        const ir::ValueId zero = type == ir::Type::kF32   ? b_.const_f32(0.0F)
                                 : type == ir::Type::kF64 ? b_.const_f64(0.0)
                                                          : b_.const_int(type, 0);
        return b_.compare(Op::kNe, v.value, zero);
      }
      const ir::ValueId zero = b_.const_f64(0.0);
      return b_.binary(Op::kOr, b_.compare(Op::kNe, b_.real(v.value), zero),
                       b_.compare(Op::kNe, b_.imag(v.value), zero));
    }
    default:
      if (v.is_exact(&PyLong_Type)) {
        PyObject* zero = unit_.keep_new(PyLong_FromLong(0));
        if (zero != nullptr) return compare_large(v, AbsVal::constant(zero), Py_NE);
      }
      if (v.tag == Tag::kObject && has_size(v))
        return b_.compare(Op::kNe, sequence_size(v), b_.const_i64(0));
      return ir::kNone;
  }
}

}  // namespace splice::pyfront
