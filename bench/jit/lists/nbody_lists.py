"""The n-body problem on flat lists of floats, updated in place."""

from bench.jit.workload import Workload


def advance(x, y, z, vx, vy, vz, mass, dt, steps):
    n = len(x)
    for _ in range(steps):
        for i in range(n):
            for j in range(i + 1, n):
                dx = x[i] - x[j]
                dy = y[i] - y[j]
                dz = z[i] - z[j]
                squared = dx * dx + dy * dy + dz * dz
                mag = dt / (squared * squared**0.5)
                vx[i] -= dx * mass[j] * mag
                vy[i] -= dy * mass[j] * mag
                vz[i] -= dz * mass[j] * mag
                vx[j] += dx * mass[i] * mag
                vy[j] += dy * mass[i] * mag
                vz[j] += dz * mass[i] * mag
        for i in range(n):
            x[i] += dt * vx[i]
            y[i] += dt * vy[i]
            z[i] += dt * vz[i]


def simulate(x, y, z, vx, vy, vz, mass, steps):
    # Works on copies, so that each run starts from the same state.
    px = x[:]
    py = y[:]
    pz = z[:]
    ux = vx[:]
    uy = vy[:]
    uz = vz[:]
    advance(px, py, pz, ux, uy, uz, mass, 0.01, steps)
    total = 0.0
    for i in range(len(px)):
        total += px[i] + py[i] + pz[i] + ux[i] + uy[i] + uz[i]
    return total


def make_args():
    x = [
        0.0,
        4.8414314424,
        8.3433667182,
        12.8943695621,
        15.3796971148,
    ]
    y = [0.0, -1.1603200440, 4.1247985641, -15.1111514016, -25.9193146099]
    z = [
        0.0,
        -0.1036220444,
        -0.4035234171,
        -0.2233075788,
        0.1792587729,
    ]
    vx = [0.0, 0.6063263929, -1.0107743461, 1.0827910064, 0.9790907322]
    vy = [0.0, 2.8119868449, 1.8256623712, 0.8687130181, 0.5946989986]
    vz = [0.0, -0.0252183616, 0.0084157613, -0.0108326374, -0.0347559555]
    mass = [
        39.4784176043,
        0.0376936748,
        0.0112863261,
        0.0017237240,
        0.0020336868,
    ]
    return x, y, z, vx, vy, vz, mass, 4000


WORKLOAD = Workload(
    entry="simulate",
    args=make_args,
    kind="write",
    relative=1e-9,
    c_types=("float", *["object"] * 7, "int"),
    c="""
static inline double at(PyObject* l, int64_t i) { return as_float(item(l, i)); }
static inline void put(PyObject* l, int64_t i, double v) { set_item(l, i, FLOAT(v)); }
static double simulate(PyObject* x0, PyObject* y0, PyObject* z0, PyObject* vx0, PyObject* vy0,
                       PyObject* vz0, PyObject* mass, int64_t steps) {
  int64_t n = PyList_GET_SIZE(x0);
  PyObject *x = PyList_GetSlice(x0, 0, n), *y = PyList_GetSlice(y0, 0, n),
           *z = PyList_GetSlice(z0, 0, n), *vx = PyList_GetSlice(vx0, 0, n),
           *vy = PyList_GetSlice(vy0, 0, n), *vz = PyList_GetSlice(vz0, 0, n);
  double dt = 0.01, total = 0.0;
  for (int64_t step = 0; step < steps; step++) {
    for (int64_t i = 0; i < n; i++)
      for (int64_t j = i + 1; j < n; j++) {
        double dx = at(x, i) - at(x, j), dy = at(y, i) - at(y, j), dz = at(z, i) - at(z, j);
        double squared = dx * dx + dy * dy + dz * dz, mag = dt / (squared * sqrt(squared));
        put(vx, i, at(vx, i) - dx * at(mass, j) * mag);
        put(vy, i, at(vy, i) - dy * at(mass, j) * mag);
        put(vz, i, at(vz, i) - dz * at(mass, j) * mag);
        put(vx, j, at(vx, j) + dx * at(mass, i) * mag);
        put(vy, j, at(vy, j) + dy * at(mass, i) * mag);
        put(vz, j, at(vz, j) + dz * at(mass, i) * mag);
      }
    for (int64_t i = 0; i < n; i++) {
      put(x, i, at(x, i) + dt * at(vx, i));
      put(y, i, at(y, i) + dt * at(vy, i));
      put(z, i, at(z, i) + dt * at(vz, i));
    }
  }
  for (int64_t i = 0; i < n; i++)
    total += at(x, i) + at(y, i) + at(z, i) + at(vx, i) + at(vy, i) + at(vz, i);
  Py_DECREF(x); Py_DECREF(y); Py_DECREF(z); Py_DECREF(vx); Py_DECREF(vy); Py_DECREF(vz);
  return total;
}
""",
)
