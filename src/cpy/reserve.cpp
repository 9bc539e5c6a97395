#include "cpy/reserve.h"

#include <cstdlib>
#include <utility>

namespace splice::cpy {

namespace {

// Small enough for the heap, where others can then use them; malloc maps bigger blocks apart.
constexpr std::size_t kPartBytes = 64 * 1024;
void* g_parts[4] = {};

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
  if (g_parts[0] == nullptr) {
    for (void*& part : g_parts) {
      if (part == nullptr) {
        part = std::malloc(kPartBytes);
      }
    }
  }
  std::free(probe);
}

}  // namespace splice::cpy
