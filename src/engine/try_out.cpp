// engine/try_out.cpp: windows of native and of interpreted calls, until one kind has won.
#include <cstdio>
#include <string>

#include "engine/compile_watch.h"
#include "engine/entry.h"
#include "engine/promotion_state.h"
#include "engine/record.h"

namespace splice::engine {
namespace {

std::string slower_text(const Trial& trial) {
  char buffer[120];
  std::snprintf(buffer, sizeof buffer,
                "native code made it slower: %.0f calls per ms, %.0f in the interpreter",
                trial.native_rate(), trial.interpreted_rate());
  return buffer;
}

/// Leaves the window of a trial and begins another, or none.
void change_window(Candidate& candidate, Record& record, Trial::Outcome next, std::int64_t now) {
  if (record.resting) stop_counting(candidate);
  record.resting = next == Trial::Outcome::kInterpreted && start_counting(candidate);
  record.counting = next == Trial::Outcome::kNative;
  record.counted_calls = 0;
  candidate.cpu_start = now;
  if (next == Trial::Outcome::kDoesNotPay) {
    give_back(record, State::kGivenBack, slower_text(*candidate.trial), 0);
  } else {
    install(record);
  }
}

}  // namespace

void begin_trial(Candidate& candidate) {
  Record* record = find_record(reinterpret_cast<PyObject*>(candidate.function));
  if (!candidate.trial || record == nullptr || record->primary == nullptr) return;
  record->counting = true;
  record->counted_calls = 0;
  candidate.cpu_start = CompileWatch::program_cpu_ns();
  install(*record);
  promotion().on_trial.push_back(&candidate);
}

bool goes_on(Candidate& candidate, std::int64_t now) {
  if (candidate.function == nullptr) return false;
  Record* record = find_record(reinterpret_cast<PyObject*>(candidate.function));
  if (record == nullptr) return false;
  if (record->state != State::kActive) {
    change_window(candidate, *record, Trial::Outcome::kPays, now);
    return false;
  }
  if (now - candidate.cpu_start < Trial::kWindowNs) return true;
  const Throughput window = record->resting
                                ? interpreted_so_far(candidate, now)
                                : Throughput{record->counted_calls, now - candidate.cpu_start};
  change_window(candidate, *record, candidate.trial->add(window), now);
  return record->resting || record->counting;
}

}  // namespace splice::engine
