// sys/memory.h: how much memory the process may still take.
#pragma once

#include <cstddef>

namespace splice::sys {

/// Whether `bytes` more can be mapped now, within the limits of the process and of the system. Work
/// that cannot be given up half-way asks before it starts.
bool can_map(std::size_t bytes);

}  // namespace splice::sys
