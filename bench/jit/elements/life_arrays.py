"""One generation of the Game of Life on a torus."""

import numpy as np

from bench.jit.workload import Workload


def life(board, out):
    n, m = board.shape
    alive = 0
    for i in range(n):
        for j in range(m):
            near = 0
            for di in range(-1, 2):
                for dj in range(-1, 2):
                    near += board[(i + di) % n, (j + dj) % m]
            near -= board[i, j]
            if near == 3 or (near == 2 and board[i, j] == 1):
                out[i, j] = 1
                alive += 1
            else:
                out[i, j] = 0
    return alive


def make_args(n):
    random = np.random.default_rng(1)
    return ((random.random((n, n)) < 0.3).astype("int64"), np.zeros((n, n), dtype="int64"))


WORKLOAD = Workload(
    entry="life",
    args=make_args,
    kind="elements",
    c_types=("int", "int64[]", "int64[]"),
    c="""
int64_t life(int64_t* board, int64_t* out) {
  enum { N = SIZE };
  int64_t alive = 0;
  for (int64_t i = 0; i < N; i++)
    for (int64_t j = 0; j < N; j++) {
      int64_t near = 0;
      for (int64_t di = -1; di < 2; di++)
        for (int64_t dj = -1; dj < 2; dj++) near += board[floor_mod(i + di, N) * N + floor_mod(j + dj, N)];
      near -= board[i * N + j];
      out[i * N + j] = near == 3 || (near == 2 && board[i * N + j] == 1);
      alive += out[i * N + j];
    }
  return alive;
}
""",
    size=100,
    large=1_500,
)
