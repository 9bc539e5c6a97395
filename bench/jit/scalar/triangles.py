"""Right triangles with a given perimeter limit: three nested loops over ints."""

from bench.jit.workload import Workload


def triangles(limit):
    count = 0
    for a in range(1, limit // 3):
        for b in range(a, (limit - a) // 2):
            c2 = a * a + b * b
            c = b
            while c * c < c2:
                c += 1
            if c * c == c2 and a + b + c <= limit:
                count += 1
    return count


WORKLOAD = Workload(
    entry="triangles",
    args=lambda: (800,),
    kind="scalar",
    c_types=("int", "int"),
    c="""
int64_t triangles(int64_t limit) {
  int64_t count = 0;
  for (int64_t a = 1; a < limit / 3; a++)
    for (int64_t b = a; b < (limit - a) / 2; b++) {
      int64_t c2 = a * a + b * b, c = b;
      while (c * c < c2) c++;
      if (c * c == c2 && a + b + c <= limit) count++;
    }
  return count;
}
""",
)
