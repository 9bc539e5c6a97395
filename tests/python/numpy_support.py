"""What the tests of NumPy in compiled code share."""

import types
import warnings

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

import splice

DTYPES = [
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float32", "float64", "complex64", "complex128",
]  # fmt: skip
relaxed = settings(
    max_examples=25, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)


def twin(f):
    """A function with the same code that Splice does not know."""
    return types.FunctionType(f.__code__, f.__globals__, f.__name__, f.__defaults__, f.__closure__)


def told(value):
    """All that can be seen of a value."""
    if isinstance(value, tuple | list):
        return type(value), [told(v) for v in value]
    if isinstance(value, np.ndarray):
        return "array", value.dtype.str, value.shape, value.strides, value.tobytes()
    if isinstance(value, np.generic):
        return type(value), value.tobytes()
    if isinstance(value, float | complex):
        return type(value), np.array(value).tobytes()
    return type(value), value


def outcome(f, *args):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        try:
            result = told(f(*args))
        except Exception as error:
            tb = error.__traceback__.tb_next
            result = type(error), str(error), tb.tb_lineno if tb else None
    told_by_python = [w for w in seen if w.category is not splice.NotCompiledWarning]
    return result, [(w.category, str(w.message), w.lineno) for w in told_by_python]


def check(f, *args):
    """Calls `f` natively and interpreted, with copies of the arrays."""

    def copies():
        return [np.array(a, copy=True) if isinstance(a, np.ndarray) else a for a in args]

    for _ in range(3):
        mine, theirs = copies(), copies()
        expected = outcome(twin(f), *theirs)
        assert outcome(f, *mine) == expected
        assert told(mine) == told(theirs)


def for_types(f, *args):
    """A copy of `f` under `jit` that has only met arguments of these types: after eight combinations
    of types a function takes no more, and the rest of a test would be interpreted."""
    key = (f, *((type(a), getattr(a, "dtype", None)) for a in args))
    if key not in COPIES:
        code = f.__code__.replace()
        copy = types.FunctionType(code, f.__globals__, f.__name__, f.__defaults__, f.__closure__)
        COPIES[key] = splice.jit(copy)
    return COPIES[key]


COPIES = {}


def is_native(f):
    return any(v["native"] for v in splice.stats(f)["variants"])


def values_of(dtype, rng, n):
    kind = np.dtype(dtype)
    if kind.kind == "b":
        return rng.integers(0, 2, n).astype(kind)
    if kind.kind in "iu":
        info = np.iinfo(kind)
        edge = np.array([info.min, info.max, 0, 1, info.max - 1], dtype=kind)
        small = rng.integers(max(info.min, -5), 6, n).astype(kind)
        return np.where(rng.random(n) < 0.3, rng.choice(edge, n), small).astype(kind)
    edge = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1e-300, 1e300, 5e-324, -1.5])
    with np.errstate(all="ignore"):
        parts = np.where(rng.random(n) < 0.3, rng.choice(edge, n), rng.normal(size=n))
        if kind.kind == "c":
            return (parts + 1j * rng.normal(size=n)).astype(kind)
        return parts.astype(kind)


@st.composite
def arrays(draw, rank):
    """Of any dtype, shape, order and strides, some of them 0 or negative."""
    dtype = draw(st.sampled_from(DTYPES))
    shape = tuple(draw(st.integers(0, 4)) for _ in range(rank))
    room = tuple(2 * n + 2 for n in shape)
    seed = draw(st.integers(0, 2**16))
    base = values_of(dtype, np.random.default_rng(seed), int(np.prod(room))).reshape(room)
    if draw(st.booleans()):
        base = np.asfortranarray(base)
    steps = [draw(st.sampled_from([1, 2, -1])) for _ in shape]
    view = base[tuple(slice(None, None, s) for s in steps)]
    view = view[tuple(slice(0, n) for n in shape)]
    if draw(st.integers(0, 5)) == 0:
        view = view[(np.zeros(3, dtype=int),)] if shape[0] else view
        view = np.lib.stride_tricks.as_strided(view, strides=(0, *view.strides[1:]))
    return view if draw(st.booleans()) else np.ascontiguousarray(view)
