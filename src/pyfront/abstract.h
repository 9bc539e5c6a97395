// pyfront/abstract.h: what the front end knows about a local or stack slot while it lowers.
//
// An AbsVal is a Python value that native code holds in its own way: a constant known now, an
// unboxed number, a tuple or iterator that does not exist as an object yet. "Origin" is the object
// a number was unboxed from (an SSA obj that may be null at run time): the value that came from an
// object goes back as that object. AbsVals are small values; tuples share their items.
#pragma once

#include <Python.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ir/module.h"
#include "mem/element_type.h"

namespace splice::pyfront {

struct AbsVal {
  enum class Tag : std::uint8_t {
    kNull,       ///< unbound local, or the NULL that calls push
    kConst,      ///< `object`
    kInt,        ///< i64 `value`
    kFloat,      ///< f64 `value`
    kBool,       ///< i1 `value`
    kComplex,    ///< c128 `value`
    kScalar,     ///< NumPy scalar of `element`: `value` of element_type(element)
    kEither,     ///< kScalar, or where `is_python` the Python number of the same value
    kObject,     ///< obj `value`, borrowed
    kTuple,      ///< `items`
    kRange,      ///< range object: `items` = start, stop, step (kInt or const)
    kRangeIter,  ///< its iterator: `items` = next, stop, step
    kListIter,   ///< list or tuple iterator: `items` = object, index of the next item (kInt)
    kReversed,   ///< reversed list: `items` = object, index of the next item, -1 at the end (kInt)
    kEnumerate,  ///< `items` = iterator, next count (kInt)
    kZip,        ///< `items` = iterators
    kSlice,      ///< `items` = start, stop, step
    kView,       ///< array that shows the memory of another: `items` as of cpy/array_view.h
  };
  Tag tag = Tag::kNull;
  /// With items: no SSA value but a number of its own. Copies share it: they are one object.
  ir::ValueId value = ir::kNone;
  ir::ValueId origin = ir::kNone;     ///< numbers only
  ir::ValueId is_python = ir::kNone;  ///< kEither: i1
  Tag python_tag = Tag::kNull;        ///< kEither: kInt or kFloat
  PyObject* object = nullptr;         ///< kConst: borrowed, kept alive by the unit
  PyTypeObject* type = nullptr;       ///< kObject: its exact type; null when not known
  mem::ElementType element = mem::ElementType::kF64;  ///< kScalar, kEither
  /// kObject: an object of the kind expected here (an argument of the call that caused the
  /// compilation, an item of it). Only guesses are made of it, and only while lowering.
  PyObject* hint = nullptr;
  /// Locals: i1, false when the variable is unbound after all (then objects in it are null).
  /// kNone: it is bound.
  ir::ValueId present = ir::kNone;
  /// In shapes, of the object or origin: the state owns a reference; it may lose its owner.
  bool owned = false;
  bool frail = false;
  std::shared_ptr<const std::vector<AbsVal>> items;

  static AbsVal null() { return {}; }
  static AbsVal constant(PyObject* object);
  static AbsVal number(Tag tag, ir::ValueId value, ir::ValueId origin = ir::kNone);
  static AbsVal scalar(mem::ElementType element, ir::ValueId value, ir::ValueId origin = ir::kNone);
  static AbsVal either(Tag number, mem::ElementType element, ir::ValueId value,
                       ir::ValueId is_python, ir::ValueId origin = ir::kNone);
  static AbsVal object_of(ir::ValueId value, PyTypeObject* type, PyObject* hint = nullptr);
  static AbsVal aggregate(Tag tag, std::vector<AbsVal> items);
  /// Makes it another aggregate, of these items.
  void set_items(std::vector<AbsVal> others);

  bool is_const(const PyObject* o) const { return tag == Tag::kConst && object == o; }
  bool has_items() const { return tag >= Tag::kTuple; }
  bool is_iterator() const { return tag >= Tag::kRangeIter && tag <= Tag::kZip; }
  bool is_exact(const PyTypeObject* t) const { return tag == Tag::kObject && type == t; }
  /// The SSA object behind it, if any: that of kObject, or an origin.
  ir::ValueId reference() const { return tag == Tag::kObject ? value : origin; }
  bool has_origin() const { return origin != ir::kNone; }
  bool may_be_unbound() const { return present != ir::kNone; }
};

/// The number that `v` is, when it is one: kInt, kFloat, kBool, kComplex; kNull when it is none.
/// Constants count; an int beyond 64 bits does not.
AbsVal::Tag number_tag(const AbsVal& v);

/// What a NumPy scalar holds, constants included; none when it is none.
std::optional<mem::ElementType> scalar_element(const AbsVal& v);

/// Whether a merge must remember the object behind this constant number: small ints and bools are
/// the same object whoever makes them.
bool constant_needs_origin(PyObject* number);

/// IR type that carries the element: that of its memory, but for complex64, which is carried as a
/// c128 (load_element and store_element of numpy_values.h).
ir::Type element_type(mem::ElementType element);
/// IR type that carries a value without items: a number, a NumPy scalar or an object.
ir::Type value_type(const AbsVal& v);
ir::Type value_type(AbsVal::Tag number);
/// A number, constant or not, a NumPy scalar or one of the two: it can be held in a machine type.
bool has_machine_type(const AbsVal& v);

/// Frame state: every local and stack slot, and who keeps their objects alive.
///
/// An SSA object in a slot is either *owned* by the state (one reference for all slots that hold
/// it), *frail* (borrowed from a container or cell that may drop it at the next barrier: a store, a
/// call, a poll) or neither: an argument or constant, alive for the whole call.
struct State {
  std::vector<AbsVal> locals;
  std::vector<AbsVal> stack;
  std::vector<ir::ValueId> owned;
  std::vector<ir::ValueId> frail;

  bool owns(ir::ValueId v) const;
  bool is_frail(ir::ValueId v) const;
  /// True when some slot holds the SSA object `v`, as a value or an origin.
  bool refers_to(ir::ValueId v) const;
};

/// Calls f(AbsVal&) for `v` and, recursively, its items. Shared items are copied first.
template <class F>
void for_each_part(AbsVal& v, F f) {
  if (v.items != nullptr) {
    auto items = std::make_shared<std::vector<AbsVal>>(*v.items);
    for (AbsVal& item : *items) for_each_part(item, f);
    v.items = std::move(items);
  }
  f(v);
}

/// Of constants, numbers, objects whose type is known, tuples and ranges; null when not known.
PyTypeObject* exact_type(const AbsVal& v);
/// list, tuple, str, bytes or bytearray: their length is where PyVarObject has its size.
bool is_sequence(const PyTypeObject* type);
/// cpy/typed_list.h: no object that Python code may get.
bool is_typed_list(const AbsVal& v);
/// A sequence or a typed list.
bool has_size(const AbsVal& v);

/// What a call through a variable can be guessed by.
bool can_be_called(PyObject* object);
bool is_generator_expression(const PyCodeObject* code);
/// A function of the module builtins that is written in C.
bool is_builtin_function(PyObject* object);

/// Item `i` of such an aggregate is a position, a C integer inside a CPython object, no object.
bool is_position(AbsVal::Tag tag, std::size_t i);
bool refers_to(const AbsVal& v, ir::ValueId object);
/// Sets the `owned` and `frail` flags of the slots from the state's lists.
void mark_ownership(State& s);

/// Whether Python numbers may be held as scalars of `element` in a kEither.
bool can_be_either(AbsVal::Tag number, mem::ElementType element);
/// Whether this number, when it is a constant, has the same value as a scalar of `element`.
bool may_fit(const AbsVal& number, mem::ElementType element);

/// What a merge may do beside joining equal types.
struct Merge {
  /// Constants that a loop may change are generalised; every number gets room for an origin.
  bool loop = false;
  /// Locals of which Python numbers and NumPy scalars may become one; null: none.
  const std::vector<bool>* either = nullptr;
};

/// Least shape that both fit, or false when they must stay apart. Value ids in `into` become stale.
bool join(AbsVal& into, const AbsVal& other, bool loop, bool either = false);
bool join(State& into, const State& other, const Merge& merge);
/// The shape that a single value gets at a merge.
void generalize(AbsVal& v, bool loop);
void generalize(State& s, bool loop);
/// The shape of a result: numbers lose their value; they have room for an origin where they had
/// one.
void generalize_result(AbsVal& v);
/// True when a value of the shape of `from` can be passed to a block that expects `shape`.
bool accepts(const AbsVal& shape, const AbsVal& from);
bool accepts(const State& shape, const State& from);

/// Types of the block arguments that a shape needs, in order.
void append_types(const AbsVal& shape, std::vector<ir::Type>& types);
/// Puts ids from `next` (advanced) into the shape, in the order of append_types.
void bind_values(AbsVal& shape, const ir::ValueId*& next);
/// Whole states. Binding also fills in what the state owns and what is frail.
void append_types(const State& shape, std::vector<ir::Type>& types);
void bind_values(State& shape, const ir::ValueId*& next);

/// Runtime function (items, count) that makes the object of a value with items.
const char* maker_of(AbsVal::Tag tag);

/// For messages: "int", "float", "tuple", "module math", ...
const char* describe(const AbsVal& v);
/// The same with "a" or "an" in front.
std::string with_article(const AbsVal& v);
std::string with_article(const char* noun);

}  // namespace splice::pyfront
