// The float and complex part of cpy/runtime_number.h.
#include <Python.h>

#include <cerrno>
#include <cmath>
#include <cstdint>

#include "cpy/runtime_math.h"
#include "cpy/runtime_number.h"

namespace {

using std::int64_t;

constexpr double kTwo63 = 9223372036854775808.0;

bool is_odd_integer(double value) { return std::fmod(std::fabs(value), 2.0) == 1.0; }

int64_t to_int(double whole, int64_t* fail) {
  if (whole >= -kTwo63 && whole < kTwo63) {
    *fail = 0;
    return static_cast<int64_t>(whole);
  }
  *fail = 1;
  return 0;
}

// a ** b where one of the two is an infinity or a zero base, or there is nothing to compute.
// Returns false when the C library has to do it.
bool special_pow(double a, double b, double* result, int64_t* fail) {
  if (b == 0) {
    *result = 1.0;
  } else if (std::isnan(a)) {
    *result = a;
  } else if (std::isnan(b)) {
    *result = a == 1.0 ? 1.0 : b;
  } else if (std::isinf(b)) {
    const double size = std::fabs(a);
    if (size == 1.0) {
      *result = 1.0;
    } else {
      *result = (b > 0.0) == (size > 1.0) ? std::fabs(b) : 0.0;
    }
  } else if (std::isinf(a)) {
    const bool odd = is_odd_integer(b);
    if (b > 0.0) {
      *result = odd ? a : std::fabs(a);
    } else {
      *result = odd ? std::copysign(0.0, a) : 0.0;
    }
  } else if (a == 0.0) {
    *fail = b < 0.0 ? 1 : 0;  // ZeroDivisionError
    *result = is_odd_integer(b) ? a : 0.0;
  } else {
    return false;
  }
  return true;
}

}  // namespace

double splice_rt_float_pow(double a, double b, int64_t* fail) noexcept {
  *fail = 0;
  double result;
  if (special_pow(a, b, &result, fail)) {
    return result;
  }
  bool negate = false;
  if (a < 0.0) {
    if (b != std::floor(b)) {
      *fail = 1;  // a complex result
      return 0.0;
    }
    a = -a;
    negate = is_odd_integer(b);
  }
  if (a == 1.0) {
    return negate ? -1.0 : 1.0;
  }
  errno = 0;
  result = std::pow(a, b);
  if (errno == ERANGE && result == 0.0) {
    errno = 0;
  }
  *fail = errno != 0 || std::isinf(result) ? 1 : 0;
  return negate ? -result : result;
}

double splice_rt_float_floordiv(double a, double b) noexcept {
  double mod = std::fmod(a, b);
  double div = (a - mod) / b;
  if (mod != 0.0) {
    if ((b < 0) != (mod < 0)) {
      div -= 1.0;
    }
  }
  if (div == 0.0) {
    return std::copysign(0.0, a / b);
  }
  const double floor = std::floor(div);
  return div - floor > 0.5 ? floor + 1.0 : floor;
}

double splice_rt_float_mod(double a, double b) noexcept {
  const double mod = std::fmod(a, b);
  if (mod == 0.0) {
    return std::copysign(0.0, b);
  }
  return (b < 0) != (mod < 0) ? mod + b : mod;
}

int64_t splice_rt_compare_int_float(int64_t a, double b) noexcept {
  if (std::isnan(b)) {
    return 2;
  }
  if (b >= kTwo63) {
    return -1;
  }
  if (b < -kTwo63) {
    return 1;
  }
  const auto whole = static_cast<int64_t>(b);
  if (a != whole) {
    return a < whole ? -1 : 1;
  }
  const double fraction = b - std::trunc(b);
  return fraction > 0.0 ? -1 : fraction < 0.0 ? 1 : 0;
}

int64_t splice_rt_float_to_int(double value, int64_t* fail) noexcept {
  return to_int(std::trunc(value), fail);
}

int64_t splice_rt_float_round_int(double value, int64_t* fail) noexcept {
  double rounded = std::round(value);
  if (std::fabs(value - rounded) == 0.5) {
    rounded = 2.0 * std::round(value / 2.0);
  }
  return to_int(rounded, fail);
}

double splice_rt_float_round(double value, int64_t ndigits, int64_t* fail) noexcept {
  static constexpr double kPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                       1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                       1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  // CPython rounds the exact decimal value, ties to even, and converts the digits back, correctly
  // rounded. Here the product and its exact error tell on which side of a tie the value lies; the
  // digits as an integer below 2**51 and the power are both exact, so one division converts back.
  if (ndigits >= 0 && ndigits <= 22) {
    const double power = kPowers[ndigits];
    const double product = value * power;
    if (std::fabs(product) < 2251799813685248.0) {
      double whole = std::nearbyint(product);
      const double rest = product - whole;
      if (std::fabs(rest) == 0.5) {
        const double error = std::fma(value, power, -product);
        if (error != 0.0) {
          whole = error > 0.0 ? std::ceil(product) : std::floor(product);
        }
      }
      *fail = 0;
      return std::copysign(whole / power, value);
    }
  }
  return splice::cpy::round_by_cpython(value, ndigits, fail);
}

bool splice_rt_float_is_integer(double value) noexcept {
  return std::isfinite(value) && std::floor(value) == value;
}

void splice_rt_complex_div(double a_real, double a_imag, double b_real, double b_imag, double* out,
                           int64_t* fail) noexcept {
  errno = 0;
  const Py_complex result = _Py_c_quot({a_real, a_imag}, {b_real, b_imag});
  *fail = errno == EDOM ? 1 : 0;
  out[0] = result.real;
  out[1] = result.imag;
}

void splice_rt_complex_pow(double a_real, double a_imag, double b_real, double b_imag, double* out,
                           int64_t* fail) noexcept {
  // complex.__pow__ chooses between two algorithms that are not exported.
  *fail = 1;
  PyObject* a = PyComplex_FromDoubles(a_real, a_imag);
  PyObject* b = PyComplex_FromDoubles(b_real, b_imag);
  PyObject* result = a != nullptr && b != nullptr ? PyNumber_Power(a, b, Py_None) : nullptr;
  if (result != nullptr) {
    const Py_complex value = PyComplex_AsCComplex(result);
    out[0] = value.real;
    out[1] = value.imag;
    *fail = 0;
    Py_DECREF(result);
  } else {
    PyErr_Clear();
  }
  Py_XDECREF(a);
  Py_XDECREF(b);
}

double splice_rt_complex_abs(double real, double imag, int64_t* fail) noexcept {
  // What _Py_c_abs does for finite numbers whose absolute value is finite.
  if (const double size = std::hypot(real, imag); std::isfinite(size)) {
    *fail = 0;
    return size;
  }
  if (std::isnan(real) || std::isnan(imag)) {
    // Before 3.13 CPython looks at an errno that somebody else may have left there.
    *fail = 1;
    return 0.0;
  }
  errno = 0;
  const double result = _Py_c_abs({real, imag});
  *fail = errno == ERANGE ? 1 : 0;
  return result;
}
