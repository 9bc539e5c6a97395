// pyfront/lower_plain_call.cpp: builtins and methods that run no Python code on plain objects
// (cpy/runtime_sequence.h). CPython's own function does the work; the call is the price.
#include <algorithm>
#include <cstring>

#include "cpy/math_builtin.h"
#include "cpy/number_source.h"
#include "cpy/runtime_sequence.h"
#include "pyfront/function_lowering.h"

namespace splice::pyfront {

using ir::Op;
using ir::Type;
using Tag = AbsVal::Tag;

namespace {

/// What a call gives, as far as it is known before.
enum class Result : std::uint8_t {
  kInt,
  kFloat,
  kBool,
  kStr,
  kBytes,
  kByteArray,
  kItem,
  kListOfItems,
  kTupleOfItems,
  kComplex,
  kNone,
  kIntPair,
  kFloatPair,
  kFloatAndInt,
};

constexpr std::size_t kAny = 255;

struct PlainCall {
  const char* name;
  std::size_t least;  ///< arguments, self included
  std::size_t most;
  Result result;
};

constexpr PlainCall kFunctions[] = {
    {"sum", 1, 2, Result::kItem}, {"min", 1, 3, Result::kItem},
    {"max", 1, 3, Result::kItem}, {"any", 1, 1, Result::kBool},
    {"all", 1, 1, Result::kBool}, {"sorted", 1, 3, Result::kListOfItems},
    {"ord", 1, 1, Result::kInt},  {"chr", 1, 1, Result::kStr},
    {"hex", 1, 1, Result::kStr},  {"bin", 1, 1, Result::kStr},
    {"oct", 1, 1, Result::kStr},  {"repr", 1, 1, Result::kStr},
    {"hash", 1, 1, Result::kInt},
};

/// Of the module math: what is not in cpy/math_table.h, in other forms or on other operands.
constexpr PlainCall kMathFunctions[] = {
    {"dist", 2, 2, Result::kFloat},      {"frexp", 1, 1, Result::kFloatAndInt},
    {"fsum", 1, 1, Result::kFloat},      {"gcd", 0, kAny, Result::kInt},
    {"hypot", 0, kAny, Result::kFloat},  {"isclose", 2, 4, Result::kBool},
    {"lcm", 0, kAny, Result::kInt},      {"modf", 1, 1, Result::kFloatPair},
    {"nextafter", 2, 3, Result::kFloat}, {"prod", 1, 2, Result::kItem},
    {"sumprod", 2, 2, Result::kItem},
};

constexpr PlainCall kIntMethods[] = {
    {"as_integer_ratio", 1, 1, Result::kIntPair}, {"bit_count", 1, 1, Result::kInt},
    {"bit_length", 1, 1, Result::kInt},           {"conjugate", 1, 1, Result::kInt},
    {"is_integer", 1, 1, Result::kBool},          {"to_bytes", 1, 4, Result::kBytes},
};

constexpr PlainCall kFloatMethods[] = {
    {"as_integer_ratio", 1, 1, Result::kIntPair},
    {"conjugate", 1, 1, Result::kFloat},
    {"hex", 1, 1, Result::kStr},
    {"is_integer", 1, 1, Result::kBool},
};

constexpr PlainCall kComplexMethods[] = {{"conjugate", 1, 1, Result::kComplex}};

/// They change the object, or fail and do not.
constexpr PlainCall kByteArrayMethods[] = {
    {"append", 2, 2, Result::kNone}, {"clear", 1, 1, Result::kNone},
    {"extend", 2, 2, Result::kNone}, {"insert", 3, 3, Result::kNone},
    {"pop", 1, 2, Result::kInt},     {"reverse", 1, 1, Result::kNone},
};

constexpr PlainCall kSeconds = {"a clock", 0, 0, Result::kFloat};
constexpr PlainCall kNanoseconds = {"a clock", 0, 0, Result::kInt};
constexpr PlainCall kRandom = {"random", 0, 0, Result::kFloat};

constexpr PlainCall kTypes[] = {
    {"list", 0, 1, Result::kListOfItems}, {"tuple", 0, 1, Result::kTupleOfItems},
    {"float", 0, 1, Result::kFloat},      {"int", 0, 2, Result::kInt},
    {"str", 0, 1, Result::kStr},          {"bytearray", 0, 1, Result::kByteArray},
    {"bytes", 0, 1, Result::kBytes},
};

constexpr PlainCall kStrMethods[] = {
    {"upper", 1, 1, Result::kStr},     {"lower", 1, 1, Result::kStr},
    {"strip", 1, 2, Result::kStr},     {"lstrip", 1, 2, Result::kStr},
    {"rstrip", 1, 2, Result::kStr},    {"replace", 3, 3, Result::kStr},
    {"join", 2, 2, Result::kStr},      {"find", 2, 2, Result::kInt},
    {"rfind", 2, 2, Result::kInt},     {"index", 2, 2, Result::kInt},
    {"count", 2, 2, Result::kInt},     {"startswith", 2, 2, Result::kBool},
    {"endswith", 2, 2, Result::kBool}, {"isdigit", 1, 1, Result::kBool},
    {"isalpha", 1, 1, Result::kBool},  {"isalnum", 1, 1, Result::kBool},
    {"isspace", 1, 1, Result::kBool},  {"isupper", 1, 1, Result::kBool},
    {"islower", 1, 1, Result::kBool},  {"split", 1, 2, Result::kListOfItems},
    {"zfill", 2, 2, Result::kStr},     {"ljust", 2, 3, Result::kStr},
    {"rjust", 2, 3, Result::kStr},
};

/// Of lists and tuples.
constexpr PlainCall kSequenceMethods[] = {
    {"index", 2, 2, Result::kInt},
    {"count", 2, 2, Result::kInt},
    {"copy", 1, 1, Result::kListOfItems},
};

template <std::size_t N>
const PlainCall* find(const PlainCall (&table)[N], const char* name, std::size_t args) {
  for (const PlainCall& call : table)
    if (std::strcmp(call.name, name) == 0 && args >= call.least && args <= call.most) return &call;
  return nullptr;
}

/// The type and a sample of what comes out; the type is null when only the call tells.
struct Expected {
  PyTypeObject* type = nullptr;
  PyObject* sample = nullptr;
};

PyTypeObject* type_of_sum(PyObject* item, const std::vector<AbsVal>& args) {
  PyTypeObject* type = PyBool_Check(item) ? &PyLong_Type : Py_TYPE(item);
  const bool from_float = args.size() == 2 && number_tag(args[1]) == Tag::kFloat;
  return from_float && type == &PyLong_Type ? &PyFloat_Type : type;
}

}  // namespace

namespace {

/// The form of the call that is known, for `n` arguments; null for others.
const PlainCall* find_plain_call(PyObject* callable, const PyTypeObject* self, std::size_t n) {
  if (is_builtin_function(callable))
    return find(kFunctions, reinterpret_cast<PyCFunctionObject*>(callable)->m_ml->ml_name, n);
  if (const char* name = cpy::math_method_name(callable)) return find(kMathFunctions, name, n);
  switch (cpy::number_source(callable)) {
    case cpy::NumberSource::kNone:
      break;
    case cpy::NumberSource::kSeconds:
      return n == 0 ? &kSeconds : nullptr;
    case cpy::NumberSource::kNanoseconds:
      return n == 0 ? &kNanoseconds : nullptr;
    case cpy::NumberSource::kRandom:
      return n == 0 ? &kRandom : nullptr;
  }
  if (PyType_Check(callable)) {
    for (const PyTypeObject* type : {&PyList_Type, &PyTuple_Type, &PyFloat_Type, &PyLong_Type,
                                     &PyUnicode_Type, &PyBytes_Type, &PyByteArray_Type})
      if (callable == reinterpret_cast<const PyObject*>(type))
        return find(kTypes, type->tp_name, n);
    return nullptr;
  }
  if (Py_TYPE(callable) != &PyMethodDescr_Type || n == 0) return nullptr;
  auto* method = reinterpret_cast<PyMethodDescrObject*>(callable);
  if (PyDescr_TYPE(method) != self) return nullptr;
  const char* name = method->d_method->ml_name;
  if (self == &PyUnicode_Type) return find(kStrMethods, name, n);
  if (self == &PyList_Type || self == &PyTuple_Type) return find(kSequenceMethods, name, n);
  if (self == &PyLong_Type) return find(kIntMethods, name, n);
  if (self == &PyFloat_Type) return find(kFloatMethods, name, n);
  if (self == &PyComplex_Type) return find(kComplexMethods, name, n);
  if (self == &PyByteArray_Type) return find(kByteArrayMethods, name, n);
  return nullptr;
}

}  // namespace

int FunctionLowering::call_plain(PyObject* callable, const std::vector<AbsVal>& args,
                                 PyObject* names, AbsVal& out) {
  const PlainCall* known =
      find_plain_call(callable, args.empty() ? nullptr : exact_type(args[0]), args.size());
  if (known == nullptr) return -1;
  if (known == &kRandom && role_.changes_nothing) return -1;
  for (const AbsVal& arg : args)
    if (!may_be_plain(arg)) return -1;

  Expected expected;
  const std::size_t positional =
      args.size() - (names != nullptr ? static_cast<std::size_t>(PyTuple_GET_SIZE(names)) : 0);
  PyObject* item = nullptr;
  if (!args.empty()) {
    item = hint_at(args[0], -1);
    if (exact_type(args[0]) == &PyUnicode_Type) item = sample_of(args[0]);
    if (args[0].tag == Tag::kRange) item = make_sample(known_int(ir::kNone));
  }
  const auto pair_of = [&](Tag first, Tag second) {
    const AbsVal parts = AbsVal::aggregate(
        Tag::kTuple, {AbsVal::number(first, ir::kNone), AbsVal::number(second, ir::kNone)});
    return Expected{&PyTuple_Type, make_sample(parts)};
  };
  const auto list_of = [&](PyObject* like) {
    PyObject* sample = unit_.make_list_sample();
    if (like != nullptr) note_item(sample, AbsVal::constant(like));
    return sample;
  };
  switch (known->result) {
    case Result::kInt:
      expected.type = &PyLong_Type;
      break;
    case Result::kFloat:
      expected.type = &PyFloat_Type;
      break;
    case Result::kBool:
      expected.type = &PyBool_Type;
      break;
    case Result::kStr:
      expected.type = &PyUnicode_Type;
      break;
    case Result::kBytes:
      expected.type = &PyBytes_Type;
      break;
    case Result::kByteArray:
      expected.type = &PyByteArray_Type;
      break;
    case Result::kItem:
      if (std::strcmp(known->name, "min") != 0 && std::strcmp(known->name, "max") != 0) {
        if (item == nullptr) return -1;
        expected = {type_of_sum(item, args), item};
        break;
      }
      // Of several arguments it is one of them.
      if (positional > 1) item = sample_of(args[0]);
      if (item == nullptr) return -1;
      expected = {Py_TYPE(item), item};
      break;
    case Result::kComplex:
      expected.type = &PyComplex_Type;
      break;
    case Result::kNone:
      expected.type = Py_TYPE(Py_None);
      break;
    case Result::kIntPair:
      expected = pair_of(Tag::kInt, Tag::kInt);
      break;
    case Result::kFloatPair:
      expected = pair_of(Tag::kFloat, Tag::kFloat);
      break;
    case Result::kFloatAndInt:
      expected = pair_of(Tag::kFloat, Tag::kInt);
      break;
    case Result::kListOfItems:
      expected = {&PyList_Type, list_of(item)};
      break;
    case Result::kTupleOfItems:
      expected.type = &PyTuple_Type;
      if (!args.empty() && exact_type(args[0]) == &PyTuple_Type)
        expected.sample = sample_of(args[0]);
      break;
  }

  const ir::ValueId array = argument_array(args);
  const auto n = static_cast<std::int64_t>(args.size());
  const ir::SymbolId call = unit_.runtime(
      "splice_rt_call_plain", {Type::kObj, Type::kPtr, Type::kI64, Type::kObj, Type::kObj},
      Type::kOwned, reinterpret_cast<void*>(&splice_rt_call_plain));
  unit_.keep(callable);
  const ir::ValueId made = b_.call_runtime(
      call, {b_.symbol(unit_.object_symbol(callable)), array, b_.const_i64(n),
             names != nullptr ? b_.symbol(unit_.object_symbol(names)) : b_.null(),
             b_.symbol(unit_.object_symbol(reinterpret_cast<PyObject*>(expected.type)))});
  check_made(made,
             intern(std::string("a call of ") + known->name + " that the interpreter must do"));
  adopt(made);
  out = of_exact_type(made, expected.type, expected.sample);
  return 1;
}

ir::ValueId FunctionLowering::argument_array(const std::vector<AbsVal>& args) {
  const std::size_t size = std::max<std::size_t>(args.size(), 1) * sizeof(void*);
  const ir::ValueId array = b_.slot(static_cast<std::int64_t>(size));
  std::vector<ir::ValueId> objects;
  for (const AbsVal& arg : args) objects.push_back(object_for(arg));
  for (std::size_t i = 0; i < objects.size(); ++i)
    b_.store(array, b_.bitcast(objects[i], Type::kObj),
             static_cast<std::int64_t>(i * sizeof(void*)));
  return array;
}

AbsVal FunctionLowering::of_exact_type(ir::ValueId object, PyTypeObject* type, PyObject* sample) {
  if (type == &PyLong_Type) return AbsVal::number(Tag::kInt, b_.py_unbox_int(object).value, object);
  if (type == &PyFloat_Type) return AbsVal::number(Tag::kFloat, b_.py_unbox_float(object), object);
  if (type == &PyBool_Type) return known_bool(b_.py_unbox_bool(object));
  if (type == Py_TYPE(Py_None)) return py_none();
  if (type == &PyComplex_Type)
    return AbsVal::number(Tag::kComplex, b_.py_unbox_complex(object), object);
  return AbsVal::object_of(object, type, sample);
}

int FunctionLowering::sort_list(const AbsVal& list, const AbsVal& reverse, int next) {
  Number n;
  if (!number(reverse, n) || (n.tag != Tag::kInt && n.tag != Tag::kBool)) return -1;
  barrier(next);
  const ir::SymbolId sort =
      unit_.runtime("splice_rt_list_sort", {Type::kObj, Type::kI64}, Type::kI32,
                    reinterpret_cast<void*>(&splice_rt_list_sort));
  succeed(b_.call_runtime(sort, {object_value(list), as_int(n)}));
  return 1;
}

int FunctionLowering::change_list(const char* name, const std::vector<AbsVal>& args, int next,
                                  AbsVal& out) {
  const auto is = [&](const char* text, std::size_t n) {
    return std::strcmp(name, text) == 0 && args.size() == n;
  };
  const AbsVal& list = args[0];
  const ir::ValueId object = object_value(list);
  const auto call = [&](const char* symbol, std::int32_t (*f)(PyObject*)) {
    barrier(next);
    succeed(b_.call_runtime(
        unit_.runtime(symbol, {Type::kObj}, Type::kI32, reinterpret_cast<void*>(f)), {object}));
    return 1;
  };
  out = py_none();
  if (is("reverse", 1)) return call("splice_rt_list_reverse", &splice_rt_list_reverse);
  if (is("sort", 1)) return sort_list(list, AbsVal::constant(Py_False), next);
  if (is("clear", 1)) return call("splice_rt_list_clear", &splice_rt_list_clear);
  if (is("extend", 2)) {
    PyTypeObject* type = exact_type(args[1]);
    if ((type != &PyList_Type && type != &PyTuple_Type && type != &PyRange_Type) ||
        !can_be_object(args[1]))
      return -1;
    return extend_list(list, args[1]) ? 1 : 0;
  }
  if (is("insert", 3)) {
    Number n;
    if (!number(args[1], n) || (n.tag != Tag::kInt && n.tag != Tag::kBool)) return -1;
    if (!can_be_object(args[2])) return -1;
    note_item(list.hint, args[2]);
    const ir::ValueId item = object_for(args[2]);
    const ir::SymbolId insert =
        unit_.runtime("splice_rt_list_insert", {Type::kObj, Type::kI64, Type::kObj}, Type::kI32,
                      reinterpret_cast<void*>(&splice_rt_list_insert));
    succeed(b_.call_runtime(insert, {object, as_int(n), item}));
    return 1;
  }
  if (is("remove", 2)) {
    if (!may_be_plain(args[1])) return -1;
    const ir::ValueId item = object_for(args[1]);
    barrier(next);
    const ir::SymbolId remove =
        unit_.runtime("splice_rt_list_remove", {Type::kObj, Type::kObj}, Type::kI32,
                      reinterpret_cast<void*>(&splice_rt_list_remove));
    succeed(b_.call_runtime(remove, {object, item}));
    return 1;
  }
  return -1;
}

}  // namespace splice::pyfront
