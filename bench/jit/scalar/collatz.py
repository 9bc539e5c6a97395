"""Longest Collatz chain below a limit: integer tests, halving, multiply and add."""

from bench.jit.workload import Workload


def longest_chain(limit):
    best = 0
    best_start = 0
    for start in range(1, limit):
        n = start
        length = 1
        while n != 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            length += 1
        if length > best:
            best = length
            best_start = start
    return best_start


WORKLOAD = Workload(
    entry="longest_chain",
    args=lambda: (20000,),
    kind="scalar",
    c_types=("int", "int"),
    c="""
int64_t longest_chain(int64_t limit) {
  int64_t best = 0, best_start = 0;
  for (int64_t start = 1; start < limit; start++) {
    int64_t n = start, length = 1;
    while (n != 1) {
      if (n % 2 == 0) n = n / 2; else n = 3 * n + 1;
      length++;
    }
    if (length > best) { best = length; best_start = start; }
  }
  return best_start;
}
""",
)
