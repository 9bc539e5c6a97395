"""Compares splice_rt_* arithmetic with the operators of the running interpreter, bit for bit."""

import math
import os
import random
import struct
import time

from probe import call

CASES = int(os.environ.get("SPLICE_TEST_CASES", "10000"))
I64 = (-(2**63), 2**63 - 1)
rng = random.Random(20240607)

SPECIAL_FLOATS = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    1.5,
    2.5,
    -2.5,
    2.0,
    3.0,
    10.0,
    math.inf,
    -math.inf,
    math.nan,
    struct.unpack("<d", struct.pack("<Q", 0xFFF8000000001234))[0],
    5e-324,
    -5e-324,
    2.2250738585072014e-308,
    1.7976931348623157e308,
    -1.7976931348623157e308,
    2.0**53,
    2.0**53 + 2,
    2.0**63,
    -(2.0**63),
    2.0**62,
    2.0**63 - 1024,
    -(2.0**63) - 2048,
    2.0**52 + 0.5,
    0.49999999999999994,
    1e16,
    1e22,
    1e23,
    0.1,
    0.285,
    2.675,
    1.005,
    1e-5,
    123456.789,
    4503599627370497.5,
]
SPECIAL_INTS = [
    0,
    1,
    -1,
    2,
    -2,
    3,
    5,
    7,
    10,
    -10,
    63,
    64,
    100,
    2**31,
    -(2**31),
    2**53,
    2**53 + 1,
    2**53 - 1,
    -(2**53) - 1,
    2**62,
    2**63 - 1,
    -(2**63),
    2**63 - 512,
    2**63 - 513,
    -(2**63) + 1,
    10**18,
    5 * 10**17,
    15 * 10**17,
    3037000499,
    3037000500,
]


def any_float():
    r = rng.random()
    if r < 0.25:
        return rng.choice(SPECIAL_FLOATS)
    if r < 0.5:
        return struct.unpack("<d", struct.pack("<Q", rng.getrandbits(64)))[0]
    if r < 0.75:
        return rng.uniform(-100, 100)
    if r < 0.9:
        return round(rng.uniform(-1e5, 1e5), rng.randrange(6)) + rng.choice([0.0, 0.5, 0.005])
    return float(rng.randrange(-50, 50))


def any_int():
    r = rng.random()
    if r < 0.25:
        return rng.choice(SPECIAL_INTS)
    if r < 0.5:
        return rng.randrange(-100, 100)
    if r < 0.75:
        return rng.getrandbits(rng.randrange(1, 64)) * rng.choice([1, -1])
    return rng.randint(*I64)


def bits(value):
    if type(value) is float:
        return struct.pack("<d", value)
    if type(value) is complex:
        return struct.pack("<dd", value.real, value.imag)
    return value


class Failed:
    """CPython raises, or gives something that does not fit: the runtime must fail."""


def expected(function, args, kind):
    try:
        value = function(*args)
    except (ArithmeticError, ValueError):
        return Failed
    if kind == "i":
        return value if type(value) in (int, bool) and I64[0] <= value <= I64[1] else Failed
    if kind == "f":
        return value if type(value) is float else Failed
    if kind == "c":
        return value if type(value) is complex else Failed
    return value


def check(symbol, function, makers, kind, fails, *, may_fail=(), cases=CASES):
    """`may_fail`: how often per mille the runtime may give up although CPython has an answer."""
    lazy = 0
    for _ in range(cases):
        args = [m() for m in makers]
        want = expected(function, args, kind)
        if want is Failed and not fails:
            continue  # excluded by the contract, as division by zero is
        flat = []
        for a in args:
            flat += [a.real, a.imag] if type(a) is complex else [a]
        got = call(
            symbol,
            tuple(a for a in flat if type(a) is float),
            tuple(a for a in flat if type(a) is not float),
            kind,
            fails,
        )
        if got is None and want is not Failed and may_fail:
            lazy += 1
            continue
        if want is Failed:
            assert got is None, (symbol, args, got)
        else:
            assert got is not None and type(got) is type(want) and bits(got) == bits(want), (
                symbol,
                args,
                got,
                want,
            )
    assert lazy <= cases * (may_fail or 0) / 1000, (symbol, lazy)


def any_complex():
    return complex(any_float(), any_float())


def small_complex():
    return complex(
        rng.choice([rng.uniform(-4, 4), float(rng.randrange(-3, 4)), any_float()]),
        rng.choice([rng.uniform(-4, 4), 0.0, any_float()]),
    )


def small_int():
    return rng.choice([rng.randrange(0, 70), rng.randrange(-3, 400), any_int()])


def digits():
    return rng.choice([0, 1, 2, 3, rng.randrange(-25, 30), rng.randrange(-400, 400), any_int()])


def nonzero(make):
    def again():
        while True:
            value = make()
            if value != 0:
                return value

    return again


def compare(a, b):
    return 2 if b != b else -1 if a < b else 1 if a > b else 0


def near_int_float():
    """Floats beside the int that is compared with them."""
    global last_int
    return rng.choice(
        [
            any_float(),
            float(last_int),
            math.nextafter(float(last_int), math.inf),
            math.nextafter(float(last_int), -math.inf),
            last_int + 0.5,
        ]
    )


def remembered_int():
    global last_int
    last_int = any_int()
    return last_int


last_int = 0
start = time.perf_counter()
I, F, C = any_int, any_float, any_complex
check("splice_rt_int_truediv", lambda a, b: a / b, [I, nonzero(I)], "f", False)
check("splice_rt_int_floordiv", lambda a, b: a // b, [I, nonzero(I)], "i", True)
check("splice_rt_int_mod", lambda a, b: a % b, [I, nonzero(I)], "i", False)
check(
    "splice_rt_int_mod_returns_dividend",
    lambda a, b: int(abs(b) >= 2**30 and a % b is a),
    [I, nonzero(I)],
    "i",
    False,
)
check(
    "splice_rt_int_pow",
    lambda a, b: pow(a, b) if b < 5000 else 2**64 if abs(a) > 1 else pow(a, b % 2 + 2),
    [lambda: rng.choice([any_int(), rng.randrange(-20, 20)]), small_int],
    "i",
    True,
)
check(
    "splice_rt_int_pow_mod", lambda b, e, m: pow(b, e, m) if e >= 0 else 2**64, [I, I, I], "i", True
)
check(
    "splice_rt_int_lshift",
    lambda a, b: a << b if b < 1000 or a == 0 else 2**64,
    [I, small_int],
    "i",
    True,
)
check("splice_rt_int_rshift", lambda a, b: a >> b, [I, small_int], "i", True)
check(
    "splice_rt_int_round",
    round,
    [I, lambda: rng.choice([rng.randrange(-30, 5), max(digits(), -500)])],
    "i",
    True,
    may_fail=400,
)
check("splice_rt_int_bit_count", int.bit_count, [I], "i", False)
check("splice_rt_int_bit_length", int.bit_length, [I], "i", False)
check("splice_rt_int_hash", hash, [I], "i", False)
check("splice_rt_float_pow", lambda a, b: a**b, [F, F], "f", True)
check(
    "splice_rt_float_pow",
    lambda a, b: a**b,
    [F, lambda: float(rng.randrange(-20, 21)) / rng.choice([1, 2])],
    "f",
    True,
)
check("splice_rt_float_floordiv", lambda a, b: a // b, [F, nonzero(F)], "f", False)
check("splice_rt_float_mod", lambda a, b: a % b, [F, nonzero(F)], "f", False)
check("splice_rt_compare_int_float", compare, [remembered_int, near_int_float], "i", False)
check("splice_rt_float_to_int", int, [F], "i", True)
check("splice_rt_float_round_int", round, [F], "i", True)
check("splice_rt_float_round", round, [F, digits], "f", True, cases=4 * CASES)
check(
    "splice_rt_float_round",
    round,  # exact and near ties
    [
        lambda: (rng.randrange(-(10**6), 10**6) * 2 + 1) / 2 ** rng.randrange(1, 8),
        lambda: rng.randrange(0, 8),
    ],
    "f",
    True,
)
check("splice_rt_float_is_integer", float.is_integer, [F], "b", False)
check("splice_rt_complex_div", lambda a, b: a / b, [C, C], "c", True)
check("splice_rt_complex_pow", lambda a, b: a**b, [small_complex, small_complex], "c", True)
check("splice_rt_complex_abs", abs, [C], "f", True, may_fail=200)  # NaNs
print(f"arithmetic: {time.perf_counter() - start:.1f} s")
