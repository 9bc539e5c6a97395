"""Collections in the middle of native loops, finalizers that call back, weak references."""
# compiled: churn, pairs, holder

import gc
import weakref

FREED = []


class Node:
    def __init__(self, value):
        self.value = value
        self.me = self

    def __del__(self):
        FREED.append(churn(self.value))


class Plain:
    pass


def churn(n):
    total = 0
    for i in range(n):
        total += i ^ 3
    return total


def pairs(n):
    last = None
    for i in range(n):
        last = (i, i * 0.5)
    return last


def makes(n):
    for i in range(n):
        Node(i % 5)
    return n


def holder(x):
    y = x
    x = None
    return y


def main():
    old = gc.get_threshold()
    gc.set_threshold(1, 1, 1)
    print(churn(100), pairs(50), makes(30))
    gc.collect()
    print(len(FREED), sorted(FREED)[:8])
    calls = []
    gc.callbacks.append(lambda phase, info: calls.append(churn(3)))
    print(pairs(100), makes(20), churn(1000))
    gc.collect()
    gc.callbacks.clear()
    print(set(calls))
    plain = Plain()
    reference = weakref.ref(plain, lambda _: FREED.append("gone"))
    kept = holder(plain)
    print(kept is plain, reference() is plain)
    del plain, kept
    print(reference(), FREED[-1])
    gc.set_threshold(*old)
    before = [gc.get_count() is not None, len(gc.get_objects()) > 0]
    print(before)
    collected = []
    gc.disable()
    for _ in range(5):
        pairs(10)
        collected.append(gc.collect() >= 0)
    print(collected)
