// engine/compile_cost.h: how long it will take to compile something. Pure.
#pragma once

#include <algorithm>
#include <cstddef>

namespace splice::engine {

/// By the number of IR values that the front end makes: of 14 functions of the examples, 6 to 126
/// ms, each took 0.7 to 1.8 times what that says. The machine, and what else runs on it, are
/// learned from what has been compiled.
class CompileCost {
 public:
  double expected_ms(std::size_t values) const {
    return static_cast<double>(values) * ms_per_value_ + (started_ ? 0.0 : kStartMs);
  }

  void note(std::size_t values, double ms) {
    if (!started_) ms = std::max(0.0, ms - kStartMs);
    started_ = true;
    if (values < kFewValues) return;  // says little
    const double seen = std::clamp(ms / static_cast<double>(values), kLeast, kMost);
    ms_per_value_ += (seen - ms_per_value_) / 2;
  }

 private:
  static constexpr double kStartMs = 8.0;  ///< the first one in a process: LLVM starts
  static constexpr std::size_t kFewValues = 20;
  static constexpr double kLeast = 0.02;
  static constexpr double kMost = 2.0;

  double ms_per_value_ = 0.1;
  bool started_ = false;
};

}  // namespace splice::engine
