// cpy/runtime_chaos.cpp
#include "cpy/runtime_chaos.h"

#include <cstdlib>
#include <vector>

namespace {

constexpr std::uint64_t kLatest = 4;  ///< a guard fails at one of this many executions

/// Executions that a site has left until it fails; 0: it has failed.
std::vector<std::uint8_t>& sites() {
  static std::vector<std::uint8_t> all;
  return all;
}

}  // namespace

namespace splice::cpy {

std::uint64_t chaos_seed() {
  static const std::uint64_t seed = [] {
    const char* text = std::getenv("SPLICE_CHAOS");
    return text != nullptr ? std::strtoull(text, nullptr, 10) : 0;
  }();
  return seed;
}

std::int64_t new_chaos_site() {
  const std::uint64_t mixed =
      (sites().size() + 1) * 0x9E3779B97F4A7C15u ^ chaos_seed() * 0xD1B54A32D192ED03u;
  sites().push_back(static_cast<std::uint8_t>(1 + (mixed >> 40) % kLatest));
  return static_cast<std::int64_t>(sites().size() - 1);
}

}  // namespace splice::cpy

std::int32_t splice_rt_chaos(std::int64_t site) noexcept {
  std::uint8_t& left = sites()[static_cast<std::size_t>(site)];
  return left == 0 || --left != 0;
}
