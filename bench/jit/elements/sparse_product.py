"""A sparse matrix in compressed rows times a vector (scimark's sparse product)."""

import numpy as np

from bench.jit.workload import Workload


def sparse_product(y, values, starts, columns, x):
    for row in range(len(starts) - 1):
        s = 0.0
        for i in range(starts[row], starts[row + 1]):
            s += x[columns[i]] * values[i]
        y[row] = s
    return float(y[len(y) // 2])


def make_args(n):
    random = np.random.default_rng(1)
    starts = np.arange(n + 1) * 20
    columns = random.integers(0, n, 20 * n)
    return (np.zeros(n), random.random(20 * n), starts, columns, random.random(n))


WORKLOAD = Workload(
    entry="sparse_product",
    args=make_args,
    kind="elements",
    c_types=("float", "float64[]", "float64[]", "int64[]", "int64[]", "float64[]"),
    c="""
double sparse_product(double* y, double* values, int64_t* starts, int64_t* columns, double* x) {
  for (int64_t row = 0; row < SIZE; row++) {
    double s = 0.0;
    for (int64_t i = starts[row]; i < starts[row + 1]; i++) s += x[columns[i]] * values[i];
    y[row] = s;
  }
  return y[SIZE / 2];
}
""",
    size=3_000,
    large=500_000,
)
