"""Functions of NumPy in compiled code: ufuncs on scalars, functions and methods that make arrays."""

import gc
import threading
import time
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

UFUNCS = sorted({f.__name__ for f in vars(np).values() if isinstance(f, np.ufunc)})
PYTHON_NUMBERS = [0, 3, -2, 300, 2**40, 0.0, -0.0, 1.5, -2.75, 1e300, float("inf"), float("nan"), True,
                  1 + 2j]  # fmt: skip


def function_of(expression, parameters="a"):
    namespace = {"np": np}
    exec(f"def f({parameters}):\n    return {expression}\n", namespace)
    return splice.jit(namespace["f"])


# Of complex numbers NumPy itself gives two results, by where its operands happen to lie.
TWO_RESULTS = ("absolute", "conjugate", "divide", "multiply", "reciprocal", "square")


def mixed_values(name, rng, n):
    values = [v for dtype in DTYPES for v in values_of(dtype, rng, n)]
    values += PYTHON_NUMBERS + [np.float64(rng.normal()) for _ in range(20)]
    return [v for v in values if name not in TWO_RESULTS or not np.iscomplexobj(v)]


@pytest.mark.parametrize("name", UFUNCS)
def test_ufuncs_on_scalars(name):
    ufunc = getattr(np, name)
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    if ufunc.nin == 1:
        cases = [(v,) for v in mixed_values(name, rng, 5)]
    else:
        values = mixed_values(name, rng, 3)
        cases = [
            tuple(values[i] for i in rng.integers(0, len(values), ufunc.nin)) for _ in range(60)
        ]
    parameters = ", ".join("abcd"[: ufunc.nin])
    f = function_of(f"np.{name}({parameters})", parameters)
    for args in cases:
        assert outcome(for_types(f, *args), *args) == outcome(twin(f), *args), args


@pytest.mark.parametrize(
    "name", ["sqrt", "sin", "exp", "floor", "hypot", "maximum", "isnan", "modf"]
)
def test_these_are_native(name):
    nin = getattr(np, name).nin
    f = function_of(f"np.{name}({', '.join('ab'[:nin])})", ", ".join("ab"[:nin]))
    for value in (2.5, np.float64(2.5), np.float32(0.25)):
        for _ in range(2):
            f(*[value] * nin)
    assert is_native(f)
    assert all(v["native"] for v in splice.stats(f)["variants"])


@pytest.mark.parametrize("state", ["ignore", "warn", "raise"])
def test_ufuncs_under_every_error_state(state):
    f = function_of("np.exp(a), np.sqrt(a), np.log(a), np.divide(a, a), np.square(a)")
    for dtype in ("float32", "float64"):
        for value in (1.0, 0.0, -1.0, 800.0, -800.0, -100.0, 1e30, 1e-30, np.inf, np.nan):
            x = np.dtype(dtype).type(value)
            with np.errstate(all=state):
                for _ in range(2):
                    assert outcome(f, x) == outcome(twin(f), x), x


MAKERS = [
    "np.zeros(n)", "np.zeros((n, m))", "np.zeros((n, m), np.int32)", "np.zeros(shape=(m, n), dtype='u1')",
    "np.zeros(n, dtype=bool, order='F')", "np.zeros((n, m), order='F')", "np.zeros(())", "np.zeros((n,))",
    "np.zeros([n, m])", "np.zeros(n, dtype='float16')", "np.zeros(n, '>f8')", "np.zeros(n, dtype=object)",
    "np.zeros(n, dtype=[('x', int)])", "np.zeros(n, like=None)", "np.zeros(n, device='cpu')",
    "np.zeros(-n)", "np.zeros(2.5)", "np.zeros(n, None)", "np.zeros((n, 2**62))", "np.zeros(2**40)",
    "np.empty((n, 0))", "np.empty(0, np.uint64)", "np.empty(n).shape",
    "np.ones(n)", "np.ones((n, m), dtype=complex)", "np.ones((m, n), np.uint8, 'F')", "np.ones(n, bool)",
    "np.ones(n, dtype=np.dtype('f4'))", "np.ones(n, dtype=np.float32, like=None)",
    "np.full(n, 7)", "np.full((n, m), 2.5)", "np.full(n, True)", "np.full(n, 1j)", "np.full(n, m, 'f4')",
    "np.full(n, 300, dtype=np.int8)", "np.full(n, 2.7, dtype=int)", "np.full(n, np.float32(1.5))",
    "np.full((n,), fill_value=n)", "np.full(n, np.nan, dtype=int)", "np.full(n, None)", "np.full(n, 'x')",
    "np.full(n, [1, 2, 3])", "np.full(n, 2**63)", "np.full(n, 1e300, dtype='f4')",
    "np.arange(n)", "np.arange(m, n)", "np.arange(n, m, -2)", "np.arange(0.5, n, 0.25)",
    "np.arange(n, dtype=np.float32)", "np.arange(1, n, dtype='i2')", "np.arange(n, 3.5)", "np.arange(stop=n)",
    "np.arange(0, n, 0)", "np.arange(1e300, 1e301)", "np.arange(float(n))", "np.arange(np.int8(5))",
    "np.arange(True)", "np.arange(-n)", "np.arange(3, 10, n)", "np.arange(0, 300, 100, dtype='u1')",
]  # fmt: skip


@pytest.mark.parametrize("expression", MAKERS)
def test_new_arrays(expression):
    f = function_of(expression, "n, m")

    def made(g, n, m):
        result = g(n, m)
        flags = result.flags.num if isinstance(result, np.ndarray) else 0
        # What empty() holds is anything.
        seen = "empty" if "empty" in expression else told(result)
        return seen, flags, getattr(result, "shape", 0), str(getattr(result, "dtype", 0))

    for n, m in ((3, 4), (3, 4), (0, 1), (5, 2), (np.int64(3), 4)):
        if isinstance(n, np.generic) and "float(" in expression:
            continue

        def run(g, n=n, m=m):
            return outcome(lambda: made(g, n, m))[0]

        assert run(f) == run(twin(f)), (n, m)


COPIES = [
    "a.copy()", "a.copy('F')", "np.copy(a)", "np.copy(a, order='C')", "np.array(a)", "a.flatten()", "a.ravel()",
    "np.array(a, dtype=complex)", "np.array(a, 'f4')", "np.array(a, copy=False)", "a[::-1].copy()",
    "np.zeros_like(a)", "np.ones_like(a)", "np.full_like(a, 2)", "np.full_like(a, 2.7)", "np.empty_like(a).shape",
    "np.zeros_like(a, dtype=np.int32)", "np.ones_like(a, order='C')", "np.full_like(a, 300)", "a.transpose()",
    "np.zeros_like(a.T)", "np.full_like(a, np.nan)", "np.zeros_like(a, shape=(2, 2))", "np.array([a, a])",
    "a.fill(1)", "a.fill(300)", "a[1:].fill(2.5)", "a.dtype == np.float64", "a.dtype", "np.zeros(a.shape, a.dtype)",
    "a.dtype == 'int8'", "a.dtype != np.dtype('f4')", "a.sum()", "a.copy(order='K')",
]  # fmt: skip


@pytest.mark.parametrize("expression", COPIES)
@relaxed
@given(a=st.integers(1, 3).flatmap(arrays))
def test_copies_and_methods(expression, a):
    f = FUNCTIONS.setdefault(expression, function_of(f"({expression}, a)"))

    def seen(g, x):
        result = g(x)
        flags = [r.flags.num for r in result if isinstance(r, np.ndarray)]
        return told(result), flags, [r.base is None for r in result if isinstance(r, np.ndarray)]

    def run(g):
        return outcome(lambda x: seen(g, x), a.copy("K"))[0]

    for _ in range(2):
        assert run(f) == run(twin(f))


FUNCTIONS = {}


def test_native_functions_that_make_arrays():
    @splice.jit
    def work(n):
        a = np.zeros((n, n))
        b = np.ones(n, dtype=np.int32)
        c = np.full(n, 0.5)
        d = np.arange(n)
        for i in range(n):
            for j in range(n):
                a[i, j] = b[i] * c[j] + d[i]
        e = a.copy()
        e.fill(2)
        return a, e, np.zeros_like(d), np.sqrt(a[1, 1])

    check(work, 7)
    assert is_native(work)


def test_a_routine_that_the_program_replaced():
    def zeros(n):
        return "mine"

    @splice.jit
    def f(n):
        return np.zeros(n)

    assert told(f(3)) == told(np.zeros(3))
    usual, np.zeros = np.zeros, zeros
    try:
        assert f(3) == "mine"
    finally:
        np.zeros = usual
    assert told(f(3)) == told(np.zeros(3))


def test_other_defaults_of_a_routine_are_seen():
    @splice.jit
    def ones(n):
        return np.ones(n)

    assert told(ones(2)) == told(np.ones(2))
    usual = np.ones.__defaults__
    np.ones.__defaults__ = (np.int8, "C")
    try:
        assert told(ones(2)) == told(np.ones(2, np.int8))
    finally:
        np.ones.__defaults__ = usual
    assert told(ones(2)) == told(np.ones(2))


def test_metadata_of_a_dtype_is_kept():
    @splice.jit
    def like(a):
        return np.zeros_like(a), np.ones_like(a), np.full_like(a, 2), np.empty_like(a), a.copy()

    a = np.zeros(3, dtype=np.dtype("f8", metadata={"x": 1}))
    for _ in range(2):
        assert [b.dtype.metadata for b in like(a)] == [b.dtype.metadata for b in twin(like)(a)]


@pytest.mark.parametrize(
    "call", ["a.copy()", "np.copy(a)", "np.array(a)", "a.flatten()", "np.zeros(N)"]
)
def test_other_threads_run_in_calls_of_numpy(call):
    namespace = {"np": np, "N": 8_000_000}
    exec(f"def use(things, a):\n    x = things[0]\n    b = {call}\n    return x[0] + 1.0, len(x), b.size\n",
         namespace)  # fmt: skip
    use = splice.jit(namespace["use"])
    a = np.zeros(8_000_000)
    for _ in range(4):
        for make in (lambda: [7.0] * 1000, lambda: np.full(1000, 7.0)):
            things = [make() for _ in range(3)]

            def clear(things=things):
                time.sleep(0.002)  # while the main thread copies
                things.clear()
                gc.collect()

            other = threading.Thread(target=clear)
            other.start()
            try:
                assert use(things, a) == (8.0, 1000, 8_000_000)
            except IndexError:
                pass  # it was cleared before the first line
            other.join()
