"""A 3 x 3 filter over an image of floats."""

import numpy as np

from bench.jit.workload import Workload


def convolution(image, kernel, out):
    rows, columns = image.shape
    for i in range(1, rows - 1):
        for j in range(1, columns - 1):
            s = 0.0
            for di in range(3):
                for dj in range(3):
                    s += image[i + di - 1, j + dj - 1] * kernel[di, dj]
            out[i, j] = s
    return float(out[rows // 2, columns // 2])


def make_args(n):
    random = np.random.default_rng(1)
    return (random.random((n, n)), random.random((3, 3)), np.zeros((n, n)))


WORKLOAD = Workload(
    entry="convolution",
    args=make_args,
    kind="elements",
    c_types=("float", "float64[]", "float64[]", "float64[]"),
    c="""
double convolution(double* image, double* kernel, double* out) {
  enum { N = SIZE };
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N - 1; j++) {
      double s = 0.0;
      for (int di = 0; di < 3; di++)
        for (int dj = 0; dj < 3; dj++) s += image[(i + di - 1) * N + j + dj - 1] * kernel[di * 3 + dj];
      out[i * N + j] = s;
    }
  return out[N / 2 * N + N / 2];
}
""",
    size=120,
    large=1_500,
)
