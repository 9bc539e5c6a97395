"""When objects die and in which order, and that nothing is kept or lost."""
# compiled: passes, drops, rebinds

import sys
import weakref

import splice

LOG = []


class Thing:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        LOG.append(self.name)


def passes(x):
    return x


def drops(x, n):
    x = None
    total = 0
    for i in range(n):
        total += i
    return total


def rebinds(a, b):
    t = a
    a = b
    b = t
    t = None
    return a


def makes(n):
    first = Thing("first")
    second = Thing("second")
    LOG.append("made")
    first = n
    LOG.append("first rebound")
    del second
    LOG.append("second deleted")
    third = Thing("third")
    return n


def fails(n):
    thing = Thing(f"fails {n}")
    return 1 // n


def in_loop(n):
    for i in range(n):
        thing = Thing(i)
        LOG.append("next")
    LOG.append("end")


def leaves(x, n):
    # 2**62 doubled leaves native code with the object alive
    y = n + n
    LOG.append("after")
    return y


def in_tuple(n):
    pair = (Thing("left"), Thing("right"))
    a, b = pair
    pair = None
    LOG.append("unpacked")
    a = None
    LOG.append("a gone")
    return n


def shared():
    content = Thing("shared")

    @splice.jit
    def read(n):
        found = None
        for _ in range(n):
            found = content
        return found

    def change():
        nonlocal content
        content = 5

    return read, change


def flush(title):
    print(title, LOG)
    LOG.clear()


flush.__name__ = "main"


def main():
    for n in (3, 2**62):
        print(makes(n))
        flush("makes")
        in_loop(3)
        flush("in_loop")
        print(leaves(Thing("argument"), n))
        LOG.sort(key=str)
        flush("leaves")
        print(in_tuple(n))
        flush("in_tuple")
    for n in (1, 0):
        try:
            fails(n)
        except ZeroDivisionError as error:
            flush("in the handler")
            del error
        flush("fails")
    read, change = shared()
    print(read(3), read(3))
    change()
    flush("changed")
    print(read(3))
    thing = Thing("kept")
    for function, args in (
        (passes, (thing,)),
        (drops, (thing, 5)),
        (rebinds, (thing, 1)),
        (rebinds, (1, thing)),
    ):
        before = sys.getrefcount(thing)
        for _ in range(100):
            function(*args)
        print(function.__name__, sys.getrefcount(thing) - before)
    values = [10**6 + 1, 2.75, 2**70, "text" * 5]
    for value in values:
        before = sys.getrefcount(value)
        for _ in range(100):
            passes(value)
            drops(value, 2)
            rebinds(value, value)
        print(sys.getrefcount(value) - before)
    reference = weakref.ref(thing)
    del thing, function, args
    print(reference() is None)
    flush("end")
    before = sys.getallocatedblocks()
    for i in range(2000):
        drops(i, 3)
        passes(i * 1.5)
        rebinds(10**12 + i, i)
    print(abs(sys.getallocatedblocks() - before) < 200)
