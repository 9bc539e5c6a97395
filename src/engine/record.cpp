// engine/record.cpp: the table of records, and units on their way out.
#include "engine/record.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "cpy/thread_context.h"
#include "engine/assumptions.h"
#include "engine/entry.h"
#include "engine/promotion_state.h"

namespace splice::engine {
namespace {

using Table = std::unordered_map<PyObject*, std::unique_ptr<Record>>;

// Leaked: functions die, and tell, until the very end of the process.
Table& table() {
  static Table* records = new Table;
  return *records;
}

std::vector<std::unique_ptr<Unit>>& retired() {
  static auto* units = new std::vector<std::unique_ptr<Unit>>;
  return *units;
}

/// Calls that miss tend to miss again.
struct {
  PyObject* function = nullptr;
  Record* record = nullptr;
} g_last_found;

bool g_reclaim_pending = false;
/// Functions given back whose units are still watched; borrowed, and looked up before use.
auto& g_given_back = *new std::vector<PyObject*>;

int reclaim_later(void*) {
  g_reclaim_pending = false;
  reclaim();
  return 0;
}

/// Whoever lets go of a unit may be in the middle of a change of an object: nothing is freed here.
/// Looks at the program reclaim too, and native code does not leave for them.
void reclaim_soon() {
  if (!g_reclaim_pending && !promotion().on)
    g_reclaim_pending = Py_AddPendingCall(&reclaim_later, nullptr) == 0;
}

/// What functions that were given back relied on need not be watched: it would cost each change of
/// a global of their module something.
void unwatch_given_back() {
  for (PyObject* function : std::exchange(g_given_back, {})) {
    const auto it = table().find(function);
    if (it == table().end() || it->second->state == State::kActive) continue;
    for (const auto& variant : it->second->variants)
      if (variant->unit != nullptr) disarm(*variant->unit);
  }
}

}  // namespace

Record* find_record(PyObject* function) {
  if (function == g_last_found.function) return g_last_found.record;
  auto it = table().find(function);
  if (it == table().end()) return nullptr;
  g_last_found = {function, it->second.get()};
  return g_last_found.record;
}

Record& make_record(PyFunctionObject* function) {
  auto& slot = table()[reinterpret_cast<PyObject*>(function)];
  if (slot == nullptr) slot = std::make_unique<Record>(function);
  return *slot;
}

const Table& all_records() { return table(); }

void drop_record(PyFunctionObject* function) {
  auto it = table().find(reinterpret_cast<PyObject*>(function));
  if (it == table().end()) return;
  g_last_found = {};
  std::unique_ptr<Record> record = std::move(it->second);
  table().erase(it);
  for (auto& variant : record->variants) retire(std::move(variant->unit));
}

PyCodeObject* code_of(const Record& record) {
  return reinterpret_cast<PyCodeObject*>(record.function->func_code);
}

Variant* find_variant(Record& record, std::span<const pyfront::Kind> kinds) {
  for (const auto& variant : record.variants)
    if (std::equal(kinds.begin(), kinds.end(), variant->kinds.begin(), variant->kinds.end()))
      return variant.get();
  return nullptr;
}

void remove_variant(Record& record, Variant* variant) {
  if (record.primary == variant) record.primary = nullptr;
  auto it = std::find_if(record.variants.begin(), record.variants.end(),
                         [&](const auto& v) { return v.get() == variant; });
  if (it == record.variants.end()) return;
  retire(std::move((*it)->unit));
  record.variants.erase(it);
}

void forget_refusals(Record& record) {
  std::erase_if(record.variants, [](const auto& variant) { return variant->unit == nullptr; });
}

void reset_variants(Record& record) {
  record.primary = nullptr;
  record.large.clear();
  for (auto& variant : std::exchange(record.variants, {})) retire(std::move(variant->unit));
}

void give_back(Record& record, State state, std::string reason, int line) {
  record.state = state;
  record.reason = std::move(reason);
  record.line = line;
  record.probation.active = false;
  // Variants stay: explain shows them, and threads may still be inside.
  install(record);
  const bool watched = std::any_of(record.variants.begin(), record.variants.end(),
                                   [](const auto& variant) { return variant->unit != nullptr; });
  if (!watched) return;
  g_given_back.push_back(reinterpret_cast<PyObject*>(record.function));
  reclaim_soon();
}

void retire(std::unique_ptr<Unit> unit) {
  if (unit == nullptr) return;
  disarm(*unit);
  unit->valid = false;
  unit->owner = nullptr;
  retired().push_back(std::move(unit));
  reclaim_soon();
}

void reclaim() {
  if ((retired().empty() && g_given_back.empty()) || cpy::any_thread_in_native_code()) return;
  unwatch_given_back();
  // Taken out first: a finalizer may retire more, or get here again.
  auto& all = retired();
  auto held = std::stable_partition(all.begin(), all.end(),
                                    [](const auto& unit) { return unit->held != 0; });
  std::vector<std::unique_ptr<Unit>> dying(std::make_move_iterator(held),
                                           std::make_move_iterator(all.end()));
  all.erase(held, all.end());
}

HeldUnits::HeldUnits(const Record* record, Unit* another) {
  if (another != nullptr) hold(another);
  if (record == nullptr) return;
  for (const auto& variant : record->variants)
    if (variant->unit != nullptr) hold(variant->unit.get());
}

HeldUnits::~HeldUnits() {
  for (std::size_t i = 0; i < count_; ++i) --units_[i]->held;
}

void HeldUnits::hold(Unit* unit) {
  ++unit->held;
  units_[count_++] = unit;
}

}  // namespace splice::engine
