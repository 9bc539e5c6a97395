"""Every function of math over edge values: the same library calls, the same errors."""
# compiled: via_sin, via_sqrt, via_floor, via_hypot, via_gcd

import math

from splice import jit

INF = float("inf")
NAN = float("nan")
ONE = [
    0.0,
    -0.0,
    0.5,
    1.0,
    -1.0,
    2.5,
    -2.5,
    100.0,
    710.0,
    1e-320,
    1e308,
    INF,
    -INF,
    NAN,
    3,
    -3,
    2**62,
    10**30,
    10**400,
    True,
    "x",
    None,
]
TWO = [
    (a, b)
    for a in (0.0, -0.0, 1.0, -2.5, INF, -INF, NAN, 3, 1e308)
    for b in (0.0, -0.0, 2.0, -1.0, INF, NAN, 2, 1e-300)
]
INTEGERS = [0, 1, -1, 12, 18, 20, 21, 2**31, 2**62, 2**63 - 1, -(2**63), 10**30, 2.0, True]


def via_sin(x):
    return math.sin(x)


def via_sqrt(x):
    return math.sqrt(x)


def via_floor(x):
    return math.floor(x), math.ceil(x), math.trunc(x)


def via_hypot(x, y):
    return math.hypot(x, y), math.atan2(x, y)


def via_gcd(a, b):
    return math.gcd(a, b)


def make(name, arity):
    """A function that calls one of math by its name in the source."""
    names = ", ".join("ab"[:arity])
    scope = {"math": math}
    exec(
        compile(
            f"def call_{name}({names}):\n    return math.{name}({names})\n", f"<{name}>", "exec"
        ),
        scope,
    )
    return jit(scope[f"call_{name}"])


make.__name__ = "main"

NAMES = sorted(name for name in dir(math) if callable(getattr(math, name)) and name[0] != "_")
SINGLE = [n for n in NAMES if n not in ("fsum", "prod", "dist", "sumprod", "factorial")]
CALLS = [(via_sin, x) for x in ONE] + [(via_sqrt, x) for x in ONE] + [(via_floor, x) for x in ONE]
CALLS += [(via_hypot, a, b) for a, b in TWO] + [
    (via_gcd, a, b) for a in INTEGERS for b in (0, 12, -18, 2**62, -(2**63))
]
# perm(x) and factorial(x) would not end for the large ones.
CALLS += [(f, x) for f in [make(n, 1) for n in SINGLE if n != "perm"] for x in ONE]
CALLS += [(f, a, b) for f in [make(n, 2) for n in SINGLE] for a, b in TWO]
CALLS += [(make("factorial", 1), x) for x in (0, 1, 5, 20, 25, -1, 1.5)]
CALLS += [
    (f, a, b)
    for f in [make(n, 2) for n in ("gcd", "lcm", "comb", "perm", "ldexp")]
    for a in INTEGERS
    for b in (0, 1, 3, -1, 7)
]
