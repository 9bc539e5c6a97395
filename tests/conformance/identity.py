"""Which object it is: what came from an object goes back as that object, what is computed is one object."""
# compiled: same, pick, twice, computed, through_call, constant, plus, all_operators, all_functions

BIG = 10**6
FLOAT = 2.5


def same(x):
    return x


def pick(flag, a, b):
    return a if flag else b


def twice(x):
    return x, x


def computed(a, b):
    c = a + b
    return c, c


def separately(a, b):
    return a + b, a + b


def through_call(x):
    return same(same(x))


def from_global(x):
    return BIG if x else FLOAT


def constant(flag):
    return 123456789 if flag else 0.75


def plus(x):
    return +x


def logical(a, b):
    return a and b, a or b


def smallest(a, b):
    return min(a, b), max(a, b)


def loop(x, n):
    y = x
    for _ in range(n):
        y = x
    return y


def swapped(a, b):
    a, b = b, a
    return a, b


def left_behind(a, b):
    c = a * b
    return c, a, b


def default(x=987654321):
    return x


def at_merge(a, b, c):
    x = a + b
    y = x if c else a - b
    if b > a:
        y = y
    return x is y, [x, y]


def kept_in_loop(a, n):
    best = current = a * 3.5
    for i in range(n):
        current = current + i
        if i % 3 == 0:
            best = current
    return [best, current]


def put(values, value):
    values.append(value)


def put_twice(a, b):
    values = []
    v = a * b
    put(values, v)
    put(values, v)
    return values


def at_most(x, high):
    if x > high:
        return high
    return x


def given_back(a, b):
    x = a * b
    y = at_most(x, 1e300)
    return [x, y]


def remainder(a, b):
    return [a % b, a]


def remainder_of_sum(a, b, c):
    a = a + c
    r = a % b
    return [r, a]


def all_operators(a, b):
    c = a + 0
    return [
        a + b,
        a - b,
        a * b,
        a // b,
        a % b,
        a & b,
        a | b,
        a ^ b,
        a >> (b & 63),
        a >> 0,
        c >> 0,
        c,
        +a,
    ]


def all_functions(a, b):
    return [abs(a), int(a), round(a), divmod(a, b)[0], divmod(a, b)[1], min(a, b), max(a, b)]


def through_list(x):
    items = [x >> 0]
    return items[0]


def beside_power(x, items):
    items.append(x**1)
    return x


def rest_of_either(a, flag, m):
    q, r = divmod(a if flag else 0, m)
    return r


def slice_of_private(n, part):
    x = n * 1.5
    items = [x] * n
    total = 0.0
    for v in items:
        total += v
    return items[part]


def sum_of(a, b):
    return a + b


def shared_or_not(x, flag):
    a = x * 1.5
    b = a
    if flag:
        x = 2
    for i in range(3):
        x += i
    import math  # noqa: F401

    return sum_of(a, b)


def tuples(a, b):
    t = (a, b * 2)
    u = t if a else (a, b)
    return [t, u, (t, u)]


def one_object(values):
    return values[0] is values[1]


def main():
    for x in (5, 10**6, 2**62, 2**63, 2.5, True, None, 1j, "text", (1,), -(10**9), float("nan")):
        y = x if isinstance(x, (str, tuple)) or x is None else x
        print(
            repr(x),
            same(x) is x,
            pick(1, x, 0) is x,
            pick(0, 0, x) is x,
            twice(x)[0] is twice(x)[1],
            twice(x)[0] is x,
        )
        print(
            through_call(x) is x,
            loop(x, 3) is x,
            swapped(x, y)[0] is y,
            logical(x, x)[0] is x,
            logical(x, x)[1] is x,
        )
    for a, b in ((10**6, 1), (2**62, 2**62), (2.5, 1.5), (2**63, 1), (1, 2)):
        first, second = computed(a, b)
        third, fourth = separately(a, b)
        print(first is second, third is fourth, first == third)
        small, large = smallest(a, b)
        print(
            small is a or small is b,
            large is a or large is b,
            left_behind(a, b)[1] is a,
            left_behind(a, b)[2] is b,
        )
        print(plus(a) is a, abs(a) is a)
    print(
        from_global(1) is BIG,
        from_global(0) is FLOAT,
        constant(1) is constant(1),
        constant(0) is constant(0),
    )
    print(default() is default(), default() is default.__defaults__[0])
    values = [10**6 + i for i in range(5)]
    print([same(v) is v for v in values], [pick(i % 2, v, v) is v for i, v in enumerate(values)])
    for flag in (True, False):
        same_object, both = at_merge(1000, 2000, flag)
        print(same_object, one_object(both))
    print([one_object(kept_in_loop(1000.5, n)) for n in range(6)])
    print(one_object(put_twice(3.5, 7.5)), one_object(given_back(3.5, 7.5)))
    for a in (5, 1000, -1000, 2**29, 2**31, 2**32, 2**61, 2**62 + 5, -(2**61), -(2**62)):
        for b in (7, 2**30, 2**31, 2**40, 2**60, 2**62 + 1, -(2**40), -(2**62)):
            print(one_object(remainder(a, b)), one_object(remainder_of_sum(a, b, 3)))
    numbers = [
        int(f"{sign}{2**k + d}")
        for k in (0, 10, 29, 30, 31, 59, 60, 62)
        for d in (0, 7)
        for sign in "+-"
    ]
    for a in numbers:
        for b in numbers:
            try:
                results = all_operators(a, b)
            except OverflowError as error:
                print(error)
                continue
            print([r is a or r is b for r in results], results[-2] is results[-3])
            print([r is a or r is b for r in all_functions(a, b)])
    for x in (-(2**40), -(2**29), 2**40):
        kept = []
        print(beside_power(x, kept) is x, kept[0] is x)
        print(through_list(x) is x, rest_of_either(x, True, 2**50) is x)
    part = slice_of_private(3, slice(0, 2))
    print(part[0] is part[1], slice_of_private(3, 1))
    print(shared_or_not(1.0, False), shared_or_not(1.0, True))
    sum_of.__code__ = (lambda a, b: a is b).__code__
    print(shared_or_not(1.0, False), shared_or_not(1.0, True))
    for a in (0, 5):
        t, u, both = tuples(a, 2.5)
        print(t is u, both[0] is t, both[1] is u)
