// pyfront/lower_numpy.cpp: functions and methods of NumPy that make or fill arrays.
//
// C functions of NumPy that run no Python code on the arguments at hand are called as they are;
// where one raises, the interpreter calls it again. What an array that they make is like is asked
// at compile time, of the same function with other lengths.
#include <algorithm>
#include <cstring>

#include "cpy/array_view.h"
#include "cpy/numpy_api.h"
#include "pyfront/function_lowering.h"
#include "pyfront/numpy_values.h"

namespace splice::pyfront {

using cpy::NumPyRoutine;
using ir::Op;
using ir::Type;
using mem::ElementType;
using Tag = AbsVal::Tag;

namespace {

constexpr int kUnknown = -1;
constexpr int kLeft = 0;
constexpr int kDone = 1;

constexpr std::size_t kMostParameters = 4;
constexpr long kSampleLength = 2;  ///< more than 1: then the order of the elements shows

/// Parameters by name, in order. What else a routine has must not be given.
struct Parameters {
  const char* names[kMostParameters];
};

Parameters parameters_of(NumPyRoutine routine) {
  switch (routine) {
    case NumPyRoutine::kArange:
      return {{"start", "stop", "step", "dtype"}};
    case NumPyRoutine::kArray:
      return {{"object", "dtype"}};
    case NumPyRoutine::kCopy:
      return {{"a", "order"}};
    case NumPyRoutine::kFull:
      return {{"shape", "fill_value", "dtype", "order"}};
    case NumPyRoutine::kFullLike:
      return {{"a", "fill_value", "dtype", "order"}};
    case NumPyRoutine::kEmptyLike:
      return {{"prototype", "dtype", "order"}};
    case NumPyRoutine::kZerosLike:
    case NumPyRoutine::kOnesLike:
      return {{"a", "dtype", "order"}};
    default:
      return {{"shape", "dtype", "order"}};
  }
}

/// The arguments at the places of their parameters, the absent ones as kNull. False when they do
/// not fit.
bool bind_parameters(const Parameters& parameters, const std::vector<AbsVal>& args,
                     PyObject* keywords, std::vector<AbsVal>& out) {
  const std::size_t named =
      keywords != nullptr ? static_cast<std::size_t>(PyTuple_GET_SIZE(keywords)) : 0;
  const std::size_t given = args.size() - named;
  std::size_t count = 0;
  while (count < kMostParameters && parameters.names[count] != nullptr) ++count;
  if (given > count) return false;
  out.assign(kMostParameters, AbsVal::null());
  std::copy(args.begin(), args.begin() + static_cast<std::ptrdiff_t>(given), out.begin());
  for (std::size_t k = 0; k < named; ++k) {
    PyObject* name = PyTuple_GET_ITEM(keywords, k);
    std::size_t i = 0;
    while (i < count && PyUnicode_CompareWithASCIIString(name, parameters.names[i]) != 0) ++i;
    if (i == count || out[i].tag != Tag::kNull) return false;
    out[i] = args[given + k];
  }
  return true;
}

bool is_absent(const AbsVal& v) { return v.tag == Tag::kNull || v.is_const(Py_None); }

bool is_order(const AbsVal& v) {
  if (v.tag == Tag::kNull) return true;
  if (v.tag != Tag::kConst || !PyUnicode_CheckExact(v.object)) return false;
  for (const char* order : {"C", "F", "A", "K"})
    if (PyUnicode_CompareWithASCIIString(v.object, order) == 0) return true;
  return false;
}

/// A length, or a tuple of lengths.
bool is_shape(const AbsVal& v) {
  if (number_tag(v) == Tag::kInt) return true;
  if (v.tag == Tag::kTuple)
    return std::all_of(v.items->begin(), v.items->end(),
                       [](const AbsVal& item) { return number_tag(item) == Tag::kInt; });
  if (v.tag != Tag::kConst || !PyTuple_CheckExact(v.object)) return false;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(v.object); ++i)
    if (number_tag(AbsVal::constant(PyTuple_GET_ITEM(v.object, i))) != Tag::kInt) return false;
  return true;
}

/// What NumPy makes of a Python number.
std::optional<ElementType> element_of(Tag number) {
  switch (number) {
    case Tag::kBool:
      return ElementType::kBool;
    case Tag::kInt:
      return ElementType::kI64;
    case Tag::kFloat:
      return ElementType::kF64;
    case Tag::kComplex:
      return ElementType::kC128;
    default:
      return std::nullopt;
  }
}

/// New reference to a small argument of the same kind; null with an exception set, or when `v` is
/// of no kind that is known.
PyObject* sample_argument(const AbsVal& v) {
  switch (number_tag(v)) {
    case Tag::kInt:
      return PyLong_FromLong(kSampleLength);
    case Tag::kFloat:
      return PyFloat_FromDouble(kSampleLength);
    default:
      break;
  }
  if (!is_shape(v)) return v.tag == Tag::kConst ? Py_NewRef(v.object) : nullptr;
  const Py_ssize_t n =
      v.tag == Tag::kConst ? PyTuple_GET_SIZE(v.object) : static_cast<Py_ssize_t>(v.items->size());
  PyObject* made = PyTuple_New(n);
  // Small ints: they cannot fail. Few are more than 1, so that NumPy lets no other thread run.
  constexpr Py_ssize_t kLong = 5;
  for (Py_ssize_t i = 0; made != nullptr && i < n; ++i)
    PyTuple_SET_ITEM(made, i, PyLong_FromLong(i < kLong ? kSampleLength : 1));
  return made;
}

/// Whether nobody has given np.ones or np.full other defaults: dtype None, order 'C', no others.
bool has_own_defaults(const PyFunctionObject* function) {
  PyObject* defaults = function->func_defaults;
  PyObject* keywords = function->func_kwdefaults;
  if (defaults == nullptr || PyTuple_GET_SIZE(defaults) != 2 ||
      PyTuple_GET_ITEM(defaults, 0) != Py_None || !PyUnicode_Check(PyTuple_GET_ITEM(defaults, 1)) ||
      PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(defaults, 1), "C") != 0 ||
      keywords == nullptr || !PyDict_CheckExact(keywords))
    return false;
  Py_ssize_t at = 0;
  PyObject* value = nullptr;
  while (PyDict_Next(keywords, &at, nullptr, &value))
    if (value != Py_None) return false;
  return true;
}

}  // namespace

AbsVal FunctionLowering::lengths(const AbsVal& shape) {
  if (shape.tag != Tag::kTuple) return as_python_int(shape);
  std::vector<AbsVal> items;
  for (const AbsVal& item : *shape.items) items.push_back(as_python_int(item));
  return AbsVal::aggregate(Tag::kTuple, std::move(items));
}

bool FunctionLowering::fill_array(const AbsVal& array, const AbsVal& value, ElementType element) {
  const ir::ValueId stored = stored_element(value, element);
  if (stored == ir::kNone)
    return leave("storing " + with_article(value) + " in an array of " + mem::name_of(element));
  const ir::ValueId place = b_.slot(static_cast<std::int64_t>(mem::size_of(element)));
  pyfront::store_element(b_, place, stored, element);
  const ir::SymbolId fill =
      unit_.runtime("splice_rt_array_fill", {Type::kObj, Type::kPtr, Type::kI64}, Type::kI32,
                    reinterpret_cast<void*>(&splice_rt_array_fill));
  const ir::ValueId failed = b_.call_runtime(
      fill, {object_value(array), place, b_.const_i64(static_cast<std::int64_t>(element))});
  guard_done(b_.compare(Op::kEq, failed, b_.const_i32(0)), "an array of another type");
  return true;
}

AbsVal FunctionLowering::call_numpy_builtin(PyObject* callable, const std::vector<AbsVal>& args,
                                            PyObject* sample, int next) {
  const ir::ValueId array = argument_array(args);
  // NumPy may let other threads run.
  barrier(next);
  const ir::SymbolId call =
      unit_.runtime("splice_rt_call_numpy", {Type::kObj, Type::kPtr, Type::kI64}, Type::kOwned,
                    reinterpret_cast<void*>(&splice_rt_call_numpy));
  unit_.keep(callable);
  const ir::ValueId made =
      b_.call_runtime(call, {b_.symbol(unit_.object_symbol(callable)), array,
                             b_.const_i64(static_cast<std::int64_t>(args.size()))});
  check_made(made, "a call that NumPy refuses");
  adopt(made);
  like_facts_.clear();
  return AbsVal::object_of(made, cpy::array_type(), sample);
}

PyObject* FunctionLowering::array_sample(const AbsVal& array) {
  if (array.tag == Tag::kView) return make_sample(array);
  const auto facts = guessed_facts(array);
  PyObject* made = facts ? cpy::new_array_like(*facts) : nullptr;
  const bool kept = made != nullptr && unit_.keep_sample(made);
  Py_XDECREF(made);
  return kept ? made : nullptr;
}

PyObject* FunctionLowering::in_order_of(PyObject* original, PyObject* copy) {
  // Copies keep the order of what they copy: C's or another one.
  const auto theirs = original != nullptr ? cpy::array_facts(original) : std::nullopt;
  auto facts = cpy::array_facts(copy);
  if (!theirs || theirs->contiguous || theirs->rank < 2) return copy;
  facts->contiguous = false;
  PyObject* made = cpy::new_array_like(*facts);
  const bool kept = made != nullptr && unit_.keep_sample(made);
  Py_XDECREF(made);
  return kept ? made : nullptr;
}

PyObject* FunctionLowering::sample_result(PyObject* callable, const std::vector<AbsVal>& args) {
  std::vector<PyObject*> samples;
  for (const AbsVal& arg : args) {
    PyObject* sample = nullptr;
    if (!is_array(arg))
      sample = sample_argument(arg);
    else
      sample = Py_XNewRef(array_sample(arg));
    if (sample == nullptr) break;
    samples.push_back(sample);
  }
  PyObject* made = samples.size() == args.size()
                       ? PyObject_Vectorcall(callable, samples.data(), samples.size(), nullptr)
                       : nullptr;
  PyErr_Clear();
  for (PyObject* sample : samples) Py_DECREF(sample);
  const bool kept = made != nullptr && cpy::array_facts(made) && unit_.keep_sample(made);
  Py_XDECREF(made);
  return kept ? made : nullptr;
}

int FunctionLowering::call_numpy(PyObject* callable, const std::vector<AbsVal>& args,
                                 PyObject* keywords, int next, AbsVal& out) {
  const NumPyRoutine routine = *cpy::numpy_routine(callable);
  std::vector<AbsVal> given;
  if (!bind_parameters(parameters_of(routine), args, keywords, given)) return kUnknown;
  if (PyFunction_Check(callable)) {
    if (!has_own_defaults(reinterpret_cast<PyFunctionObject*>(callable))) return kUnknown;
    unit_.depend_on_function(callable);
  }
  const bool is_full = routine == NumPyRoutine::kFull || routine == NumPyRoutine::kFullLike;
  const bool has_dtype = routine != NumPyRoutine::kCopy;
  const bool is_arange = routine == NumPyRoutine::kArange;
  AbsVal value = AbsVal::null();
  if (is_full) {
    value = given[1];
    given.erase(given.begin() + 1);
  }
  AbsVal dtype = AbsVal::null();
  if (has_dtype) dtype = given[is_arange ? 3 : 1];
  AbsVal order = AbsVal::null();
  if (!is_arange && routine != NumPyRoutine::kArray) order = given[has_dtype ? 2 : 1];
  std::optional<ElementType> element;
  if (!is_absent(dtype)) {
    if (dtype.tag == Tag::kConst) element = cpy::named_dtype(dtype.object);
    if (!element) return kUnknown;
  }
  if (!is_order(order)) return kUnknown;

  std::vector<AbsVal> passed;
  NumPyRoutine builtin = routine;
  const AbsVal& first = given[0];
  switch (routine) {
    case NumPyRoutine::kArange:
      for (std::size_t i = 0; i < 3 && given[i].tag != Tag::kNull; ++i) {
        const Tag tag = number_tag(given[i]);
        if (tag != Tag::kInt && tag != Tag::kFloat) return kUnknown;
        passed.push_back(given[i]);
      }
      if (passed.empty() || passed.size() != args.size() - (dtype.tag != Tag::kNull ? 1 : 0))
        return kUnknown;
      if (element) {
        // start, stop, step and dtype are told by their places.
        if (passed.size() < 2) passed.insert(passed.begin(), constant_int(0));
        if (passed.size() < 3) passed.push_back(constant_int(1));
      }
      break;
    case NumPyRoutine::kArray:
    case NumPyRoutine::kCopy:
    case NumPyRoutine::kEmptyLike:
    case NumPyRoutine::kZerosLike:
    case NumPyRoutine::kOnesLike:
    case NumPyRoutine::kFullLike: {
      if (!is_array(first)) return kUnknown;
      const auto facts = array_facts(first);
      if (!facts) return kLeft;
      const bool copies = routine == NumPyRoutine::kArray || routine == NumPyRoutine::kCopy;
      // A conversion may call the program's error handler.
      if (copies && element && facts->element != *element) return kUnknown;
      builtin = copies ? NumPyRoutine::kArray : NumPyRoutine::kEmptyLike;
      passed.push_back(first);
      break;
    }
    default:
      given[0] = lengths(first);
      if (!is_shape(first)) return kUnknown;
      if (routine == NumPyRoutine::kOnes || is_full) builtin = NumPyRoutine::kEmpty;
      passed.push_back(first);
  }
  Scalar s;
  if (routine == NumPyRoutine::kFull && !element) {
    if (scalar(value, s))
      element = s.element;
    else
      element = element_of(number_tag(value));
    if (!element) return kUnknown;
  }
  if (!is_absent(dtype)) {
    passed.push_back(dtype);
  } else if (routine == NumPyRoutine::kFull) {
    PyObject* named = unit_.keep_new(cpy::new_dtype(*element));
    if (named == nullptr) return kUnknown;
    passed.push_back(AbsVal::constant(named));
  } else if (order.tag != Tag::kNull) {
    passed.push_back(py_none());
  }
  if (order.tag != Tag::kNull) {
    if (builtin == NumPyRoutine::kArray) return kUnknown;
    passed.push_back(order);
  }
  PyObject* function = cpy::numpy_builtin(builtin);
  PyObject* sample = function != nullptr ? sample_result(function, passed) : nullptr;
  if (sample != nullptr && is_array(first)) sample = in_order_of(array_sample(first), sample);
  if (sample == nullptr) return kUnknown;
  out = call_numpy_builtin(function, passed, sample, next);
  const bool ones = routine == NumPyRoutine::kOnes || routine == NumPyRoutine::kOnesLike;
  const bool fills = ones || is_full || routine == NumPyRoutine::kZerosLike;
  if (!fills) return kDone;
  if (!is_full) value = constant_int(ones ? 1 : 0);
  return fill_array(out, value, cpy::array_facts(sample)->element) ? kDone : kLeft;
}

int FunctionLowering::call_array_method(PyObject* method, const std::vector<AbsVal>& args,
                                        PyObject* keywords, int next, AbsVal& out) {
  if (Py_TYPE(method) != &PyMethodDescr_Type ||
      PyDescr_TYPE(reinterpret_cast<PyMethodDescrObject*>(method)) != cpy::array_type() ||
      keywords != nullptr)
    return kUnknown;
  const char* name = reinterpret_cast<PyMethodDescrObject*>(method)->d_method->ml_name;
  const auto is = [&](const char* text, std::size_t n) {
    return std::strcmp(name, text) == 0 && args.size() == n + 1;
  };
  const AbsVal& array = args[0];
  const auto facts = array_facts(array);
  if (!facts) return kLeft;
  if (is("transpose", 0)) return array_attribute(array, "T", out);
  if (is("fill", 1)) {
    if (role_.changes_nothing) {
      leave("a change of an object within the values of a generator");
      return kLeft;
    }
    guard_writeable(array);
    object_for(array);
    barrier(next);
    out = py_none();
    return fill_array(as_it_is_now(array), args[1], facts->element) ? kDone : kLeft;
  }
  if (!is("copy", 0) && !is("flatten", 0) && !is("ravel", 0)) return kUnknown;
  PyObject* sample = sample_result(method, {array});
  if (sample == nullptr) return kUnknown;
  out = call_numpy_builtin(method, {array}, sample, next);
  return kDone;
}

}  // namespace splice::pyfront
