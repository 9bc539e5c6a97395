"""What a call with one NumPy array costs: `./dev bench jit array_arguments`.

The functions read no more of the array than one length or element, so that nearly all of the time
is the call: telling what the argument is, finding the element, making the result. "C, buffer" is a
METH_FASTCALL function that gets at it by `PyObject_GetBuffer` and tests format, rank and bounds;
"C, struct" reads the fields of the ndarray after the same tests, by NumPy's C headers. Both return
what Python does; Numba returns a float where that is a numpy.float64. Rounds, loops and clock are
those of call_overhead.
"""

from __future__ import annotations

import gc
import importlib.util
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parent.parent.parent)

from bench import native, report, timing
from bench.jit.call_overhead import difference, fresh, measure, parse

ALLOWED = 25.0  # nanoseconds over "C, buffer" that the project promises
NUMBA_SHARE = 0.5  # and at most this of Numba's time

C_SOURCE = r"""
#define PY_SSIZE_T_CLEAN
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <Python.h>
#include <numpy/arrayobject.h>
#include <numpy/arrayscalars.h>
#include <string.h>
#define ARGS PyObject* module, PyObject* const* args, Py_ssize_t count

static PyObject* load_numpy(PyObject* module, PyObject* none) {
  import_array();
  Py_RETURN_NONE;
}
static PyObject* wrong(const char* text) {
  PyErr_SetString(PyExc_TypeError, text);
  return NULL;
}
static PyObject* new_float64(double x) {
  PyObject* made = PyArrayScalar_New(Double);
  if (made != NULL) PyArrayScalar_ASSIGN(made, Double, x);
  return made;
}

/* Opens `args[0]`; null where it is no buffer of float64 with this rank and an element. */
static const char* open_buffer(ARGS, int rank, Py_buffer* view) {
  if (count != 1) return (char*)wrong("one argument");
  if (PyObject_GetBuffer(args[0], view, PyBUF_RECORDS_RO) < 0) return NULL;
  if (view->ndim == rank && view->format != NULL && strcmp(view->format, "d") == 0 &&
      view->itemsize == sizeof(double) && view->len > 0)
    return (char*)view->buf;
  PyBuffer_Release(view);
  return (char*)wrong("float64 of another rank, or empty");
}
static const char* open_struct(ARGS, int rank, PyArrayObject** array) {
  if (count != 1) return (char*)wrong("one argument");
  *array = (PyArrayObject*)args[0];
  if (PyArray_CheckExact(args[0]) && PyArray_NDIM(*array) == rank &&
      PyArray_TYPE(*array) == NPY_DOUBLE && PyArray_ISBEHAVED_RO(*array) &&
      PyArray_DIM(*array, 0) > 0 && PyArray_DIM(*array, rank - 1) > 0)
    return PyArray_BYTES(*array);
  return (char*)wrong("float64 of another rank, or empty");
}

#define READ(name, rank, length, result)                               \
  static PyObject* name##_buffer(ARGS) {                               \
    Py_buffer view;                                                    \
    const char* data = open_buffer(module, args, count, rank, &view);  \
    if (data == NULL) return NULL;                                     \
    const double x = *(const double*)data;                             \
    const Py_ssize_t n = view.shape[length];                           \
    PyBuffer_Release(&view);                                           \
    return result;                                                     \
  }                                                                    \
  static PyObject* name##_struct(ARGS) {                               \
    PyArrayObject* array;                                              \
    const char* data = open_struct(module, args, count, rank, &array); \
    if (data == NULL) return NULL;                                     \
    const double x = *(const double*)data;                             \
    const Py_ssize_t n = PyArray_DIM(array, length);                   \
    return result;                                                     \
  }
READ(length, 1, 0, PyLong_FromSsize_t(n))
READ(first, 1, 0, new_float64(x))
READ(first_float, 1, 0, PyFloat_FromDouble(x))
READ(width, 2, 1, PyLong_FromSsize_t(n))
READ(corner, 2, 0, new_float64(x))
"""


def length(a):
    return len(a)


def first(a):
    return a[0]


def first_float(a):
    return float(a[0])


def width(a):
    return a.shape[1]


def corner(a):
    return a[0, 0]


@dataclass(frozen=True)
class Case:
    title: str
    function: Callable[..., object]
    shape: tuple[int, ...]
    spread: bool = False  # every other element of a larger array


CASES = (
    Case("len(a)", length, (16,)),
    Case("a[0]", first, (16,)),
    Case("float(a[0])", first_float, (16,)),
    Case("a[0], strided", first, (16,), spread=True),
    Case("b.shape[1]", width, (4, 4)),
    Case("b[0, 0]", corner, (4, 4)),
    Case("b[0, 0], strided", corner, (4, 4), spread=True),
)


def array_of(case: Case) -> object:
    import numpy

    sizes = [2 * n for n in case.shape] if case.spread else case.shape
    whole = numpy.random.default_rng(3).random(sizes)
    return whole[tuple(slice(None, None, 2) for _ in sizes)] if case.spread else whole


def build() -> object:
    import numpy

    names = [f"{c.function.__name__}_{way}" for c in CASES for way in ("buffer", "struct")]
    methods = [(name, name, "METH_FASTCALL") for name in sorted(set(names))]
    module = native.build_module(
        C_SOURCE, [("load_numpy", "load_numpy", "METH_NOARGS"), *methods], [numpy.get_include()]
    )
    module.load_numpy()
    return module


def contenders(case: Case, module: object, array: object) -> dict[str, Callable[..., object]]:
    """Those that are installed, after a look at their results."""
    name = case.function.__name__
    found = {
        "python": fresh(case.function),
        "C, buffer": getattr(module, f"{name}_buffer"),
        "C, struct": getattr(module, f"{name}_struct"),
    }
    if importlib.util.find_spec("splice"):
        import splice

        found["splice"] = splice.jit(fresh(case.function))
    if importlib.util.find_spec("numba"):
        import numba

        found["numba"] = numba.njit(fresh(case.function))
    expected = case.function(array)
    for who, function in found.items():
        for _ in range(3):
            result = function(array)
            assert result == expected if who == "numba" else timing.same(expected, result), who
    return found


def row_of(case: Case, times: dict[str, list[float]]) -> list[str]:
    row = [case.title]
    for who in ("python", "C, buffer", "C, struct", "numba", "splice"):
        row.append(f"{difference(times, who, 'empty')[0]:.1f}" if who in times else "-")
    if "splice" not in times:
        return [*row, "-", "-", "-", "-"]
    over = difference(times, "splice", "C, buffer")
    row.append(f"{over[3]:+.1f} ({over[1]:+.1f} +-{over[2]:.1f})")
    row.append(f"{difference(times, 'splice', 'C, struct')[3]:+.1f}")
    if "numba" not in times:
        return [*row, "-", "yes" if over[3] <= ALLOWED else "no"]
    share = difference(times, "splice", "empty")[3] / difference(times, "numba", "empty")[3]
    met = over[3] <= ALLOWED and share < NUMBA_SHARE
    return [*row, f"{share:.2f}", "yes" if met else "no"]


def main() -> int:
    options = parse(__doc__)
    if importlib.util.find_spec("numpy") is None:
        print("NumPy is not installed here; `./dev bench` installs it")
        return 0
    module = build()
    report.print_machine()
    print(f"One float64 array, ns, {options.rounds} rounds of {options.calls}; loop taken off")
    rows = []
    stored = []
    gc.disable()
    for case in CASES:
        array = array_of(case)
        times = measure(contenders(case, module, array), (array,), options)
        stored.append({"case": case.title, "allowed_over_buffer": ALLOWED, "ns": times})
        rows.append(row_of(case, times))
    gc.enable()
    heads = ["call", "Python", "C, buffer", "C, struct", "Numba", "Splice"]
    heads += ["over buffer: median (mean)", "over struct", "of Numba", "kept"]
    report.print_table(heads, rows)
    print(f"kept: at most {ALLOWED:+.0f} ns over C, buffer, and below {NUMBA_SHARE} of Numba")
    print(report.save("jit_array_arguments", {"rounds": options.rounds, "cases": stored}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
