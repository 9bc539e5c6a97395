#include "engine/remade.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "cpy/runtime_chaos.h"
#include "engine/interpret.h"
#include "engine/record.h"
#include "sys/clock.h"

namespace splice::engine {
namespace {

/// Functions of one code object that are compiled at once; tests with failing guards are about
/// native code.
constexpr std::uint32_t kAtOnce = 8;
constexpr std::uint32_t kAtOnceWithChaos = 64;
constexpr std::uint32_t kMostDoublings = 30;

struct History {
  std::uint32_t compiled = 0;  ///< functions, since one of them proved worth it
  std::int64_t ns = 0;         ///< of the last one
};

/// CPU time of this thread, too large by 0.1 ms at most: reading it takes a system call, which the
/// clock on the wall does not.
std::int64_t about_thread_cpu_ns(std::int64_t now) {
  constexpr std::int64_t kStale = 100'000;
  thread_local std::int64_t read_at = std::numeric_limits<std::int64_t>::min() / 2;
  thread_local std::int64_t cpu = 0;
  if (now - read_at > kStale) {
    read_at = now;
    cpu = sys::thread_cpu_ns();
  }
  return cpu + (now - read_at);
}

/// By code object, borrowed. Not CPython's `co_extra`: whoever else has an index there gets calls
/// of its free function for each code object that has any, also for those that it has never seen.
std::unordered_map<PyCodeObject*, History>& histories() {
  static auto* all = new std::unordered_map<PyCodeObject*, History>;  // guarded by the GIL
  return *all;
}

int on_code(PyCodeEvent event, PyCodeObject* code) {
  if (event == PY_CODE_EVENT_DESTROY) histories().erase(code);
  return 0;
}

/// False: the deaths of code objects cannot be seen, and nobody waits.
bool sees_deaths() {
  static const bool yes = PyCode_AddWatcher(on_code) >= 0;
  if (!yes) PyErr_Clear();
  return yes;
}

History* find_history(PyCodeObject* code) {
  const auto found = histories().find(code);
  return found != histories().end() ? &found->second : nullptr;
}

}  // namespace

bool must_wait(const Record& record) {
  return !record.options.strict && record.waited < calls_before_compiling(record);
}

std::uint64_t calls_before_compiling(const Record& record) {
  const History* history = find_history(code_of(record));
  const std::uint32_t at_once = cpy::chaos_seed() != 0 ? kAtOnceWithChaos : kAtOnce;
  if (history == nullptr || record.counted || history->compiled < at_once) return 0;
  return std::uint64_t{1} << std::min(history->compiled - at_once, kMostDoublings);
}

void note_compiled(Record& record, std::int64_t ns) {
  if (record.counted) return;
  record.counted = true;
  if (!sees_deaths()) return;
  History* history = &histories()[code_of(record)];
  ++history->compiled;
  history->ns = ns;
}

WaitingCall::WaitingCall(Record& record)
    : code_(reinterpret_cast<PyCodeObject*>(Py_NewRef(code_of(record)))) {
  ++record.waited;
  const History* history = find_history(code_);
  compiled_ = history != nullptr ? history->compiled : 0;
  wall_start_ = sys::monotonic_ns();
  cpu_start_ = about_thread_cpu_ns(wall_start_);
}

WaitingCall::~WaitingCall() {
  if (!attached()) return;
  // What was compiled meanwhile is in the time of this call.
  History* history = find_history(code_);
  if (history != nullptr && history->compiled == compiled_ &&
      sys::monotonic_ns() - wall_start_ >= history->ns &&
      sys::thread_cpu_ns() - cpu_start_ >= history->ns)
    history->compiled = 0;
  Py_DECREF(code_);
}

}  // namespace splice::engine
