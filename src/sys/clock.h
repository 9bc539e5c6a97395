// sys/clock.h: clocks as plain numbers.
#pragma once

#include <cstdint>
#include <ctime>

namespace splice::sys {

inline std::int64_t as_ns(const timespec& t) {
  return static_cast<std::int64_t>(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
}

inline std::int64_t monotonic_ns() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return as_ns(t);
}

/// CPU time of all threads of the process, in nanoseconds.
inline std::int64_t process_cpu_ns() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return as_ns(t);
}

/// CPU time of this thread, in nanoseconds.
inline std::int64_t thread_cpu_ns() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return as_ns(t);
}

}  // namespace splice::sys
