// engine/trial.h: is a promoted function faster than it was? Pure.
//
// Native code that is entered from interpreted code costs a call and boxes; a function of one line
// may lose by it. What counts is what the program gets done: calls of the function per CPU time of
// the process, natively and interpreted. Programs have phases and machines have other work, so
// windows of both kinds take turns, and each native one is compared with the interpreted one before
// it, until the answer is clear.
#pragma once

#include <cstdint>

namespace splice::engine {

struct Throughput {
  std::uint64_t calls = 0;
  std::int64_t cpu_ns = 0;

  /// Calls per millisecond.
  double rate() const {
    return cpu_ns > 0 ? 1e6 * static_cast<double>(calls) / static_cast<double>(cpu_ns) : 0;
  }
};

class Trial {
 public:
  /// What is to be done in the next window, or the end.
  enum class Outcome : std::uint8_t { kNative, kInterpreted, kPays, kDoesNotPay };

  /// CPU time of one window.
  static constexpr std::int64_t kWindowNs = 2'000'000;
  /// A native window this much better ends the trial,
  static constexpr double kClearlyFaster = 2;
  /// one below this is slower,
  static constexpr double kSlower = 0.95;
  /// and otherwise so many of one kind decide.
  static constexpr int kEnough = 3;
  /// Calls in an interpreted window below which it says nothing: the calls take long, so that the
  /// price of entering them does not matter, or hardly any come (callers that have become native
  /// call without the entry).
  static constexpr std::uint64_t kFewCalls = 40;

  /// `interpreted` is from before the function was compiled.
  explicit Trial(Throughput interpreted) : interpreted_(interpreted) {}

  /// Whether there is anything to compare with. The first window is native.
  bool needed() const {
    return interpreted_.rate() * kWindowNs >= 1e6 * static_cast<double>(kFewCalls);
  }

  /// The window that the last outcome asked for.
  Outcome add(const Throughput& window) {
    if (interpreting_) {
      interpreting_ = false;
      interpreted_ = window;
      return needed() ? Outcome::kNative : Outcome::kPays;
    }
    native_ = window;
    const double gain = native_.rate() / interpreted_.rate();
    if (gain >= kClearlyFaster) return Outcome::kPays;
    if (gain >= kSlower && ++faster_ == kEnough) return Outcome::kPays;
    if (gain < kSlower && ++slower_ == kEnough) return Outcome::kDoesNotPay;
    interpreting_ = true;
    return Outcome::kInterpreted;
  }

  /// Of the last window of each kind.
  double interpreted_rate() const { return interpreted_.rate(); }
  double native_rate() const { return native_.rate(); }

 private:
  Throughput interpreted_;
  Throughput native_;
  bool interpreting_ = false;
  int faster_ = 0;
  int slower_ = 0;
};

}  // namespace splice::engine
