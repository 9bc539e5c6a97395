// layout/hot_loop.h: what generated code and the engine share about a loop that counts its rounds.
// docs/internals/abi.md is the prose version; keep them equal.
#pragma once

#include <cstdint>

namespace splice::layout {

/// Where `rounds_left` has come to when so many calls went on in `rest` that the engine is asked
/// again: the way there is better left out.
inline constexpr std::int64_t kOftenHandedOver = -8;

/// One per loop that is compiled again once it has proved hot; those of one compilation are an
/// array in the data of its unit.
struct HotLoop {
  std::int64_t rounds_left = 0;  ///< counted down at each back edge; below zero: go on in `rest`
  void* rest = nullptr;          ///< code for the rest of the call; null until it is compiled
  std::int64_t rounds = 0;       ///< what `rounds_left` was at first
};

}  // namespace splice::layout
