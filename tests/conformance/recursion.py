"""Deep recursion: the same depth, the same RecursionError, at several limits."""
# compiled: down, fibonacci, ackermann, even, odd, tree

import sys

DEPTH = [0]


def down(n):
    if n == 0:
        return 0
    return 1 + down(n - 1)


def count_depth(n):
    DEPTH[0] = n
    return count_depth(n + 1)


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


def even(n):
    return True if n == 0 else odd(n - 1)


def odd(n):
    return False if n == 0 else even(n - 1)


def tree(n):
    if n == 0:
        return 1.0
    return tree(n - 1) * 0.5 + tree(n - 1) * 0.25


def caught(n):
    try:
        return 1 + caught(n + 1)
    except RecursionError:
        return 0


def grows(n, x):
    # leaves native code deep inside: the integer outgrows 64 bits on the way back
    if n == 0:
        return x
    return grows(n - 1, x) * 3


def fails_deep(n):
    return 1 // n if n == 0 else fails_deep(n - 1) + 1


CALLS = [
    (down, 10),
    (down, 500),
    (fibonacci, 15),
    (fibonacci, 1.5),
    (ackermann, 2, 3),
    (even, 100),
    (odd, 101),
    (tree, 6),
]
CALLS += [
    (grows, 5, 1),
    (grows, 60, 1),
    (grows, 200, 1),
    (grows, 60, 0.5),
    (fails_deep, 5),
    (fails_deep, 300),
]


def deepest(function, low, high):
    """The largest argument that does not end in RecursionError."""
    while low < high:
        middle = (low + high + 1) // 2
        try:
            function(middle)
            low = middle
        except RecursionError:
            high = middle - 1
    return low


def main():
    import traceback

    for limit in (120, 300, 1000, 3000, 20000):
        sys.setrecursionlimit(limit)
        print(limit, deepest(down, 1, 2 * limit), deepest(even, 1, 2 * limit), caught(0))
        try:
            count_depth(0)
        except RecursionError as error:
            print(DEPTH, error)
        try:
            down(10**7)
        except RecursionError as error:
            print("".join(traceback.format_exception(error)))
        print(down(limit // 2), even(limit // 2))
    sys.setrecursionlimit(1000)
    try:
        down(-1)
    except RecursionError as error:
        print(error)


main.__name__ = "main"
deepest.__name__ = "main"
