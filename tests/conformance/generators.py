"""Generator expressions in sum, any, all, min, max, list, tuple and sorted: results, identities, errors,
side effects.
"""
# compiled: squares, scaled, is_prime, all_positive, largest, smallest, dot, pairs, through_function
# compiled: variance, divides, overflows, plain, changes_list, changes_variable, filtered, of_tuples
# compiled: of_text, in_loop, decided_early, truths, takes_start, starts_with_float, with_default
# compiled: as_list, as_tuple, in_order, downwards, table, rooms, of_values, read_again, shared_rows

import math
import sys


def squares(values):
    return sum(x * x for x in values)


def scaled(values, k):
    return sum(x * k for x in values if x > 1)


def is_prime(n):
    return n > 1 and not any(n % d == 0 for d in range(2, math.isqrt(n) + 1))


def all_positive(values):
    return all(x > 0 for x in values)


def largest(values):
    return max(x - 3 for x in values)


def smallest(values):
    return min(x for x in values), max(x for x in values)


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def pairs(n):
    return sum(i * j for i in range(n) for j in range(i))


def helper(x):
    return x * x + 1


def through_function(values):
    return sum(helper(x) for x in values)


def variance(values):
    mean = sum(values) / len(values)
    return sum((x - mean) ** 2 for x in values) / len(values)


def divides(values):
    return sum(10 // x for x in values)


def overflows(values):
    return sum(x * 2**40 for x in values)


def plain(values):
    return sum(x for x in values)


def changes_list(values):
    seen = []
    return sum(seen.append(x) or x for x in values), seen


def changes_variable(values):
    count = 0

    def counted(x):
        nonlocal count
        count += 1
        return x * 2

    total = 0
    for i in range(5):
        total += i
    return total + sum(counted(x) for x in values), count


def filtered(values, low, high):
    return sum(x for x in values if low < x < high), sum(1 for x in values if x % 2)


def of_tuples(n):
    points = [(i, i * 0.5) for i in range(n)]
    return max(x * y for x, y in points), sum(abs(x - y) for x, y in points)


def of_text(text):
    return any(c == "x" for c in text), all(c != "q" for c in text)


def in_loop(n):
    total = 0
    for i in range(n):
        if all(i % d for d in range(2, i)):
            total += sum(k for k in range(i))
    return total


def decided_early(values):
    return any(10 // x > 4 for x in values), all(10 // x for x in values)


def truths(values):
    return any(x for x in values), all(x for x in values)


def takes_start(values):
    return sum((x for x in values), 10)


def starts_with_float(values):
    return sum((x * 3 for x in values), 0.5), sum((x for x in values), start=-1)


def with_default(values):
    return (
        max((x for x in values if x > 3), default=-1),
        min((x * 1.5 for x in values if x > 3), default=None),
        max((x for x in values if x > 1000), default=7.5),
    )


def as_list(values):
    return list(x * 3 for x in values if x)


def as_tuple(values):
    return tuple(x * 3 for x in values), tuple(x for x in values if x > 10**9)


def in_order(values):
    return sorted(10 - x for x in values)


def downwards(values):
    return sorted((x * x for x in values), reverse=True), sorted(
        (-x for x in values), reverse=False
    )


def table(values):
    rows = tuple(tuple(x * y for x in values) for y in values)
    return rows, sum(sum(x + y for x in values) for y in values)


def rooms(n):
    made = list(i for i in range(n))
    ordered = sorted(i for i in range(n))
    sizes = [sys.getsizeof(made), sys.getsizeof(ordered)]
    made.append(1)
    ordered.extend([1, 2, 3])
    return [*sizes, sys.getsizeof(made), sys.getsizeof(ordered)]


def of_values(values):
    return list(x for x in values), tuple(x for x in values), sorted(x for x in values)


def read_again(n):
    total = 0
    for i in range(n):
        row = list(j * i for j in range(n))
        pair = tuple(float(j) for j in range(2))
        total += row[i] + len(row) + pair[1]
        row[0] = 5
    return total, row, pair


def shared_rows(n):
    row = [0] * n
    rows = list(row for _ in range(n))
    rows[0][1] = 7
    return rows, rows[0] is rows[1]


def odd_orders(values):
    return sorted((x for x in values), reverse=1), sorted((x for x in values), key=abs)


def two_arguments(values):
    return list((x for x in values), 2)


def odd_starts(values):
    return sum((x for x in values), 2**70), sum((x for x in values), True)


def wrong_names(values):
    return sum((x for x in values), default=3)


def wrong_start(values):
    return sum((x for x in values), "a")


def default_by_position(values):
    return max((x for x in values), 5)


def not_alone(values):
    return max((x for x in values), 5), min((x for x in values), key=abs)


def plain_generator(function, first, second):
    yield first
    yield second


def takes_the_builtin(values):
    return list(plain_generator(sum, 1, 2)), list(plain_generator(any, 0, 0))


CLOSED = []


def with_handlers(values):
    try:
        for x in values:
            yield x
    finally:
        CLOSED.append(len(values))


def closes(values):
    found = any(with_handlers(values))
    return found, list(CLOSED)


def kept(values):
    squared = (x * x for x in values)
    first = next(squared)
    return first, sum(squared)


def main():
    numbers = [10**6 + i for i in range(5)]
    low, high = smallest(numbers)
    print(low is numbers[0], high is numbers[-1])
    equal = [int("1000000"), int("1000000")]
    low, high = smallest(equal)
    print(low is equal[0], high is equal[0])
    floats = [2.5, -1.5, 7.25]
    made = of_values(numbers)
    print([a is b for values in made for a, b in zip(values, numbers)])
    default = with_default([])[2]
    print(any(default is constant for constant in with_default.__code__.co_consts))
    print(smallest(floats)[0] is floats[1], plain([10**6]) is None)


FLOATS = [0.1 * i - 3.7 for i in range(60)]
INTS = list(range(1, 60))
MIXED = [1, 2.5, True, 3, -0.5]

CALLS = [
    (squares, FLOATS),
    (takes_start, INTS),
    (takes_start, FLOATS),
    (takes_start, [2**62, 2**62]),
    (starts_with_float, INTS),
    (starts_with_float, FLOATS),
    (starts_with_float, [1e16, 1.0, -1e16]),
    (starts_with_float, []),
    (starts_with_float, [None]),
    (with_default, INTS),
    (with_default, FLOATS),
    (with_default, []),
    (with_default, [4]),
    (with_default, [float("nan"), 5]),
    (as_list, INTS),
    (as_list, FLOATS),
    (as_list, []),
    (as_list, [2**62, 1]),
    (as_list, ["a", "", "b"]),
    (as_list, [1, None]),
    (as_list, None),
    (as_tuple, INTS),
    (as_tuple, MIXED),
    (as_tuple, [2**63, 1.5]),
    (in_order, INTS),
    (in_order, FLOATS),
    (in_order, MIXED),
    (in_order, [1, float("nan"), 3.5, 2]),
    (in_order, [1.5, "a"]),
    (downwards, INTS),
    (downwards, [-0.0, 0.0, -0.0]),
    (downwards, []),
    (table, [1, 2, 3]),
    (table, [1.5, 2.5]),
    (table, [2**40, 2**40]),
    (rooms, 0),
    (rooms, 1),
    (rooms, 2),
    (rooms, 8),
    (rooms, 9),
    (rooms, 40),
    (of_values, [3, 1, 2]),
    (of_values, ["b", "a"]),
    (of_values, [[2], [1]]),
    (of_values, "text"),
    (of_values, 5),
    (read_again, 8),
    (shared_rows, 4),
    (odd_orders, [3, 1, -2]),
    (two_arguments, [1]),
    (odd_starts, INTS),
    (odd_starts, []),
    (wrong_names, INTS),
    (wrong_start, INTS),
    (default_by_position, INTS),
    (squares, INTS),
    (squares, MIXED),
    (squares, [1e16, 1.0, -1e16]),
    (squares, []),
    (squares, ["a"]),
    (scaled, INTS, 7),
    (scaled, FLOATS, 2.5),
    (scaled, FLOATS, None),
    (is_prime, 10007),
    (is_prime, 10005),
    (is_prime, 1),
    (all_positive, INTS),
    (all_positive, [1, 2, 0, "x"]),
    (all_positive, [1, 2, "x", 0]),
    (largest, INTS),
    (largest, FLOATS),
    (largest, []),
    (largest, [1, 2**63]),
    (smallest, MIXED),
    (smallest, []),
    (dot, FLOATS, FLOATS),
    (dot, INTS, FLOATS),
    (dot, INTS, [1, 2]),
    (pairs, 30),
    (through_function, INTS),
    (through_function, [2**31, 2**40]),
    (variance, FLOATS),
    (divides, [1, 2, 0]),
    (divides, [1, 2, 3]),
    (divides, [3.5, 0.25]),
    (overflows, INTS),
    (overflows, [2**60] * 5),
    (plain, MIXED),
    (plain, [0.1] * 10),
    (plain, [1e308, 1e308, -1e308]),
    (plain, [-0.0]),
    (plain, [float("inf"), 1.0, float("-inf")]),
    (plain, [1e100, 1, -1e100, 2]),
    (plain, [1j, 2.0]),
    (plain, [2.0, 1e-20, 1j]),
    (plain, [True, False, True]),
    (plain, [None]),
    (plain, [[1], [2]]),
    (changes_list, [1, 2, 3]),
    (changes_variable, [1, 2, 3]),
    (filtered, INTS, 10, 20),
    (filtered, FLOATS, -1.0, 1.0),
    (of_tuples, 20),
    (of_text, "abcx"),
    (of_text, "abcq"),
    (in_loop, 40),
    (decided_early, [1, 0]),
    (decided_early, [5, 0]),
    (decided_early, [20, 0]),
    (truths, [0, 0.0, 5]),
    (truths, [1, True, 2.5]),
    (truths, ["", [], ()]),
    (takes_start, INTS),
    (not_alone, [3, -4]),
    (takes_the_builtin, INTS),
    (closes, [0, 1, 2]),
    (closes, [0, 0]),
    (kept, INTS),
]
