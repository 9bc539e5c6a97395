// engine/counting.cpp: calls of candidates, and compiling one at a call.
#include <algorithm>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "cpy/call_events.h"
#include "engine/compile.h"
#include "engine/compile_watch.h"
#include "engine/entry.h"
#include "engine/promotion_rule.h"
#include "engine/promotion_state.h"
#include "engine/record.h"

namespace splice::engine {
namespace {

/// Of what counting a call is known to cost, so much is taken off: too little rather than too much,
/// a function that is given back does not come again.
constexpr double kSureOfCounting = 0.5;
/// Calls for which a candidate may turn out not to be compilable before it is left alone.
constexpr int kTries = 8;

/// The candidate is called, and has earned to be compiled: for just these arguments. One that
/// cannot be compiled is left as it was, down to the caches of the calls to it.
void compile_now(Candidate& candidate) {
  auto* function = candidate.function;
  std::vector<PyObject*> values;
  if (!can_begin_to_compile() || !cpy::call_arguments(function, values)) return;
  const Trial trial(interpreted_so_far(candidate, CompileWatch::program_cpu_ns()));
  const bool native = jit_now(function, values);
  Record* record = find_record(reinterpret_cast<PyObject*>(function));
  const bool hopeless = record == nullptr || record->state != State::kActive;
  if (!native && !hopeless && ++candidate.tries < kTries) return;
  candidate.fate = Candidate::Fate::kPromoted;
  if (native) {
    if (trial.needed()) candidate.trial = trial;
    return;
  }
  settle(candidate);
  candidate.fate = Candidate::Fate::kRefused;
  if (!hopeless) give_back(*record, State::kRefused, candidate.reason, candidate.line);
}

/// The candidate is called, and most of what is hot cannot be compiled: the front end is asked
/// before the calls have been counted for long, which costs each of them something.
void ask_front_end(Candidate& candidate) {
  std::vector<PyObject*> values;
  if (!can_begin_to_compile() || !cpy::call_arguments(candidate.function, values)) return;
  std::vector<pyfront::Kind> kinds(values.size());
  std::transform(values.begin(), values.end(), kinds.begin(), pyfront::kind_of);
  if (candidate.tries == 0 || kinds != candidate.asked) {
    auto answer = cost_of_compiling(candidate.function, kinds, values);
    auto* why = std::get_if<pyfront::Bailout>(&answer);
    candidate.lowers = why == nullptr;
    if (candidate.lowers) {
      candidate.expected_ms = std::get<double>(answer);
      return;
    }
    candidate.asked = std::move(kinds);
    candidate.reason = std::move(why->reason);
    candidate.line = why->line;
  }
  if (++candidate.tries < kTries) return;
  candidate.fate = Candidate::Fate::kRefused;
  candidate.ready = true;  // the next look ends the counting
  if (Record* record = quiet_record(candidate.function))
    give_back(*record, State::kRefused, candidate.reason, candidate.line);
}

}  // namespace

void stop_counting(Candidate& candidate) {
  auto& counted = promotion().counted;
  std::erase(counted, &candidate);
  const bool shared = std::any_of(counted.begin(), counted.end(),
                                  [&](const Candidate* c) { return c->code == candidate.code; });
  if (!shared) cpy::count_calls(candidate.code, false);
}

bool start_counting(Candidate& candidate) {
  if (!cpy::count_calls(candidate.code, true)) return false;
  candidate.calls = candidate.entries = 0;
  candidate.cpu_start = CompileWatch::program_cpu_ns();
  promotion().counted.push_back(&candidate);
  return true;
}

Throughput interpreted_so_far(const Candidate& candidate, std::int64_t now) {
  const std::int64_t cpu = now - candidate.cpu_start;
  const double counting =
      kSureOfCounting * static_cast<double>(candidate.calls) * cpy::call_event_ns();
  return {candidate.entries, std::max(cpu / 10, cpu - static_cast<std::int64_t>(counting))};
}

bool on_call(PyFunctionObject* function, bool recursive) {
  bool wanted = false;
  for (Candidate* candidate : promotion().counted) {
    // Closures share a code object.
    const bool finished = candidate->ready && candidate->fate != Candidate::Fate::kCounted;
    wanted |= !finished && reinterpret_cast<PyObject*>(candidate->code) == function->func_code;
    if (candidate->function != function || finished) continue;
    ++candidate->calls;
    if (!recursive) ++candidate->entries;
    if (!candidate->lowers && candidate->may_ask) ask_front_end(*candidate);
    if (candidate->lowers && candidate->ready) compile_now(*candidate);
  }
  return wanted;
}

}  // namespace splice::engine
