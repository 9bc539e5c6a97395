"""Square and multiply for a Fermat test: modulo by a variable, shifts, bit tests."""

from bench.jit.workload import Workload


def power_modulo(base, exponent, modulus):
    result = 1
    base %= modulus
    while exponent > 0:
        if exponent & 1:
            result = result * base % modulus
        base = base * base % modulus
        exponent >>= 1
    return result


def fermat_count(low, high):
    count = 0
    for n in range(low, high):
        if power_modulo(2, n - 1, n) == 1:
            count += 1
    return count


WORKLOAD = Workload(
    entry="fermat_count",
    args=lambda: (1_000_000, 1_080_000),
    kind="scalar",
    c_types=("int", "int", "int"),
    c="""
static int64_t power_modulo(int64_t base, int64_t exponent, int64_t modulus) {
  int64_t result = 1;
  base = floor_mod(base, modulus);
  while (exponent > 0) {
    if (exponent & 1) result = floor_mod(result * base, modulus);
    base = floor_mod(base * base, modulus);
    exponent >>= 1;
  }
  return result;
}
int64_t fermat_count(int64_t low, int64_t high) {
  int64_t count = 0;
  for (int64_t n = low; n < high; n++)
    if (power_modulo(2, n - 1, n) == 1) count++;
  return count;
}
""",
)
