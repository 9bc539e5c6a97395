// cpy/reserve.h: memory that is kept aside for leaving native code.
//
// Where memory ends native code leaves, for MemoryError is raised by the interpreter. Rebuilding
// the frames needs a little itself, and C++ has no way on when that is missing.
#pragma once

#include <cstddef>
#include <new>

namespace splice::cpy {

/// What rebuilding the frames of one exit takes, and more.
inline constexpr std::size_t kMemoryToLeave = 16 * 1024;

/// Gives a part of the reserve up when the C heap has no `bytes`, and refills it when it has. GIL
/// held.
void ensure_memory(std::size_t bytes = kMemoryToLeave) noexcept;
/// Gives a part up. False when nothing is left.
bool give_reserve() noexcept;
/// Makes up for what was given, as far as there is memory. GIL held.
void refill_reserve() noexcept;

/// While one of these lives, operator new of this thread takes from the reserve. GIL held.
class UseReserve {
 public:
  UseReserve() noexcept;
  ~UseReserve();
  UseReserve(const UseReserve&) = delete;
  UseReserve& operator=(const UseReserve&) = delete;

 private:
  std::new_handler before_;
  bool outer_;
};

}  // namespace splice::cpy
