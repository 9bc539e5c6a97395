"""Source text of constants and arguments, biased to the edges where native arithmetic goes wrong."""

# ruff: noqa: E501 - tables with one row per form

from __future__ import annotations

from random import Random

SMALL_INTS = ["0", "1", "2", "3", "4", "5", "7", "10", "-1", "-2", "-3", "-7", "12", "100"]
EDGE_INTS = [
    "255", "256", "257", "-5", "-6", "1000003", "-1000003", "2**15", "2**30 - 1", "2**30",
    "-2**30", "2**31 - 1", "2**31", "-2**31", "-2**31 - 1", "2**32", "2**32 - 1", "2**53 - 1",
    "2**53", "2**53 + 1", "-2**53 - 1", "2**60", "2**60 - 1", "2**62", "2**62 - 1", "-2**62",
    "2**63 - 1", "2**63 - 2", "-2**63", "-2**63 + 1", "3037000500", "-3037000500", "4611686018427387905",
]  # fmt: skip
BIG_INTS = [
    "2**63",
    "-2**63 - 1",
    "2**64",
    "2**64 - 1",
    "-2**64",
    "10**30",
    "-10**30",
    "2**100 + 1",
]
FLOATS = ["0.0", "1.0", "-1.0", "0.5", "2.5", "-2.5", "3.0", "0.1", "1e-3", "100.25", "-7.0"]
EDGE_FLOATS = [
    "-0.0", "inf", "-inf", "nan", "5e-324", "-5e-324", "2.2250738585072014e-308", "1e308",
    "-1e308", "1.7976931348623157e308", "1e-308", "9007199254740992.0", "9007199254740993.0",
    "9.223372036854775e18", "9.223372036854776e18", "-9.223372036854776e18", "1e19", "1e16",
    "2.675", "0.30000000000000004", "1.5", "-0.5", "4503599627370495.5", "1e300", "1e22",
]  # fmt: skip
COMPLEXES = ["1j", "-1j", "0j", "(1+2j)", "(-0.0-0.0j)", "complex(inf, 1.0)", "complex(nan, 0.0)",
             "complex(1e308, 1e308)", "(0.5-2j)", "complex(0.0, -0.0)", "(3+0j)"]  # fmt: skip
BOOLS = ["True", "False"]
STRINGS = ["''", "'a'", "'spam'", "'\\u20ac'", "'12'"]
ODD = ["Int(5)", "Int(2**63)", "Int(-1)", "Float(2.5)", "Float(0.0)", "None", "'s'", "''", "()", "[]",
       "[1, 2]", "(1, 2)", "b'ab'", "{}", "Float(nan)", "Int(0)", "object", "range(3)"]  # fmt: skip

SCALARS = ("int", "float", "bool", "complex", "none")


def paren(text: str) -> str:
    """Parenthesised unless it is one token."""
    return text if text.replace(".", "").replace("_", "").isalnum() else f"({text})"


def constant(rng: Random, kind: str, big: bool = True) -> str:
    """A constant of `kind` as source text."""
    if kind == "int":
        roll = rng.random()
        if roll < 0.55:
            return paren(rng.choice(SMALL_INTS))
        if roll < 0.9 or not big:
            return paren(rng.choice(EDGE_INTS))
        return paren(rng.choice(BIG_INTS))
    if kind == "float":
        return paren(rng.choice(FLOATS if rng.random() < 0.6 else EDGE_FLOATS))
    if kind == "bool":
        return rng.choice(BOOLS)
    if kind == "complex":
        return paren(rng.choice(COMPLEXES))
    if kind == "str":
        return rng.choice(STRINGS)
    return "None"


def sequence(rng: Random, element: str, low: int = 0, high: int = 7) -> str:
    """Comma separated constants with a trailing comma, for a list or tuple display."""
    return "".join(constant(rng, element) + ", " for _ in range(rng.randint(low, high)))


def argument(rng: Random, kind: str) -> str:
    """An argument for a parameter of `kind`."""
    if kind == "ilist":
        return f"[{sequence(rng, 'int')}]"
    if kind == "flist":
        return f"[{sequence(rng, 'float')}]"
    if kind == "mlist":
        return f"[{''.join(constant(rng, rng.choice(SCALARS)) + ', ' for _ in range(rng.randint(0, 6)))}]"
    if kind == "tuple":
        return f"({sequence(rng, rng.choice(['int', 'float']), 1)})"
    if kind == "bytes":
        return rng.choice(
            ["b''", "b'abc'", "bytes(range(7))", "bytearray(b'xyz')", "b'\\xff\\x00\\x80'"]
        )
    if kind == "obj":
        return f"Loud({constant(rng, rng.choice(['int', 'float']))})"
    if kind == "any":
        return argument(rng, rng.choice(["int", "float", "bool", "int", "float"]))
    if kind == "int" and rng.random() < 0.05:
        return str(rng.randint(-(2**63), 2**63 - 1))
    if kind == "int" and rng.random() < 0.1:
        return str(rng.randint(-5000, 5000))
    if kind == "float" and rng.random() < 0.2:
        return repr(rng.uniform(-1e3, 1e3))
    return constant(rng, kind)


def odd_argument(rng: Random, kind: str, containers: bool) -> str:
    """An argument whose type is not the one the function has been called with so far."""
    roll = rng.random()
    if roll < 0.6:
        return constant(rng, rng.choice([k for k in SCALARS if k != kind]))
    if roll < 0.75:
        return rng.choice(BIG_INTS)
    if roll < 0.8 and containers:
        return argument(rng, rng.choice(["ilist", "flist", "mlist", "tuple", "bytes"]))
    return rng.choice(ODD)
