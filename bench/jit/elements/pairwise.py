"""Distances between all pairs of points."""

import numpy as np

from bench.jit.workload import Workload


def pairwise(points, out):
    n, k = points.shape
    for i in range(n):
        for j in range(n):
            s = 0.0
            for d in range(k):
                x = points[i, d] - points[j, d]
                s += x * x
            out[i, j] = s**0.5
    return float(out[1, n - 1])


def make_args(n):
    random = np.random.default_rng(1)
    return (random.random((n, 8)), np.zeros((n, n)))


WORKLOAD = Workload(
    entry="pairwise",
    args=make_args,
    kind="elements",
    c_types=("float", "float64[]", "float64[]"),
    c="""
double pairwise(double* points, double* out) {
  enum { N = SIZE, K = 8 };
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      double s = 0.0;
      for (int d = 0; d < K; d++) {
        double x = points[i * K + d] - points[j * K + d];
        s += x * x;
      }
      out[i * N + j] = pow(s, 0.5);
    }
  return out[N + N - 1];
}
""",
    size=100,
    large=2_200,
)
