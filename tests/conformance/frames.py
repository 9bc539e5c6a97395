"""What code called from a compiled function sees of its callers: frames, locals, lines, warnings."""

import sys
import warnings

SEEN = []


def plain_inner(a, b):
    return a * b + 1


def look_up():
    frame = sys._getframe(1)
    trail = []
    while frame and frame.f_code.co_filename == __file__:
        shown = {k: v for k, v in frame.f_locals.items() if isinstance(v, (int, float, str))}
        trail.append((frame.f_code.co_name, frame.f_lineno, sorted(shown.items())))
        frame = frame.f_back
    return trail


look_up.__name__ = "main"


def caller(x):
    y = x * 2
    z = plain_inner(x, y)
    trail = look_up()
    return trail, z


def loops(n):
    out = []
    for i in range(n):
        square = i * i
        if i % 2:
            out.append(look_up())
    return out


def outer(n):
    half = n / 2
    return caller(n), half


def shows_locals(a, b):
    c = a + b
    return sorted(locals().items()), sorted(vars())


def warns(n):
    total = 0
    for i in range(n):
        total += i
        if total > 3:
            warnings.warn(f"total {total}", stacklevel=2)
    return total


def in_handler(n):
    try:
        return 1 // n
    except ZeroDivisionError:
        return sys.exc_info()[0].__name__, look_up()


def prints(n):
    for i in range(n):
        print(i, i * 0.5)
    return n


def evaluates(a):
    b = a + 1
    return eval("a * b"), eval("b", {"b": 7})


CALLS = [(caller, n) for n in (3, 2.5, 2**62)] + [
    (loops, 4),
    (outer, 5),
    (shows_locals, 1, 2.5),
    (shows_locals, 2**63 - 1, 1),
]
CALLS += [
    (warns, 4),
    (warns, 0),
    (in_handler, 1),
    (in_handler, 0),
    (prints, 3),
    (evaluates, 4),
    (evaluates, 2**63 - 1),
]
