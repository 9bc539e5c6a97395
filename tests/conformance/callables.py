"""Functions that come as arguments: of one making, of another, builtins, classes, objects."""

# compiled: integrate, twice, clipped, totals

import math
import traceback


def integrate(f, a, b, n):
    h = (b - a) / n
    s = 0.0
    for i in range(n):
        s += f(a + (i + 0.5) * h)
    return s * h


def twice(f, x):
    return f(f(x))


def clipped(values, low, high):
    return [min(high, max(low, v)) for v in values]


def totals(values):
    s = 0
    for v in values:
        s += max(0, v)
    return s


def square(x):
    return x * x


def fails(x):
    return 1 / (x - x)


def scaled(k):
    return lambda x: x * k


def with_default(x, k=2):
    return x * k


class Callable:
    def __call__(self, x):
        return x + 1


def main():
    functions = [square, lambda x: x + 1, math.sin, abs, float, scaled(3), scaled(4.5), Callable()]
    for _ in range(3):
        print([integrate(f, 0, 1, 20) for f in functions])
        print([twice(f, 3) for f in functions])
    # The same making again and again: one compilation serves them all.
    print(sum(integrate(lambda x: x * 2.0, 0, 1, 10) for _ in range(50)))
    print(twice(with_default, 5))
    with_default.__defaults__ = (7,)
    print(twice(with_default, 5))
    square.__code__ = (lambda x: x - 1).__code__
    print(integrate(square, 0, 1, 10), twice(square, 3))
    try:
        integrate(fails, 0, 1, 3)
    except ZeroDivisionError as error:
        print([(f.name, f.lineno) for f in traceback.extract_tb(error.__traceback__)])
    numbers = [1, 2.5, -3, -0.0, 0, float("nan"), True, 2**62, float(2**62), 1e300, False, 2**70]
    for low in numbers:
        for high in numbers:
            print(clipped([low, high], low, high), min(low, high), max(low, high))
    print(clipped([0.5, 1.5, -2.5], 0, 1), totals([1.5, -2.5, 3.0] * 5), totals([1, -2, 3]))
