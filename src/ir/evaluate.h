// ir/evaluate.h: the meaning of ops that only compute. Used by the interpreter and by constant
// folding.
#pragma once

#include <cstdint>
#include <span>

#include "base/result.h"
#include "ir/module.h"

namespace splice::ir {

/// Bits of a value of any type, zero-extended to 64; `high` is the imaginary part of c128.
struct Value {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  bool undefined = false;  ///< came from undef; the bits are 0

  friend bool operator==(const Value&, const Value&) = default;
};

/// `v` as a value of the integer type `t` (wraps).
Value int_value(Type t, std::int64_t v);
Value float_value(double v);
Value complex_value(double real, double imag);
/// The number that an integer value means, sign-extended when `t` is signed.
std::int64_t as_int(Type t, const Value& v);
double as_float(const Value& v);

/// What kConst gives.
Value constant_value(const Inst& inst);

/// One or two results.
struct Evaluated {
  Value first;
  Value second;  ///< the flag of add.ov, sub.ov, mul.ov
};

/// True for the ops that evaluate() knows: arithmetic, float functions, comparison, select,
/// conversion and complex parts.
bool is_computation(Op op);

/// Result of a computation of a verified module. Fails with "undefined: ..." where op.h says that
/// the result is undefined. An undefined operand makes the results undefined (not select's other
/// arm). Sign and payload of a NaN result are not specified.
Result<Evaluated> evaluate(const Inst& inst, std::span<const Value> args);

}  // namespace splice::ir
