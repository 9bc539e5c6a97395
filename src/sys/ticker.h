// sys/ticker.h: a thread of our own that does a little from time to time.
#pragma once

#include <chrono>

#include "base/result.h"

namespace splice::sys {

/// Start and stop are called by one thread at a time. The ticking thread takes no signals and
/// must not wait for anything that the caller of stop() holds. It does not survive a fork: in the
/// child the ticker is stopped and can be started again.
class Ticker {
 public:
  /// One tick; returns the time until the next one.
  using Tick = std::chrono::microseconds (*)();

  Ticker() = default;
  ~Ticker() { stop(); }
  Ticker(const Ticker&) = delete;
  Ticker& operator=(const Ticker&) = delete;

  /// The first tick comes after `first`. Does nothing when it runs already. Errors: kResource.
  Status start(Tick tick, std::chrono::microseconds first);
  /// Returns when the thread has ended.
  void stop();
  bool running() const;

 private:
  struct Thread;
  Thread* thread_ = nullptr;
};

}  // namespace splice::sys
