#include "cpy/large_int.h"

#include <opcode.h>

#include <utility>

namespace splice::cpy {
namespace {

constinit thread_local PyObject* t_raised = nullptr;

PyObject* apply(PyObject* a, PyObject* b, int op) {
  const PyNumberMethods& ints = *PyLong_Type.tp_as_number;
  switch (op) {
    case NB_ADD:
      return ints.nb_add(a, b);
    case NB_SUBTRACT:
      return ints.nb_subtract(a, b);
    case NB_MULTIPLY:
      return ints.nb_multiply(a, b);
    case NB_FLOOR_DIVIDE:
      return ints.nb_floor_divide(a, b);
    case NB_REMAINDER:
      return ints.nb_remainder(a, b);
    case NB_POWER:
      return ints.nb_power(a, b, Py_None);
    case NB_LSHIFT:
      return ints.nb_lshift(a, b);
    case NB_RSHIFT:
      return ints.nb_rshift(a, b);
    case NB_AND:
      return ints.nb_and(a, b);
    case NB_OR:
      return ints.nb_or(a, b);
    case NB_XOR:
      return ints.nb_xor(a, b);
    default:
      return nullptr;
  }
}

/// What the operation raises each time; not so what comes from a signal handler, which CPython runs
/// within long operations.
bool comes_again(PyObject* exception) {
  PyTypeObject* type = Py_TYPE(exception);
  for (PyObject* known :
       {PyExc_ZeroDivisionError, PyExc_ValueError, PyExc_OverflowError, PyExc_MemoryError}) {
    if (type != reinterpret_cast<PyTypeObject*>(known)) continue;
    PyObject* traceback = PyException_GetTraceback(exception);
    Py_XDECREF(traceback);
    return traceback == nullptr;
  }
  return false;
}

}  // namespace

PyObject* take_handler_exception() { return std::exchange(t_raised, nullptr); }

}  // namespace splice::cpy

PyObject* splice_rt_int_operator(PyObject* a, PyObject* b, std::int32_t op) noexcept {
  using splice::cpy::t_raised;
  PyObject* result = splice::cpy::apply(a, b, op);
  if (result != nullptr && !PyLong_CheckExact(result)) Py_CLEAR(result);
  PyObject* raised = result == nullptr ? PyErr_GetRaisedException() : nullptr;
  if (raised != nullptr && !splice::cpy::comes_again(raised))
    Py_XSETREF(t_raised, raised);
  else
    Py_XDECREF(raised);
  return result;
}

std::int32_t splice_rt_int_compare(PyObject* a, PyObject* b, std::int32_t op) noexcept {
  PyObject* answer = PyLong_Type.tp_richcompare(a, b, op);
  const bool yes = answer == Py_True;
  Py_XDECREF(answer);
  return yes ? 1 : 0;
}
