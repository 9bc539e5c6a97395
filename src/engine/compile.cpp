// engine/compile.cpp: the pipeline, and what becomes of functions that don't fit through it.
#include "engine/compile.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "cpy/runtime_chaos.h"
#include "cpy/thread_context.h"
#include "engine/assumptions.h"
#include "engine/compile_cost.h"
#include "engine/compile_watch.h"
#include "engine/hooks.h"
#include "engine/symbols.h"
#include "layout/object_layout.h"
#include "opt/pipeline.h"
#include "sys/memory.h"

namespace splice::engine {
namespace {

Lowering g_lowering = &pyfront::lower_function;
CompileCost g_cost;  // guarded by the GIL

constexpr std::int64_t kHotRounds = 1 << 20;
constexpr std::size_t kRoomAtLeast = std::size_t{16} << 20;
constexpr const char* kNoMemory = "there is no memory to compile it";

std::int64_t hot_rounds() {
  const char* text = std::getenv("SPLICE_HOT_ROUNDS");
  const std::int64_t wanted = text != nullptr ? std::strtoll(text, nullptr, 10) : 0;
  if (wanted > 0) return wanted;
  return cpy::chaos_seed() != 0 ? 2 : kHotRounds;
}

std::size_t values_in(const ir::Module& module) {
  std::size_t values = 0;
  for (const ir::Function& f : module.functions) values += f.values.size();
  return values;
}

int opt_level() {
  const char* text = std::getenv("SPLICE_OPT_LEVEL");
  return text != nullptr && std::strcmp(text, "0") == 0 ? 0 : 2;
}

/// The unit must not keep alive what keeps the unit alive: the function itself, the cells of its
/// closure and its globals live at least as long as the record.
void drop_back_references(Unit& unit, PyFunctionObject* function) {
  PyObject* closure = function->func_closure;
  auto leads_back = [&](PyObject* object) {
    if (object == reinterpret_cast<PyObject*>(function) || object == function->func_globals)
      return true;
    if (closure == nullptr) return false;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(closure); ++i)
      if (PyTuple_GET_ITEM(closure, i) == object) return true;
    return false;
  };
  auto kept = std::stable_partition(unit.objects.begin(), unit.objects.end(),
                                    [&](PyObject* object) { return !leads_back(object); });
  for (auto it = kept; it != unit.objects.end(); ++it) Py_DECREF(*it);  // never the last reference
  unit.objects.erase(kept, unit.objects.end());
}

/// Objects in code that is not going to be: let go of when that is safe.
void drop_objects(pyfront::Lowered lowered) {
  auto unit = std::make_unique<Unit>();
  unit->objects = std::move(lowered.objects);
  retire(std::move(unit));
}

/// `picky`: nobody asked for this function, so it has to be worth it. Nothing here may leave the
/// entry of a function as an exception of C++.
std::variant<pyfront::Lowered, pyfront::Bailout> lower(PyFunctionObject* function,
                                                       std::span<const pyfront::Kind> kinds,
                                                       std::span<PyObject* const> values,
                                                       bool picky) {
  try {
    const Record* record = find_record(reinterpret_cast<PyObject*>(function));
    auto outcome = g_lowering(
        {reinterpret_cast<PyObject*>(function),
         {kinds.begin(), kinds.end()},
         {values.begin(), values.end()},
         record != nullptr ? record->large : std::vector<std::pair<PyCodeObject*, int>>{}});
    auto* lowered = std::get_if<pyfront::Lowered>(&outcome);
    if (!picky || lowered == nullptr || !lowered->doubt) return outcome;
    pyfront::Bailout why = std::move(*lowered->doubt);
    drop_objects(std::move(*lowered));
    return why;
  } catch (const std::bad_alloc&) {
    return pyfront::Bailout{kNoMemory, 0};
  }
}

codegen::Options options_for(const ir::Module& module) {
  codegen::Options options = options_of_units();
  if (is_large(module)) options.opt_level = 0;
  return options;
}

Status link(Unit& unit, const std::string& entry) {
  add_runtime_symbols(unit.module);
  const layout::ObjectLayout& layout = *layout::object_layout(PY_MINOR_VERSION);
  if (Status status = opt::optimize(unit.module, layout); !status.ok()) return status;
  if (Status status = require_room(unit.module); !status.ok()) return status;
  if (Status status = bind_symbols(unit); !status.ok()) return status;
  Result<codegen::Session*> llvm = session();
  if (!llvm.ok()) return llvm.status();
  auto code = (*llvm)->compile(unit.module, unit.addresses, options_for(unit.module));
  if (!code.ok()) return code.status();
  unit.code = std::move(*code);
  unit.entry = entry;
  unit.stub = reinterpret_cast<vectorcallfunc>(unit.code->address(entry));
  if (unit.stub == nullptr) return internal_error("no entry stub '" + entry + "'");
  return {};
}

}  // namespace

bool can_begin_to_compile() {
  // Four hundred nested conditions took 48 KiB of stack.
  return cpy::stack_above_limit() > (std::ptrdiff_t{64} << 10) && sys::can_map(kRoomAtLeast);
}

bool has_stack_to_compile_again() { return cpy::stack_above_limit() > (std::ptrdiff_t{512} << 10); }

Status require_room(const ir::Module& module) {
  // Fifty statements `l[i] += l[j] + x` take 2.8 KiB for each value of the IR.
  constexpr std::size_t kPerValue = 4096;
  if (sys::can_map(kRoomAtLeast + values_in(module) * kPerValue)) return {};
  return resource_error(kNoMemory);
}

bool is_large(const ir::Module& module) {
  // 400 statements `if n == i: l.append(n)` are 7200 blocks: 11.4 seconds with LLVM's passes, of
  // which CodeGenPrepare takes half, 0.4 without. Of the benchmarks the largest has 152.
  constexpr std::size_t kMostBlocks = 800;
  return std::any_of(module.functions.begin(), module.functions.end(),
                     [](const ir::Function& f) { return f.blocks.size() > kMostBlocks; });
}

const codegen::Options& options_of_units() {
  static const codegen::Options options = {.opt_level = opt_level(),
                                           .hot_rounds = hot_rounds(),
                                           .baseline = opt_level() != 0 && hot_rounds() != 0};
  return options;
}

const char* why_never_compiled(const PyFunctionObject* function) {
  const int flags = reinterpret_cast<PyCodeObject*>(function->func_code)->co_flags;
  if (flags & CO_ASYNC_GENERATOR) return "it is an asynchronous generator";
  if (flags & CO_COROUTINE) return "it is a coroutine";
  if (flags & (CO_GENERATOR | CO_ITERABLE_COROUTINE)) return "it is a generator";
  if (flags & CO_VARARGS) return "it takes *args";
  if (flags & CO_VARKEYWORDS) return "it takes **kwargs";
  if (!(flags & CO_OPTIMIZED)) return "it has no fast locals";
#if PY_VERSION_HEX >= 0x030D0000
  // The interpreter enters __init__ of a class call without looking at the function's entry.
  if (PyUnicode_CompareWithASCIIString(function->func_name, "__init__") == 0)
    return "it is __init__, which CPython 3.13 and newer always interpret";
#endif
  return nullptr;
}

void set_lowering_for_test(Lowering lowering) { g_lowering = lowering; }

Result<codegen::Session*> session() {
  // Leaked: machine code must outlive every thread, daemon threads at exit included.
  static codegen::Session* the_session = nullptr;
  if (the_session == nullptr) {
    auto created = codegen::Session::create();
    if (!created.ok()) return created.status();
    the_session = std::move(*created).release();
  }
  return the_session;
}

bool check_code(Record& record) {
  record.check_code = false;
  if (record.state != State::kActive && record.state != State::kRefused) return false;
  const char* why = why_never_compiled(record.function);
  if (why != nullptr) {
    give_back(record, State::kRefused, why, 0);
    return false;
  }
  record.state = State::kActive;
  return true;
}

Variant* compile_variant(Record& record, std::span<const pyfront::Kind> kinds,
                         std::span<PyObject* const> values) {
  record.compiling = true;
  const CompileWatch watch;
  auto variant = std::make_unique<Variant>();
  variant->kinds.assign(kinds.begin(), kinds.end());
  for (std::size_t i = 0; i < kinds.size(); ++i)
    variant->examples.push_back(kinds[i].tag == pyfront::Kind::kObject
                                    ? pyfront::description_of(values[i])
                                    : std::string());

  auto outcome = lower(record.function, kinds, values, record.options.quiet);
  if (auto* bailout = std::get_if<pyfront::Bailout>(&outcome)) {
    variant->reason = std::move(bailout->reason);
    variant->line = bailout->line;
  } else {
    auto& lowered = std::get<pyfront::Lowered>(outcome);
    auto unit = std::make_unique<Unit>();
    unit->owner = &record;
    const std::size_t size = values_in(lowered.module);
    unit->module = std::move(lowered.module);
    unit->addresses = std::move(lowered.addresses);
    unit->objects = std::move(lowered.objects);
    unit->dependencies = std::move(lowered.dependencies);
    unit->notes = std::move(lowered.notes);
    unit->types = std::move(lowered.types);
    Status status;
    try {
      status = link(*unit, lowered.entry);
    } catch (const std::bad_alloc&) {
      status = resource_error(kNoMemory);
    }
    if (status.ok()) status = arm(*unit);
    if (status.ok()) {
      drop_back_references(*unit, record.function);
      for (const ir::Function& function : unit->module.functions)
        unit->exits_taken.emplace_back(function.exits.size());
      unit->compile_ms = watch.ms();
      g_cost.note(size, unit->compile_ms);
      ++process_totals().units;
      if (!std::exchange(record.has_been_native, true)) ++process_totals().functions;
      variant->unit = std::move(unit);
    } else {
      variant->reason = status.message();
      retire(std::move(unit));
    }
  }
  if (PyErr_Occurred()) PyErr_Clear();
  record.compiling = false;
  record.variants.push_back(std::move(variant));
  return record.variants.back().get();
}

std::variant<double, pyfront::Bailout> cost_of_compiling(PyFunctionObject* function,
                                                         std::span<const pyfront::Kind> kinds,
                                                         std::span<PyObject* const> values) {
  auto outcome = lower(function, kinds, values, true);
  if (PyErr_Occurred()) PyErr_Clear();
  if (auto* bailout = std::get_if<pyfront::Bailout>(&outcome)) return std::move(*bailout);
  auto& lowered = std::get<pyfront::Lowered>(outcome);
  const double ms = g_cost.expected_ms(values_in(lowered.module));
  drop_objects(std::move(lowered));
  return ms;
}

int report_not_compiled(Record& record, const std::string& reason, int line) {
  if (!record.options.strict && record.warned) return 0;
  record.warned = true;
  return hooks().not_compiled(reinterpret_cast<PyObject*>(record.function), reason.c_str(), line,
                              record.options.strict);
}

Result<std::unique_ptr<codegen::CodeUnit>> compile_again_with_text(const Unit& unit) {
  if (!can_begin_to_compile()) return resource_error("there is no stack or memory to compile it");
  if (Status status = require_room(unit.module); !status.ok()) return status;
  Result<codegen::Session*> llvm = session();
  if (!llvm.ok()) return llvm.status();
  codegen::Options options = options_for(unit.module);
  options.keep_text = true;
  options.hot_rounds = 0;
  options.baseline = false;
  return (*llvm)->compile(unit.module, unit.addresses, options);
}

}  // namespace splice::engine
