"""A 32-bit xorshift generator: shifts and masks on ints that stay below 2**63."""

from bench.jit.workload import Workload


def xorshift(seed, count):
    x = seed
    mixed = 0
    for _ in range(count):
        x ^= (x << 13) & 0xFFFFFFFF
        x ^= x >> 17
        x ^= (x << 5) & 0xFFFFFFFF
        mixed = (mixed * 31 + x) & 0xFFFFFFFF
    return mixed


WORKLOAD = Workload(
    entry="xorshift",
    args=lambda: (2463534242, 700000),
    kind="scalar",
    c_types=("int", "int", "int"),
    c="""
int64_t xorshift(int64_t seed, int64_t count) {
  int64_t x = seed, mixed = 0;
  for (int64_t i = 0; i < count; i++) {
    x ^= (x << 13) & 0xFFFFFFFF;
    x ^= x >> 17;
    x ^= (x << 5) & 0xFFFFFFFF;
    mixed = (mixed * 31 + x) & 0xFFFFFFFF;
  }
  return mixed;
}
""",
)
