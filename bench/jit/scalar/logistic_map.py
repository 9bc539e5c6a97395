"""The logistic map over many growth rates: a chain of dependent float operations."""

from bench.jit.workload import Workload


def logistic(rates, steps):
    total = 0.0
    for k in range(rates):
        r = 2.5 + 1.5 * k / rates
        x = 0.5
        for _ in range(steps):
            x = r * x * (1.0 - x)
        total += x
    return total


WORKLOAD = Workload(
    entry="logistic",
    args=lambda: (2000, 1000),
    kind="scalar",
    c_types=("float", "int", "int"),
    c="""
double logistic(int64_t rates, int64_t steps) {
  double total = 0.0;
  for (int64_t k = 0; k < rates; k++) {
    double r = 2.5 + 1.5 * k / rates, x = 0.5;
    for (int64_t i = 0; i < steps; i++) x = r * x * (1.0 - x);
    total += x;
  }
  return total;
}
""",
)
