"""How often each byte occurs."""

import numpy as np

from bench.jit.workload import Workload


def histogram(data, counts):
    for i in range(len(counts)):
        counts[i] = 0
    for x in data:
        counts[x] += 1
    return int(counts[7])


def make_args(n):
    random = np.random.default_rng(1)
    return (random.integers(0, 256, n).astype("uint8"), np.zeros(256, dtype="int64"))


WORKLOAD = Workload(
    entry="histogram",
    args=make_args,
    kind="elements",
    c_types=("int", "uint8[]", "int64[]"),
    c="""
int64_t histogram(uint8_t* data, int64_t* counts) {
  for (int i = 0; i < 256; i++) counts[i] = 0;
  for (int64_t i = 0; i < SIZE; i++) counts[data[i]] += 1;
  return counts[7];
}
""",
    size=100_000,
    large=48_000_000,
)
