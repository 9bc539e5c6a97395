// layout/hot_place.h: what generated code and the engine share about what may become hot.
// docs/internals/abi.md is the prose version; keep them equal.
#pragma once

#include <cstdint>

namespace splice::layout {

/// Where `rounds_left` has come to when so many calls went on in `rest` that the engine is asked
/// again: the way there is better left out.
inline constexpr std::int64_t kOftenHandedOver = -8;

/// One per loop or function that counts its rounds or calls, and is compiled again once they are
/// used up; those of one compilation are an array in the data of its unit.
struct HotPlace {
  std::int64_t rounds_left = 0;  ///< counted down in each; below zero: go on in `rest`
  void* rest = nullptr;          ///< code for the rest of the call; null until it is compiled
  std::int64_t rounds = 0;       ///< what `rounds_left` was at first
};

}  // namespace splice::layout
