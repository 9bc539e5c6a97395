"""Edit distance of two sequences of code points, with two rows that are made anew for each line."""

from bench.jit.workload import Workload


def distance(a, b):
    previous = list(range(len(b) + 1))
    for i in range(len(a)):
        current = [i + 1]
        for j in range(len(b)):
            cost = 0 if a[i] == b[j] else 1
            current.append(min(previous[j + 1] + 1, current[j] + 1, previous[j] + cost))
        previous = current
    return previous[len(b)]


def make_args():
    a = [(i * i * 7 + i) % 26 + 97 for i in range(700)]
    b = [(i * i * 5 + 3 * i) % 26 + 97 for i in range(700)]
    return a, b


WORKLOAD = Workload(
    entry="distance",
    args=make_args,
    kind="write",
    numba=("plain", "typed"),
    c_types=("int", "object", "object"),
    c="""
static inline int64_t lower(int64_t a, int64_t b) { return b < a ? b : a; }
static int64_t distance(PyObject* a, PyObject* b) {
  int64_t n = PyList_GET_SIZE(a), m = PyList_GET_SIZE(b);
  PyObject* previous = PyList_New(m + 1);
  for (int64_t j = 0; j <= m; j++) PyList_SET_ITEM(previous, j, INT(j));
  for (int64_t i = 0; i < n; i++) {
    PyObject* current = PyList_New(m + 1);
    PyList_SET_ITEM(current, 0, INT(i + 1));
    for (int64_t j = 0; j < m; j++) {
      int64_t cost = as_int(item(a, i)) == as_int(item(b, j)) ? 0 : 1;
      int64_t least = lower(lower(as_int(item(previous, j + 1)) + 1, as_int(item(current, j)) + 1),
                            as_int(item(previous, j)) + cost);
      PyList_SET_ITEM(current, j + 1, INT(least));
    }
    Py_DECREF(previous);
    previous = current;
  }
  int64_t result = as_int(item(previous, m));
  Py_DECREF(previous);
  return result;
}
""",
)
