// engine/probation.cpp: windows of counted calls.
#include "engine/probation.h"

#include <ctime>
#include <string>

#include "cpy/runtime_chaos.h"
#include "engine/entry.h"
#include "engine/interpret.h"
#include "engine/record.h"
#include "engine/thread_local.h"

namespace splice::engine {
namespace {

constexpr std::uint32_t kWindow = 128;
/// Calls after which a window ends when all of them were wasted.
constexpr std::uint32_t kAllWasted = 32;
/// Native work that pays for rebuilding frames and going on in the interpreter (about 1 us): there
/// it would have taken several times as long.
constexpr std::int64_t kPaysNs = 2'000;

std::int64_t now_ns() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<std::int64_t>(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
}

ProbationCall* call_of(const Record& record) {
  ProbationCall* call = this_thread.probation;
  return call != nullptr && &call->record() == &record ? call : nullptr;
}

/// Starts a window when there were enough events since the last one.
void count_event(Record& record) {
  if (record.state != State::kActive || record.probation.active) return;
  if (++record.wasted_total < record.probation.next_at) return;
  record.wasted_total = 0;
  record.probation.active = true;
  record.probation.calls = record.probation.wasted = 0;
  install(record);
}

void judge(Record& record) {
  Probation& p = record.probation;
  p.active = false;
  if (p.wasted * 2 <= p.calls || cpy::chaos_seed() != 0) {
    p.next_at *= 4;
    install(record);
    return;
  }
  std::string reason = std::to_string(p.wasted) + " of " + std::to_string(p.calls) +
                       " calls did not stay in native code";
  int line = 0;
  const ir::Exit* exit = nullptr;
  std::uint64_t most = 0;
  for (const auto& variant : record.variants) {
    const ir::Exit* candidate = nullptr;
    std::uint64_t taken = 0;
    if (variant->unit == nullptr || !hottest_exit(*variant->unit, &candidate, &taken)) continue;
    if (taken > most) most = taken, exit = candidate;
  }
  if (exit != nullptr) {
    reason += ", most often: " + exit->reason;
    line = exit->loc.line;
  }
  give_back(record, State::kGivenBack, std::move(reason), line);
}

}  // namespace

ProbationCall::ProbationCall(Record& record)
    : record_(record),
      function_(Py_NewRef(reinterpret_cast<PyObject*>(record.function))),
      outer_(this_thread.probation),
      start_(now_ns()) {
  this_thread.probation = this;
}

ProbationCall::~ProbationCall() {
  if (!attached()) return;
  this_thread.probation = outer_;
  Probation& p = record_.probation;
  if (p.active) {
    ++p.calls;
    if (wasted_) ++p.wasted;
    if (p.calls >= kWindow || (p.calls >= kAllWasted && p.wasted == p.calls)) judge(record_);
  }
  Py_DECREF(function_);
}

ProbationCall* ProbationCall::current() { return this_thread.probation; }

std::int64_t ProbationCall::elapsed() const { return now_ns() - start_; }

void note_wasted(Record& record) {
  if (ProbationCall* call = call_of(record)) call->mark_wasted();
  count_event(record);
}

void note_left(Record& record) {
  ProbationCall* call = call_of(record);
  if (call != nullptr && call->elapsed() < kPaysNs) call->mark_wasted();
  count_event(record);
}

}  // namespace splice::engine
