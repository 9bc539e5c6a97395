"""Moving mean over a window, list to list: a running sum with index arithmetic."""

from bench.jit.workload import Workload


def moving_average(values, window):
    result = []
    total = 0.0
    for i in range(len(values)):
        total += values[i]
        if i >= window:
            total -= values[i - window]
        if i >= window - 1:
            result.append(total / window)
    return result


WORKLOAD = Workload(
    entry="moving_average",
    args=lambda: ([((i * 37) % 101) / 13.0 for i in range(500_000)], 50),
    kind="build",
    numba=("plain", "typed"),
    c_types=("object", "object", "int"),
    c="""
static PyObject* moving_average(PyObject* values, int64_t window) {
  int64_t n = PyList_GET_SIZE(values);
  PyObject* result = PyList_New(n - window + 1);
  double total = 0.0;
  for (int64_t i = 0; i < n; i++) {
    total += as_float(item(values, i));
    if (i >= window) total -= as_float(item(values, i - window));
    if (i >= window - 1) PyList_SET_ITEM(result, i - window + 1, FLOAT(total / window));
  }
  return result;
}
""",
)
