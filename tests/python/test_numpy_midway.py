"""Arrays that other code changes while a native loop runs over them.

What an array is, is read in front of a loop and looked at again only where a poll has let other
code run. Each loop below ends only when it sees the change; it gives up after many rounds.
"""

import signal
import threading
import time

import numpy as np
import pytest
from numpy_support import is_native, twin

import splice

pytestmark = pytest.mark.filterwarnings("ignore:Setting the:DeprecationWarning")

ROUNDS = 1 << 40  # seconds, even of a loop that does next to nothing


def moves(a):
    for _ in range(ROUNDS):
        if a[0] != 0:
            return "moved", a[0], len(a)
    return "not seen"


def moves_in_an_inner_loop(a):
    for _ in range(ROUNDS >> 3):
        for j in range(4):
            if a[j] == 8:
                return "moved"
    return "not seen"


def grows(a):
    for _ in range(ROUNDS):
        if len(a) != 8:
            return "grown", a.shape
    return "not seen"


def turns(a):
    for _ in range(ROUNDS):
        if a[1, 0] != 0:
            return "turned", a[1, 0], a.shape
    return "not seen"


def becomes_flat(a):
    for _ in range(ROUNDS):
        if a[0, 1] != 0:
            return "wrong"
    return "not seen"


def becomes_other_numbers(a):
    for _ in range(ROUNDS):
        if a[1] != 0:
            return "others", a[1]
    return "not seen"


def can_be_stored(a):
    n = 0
    while n < ROUNDS:
        a[n & 7] = 0
        n += 1
    return "not seen"


def is_rebound(a):
    b = a
    for n in range(ROUNDS):
        if b[0] != 0:
            return "rebound", b[0]
        if len(a) != 8:
            b = a[1:]
    return "not seen"


def moved(a):
    a.resize(100_000, refcheck=False)
    a[:] = 8


def grown(a):
    a.resize(16, refcheck=False)


def turned(a):
    a.shape = (4, 2)  # from (2, 4)


def flat(a):
    a.shape = (8,)


def other_numbers(a):
    a.dtype = np.dtype("i4")


def read_only(a):
    a.setflags(write=False)


def zeros():
    return np.zeros(8)


def rows():
    a = np.zeros((2, 4))
    a[0, 2] = 5.0  # a[1, 0] of four rows
    return a


def int_zeros():
    return np.zeros(8, dtype="i8")


CASES = [
    (moves, int_zeros, moved),
    (moves, zeros, moved),
    (moves_in_an_inner_loop, int_zeros, moved),
    (grows, zeros, grown),
    (grows, int_zeros, moved),
    (turns, rows, turned),
    (becomes_flat, rows, flat),
    (becomes_other_numbers, lambda: np.array([1 << 32, 0]), other_numbers),
    (can_be_stored, zeros, read_only),
    (is_rebound, lambda: np.array([0.0] * 8), moved),
]


def result(f, a):
    try:
        return f(a)
    except Exception as error:
        return type(error), str(error), error.__traceback__.tb_next.tb_lineno


def by_signal(change):
    def during(f, a):
        old = signal.signal(signal.SIGALRM, lambda *_: change(a))
        signal.setitimer(signal.ITIMER_REAL, 0.02)
        try:
            return result(f, a)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, old)

    return during


def by_thread(change):
    def during(f, a):
        def later():
            time.sleep(0.02)
            change(a)

        other = threading.Thread(target=later)
        other.start()
        try:
            return result(f, a)
        finally:
            other.join()

    return during


@pytest.mark.parametrize("means", [by_signal, by_thread])
@pytest.mark.parametrize(("loop", "make", "change"), CASES)
def test_changes_are_seen(loop, make, change, means):
    expected = means(change)(twin(loop), make())
    assert expected != "not seen"
    f = splice.jit(twin(loop))
    for _ in range(3):  # from the first call on, and again after the code was compiled anew
        assert means(change)(f, make()) == expected
    assert is_native(f)


def steps(a):
    n = 0
    for _ in a:
        n += 1
        for k in range(3000):
            n += k & 0
    return n


def test_iteration_over_an_array_that_changes():
    """Each step asks anew how long the array is, as the iterator does."""

    def grow(a):
        if len(a) == 1000:
            a.resize(2000, refcheck=False)

    def shrink(a):
        if len(a) == 1000:
            a.resize(1, refcheck=False)

    f = splice.jit(steps)
    for _ in range(3):
        assert by_signal(grow)(f, np.zeros(1000)) in (1000, 2000)  # 1000: it was over by then
        assert 1 <= by_signal(shrink)(f, np.zeros(1000)) <= 1000
    assert is_native(f)
