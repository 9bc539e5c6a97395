// cpy/numpy_ufunc.cpp
#include "cpy/numpy_ufunc.h"

#include <array>
#include <cfenv>
#include <cmath>
#include <cstring>

#include "cpy/item_named.h"
#include "cpy/numpy.h"
#include "cpy/numpy_api.h"
#include "layout/numpy_layout.h"

namespace splice::cpy {

using mem::ElementType;

namespace {

constexpr std::size_t kMostOperands = 8;

/// Whether the fields agree with what Python is told.
bool has_known_layout(PyObject* ufunc) {
  const auto agrees = [&](const char* name, std::int64_t offset) {
    PyObject* value = PyObject_GetAttrString(ufunc, name);
    const bool same =
        value != nullptr && PyLong_AsLong(value) == numpy_field<std::int32_t>(ufunc, offset);
    Py_XDECREF(value);
    return same;
  };
  return agrees("nin", layout::kUfuncInputs) && agrees("nout", layout::kUfuncOutputs) &&
         agrees("nargs", layout::kUfuncOperands) && agrees("ntypes", layout::kUfuncLoops);
}

/// Functions of whole dimensions, such as matmul.
bool is_generalized(PyObject* ufunc) {
  PyObject* signature = PyObject_GetAttrString(ufunc, "signature");
  const bool plain = signature == Py_None;
  Py_XDECREF(signature);
  return !plain;
}

/// New reference to what ufunc.resolve_dtypes() says; null with an exception set.
PyObject* resolved(PyObject* ufunc, const std::vector<UfuncOperand>& inputs, std::size_t outputs) {
  PyObject* types = PyTuple_New(static_cast<Py_ssize_t>(inputs.size() + outputs));
  if (types == nullptr) return nullptr;
  for (std::size_t i = 0; i < inputs.size() + outputs; ++i) {
    PyObject* type = nullptr;
    if (i >= inputs.size())
      type = Py_NewRef(Py_None);
    else if (inputs[i].element)
      type = new_dtype(*inputs[i].element);
    else
      type = Py_NewRef(reinterpret_cast<PyObject*>(inputs[i].python));
    if (type == nullptr) {
      Py_DECREF(types);
      return nullptr;
    }
    PyTuple_SET_ITEM(types, static_cast<Py_ssize_t>(i), type);
  }
  PyObject* found = PyObject_CallMethod(ufunc, "resolve_dtypes", "(O)", types);
  Py_DECREF(types);
  return found;
}

std::optional<UfuncLoop> loop_of(PyObject* ufunc, PyObject* types, std::size_t inputs) {
  UfuncLoop loop;
  const Py_ssize_t n = PyTuple_GET_SIZE(types);
  std::array<char, kMostOperands> numbers{};
  for (Py_ssize_t i = 0; i < n; ++i) {
    const auto element = dtype_element(PyTuple_GET_ITEM(types, i));
    if (!element) return std::nullopt;
    numbers[static_cast<std::size_t>(i)] = static_cast<char>(type_number(*element));
    (static_cast<std::size_t>(i) < inputs ? loop.inputs : loop.outputs).push_back(*element);
  }
  const auto* table = numpy_field<const char*>(ufunc, layout::kUfuncTypes);
  const auto loops = numpy_field<std::int32_t>(ufunc, layout::kUfuncLoops);
  for (; loop.index < loops; ++loop.index)
    if (std::memcmp(table + loop.index * n, numbers.data(), static_cast<std::size_t>(n)) == 0 &&
        numpy_field<void**>(ufunc, layout::kUfuncFunctions)[loop.index] != nullptr)
      return loop;
  return std::nullopt;
}

bool is_quiet() {
  const int raised = std::fetestexcept(FE_OVERFLOW | FE_UNDERFLOW | FE_INVALID | FE_DIVBYZERO);
  return raised == 0 || (raised == FE_UNDERFLOW && underflow_is_ignored());
}

/// Products and quotients are rounded at each step, in this order.
template <class T>
std::int32_t complex_op(std::int32_t op, double* operands) {
  const volatile T a = static_cast<T>(operands[0]);
  const volatile T b = static_cast<T>(operands[1]);
  const volatile T c = static_cast<T>(operands[2]);
  const volatile T d = static_cast<T>(operands[3]);
  T real = 0;
  T imaginary = 0;
  std::feclearexcept(FE_ALL_EXCEPT);
  switch (op) {
    case '+':
      real = a + c;
      imaginary = b + d;
      break;
    case '-':
      real = a - c;
      imaginary = b - d;
      break;
    case '*':
      real = a * c - b * d;
      imaginary = a * d + b * c;
      break;
    case 'a':
      real = std::hypot(static_cast<T>(a), static_cast<T>(b));
      break;
    default: {
      // R. L. Smith, Algorithm 116: Complex division, CACM 5 (1962).
      const T size_c = std::fabs(static_cast<T>(c));
      const T size_d = std::fabs(static_cast<T>(d));
      if (size_c == 0 && size_d == 0) {
        real = a / size_c;
        imaginary = b / size_c;
      } else if (size_c >= size_d) {
        const T ratio = d / c;
        const T scale = 1 / (c + d * ratio);
        real = (a + b * ratio) * scale;
        imaginary = (b - a * ratio) * scale;
      } else {
        const T ratio = c / d;
        const T scale = 1 / (d + c * ratio);
        real = (a * ratio + b) * scale;
        imaginary = (b * ratio - a) * scale;
      }
    }
  }
  const volatile T first = real;
  const volatile T second = imaginary;
  operands[0] = first;
  operands[1] = second;
  return is_quiet() ? 1 : 0;
}

}  // namespace

bool is_numpy_ufunc(PyObject* callable) {
  if (std::strcmp(Py_TYPE(callable)->tp_name, "numpy.ufunc") != 0) return false;
  PyObject* name = PyObject_GetAttrString(callable, "__name__");
  const char* text = name != nullptr && PyUnicode_Check(name) ? PyUnicode_AsUTF8(name) : nullptr;
  const bool is_own = text != nullptr && numpy_ufunc(text) == callable;
  Py_XDECREF(name);
  PyErr_Clear();
  return is_own;
}

std::optional<UfuncLoop> find_ufunc_loop(PyObject* ufunc, const std::vector<UfuncOperand>& inputs) {
  const auto operands =
      static_cast<std::size_t>(numpy_field<std::int32_t>(ufunc, layout::kUfuncOperands));
  if (!has_known_layout(ufunc) || is_generalized(ufunc) || operands > kMostOperands ||
      operands <= inputs.size() ||
      static_cast<std::size_t>(numpy_field<std::int32_t>(ufunc, layout::kUfuncInputs)) !=
          inputs.size()) {
    PyErr_Clear();
    return std::nullopt;
  }
  PyObject* types = resolved(ufunc, inputs, operands - inputs.size());
  std::optional<UfuncLoop> loop;
  if (types != nullptr && PyTuple_Check(types) &&
      PyTuple_GET_SIZE(types) == static_cast<Py_ssize_t>(operands))
    loop = loop_of(ufunc, types, inputs.size());
  Py_XDECREF(types);
  PyErr_Clear();
  return loop;
}

}  // namespace splice::cpy

std::int32_t splice_rt_call_ufunc(PyObject* ufunc, std::int64_t index, char* operands,
                                  std::int64_t output_size) noexcept {
  namespace cpy = splice::cpy;
  namespace layout = splice::layout;
  using Loop = void(char**, const std::int64_t*, const std::int64_t*, void*);
  const auto count = cpy::numpy_field<std::int32_t>(ufunc, layout::kUfuncOperands);
  std::array<char*, cpy::kMostOperands> args{};
  for (std::int32_t i = 0; i < count; ++i)
    args[static_cast<std::size_t>(i)] = operands + cpy::kUfuncOperand * i;
  const std::int64_t elements = 1;
  std::array<std::int64_t, cpy::kMostOperands> strides{};
  if (cpy::numpy_field<std::int32_t>(ufunc, layout::kUfuncOutputs) == 1)
    strides[static_cast<std::size_t>(count - 1)] = output_size;
  auto* const loop = cpy::numpy_field<Loop**>(ufunc, layout::kUfuncFunctions)[index];
  void* const data = cpy::numpy_field<void**>(ufunc, layout::kUfuncData)[index];
  std::feclearexcept(FE_ALL_EXCEPT);
  loop(args.data(), &elements, strides.data(), data);
  if (PyErr_Occurred() == nullptr) return cpy::is_quiet() ? 1 : 0;
  PyErr_Clear();
  return 0;
}

std::int32_t splice_rt_complex_op(std::int32_t op, std::int32_t single, double* operands) noexcept {
  return single != 0 ? splice::cpy::complex_op<float>(op, operands)
                     : splice::cpy::complex_op<double>(op, operands);
}
