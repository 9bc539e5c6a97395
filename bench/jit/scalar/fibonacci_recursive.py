"""Recursive Fibonacci: calls and nothing else."""

from bench.jit.workload import Workload


def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


WORKLOAD = Workload(
    entry="fib",
    args=lambda: (27,),
    kind="scalar",
    c_types=("int", "int"),
    c="""
int64_t fib(int64_t n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
""",
)
