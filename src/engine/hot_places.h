// engine/hot_places.h: loops and functions that are compiled again once they have proved hot.
#pragma once

#include <cstdint>

#include "layout/hot_place.h"

namespace splice::engine {
struct Unit;
}

extern "C" {
/// Called by a counting place of a unit that has no rounds left: compiles what it goes on with, or
/// what is around it. Null: it goes on as it is, and asks again when `hot->rounds_left` are used
/// up.
void* splice_rt_hot_place(splice::engine::Unit* unit, splice::layout::HotPlace* hot,
                          std::uint32_t place) noexcept;
}
