"""Complex arithmetic with CPython's handling of zeros, infinities and errors."""
# compiled: arithmetic, divide, mandelbrot, rotate

INF = float("inf")
NAN = float("nan")
EDGES = [
    0j,
    1j,
    -1j,
    1 + 2j,
    complex(-0.0, -0.0),
    complex(INF, 1.0),
    complex(NAN, 0.0),
    complex(1e308, 1e308),
    3 + 0j,
]


def arithmetic(a, b):
    return a + b, a - b, a * b, -a, +a, a == b, a != b


def divide(a, b):
    return a / b


def power(a, b):
    return a**b


def parts(a):
    return a.real, a.imag, a.conjugate(), abs(a)


def order(a, b):
    return a < b


def floor(a, b):
    return a // b


def mandelbrot(c, limit):
    z = 0j
    for i in range(limit):
        z = z * z + c
        if abs(z) > 2.0:
            return i
    return limit


def rotate(z, n):
    for _ in range(n):
        z = z * 1j + 0.5
    return z


CALLS = [(f, a, b) for f in (arithmetic, divide) for a in EDGES for b in EDGES]
CALLS += [
    (f, a, b)
    for f in (arithmetic, divide)
    for a in EDGES
    for b in (2, 0, 2.5, -0.0, True, 10**30, 2**1100)
]
CALLS += [(f, b, a) for f in (arithmetic, divide) for a in EDGES for b in (2, 0, 2.5, INF)]
CALLS += [(power, a, b) for a in EDGES for b in (0, 1, 2, -1, 0.5, 1j, 100, 3 + 0j)]
CALLS += [(parts, a) for a in EDGES] + [(order, 1j, 2j), (floor, 1j, 2), (floor, 2, 1j)]
CALLS += [(mandelbrot, c, 50) for c in (0j, 0.3 + 0.5j, 1 + 1j, -0.75 + 0.1j, complex(NAN, 0.0))]
CALLS += [(mandelbrot, 0.25, 30), (rotate, 1 + 1j, 9), (rotate, 1, 9)]
