"""Lists: indices, slices, methods, mutation while iterating, and elements that keep their identity."""

BIG = 10**30


def total(values):
    s = 0
    for v in values:
        s += v
    return s


def at(values, i):
    return values[i]


def put(values, i, x):
    values[i] = x
    return values


def dot(a, b):
    s = 0.0
    for i in range(len(a)):
        s += a[i] * b[i]
    return s


def squares(n):
    return [i * i for i in range(n)]


def sieve(n):
    flags = [True] * (n + 1)
    flags[0] = flags[1] = False
    i = 2
    while i * i <= n:
        if flags[i]:
            for j in range(i * i, n + 1, i):
                flags[j] = False
        i += 1
    return [i for i in range(n + 1) if flags[i]]


def matmul(a, b):
    n, m, p = len(a), len(b), len(b[0])
    out = [[0] * p for _ in range(n)]
    for i in range(n):
        for j in range(p):
            s = 0
            for k in range(m):
                s += a[i][k] * b[k][j]
            out[i][j] = s
    return out


def grows_while_iterated(values):
    seen = 0
    for v in values:
        seen += 1
        if seen < 5:
            values.append(v)
    return seen, values


def shrinks_while_iterated(values):
    seen = []
    for v in values:
        seen.append(v)
        values.remove(v)
    return seen, values


def cleared_while_iterated(values):
    n = 0
    for i, v in enumerate(values):
        n += v
        if i == 1:
            values.clear()
    return n, values


def methods(values, x):
    values.append(x)
    values.extend([x, x])
    values.insert(1, x)
    values.reverse()
    popped = values.pop(), values.pop(0)
    return popped, values.count(x), values.index(x), len(values), x in values, values


def slices(v):
    return v[1:3], v[::-1], v[-2:], v[:100], v[5:1], v[::2]


def slice_store(v):
    v[1:2] = [7, 8, 9]
    del v[0]
    v[::2] = [0] * len(v[::2])
    return v


def swap_ends(v):
    v[0], v[-1] = v[-1], v[0]
    return v


def identity(values):
    first = values[0]
    copy = [v for v in values]
    return first is values[0], copy[0] is values[0], copy


def average(values):
    return sum(values) / len(values), min(values), max(values), sorted(values)


def nested(rows):
    rows[0].append(len(rows))
    rows.append(rows[0])
    return rows[0] is rows[-1], len(rows[-1])


def fresh_rows(n):
    rows = [[0] * 2] * n
    rows[0][0] = 5
    return rows, rows[0] is rows[1]


MIXES = [
    [],
    [1],
    [1, 2, 3],
    [1.5, 2.5, -0.0],
    [1, 2.5],
    [True, False],
    [2**62, 2**62],
    [2**63 - 1, 1],
    [BIG, 1],
    [None],
    ["a", "b"],
    [1, None],
]
CALLS = [(f, list(v)) for f in (total, slices, average, identity) for v in MIXES]
CALLS += [(at, [10, 20, 30], i) for i in (0, 2, -1, -3, 3, -4, 2**63, -(2**63), True, 1.0, None)]
CALLS += [(put, [10, 20, 30], i, x) for i in (0, -1, 3, -4) for x in (1, 2.5, "s")]
CALLS += [
    (dot, [1.0, 2.0], [3.0, 4.0]),
    (dot, [1, 2], [3, 4]),
    (dot, [1, 2], [3]),
    (dot, [], []),
    (dot, [1.5], ["x"]),
]
CALLS += [(squares, n) for n in (0, 5, 300)] + [(sieve, n) for n in (1, 2, 30, 100)]
CALLS += [
    (matmul, [[1, 2], [3, 4]], [[5, 6], [7, 8]]),
    (matmul, [[1.5]], [[2]]),
    (matmul, [[2**62, 2**62]], [[2], [2]]),
    (matmul, [[1, 2]], [[1]]),
]
CALLS += [
    (f, [1, 2, 3]) for f in (grows_while_iterated, shrinks_while_iterated, cleared_while_iterated)
]
CALLS += [(methods, [3, 1, 2], x) for x in (1, 2.5, True, None)] + [(methods, [], 5)]
CALLS += [
    (slice_store, [1, 2, 3, 4]),
    (slice_store, []),
    (swap_ends, [1, 2.5, 3]),
    (swap_ends, []),
    (nested, [[1], [2]]),
    (fresh_rows, 2),
    (fresh_rows, 1),
]
CALLS += [
    (total, (1, 2)),
    (total, range(5)),
    (total, b"abc"),
    (total, 5),
    (total, {1: 2}),
    (at, (1, 2), 1),
    (at, "abc", -1),
    (at, {1: 2}, 1),
]
