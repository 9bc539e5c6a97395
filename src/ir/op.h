// ir/op.h: every operation of the IR, documented on its enumerator. This is the IR reference.
//
// Notation: (operands) -> (results). "T" is the instruction's `type`. Unless it says
// otherwise an op has no side effect and may be removed when its results are unused.
// Ops named py.* know CPython's object layout; opt/lower_py.cpp turns them into the rest
// before codegen. Text spelling: the enumerator in lower case without `k`, with `.` where
// op_name() says so.
#pragma once

#include <cstdint>

namespace splice::ir {

enum class Op : std::uint8_t {
  // --- constants -------------------------------------------------------------------------
  kConst,         ///< () -> T. Immediate in `imm` (integers, bits of f32/f64, 0 = null for
                  ///< pointers); c128 keeps the imaginary part's bits in `imm2`.
  kSymbol,        ///< () -> T in {ptr, obj}. Address of module symbol `index`.
  kUndef,         ///< () -> T. Any value.
  kCtx,           ///< () -> ptr. The splice::layout::Context of this thread.
  kStackAddress,  ///< () -> ptr. Address in the current C stack frame, for depth checks.

  // --- arithmetic: T integer (wraps) or float (IEEE, round to nearest even) ---------------
  kAdd,  ///< (T, T) -> T. Also c128.
  kSub,  ///< (T, T) -> T. Also c128.
  kMul,  ///< (T, T) -> T. Also c128: (ar*br - ai*bi, ar*bi + ai*br), no contraction.
  kDiv,  ///< (T, T) -> T. Integers truncate; divisor 0 and MIN / -1 are undefined.
  kRem,  ///< (T, T) -> T. Sign of the dividend (C's % and fmod); undefined as kDiv.
  kMod,  ///< (T, T) -> T, integers. Sign of the divisor (Python's %); 0 where that is 0.
  kNeg,  ///< (T) -> T. Also c128.
  kAnd,  ///< (T, T) -> T, integers incl. i1.
  kOr,   ///< (T, T) -> T, integers incl. i1.
  kXor,  ///< (T, T) -> T, integers incl. i1.
  kShl,  ///< (T, T) -> T, integers. Count must be in [0, width).
  kShr,  ///< (T, T) -> T, integers; arithmetic when T is signed, logical when unsigned.

  // --- checked integer arithmetic: T = i64 (or another int type) ---------------------------
  kAddOv,  ///< (T, T) -> (T, i1). Wrapped value and "it overflowed".
  kSubOv,  ///< (T, T) -> (T, i1).
  kMulOv,  ///< (T, T) -> (T, i1).

  // --- float functions that IEEE defines exactly: T = f64 or f32 --------------------------
  kSqrt,
  kFloor,
  kCeil,
  kTrunc,
  kRint,      ///< (T) -> T. To nearest even.
  kFabs,      ///< (T) -> T. Clears the sign bit.
  kCopysign,  ///< (T, T) -> T. Magnitude of the first, sign of the second.
  kFma,       ///< (T, T, T) -> T. One rounding. Only when the source wrote it.

  // --- comparison: operands of type T, result i1 -------------------------------------------
  kEq,  ///< Integers, floats (ordered), pointers, c128.
  kNe,  ///< Floats: true when unordered.
  kLt,  ///< Signedness from T; floats ordered.
  kLe,
  kGt,
  kGe,

  // --- conversion ---------------------------------------------------------------------------
  kSelect,   ///< (i1, T, T) -> T.
  kConvert,  ///< (from) -> T. `type2` is the operand's type. Int to int truncates or extends by
             ///< the operand's signedness (i1 zero-extends); int to float rounds to nearest
             ///< even; float to int truncates and is undefined out of range.
  kBitcast,  ///< (from) -> T of the same width; `type2` is the operand's type.
  kComplex,  ///< (f64 re, f64 im) -> c128.
  kReal,     ///< (c128) -> f64.
  kImag,     ///< (c128) -> f64.

  // --- memory ---------------------------------------------------------------------------------
  kLoad,      ///< (ptr) -> T from address + imm. Aligned to T's size.
  kStore,     ///< (ptr, T) -> (). To address + imm. Side effect. `type` is the stored type.
  kSlot,      ///< () -> ptr. Stack slot of `imm` bytes, 16-byte aligned, for the whole call.
  kElements,  ///< (ptr) -> ptr. The same address, of memory that holds numbers and characters only:
              ///< elements of arrays, bytes and bytearrays. Nothing else overlaps with it.
  kHeader,    ///< (obj) -> ptr. The same address, of an array's fields and, loaded from there, its
              ///< shape, strides and dtype: only Python code writes there.
  kAddr,      ///< (ptr base, i64 index) -> ptr. base + index * imm + imm2, bytes.

  // --- calls: all have side effects unless the callee symbol is marked pure ----------------
  kCall,  ///< (args...) -> (callee's results..., i32 status). Module function `index`
          ///< with the Splice convention (docs/internals/abi.md). A negative status
          ///< means that the results are undefined. In a c_abi function the first operand
          ///< is the ctx pointer (from splice_rt_enter); elsewhere ctx is passed on by itself.
  kCallRuntime,  ///< (args...) -> T or nothing. C convention, symbol `index`.

  // --- leaving --------------------------------------------------------------------------------
  kGuard,  ///< (i1 cond, live...) -> (). When cond is false, leaves by exit `index`.
  kPoll,   ///< (live...) -> (). Back-edge poll: serves a GIL request; when the runtime says so,
           ///< leaves by exit `index`.

  // --- terminators ------------------------------------------------------------------------------
  kBr,           ///< (). targets[0].
  kCondBr,       ///< (i1). targets[0] when true, targets[1] when false.
  kPollBr,       ///< (live...). A poll that goes on at targets[0] where it served a request (other
                 ///< Python code may have run) and at targets[1] where there was none.
  kSwitch,       ///< (i32 or i64). `cases[i]` goes to targets[i]; the last target is the default.
  kRet,          ///< (values of all the function's results). Splice convention: returns status
                 ///< `imm` (>= 0, which kind of result was filled in). C convention: 0 or 1 value.
  kLeave,        ///< (live...). Leaves by exit `index`.
  kUnreachable,  ///< ().

  // --- Python objects (lowered by opt/lower_py.cpp) ---------------------------------------------
  kPyTypeIs,        ///< (obj) -> i1. Its type is exactly symbol `index`.
  kPyUnboxInt,      ///< (obj, an exact int) -> (i64, i1 fits). Value undefined when it doesn't fit.
  kPyUnboxFloat,    ///< (obj, an exact float) -> f64.
  kPyUnboxBool,     ///< (obj, a bool) -> i1.
  kPyUnboxComplex,  ///< (obj, an exact complex) -> c128.
  kPyBoxInt,        ///< (i64) -> obj.own or null with MemoryError set.
  kPyBoxFloat,      ///< (f64) -> obj.own or null with MemoryError set.
  kPyBoxBool,       ///< (i1) -> obj.own.
  kPyBoxComplex,    ///< (c128) -> obj.own or null with MemoryError set.
  kPyIncref,        ///< (obj) -> obj.own. Side effect. Immortal objects are left alone.
  kPyDecref,        ///< (obj.own) -> (). Side effect; may run any code.

  kCount
};

/// Spelling in IR text, e.g. "add.ov", "call.rt", "py.box.int".
const char* op_name(Op op);
/// True for the last op of a block.
bool is_terminator(Op op);
/// True when the op must stay although its results are unused (stores, calls, guards, ...).
bool has_side_effect(Op op);

}  // namespace splice::ir
