// engine/stopwatch.h: how long a compilation took.
#pragma once

#include <chrono>

namespace splice::engine {

/// Wall-clock time since it was made.
class Stopwatch {
 public:
  double ms() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_)
        .count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace splice::engine
