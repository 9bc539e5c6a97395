// layout/hot_loop.h: what generated code and the engine share about a loop that counts its rounds.
// docs/internals/abi.md is the prose version; keep them equal.
#pragma once

#include <cstdint>

namespace splice::layout {

/// One per loop that is compiled again once it has proved hot; lies in the data of its unit.
struct HotLoop {
  std::int64_t rounds_left = 0;  ///< counted down at each back edge; below zero: go on in `rest`
  void* rest = nullptr;          ///< code for the rest of the call; null until it is compiled
};

}  // namespace splice::layout
