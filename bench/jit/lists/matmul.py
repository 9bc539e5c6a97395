"""Matrix multiplication of lists of lists of floats, the textbook triple loop."""

from bench.jit.workload import Workload


def matmul(a, b, n):
    result = []
    for i in range(n):
        row_a = a[i]
        row = []
        for j in range(n):
            total = 0.0
            for k in range(n):
                total += row_a[k] * b[k][j]
            row.append(total)
        result.append(row)
    return result


def make_args():
    n = 110
    a = [[((i * 7 + j * 3) % 11) / 7.0 for j in range(n)] for i in range(n)]
    b = [[((i * 5 + j * 2) % 13) / 9.0 for j in range(n)] for i in range(n)]
    return a, b, n


WORKLOAD = Workload(
    entry="matmul",
    args=make_args,
    kind="read",
    numba=("typed",),
    c_types=("object", "object", "object", "int"),
    c="""
static PyObject* matmul(PyObject* a, PyObject* b, int64_t n) {
  PyObject* result = PyList_New(n);
  for (int64_t i = 0; i < n; i++) {
    PyObject *row_a = item(a, i), *row = PyList_New(n);
    for (int64_t j = 0; j < n; j++) {
      double total = 0.0;
      for (int64_t k = 0; k < n; k++)
        total += as_float(item(row_a, k)) * as_float(item(item(b, k), j));
      PyList_SET_ITEM(row, j, FLOAT(total));
    }
    PyList_SET_ITEM(result, i, row);
  }
  return result;
}
""",
)
