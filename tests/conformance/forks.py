"""Fork before, during and after compiling; the child compiles and runs on its own."""
# compiled: work, scaled

import os
import threading
import warnings

from splice import jit

warnings.simplefilter("ignore", DeprecationWarning)


def work(n):
    total = 0
    for i in range(n):
        total = total * 31 + i & 0xFFFFFFFF
    return total


def scaled(a, b):
    return a * b + 1


def child(code):
    pid = os.fork()
    if pid == 0:
        status = 99
        try:
            status = code()
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


child.__name__ = "main"


def fresh(k):
    scope = {}
    exec(
        f"def fresh(x):\n    t = 0\n    for i in range(x):\n        t += i * {k}\n    return t\n",
        scope,
    )
    return jit(scope["fresh"])


fresh.__name__ = "main"


def main():
    print(child(lambda: work(100) % 200))
    print(work(100), scaled(2, 3))
    look()
    print(child(lambda: work(100) % 200), child(lambda: int(scaled(2.5, 2.0))))
    print(child(lambda: fresh(3)(10) % 200))
    stop = []
    results = []

    def compiler():
        k = 0
        while not stop and k < 400:
            results.append(fresh(k)(10) == 45 * k)
            k += 1

    thread = threading.Thread(target=compiler)
    thread.start()
    codes = [child(lambda: work(50 + i) % 200) for i in range(8)]
    codes += [child(lambda: fresh(i)(5) % 200) for i in range(8)]
    stop.append(1)
    thread.join()
    print(codes, all(results))
    nested = child(lambda: child(lambda: work(7) % 200))
    print(nested, work(100))
