"""A million and a half distinct floats, shuffled in memory, summed once: far out of the cache."""

from bench.jit.workload import Workload


def total_of(values):
    total = 0.0
    for value in values:
        total += value
    return total


def make_args():
    values = [i * 0.5 for i in range(1_500_000)]
    state = 1
    n = len(values)
    for i in range(n - 1, 0, -64):  # enough swaps to break the order of allocation
        state = state * 16807 % 2147483647
        j = state % i
        values[i], values[j] = values[j], values[i]
    return (values,)


WORKLOAD = Workload(
    entry="total_of",
    args=make_args,
    kind="stream",
    numba=("plain",),
    c_types=("float", "object"),
    c="""
static double total_of(PyObject* values) {
  double total = 0.0;
  int64_t n = PyList_GET_SIZE(values);
  for (int64_t i = 0; i < n; i++) total += as_float(item(values, i));
  return total;
}
""",
)
