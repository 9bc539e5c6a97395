"""Pi by throwing darts, with a generator of its own: integer state, float comparison."""

from bench.jit.workload import Workload


def estimate_pi(samples, seed):
    inside = 0
    state = seed
    for _ in range(samples):
        state = (state * 16807) % 2147483647
        x = state / 2147483647
        state = (state * 16807) % 2147483647
        y = state / 2147483647
        if x * x + y * y <= 1.0:
            inside += 1
    return 4.0 * inside / samples


WORKLOAD = Workload(
    entry="estimate_pi",
    args=lambda: (700000, 12345),
    kind="scalar",
    c_types=("float", "int", "int"),
    c="""
double estimate_pi(int64_t samples, int64_t seed) {
  int64_t inside = 0, state = seed;
  for (int64_t i = 0; i < samples; i++) {
    state = floor_mod(state * 16807, 2147483647);
    double x = (double)state / 2147483647;
    state = floor_mod(state * 16807, 2147483647);
    double y = (double)state / 2147483647;
    if (x * x + y * y <= 1.0) inside++;
  }
  return 4.0 * inside / samples;
}
""",
)
