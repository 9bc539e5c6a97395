"""A vector times a number plus a vector, into a third."""

import numpy as np

from bench.jit.workload import Workload


def axpy(factor, a, b, out):
    for i in range(len(a)):
        out[i] = factor * a[i] + b[i]
    return float(out[len(out) // 2])


def make_args(n):
    random = np.random.default_rng(1)
    return (2.5, random.random(n), random.random(n), np.zeros(n))


WORKLOAD = Workload(
    entry="axpy",
    args=make_args,
    kind="elements",
    c_types=("float", "float", "float64[]", "float64[]", "float64[]"),
    c="""
double axpy(double factor, double* a, double* b, double* out) {
  int64_t n = SIZE;
  for (int64_t i = 0; i < n; i++) out[i] = factor * a[i] + b[i];
  return out[n / 2];
}
""",
    size=100_000,
    large=8_000_000,
)
