"""Sum of 64-bit integers: overflow is looked for, and given to CPython."""

import numpy as np

from bench.jit.workload import Workload


def sum_int_array(a):
    s = 0
    for x in a:
        s += x
    return int(s)


def make_args(n):
    random = np.random.default_rng(1)
    return (random.integers(0, 1000, n),)


WORKLOAD = Workload(
    entry="sum_int_array",
    args=make_args,
    kind="elements",
    c_types=("int", "int64[]"),
    c="""
int64_t sum_int_array(int64_t* a) {
  int64_t s = 0;
  for (int64_t i = 0; i < SIZE; i++) s += a[i];
  return s;
}
""",
    size=100_000,
    large=8_000_000,
)
