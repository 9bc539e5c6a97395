"""Euclid's algorithm over all pairs: modulo by a variable, parallel assignment."""

from bench.jit.workload import Workload


def gcd(a, b):
    while b:
        a, b = b, a % b
    return a


def coprime_pairs(limit):
    count = 0
    for a in range(1, limit):
        for b in range(1, limit):
            if gcd(a, b) == 1:
                count += 1
    return count


WORKLOAD = Workload(
    entry="coprime_pairs",
    args=lambda: (600,),
    kind="scalar",
    c_types=("int", "int"),
    c="""
static int64_t gcd(int64_t a, int64_t b) {
  while (b) { int64_t t = floor_mod(a, b); a = b; b = t; }
  return a;
}
int64_t coprime_pairs(int64_t limit) {
  int64_t count = 0;
  for (int64_t a = 1; a < limit; a++)
    for (int64_t b = 1; b < limit; b++)
      if (gcd(a, b) == 1) count++;
  return count;
}
""",
)
