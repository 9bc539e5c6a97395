#include "cpy/reserve.h"

#include <cstdlib>
#include <utility>

namespace splice::cpy {

namespace {

// Small enough for the heap, where others can then use them; malloc maps bigger blocks apart.
constexpr std::size_t kPartBytes = 64 * 1024;
void* g_parts[4] = {};
thread_local bool t_uses_reserve = false;

/// The handler of the whole process for a moment: other threads get what they would have got.
void take_from_reserve() {
  if (!t_uses_reserve || !give_reserve()) {
    throw std::bad_alloc();
  }
}

}  // namespace

bool give_reserve() noexcept {
  for (void*& part : g_parts) {
    if (part != nullptr) {
      std::free(std::exchange(part, nullptr));
      return true;
    }
  }
  return false;
}

void ensure_memory(std::size_t bytes) noexcept {
  void* volatile probe = std::malloc(bytes);  // volatile: or the compiler leaves the pair out
  if (probe == nullptr) {
    give_reserve();
    return;
  }
  refill_reserve();
  std::free(probe);
}

void refill_reserve() noexcept {
  if (g_parts[0] != nullptr) {
    return;  // parts are given up from the first on
  }
  for (void*& part : g_parts) {
    if (part == nullptr) {
      part = std::malloc(kPartBytes);
    }
  }
}

UseReserve::UseReserve() noexcept
    : before_(std::set_new_handler(&take_from_reserve)), outer_(t_uses_reserve) {
  t_uses_reserve = true;
}

UseReserve::~UseReserve() {
  t_uses_reserve = outer_;
  std::set_new_handler(before_);
}

}  // namespace splice::cpy
