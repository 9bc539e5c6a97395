// layout/object_layout.h: where CPython keeps what generated code reads from objects, as plain
// data.
//
// For 64-bit builds with the GIL and 30-bit digits. tests/abi/ asserts every number against the
// headers of each interpreter; opt/lower_py.cpp is the only user.
#pragma once

#include <cstdint>

namespace splice::layout {

/// How Py_INCREF and Py_DECREF leave immortal objects alone.
enum class RefcountRule : std::uint8_t {
  /// 3.12, 3.13: increments the low 32 bits unless that wraps to 0; decrements all 64 bits unless
  /// the low 32 bits are negative. The high 32 bits of an object that may die are 0, so that both
  /// can be done in the low ones when 0 there is not taken for the end.
  kLow32Saturating,
};

struct ObjectLayout {
  int minor = 0;  ///< 3.minor

  // PyObject
  std::int64_t refcount = 0;
  std::int64_t type = 0;
  RefcountRule refcount_rule = RefcountRule::kLow32Saturating;

  // PyLongObject: tag = number of digits << long_size_shift | sign (0 positive, 1 zero, 2
  // negative), so that 1 - (tag & long_sign_mask) is the factor of the magnitude.
  std::int64_t long_tag = 0;
  std::int64_t long_digits = 0;
  int long_size_shift = 0;
  std::int64_t long_sign_mask = 0;
  int long_digit_bits = 0;
  std::int64_t long_digit_bytes = 0;

  // PyFloatObject, PyComplexObject (real, then imag)
  std::int64_t float_value = 0;
  std::int64_t complex_value = 0;
};

inline constexpr ObjectLayout kLayout312 = {
    .minor = 12,
    .refcount = 0,
    .type = 8,
    .refcount_rule = RefcountRule::kLow32Saturating,
    .long_tag = 16,
    .long_digits = 24,
    .long_size_shift = 3,
    .long_sign_mask = 3,
    .long_digit_bits = 30,
    .long_digit_bytes = 4,
    .float_value = 16,
    .complex_value = 16,
};

inline constexpr ObjectLayout kLayout313 = [] {
  ObjectLayout layout = kLayout312;
  layout.minor = 13;
  return layout;
}();

/// Layout of CPython 3.`minor`; null when it is not supported.
constexpr const ObjectLayout* object_layout(int minor) {
  switch (minor) {
    case 12:
      return &kLayout312;
    case 13:
      return &kLayout313;
    default:
      return nullptr;
  }
}

}  // namespace splice::layout
