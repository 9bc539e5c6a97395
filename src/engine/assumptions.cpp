// engine/assumptions.cpp: watchers fire, entries are restored.
#include "engine/assumptions.h"

#include <algorithm>
#include <string>

#include "cpy/watch.h"
#include "engine/entry.h"
#include "engine/promotion.h"

namespace splice::engine {
namespace {

using pyfront::Dependency;

/// Units of one function that may become invalid before it is given back.
constexpr std::uint32_t kMaxInvalidations = 5;

/// Names the things of which one has changed, for explain.
std::string watched_names(const Unit& unit) {
  std::string names;
  for (const Dependency& dependency : unit.dependencies) {
    PyObject* name = dependency.key;
    if (dependency.kind == Dependency::Kind::kFunction)
      name = reinterpret_cast<PyFunctionObject*>(dependency.object)->func_name;
    const char* text = name != nullptr && PyUnicode_Check(name) ? PyUnicode_AsUTF8(name) : nullptr;
    if (text == nullptr) {
      PyErr_Clear();
      continue;
    }
    if (names.find("'" + std::string(text) + "'") != std::string::npos) continue;
    names += (names.empty() ? "'" : ", '") + std::string(text) + "'";
  }
  return names;
}

/// Called before something changes that the unit `token` relies on. Runs no Python code.
void on_change(void* token) {
  auto* unit = static_cast<Unit*>(token);
  Record* record = unit->owner;
  if (record == nullptr) return;  // retired already
  auto it = std::find_if(record->variants.begin(), record->variants.end(),
                         [&](const auto& variant) { return variant->unit.get() == unit; });
  if (it == record->variants.end()) return;
  record->last_invalidation = "one of " + watched_names(*unit) + " was changed";
  remove_variant(*record, it->get());
  if (++record->invalidations > kMaxInvalidations && record->state == State::kActive) {
    give_back(*record, State::kGivenBack,
              "what it relies on changes too often: " + record->last_invalidation, 0);
  } else {
    install(*record);
  }
}

/// The parts of a function under Splice change, or it dies. Called for every function of the
/// process, so the first test is cheap.
void on_function(PyFunction_WatchEvent event, PyFunctionObject* function) {
  if (event == PyFunction_EVENT_DESTROY) forget_sampled(function);
  Record* record = find_record(reinterpret_cast<PyObject*>(function));
  if (record == nullptr) return;
  if (event == PyFunction_EVENT_DESTROY) {
    drop_record(function);
    return;
  }
  record->version.reset();
  if (event != PyFunction_EVENT_MODIFY_CODE) return;  // a dependency of the units like others
  reset_variants(*record);
  record->check_code = true;
  if (record->state == State::kRefused || record->state == State::kGivenBack) {
    record->state = State::kActive;
    record->reason.clear();
    record->interpreted = record->waited = 0;
    record->warned = false;
  }
  record->probation = {};
  install(*record);
  record->version.reset();  // what install() has seen is still that of the code before
}

Status watch(const Dependency& dependency, Unit& unit) {
  switch (dependency.kind) {
    case Dependency::Kind::kDictKey:
      return cpy::watch_dict_key(dependency.object, dependency.key, &unit);
    case Dependency::Kind::kFunction:
      return cpy::watch_function(dependency.object, &unit);
    case Dependency::Kind::kType:
      return cpy::watch_type(dependency.object, &unit);
  }
  return internal_error("unknown dependency");
}

}  // namespace

Status start_assumptions() {
  if (Status status = cpy::init_watchers(); !status.ok()) return status;
  cpy::set_watch_callback(&on_change);
  cpy::set_function_callback(&on_function);
  return {};
}

Status arm(Unit& unit) {
  for (const Dependency& dependency : unit.dependencies)
    if (Status status = watch(dependency, unit); !status.ok()) return status;
  return {};
}

void disarm(Unit& unit) { cpy::unwatch(&unit); }

}  // namespace splice::engine
