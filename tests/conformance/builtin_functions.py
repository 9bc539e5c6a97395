"""The builtins that compiled code calls itself, over edge values and wrong types."""
# compiled: f_abs, f_round, f_divmod, f_pow, f_int, f_float, f_bool, f_pow3

INF = float("inf")
NAN = float("nan")
NUMBERS = [
    0,
    1,
    -1,
    7,
    -7,
    2**63 - 1,
    -(2**63),
    2**63,
    10**30,
    0.0,
    -0.0,
    2.5,
    -2.5,
    0.5,
    1.5,
    1e16,
    1e308,
    INF,
    -INF,
    NAN,
    True,
    False,
]
OTHERS = ["12", "x", "", None, (), [1], 1j, b"5"]


def f_abs(x):
    return abs(x)


def f_min(a, b):
    return min(a, b), min(a, b, 3), min((a, b))


def f_max(a, b):
    return max(a, b), max(a, b, 3), max([a, b])


def f_round(x):
    return round(x)


def f_round_to(x, n):
    return round(x, n)


def f_divmod(a, b):
    return divmod(a, b)


def f_pow(a, b):
    return pow(a, b)


def f_pow3(a, b, c):
    return pow(a, b, c)


def f_int(x):
    return int(x)


def f_float(x):
    return float(x)


def f_bool(x):
    return bool(x)


def f_len(x):
    return len(x)


def f_sum(a, b, c):
    return sum((a, b, c)), sum([a, b, c], c), sum((), a)


def f_any(a, b):
    return any((a, b)), all((a, b)), any([a, b]), all([])


def f_complex(a, b):
    return complex(a, b)


def f_isinstance(x):
    return isinstance(x, int), isinstance(x, (int, float)), isinstance(x, bool), type(x) is int


def f_misc(x):
    return hash(x) if x == x else 0, repr(x), str(x), x.__class__.__name__


def f_chr(x):
    return chr(x), hex(x), bin(x), oct(x)


def keywords(a, b):
    return (
        min(a, b, key=lambda v: -v),
        max([], default=a),
        sum([a], start=b),
        round(number=b, ndigits=1),
    )


CALLS = [
    (f, x)
    for f in (f_abs, f_round, f_int, f_float, f_bool, f_isinstance, f_misc)
    for x in NUMBERS + OTHERS
]
CALLS += [
    (f, a, b)
    for f in (f_min, f_max, f_divmod, f_any)
    for a in NUMBERS
    for b in (1, -3, 2.5, 0, 0.0, NAN, 2**63 - 1, True)
]
CALLS += [(f_min, 1, "a"), (f_max, None, 1), (f_divmod, 1, "a"), (f_divmod, 1j, 2)]
CALLS += [(f_round_to, x, n) for x in NUMBERS for n in (0, 2, -1, None)] + [
    (f_round_to, 1.5, 1.5),
]
CALLS += [
    (f_pow, a, b) for a in (0, 2, -2, 0.5, -8.0, 0.0, True) for b in (0, 3, -1, 64, 0.5, -0.5, True)
]
CALLS += [
    (f_pow3, a, b, c)
    for a in (0, 3, -3, 2**62)
    for b in (0, 1, 5, -1)
    for c in (1, 7, -7, 2**62, 0)
] + [(f_pow3, 2.0, 2, 3)]
CALLS += [(f_len, x) for x in (*OTHERS, 5, range(2**62), range(2**64))] + [
    (f_sum, 1, 2, 3),
    (f_sum, 0.1, 0.2, 0.3),
    (f_sum, 1e16, 1.0, -1e16),
    (f_sum, 2**63 - 1, 1, 0.5),
    (f_sum, 1, "a", 2),
    (f_sum, True, True, 1j),
]
CALLS += [(f_complex, a, b) for a in (1, 2.5, True, 1j, NAN, "1") for b in (0, -0.0, 1j)]
CALLS += [(f_chr, x) for x in (65, 0, -1, 0x110000, True)] + [(keywords, 1, 2), (keywords, 2.5, 1)]
