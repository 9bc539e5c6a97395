"""Set bits counted Kernighan's way, and the parity of each number."""

from bench.jit.workload import Workload


def bits(n):
    count = 0
    while n:
        n &= n - 1
        count += 1
    return count


def thue_morse(limit):
    total = 0
    for n in range(limit):
        count = bits(n)
        total += count if count % 2 else -count
    return total


WORKLOAD = Workload(
    entry="thue_morse",
    args=lambda: (300000,),
    kind="scalar",
    c_types=("int", "int"),
    c="""
static int64_t bits(int64_t n) {
  int64_t count = 0;
  while (n) { n &= n - 1; count++; }
  return count;
}
int64_t thue_morse(int64_t limit) {
  int64_t total = 0;
  for (int64_t n = 0; n < limit; n++) {
    int64_t count = bits(n);
    total += count % 2 ? count : -count;
  }
  return total;
}
""",
)
