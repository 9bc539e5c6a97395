// engine/probation.cpp: windows of counted calls.
#include "engine/probation.h"

#include <algorithm>
#include <string>
#include <utility>

#include "cpy/runtime_chaos.h"
#include "engine/entry.h"
#include "engine/interpret.h"
#include "engine/record.h"
#include "engine/thread_local.h"
#include "sys/clock.h"

namespace splice::engine {
namespace {

constexpr std::uint32_t kWindow = 128;
constexpr std::uint64_t kPatience = 16;  // with what has been hot
/// Calls after which a window ends when all of them were wasted.
constexpr std::uint32_t kAllWasted = 32;
/// Native work that pays for rebuilding frames and going on in the interpreter (about 1 us): there
/// it would have taken several times as long.
constexpr std::int64_t kPaysNs = 2'000;

ProbationCall* call_of(const Record& record) {
  ProbationCall* call = this_thread.probation;
  return call != nullptr && &call->record() == &record ? call : nullptr;
}

/// What ran for so long that it was compiled again has been worth more than some failures.
bool has_been_hot(const Record& record) {
  return std::any_of(record.variants.begin(), record.variants.end(), [](const auto& variant) {
    return variant->unit != nullptr &&
           (variant->unit->better != nullptr || !variant->unit->rests.empty());
  });
}

/// Starts a window when there were enough events since the last one.
void count_event(Record& record) {
  if (record.state != State::kActive || record.probation.active) return;
  if (++record.wasted_total < record.probation.next_at) return;
  if (record.wasted_total < record.probation.next_at * kPatience && has_been_hot(record)) return;
  record.wasted_total = 0;
  record.probation.active = true;
  record.probation.calls = record.probation.wasted = 0;
  for (const auto& variant : record.variants) variant->window_calls = variant->window_wasted = 0;
  install(record);
}

struct Verdict {
  std::string reason;
  int line = 0;
};

/// Why calls were wasted; `exit`, which may be null, was taken most.
Verdict verdict(std::uint32_t wasted, std::uint32_t calls, const ir::Exit* exit) {
  Verdict result;
  result.reason = std::to_string(wasted) + " of " + std::to_string(calls) +
                  " calls did not stay in native code";
  if (exit == nullptr) return result;
  result.reason += ", most often: " + exit->reason;
  result.line = exit->loc.line;
  return result;
}

void leave_to_interpreter(Record& record, Variant& variant) {
  const ir::Exit* exit = nullptr;
  std::uint64_t taken = 0;
  hottest_exit(*variant.unit, &exit, &taken);
  auto [reason, line] = verdict(variant.window_wasted, variant.window_calls, exit);
  variant.reason = std::move(reason);
  variant.line = line;
  variant.given_back = true;
  record.exits_before += variant.unit->total_exits();
  if (record.primary == &variant) record.primary = nullptr;
  retire(std::move(variant.unit));
}

void judge(Record& record) {
  Probation& p = record.probation;
  p.active = false;
  p.next_at *= 4;
  if (p.wasted * 2 <= p.calls || cpy::chaos_seed() != 0) return install(record);
  const auto fails = [](const Variant& variant) {
    return variant.window_wasted * 2 > variant.window_calls;
  };
  const bool others = std::any_of(
      record.variants.begin(), record.variants.end(),
      [&](const auto& variant) { return variant->unit != nullptr && !fails(*variant); });
  if (others) {
    for (const auto& variant : record.variants)
      if (variant->unit != nullptr && fails(*variant)) leave_to_interpreter(record, *variant);
    return install(record);
  }
  const ir::Exit* exit = nullptr;
  std::uint64_t most = 0;
  for (const auto& variant : record.variants) {
    const ir::Exit* candidate = nullptr;
    std::uint64_t taken = 0;
    if (variant->unit == nullptr || !hottest_exit(*variant->unit, &candidate, &taken)) continue;
    if (taken > most) most = taken, exit = candidate;
  }
  auto [reason, line] = verdict(p.wasted, p.calls, exit);
  give_back(record, State::kGivenBack, std::move(reason), line);
}

}  // namespace

ProbationCall::ProbationCall(Record& record)
    : record_(record),
      function_(Py_NewRef(reinterpret_cast<PyObject*>(record.function))),
      outer_(this_thread.probation),
      start_(sys::monotonic_ns()),
      variant_(record.primary) {
  this_thread.probation = this;
}

ProbationCall::~ProbationCall() {
  if (!attached()) return;
  this_thread.probation = outer_;
  Probation& p = record_.probation;
  if (p.active) {
    ++p.calls;
    if (wasted_) ++p.wasted;
    for (const auto& variant : record_.variants) {
      if (variant.get() != variant_) continue;
      ++variant->window_calls;
      if (wasted_) ++variant->window_wasted;
    }
    if (p.calls >= kWindow || (p.calls >= kAllWasted && p.wasted == p.calls)) judge(record_);
  }
  Py_DECREF(function_);
}

ProbationCall* ProbationCall::current() { return this_thread.probation; }

std::int64_t ProbationCall::elapsed() const { return sys::monotonic_ns() - start_; }

void note_variant(const Record& record, const Variant* variant) {
  if (ProbationCall* call = call_of(record)) call->mark_variant(variant);
}

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
