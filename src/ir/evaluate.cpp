#include "ir/evaluate.h"

#include <bit>
#include <cmath>

namespace splice::ir {
namespace {

using Bits = std::uint64_t;
using Wide = __int128;
using UnsignedWide = unsigned __int128;

Bits mask(Type t) {
  const int width = bit_width(t);
  return width >= 64 ? ~Bits{0} : (Bits{1} << width) - 1;
}

Value bits(Bits b) { return {b, 0, false}; }
Value flag(bool b) { return {b ? Bits{1} : Bits{0}, 0, false}; }

Status undefined(const char* what) { return invalid_argument(std::string("undefined: ") + what); }

template <class F>
F get(const Value& v) {
  if constexpr (sizeof(F) == 4) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(v.low));
  } else {
    return std::bit_cast<double>(v.low);
  }
}

template <class F>
Value put(F f) {
  if constexpr (sizeof(F) == 4) {
    return bits(std::bit_cast<std::uint32_t>(f));
  } else {
    return bits(std::bit_cast<Bits>(f));
  }
}

Result<Evaluated> one(Value v) { return Evaluated{v, {}}; }

Result<Evaluated> divide(const Inst& inst, const Value& a, const Value& b) {
  const Type t = inst.type;
  if (b.low == 0) return undefined("division by zero");
  if (is_unsigned_int(t)) return one(bits(inst.op == Op::kDiv ? a.low / b.low : a.low % b.low));
  const std::int64_t x = as_int(t, a);
  const std::int64_t y = as_int(t, b);
  if (y == -1) {
    if (a.low == Bits{1} << (bit_width(t) - 1)) return undefined("division overflows");
    return one(int_value(t, inst.op == Op::kDiv ? -x : 0));
  }
  return one(int_value(t, inst.op == Op::kDiv ? x / y : x % y));
}

Result<Evaluated> modulo(const Inst& inst, const Value& a, const Value& b) {
  const Type t = inst.type;
  if (b.low == 0) return one(bits(0));
  if (is_unsigned_int(t)) return one(bits(a.low % b.low));
  const std::int64_t x = as_int(t, a);
  const std::int64_t y = as_int(t, b);
  const std::int64_t rest = y == -1 ? 0 : x % y;
  return one(int_value(t, rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest));
}

Result<Evaluated> shift(const Inst& inst, const Value& a, const Value& b) {
  const Type t = inst.type;
  if (b.low >= static_cast<Bits>(bit_width(t))) return undefined("shift count");
  const auto count = static_cast<int>(b.low);
  if (inst.op == Op::kShl) return one(bits((a.low << count) & mask(t)));
  if (is_unsigned_int(t)) return one(bits(a.low >> count));
  return one(int_value(t, as_int(t, a) >> count));
}

template <class W>
Result<Evaluated> checked(const Inst& inst, W a, W b) {
  W r = 0;
  switch (inst.op) {
    case Op::kAddOv:
      r = a + b;
      break;
    case Op::kSubOv:
      r = a - b;
      break;
    default:
      r = a * b;
      break;
  }
  const Value wrapped = bits(static_cast<Bits>(r) & mask(inst.type));
  const W back = is_unsigned_int(inst.type) ? static_cast<W>(wrapped.low)
                                            : static_cast<W>(as_int(inst.type, wrapped));
  return Evaluated{wrapped, flag(back != r)};
}

template <class N>
bool compare(Op op, N a, N b) {
  switch (op) {
    case Op::kEq:
      return a == b;
    case Op::kNe:
      return a != b;
    case Op::kLt:
      return a < b;
    case Op::kLe:
      return a <= b;
    case Op::kGt:
      return a > b;
    default:
      return a >= b;
  }
}

bool is_compare(Op op) { return op >= Op::kEq && op <= Op::kGe; }

Result<Evaluated> evaluate_int(const Inst& inst, const Value& a, const Value& b) {
  const Type t = inst.type;
  if (is_compare(inst.op)) {
    return one(flag(is_signed_int(t) ? compare(inst.op, as_int(t, a), as_int(t, b))
                                     : compare(inst.op, a.low, b.low)));
  }
  switch (inst.op) {
    case Op::kAdd:
      return one(bits((a.low + b.low) & mask(t)));
    case Op::kSub:
      return one(bits((a.low - b.low) & mask(t)));
    case Op::kMul:
      return one(bits((a.low * b.low) & mask(t)));
    case Op::kNeg:
      return one(bits((Bits{0} - a.low) & mask(t)));
    case Op::kAnd:
      return one(bits(a.low & b.low));
    case Op::kOr:
      return one(bits(a.low | b.low));
    case Op::kXor:
      return one(bits(a.low ^ b.low));
    case Op::kDiv:
    case Op::kRem:
      return divide(inst, a, b);
    case Op::kMod:
      return modulo(inst, a, b);
    case Op::kShl:
    case Op::kShr:
      return shift(inst, a, b);
    case Op::kAddOv:
    case Op::kSubOv:
    case Op::kMulOv:
      if (!is_unsigned_int(t)) return checked<Wide>(inst, as_int(t, a), as_int(t, b));
      // Modulo 2^128 a difference below zero does not come back from its low bits either.
      return checked<UnsignedWide>(inst, a.low, b.low);
    default:
      return internal_error("not an integer op");
  }
}

template <class F>
Result<Evaluated> evaluate_float(const Inst& inst, F a, F b, F c) {
  if (is_compare(inst.op)) return one(flag(compare(inst.op, a, b)));
  switch (inst.op) {
    case Op::kAdd:
      return one(put<F>(a + b));
    case Op::kSub:
      return one(put<F>(a - b));
    case Op::kMul:
      return one(put<F>(a * b));
    case Op::kDiv:
      return one(put<F>(a / b));
    case Op::kRem:
      return one(put<F>(std::fmod(a, b)));
    case Op::kNeg:
      return one(put<F>(-a));
    case Op::kSqrt:
      return one(put<F>(std::sqrt(a)));
    case Op::kFloor:
      return one(put<F>(std::floor(a)));
    case Op::kCeil:
      return one(put<F>(std::ceil(a)));
    case Op::kTrunc:
      return one(put<F>(std::trunc(a)));
    case Op::kRint:
      return one(put<F>(std::nearbyint(a)));
    case Op::kFabs:
      return one(put<F>(std::fabs(a)));
    case Op::kCopysign:
      return one(put<F>(std::copysign(a, b)));
    case Op::kFma:
      return one(put<F>(std::fma(a, b, c)));
    default:
      return internal_error("not a float op");
  }
}

Result<Evaluated> evaluate_complex(Op op, const Value& a, const Value& b) {
  const double ar = get<double>(a);
  const double ai = std::bit_cast<double>(a.high);
  const double br = get<double>(b);
  const double bi = std::bit_cast<double>(b.high);
  switch (op) {
    case Op::kAdd:
      return one(complex_value(ar + br, ai + bi));
    case Op::kSub:
      return one(complex_value(ar - br, ai - bi));
    case Op::kMul:
      return one(complex_value(ar * br - ai * bi, ar * bi + ai * br));
    case Op::kNeg:
      return one(complex_value(-ar, -ai));
    case Op::kEq:
      return one(flag(ar == br && ai == bi));
    case Op::kNe:
      return one(flag(!(ar == br && ai == bi)));
    default:
      return internal_error("not a complex op");
  }
}

template <class F>
Result<Evaluated> float_to_int(Type to, F f) {
  const F t = std::trunc(f);
  const int width = bit_width(to);
  // Powers of two are exact in either float type.
  const F limit = std::ldexp(F{1}, is_unsigned_int(to) ? width : width - 1);
  const F least = is_unsigned_int(to) ? F{0} : -limit;
  if (!(t >= least && t < limit)) return undefined("float out of range of the integer");
  if (is_unsigned_int(to)) return one(bits(static_cast<Bits>(t)));
  return one(int_value(to, static_cast<std::int64_t>(t)));
}

template <class F>
Value int_to_float(Type from, const Value& v) {
  if (is_signed_int(from)) return put<F>(static_cast<F>(as_int(from, v)));
  return put<F>(static_cast<F>(v.low));
}

Result<Evaluated> convert(const Inst& inst, const Value& v) {
  const Type to = inst.type;
  const Type from = inst.type2;
  if (is_int(from)) {
    if (to == Type::kF64) return one(int_to_float<double>(from, v));
    if (to == Type::kF32) return one(int_to_float<float>(from, v));
    return one(int_value(to, as_int(from, v)));
  }
  if (is_int(to)) {
    return from == Type::kF64 ? float_to_int(to, get<double>(v)) : float_to_int(to, get<float>(v));
  }
  if (from == to) return one(v);
  if (to == Type::kF64) return one(put<double>(static_cast<double>(get<float>(v))));
  return one(put<float>(static_cast<float>(get<double>(v))));
}

}  // namespace

Value int_value(Type t, std::int64_t v) { return bits(static_cast<Bits>(v) & mask(t)); }
Value float_value(double v) { return put(v); }

Value complex_value(double real, double imag) {
  return {std::bit_cast<Bits>(real), std::bit_cast<Bits>(imag), false};
}

double as_float(const Value& v) { return get<double>(v); }

std::int64_t as_int(Type t, const Value& v) {
  const int unused = 64 - bit_width(t);
  if (!is_signed_int(t)) return static_cast<std::int64_t>(v.low);
  return static_cast<std::int64_t>(v.low << unused) >> unused;
}

Value constant_value(const Inst& inst) {
  if (inst.type == Type::kC128) {
    return {static_cast<Bits>(inst.imm), static_cast<Bits>(inst.imm2), false};
  }
  return bits(static_cast<Bits>(inst.imm) & mask(inst.type));
}

bool is_computation(Op op) {
  return (op >= Op::kAdd && op <= Op::kGe) || (op >= Op::kSelect && op <= Op::kImag);
}

Result<Evaluated> evaluate(const Inst& inst, std::span<const Value> args) {
  if (!is_computation(inst.op) || args.empty()) return internal_error("not a computation");
  if (inst.op == Op::kSelect) {
    if (args[0].undefined) return one({0, 0, true});
    return one(args[0].low != 0 ? args[1] : args[2]);
  }
  for (const Value& v : args) {
    if (v.undefined) return Evaluated{{0, 0, true}, {0, 0, true}};
  }
  const Value a = args[0];
  const Value b = args.size() > 1 ? args[1] : Value{};
  const Value c = args.size() > 2 ? args[2] : Value{};
  switch (inst.op) {
    case Op::kConvert:
      return convert(inst, a);
    case Op::kBitcast:
      return one(a);
    case Op::kComplex:
      return one({a.low, b.low, false});
    case Op::kReal:
      return one(bits(a.low));
    case Op::kImag:
      return one(bits(a.high));
    default:
      break;
  }
  if (inst.type == Type::kF64) {
    return evaluate_float(inst, get<double>(a), get<double>(b), get<double>(c));
  }
  if (inst.type == Type::kF32) {
    return evaluate_float(inst, get<float>(a), get<float>(b), get<float>(c));
  }
  if (inst.type == Type::kC128) return evaluate_complex(inst.op, a, b);
  return evaluate_int(inst, a, b);
}

}  // namespace splice::ir
