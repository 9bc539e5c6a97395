// engine/compile_watch.h: how long a compilation takes, and what time that leaves to the program.
#pragma once

#include <cstdint>

#include "sys/clock.h"

namespace splice::engine {

/// Lives as long as a compilation does, with the GIL held.
class CompileWatch {
 public:
  CompileWatch() = default;
  ~CompileWatch() { total_cpu_ns() += sys::thread_cpu_ns() - cpu_start_; }
  CompileWatch(const CompileWatch&) = delete;
  CompileWatch& operator=(const CompileWatch&) = delete;

  /// Wall-clock time so far.
  double ms() const { return static_cast<double>(sys::monotonic_ns() - start_) / 1e6; }

  /// CPU time of the process, in nanoseconds, without that of compilations that have ended. Call it
  /// with the GIL held.
  static std::int64_t program_cpu_ns() { return sys::process_cpu_ns() - total_cpu_ns(); }

 private:
  static std::int64_t& total_cpu_ns() {
    static std::int64_t total = 0;
    return total;
  }

  std::int64_t start_ = sys::monotonic_ns();
  std::int64_t cpu_start_ = sys::thread_cpu_ns();
};

}  // namespace splice::engine
