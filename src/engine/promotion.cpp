// engine/promotion.cpp: from samples to candidates to compiled functions.
#include "engine/promotion.h"

#include <algorithm>
#include <atomic>
#include <bitset>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cpy/call_events.h"
#include "cpy/look.h"
#include "engine/candidate.h"
#include "engine/compile.h"
#include "engine/dict.h"
#include "engine/engine.h"
#include "engine/entry.h"
#include "engine/promotion_rule.h"
#include "engine/record.h"
#include "engine/sample_table.h"
#include "engine/tools_mode.h"
#include "engine/trial.h"
#include "sys/clock.h"
#include "sys/ticker.h"

namespace splice::engine {
namespace {

/// Code objects whose calls are counted at the same time.
constexpr std::size_t kMaxCounted = 16;

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
  SampleTable recent;
  std::uint32_t since_halved = 0;
  std::uint64_t samples = 0;         ///< looks that found a function, interpreted or native
  std::uint64_t native_samples = 0;  ///< of these: native
  CandidateFilter filter;
  std::vector<std::unique_ptr<Candidate>> candidates;  ///< in the order in which they became hot
  std::vector<Candidate*> counted;                     ///< those whose calls are counted
  std::vector<Candidate*> on_trial;                    ///< promoted, and compared with before
};

// Leaked: functions die, and tell, until the very end of the process.
Promotion& promotion() {
  static auto* all = new Promotion;
  return *all;
}

// For the ticker, which has no GIL.
std::atomic<std::uint32_t> g_looks{0};
std::atomic<bool> g_tools_trace{false};

std::chrono::microseconds tick() {
  static std::uint32_t unanswered = 0;  // the ticker's own
  unanswered = cpy::request_look() ? 0 : unanswered + 1;
  if (g_tools_trace.load(std::memory_order_relaxed)) return Pace::kIdle;
  return pause_until_next_look(g_looks.load(std::memory_order_relaxed), unanswered);
}

Candidate* find_candidate(const PyFunctionObject* function) {
  Promotion& p = promotion();
  if (!p.filter.may_hold(function)) return nullptr;
  auto it = std::find_if(p.candidates.begin(), p.candidates.end(),
                         [&](const auto& c) { return c->function == function; });
  return it != p.candidates.end() ? it->get() : nullptr;
}

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
  candidate.cpu_start = sys::process_cpu_ns();
  promotion().counted.push_back(&candidate);
  return true;
}

/// Of what counting a call is known to cost, so much is taken off: too little rather than too much,
/// a function that is given back does not come again.
constexpr double kSureOfCounting = 0.5;

/// What was seen of an interpreted function since its calls are counted, without the counting.
Throughput interpreted_so_far(const Candidate& candidate, std::int64_t now) {
  const std::int64_t cpu = now - candidate.cpu_start;
  const double counting =
      kSureOfCounting * static_cast<double>(candidate.calls) * cpy::call_event_ns();
  return {candidate.entries, std::max(cpu / 10, cpu - static_cast<std::int64_t>(counting))};
}

/// PY_START of a counted code object.
bool on_call(PyFunctionObject* function, bool recursive) {
  bool wanted = false;
  for (Candidate* candidate : promotion().counted) {
    if (candidate->function == function) {
      ++candidate->calls;
      if (!recursive) ++candidate->entries;
    }
    // Closures share a code object.
    wanted |= reinterpret_cast<PyObject*>(candidate->code) == function->func_code;
  }
  return wanted;
}

void promote(Candidate& candidate) {
  auto* function = reinterpret_cast<PyObject*>(candidate.function);
  if (candidate.fate == Candidate::Fate::kCounted) {
    stop_counting(candidate);
    const Trial trial(interpreted_so_far(candidate, sys::process_cpu_ns()));
    if (trial.needed()) candidate.trial = trial;
  }
  candidate.fate = Candidate::Fate::kPromoted;
  JitOptions options;
  options.quiet = true;
  // Quiet: there is no exception and no warning; the record says what became of it.
  if (jit(function, options) < 0) PyErr_Clear();
  Record* record = find_record(function);
  if (!candidate.trial || record == nullptr) return;
  candidate.cpu_start = 0;
  record->counting = true;
  install(*record);
  promotion().on_trial.push_back(&candidate);
}

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

/// One look at a promoted function that is on trial. True while it is.
bool goes_on(Candidate& candidate, std::int64_t now) {
  if (candidate.function == nullptr) return false;
  Record* record = find_record(reinterpret_cast<PyObject*>(candidate.function));
  if (record == nullptr) return false;
  if (record->state != State::kActive) {
    change_window(candidate, *record, Trial::Outcome::kPays, now);
    return false;
  }
  if (record->primary == nullptr || candidate.cpu_start == 0) {
    // Not compiled yet, or just now.
    candidate.cpu_start = record->primary != nullptr ? now : 0;
    record->counted_calls = 0;
    return true;
  }
  if (now - candidate.cpu_start < Trial::kWindowNs) return true;
  const Throughput window = record->resting
                                ? interpreted_so_far(candidate, now)
                                : Throughput{record->counted_calls, now - candidate.cpu_start};
  change_window(candidate, *record, candidate.trial->add(window), now);
  return record->resting || record->counting;
}

/// Looks at a function that has just become hot.
void admit(PyFunctionObject* function) {
  if (is_own(function)) return;
  Promotion& p = promotion();
  p.candidates.push_back(std::make_unique<Candidate>(function));
  p.filter.insert(function);
  Candidate& candidate = *p.candidates.back();
  candidate.samples = kHotSamples;
  if (find_record(reinterpret_cast<PyObject*>(function)) != nullptr) {
    candidate.fate = Candidate::Fate::kLeftAlone;
  } else if (const char* why = why_never_promoted(function)) {
    candidate.fate = Candidate::Fate::kRefused;
    candidate.reason = why;
  }
}

void decide(Candidate& candidate) {
  using Fate = Candidate::Fate;
  if (candidate.fate != Fate::kSeen && candidate.fate != Fate::kCounted) return;
  Heat heat;
  heat.samples = promotion().recent.samples(candidate.function);
  if (candidate.fate == Fate::kCounted) {
    heat.calls = candidate.calls;
    heat.counted_ns = sys::process_cpu_ns() - candidate.cpu_start;
  }
  switch (judge(heat)) {
    case Verdict::kPromote:
      promote(candidate);
      break;
    case Verdict::kCount:
      if (candidate.fate == Fate::kSeen && promotion().counted.size() < kMaxCounted &&
          start_counting(candidate))
        candidate.fate = Fate::kCounted;
      break;
    case Verdict::kWatch:
      break;
  }
}

/// Candidates that died, or are not seen any more, make room for others.
void stop_counting_the_cold() {
  for (Candidate* candidate : std::vector(promotion().counted)) {
    const bool dead = candidate->function == nullptr;
    const bool on_trial = candidate->fate == Candidate::Fate::kPromoted;
    if (!dead && (on_trial || promotion().recent.samples(candidate->function) != 0)) continue;
    stop_counting(*candidate);
    if (candidate->fate == Candidate::Fate::kCounted) candidate->fate = Candidate::Fate::kSeen;
  }
}

void count_sample(PyFunctionObject* function) {
  Promotion& p = promotion();
  if (++p.since_halved >= kWindow) {
    p.since_halved = 0;
    p.recent.halve();
    stop_counting_the_cold();
  }
  const std::uint32_t recent = p.recent.add(function);
  if (Candidate* candidate = find_candidate(function)) {
    ++candidate->samples;
    decide(*candidate);
  } else if (recent >= kHotSamples) {
    admit(function);
    if ((candidate = find_candidate(function)) != nullptr) decide(*candidate);
  }
}

void start_ticking() {
  // Without a thread there is no promotion: the program runs as it would without us.
  (void)promotion().ticker.start(&tick, Pace::kFast);
}

/// One look at the program.
void on_look() {
  Promotion& p = promotion();
  if (!p.on) return;
  if (!p.ticker.running()) start_ticking();
  g_looks.fetch_add(1, std::memory_order_relaxed);
  const bool traced = tools_mode() != ToolsMode::kFree;
  g_tools_trace.store(traced, std::memory_order_relaxed);
  if (traced) return;
  const cpy::Running now = cpy::running_now();
  if (now.function == nullptr && !now.native) return;
  ++p.samples;
  if (now.native) ++p.native_samples;
  if (!p.on_trial.empty()) {
    const std::int64_t cpu_now = sys::process_cpu_ns();
    std::erase_if(p.on_trial, [&](Candidate* candidate) { return !goes_on(*candidate, cpu_now); });
  }
  // Those that were called often enough since the last look.
  for (Candidate* candidate : std::vector(p.counted))
    if (candidate->function != nullptr) decide(*candidate);
  if (now.function != nullptr) count_sample(now.function);
}

/// Threads of ours must not be seen by a fork: CPython warns of them, in the parent, after all
/// hooks. So the ticker is started again by the first look in either process.
PyObject* before_fork(PyObject*, PyObject*) {
  promotion().ticker.stop();
  Py_RETURN_NONE;
}

PyObject* after_fork(PyObject*, PyObject*) {
  if (promotion().on) {
    cpy::set_look(&on_look);
    cpy::request_look();
  }
  Py_RETURN_NONE;
}

PyMethodDef g_before_fork = {"_splice_before_fork", before_fork, METH_NOARGS, nullptr};
PyMethodDef g_after_fork = {"_splice_after_fork", after_fork, METH_NOARGS, nullptr};

int register_fork_hooks() {
  static bool done = false;
  if (done) return 0;
  PyObject* posix = PyImport_ImportModule("posix");
  PyObject* hook = posix != nullptr ? PyObject_GetAttrString(posix, "register_at_fork") : nullptr;
  PyObject* none = PyTuple_New(0);
  PyObject* before = PyCFunction_New(&g_before_fork, nullptr);
  PyObject* after = PyCFunction_New(&g_after_fork, nullptr);
  PyObject* names = Py_BuildValue("{s:O,s:O,s:O}", "before", before, "after_in_parent", after,
                                  "after_in_child", after);
  PyObject* result = hook != nullptr && none != nullptr && names != nullptr
                         ? PyObject_Call(hook, none, names)
                         : nullptr;
  for (PyObject* object : {posix, hook, none, before, after, names, result}) Py_XDECREF(object);
  done = result != nullptr;
  return done ? 0 : -1;
}

}  // namespace

int start_promotion() {
  if (promotion().on || !disabled_reason().empty()) return 0;
  if (register_fork_hooks() < 0) return -1;
  // Without events calls cannot be counted; then only what is very hot is promoted.
  (void)cpy::init_call_events(&on_call);
  promotion().on = true;
  cpy::set_look(&on_look);
  start_ticking();
  return 0;
}

void stop_promotion() {
  Promotion& p = promotion();
  p.on = false;
  p.ticker.stop();
  while (!p.counted.empty()) stop_counting(*p.counted.back());
}

PyObject* promotion_report() {
  const Promotion& p = promotion();
  PyObject* list = PyList_New(0);
  for (std::size_t i = 0; list != nullptr && i < p.candidates.size(); ++i)
    if (!append(list, describe(*p.candidates[i]))) Py_CLEAR(list);
  PyObject* dict = list != nullptr ? PyDict_New() : nullptr;
  if (dict == nullptr) {
    Py_XDECREF(list);
    return nullptr;
  }
  if (put(dict, "candidates", list) && put(dict, "samples", number(p.samples)) &&
      put(dict, "native_samples", number(p.native_samples)))
    return dict;
  Py_DECREF(dict);
  return nullptr;
}

void forget_sampled(PyFunctionObject* function) {
  Promotion& p = promotion();
  p.recent.forget(function);
  if (Candidate* candidate = find_candidate(function)) {
    settle(*candidate);
    candidate->function = nullptr;  // its events are switched off by a later look
  }
}

}  // namespace splice::engine
