"""Square roots by Newton's method until nothing changes."""

from bench.jit.workload import Workload


def root(value):
    guess = value
    while True:
        better = 0.5 * (guess + value / guess)
        if abs(better - guess) < 1e-12 * better:
            return better
        guess = better


def sum_of_roots(count):
    total = 0.0
    for i in range(1, count):
        total += root(float(i))
    return total


WORKLOAD = Workload(
    entry="sum_of_roots",
    args=lambda: (100000,),
    kind="scalar",
    c_types=("float", "int"),
    c="""
static double root(double value) {
  double guess = value;
  for (;;) {
    double better = 0.5 * (guess + value / guess);
    if (fabs(better - guess) < 1e-12 * better) return better;
    guess = better;
  }
}
double sum_of_roots(int64_t count) {
  double total = 0.0;
  for (int64_t i = 1; i < count; i++) total += root((double)i);
  return total;
}
""",
)
