"""Dot product of two float lists by index, many times."""

from bench.jit.workload import Workload


def dot(a, b, repeats):
    result = 0.0
    for repeat in range(repeats):
        total = 0.0
        for i in range(len(a)):
            total += a[i] * b[i]
        result += total * repeat
    return result


def make_args():
    a = [((i * 37) % 101) / 13.0 for i in range(2500)]
    b = [((i * 91) % 103) / 17.0 for i in range(2500)]
    return a, b, 1000


WORKLOAD = Workload(
    entry="dot",
    args=make_args,
    kind="read",
    numba=("plain", "typed"),
    c_types=("float", "object", "object", "int"),
    c="""
static double dot(PyObject* a, PyObject* b, int64_t repeats) {
  double result = 0.0;
  int64_t n = PyList_GET_SIZE(a);
  for (int64_t r = 0; r < repeats; r++) {
    double total = 0.0;
    for (int64_t i = 0; i < n; i++) total += as_float(item(a, i)) * as_float(item(b, i));
    result += total * r;
  }
  return result;
}
""",
)
