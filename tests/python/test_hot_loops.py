"""Loops that are compiled again in the middle of a call, once they have run a million rounds."""

import os
import signal
import sys
import threading
import traceback

import pytest

import splice

pytestmark = pytest.mark.skipif(
    "SPLICE_HOT_ROUNDS" in os.environ or "SPLICE_CHAOS" in os.environ,
    reason="another number of rounds makes a loop hot",
)

HOT = 1 << 20


def hot_loops(function):
    return sum(v.get("hot_loops", 0) for v in splice.stats(function)["variants"])


def is_optimised(function):
    return any(v.get("optimised") for v in splice.stats(function)["variants"])


def outcome(function, *args):
    """What a caller can see of a call."""
    try:
        return repr(function(*args))
    except Exception as error:
        places = traceback.extract_tb(error.__traceback__)
        frame = error.__traceback__.tb_next.tb_frame
        return repr(error), [(p.name, p.lineno) for p in places], dict(frame.f_locals)


def same(function, *calls):
    """Each call gives natively what the interpreter gives, before and after its loop is hot."""
    expected = [outcome(function, *args) for args in calls]
    splice.jit(function)
    for _ in range(2):
        assert [outcome(function, *args) for args in calls] == expected
    assert hot_loops(function) > 0
    splice.unjit(function)


def test_goes_on_in_the_middle_of_a_call():
    def total(n):
        even = 0
        odd = 1
        for i in range(n):
            if i & 1:
                odd = (odd * 3) % 1000003
            else:
                even += odd - i
        return even, odd

    assert hot_loops(total) == 0
    same(total, (3 * HOT,), (5,), (HOT + 1,))

    splice.jit(total)
    total(100)
    assert hot_loops(total) == 0
    before = splice.stats(total)
    total(2 * HOT)
    total(2 * HOT)
    after = splice.stats(total)
    assert hot_loops(total) == 1
    assert after["compile_ms"] > before["compile_ms"]
    assert after["variants"][0]["code_bytes"] > before["variants"][0]["code_bytes"]
    assert "hot loops: 1" in splice.explain(total)


def test_a_function_that_is_called_often_is_compiled_again():
    def ratio(a, b):
        c = a * 3 + b
        return c // b

    calls = [(5, 7), (-3, 2), (1, 0), (1 << 61, 1), (True, 3), (2.5, 0.5)]
    expected = [outcome(ratio, *args) for args in calls]
    splice.jit(ratio)
    for i in range(30000):
        assert ratio(i, 5) == (i * 3 + 5) // 5
    assert not is_optimised(ratio)
    for i in range(5000):
        assert ratio(i, 5) == (i * 3 + 5) // 5
    assert is_optimised(ratio)
    assert hot_loops(ratio) == 0
    assert "optimised" in splice.explain(ratio)
    slow = splice.stats(ratio)["slow_calls"]
    assert ratio(8, 5) == 5
    assert splice.stats(ratio)["slow_calls"] == slow
    assert [outcome(ratio, *args) for args in calls] == expected


def test_many_calls_of_short_loops_are_compiled_again_as_a_whole():
    def count(n, last):
        found = 0
        for i in range(n):
            found += 1000 // (last - i) & 1
        return found

    calls = [(700, 10**6), (700, 699), (0, 0), (700, 1 << 64)]
    expected = [outcome(count, *args) for args in calls]
    splice.jit(count)
    for _ in range(2 * HOT // 1000):
        count(1000, 10**6)
    assert is_optimised(count)
    assert hot_loops(count) == 0
    assert [outcome(count, *args) for args in calls] == expected


def test_the_outermost_loop_that_soon_comes_round_is_handed_over():
    def pairs(n, m):
        total = 0
        for i in range(n):
            for k in range(m):
                total += (i ^ k) & 3
        return total

    expected = pairs(3000, 1000)
    splice.jit(pairs)
    assert pairs(3000, 1000) == expected
    assert hot_loops(pairs) == 1  # with all of the inner one in it
    assert not is_optimised(pairs)


def test_an_outer_loop_that_never_comes_round_is_not_waited_for():
    def once(n):
        total = 0
        for i in range(9):
            for k in range(n if i == 8 else 1):
                total += (i ^ k) & 3
        return total

    expected = once(4 * HOT)
    splice.jit(once)
    assert once(4 * HOT) == expected
    assert hot_loops(once) == 1


def test_recursion_goes_on_in_the_middle_of_a_call():
    def fib(n):
        return n if n < 2 else fib(n - 1) + fib(n - 2)

    splice.jit(fib)
    assert fib(27) == 196418
    assert hot_loops(fib) == 1
    assert fib(20) == 6765


def test_an_overflow_after_the_loop_is_hot_is_exact():
    def grow(n, step):
        total = 0
        for i in range(n):
            total += step + i
        return total

    # The call after a result that did not fit has other code.
    for last in ((2 * HOT, 1 << 42), (2 * HOT, 1 << 45), (2 * HOT, -(1 << 45)), (10, 1 << 62)):
        expected = [outcome(grow, 2 * HOT, 3), outcome(grow, *last), outcome(grow, *last)]
        splice.jit(grow)
        assert outcome(grow, 2 * HOT, 3) == expected[0]
        assert hot_loops(grow) > 0
        assert [outcome(grow, *last) for _ in range(2)] == expected[1:]
        splice.unjit(grow)


def test_an_exception_of_a_hot_loop_has_its_place_and_variables():
    def divide(n, last):
        total = 0
        for i in range(n):
            total += 1000 // (last - i)
        return total

    same(divide, (2 * HOT, 3 * HOT), (2 * HOT, HOT + 77), (2 * HOT, 2 * HOT - 1))


def test_a_loop_in_a_loop_with_two_ways_out():
    def search(n, limit):
        found = 0
        longest = 0
        for i in range(1, n):
            x = i
            steps = 0
            while x != 1:
                x = x // 2 if x % 2 == 0 else 3 * x + 1
                steps += 1
                if steps > limit:
                    found += i
                    break
            else:
                found -= 1
            if steps > longest:
                longest = steps
        return found, longest, i

    same(search, (20000, 100), (20000, 10**6), (20000, 3))


def test_floats_complex_numbers_and_lists_are_handed_over():
    def wave(n, x, z, values):
        total = 0.0
        last = len(values) - 1
        k = 0
        for i in range(n):
            x = x * 0.999 + 0.25
            z = z * 0.5j + x
            total += x * values[k]
            k = 0 if k == last else k + 1
        return total, x, z, k, values

    same(wave, (2 * HOT, 0.5, 1j, [1.0, 2.5, -1.0]), (2 * HOT, float("nan"), 0j, [float("inf")]))


def test_two_loops_of_one_function():
    def both(n, m):
        a = 0
        for i in range(n):
            a ^= i * 7
        b = a
        for i in range(m):
            b = (b + i) & 0xFFFFFF
        return a, b

    same(both, (0, 2 * HOT), (2 * HOT, 0), (2 * HOT, 2 * HOT))


def test_a_global_that_changes_while_the_loop_is_hot():
    namespace = {"step": 1}
    exec(
        "def count(n):\n"
        "    total = 0\n"
        "    for i in range(n):\n"
        "        total += step\n"
        "        if i == n // 2:\n"
        "            change()\n"
        "    for i in range(n):\n"
        "        total += step\n"
        "    return total\n",
        namespace,
    )

    def change():
        namespace["step"] += 1

    namespace["change"] = change
    count = namespace["count"]
    expected = count(3 * HOT)
    namespace["step"] = 1
    splice.jit(count)
    assert count(3 * HOT) == expected


def test_threads_run_a_loop_that_gets_hot():
    def mix(n, x):
        for i in range(n):
            x = (x * 69069 + i) & 0xFFFFFFFF
        return x

    arguments = [(3 * HOT, k) for k in range(4)]
    expected = [mix(*args) for args in arguments]
    splice.jit(mix)
    got = {}
    threads = [
        threading.Thread(target=lambda k=k: got.__setitem__(k, mix(*arguments[k])))
        for k in range(4)
    ]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-4)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert [got[k] for k in range(4)] == expected
    # The whole function is compiled again where a second call has begun before the loop is hot.
    assert hot_loops(mix) == 1 or is_optimised(mix)


@pytest.mark.parametrize("end", ["unjit", "code", "drop"])
def test_what_runs_in_hot_code_may_go_away(end):
    namespace = {}
    exec(
        "def spin(n, x):\n"
        "    for i in range(n):\n"
        "        x = (x * 5 + i) & 0xFFFFFFF\n"
        "    return x\n",
        namespace,
    )
    spin = namespace["spin"]
    expected = spin(8 * HOT, 3)
    splice.jit(spin)
    spin(2 * HOT, 1)
    assert hot_loops(spin) == 1
    got = []
    threads = [
        threading.Thread(target=lambda f: got.append(f(8 * HOT, 3)), args=(spin,)) for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    if end == "unjit":
        splice.unjit(spin)
    elif end == "code":
        spin.__code__ = (lambda n, x: "other").__code__
        assert spin(1, 2) == "other"
    namespace.clear()
    del spin
    for thread in threads:
        thread.join()
    assert [g for g in got if g != "other"] == [expected] * (3 - got.count("other"))


def nest(a):
    s = 0
    for i in range(30):
        for j in range(30):
            s += (i ^ j) * a
    return s


class Stop(Exception):
    pass


def catches(n):
    caught = t = 0
    for k in range(n):
        try:
            t ^= nest(k)
        except Stop:
            caught += 1
    return caught


def test_what_a_signal_raises_in_a_short_loop_is_caught_by_its_caller():
    def stop(number, frame):
        raise Stop

    splice.jit(nest)
    splice.jit(catches)
    catches(100)
    before = signal.signal(signal.SIGALRM, stop)
    try:
        caught = escaped = 0
        for _ in range(10):
            signal.setitimer(signal.ITIMER_REAL, 0.01)
            try:
                caught += catches(200_000)
            except Stop:
                escaped += 1
            signal.setitimer(signal.ITIMER_REAL, 0)
        # Between two calls it comes from time to time, as under CPython.
        assert caught >= 5, (caught, escaped)
    finally:
        signal.signal(signal.SIGALRM, before)
        splice.unjit(nest)
        splice.unjit(catches)
