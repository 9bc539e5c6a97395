// pyfront/lower_global.cpp: global names.
//
// A global is a constant that the unit is dropped with when it changes, unless the unit itself
// assigns to it: then it is read where it is used.
#include "cpy/runtime_global.h"
#include "pyfront/function_lowering.h"

namespace splice::pyfront {

using ir::Op;
using ir::Type;
using Tag = AbsVal::Tag;

namespace {

constexpr const char* kOtherType = "a global of another type";

}  // namespace

bool FunctionLowering::load_global(const PyInst& inst) {
  PyObject* name = PyTuple_GET_ITEM(code_->co_names, inst.arg);
  AbsVal v;
  if (unit_.learned().globals.contains(function_->func_globals, name)) {
    v = stored_global(name);
  } else {
    PyObject* value = unit_.find_global(function_, name);
    if (value == nullptr)
      return leave(has_plain_globals() ? "an undefined global" : "globals that are no plain dict");
    v = AbsVal::constant(value);
  }
  if (inst.arg2 != 0 && !kNullAboveCallable) state_.stack.push_back(AbsVal::null());
  state_.stack.push_back(std::move(v));
  if (inst.arg2 != 0 && kNullAboveCallable) state_.stack.push_back(AbsVal::null());
  return true;
}

bool FunctionLowering::has_plain_globals() const {
  return PyDict_CheckExact(function_->func_globals) && PyDict_CheckExact(function_->func_builtins);
}

ir::ValueId FunctionLowering::global_now(PyObject* name) {
  const ir::SymbolId load =
      unit_.runtime("splice_rt_load_global", {Type::kObj, Type::kObj}, Type::kObj,
                    reinterpret_cast<void*>(&splice_rt_load_global));
  return b_.call_runtime(load, {b_.symbol(unit_.object_symbol(function_->func_globals)),
                                b_.symbol(unit_.object_symbol(name))});
}

AbsVal FunctionLowering::stored_global(PyObject* name) {
  // What it is now is the guess that a guard checks.
  const ir::ValueId object = global_now(name);
  guard(b_.compare(Op::kNe, object, b_.null()), "an undefined global");
  return unpack_object(object, splice_rt_load_global(function_->func_globals, name), kOtherType);
}

bool FunctionLowering::store_global(const PyInst& inst, int next) {
  PyObject* name = PyTuple_GET_ITEM(code_->co_names, inst.arg);
  PyObject* globals = function_->func_globals;
  const AbsVal value = state_.stack.back();
  if (!has_plain_globals()) return leave("globals that are no plain dict");
  if (!can_be_object(value)) return leave("a global that is " + with_article(value));
  unit_.learned().globals.note(globals, name);
  const ir::ValueId old = global_now(name);
  if_not_null(old, true,
              [&] { guard_droppable(old, splice_rt_load_global(globals, name), kOtherType); });
  const ir::ValueId object = held_reference(value, 1);
  barrier(next);
  const ir::SymbolId store =
      unit_.runtime("splice_rt_store_global", {Type::kObj, Type::kObj, Type::kOwned}, Type::kI32,
                    reinterpret_cast<void*>(&splice_rt_store_global));
  const ir::ValueId failed = b_.call_runtime(store, {b_.symbol(unit_.object_symbol(globals)),
                                                     b_.symbol(unit_.object_symbol(name)), object});
  guard_done(b_.compare(Op::kEq, failed, b_.const_i32(0)), "no memory");
  give_away(object);
  release_unreferenced(true);
  return true;
}

}  // namespace splice::pyfront
