"""CRC-32 of an array of bytes, by table, each step depending on the one before."""

import numpy as np

from bench.jit.workload import Workload


def crc(data, table):
    c = np.uint32(0xFFFFFFFF)
    for i in range(len(data)):
        c = table[(c ^ data[i]) & 255] ^ (c >> 8)
    return int(c) ^ 0xFFFFFFFF


def make_args(n):
    table = np.arange(256, dtype="uint32")
    for _ in range(8):
        table = np.where(table & 1, table >> 1 ^ 0xEDB88320, table >> 1).astype("uint32")
    return (np.random.default_rng(1).integers(0, 256, n).astype("uint8"), table)


WORKLOAD = Workload(
    entry="crc",
    args=make_args,
    kind="elements",
    c_types=("int", "uint8[]", "uint32[]"),
    c="""
int64_t crc(uint8_t* data, uint32_t* table) {
  uint32_t c = 0xFFFFFFFF;
  for (int64_t i = 0; i < SIZE; i++) c = table[(c ^ data[i]) & 255] ^ (c >> 8);
  return c ^ 0xFFFFFFFF;
}
""",
    size=100_000,
)
