"""Running sums."""

import numpy as np

from bench.jit.workload import Workload


def prefix_sum(a, out):
    s = 0.0
    for i in range(len(a)):
        s += a[i]
        out[i] = s
    return float(out[len(out) - 1])


def make_args(n):
    random = np.random.default_rng(1)
    return (random.random(n), np.zeros(n))


WORKLOAD = Workload(
    entry="prefix_sum",
    args=make_args,
    kind="elements",
    c_types=("float", "float64[]", "float64[]"),
    c="""
double prefix_sum(double* a, double* out) {
  double s = 0.0;
  for (int64_t i = 0; i < SIZE; i++) {
    s += a[i];
    out[i] = s;
  }
  return out[SIZE - 1];
}
""",
    size=100_000,
    large=8_000_000,
)
