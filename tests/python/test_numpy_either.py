"""Variables that begin as Python numbers and go on as NumPy scalars, in one loop.

`s = 0.0; for x in a: s += x` is a float until the first round has passed; native code holds either
in one version of the loop. What tells them apart (their types, division by zero, comparisons that
are kept, conversions) must still be told.
"""

import math
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy_support import (
    DTYPES,
    check,
    for_types,
    is_native,
    outcome,
    relaxed,
    told,
    twin,
    values_of,
)

import splice

REAL = [d for d in DTYPES if not d.startswith("complex")]


def total(a, start):
    s = start
    for i in range(len(a)):
        s += a[i]
    return s


def total_of_rows(a, start):
    rows = []
    for i in range(a.shape[0]):
        s = start
        for j in range(a.shape[1]):
            s += a[i, j]
        rows.append(s)
    return rows


def stored(a, start):
    s = start
    out = np.zeros(len(a) + 1, a.dtype)
    for i in range(len(a)):
        out[i] = s
        s = s + a[i]
    return s, out


def largest(a, start):
    best = start
    for x in a:
        if x > best:
            best = x
    return best


def conditional(a, start):
    s = start
    n = start
    for x in a:
        if x > 1:
            s += x
        elif x < 0:
            n = n - x
    return s, n


def scaled(a, start):
    s = start
    for x in a:
        s = -(s * 0.5) + x
    return s, -s


def counted(a, start):
    s = start
    for x in a:
        s = (s + 1) * 2 - x
        if s == 4:
            s -= 3
    return s


def divided(a, start):
    s = start
    t = 1.0
    for x in a:
        t = t / s if s else t * 2.0
        s = x
    return s, t


def types_kept(a, start):
    kinds = []
    s = start
    for x in a:
        kinds.append(type(s))
        s += x
    return kinds, s


def compared(a, start):
    answers = []
    s = start
    for x in a:
        answers.append(s == x)
        answers.append(s < 2)
        if s < 2:
            answers.append(not s)
        s = x
    return answers


def many(a, start):
    s = t = u = v = start
    for x in a:
        s += x
        t -= x
        u = s + t
        v = (s, u)
    return s, t, u, v


def in_parts(a, start):
    s = start
    pair = (s, 1)
    for x in a:
        s += x
        pair = (s, pair[0])
    return pair


def powers(a, start):
    s = start
    for x in a:
        s = s**x + abs(s) % 3 + s // 2
        s = float(s) + x if s > 100 else x
    return s


LOOPS = [
    total, stored, largest, conditional, scaled, counted, divided, types_kept, compared,
    many, in_parts, powers,
]  # fmt: skip


@pytest.mark.parametrize("dtype", REAL)
@pytest.mark.parametrize("loop", LOOPS, ids=lambda f: f.__name__)
def test_loops(loop, dtype):
    rng = np.random.default_rng(1)
    for start in (0, 0.0, 1, 0.1, -7, 300, 2**60, -0.0, True):
        for n in (0, 1, 2, 7):
            plain = np.ones(n, dtype)
            check(for_types(loop, plain, start), plain, start)
            mixed = values_of(dtype, rng, n)
            check(for_types(loop, mixed, start), mixed, start)


@pytest.mark.parametrize("dtype", REAL)
def test_nests(dtype):
    rng = np.random.default_rng(2)
    for start in (0, 0.0, 5):
        for shape in ((0, 3), (3, 0), (4, 3), (1, 1)):
            a = np.ones(shape, dtype)
            check(for_types(total_of_rows, a, start), a, start)
            a = values_of(dtype, rng, shape[0] * shape[1]).reshape(shape)
            check(for_types(total_of_rows, a, start), a, start)


@relaxed
@given(st.data())
def test_any_start_and_values(data):
    dtype = data.draw(st.sampled_from(REAL))
    loop = data.draw(st.sampled_from(LOOPS))
    start = data.draw(
        st.one_of(
            st.integers(-(2**63), 2**63 - 1),
            st.integers(-300, 300),
            st.floats(),
            st.floats(width=32),
        )
    )
    n = data.draw(st.integers(0, 5))
    a = values_of(dtype, np.random.default_rng(data.draw(st.integers(0, 2**16))), n)
    check(for_types(loop, a, start), a, start)


@pytest.mark.parametrize("state", ["ignore", "warn", "raise"])
@pytest.mark.parametrize("loop", [divided, total, scaled], ids=lambda f: f.__name__)
def test_error_states(loop, state):
    for values in ([0.0, 1.0, 0.0], [1e308, 1e308, 1e308], [np.inf, -np.inf], [5e-324, 0.0]):
        a = np.array(values)
        for start in (0.0, 1.0, 1e308):
            f = for_types(loop, a, start)
            with np.errstate(all=state):
                check(f, a, start)


def _walk(following):
    k = 0
    seen = 0
    while seen < 20:
        k = following[k]
        seen += 1
    return k


@pytest.mark.parametrize("dtype", ["int8", "int32", "int64", "uint8", "uint64"])
def test_an_index_that_begins_as_an_int(dtype):
    a = np.array([3, 4, 0, 1, 2], dtype)
    f = for_types(_walk, a)
    check(f, a)
    assert is_native(f)


def _leaves(a, n):
    s = 0.0
    for i in range(n):
        s += a[i]
    return s


def test_an_exit_makes_the_one_that_it_is():
    def frames_of(f, *args):
        try:
            f(*args)
        except IndexError:
            frame = sys.exc_info()[2].tb_next.tb_frame
            return {k: told(v) for k, v in frame.f_locals.items()}
        return None

    for dtype in ("float64", "float32"):
        for n in (0, 1, 5):
            a = np.ones(n, dtype)
            f = for_types(_leaves, a, n)
            outcome(f, a, n)
            assert is_native(f)
            assert frames_of(f, a, n + 1)["s"] == told(0.0 if n == 0 else np.dtype(dtype).type(n))


def _one_loop(image, out):
    for i in range(image.shape[0]):
        s = 0.0
        for k in range(3):
            s += image[i, k]
        out[i] = s
    return out


def test_an_inner_loop_is_one():
    """The round that begins with a float has no version of its own."""
    f = splice.jit(_one_loop)
    image, out = np.ones((5, 3)), np.zeros(5)
    check(f, image, out)
    assert is_native(f)
    text = splice.explain(f, "ir")
    adds = [line for line in text.splitlines() if " add" in line and "f64" in line]
    assert len(adds) == 1, adds


def _signs(x, y):
    return (-x + y, y - -x, x * -1.0, -1.0 * x, x / -1.0, -0.0 - x, -(x * y), -x * -y, -(x - y))


def _complex_signs(z, w):
    return -z + w, -(z * w), w - -z


def test_the_sign_of_a_nan():
    nans = [float("nan"), -float("nan"), 1.5, -0.0]
    for kind in (float, np.float64, np.float32):
        for x in nans[:2]:
            for y in nans[2:]:
                check(for_types(_signs, kind(x), kind(y)), kind(x), kind(y))
    for z in (complex(*p) for p in [(nans[0], 1.0), (nans[1], 1.0), (1.0, nans[1])]):
        check(for_types(_complex_signs, z, 1.5 + 2j), z, 1.5 + 2j)


def _chosen(a, out):
    for _ in range(2):
        s = 0.0
        for x in a:
            s += x
        out.append(math.sqrt(s if s > 0.0 else -s))
        out.append(abs(s if s > 1.0 else s + 1.0))
        out.append(7.0 // (s if s > 1.0 else s + 1.0))
    return [(type(v), v) for v in out]


@pytest.mark.parametrize("n", [0, 1, 5])
def test_ways_that_join_where_they_must_part(n):
    a = np.ones(n)
    assert splice.jit(twin(_chosen))(a, []) == _chosen(a, [])


def _compared_in_single(a):
    s = 0.10000000149011612  # float32(0.1)
    seen = []
    for x in a:
        if s > 0.1:
            seen.append(1)
        if s == 0.5:
            seen.append(2)
        s = x
    return seen


def test_float32_compares_in_its_own_precision():
    for value in (0.0, 0.1, 0.5):
        a = np.full(5, value, np.float32)
        assert splice.jit(twin(_compared_in_single))(a) == _compared_in_single(a)


def _products(a, b):
    s = 0.0
    for i in range(len(a)):
        s += a[i] * b[i]
    return s


def test_an_error_state_is_not_kept_alive():
    died = []

    class Log:
        def write(self, text): ...

        def __del__(self):
            died.append(1)

    f = splice.jit(_products)
    tiny = np.full(3, 1e-200)
    f(tiny, tiny)
    with np.errstate(under="ignore", call=Log()):
        f(tiny, tiny)
    assert died == [1]


@pytest.mark.parametrize("dtype", ["uint8", "int8", "uint64", "float32"])
def test_a_constant_that_does_not_fit_comes_to_a_loop(dtype):
    def f(a):
        v = -5 if a[0] else a[1]
        for _ in range(2):
            pass
        return v

    f = splice.jit(f)
    for first in (0, 1, 0):
        check(f, np.array([first, 2], dtype))
    assert is_native(f)
