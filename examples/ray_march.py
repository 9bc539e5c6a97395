"""A ring and a ball over a floor, by ray marching: distance functions called per step."""

from math import sqrt

SHADES = " .,:;irsXA253hMHGS#9B&@"


def scene(x, y, z):
    ball = sqrt((x + 0.9) ** 2 + (y - 0.1) ** 2 + z * z) - 0.75
    ring = sqrt(max(0.0, (sqrt((x - 0.9) ** 2 + z * z) - 0.65)) ** 2 + y * y) - 0.25
    floor = y + 0.8
    return min(ball, ring, floor)


def march(dx, dy, dz):
    t = 0.0
    for _ in range(90):
        distance = scene(dx * t, 0.6 + dy * t, -3.5 + dz * t)
        if distance < 0.001:
            return t
        t += distance
        if t > 20.0:
            break
    return -1.0


def brightness(dx, dy, dz):
    t = march(dx, dy, dz)
    if t < 0.0:
        return 0.0
    x = dx * t
    y = 0.6 + dy * t
    z = -3.5 + dz * t
    e = 0.0005
    nx = scene(x + e, y, z) - scene(x - e, y, z)
    ny = scene(x, y + e, z) - scene(x, y - e, z)
    nz = scene(x, y, z + e) - scene(x, y, z - e)
    length = sqrt(nx * nx + ny * ny + nz * nz)
    light = (0.4 * nx + 0.8 * ny - 0.45 * nz) / length
    return max(0.05, light) / (1.0 + 0.04 * t * t)


def main():
    width, height = 260, 130
    total = 0.0
    for row in range(height):
        line = []
        for column in range(width):
            dx = (column - width / 2) / width * 1.7
            dy = (height / 2 - row) / height * 1.1 - 0.12
            dz = 1.0
            length = sqrt(dx * dx + dy * dy + dz * dz)
            value = brightness(dx / length, dy / length, dz / length)
            total += value
            line.append(SHADES[min(len(SHADES) - 1, int(value * len(SHADES)))])
        if row % 4 == 0:
            print("".join(line[::2]).rstrip())
    print(f"total light: {total:.9f}")


if __name__ == "__main__":
    main()
