// engine/entry.cpp: the slow way into compiled code, and which entry a function has.
#include "engine/entry.h"

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cpy/tracing.h"
#include "engine/bind_args.h"
#include "engine/compile.h"
#include "engine/interpret.h"
#include "engine/probation.h"
#include "engine/record.h"
#include "engine/remade.h"
#include "engine/thread_local.h"
#include "engine/tools_mode.h"
#include "sys/clock.h"

namespace splice::engine {
namespace {

using pyfront::Kind;

/// Calls that ended in the interpreter although nothing ever compiled, before we stop trying.
constexpr std::uint64_t kFruitlessCalls = 32;

/// One kind per argument, without touching the heap for the calls that people write.
class KindList {
 public:
  KindList(PyObject* const* values, std::size_t count) : count_(count) {
    Kind* to = inline_.data();
    if (count > inline_.size()) {
      heap_ = std::make_unique<Kind[]>(count);
      to = heap_.get();
    }
    std::transform(values, values + count, to, pyfront::kind_of);
  }
  std::span<const Kind> span() const {
    return {heap_ != nullptr ? heap_.get() : inline_.data(), count_};
  }

 private:
  std::array<Kind, 16> inline_;
  std::unique_ptr<Kind[]> heap_;
  std::size_t count_;
};

PyObject* call_stub(const Variant& variant, PyObject* function, PyObject* const* args,
                    std::size_t nargs) {
  ThreadLocal& here = this_thread;
  PyObject* const outer_function = std::exchange(here.passing_function, function);
  PyObject* const* const outer_args = std::exchange(here.passing_args, args);
  PyObject* result = variant.unit->stub(function, args, nargs, nullptr);
  here.passing_function = outer_function;
  here.passing_args = outer_args;
  return result;
}

/// " (a is an array of >i4)": an argument that compiled code only carries is often why.
std::string told_examples(const Record& record, const Variant& variant) {
  std::string text;
  for (std::size_t i = 0; i < variant.examples.size(); ++i) {
    if (variant.examples[i].empty()) continue;
    const char* name = PyUnicode_AsUTF8(
        PyTuple_GET_ITEM(code_of(record)->co_localsplusnames, static_cast<Py_ssize_t>(i)));
    if (name == nullptr) PyErr_Clear();
    text += (text.empty() ? " (" : ", ") + std::string(name != nullptr ? name : "?") + " is " +
            variant.examples[i];
  }
  return text.empty() ? text : text + ")";
}

/// What the calls of one more tuple of kinds take before it is compiled, or how many there are.
constexpr std::int64_t kWaitNs = 5'000'000;
constexpr std::uint64_t kWaitCalls = 256;

constexpr const char* kBeyond = "there is code for 32 kinds of arguments, the most for a function";

Variant* wait_with(Record& record, std::span<const Kind> kinds) {
  auto variant = std::make_unique<Variant>();
  variant->kinds.assign(kinds.begin(), kinds.end());
  variant->waiting = true;
  variant->reason =
      "not compiled yet: there are others, and that happens when its calls have taken 5 ms";
  record.variants.push_back(std::move(variant));
  return record.variants.back().get();
}

/// A call of one that waits.
PyObject* interpret_waiting(Record& record, std::span<const Kind> kinds, PyObject* function,
                            PyObject* const* args, std::size_t nargsf, PyObject* kwnames) {
  const std::vector<Kind> kept(kinds.begin(), kinds.end());
  Py_INCREF(function);  // keeps the record
  const std::int64_t start = sys::monotonic_ns();
  PyObject* result = interpret(function, &record, args, nargsf, kwnames);
  const std::int64_t took = sys::monotonic_ns() - start;
  if (Variant* variant = find_variant(record, kept); variant != nullptr) {
    ++variant->hits;
    variant->waited_ns += took;
  }
  Py_DECREF(function);
  return result;
}

/// A call whose kinds are not compiled.
PyObject* decline(Record& record, Variant* variant, PyObject* function, PyObject* const* args,
                  std::size_t nargsf, PyObject* kwnames) {
  note_wasted(record);
  const bool any = std::any_of(record.variants.begin(), record.variants.end(),
                               [](const auto& v) { return v->unit != nullptr; });
  if (!any && variant != nullptr && record.interpreted - record.waited >= kFruitlessCalls)
    give_back(record, State::kGivenBack, variant->reason, variant->line);
  return interpret(function, &record, args, nargsf, kwnames);
}

/// A second tuple of kinds that is called more than the first becomes the entry.
void prefer(Record& record, Variant* variant) {
  if (record.primary == variant) return;
  if (record.primary != nullptr && variant->hits < record.swap_at) return;
  record.swap_at = variant->hits * 2 + 64;
  record.primary = variant;
  install(record);
}

/// Tools of which no event told us.
bool somebody_looks(PyCodeObject* code) {
  if (tools_mode() == ToolsMode::kFree) return false;
  return tools_mode() == ToolsMode::kTraced || cpy::tracing_active() || cpy::traced_locally(code);
}

/// The same for every function that was compiled into a unit: they run without an entry of their
/// own.
bool somebody_looks(const Unit& unit) {
  if (tools_mode() == ToolsMode::kFree) return false;
  return std::any_of(unit.dependencies.begin(), unit.dependencies.end(),
                     [](const pyfront::Dependency& d) {
                       return d.kind == pyfront::Dependency::Kind::kFunction &&
                              somebody_looks(reinterpret_cast<PyCodeObject*>(
                                  reinterpret_cast<PyFunctionObject*>(d.object)->func_code));
                     });
}

PyObject* dispatch(PyObject* function, PyObject* const* args, std::size_t nargsf,
                   PyObject* kwnames) {
  Record* record = find_record(function);
  if (record == nullptr) return interpret(function, nullptr, args, nargsf, kwnames);
  ++record->slow_calls;
  auto* code = code_of(*record);
  const auto nargs = static_cast<std::size_t>(PyVectorcall_NARGS(nargsf));
  const HeldUnits held(record);
  if (this_thread.passing_function == function && this_thread.passing_args == args &&
      kwnames == nullptr) {
    note_wasted(*record);
    return interpret_complete(function, record, args, nargsf);
  }
  if (record->check_code) check_code(*record);
  if (record->state == State::kRefused &&
      report_not_compiled(*record, record->reason, record->line) < 0)
    return nullptr;
  if (record->state != State::kActive || record->compiling || somebody_looks(code))
    return interpret(function, record, args, nargsf, kwnames);

  BoundArgs bound;
  PyObject* const* values = args;
  std::size_t count = nargs;
  if (!is_complete(code, nargs, kwnames)) {
    if (!bound.bind(reinterpret_cast<PyFunctionObject*>(function), args, nargs, kwnames))
      return interpret(function, record, args, nargsf, kwnames);
    values = bound.data();
    count = bound.size();
  }
  const KindList list(values, count);
  const std::span<const Kind> kinds = list.span();
  Variant* variant = find_variant(*record, kinds);
  if (variant != nullptr && variant->outdated && can_begin_to_compile()) {
    if (variant->unit != nullptr) record->exits_before += variant->unit->total_exits();
    remove_variant(*record, variant);
    variant = nullptr;
  }
  if (variant == nullptr && record->variants.size() >= kMaxVariants) {
    ++record->beyond;
    if (report_not_compiled(*record, kBeyond, 0) < 0) return nullptr;
    return decline(*record, nullptr, function, args, nargsf, kwnames);
  }
  if (variant == nullptr && record->variants.size() >= kEagerVariants)
    variant = wait_with(*record, kinds);
  if (variant != nullptr && variant->waiting) {
    const bool due =
        record->options.strict || variant->waited_ns >= kWaitNs || variant->hits >= kWaitCalls;
    if (!due || !can_begin_to_compile())
      return interpret_waiting(*record, kinds, function, args, nargsf, kwnames);
    remove_variant(*record, variant);
    variant = nullptr;
  }
  if (variant == nullptr) {
    if (record->variants.empty() && must_wait(*record)) {
      const WaitingCall call(*record);
      return interpret(function, record, args, nargsf, kwnames);
    }
    if (!can_begin_to_compile()) {  // asks the system, which a call that waits anyway cannot afford
      ++record->waited;
      return interpret(function, record, args, nargsf, kwnames);
    }
    const std::int64_t start = sys::thread_cpu_ns();
    variant = compile_variant(*record, kinds, {values, count});
    if (variant->unit != nullptr) note_compiled(*record, sys::thread_cpu_ns() - start);
  }
  note_variant(*record, variant);
  if (variant->unit == nullptr) {
    // Copies: a report runs Python code, which may change the record.
    const std::string reason = variant->reason + told_examples(*record, *variant);
    if (!variant->given_back && report_not_compiled(*record, reason, variant->line) < 0)
      return nullptr;
    variant = find_variant(*record, kinds);
    if (variant == nullptr || variant->unit == nullptr)
      return decline(*record, variant, function, args, nargsf, kwnames);
  }
  if (somebody_looks(*variant->unit)) return interpret(function, record, args, nargsf, kwnames);
  ++variant->hits;
  prefer(*record, variant);
  ++process_totals().native_calls;
  return call_stub(*variant, function, values, count);
}

extern "C" PyObject* splice_engine_entry(PyObject* function, PyObject* const* args,
                                         std::size_t nargsf, PyObject* kwnames) {
  reclaim();
  return dispatch(function, args, nargsf, kwnames);
}

/// In place of the stub while a window of calls is counted.
extern "C" PyObject* splice_probation_entry(PyObject* function, PyObject* const* args,
                                            std::size_t nargsf, PyObject* kwnames) {
  Record* record = find_record(function);
  if (record == nullptr || !record->probation.active)
    return dispatch(function, args, nargsf, kwnames);
  const ProbationCall call(*record);
  Variant* primary = record->primary;
  if (primary == nullptr || code_of(*record)->co_kwonlyargcount != 0)
    return dispatch(function, args, nargsf, kwnames);
  return primary->unit->stub(function, args, nargsf, kwnames);
}

/// In place of the stub while calls are counted.
extern "C" PyObject* splice_counted_entry(PyObject* function, PyObject* const* args,
                                          std::size_t nargsf, PyObject* kwnames) {
  Record* record = find_record(function);
  if (record == nullptr || !record->counting) return dispatch(function, args, nargsf, kwnames);
  ++record->counted_calls;
  if (record->primary == nullptr || code_of(*record)->co_kwonlyargcount != 0)
    return splice_engine_entry(function, args, nargsf, kwnames);
  return record->primary->unit->stub(function, args, nargsf, kwnames);
}

vectorcallfunc wanted_entry(const Record& record) {
  // A strict function that was refused must go on raising.
  if (record.state == State::kRefused && record.options.strict) return splice_engine_entry;
  if (record.state != State::kActive || record.suspended != 0 || record.resting ||
      tools_mode() == ToolsMode::kTraced)
    return original_entry();
  if (tools_mode() == ToolsMode::kWatchful) return splice_engine_entry;
  if (record.probation.active) return splice_probation_entry;
  if (record.counting) return splice_counted_entry;
  // A stub takes one positional value per parameter; for keyword-only ones that would be wrong.
  if (record.primary != nullptr && code_of(record)->co_kwonlyargcount == 0)
    return record.primary->unit->stub;
  return splice_engine_entry;
}

}  // namespace

void install(Record& record) {
  if (record.foreign) return;
  PyFunctionObject* function = record.function;
  const vectorcallfunc entry = wanted_entry(record);
  if (function->vectorcall == entry) return;
  if (function->vectorcall == original_entry()) record.version = function->func_version;
  PyFunction_SetVectorcall(function, entry);  // takes the version away, on 3.13 for ever
  if (entry == original_entry() && record.version) function->func_version = *record.version;
}

void replace_stub(Record& record, vectorcallfunc old, vectorcallfunc better) {
  if (!record.foreign && record.function->vectorcall == old)
    PyFunction_SetVectorcall(record.function, better);
}

Record* quiet_record(PyFunctionObject* function) {
  if (Record* known = find_record(reinterpret_cast<PyObject*>(function))) return known;
  if (function->vectorcall != original_entry()) return nullptr;
  Record& made = make_record(function);
  made.options.quiet = made.warned = true;
  return &made;
}

bool jit_now(PyFunctionObject* function, std::span<PyObject* const> values) {
  Record* record = quiet_record(function);
  if (record == nullptr) return false;
  if (record->state != State::kActive || record->compiling || !check_code(*record)) return false;
  const KindList list(values.data(), values.size());
  if (find_variant(*record, list.span()) != nullptr) return false;  // tried before
  if (record->variants.size() >= kMaxVariants) return false;
  Variant* variant = compile_variant(*record, list.span(), values);
  if (variant->unit == nullptr) return false;
  prefer(*record, variant);
  return true;
}

void install_all() {
  for (const auto& [function, record] : all_records()) install(*record);
}

}  // namespace splice::engine

PyObject* splice_rt_miss(PyObject* function, PyObject* const* args, std::size_t nargsf,
                         PyObject* kwnames) {
  return splice::engine::dispatch(function, args, nargsf, kwnames);
}
