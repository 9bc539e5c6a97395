"""Lists that a function makes and keeps to itself: no objects natively, real lists behind an exit."""


class Odd:
    def __init__(self, value):
        self.value = value

    def __add__(self, other):
        return Odd(self.value + other)

    def __rmul__(self, other):
        return Odd(self.value * other)

    def __repr__(self):
        return f"Odd({self.value})"


def sieve(n):
    prime = [True] * (n + 1)
    prime[0] = prime[1] = False
    for i in range(2, n):
        if prime[i]:
            for j in range(i * i, n + 1, i):
                prime[j] = False
    return sum(prime)


def ways(coins, amount):
    table = [0] * (amount + 1)
    table[0] = 1
    for coin in coins:
        for total in range(coin, amount + 1):
            table[total] += table[total - coin]
    return table[amount]


def distance(a, b):
    previous = list(range(len(b) + 1))
    for i, x in enumerate(a):
        current = [i + 1]
        for j, y in enumerate(b):
            current.append(min(previous[j + 1] + 1, current[j] + 1, previous[j] + (x != y)))
        previous = current
    return previous[-1]


def aliases(n, x):
    a = [n] * 3
    b = a
    c = b if n > 2 else [n, n + 1]
    for i in range(n):
        a[i % 3] += 1
        b, c = c, b
        c.append(a[0])
    total = a[0] + x  # may leave: all of them are one list, or not
    b.append(1)
    c.append(2)
    return total, len(a), len(b), len(c), sum(a) + sum(b) * 3 + sum(c) * 7


def sum_leaves(n, x):
    squares = [i * i for i in range(n)]
    halves = [i * 0.5 for i in range(n)]
    flags = [i % 3 == 0 for i in range(n)]
    t = 0
    for i, s in enumerate(squares):
        t += s * x
        squares[i] = s + 1
        halves.append(s * 0.5)
    kept = (
        squares[0] + 1,
        sum(squares),
        sum(halves),
        sum(flags),
        len(halves),
        any(flags),
        all(flags),
    )
    return t, kept


def leaves_to_the_end(n, x):
    values = [i * 3 for i in range(n)]
    seen = 0
    for v in values:
        seen += v
        if v == 6:
            seen = seen + x
            values.append(100)
            values[0] = -1
    return seen, len(values), values[0] + 1


def inside_a_comprehension(n, x):
    values = [i + 1 for i in range(n)]
    return sum([v * x for v in values]), sum(values)


def ints_then_floats(n):
    values = [0] * n
    for i in range(n):
        values[i] = i * 0.5
    total = 0.0
    for v in values:
        total += v
    return total


def ints_and_floats(values, x):
    t = 0
    values[0] += x
    kept = [0] * len(values)
    for i in range(len(values)):
        kept[i] = values[i] * x
        t = t + values[i]
    for v in reversed(kept):
        t = t + v
    return t, values[0], kept[0] is kept[-1], kept


def first_an_object(n, x):
    values = [n, n + 1]
    values.append(x)
    return values[0] + 1, len(values), values[-1] == x


def grows_while_iterated(n):
    values = [n]
    seen = 0
    for v in values:
        seen += v
        if len(values) < 8:
            values.append(v - 1)
    return seen, len(values)


def shrinks_while_iterated(n):
    values = [i * 2 for i in range(n)]
    seen = 0
    for v in values:
        seen = seen * 10 + v
        values.pop()
    for v in reversed(values):
        seen = seen * 10 + v
        values.clear()
    return seen, len(values)


def zipped(n, x):
    a = [i * 2 for i in range(n)]
    b = [i * 0.5 for i in range(n + 1)]
    t = 0.0
    for p, q in zip(a, b):
        t += p * q
        if p == 4:
            t = t + x
            b.append(t)
    return t, len(b)


def methods(n):
    v = []
    for i in range(n):
        v.insert(i // 2, i * 7 % 5)
    v.insert(-100, 50)
    v.insert(100, 60)
    v.insert(-1, 70)
    v.sort()
    v.reverse()
    del v[1]
    first = v.pop() + 0
    second = v.pop(0) + 0
    third = v.pop(-2) + 0
    return first, second, third, sum(v), max(v) + 0, min(v) + 0, bool(v)


def empty(kind):
    v = [0] * 0
    w = []
    if kind == "min":
        return min(v)
    if kind == "pop":
        return v.pop() + 1
    if kind == "index":
        return w[0] + 1
    if kind == "sum":
        return sum(v), sum(w), any(v), all(v), len(v), len(w)
    if kind == "store":
        v[0] = 1
    if kind == "del":
        del v[0]
    for x in v:
        return x
    return bool(v), bool(w)


def floats_without_items():
    v = [1.5]
    v.clear()
    return sum(v)


def at(i):
    v = [10, 20, 30]
    v[1] += 5
    return v[i] + 1


def too_large(n):
    v = [0] * n
    w = [0.5, 1.5] * n
    return len(v) + len(w)


def beyond_64_bits(x):
    v = [1, 2, 3]
    for i in range(3):
        v[i] = v[i] * x
        v.append(v[i] * x)
    return v[0] * 2, v[-1] * 2, sum(v), len(v)


def overflowing_sum(n):
    v = [2**62] * n
    return sum(v)


def returned_item(a, b):
    c = a * b
    v = [0, c]
    v.append(v[1] * 2)
    return v[2]


def returned_argument(a):
    v = [a, 1]
    return v[0]


def the_same_item_twice(a):
    v = [a * 3]
    return v[0] is v[0], v[0]


def constant_item(n):
    v = [100000] * n
    return v[0]


def raises_while_building(n, x):
    try:
        v = [i + 1 for i in range(n)] + [n // x]
        return len(v)
    except ZeroDivisionError:
        return -1


def raises_in_a_comprehension(n, x):
    kept = [n]
    try:
        kept.append(sum([n // (i - x) for i in range(n)]))
    except ZeroDivisionError:
        kept.append(-1)
    return kept[0] + 1, kept[1] + 1


def scaled(v, x):
    return v * x + 1


def a_callee_leaves(n, x):
    values = [i * 3 for i in range(n)]
    alias = values
    t = 0
    for i in range(n):
        t = scaled(values[i], x)
        alias[i] += 1
    return t, sum(values), sum(alias)


def unbound(n):
    if n:
        v = [n]
    v.append(n + 1)
    return sum(v)


def shown_by_the_exception(n):
    v = [n, n + 1]
    w = v
    w.append(v[0] // (n - 3))
    return v[0] + w[1]


def nan_sorts(x):
    v = [2.0, x, 1.0]
    v.sort()
    return v[0] + 0.0, v[1] + 0.0, v[2] + 0.0


def from_a_constant(i):
    v = [3, 1, 2, 5]
    v[i] = 0
    w = [1.5, 2.5, -0.5]
    w[0] = w[1] * i
    return sum(v), sum(w)


def repeated(n):
    v = n * [1, 2]
    v[0] = 7
    w = [v[0]] * True
    return sum(v), len(w), w[0] + 1


def in_a_tuple_behind_a_loop(p):
    k = 0
    while True:
        k += 1
        if k > 3:
            break
        p = [1.0]
    return (p,)


def locals_of(error):
    frame = error.__traceback__.tb_next.tb_frame
    return {name: frame.f_locals[name] for name in sorted(frame.f_locals)}


XS = (1, 2.5, True, 2**63, Odd(3), None, "s")


def beside_a_tuple_with_a_list(p):
    v = [([p], 7), tuple([2, 100])]
    first, *others = [([], [p]), tuple([p, 2])]

    def inner(a=([p], 7), b=tuple([p, p])):  # noqa: B008
        return a, b, p

    return v, first, others, inner()


CALLS = [(beside_a_tuple_with_a_list, p) for p in (1.5, 2, "s") for _ in range(6)]
CALLS += [(sieve, 100), (sieve, 1)]
CALLS += [(ways, [1, 2, 5], 40), (ways, [1, 2, 5], 0), (ways, [1], 100), (ways, [2.5], 3)]
CALLS += [(ways, [1] * 64, 64), (ways, [-1], 5)]
CALLS += [(distance, [1, 2, 3], [2, 3]), (distance, "kitten", "sitting"), (distance, [], [])]
for f in (aliases, sum_leaves, leaves_to_the_end, inside_a_comprehension, zipped, a_callee_leaves):
    CALLS += [(f, n, x) for n in (0, 1, 4, 7) for x in XS]
CALLS += [(ints_then_floats, 9), (ints_then_floats, 9), (ints_then_floats, 0)]
CALLS += [
    (ints_and_floats, list(v), x) for x in XS for v in ((1, 2.5), (0.5, 2, 3), (1, 2, 0.5, 2**62))
]
CALLS += [(first_an_object, 5, x) for x in XS]
CALLS += [(f, n) for f in (grows_while_iterated, shrinks_while_iterated) for n in (0, 3, 8)]
CALLS += [(methods, n) for n in (1, 6, 30)]
CALLS += [(empty, k) for k in ("min", "pop", "index", "sum", "store", "del", "")]
CALLS += [(floats_without_items,)]
CALLS += [(at, i) for i in (0, 2, -1, -3, 3, -4, True, 2**63, -(2**63), 1.0, None)]
CALLS += [(too_large, n) for n in (3, 0, -1, 2**62, 2**63 - 1, 2**60, -(2**63), 2**64)]
CALLS += [(beyond_64_bits, x) for x in (2, 2**40, 2**62, 2.5)]
CALLS += [(overflowing_sum, n) for n in (0, 1, 2)]
CALLS += [(returned_item, a, b) for a in (3, 2.5, 2**40) for b in (7, 2**40)]
CALLS += [(returned_argument, a) for a in (1000, 2.5, None)]
CALLS += [(the_same_item_twice, a) for a in (1000, 2.5)]
CALLS += [(constant_item, 3)]
CALLS += [(f, n, x) for f in (raises_while_building, raises_in_a_comprehension)
          for n in (0, 5) for x in (0, 1, 3, 9)]  # fmt: skip
CALLS += [(unbound, n) for n in (1, 0, 2)]
CALLS += [(shown_by_the_exception, n) for n in (1, 3, 4)]
CALLS += [(nan_sorts, x) for x in (0.5, float("nan"), -0.0)]
CALLS += [(from_a_constant, i) for i in (0, 1, 3)]
CALLS += [(repeated, n) for n in (1, 3)]


CALLS += [(in_a_tuple_behind_a_loop, p) for p in (3, None)]


def main():
    number = 123456
    print(returned_argument(number) is number)
    print(constant_item(2) is constant_item(3))
    try:
        shown_by_the_exception(3)
    except ZeroDivisionError as error:
        shown = locals_of(error)
        print(shown, shown["v"] is shown["w"])


# compiled: sieve, ways, distance, aliases, sum_leaves, leaves_to_the_end, inside_a_comprehension
# compiled: ints_and_floats
# compiled: ints_then_floats, grows_while_iterated, shrinks_while_iterated, zipped, methods, empty, at
# compiled: too_large, beyond_64_bits, overflowing_sum, returned_item, returned_argument, unbound
# compiled: constant_item, shown_by_the_exception, nan_sorts, from_a_constant
# compiled: a_callee_leaves, repeated, floats_without_items, first_an_object
