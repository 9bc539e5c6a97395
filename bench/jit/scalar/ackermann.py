"""Ackermann's function: deep recursion with two arguments."""

from bench.jit.workload import Workload


def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


WORKLOAD = Workload(
    entry="ackermann",
    args=lambda: (3, 6),
    kind="scalar",
    c_types=("int", "int", "int"),
    c="""
int64_t ackermann(int64_t m, int64_t n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}
""",
)
