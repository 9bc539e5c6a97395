"""LU decomposition in place, without pivoting."""

import numpy as np

from bench.jit.workload import Workload


def lu(source, a):
    n = len(a)
    for i in range(n):
        for j in range(n):
            a[i, j] = source[i, j]
    for i in range(n):
        for j in range(i):
            s = a[i, j]
            for k in range(j):
                s -= a[i, k] * a[k, j]
            a[i, j] = s / a[j, j]
        for j in range(i, n):
            s = a[i, j]
            for k in range(i):
                s -= a[i, k] * a[k, j]
            a[i, j] = s
    return float(a[n - 1, n - 1])


def make_args(n):
    random = np.random.default_rng(1)
    return (random.random((n, n)) + n * np.eye(n), np.zeros((n, n)))


WORKLOAD = Workload(
    entry="lu",
    args=make_args,
    kind="elements",
    c_types=("float", "float64[]", "float64[]"),
    c="""
double lu(double* source, double* a) {
  enum { N = SIZE };
  for (int i = 0; i < N * N; i++) a[i] = source[i];
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < i; j++) {
      double s = a[i * N + j];
      for (int k = 0; k < j; k++) s -= a[i * N + k] * a[k * N + j];
      a[i * N + j] = s / a[j * N + j];
    }
    for (int j = i; j < N; j++) {
      double s = a[i * N + j];
      for (int k = 0; k < i; k++) s -= a[i * N + k] * a[k * N + j];
      a[i * N + j] = s;
    }
  }
  return a[N * N - 1];
}
""",
    size=60,
)
