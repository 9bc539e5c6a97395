"""A damped pendulum by Runge-Kutta of order four: math.sin and many float temporaries."""

from math import sin

from bench.jit.workload import Workload


def acceleration(angle, speed):
    return -9.81 * sin(angle) - 0.1 * speed


def simulate(angle, steps, dt):
    speed = 0.0
    for _ in range(steps):
        a1 = acceleration(angle, speed)
        v1 = speed
        a2 = acceleration(angle + 0.5 * dt * v1, speed + 0.5 * dt * a1)
        v2 = speed + 0.5 * dt * a1
        a3 = acceleration(angle + 0.5 * dt * v2, speed + 0.5 * dt * a2)
        v3 = speed + 0.5 * dt * a2
        a4 = acceleration(angle + dt * v3, speed + dt * a3)
        v4 = speed + dt * a3
        angle += dt * (v1 + 2.0 * v2 + 2.0 * v3 + v4) / 6.0
        speed += dt * (a1 + 2.0 * a2 + 2.0 * a3 + a4) / 6.0
    return angle * 1000.0 + speed


WORKLOAD = Workload(
    entry="simulate",
    args=lambda: (1.2, 120000, 1e-4),
    kind="scalar",
    relative=1e-9,
    c_types=("float", "float", "int", "float"),
    c="""
static double acceleration(double angle, double speed) {
  return -9.81 * sin(angle) - 0.1 * speed;
}
double simulate(double angle, int64_t steps, double dt) {
  double speed = 0.0;
  for (int64_t i = 0; i < steps; i++) {
    double a1 = acceleration(angle, speed), v1 = speed;
    double a2 = acceleration(angle + 0.5 * dt * v1, speed + 0.5 * dt * a1);
    double v2 = speed + 0.5 * dt * a1;
    double a3 = acceleration(angle + 0.5 * dt * v2, speed + 0.5 * dt * a2);
    double v3 = speed + 0.5 * dt * a2;
    double a4 = acceleration(angle + dt * v3, speed + dt * a3);
    double v4 = speed + dt * a3;
    angle += dt * (v1 + 2.0 * v2 + 2.0 * v3 + v4) / 6.0;
    speed += dt * (a1 + 2.0 * a2 + 2.0 * a3 + a4) / 6.0;
  }
  return angle * 1000.0 + speed;
}
""",
)
