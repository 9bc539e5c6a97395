"""Globals, builtins and module attributes that change between calls and during calls."""
# compiled: scaled, through_module, uses_builtin, counted, loop_global

import math

SCALE = 3
TOTAL = 0
LIMIT = 5


def scaled(x):
    return x * SCALE


def through_module(x):
    return math.floor(x) + math.pi


def uses_builtin(x):
    return abs(x) + len((x, x))


def set_scale(value):
    global SCALE
    SCALE = value


def bump(x):
    globals()["SCALE"] = x
    return x


def during(x):
    first = SCALE
    bump(x)
    second = SCALE
    exec("SCALE = SCALE + 1", globals())
    return first, second, SCALE


def counted(n):
    global TOTAL
    for i in range(n):
        TOTAL += i
    return TOTAL


def loop_global(n):
    steps = 0
    for i in range(n):
        if i >= LIMIT:
            break
        if i == 3:
            set_limit()
        steps += LIMIT
    return steps


def set_limit():
    global LIMIT
    LIMIT = LIMIT + 2


def deleted(x):
    global GONE
    GONE = x
    y = GONE + 1
    del GONE
    return y


def shown(*values):
    print(*[f"{type(v).__name__} {v!r}" for v in values])


shown.__name__ = "main"


def attempt(function, *args):
    try:
        shown(function(*args))
    except Exception as error:
        print(type(error).__name__, error)


attempt.__name__ = "main"


def main():
    import builtins

    global SCALE, math, abs
    for value in (3, 4, 2.5, True, 2**63, "ab", None, 1j):
        SCALE = value
        attempt(scaled, 2)
        attempt(scaled, 2)
    set_scale(9)
    attempt(scaled, 5)
    globals()["SCALE"] = 10
    attempt(scaled, 5)
    globals().update(SCALE=11)
    attempt(scaled, 5)
    exec("SCALE = 12", globals())
    attempt(scaled, 5)
    del SCALE
    attempt(scaled, 5)
    SCALE = 13
    attempt(scaled, 5)
    globals().pop("SCALE")
    attempt(scaled, 5)
    globals().setdefault("SCALE", 14)
    attempt(scaled, 5)
    for value in (1, 2.5):
        attempt(during, value)
    attempt(counted, 10)
    attempt(counted, 10)
    globals()["TOTAL"] = 0.5
    attempt(counted, 4)
    globals()["TOTAL"] = 2**63 - 3
    attempt(counted, 4)
    attempt(loop_global, 20)
    attempt(loop_global, 20)
    attempt(deleted, 5)
    attempt(deleted, 6)

    attempt(through_module, 2.5)
    pi, floor = math.pi, math.floor
    math.pi = 3
    attempt(through_module, 2.5)
    math.floor = lambda x: "floor"
    attempt(through_module, 2.5)
    math.floor = floor
    del math.pi
    attempt(through_module, 2.5)
    math.pi = pi
    attempt(through_module, 2.5)
    math = None
    attempt(through_module, 2.5)

    attempt(uses_builtin, -3)
    abs = lambda x: 1000 - x  # noqa: E731
    attempt(uses_builtin, -3)
    del abs
    attempt(uses_builtin, -3)
    saved = builtins.len
    builtins.len = lambda x: -7
    attempt(uses_builtin, -3)
    builtins.len = saved
    attempt(uses_builtin, -3)
