// pyfront/unit.cpp
#include "pyfront/unit.h"

#include <algorithm>

#include "pyfront/function_lowering.h"
#include "pyfront/observed.h"

namespace splice::pyfront {

namespace {

constexpr std::size_t kMaxInstances = 48;
constexpr std::size_t kMaxValues = 20000;  ///< SSA values of one unit
/// Values that the exits of one unit hand over: what LLVM takes the longest for.
constexpr std::size_t kMaxLive = 16000;

}  // namespace

Unit::Unit(std::string name, Learned& learned) : learned_(learned) {
  lowered_.module.name = std::move(name);
}

Unit::~Unit() {
  clear_samples();
  for (PyObject* o : lowered_.objects) Py_DECREF(o);
}

void Unit::clear_samples() {
  // They hold objects of the program that must not live as long as the unit.
  for (PyObject* sample : samples_) {
    const int failed = PyCell_Check(sample)
                           ? PyCell_Set(sample, nullptr)
                           : PyList_SetSlice(sample, 0, PyList_GET_SIZE(sample), nullptr);
    if (failed < 0) PyErr_Clear();
  }
  samples_.clear();
}

void Unit::keep(PyObject* object) {
  if (!kept_.try_emplace(object, true).second) return;
  lowered_.objects.push_back(Py_NewRef(object));
}

ir::SymbolId Unit::object_symbol(PyObject* object) {
  const auto found = symbols_.find(object);
  if (found != symbols_.end()) return found->second;
  keep(object);
  const ir::SymbolId id =
      ir::add_object(module(), "splice_object_" + std::to_string(symbols_.size()));
  lowered_.addresses.resize(module().symbols.size(), nullptr);
  lowered_.addresses[id] = object;
  symbols_.emplace(object, id);
  return id;
}

ir::SymbolId Unit::runtime(const char* name, std::vector<ir::Type> params, ir::Type result,
                           void* address, bool pure) {
  const ir::SymbolId id = ir::add_runtime(module(), name, std::move(params), result, pure);
  lowered_.addresses.resize(module().symbols.size(), nullptr);
  if (address != nullptr) lowered_.addresses[id] = address;
  return id;
}

PyObject* Unit::keep_new(PyObject* object) {
  if (object == nullptr) {
    PyErr_Clear();
    return nullptr;
  }
  keep(object);
  Py_DECREF(object);
  return object;
}

PyObject* Unit::make_list_sample() {
  PyObject* list = keep_new(PyList_New(0));
  if (list != nullptr) samples_.push_back(list);
  return list;
}

PyObject* Unit::make_cell_sample() {
  PyObject* cell = keep_new(PyCell_New(nullptr));
  if (cell != nullptr) samples_.push_back(cell);
  return cell;
}

FunctionKind FunctionKind::of(PyFunctionObject* function) {
  FunctionKind kind;
  kind.code = function->func_code;
  kind.globals = function->func_globals;
  kind.defaults = function->func_defaults;
  kind.keyword_defaults = function->func_kwdefaults;
  for (Py_ssize_t i = 0; function->func_closure && i < PyTuple_GET_SIZE(function->func_closure);
       ++i)
    kind.cells.push_back(PyTuple_GET_ITEM(function->func_closure, i));
  return kind;
}

PyObject* Unit::function_sample(const FunctionKind& kind) {
  for (const auto& [known, sample] : functions_)
    if (known == kind) return sample;
  PyObject* sample = keep_new(PyFunction_New(kind.code, kind.globals));
  if (sample == nullptr) return nullptr;
  auto* function = reinterpret_cast<PyFunctionObject*>(sample);
  function->func_defaults = Py_XNewRef(kind.defaults);
  function->func_kwdefaults = Py_XNewRef(kind.keyword_defaults);
  const auto n = static_cast<Py_ssize_t>(kind.cells.size());
  PyObject* closure = n > 0 ? PyTuple_New(n) : nullptr;
  if (n > 0 && closure == nullptr) {
    PyErr_Clear();
    return nullptr;
  }
  for (Py_ssize_t i = 0; i < n; ++i)
    PyTuple_SET_ITEM(closure, i, Py_NewRef(kind.cells[static_cast<std::size_t>(i)]));
  function->func_closure = closure;
  functions_.emplace_back(kind, sample);
  return sample;
}

PyObject* Unit::sample_of_closure(PyFunctionObject* function) {
  for (const auto& [kind, sample] : functions_)
    if (sample == reinterpret_cast<PyObject*>(function)) return sample;
  PyObject*& sample = closure_samples_[function];
  if (sample != nullptr) return sample;
  // Cells of its own: the unit must not keep alive what the program's cells hold.
  FunctionKind kind = FunctionKind::of(function);
  for (PyObject*& cell : kind.cells) {
    PyObject* content = PyCell_GET(cell);
    cell = make_cell_sample();
    if (cell == nullptr) return nullptr;
    if (content != nullptr && PyCell_Set(cell, content) < 0) PyErr_Clear();
  }
  return sample = function_sample(kind);
}

bool Unit::keep_sample(PyObject* object) {
  if (kept_samples_ == nullptr) kept_samples_ = make_list_sample();
  if (kept_samples_ != nullptr && PyList_Append(kept_samples_, object) == 0) return true;
  PyErr_Clear();
  return false;
}

bool Unit::is_own_sample(PyObject* object) const {
  return std::find(samples_.begin(), samples_.end(), object) != samples_.end();
}

void Unit::depend_on_key(PyObject* dict, PyObject* key) {
  const auto known =
      std::any_of(lowered_.dependencies.begin(), lowered_.dependencies.end(),
                  [&](const Dependency& d) { return d.object == dict && d.key == key; });
  if (known) return;
  keep(dict);
  keep(key);
  lowered_.dependencies.push_back({Dependency::Kind::kDictKey, dict, key});
}

void Unit::depend_on_function(PyObject* function) {
  const auto known = std::any_of(
      lowered_.dependencies.begin(), lowered_.dependencies.end(), [&](const Dependency& d) {
        return d.kind == Dependency::Kind::kFunction && d.object == function;
      });
  if (known) return;
  keep(function);
  lowered_.dependencies.push_back({Dependency::Kind::kFunction, function, nullptr});
}

PyObject* Unit::find_in_dict(PyObject* dict, PyObject* name) {
  depend_on_key(dict, name);
  PyObject* value = PyDict_GetItemWithError(dict, name);
  if (value == nullptr)
    PyErr_Clear();
  else
    keep(value);
  return value;
}

PyObject* Unit::find_global(PyFunctionObject* function, PyObject* name) {
  PyObject* globals = function->func_globals;
  PyObject* builtins = function->func_builtins;
  if (!PyDict_CheckExact(globals) || !PyDict_CheckExact(builtins)) return nullptr;
  if (learned_.globals.contains(globals, name)) return nullptr;
  PyObject* value = find_in_dict(globals, name);
  return value != nullptr ? value : find_in_dict(builtins, name);
}

PyObject* Unit::find_in_module(PyObject* module, PyObject* name) {
  return find_in_dict(PyModule_GetDict(module), name);
}

PyObject* Unit::find_callable(PyFunctionObject* function, PyObject* name) {
  PyObject* globals = function->func_globals;
  PyObject* builtins = function->func_builtins;
  if (!PyDict_CheckExact(globals) || !PyDict_CheckExact(builtins)) return nullptr;
  PyObject* value = PyDict_GetItemWithError(globals, name);
  if (value == nullptr) value = PyDict_GetItemWithError(builtins, name);
  PyErr_Clear();
  return value != nullptr && (can_be_called(value) || PyModule_CheckExact(value))
             ? find_global(function, name)
             : nullptr;
}

PyObject* Unit::find_callable(PyObject* module, PyObject* name) {
  PyObject* value = PyDict_GetItemWithError(PyModule_GetDict(module), name);
  PyErr_Clear();
  return value != nullptr && can_be_called(value) ? find_in_module(module, name) : nullptr;
}

const std::vector<bool>& Unit::observed(PyFunctionObject* function) {
  const auto found = observed_.find(function);
  if (found != observed_.end()) return found->second;
  auto* code = reinterpret_cast<PyCodeObject*>(function->func_code);
  Bytecode bytecode;
  std::string error;
  if (!decode(code, bytecode, error)) bytecode = {};
  // Of a function that calls itself everything counts as observed by the inner call.
  std::vector<bool>& result = observed_[function];
  result.assign(static_cast<std::size_t>(code->co_nlocalsplus) + bytecode.insts.size(), true);
  ++observing_;
  std::vector<bool> known = observed_locals(*this, function, bytecode);
  --observing_;
  return observed_[function] = std::move(known);
}

ListClasses Unit::private_lists(PyFunctionObject* function, const Bytecode& bytecode) {
  const auto global = [&](PyObject* name) { return find_callable(function, name); };
  const auto attribute = [&](PyObject* module, PyObject* name) {
    return find_callable(module, name);
  };
  const auto observed = [&](PyFunctionObject* callee) -> const std::vector<bool>& {
    depend_on_function(reinterpret_cast<PyObject*>(callee));
    return this->observed(callee);
  };
  auto* code = reinterpret_cast<PyCodeObject*>(function->func_code);
  return find_private_lists(bytecode, {code, global, attribute, observed});
}

void Unit::note(int line, std::string text) {
  for (const LineNote& n : lowered_.notes)
    if (n.line == line && n.text == text) return;
  lowered_.notes.push_back({line, std::move(text)});
}

FunctionLowering* Unit::instance(PyFunctionObject* function, const std::vector<AbsVal>& args,
                                 const Role& role, std::string& error) {
  for (const auto& known : instances_)
    if (known->matches(function, args, role)) return known.get();
  auto* code = reinterpret_cast<PyCodeObject*>(function->func_code);
  const int generators = CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR;
  if ((code->co_flags & generators) != (role.consumer != Consumer::kNone ? CO_GENERATOR : 0)) {
    error = "it is a generator or coroutine";
    return nullptr;
  }
  if (instances_.size() >= kMaxInstances) {
    error = "too many functions and argument types in one unit";
    return nullptr;
  }
  std::vector<AbsVal> params = args;
  for (AbsVal& p : params) {
    generalize(p, false);
    // Numbers lose their value: one instance serves them all.
    AbsVal joined = p;
    if (number_tag(p) != AbsVal::Tag::kNull && p.tag == AbsVal::Tag::kConst)
      joined =
          AbsVal::number(number_tag(p), ir::kNone, constant_needs_origin(p.object) ? 0 : ir::kNone);
    p = joined;
  }
  const auto index = static_cast<std::uint32_t>(instances_.size());
  auto made = std::make_unique<FunctionLowering>(*this, index, function, std::move(params), role);
  if (!made->prepare(error)) return nullptr;
  depend_on_function(reinterpret_cast<PyObject*>(function));
  instances_.push_back(std::move(made));
  return instances_.back().get();
}

bool Unit::run(std::string& error) {
  for (;;) {
    // The youngest first: a callee's results are known before its caller goes on.
    FunctionLowering* next = nullptr;
    std::size_t values = 0;
    std::size_t live = 0;
    for (const auto& instance : instances_) {
      const ir::Function& f = module().functions[instance->index()];
      values += f.values.size();
      for (const ir::Exit& exit : f.exits) live += exit.live.size();
      if (instance->has_work()) next = instance.get();
    }
    if (values > kMaxValues || live > kMaxLive) {
      error = "it is too large to compile in one piece";
      return false;
    }
    if (next == nullptr) return true;
    next->step();
  }
}

bool Unit::worthwhile(Bailout& why) const {
  for (const auto& instance : instances_)
    if (instance->has_loop() || !instance->results().empty()) return true;
  const FunctionLowering& first = *instances_.front();
  why = {"it leaves at once", first.code()->co_firstlineno};
  if (!lowered_.notes.empty()) why = {lowered_.notes.front().text, lowered_.notes.front().line};
  return false;
}

void Unit::finish() {
  for (const auto& instance : instances_) instance->finish();
}

Lowered Unit::take() {
  clear_samples();
  for (const auto& instance : instances_) lowered_.types += instance->signature() + "\n";
  lowered_.addresses.resize(module().symbols.size(), nullptr);
  Lowered out = std::move(lowered_);
  lowered_ = {};
  return out;
}

}  // namespace splice::pyfront
