"""Values of subclasses of int, float and complex that arrive late, with and without own methods."""
# compiled: add, scale, total, positive, loop


class Int(int):
    pass


class Loud(int):
    def __add__(self, other):
        return f"Loud.__add__({int(self)}, {other})"

    def __radd__(self, other):
        return f"Loud.__radd__({int(self)}, {other})"

    def __lt__(self, other):
        return "lt"

    def __bool__(self):
        return False

    def __index__(self):
        return 2


class Real(float):
    def __mul__(self, other):
        return ("mul", float(self), other)


class Complex(complex):
    pass


def add(a, b):
    return a + b


def scale(a, b):
    return a * b


def total(a, b, c):
    x = a
    x += b
    x += c
    return x


def positive(a):
    return 1 if a else 0, a < 3, -a


def loop(n):
    count = 0
    for i in range(n):
        count += 2
    return count


def kept(a):
    b = a
    return b, b is a


class Items(list):
    def __getitem__(self, i):
        return list.__getitem__(self, i) + 100

    def __len__(self):
        return 2

    def __iter__(self):
        return iter([7, 8])


def first_and_all(items):
    total = 0
    for x in items:
        total += x
    return items[0], len(items), total, sum(x for x in items)


VALUES = [5, 2.5, True, Int(5), Int(2**70), Loud(5), Real(2.5), Complex(1j), Int(-1), Loud(0)]
CALLS = [
    (f, a, b) for f in (add, scale) for a in VALUES for b in (1, 1.5, Int(2), Loud(3), Real(0.5))
]
CALLS += [
    (total, a, b, c)
    for a in (1, Int(1), Loud(1))
    for b in (2, Int(2), Real(2))
    for c in (3, Loud(3))
]
CALLS += [(first_and_all, items) for items in ([1, 2, 3], Items([1, 2, 3]), [4, 5], Items([4]))]
CALLS += [(positive, a) for a in VALUES[:7]] + [
    (loop, n) for n in (3, Int(3), Loud(7), True, Int(0))
]
CALLS += [(kept, a) for a in VALUES] + [(add, 1, 2), (scale, 1.5, 2.0), (total, 1, 2, 3)]
