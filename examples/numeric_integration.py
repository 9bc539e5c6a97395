"""Integrals by three rules, against their closed forms."""

import math


def bell(x):
    return math.exp(-x * x)


def rational(x):
    return 1.0 / (1.0 + x * x)


def wave(x):
    return x * math.sin(x)


def midpoint_bell(low, high, steps):
    width = (high - low) / steps
    total = 0.0
    for i in range(steps):
        total += bell(low + (i + 0.5) * width)
    return total * width


def trapezoid_rational(low, high, steps):
    width = (high - low) / steps
    total = 0.5 * (rational(low) + rational(high))
    for i in range(1, steps):
        total += rational(low + i * width)
    return total * width


def simpson_wave(low, high, steps):
    width = (high - low) / steps
    total = wave(low) + wave(high)
    for i in range(1, steps):
        factor = 4.0 if i % 2 else 2.0
        total += factor * wave(low + i * width)
    return total * width / 3.0


def main():
    steps = 3_000_000
    got = midpoint_bell(-6.0, 6.0, steps)
    print(f"bell: {got:.12f}, off by {abs(got - math.sqrt(math.pi)):.3e}")
    got = trapezoid_rational(0.0, 1.0, steps)
    print(f"rational: {4 * got:.12f}, off by {abs(4 * got - math.pi):.3e}")
    got = simpson_wave(0.0, math.pi, steps)
    print(f"wave: {got:.12f}, off by {abs(got - math.pi):.3e}")


if __name__ == "__main__":
    main()
