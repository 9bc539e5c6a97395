"""Parts of arrays in compiled code: the same memory, shape, strides, flags and base as NumPy's."""

import threading
import time
import weakref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy_support import DTYPES, arrays, check, is_native, outcome, relaxed, told, twin, values_of

import splice


def seen(value, array):
    """All that can be seen of a result that may be a view of `array`."""
    if isinstance(value, tuple | list):
        return [seen(v, array) for v in value]
    if not isinstance(value, np.ndarray):
        return told(value)
    place = value.ctypes.data - array.ctypes.data
    owner = array if array.base is None else array.base
    base = "none" if value.base is None else value.base is owner or value.base is array
    return told(value), value.flags.num, place, base, value.dtype is array.dtype


def compiled(source):
    namespace = {"np": np}
    exec(source, namespace)
    return splice.jit(namespace["f"])


bound = st.one_of(st.none(), st.integers(-6, 6), st.sampled_from(["i", "j", "-i", "i + j", "n"]))
step = st.sampled_from([None, 1, 2, -1, -2, 3, 7, "j", "-i"])


@st.composite
def slices(draw):
    def text(value):
        return "" if value is None else str(value)

    parts = f"{text(draw(bound))}:{text(draw(bound))}"
    by = draw(step)
    return parts if by is None else f"{parts}:{by}"


part = st.one_of(
    slices(), slices(), slices(),
    st.sampled_from(["0", "1", "-1", "i", "-i", "j", "n", "...", "None", "np.int8(1)"]),
)  # fmt: skip
indices = st.lists(part, min_size=1, max_size=4).map(", ".join)


@relaxed
@given(st.integers(1, 3).flatmap(arrays), indices, indices, st.integers(0, 3), st.integers(0, 3))
def test_any_index_of_any_layout(a, first, second, i, j):
    f = compiled(
        f"""
def f(a, i, j, n):
    v = a[{first}]
    t = v.T
    w = t[{second}]
    return v, t, w, w.shape, w.strides, w.size, w.ndim, w.nbytes
"""
    )

    def views(g):
        return outcome(lambda: seen(g(a, i, j, np.int64(2)), a))

    expected = views(twin(f))
    for _ in range(2):
        assert views(f) == expected


@relaxed
@given(arrays(2), slices(), slices(), st.integers(0, 3), st.integers(1, 3))
def test_elements_of_views(a, rows, columns, i, j):
    f = compiled(
        f"""
def f(a, i, j, n):
    v = a[{rows}, {columns}]
    out = []
    for r in range(len(v)):
        row = v[r]
        for c in range(len(row)):
            out.append(row[c])
            out.append(v[r, c])
            out.append(v.T[c][r])
    for row in v:
        for x in row[::-1]:
            out.append(x)
    return out
"""
    )
    expected = outcome(twin(f), a, i, j, 2)
    for _ in range(2):
        assert outcome(f, a, i, j, 2) == expected


VALUES = ["3", "2.5", "True", "1j", "300", "-1", "b", "b[:2]", "b[0]", "a[0]", "a[::-1]", "a[1:]",
          "a[:-1]", "a.T", "b[0, 0]", "None", "'x'", "[1, 2]"]  # fmt: skip


@relaxed
@given(arrays(2), arrays(2), indices, st.sampled_from(VALUES), st.integers(0, 3), st.integers(0, 3))
def test_assignments_to_views(a, b, index, value, i, j):
    f = compiled(
        f"""
def f(a, b, i, j, n):
    a[{index}] = {value}
    return 1
"""
    )
    for _ in range(2):
        mine, theirs = a.copy("K"), a.copy("K")
        assert outcome(f, mine, b, i, j, 2) == outcome(twin(f), theirs, b, i, j, 2)
        assert told(mine) == told(theirs)


@splice.jit
def move(a, k):
    left = a[:-k]
    right = a[k:]
    for i in range(len(left)):
        right[i] = left[i]
    a[k:] = a[:-k]
    a[1::2] = a[::2]
    a[::-1] = a
    return left, right


@pytest.mark.parametrize("dtype", DTYPES)
def test_views_that_overlap_while_written(dtype):
    check(move, values_of(dtype, np.random.default_rng(1), 40), 3)
    assert is_native(move)


def test_a_view_that_is_stored_in_itself():
    @splice.jit
    def store(a):
        u = a.ravel()[2:]
        u[::-1] = u
        w = a.ravel()[1:]
        w[:] = w
        return u, w

    for _ in range(50):
        check(store, np.arange(12.0).reshape(3, 4).T)
        check(store, np.arange(12.0))
    assert is_native(store)


def test_whole_views_and_copies_keep_running_natively():
    @splice.jit
    def use(m):
        v = m[:, 1:]
        kept = [v]
        s = v[0, 0] + kept[0].shape[0]
        c = np.copy(m)
        d = np.zeros_like(m)
        d[0, 0] = c[0, 0] + s
        return c, d

    for m in (np.arange(12.0).reshape(3, 4), np.asfortranarray(np.arange(12.0).reshape(3, 4))):
        check(use, m)
        check(use, m.T)
    assert not any(e["count"] for v in splice.stats(use)["variants"] for e in v["exits"])


@splice.jit
def identities(a):
    v = a[1:]
    w = v
    for _ in range(3):
        pass
    pair = v, v
    return v is w, v is a[1:], pair[0] is pair[1], v.base is a, w[1:].base is a, a.T is a.T


def test_a_view_is_one_object():
    check(identities, np.arange(6.0))
    assert is_native(identities)


def test_a_view_keeps_its_array_alive():
    @splice.jit
    def shifted(make):
        a = make()
        v = a[2:]
        a = None
        s = 0.0
        for i in range(len(v)):
            s += v[i]
        return s, v

    made = []

    def make():
        a = np.arange(1000.0)
        made.append(weakref.ref(a))
        return a

    for _ in range(3):
        total, view = shifted(make)
        assert total == 499499.0
        assert made[-1]() is view.base
        del view
        assert made[-1]() is None


def test_the_dtype_of_the_base_may_change():
    @splice.jit
    def f(a, change):
        v = a[1:]
        if change:
            a.dtype = np.int64
        return v, v.dtype

    for change in (False, False, True):
        assert told(f(np.arange(4.0), change)[0]) == told(np.arange(4.0)[1:])


def test_writes_of_which_numpy_warns():
    @splice.jit
    def store(a):
        a[1] = 5.0
        a[2:] = 7.0

    def broadcast():
        return np.broadcast_arrays(np.arange(4.0), np.zeros((1, 4)))[0][0]

    for _ in range(2):
        assert outcome(store, broadcast()) == outcome(twin(store), broadcast())


def test_views_as_arguments_and_results():
    @splice.jit
    def total(v):
        s = v[0] - v[0]
        for i in range(len(v)):
            s += v[i]
        return s

    @splice.jit
    def inner(a):
        return a[1:-1, 1:-1]

    @splice.jit
    def f(a):
        out = [total(a[i]) for i in range(len(a))]
        middle = inner(a)
        for i in range(len(middle)):
            out.append(total(middle[i]))
        for column in a.T:
            out.append(total(column))
        return out, middle

    check(f, np.arange(30.0).reshape(5, 6))
    check(f, np.arange(30).reshape(5, 6))
    assert is_native(f)


def test_a_callee_leaves_with_a_view_of_what_its_caller_drops():
    @splice.jit
    def read(v):
        return v[9]

    @splice.jit
    def write(v):
        v[0] = "x"

    def of_temporary(f, a):
        return f(a.ravel()[1:])

    def of_popped(f, a):
        things = [a.ravel()]
        return f(things.pop()[1:])

    def of_deleted(f, a):
        r = a.ravel()
        v = r[1:]
        del r
        return f(v)

    for f in (read, write):
        for caller in (of_temporary, of_popped, of_deleted):
            call = splice.jit(twin(caller))
            for _ in range(3):
                expected = outcome(caller, twin(f), np.arange(6))
                assert outcome(call, f, np.arange(6))[0][:2] == expected[0][:2]


def test_views_of_an_array_that_other_threads_reshape():
    @splice.jit
    def two(c, big, target):
        y = c[0, 0]
        target[:] = big
        return y + c[0, 1]

    for _ in range(5):
        c = np.arange(6.0).reshape(2, 3)
        big, target = np.zeros(8_000_000), np.zeros(8_000_000)

        def reshape(c=c):
            time.sleep(0.002)  # while the main thread copies
            c.shape = (6,)

        other = threading.Thread(target=reshape)
        other.start()
        try:
            assert two(c, big, target) == 1.0
        except IndexError:
            pass  # the other thread was first
        other.join()
