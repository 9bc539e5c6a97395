// engine/hot_loops.h: units whose loops are compiled again once they have proved hot.
#pragma once

#include <cstdint>

#include "layout/hot_loop.h"

namespace splice::engine {
struct Unit;
}

extern "C" {
/// Called by the `index`-th counting loop of a unit that has no rounds left: compiles what it goes
/// on with. Null when that fails; then the loop does not ask again, or later where stack or memory
/// were short.
void* splice_rt_hot_loop(splice::engine::Unit* unit, splice::layout::HotLoop* loop,
                         std::uint32_t index) noexcept;
}
