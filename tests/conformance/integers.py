"""Integers: 64 bits inside, exact outside, at every operator and depth."""
# compiled: add, sub, mul, neg, floordiv, mod, power, left, right, bits, nested, absolute, invert, horner
# compiled: factorial, fibonacci, squares, compare_all, truth

MAX = 2**63 - 1
MIN = -(2**63)
EDGES = [
    0,
    1,
    -1,
    2,
    -2,
    7,
    -7,
    2**31,
    -(2**31),
    2**32,
    2**53,
    2**62,
    -(2**62),
    MAX,
    MAX - 1,
    MIN,
    MIN + 1,
]


def add(a, b):
    return a + b


def sub(a, b):
    return a - b


def mul(a, b):
    return a * b


def neg(a):
    return -a


def absolute(a):
    return abs(a)


def invert(a):
    return ~a


def floordiv(a, b):
    return a // b


def mod(a, b):
    return a % b


def power(a, b):
    return a**b


def left(a, b):
    return a << b


def right(a, b):
    return a >> b


def bits(a, b):
    return a & b, a | b, a ^ b


def truth(a):
    if a:
        return not a
    return a


def compare_all(a, b):
    return a < b, a <= b, a == b, a != b, a > b, a >= b


def nested(a, b, c):
    # overflow in the middle of an expression whose end fits again
    return (a * b + c) - a * b


def horner(x, n):
    total = 0
    for i in range(n):
        total = total * x + i
    return total


def factorial(n):
    result = 1
    for i in range(2, n + 1):
        result *= i
    return result


def fibonacci(n):
    a, b = 0, 1
    while n > 0:
        a, b = b, a + b
        n -= 1
    return a


def squares(x, n):
    for _ in range(n):
        x = x * x
    return x


CALLS = [
    (f, a, b)
    for f in (add, sub, mul, bits, compare_all)
    for a in EDGES
    for b in (1, -1, 2, MAX, MIN, 0)
]
CALLS += [(f, a) for f in (neg, absolute, invert, truth) for a in EDGES]
CALLS += [
    (f, a, b) for f in (floordiv, mod) for a in EDGES for b in (1, -1, 3, -3, 2**31, MAX, MIN, 0)
]
CALLS += [(left, 1, s) for s in (0, 1, 31, 62, 63, 64, 65, 100, -1)]
CALLS += [(left, a, s) for a in (-1, 3, MAX, MIN, 0) for s in (0, 1, 2, 61, 62, 63, 64)]
CALLS += [
    (right, a, s)
    for a in (-1, 3, MAX, MIN, 0)
    for s in (0, 1, 62, 63, 64, 1000, 2**40, MAX, -1, MIN)
]
CALLS += [(power, a, b) for a in (0, 1, -1, 2, -2, 3, 10) for b in (0, 1, 2, 31, 62, 63, 64, 65)]
CALLS += [
    (power, 2, -1),
    (power, 0, -1),
    (power, -2, -3),
    (power, 3037000500, 2),
    (power, MIN, 1),
    (power, 10, 30),
]
CALLS += [(nested, 2**62, 4, 7), (nested, MAX, MAX, 1), (nested, 3, 4, 5), (nested, MIN, -1, 0)]
CALLS += [(horner, x, n) for x in (2, -3, 10, 2**31) for n in (1, 5, 20, 64, 80)]
CALLS += [(factorial, n) for n in (0, 1, 20, 21, 22, 40)]
CALLS += [(fibonacci, n) for n in (0, 1, 91, 92, 93, 94, 200)]
CALLS += [(squares, x, n) for x in (2, -3, 3037000499, 3037000500) for n in (0, 1, 5, 6, 7, 8)]
CALLS += [
    (add, 2**63, 1),
    (add, 2**64, -(2**64)),
    (sub, 10**30, 10**30),
    (mul, 2**63, 0),
    (neg, 2**63),
    (floordiv, 10**30, 7),
]
CALLS += [(add, 1, "a"), (mul, None, 3), (left, 1, 2.0), (mod, 5, None)]
