"""CRC-32 with a table made by the function, over a list of byte values."""

from bench.jit.workload import Workload


def make_table():
    table = []
    for n in range(256):
        c = n
        for _ in range(8):
            if c & 1:
                c = 0xEDB88320 ^ (c >> 1)
            else:
                c >>= 1
        table.append(c)
    return table


def crc32(data):
    table = make_table()
    crc = 0xFFFFFFFF
    for byte in data:
        crc = table[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    return crc ^ 0xFFFFFFFF


WORKLOAD = Workload(
    entry="crc32",
    args=lambda: ([(i * i + 7) % 256 for i in range(1_000_000)],),
    kind="search",
    numba=("plain", "typed"),
    c_types=("int", "object"),
    c="""
static int64_t crc32(PyObject* data) {
  PyObject* table = PyList_New(256);
  for (int64_t n = 0; n < 256; n++) {
    int64_t c = n;
    for (int k = 0; k < 8; k++) c = c & 1 ? 0xEDB88320 ^ (c >> 1) : c >> 1;
    PyList_SET_ITEM(table, n, INT(c));
  }
  int64_t crc = 0xFFFFFFFF;
  for (int64_t i = 0; i < PyList_GET_SIZE(data); i++)
    crc = as_int(item(table, (crc ^ as_int(item(data, i))) & 0xFF)) ^ (crc >> 8);
  Py_DECREF(table);
  return crc ^ 0xFFFFFFFF;
}
""",
)
