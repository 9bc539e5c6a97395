"""Binomial coefficients by the multiplicative formula, all below 2**63."""

from bench.jit.workload import Workload


def binomial(n, k):
    if k > n - k:
        k = n - k
    result = 1
    for i in range(1, k + 1):
        result = result * (n - k + i) // i
    return result


def checksum(rows, repeats):
    total = 0
    for repeat in range(repeats):
        for n in range(rows):
            for k in range(n + 1):
                total ^= binomial(n, k) + repeat
    return total


WORKLOAD = Workload(
    entry="checksum",
    args=lambda: (56, 25),
    kind="scalar",
    c_types=("int", "int", "int"),
    c="""
static int64_t binomial(int64_t n, int64_t k) {
  if (k > n - k) k = n - k;
  int64_t result = 1;
  for (int64_t i = 1; i <= k; i++) result = floor_div(result * (n - k + i), i);
  return result;
}
int64_t checksum(int64_t rows, int64_t repeats) {
  int64_t total = 0;
  for (int64_t repeat = 0; repeat < repeats; repeat++)
    for (int64_t n = 0; n < rows; n++)
      for (int64_t k = 0; k <= n; k++) total ^= binomial(n, k) + repeat;
  return total;
}
""",
)
