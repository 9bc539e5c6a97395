"""Sequences as a whole: slices, unpacking, operators, methods and builtins that take them."""

# compiled: slices, store_slice, store_extended_slice, delete_item, starred, starred_tuple, pairs, concatenated, added_in_place, repeated_in_place, compared, contained, totals, any_and_all, in_order, made, methods, cleared, text, checksum, new_bytearray, shifted, shared_tuples, from_text, numbered, edit_distance


def slices(l, i, j):
    return l[i:j], l[:j], l[i:], l[:], l[::-1], l[i:j:2]


def store_slice(l, i, j, m):
    l[i:j] = m
    return l


def store_extended_slice(l, m):
    l[::2] = m
    return l


def delete_item(l, i):
    del l[i]
    return l


def starred(l):
    a, *b, c = l
    return a, b, c


def starred_tuple(a, b, c):
    x, *y = a, b, c
    *p, q = (a, b)
    return x, y, p, q


def pairs(l):
    s = 0
    for a, b in l:
        s += a * b
    return s


def concatenated(a, b):
    return a + b


def added_in_place(a, b):
    a += b
    return a


def repeated_in_place(a, n):
    a *= n
    return a


def compared(a, b):
    return a == b, a != b, a < b, a <= b, a > b, a >= b


def contained(x, l):
    return x in l, x not in l


def totals(l):
    return sum(l), min(l), max(l)


def any_and_all(l):
    return any(l), all(l)


def in_order(l):
    m = sorted(l)
    l.sort()
    m.reverse()
    return m, l


def made(n, l):
    return list(range(n)), list(l), tuple(l)


def methods(l, x):
    l.insert(1, x)
    l.extend(l)
    l.extend((x,))
    i = l.index(x)
    c = l.count(x)
    m = l.copy()
    l.remove(x)
    return l, i, c, m


def cleared(l):
    l.clear()
    l.append(3)
    return l


def text(s, t, i):
    n = 0
    for c in s:
        if c == t[0]:
            n += 1
        if c in t:
            n += 10
    return n, s[i], s[1:3], s + t, s.upper(), s.find(t), len(s), ord(s[0]), chr(97 + i)


def checksum(b):
    s = 0
    for x in b:
        s = (s * 31 + x) & 0xFFFF
    return s, b[0], b[-1], len(b), b[1:]


def new_bytearray(n):
    b = bytearray(n)
    for i in range(n):
        b[i] = (i * 7) & 255
    return b


def shifted(b):
    for i in range(len(b)):
        b[i] = (b[i] + 200) & 255
    return b


def shared_tuples(n):
    l = []
    for i in range(n):
        t = (i, i * 0.5)
        l.append(t)
        l.append((t, t))
    return l


def from_text():
    return float("inf"), float("-1.5"), int("77"), str(5)


def numbered(s):
    r = []
    for i, c in enumerate(s):
        r.append((i, c))
    return r


def edit_distance(a, b):
    prev = list(range(len(b) + 1))
    for i, ca in enumerate(a):
        cur = [i + 1]
        for j, cb in enumerate(b):
            cur.append(min(prev[j + 1] + 1, cur[j] + 1, prev[j] + (ca != cb)))
        prev = cur
    return prev[-1]


def shares_its_tuples(n):
    made = shared_tuples(n)
    return [
        made[i] is made[i + 1][0] and made[i + 1][0] is made[i + 1][1] for i in range(0, 2 * n, 2)
    ]


CALLS = [
    (slices, [1, 2, 3, 4, 5], 1, 3),
    (slices, (1, 2, 3, 4, 5), -3, 9),
    (slices, "hello", 1, -1),
    (slices, b"hello", 1, 2),
    (store_slice, [1, 2, 3, 4], 1, 3, [9, 9, 9, 9]),
    (store_slice, [1.5, 2, 3, 4], 1, 3, ()),
    (store_extended_slice, [1, 2, 3, 4], [7, 8]),
    (store_extended_slice, [1, 2, 3, 4], [7, 8, 9]),
    (delete_item, [1, 2, 3], 1),
    (delete_item, [1, 2, 3], -1),
    (delete_item, [1, 2, 3], 5),
    (starred, [1, 2, 3, 4]),
    (starred, (1, 2.5)),
    (starred, (1,)),
    (starred, "abc"),
    (starred_tuple, 1, 2.5, "x"),
    (pairs, [(1, 2), (3, 4.5)]),
    (pairs, [[1, 2], [3, 4]]),
    (pairs, [(1, 2), (3, 4, 5)]),
    (concatenated, [1], [2.5]),
    (concatenated, (1,), (2,)),
    (concatenated, "a", "bc"),
    (concatenated, [1], (2,)),
    (added_in_place, [1], [2.5]),
    (added_in_place, [1], (2,)),
    (added_in_place, "a", "b"),
    (added_in_place, (1,), (2,)),
    (added_in_place, [1], 5),
    (repeated_in_place, [1, 2], 3),
    (repeated_in_place, [1, 2], 0),
    (repeated_in_place, "ab", 3),
    (repeated_in_place, (1,), 2),
    (compared, [1, 2], [1, 3]),
    (compared, (1, 2.5), (1, 2.5)),
    (compared, "a", "b"),
    (compared, [1], ["x"]),
    (compared, "a", 5),
    (contained, 1, [2, 1]),
    (contained, "a", "cab"),
    (contained, 1.5, (1, 1.5)),
    (contained, float("nan"), [1.0]),
    (contained, "a", [1, "a"]),
    (totals, [1, 2, 3]),
    (totals, [1.5, 2.5]),
    (totals, []),
    (totals, [True, False]),
    (totals, [1, 2.5]),
    (totals, [4611686018427387904, 4611686018427387904]),
    (any_and_all, [0, 1]),
    (any_and_all, []),
    (any_and_all, ["", ()]),
    (in_order, [3, 1, 2]),
    (in_order, [3.5, 1.5]),
    (in_order, ["b", "a"]),
    (in_order, [1, "a"]),
    (in_order, []),
    (made, 4, [1, 2]),
    (made, 0, (1, 2.5)),
    (methods, [1, 2, 3], 7),
    (methods, [1.5, 2], 2),
    (methods, ["a"], "b"),
    (cleared, [1, 2]),
    (text, "hello", "lo", 2),
    (text, "héllo", "lo", 2),
    (text, "hello", "", 2),
    (checksum, b"hello world"),
    (checksum, bytearray(b"abc")),
    (checksum, b""),
    (new_bytearray, 20),
    (shifted, bytearray(b"hello")),
    (shared_tuples, 3),
    (from_text,),
    (numbered, "abc"),
    (edit_distance, "kitten", "sitting"),
    (edit_distance, "", "abc"),
    (edit_distance, [1, 2], [2, 3]),
    (shares_its_tuples, 3),
]
