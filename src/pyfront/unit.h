// pyfront/unit.h: everything that is lowered together into one IR module.
//
// A unit starts with one function and grows by the functions that it calls, one *instance* per
// (function, shapes of the arguments). Instances discover their result kinds while they are lowered
// and wake the call sites that wait for them, so recursion needs no special case.
#pragma once

#include <Python.h>

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "pyfront/abstract.h"
#include "pyfront/leaks.h"
#include "pyfront/learned.h"
#include "pyfront/lower.h"

namespace splice::pyfront {

class FunctionLowering;

/// Who takes the values of a generator (lower_generator.cpp).
enum class Consumer : std::uint8_t { kNone, kSum, kAny, kAll, kMin, kMax, kList, kTuple, kSorted };

/// That a call takes the values of a generator which is made in front of it.
struct Consumption {
  Consumer consumer = Consumer::kNone;
  PyObject* constant = nullptr;  ///< Role::constant, borrowed
  int next = 0;                  ///< the instruction behind the call
};

/// What an instance is for, beside its function and arguments.
struct Role {
  /// For all functions that differ in their cells only; the callers pass the function that they
  /// call as the last parameter.
  bool any_closure = false;
  bool changes_nothing = false;  ///< but objects of its own: it can be started again
  Consumer consumer = Consumer::kNone;
  /// Of a consumer: what a sum starts with, the default of min and max, `reverse` of sorted. Kept.
  PyObject* constant = nullptr;
  bool operator==(const Role&) const = default;
};

/// What functions have in common that one piece of code can stand for. Borrowed.
struct FunctionKind {
  PyObject* code = nullptr;
  PyObject* globals = nullptr;
  PyObject* defaults = nullptr;
  PyObject* keyword_defaults = nullptr;
  std::vector<PyObject*> cells;  ///< samples of what the closure holds

  static FunctionKind of(PyFunctionObject* function);
  bool operator==(const FunctionKind&) const = default;
};

class Unit {
 public:
  /// `learned` outlives the unit.
  Unit(std::string name, Learned& learned);
  ~Unit();

  ir::Module& module() { return lowered_.module; }
  Learned& learned() { return learned_; }

  /// Symbol whose address is `object`; takes a reference for the life of the unit.
  ir::SymbolId object_symbol(PyObject* object);
  /// Runtime function, bound to `address` or by name by the engine when null.
  ir::SymbolId runtime(const char* name, std::vector<ir::Type> params, ir::Type result,
                       void* address, bool pure = false);
  /// Keeps `object` alive as long as the unit.
  void keep(PyObject* object);
  /// A new empty list that note_item() fills with objects like those a compiled list will hold.
  PyObject* make_list_sample();
  /// A new empty cell that note_content() fills in like manner.
  PyObject* make_cell_sample();
  /// A function that stands for all of this kind; null without memory.
  PyObject* function_sample(const FunctionKind& kind);
  /// The sample for functions that differ from `function` in their cells only.
  PyObject* sample_of_closure(PyFunctionObject* function);
  /// Keeps a new object; null when it is none.
  PyObject* keep_new(PyObject* object);
  /// Keeps what a hint points to until the unit has been lowered. False without memory: then it
  /// must not become a hint.
  [[nodiscard]] bool keep_sample(PyObject* object);
  bool is_own_sample(PyObject* object) const;
  void depend_on_key(PyObject* dict, PyObject* key);
  void depend_on_function(PyObject* function);
  /// The value of a global name of `function`, borrowed and kept: the unit depends on the name.
  /// Null when there is none, when it may be no plain dict that has it, and when the unit assigns
  /// to it.
  PyObject* find_global(PyFunctionObject* function, PyObject* name);
  PyObject* find_in_module(PyObject* module, PyObject* name);
  /// The same for passes that look ahead: functions, types and modules only. Of what else a name
  /// may stand for the unit does not depend.
  PyObject* find_callable(PyFunctionObject* function, PyObject* name);
  PyObject* find_callable(PyObject* module, PyObject* name);
  /// observed_locals() of a function. Code that cannot be decoded is never an instance, so that
  /// what stands for it does not matter.
  const std::vector<bool>& observed(PyFunctionObject* function);
  /// False within so many callees of callees that looking further would not pay.
  bool may_look_into_callees() const { return observing_ < 4; }
  /// find_private_lists() with the names that `function` sees.
  ListClasses private_lists(PyFunctionObject* function, const Bytecode& bytecode);
  void note(int line, std::string text);

  /// The instance for these argument shapes, made when there is none. Null, with `error`, when the
  /// function cannot be an instance (generator, too many instances, ...).
  FunctionLowering* instance(PyFunctionObject* function, const std::vector<AbsVal>& args,
                             const Role& role, std::string& error);
  FunctionLowering* instance_at(std::uint32_t index) { return instances_[index].get(); }
  /// Lowers until nothing is pending. False when the unit grew beyond its budget.
  bool run(std::string& error);
  /// False when the first function would leave before it has done anything, with the reason.
  bool worthwhile(Bailout& why) const;
  /// Completes returns and calls. Call once, after run().
  void finish();
  /// Gives the module away; the unit is empty afterwards.
  Lowered take();

 private:
  PyObject* find_in_dict(PyObject* dict, PyObject* name);
  void clear_samples();

  Lowered lowered_;
  Learned& learned_;
  std::unordered_map<PyObject*, ir::SymbolId> symbols_;
  std::unordered_map<PyObject*, bool> kept_;
  std::unordered_map<PyFunctionObject*, std::vector<bool>> observed_;
  int observing_ = 0;                                          ///< calls of observed() under way
  std::vector<PyObject*> samples_;                             ///< lists and cells, in `objects`
  std::vector<std::pair<FunctionKind, PyObject*>> functions_;  ///< samples, in `objects`
  std::unordered_map<PyFunctionObject*, PyObject*> closure_samples_;  ///< by whom they stand for
  PyObject* kept_samples_ = nullptr;  ///< one of them, for those that are no lists
  std::vector<std::unique_ptr<FunctionLowering>> instances_;
};

}  // namespace splice::pyfront
