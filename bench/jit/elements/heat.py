"""One step of the heat equation on a square."""

import numpy as np

from bench.jit.workload import Workload


def heat(a, b):
    rows, columns = a.shape
    for i in range(1, rows - 1):
        for j in range(1, columns - 1):
            b[i, j] = (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1]) * 0.25
    return float(b[rows // 2, columns // 2])


def make_args(n):
    random = np.random.default_rng(1)
    return (random.random((n, n)), np.zeros((n, n)))


WORKLOAD = Workload(
    entry="heat",
    args=make_args,
    kind="elements",
    c_types=("float", "float64[]", "float64[]"),
    c="""
double heat(double* a, double* b) {
  enum { N = SIZE };
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N - 1; j++)
      b[i * N + j] = (a[(i - 1) * N + j] + a[(i + 1) * N + j] + a[i * N + j - 1] + a[i * N + j + 1]) * 0.25;
  return b[N / 2 * N + N / 2];
}
""",
    size=300,
    large=2_500,
)
