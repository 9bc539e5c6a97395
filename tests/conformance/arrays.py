"""Arrays of NumPy: long enough for loops that run in chunks, with what ends a chunk in the middle."""
# compiled: total, items, scaled, in_place, smooth, shortest, histogram, prefix, gathered, reversed_sum
# compiled: narrow, both_ways, rows, life, dot, masked, through_lists, counted, nested

import numpy as np

np.set_printoptions(threshold=10**9, floatmode="unique")


def total(a):
    s = 0
    for i in range(len(a)):
        s += a[i]
    return s


def items(a):
    s = 0.0
    for x in a:
        s += x * 0.5
    return s


def scaled(a, b, factor):
    for i in range(a.size):
        b[i] = a[i] * factor + 1
    return b


def in_place(a):
    for i in range(1, len(a)):
        a[i] = a[i - 1] + a[i] / 2
    return a


def smooth(a, b):
    rows, columns = a.shape
    for i in range(1, rows - 1):
        for j in range(1, columns - 1):
            b[i, j] = (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1]) * 0.25
    return b


def shortest(d):
    n = len(d)
    for k in range(n):
        for i in range(n):
            via = d[i, k]
            for j in range(n):
                other = via + d[k, j]
                if other < d[i, j]:
                    d[i, j] = other
    return d


def histogram(a, counts):
    for x in a:
        counts[x] += 1
    return counts


def prefix(a, out):
    s = a[0] - a[0]
    for i in range(len(a)):
        s = s + a[i]
        out[i] = s
    return out


def gathered(a, index):
    s = 0
    for i in range(len(index)):
        s += a[index[i]]
    return s


def reversed_sum(a):
    s = 0.0
    i = len(a) - 1
    while i >= 0:
        s = s - a[i]
        i -= 1
    return s


def narrow(a, b):
    for i in range(len(a)):
        b[i] = a[i] + a[i]
    return b


def both_ways(a):
    n = len(a)
    for i in range(n):
        a[i], a[n - 1 - i] = a[n - 1 - i], a[i]
    return a


def rows(a):
    s = 0.0
    for row in a:
        for x in row:
            s += x
    return s


def life(board, out):
    n, m = board.shape
    for i in range(n):
        for j in range(m):
            alive = 0
            for di in (-1, 0, 1):
                for dj in (-1, 0, 1):
                    if di != 0 or dj != 0:
                        alive += board[(i + di) % n, (j + dj) % m]
            out[i, j] = alive == 3 or (board[i, j] and alive == 2)
    return out


def dot(a, b):
    n, inner = a.shape
    out = []
    for i in range(n):
        s = a[i, 0] * 0
        for k in range(inner):
            s += a[i, k] * b[k, i]
        out.append(s)
    return out


def masked(a, mask):
    n = 0
    for i in range(len(a)):
        if mask[i]:
            n += 1
            a[i] = -a[i]
    return n, a


def through_lists(a, values):
    for i in range(len(values)):
        a[i] = values[i]
        values[i] = a[i]
    return a, values


def counted(a, low):
    n = 0
    for i in range(len(a)):
        if a[i] > low:
            n += 1
    return n


def nested(a):
    s = 0
    for i in range(a.shape[0]):
        for j in range(i):
            s += a[i][j]
    return s


def numbers(n, dtype="float64", **changes):
    a = (np.arange(n) * 7 % 31).astype(dtype)
    for place, value in changes.items():
        a[int(place[2:])] = value
    return a


def read_only(a):
    a.flags.writeable = False
    return a


def square(n, dtype="float64"):
    return numbers(n * n, dtype).reshape(n, n)


LONG = numbers(300)
CALLS = [
    (total, numbers(300)),
    (total, numbers(300, "int64")),
    (total, numbers(300, "int8", at150=127)),
    (total, numbers(300, "int64", at150=2**63 - 1)),
    (total, numbers(300, at120=float("inf"))),
    (total, numbers(300, at120=float("inf"), at200=float("-inf"))),
    (total, numbers(300, at120=float("nan"))),
    (total, numbers(300, at120=1.7e308, at121=1.7e308)),
    (total, numbers(300, "float32", at120=3e38, at121=3e38)),
    (total, numbers(600)[::2]),
    (total, numbers(300)[::-1]),
    (total, np.broadcast_to(np.float64(1.5), 300)),
    (total, numbers(300, "complex128")),
    (total, numbers(3, "float16")),
    (items, numbers(300, at77=1e-310)),
    (items, numbers(300, "uint8")),
    (scaled, numbers(300), numbers(300), 3),
    (scaled, numbers(300), numbers(300, "float32"), 3),
    (scaled, numbers(300), numbers(300, "int32"), 3),
    (scaled, numbers(300, "int32", at222=2**31 - 1), numbers(300, "int32"), 3),
    (scaled, numbers(300), numbers(200), 3),
    (scaled, numbers(300), read_only(numbers(300)), 3),
    (scaled, numbers(300, at100=1e308), numbers(300), 1e10),
    (scaled, LONG[:-1], LONG[1:], 0.5),
    (scaled, LONG[1:], LONG[:-1], 0.5),
    (scaled, LONG[::-1], LONG, 0.5),
    (in_place, numbers(300)),
    (in_place, numbers(300, "int64")),
    (smooth, square(30), square(30)),
    (smooth, square(30).T, np.asfortranarray(square(30))),
    (smooth, square(30), square(29)),
    (shortest, square(20)),
    (shortest, square(20, "int16")),
    (shortest, np.where(square(20) > 20, np.inf, square(20))),
    (histogram, numbers(300, "uint8"), np.zeros(32, dtype="int64")),
    (histogram, numbers(300, "int64", at123=-3), np.zeros(32, dtype="int64")),
    (histogram, numbers(300, "int64", at123=32), np.zeros(32, dtype="int64")),
    (histogram, numbers(300, "int64"), np.full(32, 250, dtype="uint8")),
    (prefix, numbers(300, "int64"), np.zeros(300, dtype="int64")),
    (prefix, numbers(300), np.zeros(300)),
    (gathered, numbers(40), numbers(300, "int64")),
    (gathered, numbers(40), numbers(300, "uint64")),
    (gathered, numbers(30), numbers(300, "int64")),
    (reversed_sum, numbers(300)),
    (narrow, numbers(300, "int8"), numbers(300, "int8")),
    (narrow, numbers(300, "uint8", at99=200), numbers(300, "uint8")),
    (both_ways, numbers(301)),
    (rows, square(20)),
    (rows, square(20, "int32")),
    (life, square(12, "int64") % 2, square(12, "int64")),
    (life, square(12, "bool"), square(12, "bool")),
    (dot, square(70), square(70)),
    (dot, square(70, "int16"), square(70, "int16")),
    (masked, numbers(300), numbers(300, "bool")),
    (masked, numbers(300, "uint8"), numbers(300, "bool")),
    (through_lists, numbers(300), [n * 0.5 for n in range(300)]),
    (through_lists, numbers(300, "int8"), list(range(300))),
    (counted, numbers(300), 12),
    (counted, numbers(300, at111=float("nan")), 12.5),
    (counted, numbers(300, "uint64"), 12),
    (nested, square(30)),
    (nested, square(30, "int64")),
]
