// cpy/numpy.cpp: NumPy is met, checked and remembered.
#include "cpy/numpy.h"

#include <array>
#include <cfenv>
#include <cmath>
#include <cstring>
#include <span>

#include "cpy/item_named.h"
#include "cpy/numpy_api.h"
#include "cpy/numpy_ufunc.h"
#include "layout/numpy_layout.h"

namespace splice::cpy {

using mem::ElementType;

namespace {

/// NPY_TYPES of numpy/ndarraytypes.h, by element type; on 64-bit Linux int64 is a long.
constexpr std::array<std::int32_t, mem::kElementTypes> kTypeNumbers = {0, 1, 3,  5,  7,  2, 4,
                                                                       6, 8, 11, 12, 14, 15};

struct NumPy {
  PyTypeObject* array = nullptr;
  std::array<PyTypeObject*, mem::kElementTypes> scalars{};
  PyObject* false_ = nullptr;
  PyObject* true_ = nullptr;
  PyObject* core = nullptr;                          ///< names of numpy._core._multiarray_umath
  PyObject* error_state = nullptr;                   ///< C function; null in NumPy 1
  PyObject* error_variable = nullptr;                ///< ContextVar: an object for each state
  void** functions = nullptr;                        ///< cpy/numpy_api.h
  std::array<PyObject*, kNumPyRoutines> routines{};  ///< null where it is something else
  std::array<PyObject*, kNumPyBuiltins> builtins{};
  bool refused = false;  ///< its layout is another one
};

NumPy g_numpy;  // guarded by the GIL; borrowed from modules that are never unloaded

ElementType element_at(std::size_t i) { return static_cast<ElementType>(i); }

/// A reference that is dropped at the end of the scope; null where the call that made it failed.
class Made {
 public:
  explicit Made(PyObject* object) : object_(object) {}
  ~Made() { Py_XDECREF(object_); }
  Made(const Made&) = delete;
  Made& operator=(const Made&) = delete;
  operator PyObject*() const { return object_; }  // NOLINT: as the pointer that it is

 private:
  PyObject* object_;
};

std::optional<long long> number_of(PyObject* o) {
  if (o == nullptr) return std::nullopt;
  const long long value = PyLong_AsLongLong(o);
  if (value == -1 && PyErr_Occurred()) return std::nullopt;
  return value;
}

/// Whether a transposed array of 2 times 3 elements looks as generated code expects.
bool arrays_are_known(PyTypeObject* array) {
  const Made shape(Py_BuildValue("(ii)", 2, 3));
  const Made plain(shape != nullptr ? PyObject_CallOneArg(reinterpret_cast<PyObject*>(array), shape)
                                    : nullptr);
  if (plain == nullptr) return false;
  const Made turned(PyObject_GetAttrString(plain, "T"));
  const Made dtype(PyObject_GetAttrString(plain, "dtype"));
  const Made interface(PyObject_GetAttrString(plain, "__array_interface__"));
  if (turned == nullptr || dtype == nullptr || interface == nullptr || !PyDict_Check(interface))
    return false;
  PyObject* data = item_named(interface, "data");
  const Made number(PyObject_GetAttrString(dtype, "num"));
  if (data == nullptr || !PyTuple_Check(data) || PyTuple_GET_SIZE(data) != 2 ||
      Py_TYPE(turned) != array)
    return false;
  const auto address = number_of(PyTuple_GET_ITEM(data, 0));
  if (!address || numpy_field<long long>(plain, layout::kArrayData) != *address ||
      numpy_field<long long>(turned, layout::kArrayData) != *address)
    return false;
  const auto* dims = numpy_field<const Py_ssize_t*>(turned, layout::kArrayShape);
  const auto* strides = numpy_field<const Py_ssize_t*>(turned, layout::kArrayStrides);
  const auto flags = numpy_field<std::int32_t>(plain, layout::kArrayFlags);
  const auto turned_flags = numpy_field<std::int32_t>(turned, layout::kArrayFlags);
  if (array->tp_basicsize == layout::kArraySize &&
      (array->tp_weaklistoffset != layout::kArrayWeakReferences ||
       numpy_field<PyObject*>(turned, layout::kArrayBase) != plain))
    return false;
  const std::int32_t usual = layout::kArrayIsAligned | layout::kArrayIsWriteable;
  return numpy_field<std::int32_t>(turned, layout::kArrayRank) == 2 && dims[0] == 3 &&
         dims[1] == 2 && strides[0] == 8 && strides[1] == 24 && (flags & usual) == usual &&
         (flags & layout::kArrayIsContiguous) != 0 &&
         (turned_flags & layout::kArrayIsContiguous) == 0 &&
         numpy_field<PyObject*>(plain, layout::kArrayDtype) == dtype &&
         number_of(number) == kTypeNumbers[static_cast<std::size_t>(ElementType::kF64)];
}

/// The scalar type of an element type, when its dtype and instances look as expected.
PyTypeObject* known_scalar(PyObject* module, ElementType element) {
  const auto i = static_cast<std::size_t>(element);
  PyObject* make_dtype = item_named(module, "dtype");
  const Made dtype(make_dtype != nullptr
                       ? PyObject_CallFunction(make_dtype, "s", mem::name_of(element))
                       : nullptr);
  if (dtype == nullptr) return nullptr;
  const auto head = numpy_field<std::uint64_t>(dtype, layout::kDtypeHead);
  if ((head & layout::kDtypeHeadMask) != dtype_head(element)) return nullptr;
  const Made number(PyObject_GetAttrString(dtype, "num"));
  const Made type(PyObject_GetAttrString(dtype, "type"));
  if (number_of(number) != kTypeNumbers[i] || type == nullptr || !PyType_Check(type))
    return nullptr;
  auto* scalar = reinterpret_cast<PyTypeObject*>(static_cast<PyObject*>(type));
  const Made one(PyObject_CallFunction(type, "i", 1));
  if (one == nullptr || Py_TYPE(one) != scalar ||
      scalar->tp_basicsize <
          layout::kScalarValue + static_cast<std::int64_t>(mem::size_of(element)))
    return nullptr;
  const auto holds = [&](auto value) {
    return numpy_field<decltype(value)>(one, layout::kScalarValue) == value;
  };
  bool known = false;
  switch (mem::size_of(element)) {
    case 1:
      known = holds(std::uint8_t{1});
      break;
    case 2:
      known = holds(std::uint16_t{1});
      break;
    case 4:
      known = mem::is_float(element) ? holds(1.0F) : holds(std::uint32_t{1});
      break;
    case 8:
      known = element == ElementType::kC64 ? holds(std::array{1.0F, 0.0F})
              : mem::is_float(element)     ? holds(1.0)
                                           : holds(std::uint64_t{1});
      break;
    default:
      known = holds(1.0) && numpy_field<double>(one, layout::kScalarValue + 8) == 0.0;
  }
  return known ? scalar : nullptr;
}

/// Whether the table holds the functions of the ABI that cpy/numpy_api.h names.
bool functions_are_known(const NumPy& numpy) {
  constexpr std::size_t kVersion = 0;           // PyArray_GetNDArrayCVersion
  constexpr std::size_t kFeatureVersion = 211;  // PyArray_GetNDArrayCFeatureVersion
  constexpr unsigned kFirstVersion = 0x01000009;
  constexpr unsigned kNextVersion = 0x03000000;
  constexpr unsigned kFirstFeatures = 0x7;  // NumPy 1.7
  const auto version = [&](std::size_t place) {
    return reinterpret_cast<unsigned (*)()>(numpy.functions[place])();
  };
  return version(kVersion) >= kFirstVersion && version(kVersion) < kNextVersion &&
         version(kFeatureVersion) >= kFirstFeatures;
}

constexpr std::array<const char*, kNumPyRoutines> kRoutineNames = {
    "zeros", "empty", "arange",     "array",     "empty_like", "ones",
    "full",  "copy",  "zeros_like", "ones_like", "full_like"};

bool is_named(PyObject* function, const char* wanted) {
  const Made name(PyObject_GetAttrString(function, "__name__"));
  const bool same = name != nullptr && PyUnicode_Check(name) &&
                    PyUnicode_CompareWithASCIIString(name, wanted) == 0;
  PyErr_Clear();
  return same;
}

void find_routines(NumPy& numpy, PyObject* module, PyObject* core) {
  for (std::size_t i = 0; i < kNumPyBuiltins; ++i) {
    PyObject* builtin = item_named(core, kRoutineNames[i]);
    if (builtin != nullptr && PyCFunction_Check(builtin)) numpy.builtins[i] = builtin;
  }
  PyObject* numeric = nullptr;
  for (const char* name : {"numpy._core.numeric", "numpy.core.numeric"})
    if (numeric == nullptr) numeric = item_named(PyImport_GetModuleDict(), name);
  for (std::size_t i = 0; i < kNumPyRoutines; ++i) {
    PyObject* found = item_named(module, kRoutineNames[i]);
    if (found == nullptr) continue;
    const bool is_builtin = i < kNumPyBuiltins && found == numpy.builtins[i];
    const bool is_python = PyFunction_Check(found) && numeric != nullptr &&
                           PyModule_Check(numeric) &&
                           PyFunction_GET_GLOBALS(found) == PyModule_GetDict(numeric);
    const bool is_dispatched =
        std::strcmp(Py_TYPE(found)->tp_name, "numpy._ArrayFunctionDispatcher") == 0;
    if ((is_builtin || is_python || is_dispatched) && is_named(found, kRoutineNames[i]))
      numpy.routines[i] = found;
  }
}

bool check_and_fill(NumPy& numpy, PyObject* module) {
  PyObject* array = item_named(module, "ndarray");
  numpy.false_ = item_named(module, "False_");
  numpy.true_ = item_named(module, "True_");
  if (array == nullptr || !PyType_Check(array) || numpy.false_ == nullptr || numpy.true_ == nullptr)
    return false;
  numpy.array = reinterpret_cast<PyTypeObject*>(array);
  if (!arrays_are_known(numpy.array)) return false;
  for (std::size_t i = 0; i < mem::kElementTypes; ++i) {
    numpy.scalars[i] = known_scalar(module, element_at(i));
    if (numpy.scalars[i] == nullptr) return false;
  }
  PyObject* core = nullptr;
  for (const char* name : {"numpy._core._multiarray_umath", "numpy.core._multiarray_umath"})
    if (core == nullptr) core = item_named(PyImport_GetModuleDict(), name);
  if (core == nullptr || !PyModule_Check(core)) return false;
  PyObject* capsule = item_named(PyModule_GetDict(core), "_ARRAY_API");
  if (capsule == nullptr || !PyCapsule_IsValid(capsule, nullptr)) return false;
  numpy.functions = static_cast<void**>(PyCapsule_GetPointer(capsule, nullptr));
  numpy.core = PyModule_GetDict(core);
  find_routines(numpy, module, numpy.core);
  PyObject* state = item_named(numpy.core, "_get_extobj_dict");
  PyObject* variable = item_named(numpy.core, "_extobj_contextvar");
  if (state != nullptr && PyCFunction_Check(state) && variable != nullptr &&
      PyContextVar_CheckExact(variable)) {
    numpy.error_state = state;
    numpy.error_variable = variable;
  }
  return functions_are_known(numpy);
}

/// Called with an object whose type NumPy has made, or something of that name.
void look_for_numpy() {
  PyObject* module = item_named(PyImport_GetModuleDict(), "numpy");
  // Still being imported: a later look will find it complete.
  if (module == nullptr || !PyModule_Check(module)) return;
  PyObject* names = PyModule_GetDict(module);
  if (item_named(names, "True_") == nullptr) return;
  NumPy found;
  PyObject* pending = PyErr_GetRaisedException();
  if (check_and_fill(found, names)) {
    g_numpy = found;
  } else {
    g_numpy.refused = true;
  }
  PyErr_Clear();
  PyErr_SetRaisedException(pending);
}

/// NumPy is known, after this look at `type` at the latest.
bool known_by(const PyTypeObject* type) {
  if (g_numpy.array != nullptr) return true;
  if (g_numpy.refused || std::strncmp(type->tp_name, "numpy.", 6) != 0) return false;
  look_for_numpy();
  return g_numpy.array != nullptr;
}

bool is_met() {
  if (g_numpy.array == nullptr && !g_numpy.refused) look_for_numpy();
  return g_numpy.array != nullptr;
}

template <class T>
std::int32_t is_quiet(std::int32_t op, T x, T y) {
  if (op == 'u') return underflow_is_ignored() ? 1 : 0;
  const volatile T a = x;
  const volatile T b = y;
  volatile T result = 0;
  volatile float narrow = 0;
  volatile double wide = 0;
  std::feclearexcept(FE_ALL_EXCEPT);
  switch (op) {
    case '+':
      result = a + b;
      break;
    case '-':
      result = a - b;
      break;
    case '*':
      result = a * b;
      break;
    case '/':
      result = a / b;
      break;
    case 'p':
      result = std::pow(a, b);
      break;
    case 'w':
      wide = static_cast<double>(a);
      break;
    default:
      narrow = static_cast<float>(a);
  }
  static_cast<void>(wide);
  static_cast<void>(result);
  static_cast<void>(narrow);
  const int raised = std::fetestexcept(FE_OVERFLOW | FE_UNDERFLOW | FE_INVALID | FE_DIVBYZERO);
  return raised == 0 || (raised == FE_UNDERFLOW && underflow_is_ignored()) ? 1 : 0;
}

}  // namespace

bool is_array(PyObject* value) {
  return known_by(Py_TYPE(value)) && Py_TYPE(value) == g_numpy.array;
}

bool underflow_is_ignored() {
  if (g_numpy.error_state == nullptr) return false;
  // A state is an object that never changes: what the last one says is known.
  static PyObject* known = nullptr;  // guarded by the GIL, as is what follows
  static bool answer = false;
  PyObject* pending = PyErr_GetRaisedException();
  PyObject* now = nullptr;
  if (PyContextVar_Get(g_numpy.error_variable, nullptr, &now) < 0) PyErr_Clear();
  if (now != nullptr && now == known) {
    Py_DECREF(now);
    PyErr_SetRaisedException(pending);
    return answer;
  }
  const Made state(PyObject_CallNoArgs(g_numpy.error_state));
  PyObject* under = state != nullptr && PyDict_Check(state) ? item_named(state, "under") : nullptr;
  const bool ignored = under != nullptr && PyUnicode_Check(under) &&
                       PyUnicode_CompareWithASCIIString(under, "ignore") == 0;
  PyErr_Clear();
  PyErr_SetRaisedException(pending);
  // Not one that keeps a function of the program alive.
  PyObject* call = under != nullptr ? item_named(state, "call") : nullptr;
  if (call == Py_None) {
    Py_XSETREF(known, now);
    answer = ignored;
  } else {
    Py_XDECREF(now);
  }
  return ignored;
}

PyTypeObject* array_type() { return g_numpy.array; }

std::uint64_t dtype_head(ElementType element) {
  const char order = mem::size_of(element) == 1 ? layout::kNoOrder : layout::kNativeOrder;
  const auto number = static_cast<std::uint64_t>(kTypeNumbers[static_cast<std::size_t>(element)]);
  return number << layout::kDtypeNumberShift |
         static_cast<std::uint64_t>(static_cast<unsigned char>(order))
             << layout::kDtypeByteOrderShift;
}

std::optional<ArrayFacts> array_facts(PyObject* value) {
  if (!is_array(value)) return std::nullopt;
  const auto rank = numpy_field<std::int32_t>(value, layout::kArrayRank);
  const auto flags = numpy_field<std::int32_t>(value, layout::kArrayFlags);
  if (rank > kMaxRank || (flags & layout::kArrayIsAligned) == 0) return std::nullopt;
  const auto element = dtype_element(numpy_field<PyObject*>(value, layout::kArrayDtype));
  if (!element) return std::nullopt;
  return ArrayFacts{*element, static_cast<std::uint8_t>(rank),
                    (flags & layout::kArrayIsContiguous) != 0};
}

std::string unusual_array(PyObject* array) {
  PyObject* dtype = numpy_field<PyObject*>(array, layout::kArrayDtype);
  if (dtype_element(dtype)) {
    const auto rank = numpy_field<std::int32_t>(array, layout::kArrayRank);
    if (rank > kMaxRank) return "an array of " + std::to_string(rank) + " dimensions";
    return "an unaligned array";
  }
  // `long long` prints as int64, whose scalars are of another type.
  constexpr std::array kAliases = {std::pair{'q', "longlong"}, std::pair{'Q', "ulonglong"}};
  PyObject* code = PyObject_GetAttrString(dtype, "char");
  std::string name;
  for (const auto& [letter, alias] : kAliases) {
    const char text[] = {letter, '\0'};
    if (code != nullptr && PyUnicode_Check(code) &&
        PyUnicode_CompareWithASCIIString(code, text) == 0)
      name = alias;
  }
  Py_XDECREF(code);
  PyObject* const text = name.empty() ? PyObject_Str(dtype) : nullptr;
  if (const char* utf8 = text != nullptr ? PyUnicode_AsUTF8(text) : nullptr) name = utf8;
  Py_XDECREF(text);
  PyErr_Clear();
  return "an array of " + (name.empty() ? "another type" : name);
}

std::optional<mem::BufferView> view_of_array(PyObject* value) {
  const auto facts = array_facts(value);
  if (!facts) return std::nullopt;
  const auto dimensions = [&](std::int64_t field) {
    return std::span(numpy_field<const std::int64_t*>(value, field), facts->rank);
  };
  mem::ForeignLayout claimed;
  claimed.data = numpy_field<void*>(value, layout::kArrayData);
  claimed.element = facts->element;
  // As NumPy's own export has it.
  claimed.is_readonly =
      (numpy_field<std::int32_t>(value, layout::kArrayFlags) &
       (layout::kArrayIsWriteable | layout::kArrayWarnsOnWrite)) != layout::kArrayIsWriteable;
  claimed.item_size = static_cast<std::int64_t>(mem::size_of(facts->element));
  claimed.lengths = dimensions(layout::kArrayShape);
  claimed.strides = dimensions(layout::kArrayStrides);
  const Result<mem::BufferView> view = mem::view_of(claimed);
  return view.ok() ? std::optional(*view) : std::nullopt;
}

std::optional<ElementType> dtype_element(PyObject* dtype) {
  const auto head = numpy_field<std::uint64_t>(dtype, layout::kDtypeHead) & layout::kDtypeHeadMask;
  for (std::size_t i = 0; i < mem::kElementTypes; ++i)
    if (dtype_head(element_at(i)) == head) return element_at(i);
  return std::nullopt;
}

void* numpy_function(NumPyFunction which) {
  return g_numpy.functions[static_cast<std::size_t>(which)];
}

PyObject* new_dtype(ElementType element) {
  return numpy_function<PyObject*(int)>(NumPyFunction::kDescrFromType)(type_number(element));
}

std::int32_t type_number(ElementType element) {
  return kTypeNumbers[static_cast<std::size_t>(element)];
}

PyObject* numpy_ufunc(const char* name) {
  if (!is_met()) return nullptr;
  PyObject* found = item_named(g_numpy.core, name);
  return found != nullptr && std::strcmp(Py_TYPE(found)->tp_name, "numpy.ufunc") == 0 ? found
                                                                                      : nullptr;
}

std::optional<std::array<PyObject*, 3>> array_parts(PyObject* array) {
  const auto flags = numpy_field<std::int32_t>(array, layout::kArrayFlags);
  if (!array_facts(array) || Py_TYPE(array)->tp_basicsize != layout::kArraySize ||
      (flags & layout::kArrayWritesBack) != 0 ||
      numpy_field<PyObject*>(array, layout::kArrayWeakReferences) != nullptr)
    return std::nullopt;
  return std::array{numpy_field<PyObject*>(array, layout::kArrayBase),
                    numpy_field<PyObject*>(array, layout::kArrayDtype),
                    numpy_field<PyObject*>(array, layout::kArrayAllocator)};
}

std::optional<NumPyRoutine> numpy_routine(PyObject* callable) {
  if (!is_met()) return std::nullopt;
  for (std::size_t i = 0; i < kNumPyRoutines; ++i)
    if (callable == g_numpy.routines[i]) return static_cast<NumPyRoutine>(i);
  return std::nullopt;
}

PyObject* numpy_builtin(NumPyRoutine routine) {
  return g_numpy.builtins[static_cast<std::size_t>(routine)];
}

std::optional<ElementType> named_dtype(PyObject* constant) {
  using enum ElementType;
  if (g_numpy.array == nullptr) return std::nullopt;
  if (PyType_Check(constant)) {
    const auto* type = reinterpret_cast<PyTypeObject*>(constant);
    if (type == &PyFloat_Type) return kF64;
    if (type == &PyLong_Type) return kI64;
    if (type == &PyBool_Type) return kBool;
    if (type == &PyComplex_Type) return kC128;
    return element_of_scalar_type(type);
  }
  if (PyUnicode_CheckExact(constant)) {
    constexpr std::array<const char*, mem::kElementTypes> kCodes = {
        "?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8", "c8", "c16"};
    for (std::size_t i = 0; i < mem::kElementTypes; ++i)
      for (const char* name : {mem::name_of(element_at(i)), kCodes[i]})
        if (PyUnicode_CompareWithASCIIString(constant, name) == 0) return element_at(i);
    return std::nullopt;
  }
  for (std::size_t i = 0; i < mem::kElementTypes; ++i) {
    const Made dtype(new_dtype(element_at(i)));
    if (dtype == constant) return element_at(i);
  }
  PyErr_Clear();
  return std::nullopt;
}

PyTypeObject* scalar_type(ElementType element) {
  return g_numpy.scalars[static_cast<std::size_t>(element)];
}

std::optional<ElementType> element_of_scalar_type(const PyTypeObject* type) {
  for (std::size_t i = 0; type != nullptr && i < mem::kElementTypes; ++i)
    if (g_numpy.scalars[i] == type) return element_at(i);
  return std::nullopt;
}

std::optional<ElementType> scalar_element(PyObject* value) {
  if (!known_by(Py_TYPE(value))) return std::nullopt;
  return element_of_scalar_type(Py_TYPE(value));
}

bool can_be_carried(PyObject* scalar, ElementType element) {
  if (element != ElementType::kC64) return true;
  const auto parts = numpy_field<std::array<float, 2>>(scalar, layout::kScalarValue);
  return !std::isnan(parts[0]) && !std::isnan(parts[1]);
}

PyObject* make_scalar(PyTypeObject* type, const void* bytes) {
  if (type == scalar_type(ElementType::kBool))
    return Py_NewRef(*static_cast<const unsigned char*>(bytes) != 0 ? g_numpy.true_
                                                                    : g_numpy.false_);
  const auto element = element_of_scalar_type(type);
  PyObject* made = type->tp_alloc(type, 0);
  if (made != nullptr)
    std::memcpy(reinterpret_cast<char*>(made) + layout::kScalarValue, bytes,
                mem::size_of(*element));
  return made;
}

PyObject* make_complex_scalar(PyTypeObject* type, double real, double imaginary) {
  const std::array wide{real, imaginary};
  const std::array narrow{static_cast<float>(real), static_cast<float>(imaginary)};
  return make_scalar(type, type == scalar_type(ElementType::kC64)
                               ? static_cast<const void*>(narrow.data())
                               : wide.data());
}

}  // namespace splice::cpy

using splice::cpy::make_scalar;

PyObject* splice_rt_box_scalar(PyObject* type, std::uint64_t bits) noexcept {
  return make_scalar(reinterpret_cast<PyTypeObject*>(type), &bits);  // little-endian
}

PyObject* splice_rt_box_complex_scalar(PyObject* type, double real, double imag) noexcept {
  return splice::cpy::make_complex_scalar(reinterpret_cast<PyTypeObject*>(type), real, imag);
}

PyObject* splice_rt_call_numpy(PyObject* callable, PyObject* const* args, std::int64_t n) noexcept {
  PyObject* made = PyObject_Vectorcall(callable, args, static_cast<std::size_t>(n), nullptr);
  if (made == nullptr) PyErr_Clear();
  return made;
}

std::int32_t splice_rt_is_quiet_f64(std::int32_t op, double a, double b) noexcept {
  return splice::cpy::is_quiet(op, a, b);
}

std::int32_t splice_rt_is_quiet_f32(std::int32_t op, float a, float b) noexcept {
  return splice::cpy::is_quiet(op, a, b);
}
