"""10^6 squares of ints with an append loop."""

from bench.jit.workload import Workload


def squares(values):
    result = []
    for value in values:
        result.append(value * value)
    return result


WORKLOAD = Workload(
    entry="squares",
    args=lambda: (list(range(1_000_000)),),
    kind="squares",
    c_types=("object", "object"),
    c="""
static PyObject* squares(PyObject* values) {
  int64_t n = PyList_GET_SIZE(values);
  PyObject* result = PyList_New(n);
  for (int64_t i = 0; i < n; i++) {
    int64_t value = as_int(item(values, i));
    PyList_SET_ITEM(result, i, INT(value * value));
  }
  return result;
}
""",
)
