#include "sys/memory.h"

#include <sys/mman.h>

namespace splice::sys {

bool can_map(std::size_t bytes) {
  if (bytes == 0) return true;
  void* const room =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) return false;
  munmap(room, bytes);
  return true;
}

}  // namespace splice::sys
