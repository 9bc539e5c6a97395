"""The Mandelbrot set written with complex numbers and abs()."""

from bench.jit.workload import Workload


def escape_total(size, limit):
    total = 0
    for row in range(size):
        for column in range(size):
            c = complex(column * 3.0 / size - 2.0, row * 2.0 / size - 1.0)
            z = 0j
            count = 0
            while abs(z) <= 2.0 and count < limit:
                z = z * z + c
                count += 1
            total += count
    return total


WORKLOAD = Workload(
    entry="escape_total",
    args=lambda: (80, 150),
    kind="scalar",
    c_types=("int", "int", "int"),
    c="""
int64_t escape_total(int64_t size, int64_t limit) {
  int64_t total = 0;
  for (int64_t row = 0; row < size; row++)
    for (int64_t column = 0; column < size; column++) {
      double cr = column * 3.0 / size - 2.0, ci = row * 2.0 / size - 1.0, zr = 0, zi = 0;
      int64_t count = 0;
      while (hypot(zr, zi) <= 2.0 && count < limit) {
        double r = zr * zr - zi * zi, i = zr * zi + zi * zr;
        zr = r + cr;
        zi = i + ci;
        count++;
      }
      total += count;
    }
  return total;
}
""",
)
