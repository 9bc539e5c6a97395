#include "cpy/math_table.h"

#include <cstring>
#include <type_traits>
#include <vector>

#include "cpy/math_builtin.h"
#include "cpy/math_float.h"
#include "cpy/math_int.h"
#include "cpy/runtime_math.h"

namespace splice::cpy {

namespace {

template <MathBuiltin which, typename... Args>
double boxed(Args... args, std::int64_t* fail) noexcept {
  const double values[] = {args...};
  return splice_rt_call_float(math_builtin(which), values, sizeof...(Args), fail);
}

constexpr MathType kF = MathType::kFloat;
constexpr MathType kI = MathType::kInt;
constexpr MathType kB = MathType::kBool;

template <typename T>
constexpr MathType kTypeOf = kF;
template <>
constexpr MathType kTypeOf<std::int64_t> = kI;
template <>
constexpr MathType kTypeOf<bool> = kB;

// The C++ signature is the row: a last `int64_t*` is `fail`.
template <typename R, typename... Args>
MathFunction row(const char* name, const char* symbol, R (*function)(Args...) noexcept) {
  constexpr bool fails = (std::is_same_v<Args, std::int64_t*> || ...);
  constexpr std::size_t count = sizeof...(Args) - (fails ? 1 : 0);
  const MathType types[] = {kTypeOf<Args>...};
  MathFunction f{name, symbol, reinterpret_cast<void*>(function), {}, count, kTypeOf<R>, fails};
  for (std::size_t i = 0; i < count; ++i) {
    f.args[i] = types[i];
  }
  return f;
}

MathFunction with_direct(MathFunction row, const char* symbol, double (*function)(double)) {
  row.direct_symbol = symbol;
  row.direct = reinterpret_cast<void*>(function);
  return row;
}

// glibc sets errno for results that are not finite, and for tiny ones, which CPython ignores.
#define SPLICE_DIRECT(name)                                                                        \
  with_direct(row(#name, "splice_rt_math_" #name, math::checked<std::name>), "splice_libm_" #name, \
              ::name)
#define SPLICE_ROW(name, ...) row(#name, "splice_rt_math_" #name, __VA_ARGS__)

const std::vector<MathFunction>& table() {
  using D = double;
  static const std::vector<MathFunction> rows = {
      SPLICE_DIRECT(acos),
      SPLICE_ROW(acosh, math::checked<std::acosh>),
      SPLICE_DIRECT(asin),
      SPLICE_ROW(asinh, math::plain<std::asinh>),
      SPLICE_ROW(atan, math::plain<std::atan>),
      SPLICE_ROW(atan2, math::plain<math::atan2>),
      SPLICE_ROW(atanh, math::checked<std::atanh>),
      SPLICE_ROW(cbrt, math::plain<std::cbrt>),
      SPLICE_ROW(ceil, math::whole<std::ceil>),
      SPLICE_ROW(comb, math::comb),
      SPLICE_ROW(copysign, math::plain<std::copysign>),
      SPLICE_DIRECT(cos),
      SPLICE_ROW(cosh, math::checked<std::cosh>),
      SPLICE_ROW(degrees, math::degrees),
      SPLICE_ROW(erf, math::plain<std::erf>),
      SPLICE_ROW(erfc, math::plain<std::erfc>),
      SPLICE_DIRECT(exp),
      SPLICE_ROW(exp2, math::checked<std::exp2>),
      SPLICE_ROW(expm1, math::checked<std::expm1>),
      SPLICE_ROW(fabs, math::plain<std::fabs>),
      SPLICE_ROW(factorial, math::factorial),
      SPLICE_ROW(floor, math::whole<std::floor>),
#if PY_VERSION_HEX >= 0x030D0000
      SPLICE_ROW(fma, boxed<MathBuiltin::kFma, D, D, D>),
#endif
      SPLICE_ROW(fmod, math::fmod),
      SPLICE_ROW(gamma, boxed<MathBuiltin::kGamma, D>),
      SPLICE_ROW(gcd, math::gcd),
      SPLICE_ROW(hypot, boxed<MathBuiltin::kHypot, D, D>),
      row("hypot", "splice_rt_math_hypot3", boxed<MathBuiltin::kHypot, D, D, D>),
      SPLICE_ROW(isclose, math::isclose),
      SPLICE_ROW(isfinite, math::isfinite),
      SPLICE_ROW(isinf, math::isinf),
      SPLICE_ROW(isnan, math::isnan),
      SPLICE_ROW(isqrt, math::isqrt),
      SPLICE_ROW(lcm, math::lcm),
      SPLICE_ROW(ldexp, math::ldexp),
      SPLICE_ROW(lgamma, boxed<MathBuiltin::kLgamma, D>),
      SPLICE_ROW(log, math::logarithm<std::log>),
      row("log", "splice_rt_math_log_base", math::log_base),
      SPLICE_ROW(log10, math::logarithm<std::log10>),
      SPLICE_ROW(log1p, math::checked<math::log1p>),
      SPLICE_ROW(log2, math::logarithm<std::log2>),
      SPLICE_ROW(nextafter, math::plain<std::nextafter>),
      SPLICE_ROW(perm, math::perm),
      SPLICE_ROW(pow, math::pow),
      SPLICE_ROW(radians, math::radians),
      SPLICE_ROW(remainder, math::remainder),
      SPLICE_DIRECT(sin),
      SPLICE_ROW(sinh, math::checked<std::sinh>),
      SPLICE_ROW(sqrt, math::checked<std::sqrt>),
      SPLICE_DIRECT(tan),
      SPLICE_ROW(tanh, math::plain<std::tanh>),
      SPLICE_ROW(trunc, math::whole<std::trunc>),
      SPLICE_ROW(ulp, math::ulp),
      row("perm", "splice_rt_math_perm1", math::factorial),  // perm(n) is n!
  };
  return rows;
}

#undef SPLICE_ROW

}  // namespace

std::span<const MathFunction> math_functions() { return table(); }

const MathFunction* find_math_function(const char* name, std::size_t arg_count) {
  for (const MathFunction& f : table()) {
    if (f.arg_count == arg_count && std::strcmp(f.name, name) == 0) {
      return &f;
    }
  }
  return nullptr;
}

const MathFunction* find_math_function(PyObject* callable, std::size_t arg_count) {
  const char* name = math_method_name(callable);
  return name != nullptr ? find_math_function(name, arg_count) : nullptr;
}

}  // namespace splice::cpy
