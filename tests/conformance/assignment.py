"""Packing, unpacking, swapping, starred targets, walrus and augmented assignment."""
# compiled: swap, rotate, pack, walrus, augmented


def swap(a, b):
    a, b = b, a
    return a, b


def rotate(a, b, c, n):
    for _ in range(n):
        a, b, c = b, c, a
    return a, b, c


def pack(a, b):
    t = a, b
    c, d = t
    return t, c + d, t[0], t[-1]


def starred(a, b, c):
    first, *rest = a, b, c
    *init, last = [a, b, c]
    x, *middle, z = a, c
    return first, rest, init, last, x, middle, z


def walrus(n):
    total = 0
    while (step := n % 7) > 0:
        total += step
        n -= step
        n //= 2
    return total, step, (y := total + 1), y


def augmented(a, b):
    x = a
    x += b
    x -= 3
    x *= 2
    x //= 3
    x %= 1000
    x <<= 2
    x >>= 1
    x |= 5
    x &= 0xFF
    x ^= b
    x **= 2
    return x


def true_division(a, b):
    a /= b
    return a


def chained(n):
    a = b = c = n + 1
    a += 1
    return a, b, c, b is c


def nested_targets(a, b, c):
    (x, y), z = (a, b), c
    [p, (q, r)] = [x, (y, z)]
    return x + z, y, p, q, r


def too_many(a):
    x, y = a
    return x


def min_max(a, b, c):
    low = high = a
    for x in (b, c):
        if x < low:
            low = x
        if x > high:
            high = x
    return low, high


CALLS = [
    (swap, 1, 2.5),
    (swap, 1, 2),
    (swap, "a", None),
    (pack, 1, 2),
    (pack, 1.5, 2),
    (pack, 2**63 - 1, 1),
]
CALLS += [(rotate, 1, 2, 3, n) for n in (0, 1, 2, 7)] + [
    (rotate, 1, 2.5, True, n) for n in (0, 1, 2, 3)
]
CALLS += [(starred, 1, 2, 3), (starred, 1.5, "x", None)] + [(walrus, n) for n in (0, 1, 100, 12345)]
CALLS += [
    (augmented, a, b)
    for a, b in ((5, 7), (-5, 3), (2**62, 2**62), (2**63 - 1, 2**63 - 1), (1.5, 2), (True, False))
]
CALLS += [
    (true_division, 7, 2),
    (true_division, 1, 0),
    (chained, 5),
    (chained, 10**6),
    (chained, 2.5),
]
CALLS += [(nested_targets, 1, 2, 3), (nested_targets, 1, 2.5, True)]
CALLS += [
    (too_many, (1, 2)),
    (too_many, (1, 2, 3)),
    (too_many, (1,)),
    (too_many, 5),
    (too_many, "ab"),
    (too_many, range(2)),
]
CALLS += [(min_max, 3, 1, 2), (min_max, 3.5, 1, 2), (min_max, 1, float("nan"), 0)]
