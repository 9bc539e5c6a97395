#include "cpy/runtime_number.h"

#include <bit>
#include <cmath>
#include <limits>

namespace {

using std::int64_t;
using std::uint64_t;
__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UInt128;

uint64_t magnitude(int64_t value) {
  return value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
}

}  // namespace

double splice_rt_int_truediv(int64_t a, int64_t b) noexcept {
  constexpr uint64_t kExact = uint64_t{1} << 53;
  const uint64_t ua = magnitude(a);
  const uint64_t ub = magnitude(b);
  if (ua <= kExact && ub <= kExact) {
    return static_cast<double>(a) / static_cast<double>(b);
  }
  // A quotient of 56 to 64 bits whose lowest bit says "and something more": rounding that to a
  // double is rounding the true quotient.
  const int width = static_cast<int>(std::bit_width(ua)) - static_cast<int>(std::bit_width(ub));
  const int shift = width < 56 ? 56 - width : 0;
  const UInt128 scaled = static_cast<UInt128>(ua) << shift;
  uint64_t quotient = static_cast<uint64_t>(scaled / ub);
  quotient |= scaled % ub != 0 ? 1 : 0;
  const double result = std::ldexp(static_cast<double>(quotient), -shift);
  return (a < 0) != (b < 0) ? -result : result;
}

int64_t splice_rt_int_floordiv(int64_t a, int64_t b, int64_t* fail) noexcept {
  *fail = a == std::numeric_limits<int64_t>::min() && b == -1 ? 1 : 0;
  if (*fail != 0) {
    return 0;
  }
  const int64_t quotient = a / b;
  return quotient - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

int64_t splice_rt_int_mod(int64_t a, int64_t b) noexcept {
  if (b == -1) {
    return 0;
  }
  const int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

int64_t splice_rt_int_mod_returns_dividend(int64_t a, int64_t b) noexcept {
  constexpr int kDigit = 30;
  const int shift = magnitude(b) >= uint64_t{1} << 2 * kDigit ? 2 * kDigit : kDigit;
  return magnitude(a) >> shift < magnitude(b) >> shift && splice_rt_int_mod(a, b) == a ? 1 : 0;
}

int64_t splice_rt_int_pow(int64_t base, int64_t exponent, int64_t* fail) noexcept {
  *fail = 1;
  if (exponent < 0) {
    return 0;
  }
  int64_t result = 1;
  while (true) {
    if ((exponent & 1) != 0 && __builtin_mul_overflow(result, base, &result)) {
      return 0;
    }
    exponent >>= 1;
    if (exponent == 0) {
      break;
    }
    if (__builtin_mul_overflow(base, base, &base)) {
      return 0;  // the square is used: the highest bit of the exponent is still to come
    }
  }
  *fail = 0;
  return result;
}

int64_t splice_rt_int_pow_mod(int64_t base, int64_t exponent, int64_t modulus,
                              int64_t* fail) noexcept {
  *fail = exponent < 0 || modulus == 0 ? 1 : 0;
  if (*fail != 0) {
    return 0;
  }
  const UInt128 m = magnitude(modulus);
  const Int128 wide = static_cast<Int128>(base) % static_cast<Int128>(m);
  UInt128 b = static_cast<UInt128>(wide < 0 ? wide + static_cast<Int128>(m) : wide);
  UInt128 result = 1 % m;
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) {
      result = result * b % m;
    }
    b = b * b % m;
  }
  // Sign of the modulus, as with %.
  const Int128 r = static_cast<Int128>(result);
  return static_cast<int64_t>(modulus < 0 && r != 0 ? r + modulus : r);
}

int64_t splice_rt_int_lshift(int64_t a, int64_t b, int64_t* fail) noexcept {
  *fail = 0;
  if (b >= 0 && a == 0) {
    return 0;
  }
  if (b >= 0 && b < 64) {
    const Int128 wide = static_cast<Int128>(a) * (static_cast<Int128>(1) << b);
    const int64_t result = static_cast<int64_t>(wide);
    if (result == wide) {
      return result;
    }
  }
  *fail = 1;
  return 0;
}

int64_t splice_rt_int_rshift(int64_t a, int64_t b, int64_t* fail) noexcept {
  *fail = b < 0 ? 1 : 0;
  return b < 0 ? 0 : a >> (b > 63 ? 63 : b);
}

int64_t splice_rt_int_round(int64_t value, int64_t ndigits, int64_t* fail) noexcept {
  *fail = 0;
  if (ndigits >= 0) {
    return value;
  }
  if (ndigits < -18) {
    *fail = 1;
    return 0;
  }
  int64_t power = 1;
  for (int64_t i = ndigits; i != 0; ++i) {
    power *= 10;
  }
  // Nearest multiple of `power`, ties to the even one; `rest` is that of floor division.
  const int64_t quotient = splice_rt_int_floordiv(value, power, fail);
  const int64_t rest = splice_rt_int_mod(value, power);
  const int64_t half = power / 2;
  const bool up = rest > half || (rest == half && (quotient & 1) != 0);
  const Int128 result = (static_cast<Int128>(quotient) + (up ? 1 : 0)) * power;
  if (result != static_cast<int64_t>(result)) {
    *fail = 1;
    return 0;
  }
  return static_cast<int64_t>(result);
}

int64_t splice_rt_int_bit_count(int64_t value) noexcept { return std::popcount(magnitude(value)); }

int64_t splice_rt_int_bit_length(int64_t value) noexcept {
  return std::bit_width(magnitude(value));
}

int64_t splice_rt_int_hash(int64_t value) noexcept {
  constexpr uint64_t kModulus = (uint64_t{1} << 61) - 1;
  const auto hash = static_cast<int64_t>(magnitude(value) % kModulus);
  const int64_t with_sign = value < 0 ? -hash : hash;
  return with_sign == -1 ? -2 : with_sign;
}
