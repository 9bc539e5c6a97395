#include "cpy/runtime_object.h"

void splice_rt_dealloc(PyObject* object) { _Py_Dealloc(object); }

PyObject* splice_rt_box_int(std::int64_t value) noexcept { return PyLong_FromLongLong(value); }

PyObject* splice_rt_box_float(double value) noexcept { return PyFloat_FromDouble(value); }

PyObject* splice_rt_box_complex(double real, double imag) noexcept {
  return PyComplex_FromDoubles(real, imag);
}
