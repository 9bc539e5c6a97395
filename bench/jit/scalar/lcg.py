"""A linear congruential generator: multiply, add, modulo by a power of two that is not constant."""

from bench.jit.workload import Workload


def lcg(seed, modulus, count):
    state = seed
    total = 0
    for _ in range(count):
        state = (state * 1103515245 + 12345) % modulus
        total += state & 1023
    return total


WORKLOAD = Workload(
    entry="lcg",
    args=lambda: (42, 2147483648, 1500000),
    kind="scalar",
    c_types=("int", "int", "int", "int"),
    c="""
int64_t lcg(int64_t seed, int64_t modulus, int64_t count) {
  int64_t state = seed, total = 0;
  for (int64_t i = 0; i < count; i++) {
    state = floor_mod(state * 1103515245 + 12345, modulus);
    total += state & 1023;
  }
  return total;
}
""",
)
