// pyfront/bytecode.h: a code object as a list of instructions that mean the same on every CPython.
//
// Superinstructions are split, EXTENDED_ARG and KW_NAMES are folded into what they prefix, caches
// and quickening are gone. Every instruction keeps the offset at which the interpreter would
// execute it, so that a state in front of an instruction is a state the interpreter can take over.
#pragma once

#include <Python.h>

#include <cstdint>
#include <string>
#include <vector>

namespace splice::pyfront {

enum class PyOp : std::uint8_t {
  kNop,               ///< RESUME, NOP, ...
  kLoadFast,          ///< arg: slot. Never unbound.
  kLoadFastCheck,     ///< arg: slot. UnboundLocalError when unbound.
  kLoadFastAndClear,  ///< arg: slot. Pushes NULL when unbound; the slot becomes unbound.
  kStoreFast,         ///< arg: slot.
  kDeleteFast,        ///< arg: slot.
  kLoadConst,         ///< arg: index into co_consts.
  kLoadGlobal,        ///< arg: index into co_names; arg2: 1 pushes a NULL for a call as well.
  kStoreGlobal,       ///< arg: index into co_names.
  kLoadDeref,         ///< arg: slot of a cell.
  kStoreDeref,        ///< arg: slot of a cell.
  kMakeCell,          ///< arg: slot.
  kCopyFreeVars,      ///< arg: count.
  /// The code is on top. arg: the attributes below it, as bits (before 3.13): 1 defaults, 2 keyword
  /// defaults, 4 annotations, 8 closure; the closure is the uppermost.
  kMakeFunction,
  kSetFunctionAttribute,  ///< arg: one such bit. The function is on top, the value below.
  kPopTop,
  kPushNull,
  kCopy,  ///< arg: depth, 1 = top.
  kSwap,  ///< arg: depth.
  kUnaryNegative,
  kUnaryPositive,
  kUnaryNot,
  kUnaryInvert,
  kToBool,
  kBinaryOp,      ///< arg: BinaryOperator; arg2: 1 when in place.
  kCompareOp,     ///< arg: Py_LT ... Py_GE; arg2: 1 converts the result to bool.
  kIsOp,          ///< arg: 1 = is not.
  kContainsOp,    ///< arg: 1 = not in.
  kJump,          ///< target.
  kJumpBackward,  ///< target; the interpreter polls here.
  kPopJumpIfFalse,
  kPopJumpIfTrue,
  kPopJumpIfNone,
  kPopJumpIfNotNone,
  kGetIter,
  kForIter,  ///< target: where to go on, the iterator popped, when exhausted.
  kReturnValue,
  kReturnConst,  ///< arg: index into co_consts.
  kReturnGenerator,
  kYieldValue,
  kCall,            ///< arg: arguments; arg2: index into co_consts of the keyword names or -1.
  kCallKw,          ///< arg: arguments; the tuple of keyword names is on the stack.
  kLoadAttr,        ///< arg: index into co_names; arg2: 1 = prepare a method call.
  kBuildTuple,      ///< arg: size.
  kUnpackSequence,  ///< arg: size.
  kUnpackEx,        ///< arg: items before the starred target; arg2: behind it.
  kBinarySubscr,
  kStoreSubscr,
  kDeleteSubscr,
  kBuildSlice,   ///< arg: 2 or 3.
  kBinarySlice,  ///< container, start, stop.
  kStoreSlice,   ///< value, container, start, stop.
  kBuildList,    ///< arg: size.
  kListAppend,   ///< arg: depth of the list, 1 = below the item.
  kListExtend,   ///< arg: depth of the list, 1 = below the iterable.
  kRaise,        ///< arg: operands. Left to the interpreter.
  kUnsupported,  ///< left to the interpreter.
};

enum class BinaryOperator : std::uint8_t {
  kAdd,
  kAnd,
  kFloorDivide,
  kLshift,
  kMatrixMultiply,
  kMultiply,
  kRemainder,
  kOr,
  kPower,
  kRshift,
  kSubtract,
  kTrueDivide,
  kXor,
};

/// Where calls have their NULL: 3.13 moved it above the callable.
inline constexpr bool kNullAboveCallable = PY_VERSION_HEX >= 0x030D0000;

struct PyInst {
  PyOp op = PyOp::kUnsupported;
  std::uint8_t opcode = 0;  ///< CPython's number, for messages
  std::int32_t arg = 0;
  std::int32_t arg2 = 0;
  std::int32_t offset = 0;  ///< bytes; of the first prefix when there is one
  std::int32_t line = 0;
  std::int32_t target = -1;  ///< index of an instruction
};

/// The exception handler that an instruction is covered by.
struct Handler {
  std::int32_t offset = -1;  ///< -1: none
  std::int32_t depth = 0;    ///< stack items that stay
  std::int32_t pushed = 0;   ///< items that are then pushed
  bool operator==(const Handler&) const = default;
};

struct Bytecode {
  std::vector<PyInst> insts;
  /// Instructions that some jump goes backward to: loop headers.
  std::vector<bool> loop_header;
  std::vector<Handler> handler;  ///< by instruction
};

/// Decodes `code`. Fails (false, `error` filled in) only for jumps into the middle of something,
/// which no compiler makes.
bool decode(PyCodeObject* code, Bytecode& out, std::string& error);

/// CPython's name of an opcode that this front end leaves to the interpreter, for messages.
const char* opcode_name(std::uint8_t opcode);

}  // namespace splice::pyfront
