"""Primes counted one by one with 6k +- 1 trial division: early returns from a helper."""

from bench.jit.workload import Workload


def is_prime(n):
    if n < 2:
        return False
    if n % 2 == 0:
        return n == 2
    if n % 3 == 0:
        return n == 3
    i = 5
    while i * i <= n:
        if n % i == 0 or n % (i + 2) == 0:
            return False
        i += 6
    return True


def count_primes(low, high):
    count = 0
    for n in range(low, high):
        if is_prime(n):
            count += 1
    return count


WORKLOAD = Workload(
    entry="count_primes",
    args=lambda: (1_000_000, 1_030_000),
    kind="scalar",
    c_types=("int", "int", "int"),
    c="""
static int is_prime(int64_t n) {
  if (n < 2) return 0;
  if (n % 2 == 0) return n == 2;
  if (n % 3 == 0) return n == 3;
  for (int64_t i = 5; i * i <= n; i += 6)
    if (n % i == 0 || n % (i + 2) == 0) return 0;
  return 1;
}
int64_t count_primes(int64_t low, int64_t high) {
  int64_t count = 0;
  for (int64_t n = low; n < high; n++) count += is_prime(n);
  return count;
}
""",
)
