// engine/stats.cpp: counters of one function as a dict.
#include <string>

#include "engine/dict.h"
#include "engine/engine.h"
#include "engine/record.h"

namespace splice::engine {
namespace {

PyObject* text_or_none(const std::string& s) { return s.empty() ? Py_NewRef(Py_None) : text(s); }

const char* state_name(State state) {
  switch (state) {
    case State::kActive:
      return "active";
    case State::kRefused:
      return "refused";
    case State::kGivenBack:
      return "given back";
    case State::kOff:
      return "off";
  }
  return "?";
}

PyObject* exit_entry(const ir::Exit& exit, std::uint64_t taken) {
  PyObject* dict = PyDict_New();
  if (dict == nullptr) return nullptr;
  const bool restart = exit.kind == ir::Exit::Kind::kRestart;
  if (put(dict, "line", PyLong_FromLong(exit.loc.line)) && put(dict, "reason", text(exit.reason)) &&
      put(dict, "restart", PyBool_FromLong(restart)) && put(dict, "count", number(taken)))
    return dict;
  Py_DECREF(dict);
  return nullptr;
}

PyObject* exits_list(const Unit& unit) {
  PyObject* list = PyList_New(0);
  if (list == nullptr) return nullptr;
  for (std::size_t f = 0; f < unit.module.functions.size(); ++f) {
    const auto& exits = unit.module.functions[f].exits;
    for (std::size_t e = 0; e < exits.size(); ++e) {
      if (append(list, exit_entry(exits[e], unit.exits_taken[f][e]))) continue;
      Py_DECREF(list);
      return nullptr;
    }
  }
  return list;
}

PyObject* kinds_tuple(const Variant& variant) {
  PyObject* tuple = PyTuple_New(static_cast<Py_ssize_t>(variant.kinds.size()));
  for (std::size_t i = 0; tuple != nullptr && i < variant.kinds.size(); ++i) {
    PyObject* name = PyUnicode_FromString(pyfront::kind_name(variant.kinds[i]).c_str());
    if (name == nullptr) Py_CLEAR(tuple);
    if (tuple != nullptr) PyTuple_SET_ITEM(tuple, static_cast<Py_ssize_t>(i), name);
  }
  return tuple;
}

PyObject* variant_entry(const Variant& variant) {
  PyObject* dict = PyDict_New();
  if (dict == nullptr) return nullptr;
  const Unit* unit = variant.unit.get();
  bool ok = put(dict, "kinds", kinds_tuple(variant)) &&
            put(dict, "native", PyBool_FromLong(unit != nullptr));
  if (unit != nullptr) {
    ok = ok && put(dict, "compile_ms", PyFloat_FromDouble(unit->compile_ms)) &&
         put(dict, "code_bytes", PyLong_FromSize_t(unit->code_bytes())) &&
         put(dict, "hot_loops", PyLong_FromSize_t(unit->rests.size())) &&
         put(dict, "optimised", PyBool_FromLong(unit->better != nullptr)) &&
         put(dict, "exits", exits_list(*unit));
  } else {
    ok = ok && put(dict, "reason", text(variant.reason)) &&
         put(dict, "line", PyLong_FromLong(variant.line));
  }
  if (ok) return dict;
  Py_DECREF(dict);
  return nullptr;
}

PyObject* variants_list(const Record& record) {
  PyObject* list = PyList_New(0);
  for (std::size_t i = 0; list != nullptr && i < record.variants.size(); ++i)
    if (!append(list, variant_entry(*record.variants[i]))) Py_CLEAR(list);
  return list;
}

/// Sum over all compiled variants.
double compile_ms(const Record& record) {
  double sum = 0;
  for (const auto& variant : record.variants)
    if (variant->unit != nullptr) sum += variant->unit->compile_ms;
  return sum;
}

std::uint64_t exits_taken(const Record& record) {
  std::uint64_t sum = record.exits_before;
  for (const auto& variant : record.variants)
    if (variant->unit != nullptr) sum += variant->unit->total_exits();
  return sum;
}

}  // namespace

Totals& process_totals() {
  static Totals totals;  // guarded by the GIL
  return totals;
}

PyObject* totals() {
  PyObject* dict = PyDict_New();
  if (dict == nullptr) return nullptr;
  const Totals& all = process_totals();
  if (put(dict, "functions", number(all.functions)) && put(dict, "units", number(all.units)) &&
      put(dict, "native_calls", number(all.native_calls)))
    return dict;
  Py_DECREF(dict);
  return nullptr;
}

PyObject* stats(PyObject* function) {
  PyObject* dict = PyDict_New();
  if (dict == nullptr) return nullptr;
  static Record* nothing = new Record(nullptr);
  const Record* found = find_record(function);
  const Record& record = found != nullptr ? *found : *nothing;
  const bool gone = record.state == State::kGivenBack || record.state == State::kRefused;
  if (put(dict, "state", PyUnicode_FromString(found ? state_name(record.state) : "plain")) &&
      put(dict, "slow_calls", number(record.slow_calls)) &&
      put(dict, "interpreted", number(record.interpreted)) &&
      put(dict, "restarts", number(record.restarts)) &&
      put(dict, "exits", number(exits_taken(record))) &&
      put(dict, "invalidations", number(record.invalidations)) &&
      put(dict, "compile_ms", PyFloat_FromDouble(compile_ms(record))) &&
      put(dict, "given_back", gone ? text_or_none(record.reason) : Py_NewRef(Py_None)) &&
      put(dict, "variants", variants_list(record)))
    return dict;
  Py_DECREF(dict);
  return nullptr;
}

}  // namespace splice::engine
