"""Insertion sort of a copy: a list of ints moved one place at a time."""

from bench.jit.workload import Workload


def insertion_sort(values):
    result = values[:]
    for i in range(1, len(result)):
        value = result[i]
        j = i - 1
        while j >= 0 and result[j] > value:
            result[j + 1] = result[j]
            j -= 1
        result[j + 1] = value
    return result


WORKLOAD = Workload(
    entry="insertion_sort",
    args=lambda: ([(i * 7919) % 10007 for i in range(1500)],),
    kind="write",
    c_types=("object", "object"),
    c="""
static PyObject* insertion_sort(PyObject* values) {
  int64_t n = PyList_GET_SIZE(values);
  PyObject* result = PyList_GetSlice(values, 0, n);
  for (int64_t i = 1; i < n; i++) {
    PyObject* value = Py_NewRef(item(result, i));
    int64_t key = as_int(value), j = i - 1;
    while (j >= 0 && as_int(item(result, j)) > key) {
      set_item(result, j + 1, Py_NewRef(item(result, j)));
      j--;
    }
    set_item(result, j + 1, value);
  }
  return result;
}
""",
)
