"""Hot loops over arrays, whose checks come after some rounds at a time.

What such rounds have stored is taken back where one of them would have told of something: arrays,
warnings, exceptions and what is returned must be CPython's wherever in the array it happens.
"""

import types
from array import array

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy_support import check, for_types, is_native, outcome, relaxed, told, twin

import splice

HOT = 1 << 20  # rounds; a loop that has made more is compiled again
LONG = 700  # more than two times the rounds that are made at a time


def scaled_sum(factor, a, b, out):
    for i in range(len(a)):
        out[i] = factor * a[i] + b[i]


def in_place(factor, a, b, out):
    for i in range(len(a)):
        a[i] = a[i] * factor
    return a[0]


def recurrence(factor, a, b, out):
    for i in range(1, len(a)):
        a[i] = a[i - 1] * 0.5 + b[i]


def backwards(factor, a, b, out):
    n = len(a)
    for i in range(n):
        out[n - 1 - i] = a[i] - b[n - 1 - i] * factor


def twice(factor, a, b, out):
    for i in range(len(a) - 1):
        out[i] = a[i] * factor
        out[i + 1] = b[i] / (a[i] + 2.0)


def both(factor, a, b, out):
    for i in range(len(a)):
        a[i] = b[i] * factor
        out[i] = b[i] + 1.0


def shifted(factor, a, b, out):
    for i in range(len(a) - 3):
        a[i + 3] = a[i] + b[i] * factor


def now_and_then(factor, a, b, out):
    for i in range(len(a)):
        s = a[i] + b[i] * factor
        if s < out[i]:
            out[i] = s


def one_or_other(factor, a, b, out):
    count = 0
    for i in range(len(a)):
        s = a[i] * factor
        if s > b[i]:
            out[i] = s
            count += 1
        else:
            out[i] = b[i]
    return count


def stencil(factor, a, b, out):
    for i in range(1, len(a) - 1):
        out[i] = (a[i - 1] + a[i + 1]) * 0.25 + a[i] * factor


def prefix(factor, a, b, out):
    s = 0.0
    for i in range(len(a)):
        s += a[i] * b[i]
        out[i] = s
    return s


def dot(factor, a, b, out):
    s = factor
    for i in range(len(a)):
        s -= a[i] * b[i]
    return s


def distances(factor, a, b, out):
    s = 0.0
    worst = -1.0
    for i in range(len(a)):
        d = a[i] - b[i]
        s += d * d
        if d > worst:
            worst = d
    return s, worst


def into_one(factor, a, b, out):
    for i in range(len(a)):
        out[0] = out[0] + a[i] * b[i]


def nest(factor, a, b, out):
    n = len(a) // 20
    for i in range(n):
        s = 0.0
        for k in range(3):
            for j in range(3):
                s += a[i * 20 + j] * b[k]
        for j in range(20):
            out[i * 20 + j] = s + a[i * 20 + j]


def short(factor, a, b, out):
    for i in range(len(a) + 1):
        out[i] = a[i] * factor


def whole_sum(factor, a, b, out):
    s = 0
    for x in a:
        s += x
    return s


def whole_mix(factor, a, b, out):
    s = 0
    for i in range(len(a)):
        out[i] = a[i] + b[i] * 3 - s
        s += a[i] // 1000
    return s


LOOPS = [
    scaled_sum, in_place, recurrence, backwards, twice, both, shifted, now_and_then, one_or_other,
    stencil, prefix, dot, distances, into_one, nest, short,
]  # fmt: skip
WHOLE = [whole_sum, whole_mix, in_place, backwards, shifted, now_and_then, one_or_other, dot]


def is_warm(f):
    """Its loops run in chunks: those that were hot by themselves, or of all of it."""
    variants = splice.stats(f)["variants"]
    return any(v["hot_loops"] > 0 or v["optimised"] for v in variants if v["native"])


def warmed(loop, factor, a, b, out):
    """The loop, hot for these types and layouts."""
    f = for_types(loop, factor, a, b, out)
    key = (f, a.strides, b.strides, out.strides)
    if key not in WARM:
        WARM.add(key)
        few = [np.ones(4 * LONG, x.dtype) for x in (a, b, out)]
        few = [x if y.strides == x.strides else x[::-1] for x, y in zip(few, (a, b, out))]
        few[2] = np.zeros(4 * LONG + 1, out.dtype)
        with np.errstate(all="ignore"):
            for _ in range(HOT // (4 * LONG) + 20):
                few[0][:] = 1
                outcome(f, factor, *few)
    return f


WARM = set()
SPECIAL = [
    float("nan"), float("inf"), -float("inf"), 1e308, -1e308, 1e-308, 5e-324, 0.0, -0.0,
]  # fmt: skip


def numbers(draw, dtype, n):
    rng = np.random.default_rng(draw(st.integers(0, 2**16)))
    if np.dtype(dtype).kind == "i":
        a = rng.integers(-100, 100, n).astype(dtype)
        special = [2**62, -(2**62), 2**63 - 1, -(2**63), 2**54, 2**53]
    else:
        with np.errstate(all="ignore"):
            a = rng.normal(size=n).astype(dtype)
        special = SPECIAL
    with np.errstate(all="ignore"):
        for _ in range(draw(st.integers(0, 2))):
            if n:
                a[draw(st.integers(0, n - 1))] = draw(st.sampled_from(special))
    return a


def arguments(draw, dtype):
    n = draw(st.integers(0, LONG))
    a, b = numbers(draw, dtype, n), numbers(draw, dtype, n)
    out = np.zeros(n, dtype)
    if draw(st.booleans()):  # arrays that overlap
        base = numbers(draw, dtype, n + 3)
        first, second = draw(st.integers(0, 3)), draw(st.integers(0, 3))
        a, out = base[first : first + n], base[second : second + n]
    return a, b, out


def check_shared(f, factor, a, b, out):
    """As check(), but arrays that overlap go on doing so."""
    base = out.base if out.base is not None and out.base is a.base else None

    def copies():
        if base is None:
            return None, [a.copy(), b.copy(), out.copy()]
        again = base.copy()

        def part(x):
            start = (x.__array_interface__["data"][0] - base.__array_interface__["data"][0]) // 8
            return again[start : start + len(x)]

        return again, [part(a), b.copy(), part(out)]

    for _ in range(2):
        mine, theirs = copies(), copies()
        expected = outcome(twin(f), factor, *theirs[1])
        assert outcome(f, factor, *mine[1]) == expected
        assert told([mine[0], *mine[1]]) == told([theirs[0], *theirs[1]])


@relaxed
@given(st.data())
@pytest.mark.parametrize("loop", LOOPS, ids=lambda f: f.__name__)
def test_floats(loop, data):
    a, b, out = arguments(data.draw, "float64")
    factor = data.draw(st.sampled_from([2.5, -1.0, 0.0, 1e-200, 1e200, 1]))
    f = warmed(loop, factor, a, b, out)
    with np.errstate(all=data.draw(st.sampled_from(["ignore", "warn", "raise"]))):
        check_shared(f, factor, a, b, out)


@relaxed
@given(st.data())
@pytest.mark.parametrize("loop", WHOLE, ids=lambda f: f.__name__)
def test_ints(loop, data):
    a, b, out = arguments(data.draw, "int64")
    factor = data.draw(st.sampled_from([1, -1, 3, 2**40]))
    f = warmed(loop, factor, a, b, out)
    with np.errstate(all=data.draw(st.sampled_from(["warn", "raise"]))):
        check_shared(f, factor, a, b, out)


@relaxed
@given(st.data())
@pytest.mark.parametrize("loop", [scaled_sum, prefix, dot, in_place], ids=lambda f: f.__name__)
def test_single_precision(loop, data):
    n = data.draw(st.integers(0, LONG))
    a, b = (numbers(data.draw, "float32", n) for _ in range(2))
    out = np.zeros(n, data.draw(st.sampled_from(["float32", "float64"])))
    f = warmed(loop, 2.5, a, b, out)
    with np.errstate(all=data.draw(st.sampled_from(["ignore", "warn", "raise"]))):
        check(f, 2.5, a, b, out)


@pytest.mark.parametrize("loop", [scaled_sum, stencil, prefix, in_place], ids=lambda f: f.__name__)
def test_every_place(loop):
    """A product that overflows, in each round."""
    n = 300
    f = warmed(loop, 2.5, *(np.ones(n) for _ in range(3)))
    for value in (1e308, 1e-308, float("nan")):
        for i in range(0, n, 7):
            a, b, out = np.ones(n), np.ones(n), np.zeros(n)
            a[i] = value
            for state in ("warn", "raise"):
                with np.errstate(all=state):
                    check_shared(f, 2.5, a, b, out)


def test_they_get_hot():
    for loop in LOOPS:
        f = warmed(loop, 2.5, *(np.ones(10) for _ in range(3)))
        assert is_native(f)
        assert is_warm(f), loop


def test_another_state_of_errors():
    """The state that counts is that of the call."""
    a, b, out = np.full(500, 1e-200), np.full(500, 1e-200), np.zeros(500)
    f = warmed(prefix, 2.5, a, b, out)
    for state in ("ignore", "raise", "ignore", "warn"):
        with np.errstate(under=state):
            check(f, 2.5, a, b, out)


def _signs(a, out):
    n = 0
    for i in range(len(a)):
        v = a[i]
        n += v < 0  # which LLVM asks of the sign as of a natural number
        out[i] = (v - 9223372036854775807) >> 8
    return n


def test_a_number_that_is_used_as_a_natural_one():
    f = splice.jit(_signs)
    for at in (5, 300, 2999):
        a, out = np.arange(3000) % 7, np.zeros(3000, np.int64)
        for _ in range(HOT // 3000 + 10):
            f(a, out)
        a[at] = -100
        check(f, a, out)
    a, out = array("q", [i % 7 for i in range(3000)]), array("q", [0] * 3000)
    f = splice.jit(types.FunctionType(_signs.__code__.replace(), globals()))
    for _ in range(HOT // 3000 + 10):
        f(a, out)
    a[1000] = -100
    expected = array("q", out)
    assert f(a, out) == twin(_signs)(a, expected)
    assert out == expected


def _looks_like_a_check(a, b, out):
    lost = 0
    for i in range(len(a)):
        x = a[i] * b[i]
        if abs(x) < 2.2250738585072014e-308:
            y = b[i] * 1e308  # its result is not used
        out[i] = x
        if abs(x) > 1.7976931348623157e308:
            y = b[i] * 1e-308  # noqa: F841
    return lost


def test_a_branch_of_the_program_is_no_check():
    a, b, out = (np.ones(500) for _ in range(3))
    f = splice.jit(_looks_like_a_check)
    for _ in range(HOT // 500 + 10):
        f(a, b, out)
    for value, other in ((0.0, 10.0), (1e-300, 1e-20), (np.inf, 1e-20), (0.0, 0.5)):
        a, b = np.ones(500), np.ones(500)
        a[77], b[77] = value, other
        for state in ("warn", "raise"):
            with np.errstate(all=state):
                check(f, a, b, out)


def known_before(a, b, n):
    """The distance between the elements of `a` is read in the first loop."""
    for _ in range(n):
        for i in range(4):
            a[i], a[i] = 1, a[i]
        for j in range(min(len(b), 12)):
            a[j] = b[j] * i
    return a[0]


def known_behind(a, b, n):
    """A loop that does nothing in front of one that subtracts."""
    s = b[0]
    for _ in a:
        pass
    for i in range(a.shape[0]):
        s = float(i) - s
    return s


@pytest.mark.parametrize("loop", [known_before, known_behind], ids=lambda f: f.__name__)
@pytest.mark.parametrize("step", [1, -1, 2])
def test_numbers_of_another_loop(loop, step):
    f = splice.jit(types.FunctionType(loop.__code__.replace(), globals(), loop.__name__))
    for size, n in ((2 * HOT, HOT // 10), (600, HOT // 10), (600, 3)):
        a, again = np.zeros(size)[::step], np.zeros(size)[::step]
        b = np.ones(70)
        assert outcome(f, a, b, n) == outcome(twin(f), again, b, n)
        assert told(a) == told(again)
    assert is_warm(f)


def wrapped(a, out, n, step, back):
    for i in range(n):
        out[i] = a[(i + step) % n] - a[(i - back) % n]
    return n


def wrapped_in_two(a, n, m, step):
    total = 0
    for i in range(n):
        for j in range(m):
            for di in range(-1, 2):
                for dj in range(-1, 2):
                    total += a[(i + di * step) % n, (j + dj) % m]
    return total


def by_variables(a, b):
    found = []
    for x in a:
        for y in b:
            try:
                found.append(x % y)
            except ZeroDivisionError as error:
                found.append(str(error))
    return found


@pytest.mark.parametrize("n", [0, 1, 2, 7, LONG, LONG + 1])
@pytest.mark.parametrize("step", [0, 1, 3, -5, LONG * 2, 2**62])
def test_indices_that_wrap_around(n, step):
    """Also at a length that is not the array's, and by numbers that leave 64 bits."""
    f = for_types(wrapped, np.zeros(1))
    for size in (max(n, 1), max(n - 1, 1), n + 3):
        a = np.random.default_rng(n).random(size)
        check(f, a, np.zeros(max(n, 1)), n, step, 1)
        check(f, a, np.zeros(max(n, 1)), n, 2**63 - 3, step)
    assert is_native(f)


@pytest.mark.parametrize(("n", "m"), [(0, 3), (1, 1), (5, 7), (30, 2)])
def test_indices_that_wrap_around_in_two_dimensions(n, m):
    f = for_types(wrapped_in_two, np.zeros((1, 1), dtype="int64"))
    for rows, columns in ((n, m), (n + 1, m), (n, max(m - 1, 0)), (max(n - 1, 0), m)):
        a = np.arange(rows * columns).reshape(rows, columns)
        for step in (0, 1, -1, 9):
            check(f, a, n, m, step)
    assert is_native(f)


def test_every_sign_of_a_modulus():
    edge = [0, 1, -1, 2, -2, 7, -7, 2**31, -(2**31), 2**32 - 1, 2**62, 2**63 - 1, -(2**63)]
    for a in (edge, edge[::-1], [x + 1 for x in edge[:-3]]):
        f = splice.jit(twin(by_variables))
        for _ in range(3):
            assert f(a, edge) == by_variables(a, edge)
        assert is_native(f)
