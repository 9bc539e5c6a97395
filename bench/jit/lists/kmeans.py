"""k-means on two lists of coordinates: long lists are read, short ones written."""

from bench.jit.workload import Workload


def kmeans(xs, ys, k, rounds):
    n = len(xs)
    cx = [xs[i * n // k] for i in range(k)]
    cy = [ys[i * n // k] for i in range(k)]
    for _ in range(rounds):
        sx = [0.0] * k
        sy = [0.0] * k
        counts = [0] * k
        for i in range(n):
            x = xs[i]
            y = ys[i]
            best = 0
            best_distance = 1e300
            for c in range(k):
                dx = x - cx[c]
                dy = y - cy[c]
                distance = dx * dx + dy * dy
                if distance < best_distance:
                    best_distance = distance
                    best = c
            sx[best] += x
            sy[best] += y
            counts[best] += 1
        for c in range(k):
            if counts[c] > 0:
                cx[c] = sx[c] / counts[c]
                cy[c] = sy[c] / counts[c]
    return sum(cx) + sum(cy)


def make_args():
    state = 17
    xs = []
    ys = []
    for _ in range(4000):
        state = state * 16807 % 2147483647
        xs.append(state / 2147483647.0)
        state = state * 16807 % 2147483647
        ys.append(state / 2147483647.0)
    return xs, ys, 8, 10


WORKLOAD = Workload(
    entry="kmeans",
    args=make_args,
    kind="read",
    numba=("plain", "typed"),
    relative=1e-12,
    c_types=("float", "object", "object", "int", "int"),
    c="""
static double kmeans(PyObject* xs, PyObject* ys, int64_t k, int64_t rounds) {
  int64_t n = PyList_GET_SIZE(xs);
  double cx[k], cy[k], sx[k], sy[k];
  int64_t counts[k];
  for (int64_t i = 0; i < k; i++) {
    cx[i] = as_float(item(xs, i * n / k));
    cy[i] = as_float(item(ys, i * n / k));
  }
  for (int64_t r = 0; r < rounds; r++) {
    for (int64_t c = 0; c < k; c++) { sx[c] = sy[c] = 0.0; counts[c] = 0; }
    for (int64_t i = 0; i < n; i++) {
      double x = as_float(item(xs, i)), y = as_float(item(ys, i)), best_distance = 1e300;
      int64_t best = 0;
      for (int64_t c = 0; c < k; c++) {
        double dx = x - cx[c], dy = y - cy[c], distance = dx * dx + dy * dy;
        if (distance < best_distance) { best_distance = distance; best = c; }
      }
      sx[best] += x;
      sy[best] += y;
      counts[best]++;
    }
    for (int64_t c = 0; c < k; c++)
      if (counts[c] > 0) { cx[c] = sx[c] / counts[c]; cy[c] = sy[c] / counts[c]; }
  }
  double total = 0.0, other = 0.0;
  for (int64_t c = 0; c < k; c++) { total += cx[c]; other += cy[c]; }
  return total + other;
}
""",
)
