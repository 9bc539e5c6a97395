"""The language that runs natively: each form in a function of its own, without a single exit."""

import math
import random
import struct
import textwrap
import time  # noqa: F401 - for the programs
from fractions import Fraction

import pytest

import splice

G = 7
GF = 2.5


def helper(a, b=3, *, c=4):
    return a + b * c


def fact(n):
    return 1 if n < 2 else n * fact(n - 1)


# Bodies of f(i, f, xs, s, bs) with an int, a float, a list of ints, a str and bytes.
FORMS = {
    "sum start": "return sum([i, 2, 3], 10)",
    "sum list param": "return sum(xs)",
    "sum start float": "return sum(xs, 0.5)",
    "sum range": "return sum(range(i))",
    "sum genexpr": "return sum(k * k for k in xs)",
    "min default": "return min(xs, default=0)",
    "min range": "return min(range(i, i + 5))",
    "max list": "return max(xs)",
    "sorted": "return sorted(xs)[0]",
    "sorted reverse": "return sorted(xs, reverse=True)[0]",
    "xs sort reverse": "ys = xs[:]\nys.sort(reverse=True)\nreturn ys[0]",
    "any list": "return any(xs)",
    "all genexpr": "return all(k > 0 for k in xs)",
    "int str": "return int('12') + i",
    "int float": "return int(f * 3)",
    "int base": "return int('ff', 16) + i",
    "float str": "return float('1.5') + f",
    "float inf": "return float('inf') > f",
    "bool": "return bool(i)",
    "round": "return round(f)",
    "round 2": "return round(f, 2)",
    "round int neg": "return round(i * 100, -1)",
    "pow mod": "return pow(i, 3, 7)",
    "pow neg": "return i ** -2",
    "pow float": "return f ** 0.5",
    "divmod": "a, b = divmod(i * 7, 3)\nreturn a + b",
    "len tuple": "t = (i, f)\nreturn len(t)",
    "len str": "return len(s)",
    "abs": "return abs(-i) + abs(-f)",
    "complex": "z = complex(f, i)\nreturn z * z + 1j",
    "complex abs": "z = f + 2j\nreturn abs(z)",
    "complex conj": "z = f + 2j\nreturn z.conjugate()",
    "chained": "return 0 < i < 10 and 0 <= f",
    "bitops": "return (i << 3 | 5) ^ (i & 3) + (~i >> 1)",
    "walrus": "return (y := i * 2) + y",
    "while else": "k = 0\nwhile k < i:\n  k += 1\nelse:\n  k = -k\nreturn k",
    "for else": "for k in range(i):\n  if k > 100: break\nelse:\n  return -1\nreturn k",
    "assert": "assert i > 0\nreturn i",
    "starred": "a, *b, c = xs\nreturn a + c + len(b)",
    "starred tuple": "a, *b = (i, 2, 3)\nreturn a + b[0]",
    "swap": "a = i\nb = f\na, b = b, a\nreturn a",
    "nested unpack": "(a, b), c = (i, 2), 3\nreturn a + b + c",
    "closure read": "def g(x): return x + i\nreturn g(3)",
    "closure default": "def g(x, y=2): return x + y\nreturn g(3)",
    "closure nonlocal": "t = 0\ndef g(x):\n  nonlocal t\n  t += x\nfor k in range(i): g(k)\nreturn t",
    "lambda": "g = lambda x: x * 2\nreturn g(i)",
    "lambda arg": "g = lambda h, x: h(x)\nreturn g(lambda y: y + 1, i)",
    "kwcall": "return helper(i, c=2)",
    "kwcall2": "return helper(a=i, b=2, c=2)",
    "defaults": "return helper(i)",
    "recursion": "return fact(i)",
    "global read": "return G * i + GF",
    "cond": "return i if i > 3 else f",
    "and or": "return (i and f) or 3",
    "not": "return not i",
    "none": "x = None\nif x is None: x = i\nreturn x",
    "is not": "return s is not None",
    "list index": "return xs.index(3)",
    "list count": "return xs.count(3)",
    "in list": "return 3 in xs",
    "in tuple": "return i in (1, 5, 9)",
    "in range": "return i in range(10)",
    "in set": "return i in {1, 5, 9}, f in {1, 2.5}, s in {'abc', 5, None}, i in {'5', 7}",
    "in set of str": "return sum(1 for c in s if c in {'a', 'c'})",
    "list genexpr": "return list(k * f for k in xs if k > 1), tuple((k, s) for k in xs)",
    "sorted genexpr": "return sorted((-k for k in xs), reverse=True)",
    "nested genexpr": "return tuple(tuple(k * j for k in xs) for j in xs)",
    "clocks": "return time.perf_counter() > 0 and time.time_ns() > time.process_time_ns() > 0",
    "random": "return 0 <= random.random() < 1",
    "random list": "ys = [random.random() for _ in range(i)]\nreturn max(ys) < 1, len(ys)",
    "not in": "return i not in (1, 2)",
    "list slice": "return xs[1:3][0]",
    "slice assign": "ys = xs[:]\nys[1:2] = [7, 8]\nreturn len(ys)",
    "del slice": "ys = xs[:]\ndel ys[0:2]\nreturn len(ys)",
    "extend": "ys = []\nys.extend(xs)\nreturn len(ys)",
    "extend range": "ys = []\nys.extend(range(i))\nreturn len(ys)",
    "extend tuple": "ys = []\nys.extend((1, i))\nreturn len(ys)",
    "list tuple": "return list((1, i))",
    "tuple list": "return tuple(xs)",
    "list of range": "return list(range(i))",
    "list comp nested": "return [[a * b for a in range(3)] for b in range(i)]",
    "list comp if": "return [a for a in xs if a % 2]",
    "list comp tuple": "return [(a, a + 1) for a in xs]",
    "list +": "return xs + [i]",
    "list + =": "ys = [1]\nys += [i]\nreturn ys",
    "list *": "return [0, i] * 3",
    "list == ": "return xs == [1, 2]",
    "list <": "return xs < [1, 2]",
    "tuple ==": "return (i, 2) == (5, 2)",
    "tuple <": "return (i, f) < (5, 2.7)",
    "min tuples": "return min((i, 2), (3, 4))",
    "reversed": "t = 0\nfor v in reversed(xs): t = t * 2 + v\nreturn t",
    "reversed range": "t = 0\nfor v in reversed(range(i)): t = t * 2 + v\nreturn t",
    "enumerate start": "t = 0\nfor k, v in enumerate(xs, 1): t += k * v\nreturn t",
    "zip3": "t = 0\nfor a, b, c in zip(xs, xs, range(9)): t += a * b * c\nreturn t",
    "range len": "r = range(2, i * 3, 2)\nreturn len(r)",
    "range item": "r = range(2, i * 3, 2)\nreturn r[1]",
    "range in": "r = range(0, 100, 5)\nreturn 50 in r",
    "bytes": "b = bytes(3)\nreturn len(b) + bs[0]",
    "bytes iter": "t = 0\nfor c in bs: t += c\nreturn t",
    "bytearray": "b = bytearray(i)\nb[0] = 5\nreturn b[0]",
    "bytearray append": "b = bytearray()\nb.append(5)\nreturn len(b)",
    "str index": "return s[0] == 'a'",
    "str iter": "t = 0\nfor c in s: t += c == 'a'\nreturn t",
    "ord": "return ord(s[0])",
    "chr": "return chr(97 + i)",
    "str unpack": "a, b, c = s\nreturn a",
    "str +": "return s + 'x'",
    "str in": "return 'b' in s",
    "str join": "return '-'.join(['a', s])",
    "str of": "return str(i)",
    "isinstance": "return isinstance(i, int)",
    "type is": "return type(i) is int",
    "raise": "if i < 0: raise ValueError('x')\nreturn i",
    "try no error": "t = 0\nfor k in range(i):\n  try:\n    t += xs[k % 3]\n  except IndexError:\n    t = 0\nreturn t",
    "math all": "return math.sin(f) + math.floor(f) + math.gcd(i, 15) + math.hypot(f, 2.0) + math.comb(i, 2) + math.isqrt(i) + math.fsum([f, 1.0]) + math.prod([i, 2]) + math.dist([1.0], [f])",
    "math factorial": "return math.factorial(i)",
    "math pi": "return math.pi * f",
    "math log base": "return math.log(f, 2)",
    "math frexp": "a, b = math.frexp(f)\nreturn a * b",
    "math modf": "a, b = math.modf(f)\nreturn a + b",
    "math isclose": "return math.isclose(f, 2.5)",
    "math lcm": "return math.lcm(i, 4, 6)",
    "int methods": "return i.bit_length() + i.bit_count()",
    "float methods": "return f.is_integer()",
    "float hex": "return f.hex()",
    "global store": "global GG\nGG = i\nreturn GG",
    "del local": "a = i\ndel a\nreturn f",
    "tuple index": "return (1, 2, i).index(i)",
    "tuple count": "return (1, 2, i).count(i)",
    "tuple slice": "t = (1, 2, i)\nreturn t[1:]",
    "tuple +": "return (1, i) + (f,)",
    "tuple *": "return (1, i) * 2",
    "matmul 2d": "t = [[0] * 3 for _ in range(3)]\nt[1][2] = i\nreturn t[1][2] + 1",
    "divmod float": "a, b = divmod(f, 1.0)\nreturn a + b",
    "float floordiv": "return f // 0.5 + f % 0.7",
    "bool arith": "return (i > 3) + (f > 1) * 2",
    "match": "match i:\n  case 5: return 1\n  case _: return 2",
    "fsum": "return math.fsum([f, 1.0])",
    "dist": "return math.dist([1.0], [f])",
    "hypot 4": "return math.hypot(f, 1.0, 2.0, 3)",
    "gcd 3": "return math.gcd(i, 15, 20)",
    "prod": "return math.prod([i, 2])",
    "isclose kw": "return math.isclose(f, 2.5, rel_tol=1e-3)",
    "type of list": "return type(xs) is list",
    "empty types": "return list(), tuple(), int(), float(), str()",
    "bytearray extend": "b = bytearray(bs)\nb.extend(bs)\nb.append(i)\nreturn b.pop(), len(b)",
    "reversed down": "t = 0\nfor v in reversed(range(i, -3, -1)): t = t * 3 + v\nreturn t",
    "range len down": "return len(range(i * 5, 2, -3)), len(range(3, 3)), len(range(5, 2))",
    "range last": "r = range(1, 100, 7)\nreturn r[-1], r[2]",
    "del step": "ys = [1, 2, 3]\ndel ys[:]\nreturn ys",
    "max two lists": "return max([i, 2], [i, 3])",
    "min kw default": "ys = []\nfor _ in range(i): ys.append(0.5)\nreturn min(ys, default=7.5)",
}


def arguments():
    return 5, 2.5, [1, 2, 3, 4], "abc", b"xyz"


@pytest.mark.parametrize("form", FORMS)
def test_runs_natively(form):
    namespace = dict(globals())
    exec("def f_(i, f, xs, s, bs):\n" + textwrap.indent(FORMS[form], "  "), namespace)
    function = namespace["f_"]
    expected = function(*arguments())
    splice.jit(function, strict=True)
    for _ in range(2):
        result = function(*arguments())
        assert repr(result) == repr(expected)
        assert type(result) is type(expected)
    stats = splice.stats(function)
    assert [v["native"] for v in stats["variants"]] == [True]
    taken = [e["reason"] for v in stats["variants"] for e in v["exits"] if e["count"]]
    assert taken == []


def test_a_loop_header_that_is_lowered_again():
    """CPython's handlers jump back to it, and the calls before it learn of a result behind it."""

    def last(n, values):
        if n:
            return values
        last(1, [])
        try:
            pass
        except ArithmeticError:
            pass
        return [2**63].pop()

    splice.jit(last, strict=True)
    assert last(0, [-2.5, False]) == 2**63
    assert last(1, [-2.5, False]) == [-2.5, False]


def test_powers_of_one_half(twin, outcome):
    """A root that is computed instead of C's pow: also where the root lies between two floats."""

    def root(x):
        return x**0.5

    plain = twin(root)
    splice.jit(root)
    r = random.Random(11)
    values = [0.0, -0.0, 1.0, -1.0, math.inf, -math.inf, math.nan, 5e-324, 1e-310, 1.7e308]
    values += [2.0**-900, math.nextafter(2.0**-900, 0), 2.0**1000, math.nextafter(2.0**1000, 1)]
    values += [abs(struct.unpack("<d", r.randbytes(8))[0]) for _ in range(20_000)]
    for _ in range(20_000):
        low = Fraction(r.uniform(1, 2) * 2.0 ** r.randrange(-300, 300))
        middle = float((low + Fraction(math.ulp(float(low))) / 2) ** 2)
        values += [middle, math.nextafter(middle, 0), math.nextafter(middle, math.inf)]
    for x in values:
        assert outcome(root, x) == outcome(plain, x), x.hex()
    assert splice.stats(root)["state"] == "active"
