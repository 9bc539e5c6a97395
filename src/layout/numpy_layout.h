// layout/numpy_layout.h: where NumPy keeps what generated code reads from arrays and scalars.
//
// Unchanged from NumPy 1.7 to 2.4 (PyArrayObject_fields, the head of PyArray_Descr, PyUFuncObject,
// the scalar structs of numpy/arrayscalars.h). Splice is built without NumPy: cpy/numpy.cpp holds
// these numbers against real arrays before it relies on them.
#pragma once

#include <cstdint>

namespace splice::layout {

// numpy.ndarray
inline constexpr std::int64_t kArrayData = 16;     ///< char*
inline constexpr std::int64_t kArrayRank = 24;     ///< int
inline constexpr std::int64_t kArrayShape = 32;    ///< intptr_t*
inline constexpr std::int64_t kArrayStrides = 40;  ///< intptr_t*, in bytes
inline constexpr std::int64_t kArrayBase = 48;     ///< whose data it shows, or null
inline constexpr std::int64_t kArrayDtype = 56;    ///< numpy.dtype
inline constexpr std::int64_t kArrayFlags = 64;    ///< int

inline constexpr std::int64_t kArrayWeakReferences = 72;
// From NumPy 1.22 on
inline constexpr std::int64_t kArrayAllocator = 88;  ///< a capsule, or null
inline constexpr std::int64_t kArraySize = 96;

// Flags of an array
inline constexpr std::int32_t kArrayIsContiguous = 0x1;  ///< in C order
inline constexpr std::int32_t kArrayOwnsData = 0x4;
inline constexpr std::int32_t kArrayIsAligned = 0x100;
inline constexpr std::int32_t kArrayIsWriteable = 0x400;
inline constexpr std::int32_t kArrayWritesBack = 0x2000;  ///< to its base, when it dies
inline constexpr std::int32_t kArrayWarnsOnWrite = static_cast<std::int32_t>(0x80000000);

// numpy.dtype: eight bytes that hold, from the lowest, kind, type, byte order and flags as
// characters and the number of the type as an int.
inline constexpr std::int64_t kDtypeHead = 24;
inline constexpr std::uint64_t kDtypeHeadMask = 0xffffffff'00ff0000;  ///< byte order and number
inline constexpr int kDtypeByteOrderShift = 16;
inline constexpr int kDtypeNumberShift = 32;
inline constexpr char kNativeOrder = '=';
inline constexpr char kNoOrder = '|';  ///< elements of one byte

// numpy.ufunc
inline constexpr std::int64_t kUfuncInputs = 16;     ///< int
inline constexpr std::int64_t kUfuncOutputs = 20;    ///< int
inline constexpr std::int64_t kUfuncOperands = 24;   ///< int
inline constexpr std::int64_t kUfuncFunctions = 32;  ///< one for each loop
inline constexpr std::int64_t kUfuncData = 40;       ///< void*, what each is given
inline constexpr std::int64_t kUfuncLoops = 48;      ///< int
inline constexpr std::int64_t kUfuncTypes = 64;      ///< char, a type number for each operand

// NumPy scalars but datetime64, str_ and void
inline constexpr std::int64_t kScalarValue = 16;

}  // namespace splice::layout
