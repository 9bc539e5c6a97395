"""random.random() and the clocks: each draw is made once, whatever leaves behind it."""
# compiled: pi, draws, from_own, until, overflows_later, shuffled, elapsed, choice

import random
import time

own = random.Random(7)
draw = own.random


def pi(n):
    inside = 0
    for _ in range(n):
        x = random.random()
        y = random.random()
        if x * x + y * y <= 1.0:
            inside += 1
    return 4.0 * inside / n


def draws(n):
    return [random.random() for _ in range(n)]


def from_own(n):
    total = 0.0
    for _ in range(n):
        total += draw()
    return total


def until(limit):
    count = 0
    while True:
        count += 1
        if random.random() > limit:
            return count


def overflows_later(n):
    x = 2**60
    for _ in range(n):
        x += int(random.random() * 2**61)
    return x


def divides_later(n):
    total = 0
    for i in range(n):
        total += int(random.random() * 100) // (n // 2 - i)
    return total


def shuffled(n):
    values = list(range(n))
    for i in range(n - 1, 0, -1):
        j = int(random.random() * (i + 1))
        values[i], values[j] = values[j], values[i]
    return values


def choice(values, n):
    return [values[int(random.random() * len(values))] for _ in range(n)]


def in_generator(n):
    return sum(random.random() for _ in range(n)), any(random.random() > 0.9 for _ in range(n))


class Fixed(random.Random):
    def random(self):
        return 0.25


fixed = Fixed().random


def of_subclass(n):
    return sum([fixed() for _ in range(n)])


def wrong(n):
    return random.random(n)


def replaced(n):
    total = 0.0
    real = random.random
    for i in range(n):
        if i == n // 2:
            random.random = lambda: 100.0
        total += random.random()
    random.random = real
    return total


def elapsed(n):
    start = time.perf_counter()
    before = time.time_ns()
    for _ in range(n):
        now = time.monotonic()
    return (
        time.perf_counter() >= start,
        time.time_ns() >= before,
        type(now),
        type(before),
        time.process_time() > 0,
        time.thread_time_ns() > 0,
    )


def seeded(function, *args):
    """The result, and that the state is the same behind it."""
    random.seed(11)
    own.seed(12)
    try:
        result = function(*args)
    except Exception as error:
        result = repr(error)
    return result, random.random(), own.random()


CALLS = [
    (seeded, pi, 2000),
    (seeded, draws, 20),
    (seeded, from_own, 500),
    (seeded, until, 0.99),
    (seeded, overflows_later, 60),
    (seeded, divides_later, 10),
    (seeded, shuffled, 40),
    (seeded, choice, "abcdef", 12),
    (seeded, choice, [], 2),
    (seeded, in_generator, 30),
    (seeded, of_subclass, 8),
    (seeded, wrong, 3),
    (seeded, replaced, 100),
    (elapsed, 50),
]
