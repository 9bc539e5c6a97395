"""The planets' orbits and the energy that should stay constant."""

from math import sqrt

# x, y, z, vx, vy, vz, mass
SUN = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 39.47841760435743]
JUPITER = [
    4.841431442464721,
    -1.1603200440274284,
    -0.10362204447112311,
    0.606326392995832,
    2.81198684491626,
    -0.02521836165988763,
    0.03769367487038949,
]
SATURN = [
    8.34336671824458,
    4.124798564124305,
    -0.4035234171143214,
    -1.0107743461787924,
    1.8256623712304119,
    0.008415761376584154,
    0.011286326131968767,
]
URANUS = [
    12.894369562139131,
    -15.111151401698631,
    -0.22330757889265573,
    1.082791006441535,
    0.8687130181696082,
    -0.010832637401363636,
    0.0017237240570597112,
]
NEPTUNE = [
    15.379697114850917,
    -25.919314609987964,
    0.17925877295037118,
    0.979090732243898,
    0.5946989986476762,
    -0.034755955504078104,
    0.0020336868699246304,
]


def advance(bodies, dt):
    n = len(bodies)
    for i in range(n):
        a = bodies[i]
        for j in range(i + 1, n):
            b = bodies[j]
            dx = a[0] - b[0]
            dy = a[1] - b[1]
            dz = a[2] - b[2]
            squared = dx * dx + dy * dy + dz * dz
            magnitude = dt / (squared * sqrt(squared))
            pull = b[6] * magnitude
            a[3] -= dx * pull
            a[4] -= dy * pull
            a[5] -= dz * pull
            push = a[6] * magnitude
            b[3] += dx * push
            b[4] += dy * push
            b[5] += dz * push
    for body in bodies:
        body[0] += dt * body[3]
        body[1] += dt * body[4]
        body[2] += dt * body[5]


def energy(bodies):
    total = 0.0
    for i in range(len(bodies)):
        x, y, z, vx, vy, vz, mass = bodies[i]
        total += 0.5 * mass * (vx * vx + vy * vy + vz * vz)
        for other in bodies[i + 1 :]:
            dx = x - other[0]
            dy = y - other[1]
            dz = z - other[2]
            total -= mass * other[6] / sqrt(dx * dx + dy * dy + dz * dz)
    return total


def main():
    bodies = [SUN, JUPITER, SATURN, URANUS, NEPTUNE]
    for axis in range(3):
        momentum = sum(body[3 + axis] * body[6] for body in bodies)
        SUN[3 + axis] = -momentum / SUN[6]
    print(f"energy at start: {energy(bodies):.12f}")
    for part in range(1, 6):
        for _ in range(20_000):
            advance(bodies, 0.01)
        print(f"after {part * 200} years: {energy(bodies):.12f}, sun at {SUN[0]:.12f}")


if __name__ == "__main__":
    main()
