"""0/1 knapsack by dynamic programming over one list of ints, from high to low."""

from bench.jit.workload import Workload


def knapsack(weights, values, capacity):
    best = [0] * (capacity + 1)
    for i in range(len(weights)):
        weight = weights[i]
        value = values[i]
        for room in range(capacity, weight - 1, -1):
            candidate = best[room - weight] + value
            if candidate > best[room]:
                best[room] = candidate
    return best[capacity]


def make_args():
    weights = [(i * 37) % 91 + 5 for i in range(120)]
    values = [(i * 53) % 97 + 10 for i in range(120)]
    return weights, values, 10000


WORKLOAD = Workload(
    entry="knapsack",
    args=make_args,
    kind="write",
    numba=("plain", "typed"),
    c_types=("int", "object", "object", "int"),
    c="""
static int64_t knapsack(PyObject* weights, PyObject* values, int64_t capacity) {
  PyObject* best = filled(capacity + 1, INT(0));
  for (int64_t i = 0; i < PyList_GET_SIZE(weights); i++) {
    int64_t weight = as_int(item(weights, i)), value = as_int(item(values, i));
    for (int64_t room = capacity; room > weight - 1; room--) {
      int64_t candidate = as_int(item(best, room - weight)) + value;
      if (candidate > as_int(item(best, room))) set_item(best, room, INT(candidate));
    }
  }
  int64_t result = as_int(item(best, capacity));
  Py_DECREF(best);
  return result;
}
""",
)
