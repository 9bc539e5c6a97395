#include "ir/type.h"

namespace splice::ir {

int bit_width(Type t) {
  switch (t) {
    case Type::kVoid:
      return 0;
    case Type::kI1:
      return 1;
    case Type::kI8:
    case Type::kU8:
      return 8;
    case Type::kI16:
    case Type::kU16:
      return 16;
    case Type::kI32:
    case Type::kU32:
    case Type::kF32:
      return 32;
    case Type::kI64:
    case Type::kU64:
    case Type::kF64:
    case Type::kPtr:
    case Type::kObj:
    case Type::kOwned:
      return 64;
    case Type::kC128:
      return 128;
  }
  return 0;
}

const char* type_name(Type t) {
  switch (t) {
    case Type::kVoid:
      return "void";
    case Type::kI1:
      return "i1";
    case Type::kI8:
      return "i8";
    case Type::kI16:
      return "i16";
    case Type::kI32:
      return "i32";
    case Type::kI64:
      return "i64";
    case Type::kU8:
      return "u8";
    case Type::kU16:
      return "u16";
    case Type::kU32:
      return "u32";
    case Type::kU64:
      return "u64";
    case Type::kF32:
      return "f32";
    case Type::kF64:
      return "f64";
    case Type::kC128:
      return "c128";
    case Type::kPtr:
      return "ptr";
    case Type::kObj:
      return "obj";
    case Type::kOwned:
      return "obj.own";
  }
  return "?";
}

}  // namespace splice::ir
