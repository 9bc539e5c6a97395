"""Running sums."""

import numpy as np

from bench.jit.workload import Workload


def prefix_sum(a, out):
    s = 0.0
    for i in range(len(a)):
        s += a[i]
        out[i] = s
    return float(out[len(out) - 1])


def make_args():
    random = np.random.default_rng(1)
    return (random.random(100_000), np.zeros(100_000))


WORKLOAD = Workload(
    entry="prefix_sum",
    args=make_args,
    kind="elements",
    c_types=("float", "float64[]", "float64[]"),
    c="""
double prefix_sum(double* a, double* out) {
  double s = 0.0;
  for (int64_t i = 0; i < 100000; i++) {
    s += a[i];
    out[i] = s;
  }
  return out[99999];
}
""",
)
