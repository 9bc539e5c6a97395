// pyfront/lower.cpp: the front end's entry point.
#include "pyfront/lower.h"

#include <optional>

#include "pyfront/entry_stub.h"
#include "pyfront/function_lowering.h"
#include "pyfront/unit.h"

namespace splice::pyfront {

using Tag = AbsVal::Tag;

Kind kind_of(PyObject* value) {
  // On the way of every call that misses its entry stub.
  const PyTypeObject* type = Py_TYPE(value);
  if (type == &PyLong_Type) {
    if (PyUnstable_Long_IsCompact(reinterpret_cast<PyLongObject*>(value))) return Kind::kInt;
    int overflow = 0;
    PyLong_AsLongLongAndOverflow(value, &overflow);
    return overflow == 0 ? Kind::kInt : Kind::kObject;
  }
  if (type == &PyFloat_Type) return Kind::kFloat;
  if (type == &PyBool_Type) return Kind::kBool;
  if (type == &PyComplex_Type) return Kind::kComplex;
  if (type == &PyList_Type) return Kind::kList;
  if (type == &PyTuple_Type) return Kind::kTuple;
  if (type == &PyUnicode_Type) return Kind::kStr;
  if (type == &PyBytes_Type) return Kind::kBytes;
  if (type == &PyByteArray_Type) return Kind::kByteArray;
  if (value == Py_None) return Kind::kNone;
  Kind kind = Kind::kObject;
  if (const auto facts = cpy::array_facts(value)) {
    kind = Kind::kArray;
    kind.array = *facts;
  } else if (const auto element = cpy::scalar_element(value);
             element && cpy::can_be_carried(value, *element)) {
    kind = Kind::kScalar;
    kind.array.element = *element;
  } else if (const auto flat = cpy::flat_facts(value)) {
    kind = Kind::kFlat;
    kind.flat = *flat;
  }
  return kind;
}

std::string description_of(PyObject* value) {
  if (PyLong_CheckExact(value)) return "an int beyond 64 bits";
  if (cpy::is_array(value)) return cpy::unusual_array(value);
  const std::string name = Py_TYPE(value)->tp_name;
  const bool vowel = name.find_first_of("aeiouAEIOU") == 0;
  return (vowel ? "an " : "a ") + name;
}

std::string array_name(const cpy::ArrayFacts& array) {
  std::string text = mem::name_of(array.element);
  text += '[';
  for (int i = 0; i < array.rank; ++i) {
    if (i != 0) text += ", ";
    text += array.contiguous && i + 1 == array.rank ? "::1" : ":";
  }
  return text + ']';
}

std::string kind_name(const Kind& kind) {
  switch (kind.tag) {
    case Kind::kInt:
      return "int";
    case Kind::kFloat:
      return "float";
    case Kind::kBool:
      return "bool";
    case Kind::kComplex:
      return "complex";
    case Kind::kNone:
      return "None";
    case Kind::kList:
      return "list";
    case Kind::kTuple:
      return "tuple";
    case Kind::kStr:
      return "str";
    case Kind::kBytes:
      return "bytes";
    case Kind::kByteArray:
      return "bytearray";
    case Kind::kScalar:
      return std::string("numpy.") + mem::name_of(kind.array.element);
    case Kind::kArray:
      return array_name(kind.array);
    case Kind::kFlat:
      return std::string(kind.flat.is_view ? "memoryview" : "array") + '[' +
             mem::name_of(kind.flat.element) + ']';
    case Kind::kObject:
      return "object";
  }
  return "?";
}

PyTypeObject* exact_type_of(const Kind& kind) {
  switch (kind.tag) {
    case Kind::kList:
      return &PyList_Type;
    case Kind::kTuple:
      return &PyTuple_Type;
    case Kind::kStr:
      return &PyUnicode_Type;
    case Kind::kBytes:
      return &PyBytes_Type;
    case Kind::kByteArray:
      return &PyByteArray_Type;
    case Kind::kArray:
      return cpy::array_type();
    case Kind::kFlat:
      return kind.flat.is_view ? &PyMemoryView_Type : cpy::item_array_type();
    default:
      return nullptr;
  }
}

namespace {

AbsVal param_shape(const Kind& kind, PyObject* sample) {
  switch (kind.tag) {
    case Kind::kInt:
      return AbsVal::number(Tag::kInt, ir::kNone, 0);
    case Kind::kFloat:
      return AbsVal::number(Tag::kFloat, ir::kNone, 0);
    case Kind::kBool:
      return AbsVal::number(Tag::kBool, ir::kNone);
    case Kind::kComplex:
      return AbsVal::number(Tag::kComplex, ir::kNone, 0);
    case Kind::kNone:
      return AbsVal::constant(Py_None);
    case Kind::kScalar:
      return AbsVal::scalar(kind.array.element, ir::kNone, 0);
    case Kind::kObject:
      return AbsVal::object_of(ir::kNone, nullptr, sample);
    default:
      return AbsVal::object_of(ir::kNone, exact_type_of(kind), sample);
  }
  return {};
}

/// Why nothing of `code` can ever run natively; empty when something might.
std::string unsuitable(const PyCodeObject* code) {
  if ((code->co_flags & CO_COROUTINE) != 0) return "it is a coroutine";
  if ((code->co_flags & CO_ASYNC_GENERATOR) != 0) return "it is an asynchronous generator";
  if ((code->co_flags & CO_GENERATOR) != 0) return "it is a generator";
  if ((code->co_flags & (CO_VARARGS | CO_VARKEYWORDS)) != 0) return "it takes * or ** arguments";
  return {};
}

}  // namespace

std::variant<Lowered, Bailout> lower_function(const Request& request) {
  auto* function = reinterpret_cast<PyFunctionObject*>(request.function);
  auto* code = reinterpret_cast<PyCodeObject*>(function->func_code);
  if (std::string why = unsuitable(code); !why.empty()) return Bailout{why, code->co_firstlineno};

  std::vector<AbsVal> params;
  for (std::size_t i = 0; i < request.args.size(); ++i)
    params.push_back(
        param_shape(request.args[i], i < request.samples.size() ? request.samples[i] : nullptr));

  const char* name = PyUnicode_AsUTF8(function->func_qualname);
  if (name == nullptr) PyErr_Clear();
  Learned learned;
  for (const auto& [where, offset] : request.large) learned.large.insert(where, offset);
  std::optional<Unit> lowered;
  FunctionLowering* body = nullptr;
  do {
    learned.start();
    lowered.emplace(name != nullptr ? name : "?", learned);
    std::string error;
    body = lowered->instance(function, params, {}, error);
    if (body == nullptr || (!lowered->run(error) && !learned.changed()))
      return Bailout{error, code->co_firstlineno};
  } while (learned.changed());
  Unit& unit = *lowered;
  if (Bailout why; !unit.worthwhile(why)) return why;
  unit.finish();
  constexpr const char* kEntry = "splice_entry";
  add_entry_stub(unit, *body, request.args, kEntry);
  std::optional<Bailout> doubt = body->doubt();
  Lowered out = unit.take();
  out.doubt = std::move(doubt);
  out.entry = kEntry;
  return out;
}

}  // namespace splice::pyfront

std::int32_t splice_rt_is_carried(PyObject* value) noexcept {
  return splice::pyfront::kind_of(value) == splice::pyfront::Kind::kObject ? 1 : 0;
}
