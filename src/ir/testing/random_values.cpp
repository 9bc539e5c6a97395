#include "ir/testing/random_values.h"

#include <bit>
#include <cmath>
#include <iterator>

namespace splice::ir::testing {
namespace {

constexpr std::int64_t kInts[] = {0,  1,  -1,  2,         3,         7,         63,       64,
                                  -2, 10, 255, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN};
constexpr double kFloats[] = {0.0, -0.0, 1.0, -1.5, 0.1, 3.0, 1e300, -1e-310, 1e17, HUGE_VAL};

}  // namespace

double random_double(Random& r) {
  if (r.chance(40)) return kFloats[r.below(std::size(kFloats))];
  if (r.chance(30)) return static_cast<double>(static_cast<std::int64_t>(r.below(2000)) - 1000);
  const double d = std::bit_cast<double>(r.bits());
  return std::isnan(d) ? 2.5 : d;
}

std::int64_t random_int(Random& r, Type t) {
  const std::int64_t v = r.chance(50)   ? kInts[r.below(std::size(kInts))]
                         : r.chance(50) ? static_cast<std::int64_t>(r.below(100)) - 50
                                        : static_cast<std::int64_t>(r.bits());
  return as_int(t, int_value(t, v));
}

std::vector<Value> random_arguments(std::uint64_t seed, std::span<const Type> types) {
  Random random(seed);
  std::vector<Value> values;
  for (const Type t : types) {
    if (t == Type::kF64) {
      values.push_back(float_value(random_double(random)));
    } else if (t == Type::kC128) {
      const double real = random_double(random);
      values.push_back(complex_value(real, random_double(random)));
    } else {
      values.push_back(int_value(t, random_int(random, t)));
    }
  }
  return values;
}

bool same_value(Type type, const Value& expected, const Value& actual) {
  if (expected.undefined) return true;
  if (actual.undefined) return false;
  const auto same_double = [](std::uint64_t a, std::uint64_t b) {
    return a == b || (std::isnan(std::bit_cast<double>(a)) && std::isnan(std::bit_cast<double>(b)));
  };
  const auto as_f32 = [](const Value& v) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(v.low));
  };
  switch (type) {
    case Type::kF64:
      return same_double(expected.low, actual.low);
    case Type::kF32:
      return expected.low == actual.low ||
             (std::isnan(as_f32(expected)) && std::isnan(as_f32(actual)));
    case Type::kC128:
      return same_double(expected.low, actual.low) && same_double(expected.high, actual.high);
    default:
      return expected.low == actual.low;
  }
}

}  // namespace splice::ir::testing
