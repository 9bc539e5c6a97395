#include "cpy/number_source.h"

#include <cstring>
#include <initializer_list>

namespace splice::cpy {

namespace {

bool is_of_module_time(const PyCFunctionObject* function) {
  PyObject* self = function->m_self;
  const PyModuleDef* module =
      self != nullptr && PyModule_CheckExact(self) ? PyModule_GetDef(self) : nullptr;
  if (module == nullptr || std::strcmp(module->m_name, "time") != 0) {
    return false;
  }
  for (const PyMethodDef* m = module->m_methods; m != nullptr && m->ml_name != nullptr; ++m) {
    if (m == function->m_ml) {
      return true;
    }
  }
  return false;
}

NumberSource clock_of(const char* name) {
  for (const char* clock : {"time", "perf_counter", "monotonic", "process_time", "thread_time"}) {
    const std::size_t length = std::strlen(clock);
    if (std::strncmp(name, clock, length) != 0) {
      continue;
    }
    if (name[length] == '\0') {
      return NumberSource::kSeconds;
    }
    if (std::strcmp(name + length, "_ns") == 0) {
      return NumberSource::kNanoseconds;
    }
  }
  return NumberSource::kNone;
}

/// The method of the type in C, bound to an instance of it or of a class that is made of it.
bool is_random_method(const PyCFunctionObject* function) {
  if (function->m_self == nullptr || std::strcmp(function->m_ml->ml_name, "random") != 0) {
    return false;
  }
  PyTypeObject* type = Py_TYPE(function->m_self);
  while (type != nullptr && std::strcmp(type->tp_name, "_random.Random") != 0) {
    type = type->tp_base;
  }
  if (type == nullptr) {
    return false;
  }
  PyObject* name = PyUnicode_InternFromString("random");
  PyObject* method = name != nullptr ? _PyType_Lookup(type, name) : nullptr;  // borrowed
  Py_XDECREF(name);
  PyErr_Clear();
  return method != nullptr && Py_IS_TYPE(method, &PyMethodDescr_Type) &&
         PyDescr_TYPE(method) == type &&
         reinterpret_cast<PyMethodDescrObject*>(method)->d_method == function->m_ml;
}

}  // namespace

NumberSource number_source(PyObject* callable) {
  if (callable == nullptr || !PyCFunction_CheckExact(callable)) {
    return NumberSource::kNone;
  }
  const auto* function = reinterpret_cast<PyCFunctionObject*>(callable);
  if (is_of_module_time(function)) {
    return clock_of(function->m_ml->ml_name);
  }
  return is_random_method(function) ? NumberSource::kRandom : NumberSource::kNone;
}

}  // namespace splice::cpy
