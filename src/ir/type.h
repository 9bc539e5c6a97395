// ir/type.h: the value types of the IR.
#pragma once

#include <cstdint>

namespace splice::ir {

enum class Type : std::uint8_t {
  kVoid,
  kI1,
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
  kC128,   ///< two f64: real, imaginary
  kPtr,    ///< an address that is not a Python object; may be null
  kObj,    ///< a borrowed Python object; may be null only where an op says so
  kOwned,  ///< a Python object whose reference this value owns
};

constexpr bool is_signed_int(Type t) { return t >= Type::kI8 && t <= Type::kI64; }
constexpr bool is_unsigned_int(Type t) { return t >= Type::kU8 && t <= Type::kU64; }
constexpr bool is_int(Type t) { return t >= Type::kI1 && t <= Type::kU64; }
constexpr bool is_float(Type t) { return t == Type::kF32 || t == Type::kF64; }
constexpr bool is_number(Type t) { return t >= Type::kI1 && t <= Type::kC128; }
constexpr bool is_pointer(Type t) { return t >= Type::kPtr; }

/// Width in bits of an integer or float type; 64 for pointers, 128 for c128, 0 for void.
int bit_width(Type t);
/// Spelling in IR text: "i64", "f64", "obj", "obj.own", ...
const char* type_name(Type t);

}  // namespace splice::ir
