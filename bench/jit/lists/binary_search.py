"""Binary search in a sorted list of ints."""

from bench.jit.workload import Workload


def find(values, wanted):
    low = 0
    high = len(values)
    while low < high:
        middle = (low + high) // 2
        if values[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low


def positions(values, count):
    total = 0
    for i in range(count):
        total += find(values, i * 7919 % 300000)
    return total


WORKLOAD = Workload(
    entry="positions",
    args=lambda: (list(range(0, 300000, 17)), 100000),
    kind="search",
    numba=("plain", "typed"),
    c_types=("int", "object", "int"),
    c="""
static int64_t find(PyObject* values, int64_t wanted) {
  int64_t low = 0, high = PyList_GET_SIZE(values);
  while (low < high) {
    int64_t middle = (low + high) / 2;
    if (as_int(item(values, middle)) < wanted) low = middle + 1; else high = middle;
  }
  return low;
}
static int64_t positions(PyObject* values, int64_t count) {
  int64_t total = 0;
  for (int64_t i = 0; i < count; i++) total += find(values, i * 7919 % 300000);
  return total;
}
""",
)
