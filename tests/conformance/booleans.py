"""Booleans stay booleans where CPython keeps them, and are integers where it does not."""
# compiled: logic, arithmetic, both, either, negated, chain, choose, same, count

import warnings

warnings.simplefilter("ignore")


def logic(a, b):
    return a & b, a | b, a ^ b


def arithmetic(a, b):
    return a + b, a - b, a * b, -a, +a, ~a, a << b


def both(a, b):
    return a and b


def either(a, b):
    return a or b


def negated(a):
    return not a


def chain(a, b, c):
    return a < b < c, a == b != c, a <= b > c


def choose(flag, a, b):
    return a if flag else b


def same(a, b):
    return a is b, a == b


def count(n):
    total = 0
    for i in range(n):
        total += i % 3 == 0
    return total, total == 4


VALUES = [True, False, 0, 1, 2, 0.0, 2.5, float("nan"), None, "", "x", (), 2**70]
CALLS = [
    (f, a, b) for f in (logic, arithmetic) for a in (True, False, 1, 3) for b in (True, False, 1)
]
CALLS += [(f, a, b) for f in (both, either) for a in VALUES for b in (True, 7, 0.0, None)]
CALLS += [(negated, a) for a in VALUES]
CALLS += [
    (chain, a, b, c)
    for a in (1, 2.5, True)
    for b in (1, 2, 3.0, float("nan"))
    for c in (2, False, 10**30)
]
CALLS += [(choose, flag, 1, 2.5) for flag in VALUES] + [
    (same, True, True),
    (same, 1, True),
    (same, 1.0, True),
]
CALLS += [(count, 10), (count, 0), (arithmetic, True, 2.0), (logic, True, 2.0)]
