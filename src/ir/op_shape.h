// ir/op_shape.h: which fields of Inst each op uses. One table that printer, parser and verifier
// share, so that they cannot disagree.
#pragma once

#include <cstdint>

#include "ir/op.h"
#include "ir/type.h"

namespace splice::ir {

enum class IndexUse : std::uint8_t { kNone, kSymbol, kFunction, kExit };

struct OpShape {
  const char* name = nullptr;
  bool type = false;  ///< `type` is printed
  Type fixed =
      Type::kVoid;     ///< what `type` must be when it is not printed; kCallRuntime: its result
  bool type2 = false;  ///< `type2` is printed
  IndexUse index = IndexUse::kNone;
  std::uint8_t imms = 0;     ///< 0: none; 1: imm; 2: imm and imm2. Not for kConst.
  std::uint8_t targets = 0;  ///< number of targets; kSwitch: at least this many
  bool terminator = false;
  bool effect = false;
};

/// `op` may be any value: those outside the enumeration get a shape called "?".
const OpShape& op_shape(Op op);

}  // namespace splice::ir
