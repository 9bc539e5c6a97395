// pyfront/abstract.h: what the front end knows about a local or stack slot while it lowers.
//
// An AbsVal is a Python value that native code holds in its own way: a constant known now, an
// unboxed number, a tuple or iterator that does not exist as an object yet. "Origin" is the object
// a number was unboxed from (an SSA obj that may be null at run time): the value that came from an
// object goes back as that object. AbsVals are small values; tuples share their items.
#pragma once

#include <Python.h>

#include <memory>
#include <vector>

#include "ir/module.h"

namespace splice::pyfront {

struct AbsVal {
  enum class Tag : std::uint8_t {
    kNull,       ///< unbound local, or the NULL that calls push
    kConst,      ///< `object`
    kInt,        ///< i64 `value`
    kFloat,      ///< f64 `value`
    kBool,       ///< i1 `value`
    kComplex,    ///< c128 `value`
    kObject,     ///< obj `value`, borrowed
    kTuple,      ///< `items`
    kRange,      ///< range object: `items` = start, stop, step (kInt or const)
    kRangeIter,  ///< its iterator: `items` = next, stop, step
  };
  Tag tag = Tag::kNull;
  ir::ValueId value = ir::kNone;
  ir::ValueId origin = ir::kNone;  ///< numbers only
  PyObject* object = nullptr;      ///< kConst: borrowed, kept alive by the unit
  std::shared_ptr<const std::vector<AbsVal>> items;

  static AbsVal null() { return {}; }
  static AbsVal constant(PyObject* object);
  static AbsVal number(Tag tag, ir::ValueId value, ir::ValueId origin = ir::kNone);
  static AbsVal aggregate(Tag tag, std::vector<AbsVal> items);

  bool is_const(const PyObject* o) const { return tag == Tag::kConst && object == o; }
  bool has_items() const { return tag >= Tag::kTuple; }
  bool has_origin() const { return origin != ir::kNone; }
};

/// The number that `v` is, when it is one: kInt, kFloat, kBool, kComplex; kNull when it is none.
/// Constants count; an int beyond 64 bits does not.
AbsVal::Tag number_tag(const AbsVal& v);

/// Whether a merge must remember the object behind this constant number: small ints and bools are
/// the same object whoever makes them.
bool constant_needs_origin(PyObject* number);

/// IR type that carries a number tag, and of kObject.
ir::Type value_type(AbsVal::Tag tag);

/// Frame state: every local and stack slot.
struct State {
  std::vector<AbsVal> locals;
  std::vector<AbsVal> stack;
};

/// Least shape that both fit, or false when they must stay apart. `loop` generalises constants that
/// a loop may change and gives every number room for an origin. Value ids in `into` become stale.
bool join(AbsVal& into, const AbsVal& other, bool loop);
bool join(State& into, const State& other, bool loop);
/// The shape that a single value gets at a merge.
void generalize(AbsVal& v, bool loop);
void generalize(State& s, bool loop);
/// True when a value of the shape of `from` can be passed to a block that expects `shape`.
bool accepts(const AbsVal& shape, const AbsVal& from);
bool accepts(const State& shape, const State& from);

/// Types of the block arguments that a shape needs, in order.
void append_types(const AbsVal& shape, std::vector<ir::Type>& types);
/// Puts ids from `next` (advanced) into the shape, in the order of append_types.
void bind_values(AbsVal& shape, const ir::ValueId*& next);

/// For messages: "int", "float", "tuple", "module math", ...
const char* describe(const AbsVal& v);

}  // namespace splice::pyfront
