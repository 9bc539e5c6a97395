// engine/promotion_state.h: what the parts of promotion share. GIL held for everything.
#pragma once

#include <Python.h>

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/candidate.h"
#include "engine/sample_table.h"
#include "engine/trial.h"
#include "sys/ticker.h"

namespace splice::engine {

/// Says no for nearly every function that is no candidate, without looking at the candidates.
class CandidateFilter {
 public:
  void insert(const void* function) { bits_.set(index_of(function)); }
  bool may_hold(const void* function) const { return bits_.test(index_of(function)); }

 private:
  static constexpr std::size_t kBits = 4096;
  static std::size_t index_of(const void* function) {
    return reinterpret_cast<std::uintptr_t>(function) / 16 % kBits;
  }
  std::bitset<kBits> bits_;
};

struct Promotion {
  bool on = false;
  sys::Ticker ticker;
  SampleTable table;  ///< milliseconds
  std::uint32_t ms_since_halved = 0;
  std::uint64_t samples = 0;         ///< looks that found a function, interpreted or native
  std::uint64_t native_samples = 0;  ///< of these: native
  CandidateFilter filter;
  std::vector<std::unique_ptr<Candidate>> candidates;  ///< in the order in which they became hot
  std::vector<Candidate*> counted;                     ///< those whose calls are counted
  std::vector<Candidate*> on_trial;                    ///< promoted, and compared with before
};

/// Leaked: functions die, and tell, until the very end of the process.
Promotion& promotion();

// counting.cpp

/// PY_START of a counted code object: counts, and compiles a candidate that is `ready`.
bool on_call(PyFunctionObject* function, bool recursive);
bool start_counting(Candidate& candidate);
void stop_counting(Candidate& candidate);
/// What was seen of an interpreted function since its calls are counted, without the counting.
Throughput interpreted_so_far(const Candidate& candidate, std::int64_t cpu_now);

// try_out.cpp

/// A function that has just got native code is compared with what it was, if that says anything.
void begin_trial(Candidate& candidate);
/// One look at a promoted function that is on trial. True while it is.
bool goes_on(Candidate& candidate, std::int64_t cpu_now);

}  // namespace splice::engine
