"""Paths that give values of different types, and calls whose argument types change."""
# compiled: one_or_float, accumulate, alternate, widen, late, late_sum, peeled


def one_or_float(flag):
    if flag:
        return 1
    return 2.5


def accumulate(x, n):
    s = 0
    for _ in range(n):
        s += x
    return s


def alternate(n):
    value = 1
    for i in range(n):
        value = 1.5 if i % 2 else 7
    return value


def widen(n):
    x = 3
    for i in range(n):
        if i == 2:
            x = x / 2
        x = x + 1
    return x


def peeled(n):
    best = None
    for i in range(n):
        candidate = (i * 7) % 5
        if best is None or candidate > best:
            best = candidate
    return best


def late(a):
    return a + a


def late_sum(a, b, c):
    total = a
    total += b
    total += c
    return total * 2


def branches(a, b):
    if a > b:
        c = a
    elif a == b:
        c = "equal"
    else:
        c = b / 2
    return c


VALUES = [
    1,
    2.5,
    True,
    2**63 - 1,
    2**63,
    10**30,
    1j,
    "ab",
    (1,),
    [2],
    None,
    b"x",
    -0.0,
    False,
    2**62,
]
CALLS = [(one_or_float, flag) for flag in (True, False, 1, 0, "", 0.0)]
CALLS += [(accumulate, x, n) for x in (1, 0.5, True, 1j, 2**62, "a", 10**30) for n in (0, 1, 2, 5)]
CALLS += (
    [(alternate, n) for n in range(4)]
    + [(widen, n) for n in range(6)]
    + [(peeled, n) for n in range(6)]
)
CALLS += [(late, v) for v in VALUES] + [(late, v) for v in reversed(VALUES)]
CALLS += [
    (late_sum, a, b, c)
    for a in (1, 2.5, True)
    for b in (2, 0.5, 2**63 - 1)
    for c in (3, 1e300, False)
]
CALLS += [(branches, a, b) for a in (1, 2, 3.0) for b in (2, 2.0, 1)]
