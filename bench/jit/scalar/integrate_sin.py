"""Simpson's rule for sin(x) * exp(-x): calls into the C library's math."""

import math

from bench.jit.workload import Workload


def simpson(low, high, steps):
    width = (high - low) / steps
    total = math.sin(low) * math.exp(-low) + math.sin(high) * math.exp(-high)
    for i in range(1, steps):
        x = low + i * width
        value = math.sin(x) * math.exp(-x)
        if i % 2 == 1:
            total += 4.0 * value
        else:
            total += 2.0 * value
    return total * width / 3.0


WORKLOAD = Workload(
    entry="simpson",
    args=lambda: (0.0, 20.0, 800000),
    kind="scalar",
    relative=1e-12,
    c_types=("float", "float", "float", "int"),
    c="""
double simpson(double low, double high, int64_t steps) {
  double width = (high - low) / steps;
  double total = sin(low) * exp(-low) + sin(high) * exp(-high);
  for (int64_t i = 1; i < steps; i++) {
    double x = low + i * width, value = sin(x) * exp(-x);
    total += i % 2 == 1 ? 4.0 * value : 2.0 * value;
  }
  return total * width / 3.0;
}
""",
)
