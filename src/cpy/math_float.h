// cpy/math_float.h: the math module's functions of floats, one C++ function each, in the shape that
// cpy/math_table.cpp exports. Error rules are those of CPython's mathmodule.c, told apart by how
// it wraps the C library; `fail` is as in cpy/runtime_number.h.
#pragma once

#include <cerrno>
#include <cmath>
#include <cstdint>
#include <limits>

namespace splice::cpy::math {

using Unary = double (*)(double);
using Binary = double (*)(double, double);

/// After a finite result: does CPython take what the C library left in errno as an error?
inline bool is_error(double result) {
  return errno == EDOM || (errno == ERANGE && std::fabs(result) >= 1.5);
}

/// A NaN that no argument brought in, or an infinity from a finite argument, is an error.
template <Unary f>
double checked(double x, std::int64_t* fail) noexcept {
  errno = 0;
  const double r = f(x);
  const bool bad = (std::isnan(r) && !std::isnan(x)) || (std::isinf(r) && std::isfinite(x)) ||
                   (std::isfinite(r) && is_error(r));
  *fail = bad ? 1 : 0;
  return r;
}

/// Functions without errors.
template <Unary f>
double plain(double x) noexcept {
  return f(x);
}
template <Binary f>
double plain(double x, double y) noexcept {
  return f(x, y);
}

inline double atan2(double y, double x) {
  return std::isnan(x) || std::isnan(y) ? std::numeric_limits<double>::quiet_NaN()
                                        : std::atan2(y, x);
}

/// The logarithms: zero and negative numbers are errors, minus infinity included.
template <Unary f>
double logarithm(double x, std::int64_t* fail) noexcept {
  *fail = x <= 0.0 ? 1 : 0;
  return *fail == 0 && std::isfinite(x) ? f(x) : x;  // a NaN comes back with its payload
}

inline double log1p(double x) { return x == 0.0 ? x : std::log1p(x); }

/// log(x, base): the quotient of two logarithms; log(1) as divisor is a ZeroDivisionError.
inline double log_base(double x, double base, std::int64_t* fail) noexcept {
  *fail = x <= 0.0 || base <= 0.0 || base == 1.0 ? 1 : 0;
  if (*fail != 0) {
    return 0.0;
  }
  const double dividend = std::isfinite(x) ? std::log(x) : x;
  const double divisor = std::isfinite(base) ? std::log(base) : base;
  return dividend / divisor;
}

inline double degrees(double x) noexcept {
  return x * (180.0 / 3.141592653589793238462643383279502884197);
}
inline double radians(double x) noexcept {
  return x * (3.141592653589793238462643383279502884197 / 180.0);
}

inline double ulp(double x) noexcept {
  if (std::isnan(x)) {
    return x;
  }
  x = std::fabs(x);
  if (std::isinf(x)) {
    return x;
  }
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const double next = std::nextafter(x, kInf);
  return std::isinf(next) ? x - std::nextafter(x, -kInf) : next - x;
}

inline double fmod(double x, double y, std::int64_t* fail) noexcept {
  *fail = 0;
  if (std::isinf(y) && std::isfinite(x)) {
    return x;
  }
  errno = 0;
  const double r = std::fmod(x, y);
  if (std::isnan(r)) {
    *fail = !std::isnan(x) && !std::isnan(y) ? 1 : 0;
  } else {
    *fail = is_error(r) ? 1 : 0;
  }
  return r;
}

/// IEEE remainder: x - n * y with n nearest to x / y, ties to even.
inline double remainder(double x, double y, std::int64_t* fail) noexcept {
  *fail = 0;
  if (std::isfinite(x) && std::isfinite(y)) {
    if (y == 0.0) {
      *fail = 1;
      return 0.0;
    }
    const double ax = std::fabs(x);
    const double ay = std::fabs(y);
    const double m = std::fmod(ax, ay);
    const double c = ay - m;
    const double r = m < c ? m : m > c ? -c : m - 2.0 * std::fmod(0.5 * (ax - m), ay);
    return std::copysign(1.0, x) * r;
  }
  if (std::isnan(x)) {
    return x;
  }
  if (std::isnan(y)) {
    return y;
  }
  *fail = std::isinf(x) ? 1 : 0;
  return x;
}

/// math.pow: unlike `**` it never gives a complex number, and its errors differ.
inline double pow(double x, double y, std::int64_t* fail) noexcept {
  *fail = 0;
  if (std::isfinite(x) && std::isfinite(y)) {
    errno = 0;
    const double r = std::pow(x, y);
    *fail = !std::isfinite(r) || (errno != 0 && is_error(r)) ? 1 : 0;
    return r;
  }
  if (std::isnan(x)) {
    return y == 0.0 ? 1.0 : x;
  }
  if (std::isnan(y)) {
    return x == 1.0 ? 1.0 : y;
  }
  if (std::isinf(x)) {
    const bool odd = std::isfinite(y) && std::fmod(std::fabs(y), 2.0) == 1.0;
    if (y > 0.0) {
      return odd ? x : std::fabs(x);
    }
    return y == 0.0 ? 1.0 : odd ? std::copysign(0.0, x) : 0.0;
  }
  if (std::fabs(x) == 1.0) {
    return 1.0;
  }
  if (y > 0.0 && std::fabs(x) > 1.0) {
    return y;
  }
  return y < 0.0 && std::fabs(x) < 1.0 ? -y : 0.0;
}

inline double ldexp(double x, std::int64_t exponent, std::int64_t* fail) noexcept {
  *fail = 0;
  if (x == 0.0 || !std::isfinite(x)) {
    return x;
  }
  if (exponent > std::numeric_limits<int>::max()) {
    *fail = 1;
    return 0.0;
  }
  if (exponent < std::numeric_limits<int>::min()) {
    return std::copysign(0.0, x);
  }
  errno = 0;
  const double r = std::ldexp(x, static_cast<int>(exponent));
  *fail = std::isinf(r) || is_error(r) ? 1 : 0;
  return r;
}

inline bool isclose(double a, double b) noexcept {
  constexpr double kRelative = 1e-09;
  if (a == b) {
    return true;
  }
  if (std::isinf(a) || std::isinf(b)) {
    return false;
  }
  const double diff = std::fabs(b - a);
  return diff <= std::fabs(kRelative * b) || diff <= std::fabs(kRelative * a) || diff <= 0.0;
}

inline bool isnan(double x) noexcept { return std::isnan(x); }
inline bool isinf(double x) noexcept { return std::isinf(x); }
inline bool isfinite(double x) noexcept { return std::isfinite(x); }

/// floor, ceil, trunc: an int.
template <Unary f>
std::int64_t whole(double x, std::int64_t* fail) noexcept {
  const double r = f(x);
  const bool fits = r >= -9223372036854775808.0 && r < 9223372036854775808.0;
  *fail = fits ? 0 : 1;
  return fits ? static_cast<std::int64_t>(r) : 0;
}

}  // namespace splice::cpy::math
