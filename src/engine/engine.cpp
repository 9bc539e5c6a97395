// engine/engine.cpp: start, jit, unjit.
#include "engine/engine.h"

#include <cstdlib>
#include <string>

#include "engine/assumptions.h"
#include "engine/compile.h"
#include "engine/entry.h"
#include "engine/hooks.h"
#include "engine/interpret.h"
#include "engine/platform.h"
#include "engine/record.h"
#include "engine/tools_mode.h"

namespace splice::engine {
namespace {

Hooks g_hooks;
std::string& disabled() {
  static auto* reason = new std::string;
  return *reason;
}
bool g_told_disabled = false;

bool disabled_by_user() {
  const char* value = std::getenv("SPLICE_DISABLE");
  return value != nullptr && *value != '\0' && std::string(value) != "0";
}

/// Nothing is compiled: says so once, unless the user wanted it.
int stay_away() {
  if (g_told_disabled || disabled_by_user()) return 0;
  g_told_disabled = true;
  return g_hooks.disabled(disabled().c_str());
}

}  // namespace

const Hooks& hooks() { return g_hooks; }

const std::string& disabled_reason() { return disabled(); }

Status start(const Hooks& given) {
  if (PyInterpreterState_Get() != PyInterpreterState_Main())
    return unsupported("splice works in the main interpreter only, not in subinterpreters");
  g_hooks = given;
  if (disabled_by_user()) {
    disabled() = "SPLICE_DISABLE is set";
    return {};
  }
  disabled() = platform_objection();
  if (!disabled().empty()) return {};
  if (!find_original_entry()) {
    PyErr_Clear();
    disabled() = "the interpreter's own function entry was not found";
    return {};
  }
  if (Status status = start_assumptions(); !status.ok()) {
    disabled() = status.message();
    return {};
  }
  start_watching_tools();
  return {};
}

int jit(PyObject* callable, const JitOptions& options) {
  if (!disabled().empty()) return stay_away();
  reclaim();
  auto* function = reinterpret_cast<PyFunctionObject*>(callable);
  Record* record = find_record(callable);
  if (record == nullptr) {
    if (function->vectorcall != original_entry()) {
      record = &make_record(function);
      record->options = options;
      record->warned = options.quiet;
      record->foreign = true;
      give_back(*record, State::kRefused, "it has an entry that somebody else put there", 0);
      record->check_code = false;
      return report_not_compiled(*record, record->reason, 0);
    }
    record = &make_record(function);
  }
  // Who asks aloud is told, also about a function that was taken quietly before, and gets what was
  // not thought worth it.
  if (options.quiet != record->options.quiet) {
    record->warned = options.quiet;
    forget_refusals(*record);
  }
  record->options = options;
  if (record->foreign) return report_not_compiled(*record, record->reason, 0);
  if (record->state != State::kActive) {
    // Asked for again: a new start.
    reset_variants(*record);
    record->state = State::kActive;
    record->reason.clear();
    record->invalidations = 0;
    record->interpreted = record->waited = 0;
    record->check_code = true;
    record->probation = {};
  }
  install(*record);
  if (check_code(*record)) return 0;
  return report_not_compiled(*record, record->reason, record->line);
}

int unjit(PyObject* function) {
  Record* record = find_record(function);
  if (record == nullptr || record->foreign) return 0;
  give_back(*record, State::kOff, "", 0);
  reset_variants(*record);
  reclaim();
  return 0;
}

}  // namespace splice::engine
