"""A Julia set with a break in the inner loop and a for-else."""

from bench.jit.workload import Workload


def julia(size, limit, cx, cy):
    inside = 0
    steps = 0
    for row in range(size):
        for column in range(size):
            x = 3.0 * column / size - 1.5
            y = 3.0 * row / size - 1.5
            for step in range(limit):
                xx = x * x
                yy = y * y
                if xx + yy > 4.0:
                    steps += step
                    break
                y = 2.0 * x * y + cy
                x = xx - yy + cx
            else:
                inside += 1
    return inside * 1000000 + steps


WORKLOAD = Workload(
    entry="julia",
    args=lambda: (150, 120, -0.7, 0.27015),
    kind="scalar",
    c_types=("int", "int", "int", "float", "float"),
    c="""
int64_t julia(int64_t size, int64_t limit, double cx, double cy) {
  int64_t inside = 0, steps = 0;
  for (int64_t row = 0; row < size; row++)
    for (int64_t column = 0; column < size; column++) {
      double x = 3.0 * column / size - 1.5, y = 3.0 * row / size - 1.5;
      int64_t step;
      for (step = 0; step < limit; step++) {
        double xx = x * x, yy = y * y;
        if (xx + yy > 4.0) { steps += step; break; }
        y = 2.0 * x * y + cy;
        x = xx - yy + cx;
      }
      if (step == limit) inside++;
    }
  return inside * 1000000 + steps;
}
""",
)
