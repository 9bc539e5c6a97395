#include "cpy/math_int.h"

#include <cmath>
#include <limits>
#include <numeric>

namespace splice::cpy::math {

namespace {

using std::int64_t;
using std::uint64_t;
__extension__ typedef unsigned __int128 UInt128;

constexpr uint64_t kMax = std::numeric_limits<int64_t>::max();

uint64_t magnitude(int64_t value) {
  return value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
}

int64_t narrow(UInt128 value, int64_t* fail) {
  *fail = value > kMax ? 1 : 0;
  return value > kMax ? 0 : static_cast<int64_t>(value);
}

int64_t failed(int64_t* fail) {
  *fail = 1;
  return 0;
}

}  // namespace

int64_t gcd(int64_t a, int64_t b, int64_t* fail) noexcept {
  // Of more than two digits it may be one of the arguments itself.
  constexpr std::uint64_t kTwoDigits = std::uint64_t{1} << 60;
  const std::uint64_t divisor = std::gcd(magnitude(a), magnitude(b));
  return divisor < kTwoDigits ? narrow(divisor, fail) : failed(fail);
}

int64_t lcm(int64_t a, int64_t b, int64_t* fail) noexcept {
  const uint64_t ua = magnitude(a);
  const uint64_t ub = magnitude(b);
  if (ua == 0 || ub == 0) {
    *fail = 0;
    return 0;
  }
  return narrow(static_cast<UInt128>(ua / std::gcd(ua, ub)) * ub, fail);
}

int64_t comb(int64_t n, int64_t k, int64_t* fail) noexcept {
  if (n < 0 || k < 0) {
    return failed(fail);
  }
  *fail = 0;
  if (k > n) {
    return 0;
  }
  if (k > n - k) {
    k = n - k;
  }
  // Each step is C(n, i + 1) = C(n, i) * (n - i) / (i + 1), exact; below the half it only grows.
  uint64_t result = 1;
  for (int64_t i = 0; i < k; ++i) {
    const UInt128 next =
        static_cast<UInt128>(result) * static_cast<uint64_t>(n - i) / static_cast<uint64_t>(i + 1);
    if (next > kMax) {
      return failed(fail);
    }
    result = static_cast<uint64_t>(next);
  }
  return static_cast<int64_t>(result);
}

int64_t perm(int64_t n, int64_t k, int64_t* fail) noexcept {
  if (n < 0 || k < 0) {
    return failed(fail);
  }
  *fail = 0;
  if (k > n) {
    return 0;
  }
  int64_t result = 1;
  for (int64_t i = 0; i < k; ++i) {
    if (__builtin_mul_overflow(result, n - i, &result)) {
      return failed(fail);
    }
  }
  return result;
}

int64_t factorial(int64_t n, int64_t* fail) noexcept {
  if (n < 0 || n > 20) {
    return failed(fail);
  }
  *fail = 0;
  int64_t result = 1;
  for (int64_t i = 2; i <= n; ++i) {
    result *= i;
  }
  return result;
}

int64_t isqrt(int64_t n, int64_t* fail) noexcept {
  if (n < 0) {
    return failed(fail);
  }
  *fail = 0;
  auto root = static_cast<uint64_t>(std::sqrt(static_cast<double>(n)));
  const auto un = static_cast<uint64_t>(n);
  while (root * root > un) {
    --root;
  }
  while ((root + 1) * (root + 1) <= un) {
    ++root;
  }
  return static_cast<int64_t>(root);
}

}  // namespace splice::cpy::math
