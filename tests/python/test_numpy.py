"""Arrays and scalars of NumPy: the same results, types, warnings and errors as interpreted."""

import array
import itertools
import sys
import warnings
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy_support import (
    DTYPES,
    arrays,
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


@splice.jit
def total(a):
    s = 0
    for i in range(len(a)):
        s = s + a[i]
    return s


@splice.jit
def add_up(a):
    s = 0.0
    for x in a:
        s += x
    return s


@pytest.mark.parametrize("dtype", DTYPES)
def test_sums(dtype):
    rng = np.random.default_rng(1)
    for n in (0, 1, 7):
        check(total, values_of(dtype, rng, n))
        check(add_up, values_of(dtype, rng, n))
    assert is_native(total)


OPERATORS = ["+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>",
             "<", "<=", "==", "!=", ">", ">="]  # fmt: skip
PYTHON_VALUES = {
    bool: [True, False],
    int: [0, 1, -1, 3, 200, -300, 2**31, 2**40, -(2**63)],
    float: [0.5, -0.0, 1e300, 1e-320, float("inf"), float("nan")],
    complex: [2j],
}


def operator_function(op):
    namespace = {}
    exec(f"def f(a, b):\n    return a {op} b\n", namespace)
    return splice.jit(namespace["f"])


@pytest.mark.parametrize("op", OPERATORS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_operators_on_scalars(dtype, op):
    rng = np.random.default_rng(zlib.crc32(f"{dtype}{op}".encode()))
    mine = list(values_of(dtype, rng, 12))
    # Half of the types, others for each operator.
    for other in DTYPES[(DTYPES.index(dtype) + OPERATORS.index(op)) % 2 :: 2]:
        f = operator_function(op)
        for x, y in itertools.product(mine[:6], values_of(other, rng, 6)):
            expected = outcome(twin(f), x, y)
            assert outcome(f, x, y) == expected, (x, y)
    for values in PYTHON_VALUES.values():
        f = operator_function(op)
        for x, value in itertools.product(mine, values):
            assert outcome(f, x, value) == outcome(twin(f), x, value), (x, value)
            assert outcome(f, value, x) == outcome(twin(f), value, x), (value, x)


@pytest.mark.parametrize("state", ["ignore", "warn", "raise"])
def test_error_states(state):
    @splice.jit
    def work(a, b):
        out = []
        for i in range(len(a)):
            out.append(a[i] * b[i])
            out.append(a[i] / b[i])
            out.append(a[i] + b[i])
        return out

    rng = np.random.default_rng(3)
    for dtype in ("float64", "float32", "int64", "int16"):
        for _ in range(20):
            with np.errstate(all=state):
                check(work, values_of(dtype, rng, 6), values_of(dtype, rng, 6))
    assert is_native(work)


@splice.jit
def unary(x):
    return -x, +x, abs(x), bool(x), not x


@splice.jit
def inverted(x):
    return ~x


@splice.jit
def as_python(x):
    return int(x), float(x)


@splice.jit
def of_math(x):
    import math

    return math.sqrt(abs(x)), math.floor(x), math.sin(x), math.isfinite(x)


@splice.jit
def truncated(x):
    import math

    return math.trunc(x)


@splice.jit
def exponent(x):
    import math

    return math.ldexp(1.5, x)


@pytest.mark.parametrize("dtype", DTYPES)
def test_unary_and_conversions(dtype):
    for x in values_of(dtype, np.random.default_rng(5), 30):
        for f in (unary, inverted, as_python, of_math, truncated, exponent):
            assert outcome(for_types(f, x), x) == outcome(twin(f), x), (f, x)


@splice.jit
def best_of(x, y):
    return min(x, y), max(x, y), max(x, y, x + x), min(x, y) is y, max(y, x) is x


@splice.jit
def parts(z):
    return z.real, z.imag, z.real * z.real + z.imag * z.imag


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
def test_parts_of_complex_numbers(dtype):
    for z in values_of(dtype, np.random.default_rng(17), 30):
        assert outcome(parts, z) == outcome(twin(parts), z), z
    assert is_native(parts)


@splice.jit
def order(x, y):
    return x < y, x <= y, x > y, x >= y, x < 2, 2.0 <= x, x > 2j


@pytest.mark.parametrize(
    "dtypes",
    [("complex128",) * 2, ("complex64",) * 2, ("complex64", "complex128"), ("bool", "complex128")],
)
def test_order_of_complex_numbers(dtypes):
    """A NaN counts where the parts that are asked for are NaNs, unlike with np.less."""
    parts = [-1.0, 2.0, float("nan"), float("inf")]
    numbers = [complex(*both) for both in itertools.product(parts, repeat=2)]
    for x, y in itertools.product(numbers, repeat=2):
        x, y = np.dtype(dtypes[0]).type(x), np.dtype(dtypes[1]).type(y)
        assert outcome(order, x, y) == outcome(twin(order), x, y), (x, y)
    assert is_native(order)


def clipped(x, y):
    return max(0, x), min(x, 1.5)


def best_of_four(x, y):
    return max(0, x, y), min(x, y, 2, x)


def best_of_all(x, y):
    """More types than there are versions of the code: it leaves."""
    return min(x, 1.5), max(0, x, y), max(1.0, y, 2, x), max(y, 0), min(x, y, 2, x)


def twice_among_them(a, b, y):
    x = max(a, b)
    most = max(x, y, x)
    least = min(y, x, y, x)
    return most, least, x, y


def which_of(x, y):
    return min(max(0, x), x) is x, max(y, 0.5, x) is x, min(1, x) is y


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_best_of_scalars_and_python_numbers(dtype):
    """Each may be the result, of its own type."""
    rng = np.random.default_rng(19)
    values = values_of(dtype, rng, 6)
    for x, y in itertools.product(values, [*values, 1, -2.5, np.float32(0.5), np.uint64(2**63)]):
        references = sys.getrefcount(x), sys.getrefcount(y)
        for f in (clipped, best_of_four, best_of_all, which_of):
            for _ in range(3):
                assert outcome(for_types(f, x, y), x, y) == outcome(twin(f), x, y), (f, x, y)
        assert (sys.getrefcount(x), sys.getrefcount(y)) == references
    if np.dtype(dtype).kind in "iuf":
        assert is_native(for_types(clipped, values[0], values[1]))
        assert is_native(for_types(best_of_four, values[0], values[1]))


@pytest.mark.parametrize("values", [[2**40, 2**41, 7], [1.5, 2.5, -0.0], np.arange(3) + 0.5])
def test_one_argument_twice(values):
    f = for_types(twice_among_them, *values)
    for x, y, z in itertools.product(values, repeat=3):
        references = sys.getrefcount(x), sys.getrefcount(y), sys.getrefcount(z)
        for _ in range(3):
            got, expected = f(x, y, z), twice_among_them(x, y, z)
            assert all(g is e for g, e in zip(got, expected, strict=True)), (x, y, z)
        del got, expected
        assert (sys.getrefcount(x), sys.getrefcount(y), sys.getrefcount(z)) == references
    assert is_native(f)


def unpacked(a, rows):
    first, second = a
    found = [first, second]
    for u, v in rows:
        found.append(u + v)
        found.append(v)
    [p, q], r = rows[0], rows[1]
    return found, p, q, r


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "float64", "complex64"])
def test_unpacking(dtype):
    f = for_types(unpacked, np.zeros(1, dtype), np.zeros((1, 1), dtype))
    a = values_of(dtype, np.random.default_rng(23), 24)
    pairs = a.reshape(12, 2)
    for first in (a[:2], a[::12], a[:3], a[:1], a[:0], a[0], a.reshape(2, 12), pairs[:, 0][:2]):
        for rows in (pairs, pairs[::-1], a.reshape(2, 12).T, pairs[:1], a.reshape(8, 3), pairs[:0]):
            check(f, first, rows)
    assert is_native(f)


@splice.jit
def unpacked_buffer(a):
    first, second, third = a
    return first, second, third


def test_unpacking_buffers():
    for values in ([1, 2, 3], [1, 2], [1, 2, 3, 4]):
        for code in "bLd":
            a = array.array(code, values)
            for buffer in (a, memoryview(a), memoryview(a)[::-1]):
                for _ in range(3):
                    expected = outcome(twin(unpacked_buffer), buffer)
                    assert outcome(unpacked_buffer, buffer) == expected
    assert is_native(unpacked_buffer)


@splice.jit
def best_in(a):
    low = high = a[0]
    for x in a:
        low = min(low, x)
        high = max(x, high)
    return low, high


@pytest.mark.parametrize("dtype", DTYPES)
def test_min_and_max(dtype):
    rng = np.random.default_rng(13)
    values = [*values_of(dtype, rng, 8), 1, 2.5, np.float32(1.5)]
    for x, y in itertools.product(values, values):
        assert outcome(for_types(best_of, x, y), x, y) == outcome(twin(best_of), x, y), (x, y)
    for _ in range(5):
        check(best_in, values_of(dtype, rng, 30))
    if dtype not in ("bool", "complex64", "complex128"):
        assert is_native(best_in)


@splice.jit
def one_value_of_two_types(a, m):
    x = a[0]
    y = float(x) if a.ndim == 1 else x
    z = np.complex64(1) + 2j
    w = np.complex128(z)
    n = m + 1
    return x, y, z, w, n


@splice.jit
def whole_and_scalar(a, m):
    x = a[0]
    y = int(x)
    n = m + 1
    return x, y, n


def test_an_exit_tells_a_scalar_from_the_number_that_it_holds():
    for f, a in ((one_value_of_two_types, np.array([1.5])), (whole_and_scalar, np.array([7]))):
        for m in (1, 2, 2**63 - 1):  # the last sum leaves
            check(f, a, m)
        assert splice.stats(f)["exits"] > 0


@pytest.mark.parametrize("dtype", DTYPES)
def test_scalar_types_as_functions(dtype):
    namespace = {"np": np}
    exec(f"def f(x):\n    y = np.{dtype}(x)\n    return y, y is x\n", namespace)
    f = namespace["f"]
    rng = np.random.default_rng(11)
    values = list(itertools.chain(*PYTHON_VALUES.values())) + ["1", None, [1]]
    for other in DTYPES:
        values += list(values_of(other, rng, 6))
    for value in values:
        for _ in range(2):
            assert outcome(for_types(f, value), value) == outcome(twin(f), value), value


@splice.jit
def scale(a, b, factor):
    for i in range(len(a)):
        b[i] = a[i] * factor


def put(a, i, value):
    a[i] = value
    return a[i]


def fill(a, i, value):
    a[1:] = value
    a.fill(value)
    a[...] = value


def add_to(a, i, value):
    a[i] += value


@pytest.mark.parametrize("dtype", DTYPES)
def test_stores(dtype):
    rng = np.random.default_rng(7)
    values = list(itertools.chain(*PYTHON_VALUES.values()))
    for other in DTYPES:
        values += list(values_of(other, rng, 6))
    if dtype in ("float32", "complex64"):
        values.append(np.array([0x7F800001], "u4").view("f4")[0])  # a NaN that is told of
    for value in values:
        for f in (put, fill, add_to):
            check(for_types(f, value, np.dtype(dtype).type(0)), values_of(dtype, rng, 4), 2, value)
    for other in ("float64", "int32", dtype):
        check(scale, values_of(other, rng, 6), values_of(dtype, rng, 6), 2)
    a = values_of(dtype, rng, 4)
    a.flags.writeable = False

    def store():
        for_types(put, a)(a, 1, 0)

    assert outcome(store)[0][:2] == (ValueError, "assignment destination is read-only")


def test_a_signalling_nan_is_told_of():
    a = np.array([0x7F800001, 0x7FC00001, 0x3F800000], "u4").view("f4")

    @splice.jit
    def widen(a, b):
        for i in range(len(a)):
            b[i] = a[i]
        return b, np.full(2, a[0], "f8")

    check(widen, a[2:], np.zeros(1))
    for state in ("ignore", "warn", "raise"):
        with np.errstate(all=state):
            check(widen, a, np.zeros(3))
            check(widen, a[1:], np.zeros(3, complex))


@splice.jit
def walk(a):
    out = []
    rows, columns = a.shape
    for i in range(-rows, rows):
        for j in range(-columns, columns):
            out.append(a[i, j])
            out.append(a[i][j])
    return out, a.ndim, a.size, len(a)


@relaxed
@given(arrays(2))
def test_items_of_any_layout(a):
    assert outcome(walk, a) == outcome(twin(walk), a)


@splice.jit
def corner(a, i, j, k):
    a[i, j, k] = a[k, i, j] + a[j, k, i]
    return a[i, j, k]


@relaxed
@given(arrays(3), st.integers(-6, 6), st.integers(-6, 6), st.integers(-6, 6))
def test_three_dimensions(a, i, j, k):
    mine, theirs = a.copy(), a.copy()
    assert outcome(corner, mine, i, j, k) == outcome(twin(corner), theirs, i, j, k)
    assert told(mine) == told(theirs)


def test_a_zero_dimensional_array():
    @splice.jit
    def first(a):
        return a[()], a.shape, a.ndim, a.size

    check(first, np.array(2.5))
    check(total, np.array(2.5))


@pytest.mark.parametrize(
    "make",
    [
        lambda: np.arange(4, dtype=">f8"),
        lambda: np.array([1, "a", None], dtype=object),
        lambda: np.ma.masked_array([1.0, 2.0], mask=[0, 1]),
        lambda: np.zeros(3, dtype=[("x", "f8"), ("y", "i4")]),
        lambda: np.array(["ab", "c"]),
        lambda: np.arange(3, dtype=np.float16),
        lambda: np.arange(3, dtype=np.longlong),
        lambda: np.array(["2026-01-01", "2026-01-02"], dtype="datetime64[D]"),
        lambda: np.frombuffer(b"x" * 17, dtype=np.float64, offset=1),
        lambda: np.matrix([[1.0, 2.0], [3.0, 4.0]]),
        lambda: np.zeros((1,) * 9),
    ],
    ids=["order", "object", "masked", "structured", "text", "half", "longlong", "dates",
         "unaligned", "matrix", "rank 9"],
)  # fmt: skip
def test_other_arrays_are_left_to_the_interpreter(make):
    @splice.jit
    def look(a):
        out = []
        for i in range(len(a)):
            out.append(a[i])
        return out

    mine, theirs = look(make()), twin(look)(make())
    assert [repr(x) for x in mine] == [repr(x) for x in theirs]


def test_arrays_that_change_in_mid_loop():
    """Rank, shape, strides and dtype can be assigned; what has been guarded is guarded again."""

    def change(how, a, step):
        if step == 3:
            how(a)

    namespace = {"change": change}
    exec(
        "def run(a, how):\n"
        "    seen = []\n"
        "    for i in range(6):\n"
        "        change(how, a, i)\n"
        "        seen.append(a[i % len(a)])\n"
        "    return seen\n",
        namespace,
    )
    run = splice.jit(namespace["run"])

    def reshape(a):
        a.shape = (2, 3)

    def retype(a):
        a.dtype = np.int64

    def shrink(a):
        a.resize(2, refcheck=False)

    for how in (reshape, shrink, retype):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            mine = run(np.arange(6.0), how)
            theirs = twin(run)(np.arange(6.0), how)
        assert told(mine) == told(theirs)


def test_scalars_keep_who_they_are():
    @splice.jit
    def pick(a, x):
        y = x
        if a[0] > 0:
            y = x
        return y, x

    x = np.float64(2.5)
    y, z = pick(np.ones(2), x)
    assert y is x and z is x

    @splice.jit
    def twice(a):
        x = a[0]
        return x, x

    y, z = twice(np.ones(2))
    assert y is z


def test_truths_are_the_two_of_numpy():
    @splice.jit
    def asked(a, i):
        return a[i] > 0.5, a[i] > 0.5 and a[i] < 2

    (one, both), (none, neither) = asked(np.array([1.0, 0.0]), 0), asked(np.array([1.0, 0.0]), 1)
    assert (one, both, none, neither) == (np.True_, np.True_, np.False_, np.False_)
    assert one is np.True_ and none is np.False_ and neither is np.False_
    assert is_native(asked)


def test_a_signal_leaves_with_scalars_in_the_frame():
    """Exits hand scalars and booleans of NumPy over as what they are."""

    @splice.jit
    def f(a, k):
        x, flag = a[0] + 1, a[1] > 0
        return [x, flag, k.bit_count(), x]

    for dtype in DTYPES[1:-1]:
        a = np.array([3, 4], dtype=dtype)
        mine, theirs = f(a, 5), twin(f)(a, 5)
        assert told(mine) == told(theirs)
        assert mine[0] is mine[3]


def test_promotion_is_numpys(tmp_path):
    for a, b in itertools.product(DTYPES, DTYPES):
        f = operator_function("==")
        x, y = np.dtype(a).type(1), np.dtype(b).type(1)
        assert told(f(x, y)) == told(x == y)


def test_rows_die_without_leaving():
    """A view of a row is made and dropped in each round; what has a finalizer still leaves."""

    @splice.jit
    def by_rows(a):
        s = 0.0
        for row in a:
            for x in row:
                s += x
        for i in range(len(a)):
            s += a[i][0]
        return s

    a = np.arange(12.0).reshape(4, 3)
    for _ in range(3):
        assert by_rows(a) == 66 + 18
    assert splice.stats(by_rows)["exits"] == 0

    class Memory:
        def __init__(self, seen):
            self.seen = seen
            self.kept = np.arange(6.0).reshape(2, 3)
            self.__array_interface__ = self.kept.__array_interface__

        def __del__(self):
            self.seen.append("died")

    @splice.jit
    def replaced(rows, n):
        x = rows[0]
        s = 0.0
        for i in range(n):
            s += x[i, 0]
            x = rows[1]
        return s

    for _ in range(3):
        seen = []
        rows = [np.asarray(Memory(seen)), np.ones((2, 3))]
        assert replaced(rows, 2) == 1.0
        rows.clear()
        assert seen == ["died"]


def test_explain_names_arrays():
    @splice.jit
    def corner(a, x):
        return a[0, 0], x

    corner(np.ones((2, 2)), np.int8(1))
    assert "(a: float64[:, ::1], x: numpy.int8): native" in splice.explain(corner)
    corner(np.ones((4, 4))[::2, ::2], np.int8(1))
    assert "(a: float64[:, :], x: numpy.int8): native" in splice.explain(corner)


def test_before_numpy_is_imported(tmp_path):
    """Functions that were compiled for other objects meet arrays later."""
    import subprocess
    import sys

    script = tmp_path / "late.py"
    script.write_text(
        "import splice, sys\n"
        "@splice.jit\n"
        "def f(x, n):\n"
        "    s = 0\n"
        "    for i in range(n): s += i\n"
        "    return s, x\n"
        "f({}, 3); f({}, 3)\n"
        "assert 'numpy' not in sys.modules\n"
        "import numpy as np\n"
        "@splice.jit\n"
        "def g(x, n):\n"
        "    s = 0\n"
        "    for i in range(n): s += x[i]\n"
        "    return s\n"
        "for _ in range(3): print(f(np.arange(3), 3)[0], repr(g(np.arange(3), 3)))\n"
        "print([v['kinds'] for v in splice.stats(g)['variants']])\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    assert done.stdout.count("3 np.int64(3)") == 3
    assert "int64[::1]" in done.stdout
