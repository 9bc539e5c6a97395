// engine/bind_args.cpp: keywords, defaults and keyword-only parameters.
#include "engine/bind_args.h"

#include <algorithm>
#include <span>

#include "engine/entry.h"
#include "engine/interpret.h"
#include "engine/unit.h"

namespace splice::engine {
namespace {

constexpr std::size_t kNotFound = static_cast<std::size_t>(-1);

PyObject* parameter_name(PyCodeObject* code, std::size_t i) {
  return PyTuple_GET_ITEM(code->co_localsplusnames, static_cast<Py_ssize_t>(i));
}

/// Index of the parameter `name` (an exact str) that a keyword may fill.
std::size_t find_parameter(PyCodeObject* code, std::size_t count, PyObject* name) {
  const auto first = static_cast<std::size_t>(code->co_posonlyargcount);
  for (std::size_t i = first; i < count; ++i)
    if (parameter_name(code, i) == name) return i;  // interned on both sides: nearly always
  for (std::size_t i = first; i < count; ++i)
    if (PyUnicode_Compare(parameter_name(code, i), name) == 0) return i;
  return kNotFound;
}

/// Value of `name` in `dict`; null when absent. `odd`: a key that is not an exact str is in the
/// way, whose comparison could run code.
PyObject* find_exact(PyObject* dict, PyObject* name, bool& odd) {
  PyObject *key = nullptr, *value = nullptr;
  Py_ssize_t at = 0;
  PyObject* found = nullptr;
  while (PyDict_Next(dict, &at, &key, &value)) {
    if (!PyUnicode_CheckExact(key)) {
      odd = true;
      return nullptr;
    }
    if (key == name || PyUnicode_Compare(key, name) == 0) found = value;
  }
  return found;
}

/// One value per parameter in `out`, all borrowed. False when the call is not so simple.
bool bind_borrowed(PyFunctionObject* function, PyObject* const* args, std::size_t nargs,
                   PyObject* kwnames, std::span<PyObject*> out, PyObject* defaults) {
  const auto* code = reinterpret_cast<PyCodeObject*>(function->func_code);
  const auto size = static_cast<std::size_t>(code->co_argcount);
  if (nargs > size || size > out.size() || function->func_defaults != defaults) return false;
  out = out.first(size);
  std::copy(args, args + nargs, out.begin());
  std::fill(out.begin() + static_cast<std::ptrdiff_t>(nargs), out.end(), nullptr);
  const Py_ssize_t named = kwnames != nullptr ? PyTuple_GET_SIZE(kwnames) : 0;
  PyObject** names = &PyTuple_GET_ITEM(code->co_localsplusnames, 0);
  for (Py_ssize_t k = 0; k < named; ++k) {
    // Both are interned where the call is written out; other names take the long way.
    PyObject** found =
        std::find(names + code->co_posonlyargcount, names + size, PyTuple_GET_ITEM(kwnames, k));
    if (found == names + size || out[static_cast<std::size_t>(found - names)] != nullptr)
      return false;
    out[static_cast<std::size_t>(found - names)] = args[nargs + static_cast<std::size_t>(k)];
  }
  const std::size_t given =
      defaults != nullptr ? static_cast<std::size_t>(PyTuple_GET_SIZE(defaults)) : 0;
  for (std::size_t i = nargs; i < size; ++i) {
    if (out[i] != nullptr) continue;
    if (i + given < size) return false;
    out[i] = PyTuple_GET_ITEM(defaults, static_cast<Py_ssize_t>(i + given - size));
  }
  return true;
}

}  // namespace

bool is_complete(PyCodeObject* code, std::size_t nargs, PyObject* kwnames) {
  return kwnames == nullptr && code->co_kwonlyargcount == 0 &&
         nargs == static_cast<std::size_t>(code->co_argcount);
}

BoundArgs::~BoundArgs() {
  if (!attached()) return;
  for (std::size_t i = positional_; i < size_; ++i) Py_XDECREF(values_[i]);
  Py_XDECREF(defaults_);
}

bool BoundArgs::bind(PyFunctionObject* function, PyObject* const* args, std::size_t nargs,
                     PyObject* kwnames) {
  auto* code = reinterpret_cast<PyCodeObject*>(function->func_code);
  positional_ = static_cast<std::size_t>(code->co_argcount);
  if (nargs > positional_) return false;
  size_ = positional_ + static_cast<std::size_t>(code->co_kwonlyargcount);
  if (size_ > kInline) {
    heap_ = std::make_unique<PyObject*[]>(size_);
    values_ = heap_.get();
  }
  for (std::size_t i = 0; i < nargs; ++i) values_[i] = args[i];
  if (kwnames != nullptr && !bind_keywords(code, args + nargs, kwnames)) return false;
  return fill_defaults(function, code);
}

bool BoundArgs::bind_keywords(PyCodeObject* code, PyObject* const* values, PyObject* kwnames) {
  const Py_ssize_t count = PyTuple_GET_SIZE(kwnames);
  for (Py_ssize_t k = 0; k < count; ++k) {
    PyObject* name = PyTuple_GET_ITEM(kwnames, k);
    if (!PyUnicode_CheckExact(name)) return false;
    const std::size_t i = find_parameter(code, size_, name);
    if (i == kNotFound || values_[i] != nullptr) return false;
    values_[i] = i < positional_ ? values[k] : Py_NewRef(values[k]);
  }
  return true;
}

bool BoundArgs::fill_defaults(PyFunctionObject* function, PyCodeObject* code) {
  PyObject* defaults = function->func_defaults;
  const std::size_t given =
      defaults == nullptr ? 0 : static_cast<std::size_t>(PyTuple_GET_SIZE(defaults));
  for (std::size_t i = 0; i < positional_; ++i) {
    if (values_[i] != nullptr) continue;
    if (i + given < positional_) return false;  // required
    if (defaults_ == nullptr) defaults_ = Py_NewRef(defaults);
    values_[i] = PyTuple_GET_ITEM(defaults, static_cast<Py_ssize_t>(i + given - positional_));
  }
  PyObject* kwdefaults = function->func_kwdefaults;
  for (std::size_t i = positional_; i < size_; ++i) {
    if (values_[i] != nullptr) continue;
    if (kwdefaults == nullptr || !PyDict_CheckExact(kwdefaults)) return false;
    bool odd = false;
    PyObject* value = find_exact(kwdefaults, parameter_name(code, i), odd);
    if (odd || value == nullptr) return false;
    values_[i] = Py_NewRef(value);
  }
  return true;
}

}  // namespace splice::engine

PyObject* splice_rt_bind(PyObject* function, PyObject* const* args, std::size_t nargsf,
                         PyObject* kwnames, void* unit, PyObject* defaults) {
  using namespace splice::engine;
  constexpr std::size_t kMost = 32;
  std::array<PyObject*, kMost> values;
  if (!bind_borrowed(reinterpret_cast<PyFunctionObject*>(function), args,
                     static_cast<std::size_t>(PyVectorcall_NARGS(nargsf)), kwnames, values,
                     defaults))
    return splice_rt_miss(function, args, nargsf, kwnames);
  const auto* code = reinterpret_cast<PyCodeObject*>(PyFunction_GET_CODE(function));
  // A call that misses may replace the defaults before it looks at the values.
  Py_XINCREF(defaults);
  PyObject* result = static_cast<Unit*>(unit)->stub(
      function, values.data(), static_cast<std::size_t>(code->co_argcount), nullptr);
  Py_XDECREF(defaults);
  return result;
}
