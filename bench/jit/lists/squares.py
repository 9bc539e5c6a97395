"""10^6 squares, list to list: the comprehension against the same in C on PyObjects."""

from bench.jit.workload import Workload


def squares(values):
    return [value * value for value in values]


WORKLOAD = Workload(
    entry="squares",
    args=lambda: ([i * 0.5 for i in range(1_000_000)],),
    kind="squares",
    numba=("plain", "typed"),
    c_types=("object", "object"),
    c="""
static PyObject* squares(PyObject* values) {
  int64_t n = PyList_GET_SIZE(values);
  PyObject* result = PyList_New(n);
  for (int64_t i = 0; i < n; i++) {
    double value = as_float(item(values, i));
    PyList_SET_ITEM(result, i, FLOAT(value * value));
  }
  return result;
}
""",
)
