// cpy/runtime_number.h: arithmetic of CPython's int, float and complex on unboxed values, bit for
// bit as CPython 3.12 and 3.13 do it.
//
// Called by generated code; none of these needs the GIL, except where it says so. A function with
// `fail` stores 0 there when the result is good, and 1 when CPython would raise or when the result
// is not of the returned type (too big an int, a complex); the result is then meaningless and the
// interpreter does the operation again. So it is always safe to fail.
#pragma once

#include <cstdint>

extern "C" {

/// a / b of two ints, b != 0: the quotient correctly rounded, not the quotient of two floats.
double splice_rt_int_truediv(std::int64_t a, std::int64_t b) noexcept;
/// a // b and a % b, b != 0. Fails for INT64_MIN // -1.
std::int64_t splice_rt_int_floordiv(std::int64_t a, std::int64_t b, std::int64_t* fail) noexcept;
std::int64_t splice_rt_int_mod(std::int64_t a, std::int64_t b) noexcept;
/// Whether `a % b` is the object `a` itself, for b not 0: CPython hands the dividend back when the
/// divisor has more digits, or as many and a greater first one (long_rem), but not when both have
/// one.
std::int64_t splice_rt_int_mod_returns_dividend(std::int64_t a, std::int64_t b) noexcept;
/// base ** exponent; fails when the exponent is negative (a float result) or on overflow.
std::int64_t splice_rt_int_pow(std::int64_t base, std::int64_t exponent,
                               std::int64_t* fail) noexcept;
/// pow(base, exponent, modulus); fails when the exponent is negative or the modulus is 0.
std::int64_t splice_rt_int_pow_mod(std::int64_t base, std::int64_t exponent, std::int64_t modulus,
                                   std::int64_t* fail) noexcept;
/// a << b and a >> b; the shift fails when b is negative or bits get lost.
std::int64_t splice_rt_int_lshift(std::int64_t a, std::int64_t b, std::int64_t* fail) noexcept;
std::int64_t splice_rt_int_rshift(std::int64_t a, std::int64_t b, std::int64_t* fail) noexcept;
/// round(value, ndigits).
std::int64_t splice_rt_int_round(std::int64_t value, std::int64_t ndigits,
                                 std::int64_t* fail) noexcept;
/// value.bit_count(), value.bit_length().
std::int64_t splice_rt_int_bit_count(std::int64_t value) noexcept;
std::int64_t splice_rt_int_bit_length(std::int64_t value) noexcept;
/// hash(value).
std::int64_t splice_rt_int_hash(std::int64_t value) noexcept;

/// a ** b. Fails where CPython raises or gives a complex number.
double splice_rt_float_pow(double a, double b, std::int64_t* fail) noexcept;
/// a // b and a % b, b != 0.
double splice_rt_float_floordiv(double a, double b) noexcept;
double splice_rt_float_mod(double a, double b) noexcept;
/// Exact comparison of an int and a float: -1 when a < b, 0, 1; 2 when b is a NaN.
std::int64_t splice_rt_compare_int_float(std::int64_t a, double b) noexcept;
/// int(value).
std::int64_t splice_rt_float_to_int(double value, std::int64_t* fail) noexcept;
/// round(value): to nearest even, an int.
std::int64_t splice_rt_float_round_int(double value, std::int64_t* fail) noexcept;
/// round(value, ndigits). Needs the GIL.
double splice_rt_float_round(double value, std::int64_t ndigits, std::int64_t* fail) noexcept;
/// value.is_integer().
bool splice_rt_float_is_integer(double value) noexcept;

/// a / b; the result goes to out[0] (real) and out[1] (imaginary).
void splice_rt_complex_div(double a_real, double a_imag, double b_real, double b_imag, double* out,
                           std::int64_t* fail) noexcept;
/// a ** b. Needs the GIL.
void splice_rt_complex_pow(double a_real, double a_imag, double b_real, double b_imag, double* out,
                           std::int64_t* fail) noexcept;
/// abs(value).
double splice_rt_complex_abs(double real, double imag, std::int64_t* fail) noexcept;

}  // extern "C"
