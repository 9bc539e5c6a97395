// engine/promotion.cpp: from samples to candidates to compiled functions.
#include "engine/promotion.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "cpy/call_events.h"
#include "cpy/look.h"
#include "engine/compile_watch.h"
#include "engine/dict.h"
#include "engine/engine.h"
#include "engine/promotion_rule.h"
#include "engine/promotion_state.h"
#include "engine/record.h"
#include "engine/tools_mode.h"

namespace splice::engine {

Promotion& promotion() {
  static auto* all = new Promotion;
  return *all;
}

namespace {

constexpr std::size_t kMaxCandidates = 1024;
/// Code objects whose calls are counted at the same time.
constexpr std::size_t kMaxCounted = 16;

// For the ticker, which has no GIL.
std::atomic<std::uint32_t> g_looks{0};
std::atomic<std::uint32_t> g_fast_until{Pace::kFirstFastLooks};
std::atomic<bool> g_tools_trace{false};

bool looks_are_fast() {
  return g_looks.load(std::memory_order_relaxed) < g_fast_until.load(std::memory_order_relaxed);
}

std::chrono::microseconds tick() {
  static std::uint32_t unanswered = 0;  // the ticker's own
  unanswered = cpy::request_look() ? 0 : unanswered + 1;
  if (g_tools_trace.load(std::memory_order_relaxed)) return Pace::kIdle;
  return pause_until_next_look(looks_are_fast(), unanswered);
}

Candidate* find_candidate(const PyFunctionObject* function) {
  Promotion& p = promotion();
  if (!p.filter.may_hold(function)) return nullptr;
  auto it = std::find_if(p.candidates.begin(), p.candidates.end(),
                         [&](const auto& c) { return c->function == function; });
  return it != p.candidates.end() ? it->get() : nullptr;
}

/// The next call of it is compiled. For one whose calls take too long to wait for another.
void promote_blindly(Candidate& candidate) {
  if (candidate.fate == Candidate::Fate::kCounted) stop_counting(candidate);
  candidate.fate = Candidate::Fate::kPromoted;
  JitOptions options;
  options.quiet = true;
  // Quiet: there is no exception and no warning; the record says what became of it.
  if (jit(reinterpret_cast<PyObject*>(candidate.function), options) < 0) PyErr_Clear();
}

/// Looks at a function that has just become hot.
void admit(PyFunctionObject* function) {
  Promotion& p = promotion();
  if (p.candidates.size() >= kMaxCandidates || is_own(function)) return;
  p.candidates.push_back(std::make_unique<Candidate>(function));
  p.filter.insert(function);
  Candidate& candidate = *p.candidates.back();
  candidate.samples = 1;
  if (const char* why = why_never_promoted(function)) {
    candidate.fate = Candidate::Fate::kRefused;
    candidate.reason = why;
  }
}

void decide(Candidate& candidate) {
  using Fate = Candidate::Fate;
  if (candidate.fate == Fate::kPromoted && candidate.ready) {
    // It was compiled at a call since the last look.
    candidate.ready = false;
    stop_counting(candidate);
    begin_trial(candidate);
    g_fast_until.store(g_looks.load() + Pace::kFastLooks);
  }
  if (candidate.fate == Fate::kRefused && candidate.ready) {
    candidate.ready = false;
    stop_counting(candidate);
  }
  if (candidate.fate != Fate::kSeen && candidate.fate != Fate::kCounted) return;
  if (!candidate.ready && find_record(reinterpret_cast<PyObject*>(candidate.function)) != nullptr) {
    if (candidate.fate == Fate::kCounted) stop_counting(candidate);
    candidate.fate = Fate::kLeftAlone;
    return;
  }
  Heat heat;
  heat.recent_ms = promotion().table.recent(candidate.function);
  heat.code_bytes = static_cast<std::uint32_t>(2 * Py_SIZE(candidate.code));
  if (candidate.lowers) heat.expected_ms = static_cast<std::uint32_t>(candidate.expected_ms);
  if (candidate.fate == Fate::kCounted) {
    heat.calls = candidate.calls;
    heat.counted_ns = CompileWatch::program_cpu_ns() - candidate.cpu_start;
  }
  candidate.may_ask |= may_ask(heat);
  switch (judge(heat)) {
    case Verdict::kPromote:
      if (heat.calls != 0) {
        candidate.ready = true;
      } else {
        promote_blindly(candidate);
      }
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
    if (!dead && (on_trial || promotion().table.recent(candidate->function) != 0)) continue;
    stop_counting(*candidate);
    if (candidate->fate == Candidate::Fate::kCounted) candidate->fate = Candidate::Fate::kSeen;
  }
  // Closures that are made anew all the time would fill the list.
  std::erase_if(promotion().candidates, [](const auto& c) {
    return c->function == nullptr && c->fate == Candidate::Fate::kSeen;
  });
}

void count_sample(PyFunctionObject* function) {
  Promotion& p = promotion();
  using std::chrono::duration_cast;
  using std::chrono::milliseconds;
  const auto weight = static_cast<std::uint32_t>(
      duration_cast<milliseconds>(pause_while_busy(looks_are_fast())).count());
  p.ms_since_halved += weight;
  if (p.ms_since_halved >= kWindowMs) {
    p.ms_since_halved = 0;
    p.table.halve();
    stop_counting_the_cold();
  }
  const std::uint32_t recent = p.table.add(function, weight);
  if (Candidate* candidate = find_candidate(function)) {
    ++candidate->samples;
    decide(*candidate);
  } else if (recent >= kHotMs) {
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
  if (!p.ticker.running()) {
    if (cpy::in_noted_call()) {
      cpy::request_look();
      return;
    }
    start_ticking();
  }
  reclaim();  // a thread may have been in native code when that was to be done
  g_looks.fetch_add(1, std::memory_order_relaxed);
  const bool traced = tools_mode() != ToolsMode::kFree;
  g_tools_trace.store(traced, std::memory_order_relaxed);
  if (traced) return;
  const cpy::Running now = cpy::running_now();
  if (now.function == nullptr && !now.native) return;
  ++p.samples;
  if (now.native) ++p.native_samples;
  if (!p.on_trial.empty()) {
    const std::int64_t cpu_now = CompileWatch::program_cpu_ns();
    std::erase_if(p.on_trial, [&](Candidate* candidate) { return !goes_on(*candidate, cpu_now); });
  }
  // Those that were called often enough since the last look.
  for (Candidate* candidate : std::vector(p.counted))
    if (candidate->function != nullptr) decide(*candidate);
  if (now.function != nullptr) count_sample(now.function);
}

/// Threads of ours must not be seen by a fork: CPython warns of them, in the parent, after all
/// hooks. So the ticker is started again by the first look in either process, once the hooks of the
/// program, which may be Python code, have run.
PyObject* before_fork(PyObject*, PyObject*) {
  promotion().ticker.stop();
  cpy::note_call();
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
  p.table.forget(function);
  if (Candidate* candidate = find_candidate(function)) {
    settle(*candidate);
    candidate->function = nullptr;  // its events are switched off by a later look
    // Functions made anew come to lie where others have died: they would all pass the filter.
    p.filter = {};
    for (const auto& living : p.candidates)
      if (living->function != nullptr) p.filter.insert(living->function);
  }
}

}  // namespace splice::engine
