"""A vector times a number plus a vector, into a third."""

import numpy as np

from bench.jit.workload import Workload


def axpy(factor, a, b, out):
    for i in range(len(a)):
        out[i] = factor * a[i] + b[i]
    return float(out[len(out) // 2])


def make_args():
    random = np.random.default_rng(1)
    return (2.5, random.random(100_000), random.random(100_000), np.zeros(100_000))


WORKLOAD = Workload(
    entry="axpy",
    args=make_args,
    kind="elements",
    c_types=("float", "float", "float64[]", "float64[]", "float64[]"),
    c="""
double axpy(double factor, double* a, double* b, double* out) {
  int64_t n = 100000;
  for (int64_t i = 0; i < n; i++) out[i] = factor * a[i] + b[i];
  return out[n / 2];
}
""",
)
