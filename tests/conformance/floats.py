"""Floats bit by bit, and the places where C and Python part ways."""
# compiled: add, divide, floordiv, mod, power, to_int, rounded, rounded_to, compare, extremes, mean, root
# compiled: logarithm, exponential, newton, near_2_53, integral

import math

INF = float("inf")
NAN = float("nan")
EDGES = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.1,
    2.5,
    -2.5,
    1e16,
    5e-324,
    1e308,
    1.7976931348623157e308,
    INF,
    -INF,
    NAN,
]


def add(a, b):
    return a + b, a - b, a * b


def divide(a, b):
    return a / b


def floordiv(a, b):
    return a // b


def mod(a, b):
    return a % b


def power(a, b):
    return a**b


def to_int(a):
    return int(a)


def rounded(a):
    return round(a)


def rounded_to(a, n):
    return round(a, n)


def compare(a, b):
    return a < b, a <= b, a == b, a != b, a > b, a >= b


def near_2_53(i, f):
    return i == f, i < f, i > f, f <= i


def extremes(a, b):
    return min(a, b), max(a, b), min(b, a), max(b, a)


def root(a):
    return math.sqrt(a)


def logarithm(a):
    return math.log(a)


def exponential(a):
    return math.exp(a)


def mean(a, b, c):
    return (a + b + c) / 3


def sums(a, b, c):
    return sum((a, b, c)), a + b + c


def newton(x, steps):
    guess = x / 2
    for _ in range(steps):
        guess = 0.5 * (guess + x / guess)
    return guess


def integral(n):
    total = 0.0
    for i in range(n):
        x = (i + 0.5) / n
        total += 4.0 / (1.0 + x * x)
    return total / n


CALLS = [
    (f, a, b)
    for f in (add, divide, floordiv, mod, compare, extremes)
    for a in EDGES
    for b in (0.0, -0.0, 1.0, -3.0, INF, NAN)
]
CALLS += [(power, a, b) for a in EDGES for b in (0.0, -1.0, 0.5, 2.0, 1 / 3, INF, -INF, NAN)]
CALLS += [
    (power, -8.0, 1 / 3),
    (power, 0.0, -1.0),
    (power, 10.0, 400.0),
    (power, 2.0, -1100.0),
    (power, 2, 0.5),
    (power, 4.0, 2),
]
CALLS += [
    (f, a)
    for f in (to_int, rounded)
    for a in [*EDGES, 0.5, 1.5, 9.2e18, 9.3e18, -9.3e18, 1e30, 2.9999]
]
CALLS += [
    (rounded_to, a, n)
    for a in (2.675, 1.005, 0.5, 1e300, 12345.678, NAN, INF, -0.001)
    for n in (0, 1, 2, 3, -2, 17, 400)
]
CALLS += [
    (near_2_53, i, float(j))
    for i in (2**53 - 1, 2**53, 2**53 + 1, 2**63 - 1, -(2**53) - 1)
    for j in (2**53, 2**53 + 2, 2**63)
]
CALLS += [(near_2_53, i, f) for i in (0, 1, -1) for f in (NAN, INF, -0.0, 5e-324)]
CALLS += [
    (f, a)
    for f in (root, logarithm, exponential)
    for a in [-1.0, -0.0, 0.0, 1.0, 1000.0, -1000.0, INF, -INF, NAN, 2, -2]
]
CALLS += [
    (mean, 1e308, 1e308, 1e308),
    (mean, 0.1, 0.2, 0.3),
    (sums, 1e16, 1.0, -1e16),
    (sums, 0.1, 0.2, 0.3),
    (sums, INF, -INF, 1.0),
]
CALLS += [(newton, 2.0, 20), (newton, 0.0, 1), (newton, -1.0, 5), (integral, 1000), (integral, 0)]
CALLS += [
    (divide, 1, 3),
    (divide, 2**63 - 1, 2**62 + 1),
    (divide, 10**400, 3),
    (divide, 1, 10**400),
    (floordiv, 7, 0.3),
    (mod, -7, 0.3),
]
CALLS += [
    (mod, 5.0, 0),
    (floordiv, 5.0, 0),
    (divide, 5, 0),
    (mod, 1e308, 1e-308),
    (floordiv, 1e308, 1e-308),
    (floordiv, -1.0, INF),
]
