// cpy/reserve.h: memory that is kept aside for leaving native code.
//
// Where memory ends native code leaves, for MemoryError is raised by the interpreter. Rebuilding
// the frames needs a little itself, and C++ has no way on when that is missing.
#pragma once

#include <cstddef>

namespace splice::cpy {

/// What rebuilding the frames of one exit takes, and more.
inline constexpr std::size_t kMemoryToLeave = 16 * 1024;

/// Gives a part of the reserve up when the C heap has no `bytes`, and fills it when it has. GIL
/// held.
void ensure_memory(std::size_t bytes = kMemoryToLeave) noexcept;
/// Gives a part up. False when nothing is left.
bool give_reserve() noexcept;

}  // namespace splice::cpy
