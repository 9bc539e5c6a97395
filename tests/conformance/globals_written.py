"""Globals that native code reads and assigns to, by itself and in what it calls."""
# compiled: counts, draws, monte_carlo, keeps_order, two_names, changes_type, deletes_old, outgrows

COUNT = 0
SEED = 12345
LEFT, RIGHT = 1, 2.5
HELD = None
BIG = 1


def tick(by):
    global COUNT
    COUNT += by
    return COUNT


def counts(n):
    total = 0
    for i in range(n):
        total += tick(i)
    return total, COUNT


def draw():
    global SEED
    SEED = (SEED * 1103515245 + 12345) % 2147483648
    return SEED / 2147483648


def draws(n):
    return [draw() for _ in range(n)]


def monte_carlo(n):
    inside = 0
    for _ in range(n):
        x = draw()
        y = draw()
        if x * x + y * y <= 1.0:
            inside += 1
    return inside, SEED


def keeps_order(n):
    global COUNT
    before = COUNT
    COUNT = before + 1
    after = COUNT
    tick(n)
    return before, after, COUNT


def two_names(n):
    global LEFT, RIGHT
    for _ in range(n):
        LEFT, RIGHT = RIGHT, LEFT
    return LEFT, RIGHT


def changes_type(n):
    global COUNT
    for i in range(n):
        COUNT = COUNT + 1 if i < 5 else COUNT + 0.5
    return COUNT


class Loud:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        print("gone", self.name, COUNT)


def deletes_old(n):
    global HELD
    total = 0
    for i in range(n):
        total += i
    HELD = total
    return HELD is total, total


def outgrows(n):
    global BIG
    for _ in range(n):
        BIG = BIG * 3
    return BIG


def made_by_it(n):
    global NEW
    NEW = n * 2
    return NEW + 1


def removes(n):
    global NEW
    del NEW
    return NEW


def main():
    global COUNT, HELD
    for _ in range(3):
        print(counts(10))
        COUNT = 100
    COUNT = 2.5
    print(counts(4))
    COUNT = 0
    print(counts(4))
    HELD = Loud("first")
    print(deletes_old(4))
    HELD = Loud("second")
    print(deletes_old(4), HELD)
    x = 10**6
    print(two_names(1), LEFT is two_names(2)[0], x)


CALLS = [
    (counts, 50),
    (draws, 5),
    (monte_carlo, 500),
    (keeps_order, 3),
    (two_names, 3),
    (changes_type, 10),
    (outgrows, 60),
    (made_by_it, 4),
    (removes, 1),
]
