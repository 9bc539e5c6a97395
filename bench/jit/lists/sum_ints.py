"""A list of ints read by index: running sum, maximum and a count of multiples."""

from bench.jit.workload import Workload


def scan(values, repeats):
    total = 0
    largest = values[0]
    multiples = 0
    for _ in range(repeats):
        for i in range(len(values)):
            value = values[i]
            total += value
            if value > largest:
                largest = value
            if value % 7 == 0:
                multiples += 1
    return total + largest + multiples


WORKLOAD = Workload(
    entry="scan",
    args=lambda: ([(i * 7919) % 100003 for i in range(4000)], 500),
    kind="read",
    numba=("plain", "typed"),
    c_types=("int", "object", "int"),
    c="""
static int64_t scan(PyObject* values, int64_t repeats) {
  int64_t total = 0, largest = as_int(item(values, 0)), multiples = 0;
  int64_t n = PyList_GET_SIZE(values);
  for (int64_t r = 0; r < repeats; r++)
    for (int64_t i = 0; i < n; i++) {
      int64_t value = as_int(item(values, i));
      total += value;
      if (value > largest) largest = value;
      if (floor_mod(value, 7) == 0) multiples++;
    }
  return total + largest + multiples;
}
""",
)
