// pyfront/abstract.cpp
#include "pyfront/abstract.h"

#include "base/check.h"

namespace splice::pyfront {

using Tag = AbsVal::Tag;

AbsVal AbsVal::constant(PyObject* object) {
  AbsVal v;
  v.tag = Tag::kConst;
  v.object = object;
  return v;
}

AbsVal AbsVal::number(Tag tag, ir::ValueId value, ir::ValueId origin) {
  AbsVal v;
  v.tag = tag;
  v.value = value;
  v.origin = origin;
  return v;
}

AbsVal AbsVal::aggregate(Tag tag, std::vector<AbsVal> items) {
  AbsVal v;
  v.tag = tag;
  v.items = std::make_shared<const std::vector<AbsVal>>(std::move(items));
  return v;
}

Tag number_tag(const AbsVal& v) {
  if (v.tag >= Tag::kInt && v.tag <= Tag::kComplex) return v.tag;
  if (v.tag != Tag::kConst) return Tag::kNull;
  PyObject* o = v.object;
  if (PyBool_Check(o)) return Tag::kBool;
  if (PyFloat_CheckExact(o)) return Tag::kFloat;
  if (PyComplex_CheckExact(o)) return Tag::kComplex;
  if (PyLong_CheckExact(o)) {
    int overflow = 0;
    PyLong_AsLongLongAndOverflow(o, &overflow);
    return overflow == 0 ? Tag::kInt : Tag::kNull;
  }
  return Tag::kNull;
}

bool constant_needs_origin(PyObject* number) {
  if (PyBool_Check(number)) return false;
  if (!PyLong_CheckExact(number)) return true;
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(number, &overflow);
  return overflow != 0 || value < -5 || value > 256;
}

ir::Type value_type(Tag tag) {
  switch (tag) {
    case Tag::kInt:
      return ir::Type::kI64;
    case Tag::kFloat:
      return ir::Type::kF64;
    case Tag::kBool:
      return ir::Type::kI1;
    case Tag::kComplex:
      return ir::Type::kC128;
    default:
      return ir::Type::kObj;
  }
}

namespace {

/// Any id that is not kNone: "there is room for an origin" in shapes whose ids are not bound yet.
constexpr ir::ValueId kSomeOrigin = 0;

AbsVal number_shape(Tag tag, bool origin) {
  return AbsVal::number(tag, ir::kNone, origin && tag != Tag::kBool ? kSomeOrigin : ir::kNone);
}

bool needs_origin(const AbsVal& v) {
  return v.tag == Tag::kConst ? constant_needs_origin(v.object) : v.has_origin();
}

bool is_plain_constant(const AbsVal& v) {
  return v.tag == Tag::kConst && number_tag(v) == Tag::kNull && v.object != Py_None;
}

template <class F>
AbsVal map_items(const AbsVal& v, F f) {
  std::vector<AbsVal> items = *v.items;
  for (AbsVal& item : items) f(item);
  return AbsVal::aggregate(v.tag, std::move(items));
}

}  // namespace

void generalize(AbsVal& v, bool loop) {
  if (v.has_items()) {
    // The step of a range stays a constant: it decides the direction of the loop.
    const bool keep_last = v.tag == Tag::kRange || v.tag == Tag::kRangeIter;
    std::vector<AbsVal> items = *v.items;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (keep_last && i == 2 && items[i].tag == Tag::kConst) continue;
      generalize(items[i], loop && !keep_last);
      if (keep_last && loop && items[i].tag == Tag::kConst) items[i] = number_shape(Tag::kInt, false);
      if (keep_last) items[i].origin = ir::kNone;
    }
    v = AbsVal::aggregate(v.tag, std::move(items));
    return;
  }
  const Tag tag = number_tag(v);
  if (!loop || tag == Tag::kNull) return;
  v = number_shape(tag, true);
}

void generalize(State& s, bool loop) {
  for (AbsVal& v : s.locals) generalize(v, loop);
  for (AbsVal& v : s.stack) generalize(v, loop);
}

bool join(AbsVal& into, const AbsVal& other, bool loop) {
  if (into.tag == Tag::kNull || other.tag == Tag::kNull) return into.tag == other.tag;
  if (into.has_items() || other.has_items()) {
    if (into.tag != other.tag || into.items->size() != other.items->size()) return false;
    const bool range = into.tag != Tag::kTuple;
    std::vector<AbsVal> items = *into.items;
    for (std::size_t i = 0; i < items.size(); ++i) {
      const AbsVal& theirs = (*other.items)[i];
      if (range && i == 2 && (items[i].tag == Tag::kConst || theirs.tag == Tag::kConst)) {
        if (items[i].tag != theirs.tag || items[i].object != theirs.object) return false;
        continue;
      }
      if (!join(items[i], theirs, loop && !range)) return false;
      if (range) items[i].origin = ir::kNone;
    }
    into = AbsVal::aggregate(into.tag, std::move(items));
    return true;
  }
  if (into.tag == Tag::kConst && other.tag == Tag::kConst && into.object == other.object) {
    generalize(into, loop);
    return true;
  }
  const Tag a = number_tag(into);
  const Tag b = number_tag(other);
  if (a != Tag::kNull || b != Tag::kNull) {
    if (a != b) return false;
    into = number_shape(a, loop || needs_origin(into) || needs_origin(other));
    return true;
  }
  // None apart from other objects: most tests are for it.
  if (into.is_const(Py_None) || other.is_const(Py_None)) return false;
  AbsVal v;
  v.tag = Tag::kObject;
  into = v;
  return true;
}

bool join(State& into, const State& other, bool loop) {
  if (into.locals.size() != other.locals.size() || into.stack.size() != other.stack.size())
    return false;
  State joined = into;
  for (std::size_t i = 0; i < joined.locals.size(); ++i)
    if (!join(joined.locals[i], other.locals[i], loop)) return false;
  for (std::size_t i = 0; i < joined.stack.size(); ++i)
    if (!join(joined.stack[i], other.stack[i], loop)) return false;
  into = std::move(joined);
  return true;
}

bool accepts(const AbsVal& shape, const AbsVal& from) {
  switch (shape.tag) {
    case Tag::kNull:
      return from.tag == Tag::kNull;
    case Tag::kConst:
      return from.tag == Tag::kConst && from.object == shape.object;
    case Tag::kObject:
      return from.tag == Tag::kObject || is_plain_constant(from);
    case Tag::kInt:
    case Tag::kFloat:
    case Tag::kBool:
    case Tag::kComplex:
      return number_tag(from) == shape.tag && (shape.has_origin() || !needs_origin(from));
    default:
      break;
  }
  if (from.tag != shape.tag || from.items->size() != shape.items->size()) return false;
  const bool range = shape.tag != Tag::kTuple;
  for (std::size_t i = 0; i < shape.items->size(); ++i) {
    AbsVal item = (*from.items)[i];
    const AbsVal& want = (*shape.items)[i];
    if (range) {
      // Positions inside a range are numbers, not objects: no origin to keep.
      if (want.tag == Tag::kInt && number_tag(item) == Tag::kInt) continue;
      item.origin = ir::kNone;
    }
    if (!accepts(want, item)) return false;
  }
  return true;
}

bool accepts(const State& shape, const State& from) {
  if (shape.locals.size() != from.locals.size() || shape.stack.size() != from.stack.size())
    return false;
  for (std::size_t i = 0; i < shape.locals.size(); ++i)
    if (!accepts(shape.locals[i], from.locals[i])) return false;
  for (std::size_t i = 0; i < shape.stack.size(); ++i)
    if (!accepts(shape.stack[i], from.stack[i])) return false;
  return true;
}

void append_types(const AbsVal& shape, std::vector<ir::Type>& types) {
  if (shape.has_items()) {
    for (const AbsVal& item : *shape.items) append_types(item, types);
    return;
  }
  if (shape.tag == Tag::kNull || shape.tag == Tag::kConst) return;
  types.push_back(value_type(shape.tag));
  if (shape.has_origin()) types.push_back(ir::Type::kObj);
}

void bind_values(AbsVal& shape, const ir::ValueId*& next) {
  if (shape.has_items()) {
    shape = map_items(shape, [&](AbsVal& item) { bind_values(item, next); });
    return;
  }
  if (shape.tag == Tag::kNull || shape.tag == Tag::kConst) return;
  shape.value = *next++;
  if (shape.has_origin()) shape.origin = *next++;
}

const char* describe(const AbsVal& v) {
  switch (v.tag) {
    case Tag::kNull:
      return "nothing";
    case Tag::kConst:
      return Py_TYPE(v.object)->tp_name;
    case Tag::kInt:
      return "int";
    case Tag::kFloat:
      return "float";
    case Tag::kBool:
      return "bool";
    case Tag::kComplex:
      return "complex";
    case Tag::kObject:
      return "object";
    case Tag::kTuple:
      return "tuple";
    case Tag::kRange:
      return "range";
    case Tag::kRangeIter:
      return "range iterator";
  }
  return "?";
}

}  // namespace splice::pyfront
