"""Threads, forks, signals, garbage collections: the world goes on while native code runs."""

import gc
import os
import signal
import sys
import threading
import time
import traceback
import weakref

import pytest

import splice


@pytest.fixture
def quick_switches():
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(interval)


def run_threads(count, target):
    """Runs target(i) in `count` threads and raises what any of them raised."""
    errors = []

    def body(i):
        try:
            target(i)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=body, args=(i,)) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def make_work():
    def work(n, step):
        total = 0
        for i in range(n):
            total += i * step
        return total

    # Of a code object of its own: many functions of one are not all compiled at their first call.
    return type(work)(work.__code__.replace(), globals())


def test_four_threads_call_while_it_is_compiled(quick_switches, twin):
    for _ in range(5):
        work = splice.jit(make_work())
        plain = twin(work)
        expected = {step: plain(500, step) for step in (1, 2.5, 10**20, True)}

        def body(i, work=work, expected=expected):
            for step, value in expected.items():
                for _ in range(20):
                    assert work(500, step) == value

        run_threads(4, body)


def test_threads_call_while_it_is_uncompiled(quick_switches):
    work = splice.jit(make_work())
    other = make_work()
    expected = work(300, 3)
    codes = [work.__code__, other.__code__.replace(co_name="other")]
    stop = threading.Event()

    def change():
        k = 0
        while not stop.is_set():
            k += 1
            work.__code__ = codes[k % 2]
            splice.unjit(work)
            splice.jit(work)

    changer = threading.Thread(target=change)
    changer.start()
    try:

        def body(i):
            for _ in range(200):
                assert work(300, 3) == expected

        run_threads(4, body)
    finally:
        stop.set()
        changer.join()
    assert work(300, 3) == expected


def test_another_thread_runs_during_a_native_loop():
    work = splice.jit(make_work())
    work(10, 1)
    ticks = []
    stop = threading.Event()

    def tick():
        while not stop.is_set():
            ticks.append(1)
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        for _ in range(20):
            work(3_000_000, 1)
        assert len(ticks) > 3
    finally:
        stop.set()
        thread.join()


def test_global_rebound_by_another_thread_during_a_native_loop():
    namespace = {"GO": True}
    exec(
        "def wait(limit):\n    n = 0\n    while GO:\n        n += 1\n        if n > limit:\n"
        "            return -1\n    return 1\n",
        namespace,
    )
    wait = splice.jit(namespace["wait"])
    assert wait(10) == -1

    def end():
        namespace["GO"] = False

    timer = threading.Timer(0.05, end)
    timer.start()
    assert wait(10**10) == 1
    timer.join()


def test_keyboard_interrupt_in_a_native_loop():
    @splice.jit
    def forever(x):
        while True:
            x = x ^ 1

    with pytest.raises(KeyboardInterrupt) as caught:
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        try:
            forever(0)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
    frames = [entry.name for entry in caught.traceback]
    assert "forever" in frames


def test_signal_handler_calls_the_running_function():
    results = []

    @splice.jit
    def work(n, step):
        total = 0
        for i in range(n):
            total += i * step
        return total

    expected = work(5_000_000, 1)

    def handler(number, frame):
        results.append((work(100, 1), work(100, 2.5), frame.f_code.co_name))

    signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.002, 0.002)
    try:
        deadline = time.monotonic() + 20
        while len(results) < 5 and time.monotonic() < deadline:
            assert work(5_000_000, 1) == expected
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
    assert len(results) >= 5
    assert {result[:2] for result in results} == {(4950, 12375.0)}


def run_forked(body):
    """Runs body() in a forked child; returns its text or the traceback of what it raised."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            text = repr(body())
        except BaseException:
            text = traceback.format_exc()
        os.write(write, text.encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        text = pipe.read().decode()
    return text, os.waitpid(pid, 0)[1]


@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_fork():
    work = splice.jit(make_work())
    expected = work(100, 2)

    def body():
        fresh = splice.jit(make_work())
        results = work(100, 2), work(100, 2.5), fresh(100, 2)
        return results, [v["native"] for v in splice.stats(fresh)["variants"]]

    assert run_forked(body) == (f"(({expected}, 12375.0, {expected}), [True])", 0)
    assert work(100, 2) == expected


@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_fork_while_another_thread_is_in_native_code():
    work = splice.jit(make_work())
    work(10, 1)
    thread = threading.Thread(target=work, args=(30_000_000, 1))
    thread.start()

    def body():
        splice.unjit(work)
        splice.jit(work)
        return work(100, 2)

    assert run_forked(body) == ("9900", 0)
    thread.join()


def test_gc_pressure(twin):
    threshold = gc.get_threshold()

    @splice.jit
    def mixed(n, x):
        total = 0
        for i in range(n):
            total += i
            if i % 50 == 0:
                x = [x, i]
                x = x[0]
        return total, x

    gc.set_threshold(1, 1, 1)
    try:
        for x in (1, 2.5, 10**30, object()):
            assert mixed(500, x) == twin(mixed)(500, x)
    finally:
        gc.set_threshold(*threshold)


def test_a_compiled_function_can_die():
    class Canary:
        pass

    canary = Canary()
    gone = weakref.ref(canary)

    def make(canary):
        @splice.jit
        def f(x):
            if x < 0:
                return canary
            return x + 1

        return f

    f = make(canary)
    assert f(1) == 2
    function_gone = weakref.ref(f)
    del f, canary
    gc.collect()
    assert function_gone() is None
    assert gone() is None


def test_namespace_of_a_compiled_function_can_die():
    class Canary:
        pass

    namespace = {"canary": Canary(), "K": 3}
    gone = weakref.ref(namespace["canary"])
    exec("def f(x):\n    return x * K\n", namespace)
    assert splice.jit(namespace["f"])(2) == 6
    del namespace
    gc.collect()
    assert gone() is None


def test_references_are_balanced(twin):
    @splice.jit
    def choose(flag, a, b):
        if flag > 0:
            return a
        if flag < 0:
            return [a, b]
        return b

    objects = object(), 10**40, 2.5e300
    for value in objects:
        choose(1, value, value)
        choose(-1, value, value)
    before = [sys.getrefcount(value) for value in objects]
    for _ in range(100):
        for value in objects:
            for flag in (-1, 0, 1):
                choose(flag, value, value)
    assert [sys.getrefcount(value) for value in objects] == before


def test_exits_of_a_function_that_only_computes(quick_switches):
    @splice.jit
    def add(a, b):
        return a + b

    add(1, 2)

    def check(i):
        # The first thing that this thread does natively is to leave.
        assert add(2**62 + i, 2**62) == 2**63 + i
        for k in range(2000):
            assert add(i, k) == i + k
            assert add(2**62 + i, 2**62 + k) == 2**63 + i + k
        pid = os.fork() if i == 0 else -1
        if pid == 0:
            os._exit(0 if add(2**62, 2**62) == 2**63 and add(1, 2) == 3 else 1)
        if pid > 0:
            assert os.waitpid(pid, 0)[1] == 0

    run_threads(4, check)
    check(0)
    assert all(variant["native"] for variant in splice.stats(add)["variants"])


def test_threads_with_little_stack(child):
    """What is hot there runs natively where the stack is enough, and in the interpreter elsewhere."""
    got = child("""
import threading, splice

@splice.jit
def conditions(n):
    s = 0
    for i in range(n):
        if i % 3 == 0:
            s += i * n
        elif i % 3 == 1:
            s -= i // 2
    return s

@splice.jit
def deep(n):
    return 0 if n == 0 else 1 + deep(n - 1)

def both():
    results.append((conditions(7), deep(200)))

results = []
for size in (32, 36, 40, 48, 56, 64, 96, 128, 256, 1024):
    splice.unjit(conditions), splice.unjit(deep)
    splice.jit(conditions), splice.jit(deep)
    threading.stack_size(size << 10)
    for _ in range(2):
        thread = threading.Thread(target=both)
        thread.start()
        thread.join()
    native = all(splice.stats(f)["variants"] for f in (conditions, deep))
    assert native == (size >= 256), size
    for f in (conditions, deep):
        assert native or "too little stack or memory" in splice.explain(f), size
conditions(7), deep(7)
for size in (32, 36, 40, 48, 56, 64, 96):
    threading.stack_size(size << 10)
    thread = threading.Thread(target=both)
    thread.start()
    thread.join()
print(len(results), set(results))
""")
    assert got == "27 {(61, 200)}\n"


def test_large_frames_on_small_stacks(child):
    got = child("""
import threading, splice
lines = "\\n".join(f"    if n == {i}: found.append(n)" for i in range(400))
source = f"def find(found, n):\\n{lines}\\n    return find(found, n - 1) if n > 0 else found\\n"
exec(source + source.replace("find", "leaf").replace("leaf(found, n - 1) if n > 0 else found", "n"))
splice.jit(find), splice.jit(leaf)
find([], 20), leaf([], 20)
for size in (32, 48, 64, 80, 96, 128, 512):
    threading.stack_size(size << 10)
    results = []
    thread = threading.Thread(target=lambda: results.append((len(find([], 20)), leaf([], 5))))
    thread.start()
    thread.join()
    print(size, results)
""")
    sizes = (32, 48, 64, 80, 96, 128, 512)
    assert got == "".join(f"{size} [(21, 5)]\n" for size in sizes)


def test_what_a_collection_in_native_code_calls_may_import(child):
    """strptime imports its other half in C, with no Python frame but the one that collects below it."""
    got = child("""
import functools, gc, operator, sys, time, weakref
import splice

class Note(weakref.ref):
    parse = staticmethod(functools.partial(time.strptime, "2020", "%Y"))

class Node:
    pass

@splice.jit
def allocate(n):
    k = 0
    for i in range(n):
        a = [i]
        a.append(a)
        k += len(a)
    return k

sys.unraisablehook = lambda unraisable: print(repr(unraisable.exc_value))
assert "_strptime" not in sys.modules
allocate(10)
node = Node()
node.itself = node
note = Note(node, operator.methodcaller("parse"))
del node
gc.set_threshold(1000)
print(allocate(3000), note(), "_strptime" in sys.modules)
""")
    assert got == "6000 None True\n"
