"""One sweep of the Ising model on a torus (Metropolis), with a linear congruential generator."""

import numpy as np

from bench.jit.workload import Workload


def ising(start, spins, chances):
    n = len(start)
    for i in range(n):
        for j in range(n):
            spins[i, j] = start[i, j]
    seed = 12345
    flips = 0
    for i in range(n):
        for j in range(n):
            spin = spins[i, j]
            around = (
                spins[(i + 1) % n, j]
                + spins[(i - 1) % n, j]
                + spins[i, (j + 1) % n]
                + spins[i, (j - 1) % n]
            )
            seed = (seed * 1103515245 + 12345) % 2147483648
            if seed < chances[spin * around]:
                spins[i, j] = -spin
                flips += 1
    return flips


def make_args(n):
    random = np.random.default_rng(1)
    spins = np.where(random.random((n, n)) < 0.5, 1, -1).astype("int8")
    # By spin times the sum of its neighbours, negative ones from the end.
    energies = np.array([0, 1, 2, 3, 4, -4, -3, -2, -1])
    chances = np.minimum(np.exp(-2 * energies / 2.27), 1.0) * 2147483648
    return (spins, np.zeros((n, n), dtype="int8"), chances)


WORKLOAD = Workload(
    entry="ising",
    args=make_args,
    kind="elements",
    c_types=("int", "int8[]", "int8[]", "float64[]"),
    c="""
int64_t ising(int8_t* start, int8_t* spins, double* chances) {
  enum { N = SIZE };
  for (int64_t i = 0; i < N * N; i++) spins[i] = start[i];
  int64_t seed = 12345, flips = 0;
  for (int64_t i = 0; i < N; i++)
    for (int64_t j = 0; j < N; j++) {
      int8_t spin = spins[i * N + j];
      int8_t around = spins[floor_mod(i + 1, N) * N + j] + spins[floor_mod(i - 1, N) * N + j] +
                      spins[i * N + floor_mod(j + 1, N)] + spins[i * N + floor_mod(j - 1, N)];
      seed = (seed * 1103515245 + 12345) % 2147483648;
      int e = spin * around;
      if (seed < chances[e < 0 ? e + 9 : e]) {
        spins[i * N + j] = -spin;
        flips++;
      }
    }
  return flips;
}
""",
    size=100,
)
