"""Threads that call functions while they are compiled for new types, taken back and compiled again."""
# compiled: mixed, shared_count

import sys
import threading

from splice import jit, unjit

LOCK = threading.Lock()
COUNT = 0


def work(n):
    total = 0
    for i in range(n):
        total += i * i % 7
    return total


def mixed(a, b):
    return a * b + a


def shared_count(n):
    global COUNT
    for _ in range(n):
        with LOCK:
            COUNT += 1


def together(*targets):
    threads = [threading.Thread(target=target) for target in targets]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


together.__name__ = "main"


def main():
    sys.setswitchinterval(1e-5)
    results = [None] * 4

    def runner(k):
        def run():
            results[k] = [work(50 + i % 3) for i in range(300)]

        return run

    def toggle():
        for _ in range(60):
            unjit(work)
            jit(work)

    together(*[runner(k) for k in range(4)], toggle)
    print([sum(r) for r in results], all(r == results[0] for r in results))
    look()

    values = [1, 2.5, True, 2**62, 1j, 2**63, "ab"]
    out = [[] for _ in range(4)]

    def types(k):
        def run():
            for i in range(200):
                value = values[(i + k) % 6]
                out[k].append(mixed(value, 3))

        return run

    together(*[types(k) for k in range(4)])
    print([[repr(v) for v in sorted(set(map(repr, o)))] for o in out])

    shared_count(10)
    look()
    together(*[lambda: shared_count(200)] * 4)
    print(COUNT)

    # a waiting thread gets its turn although native code never lets go by itself
    stop = []
    turns = []

    def waiter():
        turns.append(1)
        stop.append(1)

    thread = threading.Thread(target=waiter)
    thread.start()
    rounds = 0
    while not stop and rounds < 100000:
        work(1000)
        rounds += 1
    thread.join()
    print(turns)
