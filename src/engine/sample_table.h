// engine/sample_table.h: how much each function was seen running, lately.
//
// A table of fixed size: what is hot is few. Two functions that fall into one place push each other
// down, so the one that is seen more stays. The functions are borrowed and never looked into: who
// hears of a function's death calls forget(), which is two instructions for one that is not there.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace splice::engine {

class SampleTable {
 public:
  /// One sample that stands for `weight`; returns what the function has now.
  std::uint32_t add(const void* function, std::uint32_t weight) {
    Place& place = place_of(function);
    if (place.function == function) return place.sum += weight;
    if (place.sum > weight) {
      place.sum -= weight;
      return 0;
    }
    place = {function, weight};
    return weight;
  }

  std::uint32_t recent(const void* function) const {
    const Place& place = places_[index_of(function)];
    return place.function == function ? place.sum : 0;
  }

  void forget(const void* function) {
    Place& place = place_of(function);
    if (place.function == function) place = {};
  }

  /// What was seen long ago counts less.
  void halve() {
    for (Place& place : places_) place.sum /= 2;
  }

 private:
  struct Place {
    const void* function = nullptr;
    std::uint32_t sum = 0;
  };

  static constexpr std::size_t kPlaces = 256;

  static std::size_t index_of(const void* function) {
    const auto address = reinterpret_cast<std::uintptr_t>(function);
    return (address >> 4 ^ address >> 12) % kPlaces;
  }
  Place& place_of(const void* function) { return places_[index_of(function)]; }

  std::array<Place, kPlaces> places_{};
};

}  // namespace splice::engine
