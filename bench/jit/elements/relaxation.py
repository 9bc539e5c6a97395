"""Successive over-relaxation in place (scimark's SOR), each cell depending on the one before."""

import numpy as np

from bench.jit.workload import Workload


def relaxation(start, g, omega):
    rows, columns = g.shape
    for i in range(rows):
        for j in range(columns):
            g[i, j] = start[i, j]
    quarter = omega * 0.25
    rest = 1.0 - omega
    for i in range(1, rows - 1):
        for j in range(1, columns - 1):
            g[i, j] = (
                quarter * (g[i - 1, j] + g[i + 1, j] + g[i, j - 1] + g[i, j + 1]) + rest * g[i, j]
            )
    return float(g[rows // 2, columns // 2])


def make_args(n):
    return (np.random.default_rng(1).random((n, n)), np.zeros((n, n)), 1.25)


WORKLOAD = Workload(
    entry="relaxation",
    args=make_args,
    kind="elements",
    c_types=("float", "float64[]", "float64[]", "float"),
    c="""
double relaxation(double* start, double* g, double omega) {
  enum { N = SIZE };
  for (int i = 0; i < N * N; i++) g[i] = start[i];
  double quarter = omega * 0.25, rest = 1.0 - omega;
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N - 1; j++)
      g[i * N + j] = quarter * (g[(i - 1) * N + j] + g[(i + 1) * N + j] + g[i * N + j - 1] + g[i * N + j + 1]) +
                     rest * g[i * N + j];
  return g[N / 2 * N + N / 2];
}
""",
    size=150,
    large=2_500,
)
