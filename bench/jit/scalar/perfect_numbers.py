"""Perfect numbers by trial division up to the square root."""

from bench.jit.workload import Workload


def divisor_sum(n):
    total = 1
    d = 2
    while d * d <= n:
        if n % d == 0:
            total += d
            other = n // d
            if other != d:
                total += other
        d += 1
    return total


def perfect_sum(limit):
    found = 0
    for n in range(2, limit):
        if divisor_sum(n) == n:
            found += n
    return found


WORKLOAD = Workload(
    entry="perfect_sum",
    args=lambda: (20000,),
    kind="scalar",
    c_types=("int", "int"),
    c="""
static int64_t divisor_sum(int64_t n) {
  int64_t total = 1;
  for (int64_t d = 2; d * d <= n; d++)
    if (n % d == 0) {
      total += d;
      int64_t other = n / d;
      if (other != d) total += other;
    }
  return total;
}
int64_t perfect_sum(int64_t limit) {
  int64_t found = 0;
  for (int64_t n = 2; n < limit; n++)
    if (divisor_sum(n) == n) found += n;
  return found;
}
""",
)
