// pyfront/abstract.cpp
#include "pyfront/abstract.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"
#include "cpy/array_view.h"
#include "cpy/numpy.h"
#include "cpy/typed_list.h"

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

AbsVal AbsVal::scalar(mem::ElementType element, ir::ValueId value, ir::ValueId origin) {
  AbsVal v = number(Tag::kScalar, value, element == mem::ElementType::kBool ? ir::kNone : origin);
  v.element = element;
  return v;
}

AbsVal AbsVal::either(Tag number, mem::ElementType element, ir::ValueId value,
                      ir::ValueId is_python, ir::ValueId origin) {
  AbsVal v = AbsVal::number(Tag::kEither, value, origin);
  v.element = element;
  v.python_tag = number;
  v.is_python = is_python;
  return v;
}

AbsVal AbsVal::object_of(ir::ValueId value, PyTypeObject* type, PyObject* hint) {
  AbsVal v;
  v.tag = Tag::kObject;
  v.value = value;
  v.type = type;
  v.hint = hint;
  return v;
}

AbsVal AbsVal::aggregate(Tag tag, std::vector<AbsVal> items) {
  AbsVal v;
  v.tag = tag;
  v.set_items(std::move(items));
  return v;
}

void AbsVal::set_items(std::vector<AbsVal> others) {
  static ir::ValueId last = 0;  // guarded by the GIL
  value = ++last;
  items = std::make_shared<const std::vector<AbsVal>>(std::move(others));
}

PyTypeObject* exact_type(const AbsVal& v) {
  switch (v.tag) {
    case Tag::kConst:
      return Py_TYPE(v.object);
    case Tag::kObject:
      return v.type;
    case Tag::kInt:
      return &PyLong_Type;
    case Tag::kFloat:
      return &PyFloat_Type;
    case Tag::kBool:
      return &PyBool_Type;
    case Tag::kComplex:
      return &PyComplex_Type;
    case Tag::kScalar:
      return cpy::scalar_type(v.element);
    case Tag::kTuple:
      return &PyTuple_Type;
    case Tag::kRange:
      return &PyRange_Type;
    case Tag::kView:
      return cpy::array_type();
    default:
      return nullptr;
  }
}

bool is_sequence(const PyTypeObject* type) {
  return type == &PyList_Type || type == &PyTuple_Type || type == &PyUnicode_Type ||
         type == &PyBytes_Type || type == &PyByteArray_Type;
}

bool is_typed_list(const AbsVal& v) { return v.tag == Tag::kObject && cpy::is_typed_list(v.type); }

bool has_size(const AbsVal& v) { return is_sequence(exact_type(v)) || is_typed_list(v); }

bool State::owns(ir::ValueId v) const {
  return std::find(owned.begin(), owned.end(), v) != owned.end();
}

bool State::is_frail(ir::ValueId v) const {
  return std::find(frail.begin(), frail.end(), v) != frail.end();
}

bool can_be_called(PyObject* object) {
  return PyFunction_Check(object) || PyCFunction_CheckExact(object) ||
         Py_TYPE(object) == &PyType_Type;
}

bool is_generator_expression(const PyCodeObject* code) {
  // No other function can call its parameter that.
  return (code->co_flags & CO_GENERATOR) != 0 && code->co_argcount == 1 &&
         PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(code->co_localsplusnames, 0), ".0") == 0;
}

bool is_builtin_function(PyObject* object) {
  if (!PyCFunction_CheckExact(object)) return false;
  PyObject* module = reinterpret_cast<PyCFunctionObject*>(object)->m_module;
  return module != nullptr && PyUnicode_Check(module) &&
         PyUnicode_CompareWithASCIIString(module, "builtins") == 0;
}

bool refers_to(const AbsVal& v, ir::ValueId object) {
  if (v.items != nullptr)
    return std::any_of(v.items->begin(), v.items->end(),
                       [&](const AbsVal& item) { return refers_to(item, object); });
  return v.reference() == object;
}

bool State::refers_to(ir::ValueId v) const {
  const auto refers = [&](const AbsVal& slot) { return pyfront::refers_to(slot, v); };
  return std::any_of(locals.begin(), locals.end(), refers) ||
         std::any_of(stack.begin(), stack.end(), refers);
}

void mark_ownership(State& s) {
  const auto mark = [&](AbsVal& v) {
    for_each_part(v, [&](AbsVal& part) {
      const ir::ValueId object = part.reference();
      part.owned = object != ir::kNone && s.owns(object);
      part.frail = object != ir::kNone && s.is_frail(object);
    });
  };
  for (AbsVal& v : s.locals) mark(v);
  for (AbsVal& v : s.stack) mark(v);
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

std::optional<mem::ElementType> scalar_element(const AbsVal& v) {
  if (v.tag == Tag::kScalar) return v.element;
  return v.tag == Tag::kConst ? cpy::scalar_element(v.object) : std::nullopt;
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

ir::Type element_type(mem::ElementType element) {
  constexpr ir::Type kTypes[mem::kElementTypes] = {
      ir::Type::kI1,  ir::Type::kI8,   ir::Type::kI16, ir::Type::kI32, ir::Type::kI64,
      ir::Type::kU8,  ir::Type::kU16,  ir::Type::kU32, ir::Type::kU64, ir::Type::kF32,
      ir::Type::kF64, ir::Type::kC128, ir::Type::kC128};
  return kTypes[static_cast<std::size_t>(element)];
}

ir::Type value_type(const AbsVal& v) {
  return v.tag == Tag::kScalar || v.tag == Tag::kEither ? element_type(v.element)
                                                        : value_type(v.tag);
}

bool has_machine_type(const AbsVal& v) {
  return v.tag == Tag::kScalar || v.tag == Tag::kEither || number_tag(v) != Tag::kNull;
}

bool can_be_either(Tag number, mem::ElementType element) {
  if (number == Tag::kFloat) return mem::is_float(element);
  return number == Tag::kInt && (mem::is_integer(element) || element == mem::ElementType::kF64);
}

bool may_fit(const AbsVal& number, mem::ElementType element) {
  if (number.tag != Tag::kConst) return true;
  if (number_tag(number) == Tag::kFloat) {
    const double value = PyFloat_AS_DOUBLE(number.object);
    return element == mem::ElementType::kF64 ||
           static_cast<double>(static_cast<float>(value)) == value;
  }
  const std::int64_t value = PyLong_AsLongLong(number.object);
  return value >= mem::lowest(element) && value <= mem::highest(element);
}

bool is_position(Tag tag, std::size_t i) {
  switch (tag) {
    case Tag::kRange:
    case Tag::kRangeIter:
      return true;
    case Tag::kListIter:
    case Tag::kReversed:
    case Tag::kEnumerate:
      return i == 1;
    case Tag::kView:
      return i != cpy::kViewBase;
    default:
      return false;
  }
}

namespace {

/// Any id that is not kNone: "there is room for an origin" in shapes whose ids are not bound yet.
constexpr ir::ValueId kSomeOrigin = 0;

AbsVal number_shape(Tag tag, bool origin) {
  return AbsVal::number(tag, ir::kNone, origin && tag != Tag::kBool ? kSomeOrigin : ir::kNone);
}

/// Of something that has_machine_type().
AbsVal number_shape(const AbsVal& like, bool origin) {
  const ir::ValueId room = origin ? kSomeOrigin : ir::kNone;
  if (like.tag == Tag::kScalar) return AbsVal::scalar(like.element, ir::kNone, room);
  if (like.tag == Tag::kEither)
    return AbsVal::either(like.python_tag, like.element, ir::kNone, kSomeOrigin, room);
  return number_shape(number_tag(like), origin);
}

bool have_one_machine_type(const AbsVal& a, const AbsVal& b) {
  if (a.tag == Tag::kEither || b.tag == Tag::kEither)
    return a.tag == b.tag && a.element == b.element && a.python_tag == b.python_tag;
  if (a.tag == Tag::kScalar || b.tag == Tag::kScalar)
    return a.tag == b.tag && a.element == b.element;
  return number_tag(a) == number_tag(b);
}

/// Whether a kEither can hold `v`.
bool accepts_one(const AbsVal& either, const AbsVal& v) {
  if (v.tag == Tag::kEither) return have_one_machine_type(either, v);
  if (v.tag == Tag::kScalar) return v.element == either.element;
  return number_tag(v) == either.python_tag && may_fit(v, either.element);
}

/// What holds both, one of which is a NumPy scalar or already a kEither; kNull when nothing does.
/// Two plain values become one only where that is asked for.
AbsVal either_of(const AbsVal& a, const AbsVal& b, bool asked) {
  AbsVal found;
  if (a.tag == Tag::kEither || b.tag == Tag::kEither) {
    found = number_shape(a.tag == Tag::kEither ? a : b, false);
  } else if (asked && (a.tag == Tag::kScalar || b.tag == Tag::kScalar)) {
    const AbsVal& scalar = a.tag == Tag::kScalar ? a : b;
    const Tag number = number_tag(a.tag == Tag::kScalar ? b : a);
    if (!can_be_either(number, scalar.element)) return {};
    found = AbsVal::either(number, scalar.element, ir::kNone, kSomeOrigin);
  } else {
    return {};
  }
  return accepts_one(found, a) && accepts_one(found, b) ? found : AbsVal{};
}

bool needs_origin(const AbsVal& v) {
  return v.tag == Tag::kConst ? constant_needs_origin(v.object) : v.has_origin();
}

bool join_bound(AbsVal& into, const AbsVal& other, bool loop, bool either);

bool is_plain_constant(const AbsVal& v) {
  return v.tag == Tag::kConst && number_tag(v) == Tag::kNull && v.object != Py_None;
}

/// Item `i` stays a constant where it is one, for code depends on it: the step of a range decides
/// the direction of the loop, other parts how the elements of a view are addressed.
bool is_decisive(Tag tag, std::size_t i) {
  if (tag == Tag::kView) return i == cpy::kViewElement || i == cpy::kViewIsDense;
  return i == 2 && (tag == Tag::kRange || tag == Tag::kRangeIter);
}

/// How a merged slot is kept alive: an owner takes over, a frail reference makes the slot frail. A
/// loop owns what it starts with.
void merge_ownership(AbsVal& into, bool owned, bool frail, bool loop) {
  into.owned = owned || (loop && frail);
  into.frail = frail && !into.owned;
}

}  // namespace

void generalize(AbsVal& v, bool loop) {
  if (v.has_items()) {
    std::vector<AbsVal> items = *v.items;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (is_decisive(v.tag, i) && items[i].tag == Tag::kConst) continue;
      if (!is_position(v.tag, i)) {
        generalize(items[i], loop);
      } else if (loop || items[i].tag != Tag::kConst) {
        items[i] = number_shape(Tag::kInt, false);
      }
    }
    v.set_items(std::move(items));
    return;
  }
  if (loop && has_machine_type(v)) {
    const AbsVal old = v;
    v = number_shape(old, true);
    v.present = old.present;
    merge_ownership(v, old.owned, old.frail, loop);
  } else if (loop && v.tag == Tag::kObject) {
    merge_ownership(v, v.owned, v.frail, loop);
  }
}

void generalize_result(AbsVal& v) {
  if (v.has_items()) {
    std::vector<AbsVal> items = *v.items;
    for (std::size_t i = 0; i < items.size(); ++i)
      if (!is_decisive(v.tag, i) || items[i].tag != Tag::kConst) generalize_result(items[i]);
    v.set_items(std::move(items));
  } else if (has_machine_type(v)) {
    const bool owned = v.owned;
    v = number_shape(v, needs_origin(v));
    v.owned = owned;
  }
}

void generalize(State& s, bool loop) {
  for (AbsVal& v : s.locals) generalize(v, loop);
  for (AbsVal& v : s.stack) generalize(v, loop);
}

bool join(AbsVal& into, const AbsVal& other, bool loop, bool either) {
  if (into.tag == Tag::kNull && other.tag == Tag::kNull) return true;
  if (into.tag == Tag::kNull || other.tag == Tag::kNull) {
    AbsVal v = into.tag == Tag::kNull ? other : into;
    if (v.tag == Tag::kConst && number_tag(v) == Tag::kNull)
      v = AbsVal::object_of(ir::kNone, Py_TYPE(v.object));
    if (v.tag == Tag::kConst) v = number_shape(v, needs_origin(v));
    generalize(v, loop);
    v.present = kSomeOrigin;
    into = v;
    return true;
  }
  const bool maybe = into.may_be_unbound() || other.may_be_unbound();
  if (!join_bound(into, other, loop, either)) return false;
  into.present = maybe ? kSomeOrigin : ir::kNone;
  return true;
}

namespace {

bool join_bound(AbsVal& into, const AbsVal& other, bool loop, bool either) {
  if (into.has_items() || other.has_items()) {
    if (into.tag != other.tag || into.items->size() != other.items->size()) return false;
    std::vector<AbsVal> items = *into.items;
    for (std::size_t i = 0; i < items.size(); ++i) {
      const AbsVal& theirs = (*other.items)[i];
      if (is_decisive(into.tag, i) && (items[i].tag == Tag::kConst || theirs.tag == Tag::kConst)) {
        if (items[i].tag != theirs.tag || items[i].object != theirs.object) return false;
      } else if (is_position(into.tag, i)) {
        if (loop || !items[i].is_const(theirs.object) || theirs.tag != Tag::kConst)
          items[i] = number_shape(Tag::kInt, false);
      } else if (!join(items[i], theirs, loop)) {
        return false;
      }
    }
    into.set_items(std::move(items));
    return true;
  }
  if (into.tag == Tag::kConst && other.tag == Tag::kConst && into.object == other.object) {
    generalize(into, loop);
    return true;
  }
  const bool owned = into.owned || other.owned;
  const bool frail = into.frail || other.frail;
  if (has_machine_type(into) || has_machine_type(other)) {
    const bool room = loop || needs_origin(into) || needs_origin(other);
    if (have_one_machine_type(into, other)) {
      into = number_shape(into, room);
    } else {
      const AbsVal both = either_of(into, other, either);
      if (both.tag == Tag::kNull) return false;
      into = number_shape(both, room);
    }
    merge_ownership(into, owned, frail, loop);
    return true;
  }
  // None apart from other objects: most tests are for it.
  if (into.is_const(Py_None) || other.is_const(Py_None)) return false;
  PyTypeObject* type = exact_type(into) == exact_type(other) ? exact_type(into) : nullptr;
  if (type == nullptr && (is_typed_list(into) || is_typed_list(other))) return false;
  into = AbsVal::object_of(ir::kNone, type, into.hint != nullptr ? into.hint : other.hint);
  merge_ownership(into, owned, frail, loop);
  return true;
}

}  // namespace

bool join(State& into, const State& other, const Merge& merge) {
  if (into.locals.size() != other.locals.size() || into.stack.size() != other.stack.size())
    return false;
  State joined = into;
  for (std::size_t i = 0; i < joined.locals.size(); ++i)
    if (!join(joined.locals[i], other.locals[i], merge.loop,
              merge.either != nullptr && (*merge.either)[i]))
      return false;
  for (std::size_t i = 0; i < joined.stack.size(); ++i)
    if (!join(joined.stack[i], other.stack[i], merge.loop)) return false;
  into = std::move(joined);
  return true;
}

namespace {

/// An owner accepts every reference (the edge makes it one), the others only what is no weaker.
bool accepts_ownership(const AbsVal& shape, const AbsVal& from) {
  if (shape.owned) return true;
  return !from.owned && (shape.frail || !from.frail);
}

}  // namespace

bool accepts(const AbsVal& shape, const AbsVal& from) {
  if (shape.may_be_unbound() && from.tag == Tag::kNull) return true;
  if (from.may_be_unbound() && !shape.may_be_unbound()) return false;
  switch (shape.tag) {
    case Tag::kNull:
      return from.tag == Tag::kNull;
    case Tag::kConst:
      return from.tag == Tag::kConst && from.object == shape.object;
    case Tag::kObject:
      return (from.tag == Tag::kObject || is_plain_constant(from)) &&
             (shape.type == exact_type(from) || (shape.type == nullptr && !is_typed_list(from))) &&
             accepts_ownership(shape, from);
    case Tag::kInt:
    case Tag::kFloat:
    case Tag::kBool:
    case Tag::kComplex:
    case Tag::kScalar:
      return have_one_machine_type(shape, from) && (shape.has_origin() || !needs_origin(from)) &&
             accepts_ownership(shape, from);
    case Tag::kEither:
      return accepts_one(shape, from) && (shape.has_origin() || !needs_origin(from)) &&
             accepts_ownership(shape, from);
    default:
      break;
  }
  if (from.tag != shape.tag || from.items->size() != shape.items->size()) return false;
  for (std::size_t i = 0; i < shape.items->size(); ++i) {
    const AbsVal& item = (*from.items)[i];
    const AbsVal& want = (*shape.items)[i];
    if (is_position(shape.tag, i) && want.tag == Tag::kInt) continue;
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
  if (shape.may_be_unbound()) types.push_back(ir::Type::kI1);
  if (shape.has_items()) {
    for (const AbsVal& item : *shape.items) append_types(item, types);
    return;
  }
  if (shape.tag == Tag::kNull || shape.tag == Tag::kConst) return;
  const ir::Type object = shape.owned ? ir::Type::kOwned : ir::Type::kObj;
  types.push_back(shape.tag == Tag::kObject ? object : value_type(shape));
  if (shape.tag == Tag::kEither) types.push_back(ir::Type::kI1);
  if (shape.has_origin()) types.push_back(object);
}

void bind_values(AbsVal& shape, const ir::ValueId*& next) {
  if (shape.may_be_unbound()) shape.present = *next++;
  if (shape.has_items()) {
    std::vector<AbsVal> items = *shape.items;
    for (AbsVal& item : items) bind_values(item, next);
    shape.set_items(std::move(items));
    return;
  }
  if (shape.tag == Tag::kNull || shape.tag == Tag::kConst) return;
  shape.value = *next++;
  if (shape.tag == Tag::kEither) shape.is_python = *next++;
  if (shape.has_origin()) shape.origin = *next++;
}

void append_types(const State& shape, std::vector<ir::Type>& types) {
  for (const AbsVal& v : shape.locals) append_types(v, types);
  for (const AbsVal& v : shape.stack) append_types(v, types);
}

void bind_values(State& shape, const ir::ValueId*& next) {
  shape.owned.clear();
  shape.frail.clear();
  const auto bind = [&](AbsVal& v) {
    bind_values(v, next);
    for_each_part(v, [&](AbsVal& part) {
      if (part.owned) shape.owned.push_back(part.reference());
      if (part.frail) shape.frail.push_back(part.reference());
    });
  };
  for (AbsVal& v : shape.locals) bind(v);
  for (AbsVal& v : shape.stack) bind(v);
}

const char* maker_of(Tag tag) {
  switch (tag) {
    case Tag::kRange:
      return "splice_rt_make_range";
    case Tag::kRangeIter:
      return "splice_rt_make_range_iter";
    case Tag::kListIter:
      return "splice_rt_make_sequence_iter";
    case Tag::kReversed:
      return "splice_rt_make_reversed_iter";
    case Tag::kEnumerate:
      return "splice_rt_make_enumerate";
    case Tag::kSlice:
      return "splice_rt_make_slice";
    case Tag::kZip:
      return "splice_rt_make_zip";
    default:
      return "splice_rt_make_tuple";
  }
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
    case Tag::kScalar:
      return exact_type(v)->tp_name;
    case Tag::kEither:
      return "number";
    case Tag::kObject:
      return v.type != nullptr ? v.type->tp_name : "object";
    case Tag::kTuple:
      return "tuple";
    case Tag::kRange:
      return "range";
    case Tag::kRangeIter:
      return "range iterator";
    case Tag::kListIter:
    case Tag::kReversed:
      return "list iterator";
    case Tag::kEnumerate:
      return "enumerate";
    case Tag::kZip:
      return "zip";
    case Tag::kSlice:
      return "slice";
    case Tag::kView:
      return exact_type(v)->tp_name;
  }
  return "?";
}

std::string with_article(const AbsVal& v) { return with_article(describe(v)); }

std::string with_article(const char* noun) {
  const bool vowel = *noun != '\0' && std::strchr("aeiouAEIOU", *noun) != nullptr;
  return (vowel ? "an " : "a ") + std::string(noun);
}

}  // namespace splice::pyfront
