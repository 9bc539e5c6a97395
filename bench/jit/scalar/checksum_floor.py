"""Floor division and modulo of signed numbers by signed numbers: Python's rounding, not C's."""

from bench.jit.workload import Workload


def signed_mix(count, divisor):
    total = 0
    for i in range(-count, count):
        d = divisor if i % 3 else -divisor
        total += i // d - i % d
        total ^= i
    return total


WORKLOAD = Workload(
    entry="signed_mix",
    args=lambda: (600000, 37),
    kind="scalar",
    c_types=("int", "int", "int"),
    c="""
int64_t signed_mix(int64_t count, int64_t divisor) {
  int64_t total = 0;
  for (int64_t i = -count; i < count; i++) {
    int64_t d = floor_mod(i, 3) ? divisor : -divisor;
    total += floor_div(i, d) - floor_mod(i, d);
    total ^= i;
  }
  return total;
}
""",
)
