"""Tuples, ranges, enumerate, zip, reversed, bytes and strings as objects."""


def loop_tuple(t):
    s = 0
    for x in t:
        s = s * 2 + x
    return s


def enumerated(values, start):
    out = 0
    for i, v in enumerate(values, start):
        out += i * v
    return out, i


def zipped(a, b):
    s = 0
    for x, y in zip(a, b):
        s += x * y
    return s


def strict(a, b):
    return [x + y for x, y in zip(a, b, strict=True)]


def backwards(values):
    out = 0
    for v in reversed(values):
        out = out * 10 + v
    return out


def checksum(data):
    a, b = 1, 0
    for byte in data:
        a = (a + byte) % 65521
        b = (b + a) % 65521
    return b << 16 | a


def crc(data):
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ 0xEDB88320 if value & 1 else value >> 1
    return value ^ 0xFFFFFFFF


def fill(data, x):
    data[0] = x
    data[-1] = x
    return data


def ranges(r):
    return len(r), r[0], r[-1], 5 in r, sum(r), list(r)[:3], r == range(0, 10, 1)


def tuple_work(a, b):
    t = (a, b, a)
    return t + (1,), t[1], t[-1:], len(t), a in t, t * 2, t == (a, b, a), t < (b, a, b)


def letters(text):
    count = 0
    for c in text:
        if c == "a":
            count += 1
    return count, text[::-1], len(text)


def iterator(values):
    it = iter(values)
    first = next(it)
    rest = 0
    for v in it:
        rest += v
    return first, rest, next(it, "end")


def conversions(values):
    return list(values), tuple(values), sum(values), any(values), all(values), max(values)


CALLS = [
    (loop_tuple, t)
    for t in ((), (1, 2, 3), (1.5, 2), (2**62,) * 4, (True, 1j), ("a",), range(5), [1, 2])
]
CALLS += [(enumerated, [3, 1, 2], s) for s in (0, 5, -2, 2**63 - 1, 1.5)] + [
    (enumerated, [], 0),
    (enumerated, (0.5, 1), 1),
]
CALLS += [(zipped, a, b) for a in ([1, 2, 3], (1.5, 2), range(3)) for b in ([4, 5], range(10), [])]
CALLS += [(strict, [1, 2], [3, 4]), (strict, [1, 2], [3]), (strict, [1], [2, 3])]
CALLS += [(backwards, v) for v in ([1, 2, 3], (4, 5), range(6), [], b"ab", {1: 2}, 5)]
CALLS += [
    (f, d)
    for f in (checksum, crc)
    for d in (b"", b"hello", bytes(range(256)), bytearray(b"xyz"), [1, 300], "text")
]
CALLS += [(fill, bytearray(b"abc"), x) for x in (0, 255, 256, -1, 1.5, True)] + [
    (fill, b"abc", 1),
    (fill, bytearray(), 1),
]
CALLS += [
    (ranges, r)
    for r in (range(10), range(0, 10, 3), range(5, -5, -2), range(2**63, 2**63 + 9), range(0))
]
CALLS += [
    (tuple_work, 1, 2),
    (tuple_work, 1.5, 1),
    (tuple_work, "a", "b"),
    (tuple_work, 1, "b"),
    (letters, "banana"),
    (letters, ""),
]
CALLS += [(iterator, v) for v in ([1, 2, 3], (5,), range(4), [])] + [
    (conversions, v) for v in ([0, 1], (2.5, 1), b"ab", [], [0, ""])
]
