"""A list of floats that fits in the cache, summed many times: sum and sum of squares."""

from bench.jit.workload import Workload


def moments(values, repeats):
    total = 0.0
    squares = 0.0
    for _ in range(repeats):
        for value in values:
            total += value
            squares += value * value
    return total + squares


WORKLOAD = Workload(
    entry="moments",
    args=lambda: ([((i * 37) % 101) / 13.0 for i in range(4000)], 800),
    kind="read",
    numba=("plain", "typed"),
    c_types=("float", "object", "int"),
    c="""
static double moments(PyObject* values, int64_t repeats) {
  double total = 0.0, squares = 0.0;
  int64_t n = PyList_GET_SIZE(values);
  for (int64_t r = 0; r < repeats; r++)
    for (int64_t i = 0; i < n; i++) {
      double value = as_float(item(values, i));
      total += value;
      squares += value * value;
    }
  return total + squares;
}
""",
)
