// cpy/math_int.h: the math module's functions of ints that fit 64 bits. `fail` (negative arguments,
// results beyond 64 bits) is as in cpy/runtime_number.h.
#pragma once

#include <cstdint>

namespace splice::cpy::math {

std::int64_t gcd(std::int64_t a, std::int64_t b, std::int64_t* fail) noexcept;
std::int64_t lcm(std::int64_t a, std::int64_t b, std::int64_t* fail) noexcept;
std::int64_t comb(std::int64_t n, std::int64_t k, std::int64_t* fail) noexcept;
std::int64_t perm(std::int64_t n, std::int64_t k, std::int64_t* fail) noexcept;
std::int64_t factorial(std::int64_t n, std::int64_t* fail) noexcept;
std::int64_t isqrt(std::int64_t n, std::int64_t* fail) noexcept;

}  // namespace splice::cpy::math
