// mem/element_type.h: what the elements of arrays and buffers are.
#pragma once

#include <cstddef>
#include <cstdint>

namespace splice::mem {

/// Elements in native byte order.
enum class ElementType : std::uint8_t {
  kBool,
  kI8,
  kI16,
  kI32,
  kI64,
  kU8,
  kU16,
  kU32,
  kU64,
  kF32,
  kF64,
  kC64,   ///< two f32: real, imaginary
  kC128,  ///< two f64
};

inline constexpr std::size_t kElementTypes = 13;

constexpr bool is_signed(ElementType t) { return t >= ElementType::kI8 && t <= ElementType::kI64; }
constexpr bool is_unsigned(ElementType t) {
  return t >= ElementType::kU8 && t <= ElementType::kU64;
}
constexpr bool is_integer(ElementType t) { return is_signed(t) || is_unsigned(t); }
constexpr bool is_float(ElementType t) { return t == ElementType::kF32 || t == ElementType::kF64; }
constexpr bool is_complex(ElementType t) {
  return t == ElementType::kC64 || t == ElementType::kC128;
}

/// Bytes of one element.
constexpr std::size_t size_of(ElementType t) {
  constexpr std::size_t kSizes[kElementTypes] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 8, 16};
  return kSizes[static_cast<std::size_t>(t)];
}

/// The ints from lowest() to highest() that fit an int64 are values of the type: all of them for
/// integers, those without rounding around them for floats.
constexpr std::int64_t highest(ElementType t) {
  if (is_float(t)) return std::int64_t{1} << (t == ElementType::kF64 ? 53 : 24);
  const int bits = static_cast<int>(8 * size_of(t)) - (is_unsigned(t) && size_of(t) < 8 ? 0 : 1);
  return static_cast<std::int64_t>((std::uint64_t{1} << bits) - 1);
}
constexpr std::int64_t lowest(ElementType t) {
  if (is_float(t)) return -highest(t);
  return is_signed(t) ? -highest(t) - 1 : 0;
}

/// An element lies at a multiple of this.
constexpr std::size_t align_of(ElementType t) {
  return is_complex(t) ? size_of(t) / 2 : size_of(t);
}

/// NumPy's name: "bool", "int8", "uint64", "float32", "complex128", ...
constexpr const char* name_of(ElementType t) {
  constexpr const char* kNames[kElementTypes] = {
      "bool",   "int8",   "int16",   "int32",   "int64",     "uint8",     "uint16",
      "uint32", "uint64", "float32", "float64", "complex64", "complex128"};
  return kNames[static_cast<std::size_t>(t)];
}

/// The type that arithmetic of two NumPy values has: what numpy.promote_types() gives.
constexpr ElementType promote(ElementType a, ElementType b) {
  using enum ElementType;
  if (a == b) return a;
  if (a == kC128 || b == kC128) return kC128;
  if (is_complex(a) || is_complex(b)) {
    // As wide as the floats that the other one needs.
    const ElementType parts = promote(is_complex(a) ? b : a, kF32);
    return parts == kF32 ? kC64 : kC128;
  }
  if (a == kBool || b == kBool) return a == kBool ? b : a;
  const auto bits = [](ElementType t) { return 8 * size_of(t); };
  if (is_float(a) || is_float(b)) {
    // Integers of more than 16 bits do not fit the 24 of a float32.
    const bool narrow = (is_float(a) || bits(a) <= 16) && (is_float(b) || bits(b) <= 16);
    return narrow && a != kF64 && b != kF64 ? kF32 : kF64;
  }
  if (is_signed(a) == is_signed(b)) return bits(a) > bits(b) ? a : b;
  const ElementType plain = is_signed(a) ? a : b;
  const std::size_t other = bits(is_signed(a) ? b : a);
  if (bits(plain) > other) return plain;
  return other == 8 ? kI16 : other == 16 ? kI32 : other == 32 ? kI64 : kF64;
}

}  // namespace splice::mem
