"""KeyboardInterrupt and other exceptions from signal handlers arrive in a loop that never ends."""
# compiled: forever, nested_forever, slow_sum, fib, hanoi, calls_nested

import signal
import time
import traceback

WHEN = [0.0]


class Alarm(Exception):
    pass


def forever(x):
    while True:
        x = (x * 1103515245 + 12345) % 2147483648


def nested_forever(x):
    y = 0.0
    try:
        while x:
            for i in range(1000):
                y = y * 0.5 + i
    finally:
        WHEN.append("finally")


def slow_sum(n):
    total = 0
    for i in range(n):
        total += i & 1
    return total


def fib(k):
    return k if k < 2 else fib(k - 1) + fib(k - 2)


def hanoi(n, moves):
    return moves if n == 0 else hanoi(n - 1, moves) + hanoi(n - 1, moves)


def calls_nested(n):
    def f(k):
        return k if k < 2 else f(k - 1) + f(k - 2)

    return f(n)


# Calls without a loop and without recursion, 2**40 of them.
exec(
    "def c0(x): return x + 1\n"
    + "".join(f"def c{i}(x): return c{i - 1}(x) + c{i - 1}(x)\n" for i in range(1, 41))
)


def caught_inside(x):
    try:
        while True:
            x += 1
            x -= 1
    except Alarm:
        return "caught", x


def handler(number, frame):
    WHEN[0] = time.monotonic()
    raise Alarm(frame.f_code.co_name)


def interrupt(number, frame):
    WHEN[0] = time.monotonic()
    raise KeyboardInterrupt


handler.__name__ = interrupt.__name__ = "main"


def main():
    print(slow_sum(1000))
    for raising in (handler, interrupt):
        signal.signal(signal.SIGALRM, raising)
        for function in (forever, nested_forever):
            due = time.monotonic() + 0.05
            signal.setitimer(signal.ITIMER_REAL, 0.05)
            try:
                function(1)
            except BaseException as error:
                print(function.__name__, type(error).__name__, error, WHEN[0] - due < 1.0, WHEN[1:])
                names = [f.name for f in traceback.extract_tb(error.__traceback__)]
                print(names)
            del WHEN[1:]
    signal.signal(signal.SIGALRM, handler)
    print(fib(10), hanoi(5, 1), calls_nested(10))
    for function, args in ((fib, (90,)), (hanoi, (80, 1)), (calls_nested, (90,)), (c40, (1,))):  # noqa: F821
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        try:
            function(*args)
        except Alarm as error:
            print(function.__name__, "stopped", len(traceback.extract_tb(error.__traceback__)) > 2)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    print(caught_inside(1))
    counted = []
    signal.signal(signal.SIGALRM, lambda number, frame: counted.append(1))
    signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
    result = 0
    for _ in range(100000):
        result = slow_sum(30000)
        if len(counted) > 3:
            break
    signal.setitimer(signal.ITIMER_REAL, 0)
    print(result, len(counted) > 3 or "few")
    # threads see it in the main thread only
    signal.signal(signal.SIGINT, signal.default_int_handler)
    import os
    import threading

    timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    try:
        forever(3)
    except KeyboardInterrupt:
        print("interrupted by another thread")
    timer.join()
