"""Shortest paths between all pairs of nodes."""

import numpy as np

from bench.jit.workload import Workload


def floyd_warshall(d):
    n = len(d)
    for k in range(n):
        for i in range(n):
            via = d[i, k]
            for j in range(n):
                other = via + d[k, j]
                if other < d[i, j]:
                    d[i, j] = other
    return float(d[0, n - 1])


def make_args(n):
    random = np.random.default_rng(1)
    return (random.random((n, n)),)


WORKLOAD = Workload(
    entry="floyd_warshall",
    args=make_args,
    kind="elements",
    c_types=("float", "float64[]"),
    c="""
double floyd_warshall(double* d) {
  enum { N = SIZE };
  for (int k = 0; k < N; k++)
    for (int i = 0; i < N; i++) {
      double via = d[i * N + k];
      for (int j = 0; j < N; j++) {
        double other = via + d[k * N + j];
        if (other < d[i * N + j]) d[i * N + j] = other;
      }
    }
  return d[N - 1];
}
""",
    size=60,
)
