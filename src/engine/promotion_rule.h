// engine/promotion_rule.h: when a function has earned to be compiled. Pure; the only place that
// decides it.
//
// A sample is some milliseconds of the program (Pace), so the counts of samples are times: a
// function has to have cost about as much as compiling it will, and to be called again.
#pragma once

#include <chrono>
#include <cstdint>

namespace splice::engine {

/// Samples of one function, within the last kWindow of the process or so, that make it a candidate.
inline constexpr std::uint32_t kHotSamples = 5;
/// All samples are halved after this many.
inline constexpr std::uint32_t kWindow = 256;
/// Calls of a candidate that prove that it is called often.
inline constexpr std::uint64_t kOftenCalls = 2;
/// CPU time for which they are counted at least: it also tells how often the function is called
/// per CPU time while it is interpreted.
inline constexpr std::int64_t kCountingNs = 2'000'000;
/// A function this hot whose calls are long does not have to prove it: it costs nothing until it is
/// called again.
inline constexpr std::uint32_t kVeryHotSamples = 30;

struct Heat {
  std::uint32_t samples = 0;    ///< recent ones
  std::uint64_t calls = 0;      ///< since they are counted
  std::int64_t counted_ns = 0;  ///< CPU time since then
};

enum class Verdict : std::uint8_t {
  kWatch,    ///< nothing special
  kCount,    ///< hot: count its calls
  kPromote,  ///< compile it
};

constexpr Verdict judge(const Heat& heat) {
  if (heat.samples >= kVeryHotSamples) return Verdict::kPromote;
  if (heat.calls >= kOftenCalls && heat.counted_ns >= kCountingNs) return Verdict::kPromote;
  return heat.samples >= kHotSamples ? Verdict::kCount : Verdict::kWatch;
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

/// The last `unanswered` looks were not answered.
constexpr std::chrono::microseconds pause_until_next_look(bool fast, std::uint32_t unanswered) {
  std::chrono::microseconds pause = fast ? Pace::kFast : Pace::kSteady;
  for (; unanswered > 0 && pause < Pace::kIdle; --unanswered) pause *= 2;
  return pause;
}

}  // namespace splice::engine
