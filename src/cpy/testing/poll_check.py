"""Polls of native loops under threads, signals, pending calls, collections and invalidation."""

import ctypes
import gc
import os
import signal
import sys
import threading
import time
import warnings

from probe import bump, collect_in_loop, enter, leave, loop, native, pending_in_loop, signal_in_loop

FOREVER = 10**12


def run_beside(work):
    """Runs `work` on another thread while this one is in a native loop that only polling ends."""
    done = []

    def other():
        while not native():
            time.sleep(0.001)
        done.append(work())
        bump()  # makes the poll of the loop leave

    thread = threading.Thread(target=other)
    thread.start()
    loop(FOREVER)
    thread.join()
    return done[0]


# Another thread gets the GIL although the loop never returns to the interpreter.
assert run_beside(lambda: sum(i for i in range(300_000))) == sum(range(300_000))

# Several threads at a small switch interval.
sys.setswitchinterval(1e-5)
counts = []


def count():
    k = 0
    for k in range(20_000):
        pass
    counts.append(k)


threads = [threading.Thread(target=count) for _ in range(4)]
for t in threads:
    t.start()
while any(t.is_alive() for t in threads):
    loop(10**6)
for t in threads:
    t.join()
assert len(counts) == 4
sys.setswitchinterval(0.005)

# An invalidation leaves, at the first poll after it, also when it came before a nested entry.
enter()
bump()
enter()
stop = threading.Event()


def ask():
    while not stop.wait(0.001):
        pass


asker = threading.Thread(target=ask)
asker.start()
assert loop(FOREVER)[0] < FOREVER
stop.set()
asker.join()
leave()
leave()

# Signals: the loop is left, the handler runs in the interpreter, with the right frame.
seen = []
old = signal.signal(signal.SIGUSR1, lambda number, frame: seen.append(frame.f_code.co_name))


def interrupted():
    left = signal_in_loop(signal.SIGUSR1)
    for _ in range(3):  # back edges look at the request
        pass
    return left


assert interrupted() == 0
assert seen == ["interrupted"], seen
signal.signal(signal.SIGUSR1, old)

left = []
try:
    pending_in_loop(left)
    for _ in range(3):
        pass
    raise AssertionError("the pending call was lost")
except InterruptedError:
    assert left == [True]

# An asynchronous exception for a thread that is in a native loop.
caught = []


def victim():
    try:
        caught.append(loop(FOREVER))
        for _ in range(3):
            pass
    except KeyError:
        caught.append("KeyError")


thread = threading.Thread(target=victim)
thread.start()
while not native():
    time.sleep(0.001)
ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(KeyError))
thread.join()
assert caught[-1] == "KeyError", caught

# A collection alone is served in place, and garbage is really collected.
gone = []


class Cycle:
    def __init__(self):
        self.me = self

    def __del__(self):
        gone.append(1)


gc.collect()
Cycle()
asked, answer, still = collect_in_loop()
assert (asked, answer, still) == (1, 0, 0), (asked, answer, still)
assert gone == [1]

# The same with a finalizer that raises: unraisable, as always.
raised = []
sys.unraisablehook = lambda u: raised.append(type(u.exc_value))


class Bad(Cycle):
    def __del__(self):
        1 / 0


Bad()
assert collect_in_loop() == (1, 0, 0)
assert raised == [ZeroDivisionError]
sys.unraisablehook = sys.__unraisablehook__


# Close to the recursion limit the call that collects would raise: the loop is left instead.
def at_the_limit():
    try:
        return at_the_limit()
    except RecursionError:
        return collect_in_loop()


answer = at_the_limit()
assert answer[:2] == (1, 1), answer


# A fork while another thread is in native code: in the child that thread is gone.
def child():
    ok = not native()
    enter()
    ok = ok and native() and loop(1000)[0] == 1000
    leave()
    thread = threading.Thread(target=enter)
    thread.start()
    thread.join()
    for _ in range(1000):  # the end of the OS thread comes a little later
        if not native():
            os._exit(0 if ok else 1)
        time.sleep(0.005)
    os._exit(2)


thread = threading.Thread(target=lambda: loop(FOREVER))
thread.start()
while not native():
    time.sleep(0.001)
with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # forking with threads
    pid = os.fork()
if pid == 0:
    child()
bump()
thread.join()
assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
assert not native()

# While somebody traces every poll leaves.
sys.setprofile(lambda *a: None)
answer = collect_in_loop()
sys.setprofile(None)
assert answer[:2] == (1, 1), answer
