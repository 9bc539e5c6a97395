"""A NaN equals nothing, but containers find it as the same object: whose items have an identity."""

import math

NAN = float("nan")


def one_item(x):
    m = [x]
    return x in m, m.count(x), x not in m


def position(x):
    m = [1.0, x, 2.0]
    return m.index(x)


def appended(x, n):
    m = []
    for _ in range(n):
        m.append(x)
    return x in m, m.count(x), m.count(1.5)


def stored(x):
    m = [1.0, 2.0]
    m[0] = x - x
    y = m[0]
    return y in m, m.count(y)


def copied(x):
    m = [x, 2.0]
    s = [q for q in m]
    t = m[:]
    u = m + s
    return x in s, t.count(x), u.count(x)


def behind_an_exit(x, k):
    m = [x]
    if k:
        print("exit")
    return m.count(x), x in m


def in_a_tuple(x):
    m = [x, 1.0]
    t = (x, 2.0)
    return m[0] in t, (m[0],) == (x,), [m[0]] == [x], t.count(m[0]), t.index(m[0])


def in_another_list(x, other):
    m = [x, 1.0]
    return m[0] in other, other.count(m[0]), m == other, min(m) in other


def in_rows(x):
    table = [[x, 1.0], [2.0, x]]
    return x in table[0], table[1].count(x), table[0][0] in table[1], [x, 1.0] in table


def in_a_dict(x):
    m = [x, 1.0]
    d = {x: 1}
    return m[0] in d, d.get(m[0], 0)


def as_argument(x):
    m = [x]
    return same(m[0], x), found(m[0], [x])


def same(a, b):
    return a is b


def found(a, items):
    return a in items


def minimum(x, y):
    m = [x, y]
    low = min(m)
    return low in (x,), max(m) in (y,), sorted(m)[0] in (x, y)


def ints(n):
    m = [i * i % 7 for i in range(n)]
    return 4 in m, m.count(2), m.index(1), 2.0 in m, NAN in m


def shown(function, *args):
    try:
        return function(*args)
    except Exception as error:
        return repr(error)


def main():
    for x in (1.5, NAN, math.nan, 0.0, -0.0, math.inf):
        for _ in range(3):
            print(
                x, shown(one_item, x), shown(position, x), shown(appended, x, 3), shown(stored, x)
            )
            print(x, shown(copied, x), shown(in_a_tuple, x), shown(in_another_list, x, [x, 1.0]))
            print(x, shown(in_rows, x), shown(in_a_dict, x), shown(as_argument, x))
            print(x, shown(minimum, x, x), shown(minimum, 1.0, x), shown(minimum, x, 1.0))
            print(x, shown(behind_an_exit, x, 0), shown(behind_an_exit, x, 1), shown(ints, 9))


# compiled: one_item, position, appended, stored, copied, in_a_tuple, in_another_list, in_rows
# compiled: minimum, ints
