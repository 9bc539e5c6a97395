// engine/candidate.cpp: who may be promoted, and what the report says of each.
#include "engine/candidate.h"

#include "cpy/item_named.h"
#include "engine/compile.h"
#include "engine/dict.h"
#include "engine/record.h"

namespace splice::engine {
namespace {

const char* decision_name(const Candidate& candidate) {
  using Fate = Candidate::Fate;
  switch (candidate.fate) {
    case Fate::kSeen:
    case Fate::kCounted:
      return "not called often";
    case Fate::kPromoted:
      return candidate.compiled ? "promoted" : "promoted, not called since";
    case Fate::kRefused:
      return "refused";
    case Fate::kGivenBack:
      return "given back";
    case Fate::kLeftAlone:
      return "left alone";
  }
  return "?";
}

bool begins_with(PyObject* text, const char* start) {
  if (text == nullptr || !PyUnicode_Check(text)) return false;
  PyObject* prefix = PyUnicode_FromString(start);
  const bool yes = prefix != nullptr &&
                   PyUnicode_Tailmatch(text, prefix, 0, PyUnicode_GET_LENGTH(text), -1) == 1;
  Py_XDECREF(prefix);
  if (PyErr_Occurred()) PyErr_Clear();
  return yes;
}

}  // namespace

Candidate::Candidate(PyFunctionObject* f)
    : function(f), code(reinterpret_cast<PyCodeObject*>(Py_NewRef(f->func_code))) {}

Candidate::~Candidate() { Py_DECREF(code); }

void settle(Candidate& candidate) {
  using Fate = Candidate::Fate;
  if (candidate.function == nullptr || candidate.fate != Fate::kPromoted) return;
  const Record* record = find_record(reinterpret_cast<PyObject*>(candidate.function));
  if (record == nullptr) return;
  candidate.exits = record->exits_before;
  candidate.compile_ms = 0;
  const Variant* without_code = nullptr;
  for (const auto& variant : record->variants) {
    if (variant->unit == nullptr) {
      without_code = variant.get();
      continue;
    }
    candidate.compiled = true;
    candidate.exits += variant->unit->total_exits();
    candidate.compile_ms += variant->unit->compile_ms;
  }
  if (record->state == State::kOff) {
    candidate.fate = Fate::kLeftAlone;
  } else if (record->state == State::kGivenBack && candidate.compiled) {
    candidate.fate = Fate::kGivenBack;
  } else if (!candidate.compiled && record->state != State::kActive) {
    candidate.fate = Fate::kRefused;
  } else if (!candidate.compiled && without_code != nullptr) {
    candidate.fate = Fate::kRefused;
    candidate.reason = without_code->reason;
    candidate.line = without_code->line;
    return;
  }
  candidate.reason = record->reason;
  candidate.line = record->line;
}

PyObject* describe(Candidate& candidate) {
  settle(candidate);
  PyObject* dict = PyDict_New();
  if (dict == nullptr) return nullptr;
  PyObject* function =
      candidate.function != nullptr ? reinterpret_cast<PyObject*>(candidate.function) : Py_None;
  if (put(dict, "function", Py_NewRef(function)) &&
      put(dict, "code", Py_NewRef(reinterpret_cast<PyObject*>(candidate.code))) &&
      put(dict, "samples", number(candidate.samples)) &&
      put(dict, "calls", number(candidate.calls)) &&
      put(dict, "decision", text(decision_name(candidate))) &&
      put(dict, "reason", text(candidate.reason)) &&
      put(dict, "line", PyLong_FromLong(candidate.line)) &&
      put(dict, "exits", number(candidate.exits)) &&
      put(dict, "compile_ms", PyFloat_FromDouble(candidate.compile_ms)))
    return dict;
  Py_DECREF(dict);
  return nullptr;
}

bool is_own(const PyFunctionObject* function) {
  auto* code = reinterpret_cast<PyCodeObject*>(function->func_code);
  if (PyUnicode_CompareWithASCIIString(code->co_filename, "<splice>") == 0) return true;
  PyObject* name = cpy::item_named(function->func_globals, "__name__");  // borrowed
  if (name == nullptr || !PyUnicode_Check(name)) return false;
  return PyUnicode_CompareWithASCIIString(name, "splice") == 0 || begins_with(name, "splice.");
}

const char* why_never_promoted(PyFunctionObject* function) {
  const auto* code = reinterpret_cast<PyCodeObject*>(function->func_code);
  if (!(code->co_flags & CO_OPTIMIZED))
    return "it is the body of a module or a class; only functions are compiled";
  return why_never_compiled(function);
}

}  // namespace splice::engine
