"""Rays of a camera against one sphere with a diffuse light: float branches and a square root."""

from math import sqrt

from bench.jit.workload import Workload


def shade(ox, oy, oz, dx, dy, dz):
    b = ox * dx + oy * dy + oz * dz
    c = ox * ox + oy * oy + oz * oz - 1.0
    disc = b * b - c
    if disc < 0.0:
        return 0.1
    t = -b - sqrt(disc)
    if t <= 0.0:
        return 0.1
    nx = ox + t * dx
    ny = oy + t * dy
    nz = oz + t * dz
    light = nx * 0.57735 + ny * 0.57735 - nz * 0.57735
    return max(0.0, light)


def render(width, height):
    total = 0.0
    for j in range(height):
        for i in range(width):
            dx = (i - width / 2) / width
            dy = (j - height / 2) / height
            dz = 1.0
            length = sqrt(dx * dx + dy * dy + dz * dz)
            total += shade(0.0, 0.0, -3.0, dx / length, dy / length, dz / length)
    return total


WORKLOAD = Workload(
    entry="render",
    args=lambda: (500, 400),
    kind="scalar",
    c_types=("float", "int", "int"),
    c="""
static double shade(double ox, double oy, double oz, double dx, double dy, double dz) {
  double b = ox * dx + oy * dy + oz * dz;
  double c = ox * ox + oy * oy + oz * oz - 1.0;
  double disc = b * b - c;
  if (disc < 0.0) return 0.1;
  double t = -b - sqrt(disc);
  if (t <= 0.0) return 0.1;
  double nx = ox + t * dx, ny = oy + t * dy, nz = oz + t * dz;
  double light = nx * 0.57735 + ny * 0.57735 - nz * 0.57735;
  return light > 0.0 ? light : 0.0;
}
double render(int64_t width, int64_t height) {
  double total = 0.0;
  for (int64_t j = 0; j < height; j++)
    for (int64_t i = 0; i < width; i++) {
      double dx = (i - width / 2.0) / width, dy = (j - height / 2.0) / height, dz = 1.0;
      double length = sqrt(dx * dx + dy * dy + dz * dz);
      total += shade(0.0, 0.0, -3.0, dx / length, dy / length, dz / length);
    }
  return total;
}
""",
)
