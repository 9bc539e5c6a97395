"""Iterations until escape over a grid: float arithmetic in a loop with an early exit."""

from bench.jit.workload import Workload


def mandelbrot(width, height, limit):
    total = 0
    for row in range(height):
        y0 = row * 2.0 / height - 1.0
        for column in range(width):
            x0 = column * 3.0 / width - 2.0
            x = 0.0
            y = 0.0
            count = 0
            while count < limit and x * x + y * y <= 4.0:
                x, y = x * x - y * y + x0, 2.0 * x * y + y0
                count += 1
            total += count
    return total


WORKLOAD = Workload(
    entry="mandelbrot",
    args=lambda: (120, 80, 200),
    kind="scalar",
    c_types=("int", "int", "int", "int"),
    c="""
int64_t mandelbrot(int64_t width, int64_t height, int64_t limit) {
  int64_t total = 0;
  for (int64_t row = 0; row < height; row++) {
    double y0 = row * 2.0 / height - 1.0;
    for (int64_t column = 0; column < width; column++) {
      double x0 = column * 3.0 / width - 2.0, x = 0, y = 0;
      int64_t count = 0;
      while (count < limit && x * x + y * y <= 4.0) {
        double t = x * x - y * y + x0;
        y = 2.0 * x * y + y0;
        x = t;
        count++;
      }
      total += count;
    }
  }
  return total;
}
""",
)
