"""Ints that do not fit 64 bits: the first leaves, code that is made afterwards goes on with it."""

import signal
import types

import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy_support import outcome, relaxed, twin

import splice


def factorial(n):
    r = 1
    for i in range(2, n + 1):
        r *= i
    return r


def fibonacci(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


def generator(n):
    x = 1
    for _ in range(n):
        x = (x * 6364136223846793005 + 1442695040888963407) % 18446744073709551616
    return x


def hashed(n):
    h = 5381
    for i in range(n):
        h = ((h << 5) + h + i * 16777619) & 0xFFFFFFFFFFFFFFFF
        h ^= h >> 13
        if h > 2**63:
            h -= 2**40
    return h


def digits(n):
    total = 0
    x = 3**n
    while x:
        x, d = x // 10, x % 10
        total += d
    return total


def compared(n):
    x = 1
    answers = []
    for i in range(n):
        x = x * 7 - i
        answers.append((x == 2**64, x != i, x < 2**65, x <= i, 2**66 > x, i >= x, not x))
    return answers


def kept(n):
    x = 1
    values = []
    for i in range(n):
        x = x * -3 + i
        values.append(x)
    return values, max(values), min(values)


def shifted(n):
    x = 1
    for i in range(n):
        x = (x << (i % 7)) | (x >> 3)
        x = x ^ ~i
    return x


def powers(n):
    t = 0
    for i in range(n):
        t += i**20 // 3 + pow(i, 3)
        if t > 10**30:
            t = t % 1000000007
    return t


def inner(a, b):
    return a * b - 1


def outer(n):
    x = 2
    for i in range(n):
        x = inner(x, i + 3)
    return x


LOOPS = [
    factorial, fibonacci, generator, hashed, digits, compared, kept, shifted, powers, outer,
]  # fmt: skip


def jitted(f):
    code = f.__code__.replace()
    return splice.jit(types.FunctionType(code, f.__globals__, f.__name__, f.__defaults__))


def exits(f):
    return splice.stats(f)["exits"]


@pytest.mark.parametrize("loop", LOOPS, ids=lambda f: f.__name__)
def test_loops(loop):
    f = jitted(loop)
    for n in (3, 200, 200, 50, 200, 1, 200, 200):
        assert outcome(f, n) == outcome(twin(loop), n)
    assert splice.stats(f)["state"] == "active"


@pytest.mark.parametrize("loop", [factorial, fibonacci, generator, hashed, outer])
def test_they_stay(loop):
    """After a few calls nothing leaves any more."""
    f = jitted(loop)
    for _ in range(8):
        f(200)
    before = exits(f)
    for _ in range(5):
        f(200)
    assert exits(f) == before
    assert splice.stats(f)["variants"][0]["native"]


def wrong(kind, x):
    y = x * x
    if kind == 0:
        return y // (x - x)
    if kind == 1:
        return y % (x - x)
    if kind == 2:
        return y << -x
    if kind == 3:
        return y**-2
    if kind == 4:
        return 1 << y
    if kind == 5:
        return y / 3, float(y), y + 0.5, divmod(y, 7), abs(-y), -y, ~y, +y
    if kind == 6:
        return [1, 2][y]
    return y < 0.5, y == 1e40, y is x, range(3)[y]


def test_what_raises():
    f = jitted(wrong)
    for kind in range(8):
        for x in (10, 2**40, 2**40, 10, 2**40, 2**70, 2**40):
            assert outcome(f, kind, x) == outcome(twin(wrong), kind, x), (kind, x)


def steps(ops, values):
    x = values[0]
    trace = [x]
    for i in range(len(ops)):
        op = ops[i]
        y = values[i % len(values)]
        if op == 0:
            x = x + y
        elif op == 1:
            x = x - y
        elif op == 2:
            x = x * y
        elif op == 3:
            x = x // y
        elif op == 4:
            x = x % y
        elif op == 5:
            x = x & y
        elif op == 6:
            x = x | y
        elif op == 7:
            x = x ^ y
        elif op == 8:
            x = x >> (y & 31)
        elif op == 9:
            x = x << (y & 31)
        elif x > y:
            x = -x
        else:
            x += 1
        trace.append(x)
    return trace


STEPS = jitted(steps)


@relaxed
@given(
    st.lists(st.integers(0, 10), max_size=12),
    st.lists(st.integers(-(2**66), 2**66) | st.integers(-5, 5), min_size=1, max_size=5),
)
def test_any_steps(ops, values):
    for _ in range(2):
        assert outcome(STEPS, ops, values) == outcome(steps, ops, values)


def multiply(x, n):
    for _ in range(14):
        x = x * x
    for _ in range(n):
        z = x * x
    return z


def test_an_exception_of_a_signal_handler_is_not_lost():
    """CPython looks for signals within multiplications."""
    f = jitted(multiply)
    for _ in range(8):
        f(3, 2)
    before = exits(f)
    f(3, 2)
    assert exits(f) == before

    class Alarm(Exception):
        pass

    def handler(number, frame):
        raise Alarm

    before = signal.signal(signal.SIGALRM, handler)
    try:
        for _ in range(5):
            signal.setitimer(signal.ITIMER_REAL, 0.02)
            with pytest.raises(Alarm) as seen:
                f(3, 10**6)
            assert any(entry.name == "multiply" for entry in seen.traceback)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
