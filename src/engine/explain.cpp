// engine/explain.cpp: what became of a function, in words.
#include <cstdio>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "engine/compile.h"
#include "engine/engine.h"
#include "engine/record.h"
#include "engine/remade.h"
#include "engine/tools_mode.h"
#include "ir/text.h"

namespace splice::engine {
namespace {

/// UTF-8 of a str; "?" when it has none.
std::string text_of(PyObject* str) {
  const char* utf8 = str != nullptr && PyUnicode_Check(str) ? PyUnicode_AsUTF8(str) : nullptr;
  if (utf8 != nullptr) return utf8;
  PyErr_Clear();
  return "?";
}

std::string file_of(PyCodeObject* code) { return text_of(code->co_filename); }

std::string place(PyCodeObject* code, int line) {
  return file_of(code) + ":" + std::to_string(line > 0 ? line : code->co_firstlineno);
}

std::string milliseconds(double ms) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.1f ms", ms);
  return buffer;
}

std::string times(std::uint64_t n) {
  return n == 1 ? "once" : n == 0 ? "never yet" : std::to_string(n) + " times";
}

std::string kinds_text(PyCodeObject* code, const Variant& variant) {
  std::string text = "(";
  for (std::size_t i = 0; i < variant.kinds.size(); ++i) {
    if (i != 0) text += ", ";
    text += text_of(PyTuple_GET_ITEM(code->co_localsplusnames, static_cast<Py_ssize_t>(i)));
    text += ": ";
    text += pyfront::kind_name(variant.kinds[i]);
    if (i < variant.examples.size() && !variant.examples[i].empty())
      text += ", such as " + variant.examples[i];
  }
  return text + ")";
}

std::string heading(PyFunctionObject* function) {
  auto* code = reinterpret_cast<PyCodeObject*>(function->func_code);
  return text_of(function->func_qualname) + " (" + place(code, 0) + ")";
}

/// One line that says how the function runs now.
std::string state_text(const Record& record) {
  PyCodeObject* code = code_of(record);
  switch (record.state) {
    case State::kRefused:
      return "interpreted: " + record.reason + " [" + place(code, record.line) + "]";
    case State::kGivenBack:
      return "given back to the interpreter: " + record.reason + " [" + place(code, record.line) +
             "]";
    case State::kOff:
      return "interpreted: unjit() was called";
    case State::kActive:
      break;
  }
  if (tools_mode() == ToolsMode::kTraced)
    return "interpreted while a debugger, profiler or coverage tool is at work";
  if (record.variants.empty()) {
    if (must_wait(record))
      return "not compiled yet: functions of this code are made again and again, so that happens "
             "after " +
             std::to_string(calls_before_compiling(record)) + " interpreted calls";
    if (record.waited != 0)
      return "not compiled yet: its calls have found too little stack or memory for that";
    return "not compiled yet: that happens at its first call, for the types of the arguments";
  }
  for (const auto& variant : record.variants)
    if (variant->unit != nullptr) return "compiled";
  return "interpreted";
}

constexpr std::string_view kStartsAgain = "starts again in the interpreter: ";

/// One line per place and reason, although code that exists in several versions has an exit in
/// each. First what the front end notes and that is no exit.
void append_exits(std::string& text, PyCodeObject* code, const Unit& unit) {
  std::map<std::pair<int, std::string>, std::uint64_t> places;
  for (std::size_t f = 0; f < unit.module.functions.size(); ++f) {
    const auto& exits = unit.module.functions[f].exits;
    for (std::size_t e = 0; e < exits.size(); ++e) {
      const bool restart = exits[e].kind == ir::Exit::Kind::kRestart;
      const std::string what(restart ? kStartsAgain : pyfront::kLeaves);
      places[{exits[e].loc.line, what + exits[e].reason}] += unit.exits_taken[f][e];
    }
  }
  for (const auto& note : unit.notes)
    if (!places.contains({note.line, note.text}))
      text += "    " + place(code, note.line) + ": " + note.text + "\n";
  for (const auto& [where, taken] : places)
    text += "    " + place(code, where.first) + ": " + where.second + " (" + times(taken) + ")\n";
}

void append_variant(std::string& text, PyCodeObject* code, const Variant& variant) {
  text += "  " + kinds_text(code, variant) + ": ";
  if (variant.unit == nullptr) {
    text += variant.given_back ? "given back to the interpreter: " : "interpreted: ";
    text += variant.reason + " [" + place(code, variant.line) + "]\n";
    return;
  }
  const Unit& unit = *variant.unit;
  text += "native, " + std::to_string(unit.code_bytes()) + " bytes, compiled in " +
          milliseconds(unit.compile_ms);
  if (is_large(unit.module)) text += " without optimisation, for it is large";
  if (unit.better != nullptr) text += ", optimised since it is called often";
  if (!unit.rests.empty()) text += ", hot loops: " + std::to_string(unit.rests.size());
  if (!unit.rest_problem.empty()) text += ", hot loop not compiled again: " + unit.rest_problem;
  text += '\n';
  append_exits(text, code, unit);
}

std::string summary(const Record& record) {
  PyCodeObject* code = code_of(record);
  std::string text = heading(record.function) + ": " + state_text(record) + "\n";
  for (const auto& variant : record.variants) append_variant(text, code, *variant);
  if (record.beyond != 0)
    text += "  other kinds of arguments: interpreted, for " + std::to_string(kMaxVariants) +
            " are the most (" + times(record.beyond) + ")\n";
  if (record.invalidations != 0)
    text += "  recompiled because an assumption changed: " + times(record.invalidations) +
            ", last: " + record.last_invalidation + "\n";
  return text;
}

/// `stage` of one compiled variant.
std::string stage_text(const Unit& unit, Stage stage) {
  if (stage == Stage::kTypes) return unit.types;
  if (stage == Stage::kIr) return ir::print(unit.module);
  auto code = compile_again_with_text(unit);
  if (!code.ok()) return "cannot be shown: " + code.status().message() + "\n";
  return stage == Stage::kLlvm ? (*code)->llvm_ir() : (*code)->assembly();
}

}  // namespace

PyObject* explain(PyObject* function, Stage stage) {
  const Record* record = find_record(function);
  std::string text;
  if (record == nullptr) {
    const std::string& disabled = disabled_reason();
    text = heading(reinterpret_cast<PyFunctionObject*>(function)) +
           ": interpreted: " + (disabled.empty() ? "it is not under splice.jit" : disabled) + "\n";
  } else if (stage == Stage::kSummary) {
    text = summary(*record);
  } else {
    for (const auto& variant : record->variants) {
      if (variant->unit == nullptr) continue;
      text += "; " + kinds_text(code_of(*record), *variant) + "\n";
      text += stage_text(*variant->unit, stage) + "\n";
    }
    if (text.empty()) text = summary(*record);  // says why there is nothing to show
  }
  return PyUnicode_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()));
}

}  // namespace splice::engine
