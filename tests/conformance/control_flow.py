"""Loops, their else, break, continue, conditional expressions, assert and the ranges they run over."""
# compiled: search, nested, skip, gcd, collatz, countdown, last, spans, sieve_free, walk, while_else, primes


def search(n, wanted):
    for i in range(n):
        if i * i == wanted:
            found = i
            break
    else:
        found = -1
    return found


def nested(a, b):
    hits = 0
    for i in range(a):
        for j in range(b):
            if (i + j) % 3 == 0:
                continue
            if i * j > 12:
                break
            hits += i - j
        else:
            hits += 100
    return hits


def skip(n):
    total = 0
    i = 0
    while i < n:
        i += 1
        if i % 2:
            continue
        if i > 20:
            break
        total += i
    return total, i


def while_else(n, stop):
    while n > 0:
        n -= 3
        if n == stop:
            break
    else:
        return "ended", n
    return "stopped", n


def gcd(a, b):
    while b:
        a, b = b, a % b
    return a


def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def countdown(n):
    out = 0
    for i in range(n, -n, -2):
        out = out * 3 + i
    return out


def last(a, b, c):
    i = "never"
    for i in range(a, b, c):
        pass
    return i


def spans(a, b, c):
    count = total = 0
    for i in range(a, b, c):
        count += 1
        total += i
        if count == 5:
            break
    return count, total


def sieve_free(n):
    count = 0
    for i in range(2, n):
        j = 2
        prime = True
        while j * j <= i:
            if i % j == 0:
                prime = False
                break
            j += 1
        count += prime
    return count


def primes(n):
    for i in range(2, n):
        if n % i == 0:
            return i
    assert n > 1, f"no prime: {n}"
    return n


def walk(n):
    x = y = 0
    for i in range(n):
        match i % 4:
            case 0:
                x += i
            case 1:
                y += i
            case 2 if x > 3:
                x -= y
            case _:
                y -= 1
    return x, y


def rebound(n):
    seen = 0
    for i in range(n):
        seen = seen * 10 + i
        i = 7
        seen += i
    return seen, i


MAX = 2**63 - 1
CALLS = [(search, n, w) for n in (0, 5, 20) for w in (0, 16, 17)]
CALLS += [(nested, a, b) for a in (0, 1, 4, 7) for b in (0, 3, 6)] + [
    (skip, n) for n in (0, 1, 10, 50)
]
CALLS += [(while_else, n, s) for n in (0, 3, 10) for s in (1, 0, 99)]
CALLS += [
    (gcd, a, b) for a, b in ((12, 18), (0, 5), (-4, 6), (2**62, 2**40), (10**30, 2**60), (3.5, 1.5))
]
CALLS += [(collatz, n) for n in (1, 27, 97, 837799, 2**62 - 1)] + [
    (countdown, n) for n in (0, 1, 9, -4, 41)
]
CALLS += [
    (last, a, b, c)
    for a, b, c in (
        (0, 5, 1),
        (0, 0, 1),
        (5, 0, -2),
        (0, 5, 0),
        (MAX - 2, MAX + 3, 1),
        (-MAX, -MAX - 5, -1),
    )
]
CALLS += [
    (spans, a, b, c)
    for a, b, c in (
        (0, 10, 3),
        (MAX - 3, MAX, 1),
        (MAX - 3, MAX + 9, 2),
        (MAX, -MAX, -(2**62)),
        (0, MAX, 2**62),
        (2**64, 2**64 + 3, 1),
        (0, 10**30, 10**29),
        (3, 1, 1),
        (0, 5, 0),
        (0, 2.5, 1),
    )
]
CALLS += [(sieve_free, 200), (primes, 91), (primes, 97), (primes, 2), (primes, 1), (primes, -3)]
CALLS += [(walk, n) for n in (0, 3, 10, 33)] + [(rebound, n) for n in (0, 1, 4)]
