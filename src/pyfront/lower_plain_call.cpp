// pyfront/lower_plain_call.cpp: builtins and methods that run no Python code on plain objects
// (cpy/runtime_sequence.h). CPython's own function does the work; the call is the price.
#include <cstring>

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
  kTupleOfItems
};

struct PlainCall {
  const char* name;
  std::size_t least;  ///< arguments, self included
  std::size_t most;
  Result result;
};

constexpr PlainCall kFunctions[] = {
    {"sum", 1, 2, Result::kItem}, {"min", 1, 1, Result::kItem},
    {"max", 1, 1, Result::kItem}, {"any", 1, 1, Result::kBool},
    {"all", 1, 1, Result::kBool}, {"sorted", 1, 1, Result::kListOfItems},
    {"ord", 1, 1, Result::kInt},  {"chr", 1, 1, Result::kStr},
    {"hex", 1, 1, Result::kStr},  {"bin", 1, 1, Result::kStr},
    {"oct", 1, 1, Result::kStr},  {"repr", 1, 1, Result::kStr},
    {"hash", 1, 1, Result::kInt},
};

constexpr PlainCall kTypes[] = {
    {"list", 1, 1, Result::kListOfItems}, {"tuple", 1, 1, Result::kTupleOfItems},
    {"float", 1, 1, Result::kFloat},      {"int", 1, 2, Result::kInt},
    {"str", 1, 1, Result::kStr},          {"bytearray", 1, 1, Result::kByteArray},
    {"bytes", 1, 1, Result::kBytes},
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

int FunctionLowering::call_plain(PyObject* callable, const std::vector<AbsVal>& args, AbsVal& out) {
  const PlainCall* known = nullptr;
  if (PyCFunction_CheckExact(callable)) {
    known = find(kFunctions, reinterpret_cast<PyCFunctionObject*>(callable)->m_ml->ml_name,
                 args.size());
  } else if (PyType_Check(callable)) {
    known = find(kTypes, reinterpret_cast<PyTypeObject*>(callable)->tp_name, args.size());
    PyTypeObject* type = reinterpret_cast<PyTypeObject*>(callable);
    const bool builtin = type == &PyList_Type || type == &PyTuple_Type || type == &PyFloat_Type ||
                         type == &PyLong_Type || type == &PyUnicode_Type || type == &PyBytes_Type ||
                         type == &PyByteArray_Type;
    if (!builtin) return -1;
  } else if (Py_TYPE(callable) == &PyMethodDescr_Type && !args.empty()) {
    auto* method = reinterpret_cast<PyMethodDescrObject*>(callable);
    const PyTypeObject* type = exact_type(args[0]);
    if (PyDescr_TYPE(method) != type) return -1;
    if (type == &PyUnicode_Type)
      known = find(kStrMethods, method->d_method->ml_name, args.size());
    else if (type == &PyList_Type || type == &PyTuple_Type)
      known = find(kSequenceMethods, method->d_method->ml_name, args.size());
  }
  if (known == nullptr) return -1;
  for (const AbsVal& arg : args)
    if (!may_be_plain(arg)) return -1;

  Expected expected;
  PyObject* item = hint_at(args[0], -1);
  if (exact_type(args[0]) == &PyUnicode_Type) item = sample_of(args[0]);
  if (args[0].tag == Tag::kRange) item = make_sample(known_int(ir::kNone));
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
      if (item == nullptr) return -1;
      expected = {Py_TYPE(item), item};
      if (known == &kFunctions[0]) expected.type = type_of_sum(item, args);
      break;
    case Result::kListOfItems:
      expected = {&PyList_Type, list_of(item)};
      break;
    case Result::kTupleOfItems:
      expected.type = &PyTuple_Type;
      if (exact_type(args[0]) == &PyTuple_Type) expected.sample = sample_of(args[0]);
      break;
  }

  const auto n = static_cast<std::int64_t>(args.size());
  const ir::ValueId array = b_.slot(n * static_cast<std::int64_t>(sizeof(void*)));
  std::vector<ir::ValueId> objects;
  for (const AbsVal& arg : args) objects.push_back(object_for(arg));
  for (std::size_t i = 0; i < objects.size(); ++i)
    b_.store(array, b_.bitcast(objects[i], Type::kObj),
             static_cast<std::int64_t>(i * sizeof(void*)));
  const ir::SymbolId call =
      unit_.runtime("splice_rt_call_plain", {Type::kObj, Type::kPtr, Type::kI64, Type::kObj},
                    Type::kOwned, reinterpret_cast<void*>(&splice_rt_call_plain));
  unit_.keep(callable);
  const ir::ValueId made = b_.call_runtime(
      call, {b_.symbol(unit_.object_symbol(callable)), array, b_.const_i64(n),
             b_.symbol(unit_.object_symbol(reinterpret_cast<PyObject*>(expected.type)))});
  check_made(made,
             intern(std::string("a call of ") + known->name + " that the interpreter must do"));
  adopt(made);
  out = of_exact_type(made, expected.type, expected.sample);
  return 1;
}

AbsVal FunctionLowering::of_exact_type(ir::ValueId object, PyTypeObject* type, PyObject* sample) {
  if (type == &PyLong_Type) return AbsVal::number(Tag::kInt, b_.py_unbox_int(object).value, object);
  if (type == &PyFloat_Type) return AbsVal::number(Tag::kFloat, b_.py_unbox_float(object), object);
  if (type == &PyBool_Type) return known_bool(b_.py_unbox_bool(object));
  if (type == &PyComplex_Type)
    return AbsVal::number(Tag::kComplex, b_.py_unbox_complex(object), object);
  return AbsVal::object_of(object, type, sample);
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
  if (is("sort", 1)) return call("splice_rt_list_sort", &splice_rt_list_sort);
  if (is("clear", 1)) return call("splice_rt_list_clear", &splice_rt_list_clear);
  if (is("extend", 2)) {
    PyTypeObject* type = exact_type(args[1]);
    if ((type != &PyList_Type && type != &PyTuple_Type) || !can_be_object(args[1])) return -1;
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
