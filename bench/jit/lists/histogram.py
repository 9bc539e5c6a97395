"""A histogram of floats into a list of counts, then the running total."""

from bench.jit.workload import Workload


def histogram(values, bins):
    counts = [0] * bins
    for value in values:
        index = int(value * bins)
        counts[index] += 1
    for i in range(1, bins):
        counts[i] += counts[i - 1]
    return counts


def make_args():
    values = []
    state = 5
    for _ in range(400_000):
        state = state * 16807 % 2147483647
        values.append(state / 2147483648.0)
    return values, 100


WORKLOAD = Workload(
    entry="histogram",
    args=make_args,
    kind="write",
    c_types=("object", "object", "int"),
    c="""
static PyObject* histogram(PyObject* values, int64_t bins) {
  PyObject* counts = filled(bins, INT(0));
  for (int64_t i = 0; i < PyList_GET_SIZE(values); i++) {
    int64_t index = (int64_t)(as_float(item(values, i)) * bins);
    set_item(counts, index, INT(as_int(item(counts, index)) + 1));
  }
  for (int64_t i = 1; i < bins; i++)
    set_item(counts, i, INT(as_int(item(counts, i)) + as_int(item(counts, i - 1))));
  return counts;
}
""",
)
