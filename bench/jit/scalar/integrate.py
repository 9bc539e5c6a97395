"""Midpoint rule for a rational function, called as a function: float division, one accumulator."""

from bench.jit.workload import Workload


def f(x):
    return x * x / (1.0 + x * x * x)


def integrate(low, high, steps):
    width = (high - low) / steps
    total = 0.0
    for i in range(steps):
        total += f(low + (i + 0.5) * width)
    return total * width


WORKLOAD = Workload(
    entry="integrate",
    args=lambda: (0.0, 10.0, 1000000),
    kind="scalar",
    c_types=("float", "float", "float", "int"),
    c="""
static double f(double x) { return x * x / (1.0 + x * x * x); }
double integrate(double low, double high, int64_t steps) {
  double width = (high - low) / steps, total = 0.0;
  for (int64_t i = 0; i < steps; i++) total += f(low + (i + 0.5) * width);
  return total * width;
}
""",
)
