"""Compares every row of the math table with the math module, bit for bit."""

import math
import os
import random
import struct
import time

from probe import call, find, math_rows

CASES = int(os.environ.get("SPLICE_TEST_CASES", "10000"))
I64 = (-(2**63), 2**63 - 1)
rng = random.Random(7)

SPECIAL = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    2.0,
    -2.0,
    1.5,
    math.inf,
    -math.inf,
    math.nan,
    struct.unpack("<d", struct.pack("<Q", 0xFFF8000000001234))[0],
    5e-324,
    -5e-324,
    2.2250738585072014e-308,
    1e-300,
    1e-17,
    1.7976931348623157e308,
    -1.7976931348623157e308,
    math.pi,
    -math.pi,
    709.782712893384,
    709.8,
    -745.2,
    -708.5,
    1024.0,
    -1074.0,
    -1080.0,
    710.5,
    170.7,
    171.7,
    -170.5,
    1e22,
    2.0**53,
    2.0**63,
    -(2.0**63),
    2.0**63 - 1024,
    4503599627370497.5,
    math.nextafter(1, 2),
    math.nextafter(1, 0),
    -math.nextafter(1, 2),
    1e308,
    3e-308,
]


def any_float():
    r = rng.random()
    if r < 0.3:
        return rng.choice(SPECIAL)
    if r < 0.5:
        return struct.unpack("<d", struct.pack("<Q", rng.getrandbits(64)))[0]
    if r < 0.7:
        return rng.uniform(-1, 1)
    if r < 0.9:
        return rng.uniform(-800, 800)
    return float(rng.randrange(-200, 200)) / rng.choice([1, 2])


def any_int():
    r = rng.random()
    if r < 0.6:
        return rng.randrange(-2, 70)
    if r < 0.9:
        return rng.getrandbits(rng.randrange(1, 64)) * rng.choice([1, -1])
    return rng.choice(
        [0, 1, *I64, I64[0] + 1, I64[1] - 1, 3037000499**2, 3037000499**2 - 1, 2**31, -(2**31) - 1]
    )


def slow(name, args):
    """Calls of the module that would take for ever; the result is beyond 64 bits or an error."""
    if name == "factorial":
        return args[0] > 1000
    if name in ("comb", "perm"):
        n = args[0]
        k = args[1] if len(args) > 1 else n
        return n > 10**4 and k > 200 and k <= n and (name == "perm" or n - k > 200)
    return False


def bits(value):
    return struct.pack("<d", value) if type(value) is float else value


def check(name, symbol, types, result, can_fail):
    function = getattr(math, name)
    assert find(function, len(types)) is not None
    failures = 0
    for _ in range(CASES):
        args = [any_float() if t == "f" else any_int() for t in types]
        if slow(name, args):
            want = None
        else:
            try:
                want = function(*args)
                if result == "i" and not I64[0] <= want <= I64[1]:
                    want = None
                if name == "gcd" and want is not None and want >= 2**60:
                    want = None  # may be one of the arguments itself
            except (ValueError, OverflowError, ZeroDivisionError):
                want = None
        got = call(
            symbol,
            tuple(a for a in args if type(a) is float),
            tuple(a for a in args if type(a) is int),
            result,
            bool(can_fail),
        )
        failures += got is None
        assert type(got) is type(want) and bits(got) == bits(want), (name, args, got, want)
    # hypot has no errors of its own; it is called boxed, and memory may run out.
    assert bool(failures) == bool(can_fail) or name == "hypot", (name, failures)


start = time.perf_counter()
rows = math_rows()
for row in rows:
    check(*row)
covered = {row[0] for row in rows}
# What is left takes or gives something that is no scalar.
rest = {n for n in dir(math) if callable(getattr(math, n)) and n[0] != "_"} - covered
assert rest == {"dist", "frexp", "fsum", "modf", "prod", "sumprod"}, rest
assert find(len, 1) is None and find(abs, 1) is None and find(math.sin, 2) is None
saved, math.sin = math.sin, math.cos
assert find(math.sin, 1) == "splice_rt_math_cos" and find(saved, 1) == "splice_rt_math_sin"
math.sin = saved
print(f"math: {len(rows)} rows, {time.perf_counter() - start:.1f} s")
