// pyfront/lower_closure.cpp: variables shared with nested functions, and the making of functions.
//
// Cells and functions are the real objects, so they may go anywhere. What a cell will hold is
// guessed by a sample: a cell (and a function with such cells) that stands for all that are made at
// one place, and exists only while the unit is lowered.
#include <cstddef>

#include "cpy/runtime_function.h"
#include "pyfront/function_lowering.h"

namespace splice::pyfront {

using ir::Op;
using ir::Type;
using Tag = AbsVal::Tag;

namespace {

constexpr std::int64_t kContentAt = offsetof(PyCellObject, ob_ref);
constexpr const char* kUnbound = "an unbound variable shared with a nested function";
constexpr const char* kOtherType = "a shared variable of another type";

/// Bits of MAKE_FUNCTION and SET_FUNCTION_ATTRIBUTE.
enum Attribute : int { kDefaults = 1, kKeywordDefaults = 2, kAnnotations = 4, kClosure = 8 };

std::int64_t offset_of(int attribute) {
  switch (attribute) {
    case kDefaults:
      return offsetof(PyFunctionObject, func_defaults);
    case kKeywordDefaults:
      return offsetof(PyFunctionObject, func_kwdefaults);
    case kAnnotations:
      return offsetof(PyFunctionObject, func_annotations);
    default:
      return offsetof(PyFunctionObject, func_closure);
  }
}

}  // namespace

AbsVal FunctionLowering::cell_in(int slot) const {
  const AbsVal& v = state_.locals[static_cast<std::size_t>(slot)];
  const bool cell = v.tag == Tag::kConst ? PyCell_Check(v.object) : v.is_exact(&PyCell_Type);
  return cell && !v.may_be_unbound() ? v : AbsVal::null();
}

PyObject* FunctionLowering::sample_cell(const AbsVal& cell) {
  return cell.tag == Tag::kConst ? cell.object : cell.hint;
}

PyObject* FunctionLowering::sample_content(const AbsVal& cell) {
  PyObject* sample = sample_cell(cell);
  return sample != nullptr ? PyCell_GET(sample) : nullptr;
}

bool FunctionLowering::make_cell(const PyInst& inst) {
  const auto slot = static_cast<std::size_t>(inst.arg);
  const AbsVal content = state_.locals[slot];
  if (content.may_be_unbound()) return leave(kUnbound);
  if (content.tag != Tag::kNull && !can_be_object(content))
    return leave("sharing " + with_article(content));
  const ir::ValueId object = content.tag == Tag::kNull ? b_.null() : object_for(content);
  const ir::SymbolId make = unit_.runtime("splice_rt_make_cell", {Type::kObj}, Type::kOwned,
                                          reinterpret_cast<void*>(&splice_rt_make_cell));
  const ir::ValueId cell = b_.call_runtime(make, {object});
  check_made(cell);
  adopt(cell);
  PyObject*& sample = cells_[inst.arg];
  if (sample == nullptr) sample = unit_.make_cell_sample();
  if (content.tag != Tag::kNull) note_content(sample, content);
  state_.locals[slot] = AbsVal::object_of(cell, &PyCell_Type, sample);
  return true;
}

void FunctionLowering::note_content(PyObject* sample, const AbsVal& v) {
  if (sample == nullptr || !unit_.is_own_sample(sample) || PyCell_GET(sample) != nullptr) return;
  PyObject* like = make_sample(v);
  if (like != nullptr && PyCell_Set(sample, like) < 0) PyErr_Clear();
}

void FunctionLowering::copy_free_vars(int count) {
  const auto first = state_.locals.size() - static_cast<std::size_t>(count);
  PyObject* cells = function_->func_closure;
  ir::ValueId closure = ir::kNone;
  if (function_value_ != ir::kNone)
    closure = b_.load(Type::kObj, function_value_, offset_of(kClosure));
  for (int i = 0; i < count; ++i) {
    PyObject* cell = PyTuple_GET_ITEM(cells, i);
    AbsVal& slot = state_.locals[first + static_cast<std::size_t>(i)];
    if (closure == ir::kNone) {
      unit_.keep(cell);
      slot = AbsVal::constant(cell);
      continue;
    }
    // Alive as long as the function, which the caller holds.
    const auto at = static_cast<std::int64_t>(offsetof(PyTupleObject, ob_item)) +
                    static_cast<std::int64_t>(sizeof(PyObject*)) * i;
    slot = AbsVal::object_of(b_.load(Type::kObj, closure, at), &PyCell_Type, cell);
  }
}

bool FunctionLowering::load_deref(const PyInst& inst) {
  const AbsVal cell = cell_in(inst.arg);
  if (cell.tag == Tag::kNull) return leave("a variable shared with a nested function");
  PyObject* content = sample_content(cell);
  const bool certain = cell.tag == Tag::kConst;
  if (content == nullptr && certain) return leave(kUnbound);
  // The cell is read at run time; what it held now is the guess that a guard checks.
  const ir::ValueId object = b_.load(Type::kObj, object_value(cell), kContentAt);
  guard(b_.compare(Op::kNe, object, b_.null()), kUnbound);
  if (certain && (can_be_called(content) || PyModule_CheckExact(content))) {
    unit_.keep(content);
    guard(b_.compare(Op::kEq, object, b_.symbol(unit_.object_symbol(content))),
          "a variable of an outer function with another value");
    state_.stack.push_back(AbsVal::constant(content));
    return true;
  }
  state_.stack.push_back(unpack_object(object, content, kOtherType));
  return true;
}

bool FunctionLowering::store_deref(const PyInst& inst, int next) {
  const AbsVal cell = cell_in(inst.arg);
  const AbsVal value = state_.stack.back();
  if (cell.tag == Tag::kNull) return leave("an assignment to a variable of an outer function");
  if (!can_be_object(value)) return leave("sharing " + with_article(value));
  const ir::ValueId place = object_value(cell);
  const ir::ValueId old = b_.load(Type::kObj, place, kContentAt);
  if_not_null(old, true, [&] { guard_droppable(old, sample_content(cell), kOtherType); });
  note_content(sample_cell(cell), value);
  const ir::ValueId object = new_reference(value, 1);
  barrier(next);
  b_.store(place, object, kContentAt);
  const ir::ValueId dropped = b_.bitcast(old, Type::kOwned);
  if_not_null(dropped, true, [&] { b_.py_decref(dropped); });
  release_unreferenced(true);
  return true;
}

bool FunctionLowering::make_function(const PyInst& inst) {
  const AbsVal code = state_.stack.back();
  if (code.tag != Tag::kConst || !PyCode_Check(code.object)) return leave("a nested function");
  state_.stack.pop_back();
  PyObject* globals = function_->func_globals;
  const ir::SymbolId make =
      unit_.runtime("splice_rt_make_function", {Type::kObj, Type::kObj}, Type::kOwned,
                    reinterpret_cast<void*>(&splice_rt_make_function));
  const ir::ValueId made =
      b_.call_runtime(make, {object_value(code), b_.symbol(unit_.object_symbol(globals))});
  check_made(made);
  adopt(made);
  FunctionKind kind;
  kind.code = code.object;
  kind.globals = globals;
  AbsVal function = AbsVal::object_of(made, &PyFunction_Type, unit_.function_sample(kind));
  for (const int attribute : {kClosure, kAnnotations, kKeywordDefaults, kDefaults})
    if ((inst.arg & attribute) != 0 && !give_attribute(function, attribute)) return false;
  state_.stack.push_back(std::move(function));
  return true;
}

bool FunctionLowering::set_function_attribute(const PyInst& inst) {
  AbsVal function = state_.stack.back();
  if (!function.is_exact(&PyFunction_Type)) return leave("a nested function");
  state_.stack.pop_back();
  if (!give_attribute(function, inst.arg)) return false;
  state_.stack.push_back(std::move(function));
  return true;
}

bool FunctionLowering::give_attribute(AbsVal& function, int attribute) {
  const AbsVal value = state_.stack.back();
  if (!can_be_object(value)) return leave("a function with " + with_article(value));
  function.hint = sample_with(function.hint, attribute, value);
  // One of its own: an exit drops the function, and still has the operands.
  const ir::ValueId object = object_for(value, Exits::kForgetIt);
  state_.stack.pop_back();
  b_.store(function.value, b_.py_incref(object), offset_of(attribute));
  return true;
}

PyObject* FunctionLowering::sample_with(PyObject* sample, int attribute, const AbsVal& value) {
  if (sample == nullptr || attribute == kAnnotations) return sample;
  FunctionKind kind = FunctionKind::of(reinterpret_cast<PyFunctionObject*>(sample));
  if (attribute == kClosure && value.tag == Tag::kTuple) {
    for (const AbsVal& cell : *value.items) {
      kind.cells.push_back(sample_cell(cell));
      if (kind.cells.back() == nullptr) return nullptr;
    }
  } else if (attribute == kDefaults && value.tag == Tag::kConst) {
    kind.defaults = value.object;
  } else {
    return nullptr;  // another object each time
  }
  return unit_.function_sample(kind);
}

}  // namespace splice::pyfront
