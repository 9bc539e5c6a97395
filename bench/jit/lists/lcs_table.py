"""Longest common subsequence of two sequences by a whole table, a list of lists that stays inside."""

from bench.jit.workload import Workload


def length(a, b):
    n, m = len(a), len(b)
    table = [[0] * (m + 1) for _ in range(n + 1)]
    for i in range(n):
        for j in range(m):
            if a[i] == b[j]:
                table[i + 1][j + 1] = table[i][j] + 1
            else:
                table[i + 1][j + 1] = max(table[i][j + 1], table[i + 1][j])
    return table[n][m]


def make_args():
    a = [(i * i * 7 + i) % 26 + 97 for i in range(600)]
    b = [(i * i * 5 + 3 * i) % 26 + 97 for i in range(600)]
    return a, b


WORKLOAD = Workload(
    entry="length",
    args=make_args,
    kind="write",
    numba=("plain", "typed"),
    c_types=("int", "object", "object"),
    c="""
static int64_t length(PyObject* a, PyObject* b) {
  int64_t n = PyList_GET_SIZE(a), m = PyList_GET_SIZE(b);
  PyObject* table = PyList_New(n + 1);
  for (int64_t i = 0; i <= n; i++) {
    PyObject* row = PyList_New(m + 1);
    for (int64_t j = 0; j <= m; j++) PyList_SET_ITEM(row, j, INT(0));
    PyList_SET_ITEM(table, i, row);
  }
  for (int64_t i = 0; i < n; i++) {
    PyObject *above = item(table, i), *here = item(table, i + 1);
    for (int64_t j = 0; j < m; j++) {
      int64_t best;
      if (as_int(item(a, i)) == as_int(item(b, j))) {
        best = as_int(item(above, j)) + 1;
      } else {
        int64_t up = as_int(item(above, j + 1)), left = as_int(item(here, j));
        best = left > up ? left : up;
      }
      PyList_SetItem(here, j + 1, INT(best));
    }
  }
  int64_t result = as_int(item(item(table, n), m));
  Py_DECREF(table);
  return result;
}
""",
)
