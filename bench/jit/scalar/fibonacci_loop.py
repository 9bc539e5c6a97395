"""Iterative Fibonacci, called often with varying n: two additions with overflow checks."""

from bench.jit.workload import Workload


def fibonacci(n):
    a = 0
    b = 1
    for _ in range(n):
        a, b = b, a + b
    return a


def many(repeats):
    mixed = 0
    for i in range(repeats):
        mixed ^= fibonacci(40 + i % 50)
    return mixed


WORKLOAD = Workload(
    entry="many",
    args=lambda: (60000,),
    kind="scalar",
    c_types=("int", "int"),
    c="""
static int64_t fibonacci(int64_t n) {
  int64_t a = 0, b = 1;
  for (int64_t i = 0; i < n; i++) { int64_t t = a + b; a = b; b = t; }
  return a;
}
int64_t many(int64_t repeats) {
  int64_t mixed = 0;
  for (int64_t i = 0; i < repeats; i++) mixed ^= fibonacci(40 + i % 50);
  return mixed;
}
""",
)
