"""memoryview and array.array: read, written and iterated natively, with what ends it in the middle."""
# compiled: total, items, add_to, reverse, crc, smooth, both, pairs, found, filled

import array


def total(a):
    s = 0
    for i in range(len(a)):
        s += a[i]
    return s


def items(a):
    s = 0
    for x in a:
        s += x
        if s > 10**6:
            return s, x
    return s


def add_to(a, value):
    for i in range(len(a)):
        a[i] = a[i] + value
    return a


def reverse(a):
    i, j = 0, len(a) - 1
    while i < j:
        a[i], a[j] = a[j], a[i]
        i += 1
        j -= 1
    return a


def crc(data, table):
    value = 0xFFFFFFFF
    for byte in data:
        value = table[(value ^ byte) & 0xFF] ^ (value >> 8)
    return value ^ 0xFFFFFFFF


def smooth(a, b):
    for i in range(1, len(a) - 1):
        b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3
    return b


def both(a, b):
    s = 0
    for x, y in zip(a, b):
        s += x * y
    for i, x in enumerate(a):
        s += i * x
    return s


def pairs(things):
    s = 0.0
    for thing in things:
        for i in range(len(thing)):
            s += thing[i]
    return s


def found(a, wanted):
    for i in range(len(a)):
        if a[i] == wanted:
            return i
    return -1


def filled(a, value):
    a[0] = value
    a[-1] = value
    return a


def grown(a):
    for x in a:
        if x > 0:
            a.append(x - 1)
    return a


def released(m):
    s = m[0]
    m.release()
    return s + m[0]


def shown(a):
    return type(a).__name__, a.tolist()


def table():
    made = []
    for n in range(256):
        for _ in range(8):
            n = n >> 1 ^ (0xEDB88320 if n & 1 else 0)
        made.append(n)
    return made


def numbers(code, n=300):
    return array.array(code, [i * 7 % 31 for i in range(n)])


def view(code, n=300):
    return memoryview(numbers(code, n))


def main():
    for code in "bBhHiIlLqQfd":
        for make in (numbers, view, lambda code: view(code)[::-2], lambda code: view(code)[5:200]):
            print(code, total(make(code)), items(make(code)), both(make(code), make(code)))
            for value in (1, -1, True, 2.5, 10**6, 2**40, "x", None):
                for f in (add_to, filled):
                    a = make(code)
                    try:
                        print(shown(f(a, value)))
                    except Exception as error:
                        print(type(error).__name__, error, shown(a))
            print(shown(reverse(make(code))), found(make(code), 30), found(make(code), 77))
    print(crc(b"123456789" * 40, array.array("I", table())))
    print(crc(memoryview(b"123456789" * 40), memoryview(array.array("L", table()))))
    print(shown(smooth(numbers("d"), numbers("f"))), shown(smooth(view("d"), view("d"))))
    print(pairs([numbers("d"), numbers("d"), view("d"), numbers("i"), [1.0]]))
    print(grown(array.array("i", [3, 0, 2])).tolist())
    for m in (memoryview(b"abc"), memoryview(bytearray(b"abc")), view("d").cast("B").cast("?")):
        for f, args in ((total, ()), (add_to, (1,)), (filled, (1,)), (filled, (True,))):
            try:
                print(f(m, *args) if f is total else shown(f(m, *args)))
            except Exception as error:
                print(type(error).__name__, error)
        try:
            print(released(m))
        except Exception as error:
            print(type(error).__name__, error)
    odd = memoryview(bytearray(range(65)))[1:]
    for other in (odd.cast("d"), odd.cast("c"), view("d").cast("B", [2400]), odd.cast("B", [8, 8])):
        for f in (total, reverse):
            try:
                print(f(other) if f is total else shown(f(other)))
            except Exception as error:
                print(type(error).__name__, error)
    gone = view("d")
    gone.release()
    for m in (gone, memoryview(b"\0").cast("B", shape=[]), memoryview(bytearray(8)).cast("d", [])):
        for f in (total, items, found, filled, reverse):
            try:
                print(f(m, 1) if f in (found, filled) else f(m))
            except Exception as error:
                print(type(error).__name__, error)
    for value in (float("nan"), float("inf"), 1e300, -0.0):
        print(shown(filled(numbers("f", 3), value)), shown(filled(view("d", 3), value)))
    for a in (array.array("d"), memoryview(b"")):
        print(total(a), items(a))
        try:
            print(filled(a, 1))
        except (IndexError, TypeError) as error:
            print(error)
    print(shown(array.array("u", "abc")), found(array.array("u", "abc"), "b"))
