// engine/promotion_rule.h: when a function has earned to be compiled. Pure; the only place that
// decides it.
//
// The rule is that of the ski rental: a function has to have cost about as much as compiling it
// will, and to be called again. A sample stands for the time since the last one (Pace), so sums of
// samples are milliseconds.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace splice::engine {

/// Milliseconds in one function, within the last kWindowMs of the process or so, that make it a
/// candidate.
inline constexpr std::uint32_t kHotMs = 5;
/// All samples are halved after this time.
inline constexpr std::uint32_t kWindowMs = 1024;
/// What compiling costs, by size of the bytecode: until the front end has been asked.
inline constexpr std::uint32_t kBytesPerMs = 4;
/// Calls of a candidate that prove that it is called often.
inline constexpr std::uint64_t kOftenCalls = 2;
/// What it costs to find out whether a function can be compiled at all, by size of the bytecode.
/// Most cannot; then it costs less than counting the calls until compiling would be worth it.
inline constexpr std::uint32_t kAskedBytesPerMs = 200;
/// CPU time for which they are counted at least: it also tells how often the function is called
/// per CPU time while it is interpreted.
inline constexpr std::int64_t kCountingNs = 2'000'000;
/// A function that is hotter by this than it has to be does not have to prove it: its calls are
/// long, and until the next one comes it costs nothing.
inline constexpr std::uint32_t kVeryHotMs = 25;

struct Heat {
  std::uint32_t recent_ms = 0;
  std::uint64_t calls = 0;      ///< since they are counted
  std::int64_t counted_ns = 0;  ///< CPU time since then
  std::uint32_t code_bytes = 0;
  std::uint32_t expected_ms = 0;  ///< that compiling will take; 0: not known yet
};

enum class Verdict : std::uint8_t {
  kWatch,    ///< nothing special
  kCount,    ///< hot: count its calls
  kPromote,  ///< compile it
};

constexpr Verdict judge(const Heat& heat) {
  if (heat.recent_ms < kHotMs) return Verdict::kWatch;
  const std::uint32_t cost =
      heat.expected_ms != 0 ? heat.expected_ms : heat.code_bytes / kBytesPerMs;
  const std::uint32_t worth_it = std::max(kHotMs, cost);
  if (heat.recent_ms >= worth_it + kVeryHotMs) return Verdict::kPromote;
  const bool often = heat.calls >= kOftenCalls && heat.counted_ns >= kCountingNs;
  return often && heat.recent_ms >= worth_it ? Verdict::kPromote : Verdict::kCount;
}

/// While its calls are counted: whether the front end may be asked about it.
constexpr bool may_ask(const Heat& heat) {
  return heat.recent_ms >= std::max(kHotMs, heat.code_bytes / kAskedBytesPerMs);
}

/// How long until the next look at the program.
struct Pace {
  /// Programs show what is hot at once, and each promotion makes other functions the hot ones;
  static constexpr std::chrono::microseconds kFast{1'000};
  static constexpr std::uint32_t kFirstFastLooks = 256;
  static constexpr std::uint32_t kFastLooks = 64;
  /// later there is time.
  static constexpr std::chrono::microseconds kSteady{8'000};
  /// While nothing runs Python code: the longest pause.
  static constexpr std::chrono::microseconds kIdle{64'000};
};

constexpr std::chrono::microseconds pause_while_busy(bool fast) {
  return fast ? Pace::kFast : Pace::kSteady;
}

/// The last `unanswered` looks were not answered.
constexpr std::chrono::microseconds pause_until_next_look(bool fast, std::uint32_t unanswered) {
  std::chrono::microseconds pause = pause_while_busy(fast);
  for (; unanswered > 0 && pause < Pace::kIdle; --unanswered) pause *= 2;
  return pause;
}

}  // namespace splice::engine
