"""Dot product of two vectors, in the order of the elements."""

import numpy as np

from bench.jit.workload import Workload


def dot_arrays(a, b):
    s = 0.0
    for i in range(len(a)):
        s += a[i] * b[i]
    return float(s)


def make_args(n):
    random = np.random.default_rng(1)
    return (random.random(n), random.random(n))


WORKLOAD = Workload(
    entry="dot_arrays",
    args=make_args,
    kind="elements",
    c_types=("float", "float64[]", "float64[]"),
    c="""
double dot_arrays(double* a, double* b) {
  double s = 0.0;
  for (int64_t i = 0; i < SIZE; i++) s += a[i] * b[i];
  return s;
}
""",
    size=100_000,
    large=8_000_000,
)
