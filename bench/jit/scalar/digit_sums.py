"""Sum of the decimal digits of many numbers: modulo and division by a constant."""

from bench.jit.workload import Workload


def digit_sum(n):
    total = 0
    while n > 0:
        total += n % 10
        n //= 10
    return total


def all_digit_sums(limit, step):
    total = 0
    for n in range(0, limit, step):
        total += digit_sum(n)
    return total


WORKLOAD = Workload(
    entry="all_digit_sums",
    args=lambda: (10**12, 3_000_017),
    kind="scalar",
    c_types=("int", "int", "int"),
    c="""
static int64_t digit_sum(int64_t n) {
  int64_t total = 0;
  while (n > 0) { total += n % 10; n /= 10; }
  return total;
}
int64_t all_digit_sums(int64_t limit, int64_t step) {
  int64_t total = 0;
  for (int64_t n = 0; n < limit; n += step) total += digit_sum(n);
  return total;
}
""",
)
