"""Parts of arrays: rows, slices and transposes in loops, across calls, merges, exits and results."""
# compiled: rows, columns, stencil, halves, tree, swapped, chosen, late, kept, windows, filled, moved
# compiled: passed, mixed, unbound

import numpy as np

np.set_printoptions(threshold=10**9, floatmode="unique")


def rows(a):
    s = a[0, 0] - a[0, 0]
    for i in range(len(a)):
        row = a[i]
        for j in range(len(row)):
            s += row[j]
    return s


def columns(a):
    out = []
    for column in a.T:
        s = column[0] * 0
        for x in column[::-1]:
            s = s * 2 + x
        out.append(s)
    return out


def stencil(a, b):
    inner = b[1:-1, 1:-1]
    for i in range(inner.shape[0]):
        above, here, below = a[i], a[i + 1], a[i + 2]
        out = inner[i]
        for j in range(inner.shape[1]):
            out[j] = (above[j + 1] + below[j + 1] + here[j] + here[j + 2]) / 4
    return b


def halves(a, depth=0):
    """Recursion by views of views."""
    if len(a) == 1 or depth > 20:
        return a[0]
    middle = len(a) // 2
    left = halves(a[:middle], depth + 1)
    right = halves(a[middle:], depth + 1)
    return left if left > right else right


def tree(a):
    first = a
    n = 0
    while len(first) > 1:
        n += 1
        first = first[1::2]
    return n, first, first.base is a


def swapped(a, rounds):
    old, new = a[0], a[1]
    for _ in range(rounds):
        for i in range(1, len(old) - 1):
            new[i] = (old[i - 1] + old[i + 1]) / 2
        old, new = new, old
    return old, new


def chosen(a, flag):
    v = a[1:] if flag else a
    s = 0.0
    for i in range(len(v)):
        s += v[i]
        if i == 40:
            v = a[:60]
    return s, v


def late(a, stop):
    """A view that only the end of the loop knows."""
    v = None
    for i in range(1, 200):
        if i == stop:
            v = a[i:]
    return v if v is None else v[0], v


def kept(a):
    out = []
    for row in a:
        out.append(row)
        out.append(row[1:])
    return out, [v.base is a for v in out]


def windows(a, width):
    best = a[0] - a[0]
    for i in range(len(a) - width + 1):
        window = a[i : i + width]
        s = a[0] - a[0]
        for x in window:
            s = s + x
        if s > best:
            best = s
    return best


def filled(a, value):
    a[1::3] = value
    for i in range(0, len(a), 10):
        a[i : i + 2] = a[i + 2 : i + 4]
    a[-2:] = value
    return a


def moved(a):
    for i in range(len(a) - 1):
        a[i + 1 :] = a[i:-1]
        a[i] = i
    return a


def sum_of(v):
    s = v[0] - v[0]
    for i in range(len(v)):
        s += v[i]
    return s


def part_of(a, i):
    return a[i, 1:]


def passed(a):
    out = []
    for i in range(len(a)):
        v = part_of(a, i)
        out.append(sum_of(v))
        out.append(sum_of(a[:, i % a.shape[1]]))
    return out


def mixed(things):
    s = 0.0
    for thing in things:
        v = thing[1:]
        for x in v:
            s += x
    return s


def unbound(a, n):
    for i in range(n):
        v = a[i:]
    return v


def length(v):
    return len(v), v[0]


def shapes(a):
    r = range(2, len(a) + 2)
    q = r
    found = length(r)
    v = a[..., None]
    return found, r is q, v.shape, v.strides, a.T.shape, a[0].size, a[:0].nbytes, v[1:, 0, 0].ndim


def numbers(n, dtype="float64"):
    return (np.arange(n) * 7 % 31).astype(dtype)


def square(n, dtype="float64"):
    return numbers(n * n, dtype).reshape(n, n)


CALLS = [
    (rows, square(40)),
    (rows, square(40)[:, ::2]),
    (rows, square(40, "int8")),
    (rows, np.zeros((3, 0))),
    (columns, square(12)),
    (columns, square(12, "int64")),
    (columns, square(12, "uint8")),
    (stencil, square(30), square(30)),
    (stencil, square(30), square(31)),
    (stencil, square(30), square(20)),
    (stencil, square(30).T, square(30)),
    (halves, numbers(300)),
    (halves, numbers(300, "int32")[::-1]),
    (halves, numbers(1)),
    (halves, numbers(0)),
    (tree, numbers(300)),
    (swapped, square(70)[:2], 5),
    (swapped, square(70)[:2], 6),
    (swapped, square(70)[::-1, ::-1], 3),
    (chosen, numbers(100), True),
    (chosen, numbers(100), False),
    (late, numbers(300), 77),
    (late, numbers(300), 500),
    (kept, square(5)),
    (windows, numbers(200), 9),
    (windows, numbers(200, "int16"), 9),
    (windows, numbers(200, "bool"), 9),
    (filled, numbers(100), 5),
    (filled, numbers(100, "int8"), 300),
    (filled, numbers(100, "int8"), numbers(33, "int8")),
    (filled, numbers(100), numbers(32)),
    (filled, np.broadcast_to(np.float64(3), 100), 5),
    (moved, numbers(50)),
    (moved, numbers(50, "complex128")),
    (passed, square(20)),
    (passed, square(20, "uint16")),
    (mixed, [numbers(50), [1.0, 2.0], numbers(50)]),
    (mixed, [numbers(50), numbers(50, "float32"), square(4)[0]]),
    (unbound, numbers(5), 3),
    (unbound, numbers(5), 0),
    (shapes, numbers(6)),
    (shapes, square(6)),
]
