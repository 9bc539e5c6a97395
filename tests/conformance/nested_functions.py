"""Functions that compiled code makes and calls, variables that both sides write, and leaving in the middle."""
# compiled: triangle, count_steps, newton, integrate, memo_free_fib, deep, changes_type, overflows
# compiled: returned, passed, two_closures, loop_variable, ladder, keeps_defaults, annotated, swap_cells
# compiled: simpson_like, in_comprehension, fails_inside, shares_parameter, shares_list, rebinds_function

import weakref


def triangle(n):
    def term(i):
        return i * (i + 1) // 2

    total = 0
    for i in range(n):
        total += term(i)
    return total


def count_steps(n):
    steps = 0

    def step(x):
        nonlocal steps
        steps += 1
        return x // 2 if x % 2 == 0 else 3 * x + 1

    while n != 1:
        n = step(n)
    return steps


def newton(target, rounds):
    def f(x):
        return x * x - target

    def slope(x, h=1e-6):
        return (f(x + h) - f(x - h)) / (2 * h)

    x = target
    for _ in range(rounds):
        x = x - f(x) / slope(x)
    return x


def integrate(a, b, n):
    width = (b - a) / n
    area = 0.0
    for i in range(n):
        x = a + i * width
        height = lambda: x * x + 1.0  # noqa: E731
        area += height() * width
    return area


def memo_free_fib(n):
    def fib(k):
        return k if k < 2 else fib(k - 1) + fib(k - 2)

    return fib(n)


def deep(n):
    def outer(a):
        def inner(b):
            def innermost(c):
                return a * 100 + b * 10 + c + n

            return innermost(b + 1)

        return inner(a + 1)

    total = 0
    for i in range(20):
        total += outer(i)
    return total


def changes_type(n):
    total = 0

    def add(x):
        nonlocal total
        total = total + x

    for i in range(n):
        add(i if i < n // 2 else i + 0.5)
    return total


def overflows(n):
    value = 1

    def grow(k):
        nonlocal value
        value = value * k
        return value

    last = 0
    for _ in range(n):
        last = grow(7)
    return value, last, value is last


def returned(n):
    def add(x):
        return x + n

    total = 0
    for i in range(10):
        total += add(i)
    return add, total


def apply(f, x):
    return f(x)


def passed(n):
    def scaled(x):
        return x * n

    total = 0
    for i in range(10):
        total += apply(scaled, i) + apply(lambda x: x - n, i)
    return total


def two_closures(n):
    count = 0

    def up():
        nonlocal count
        count += 1

    def down():
        nonlocal count
        count -= 3

    for i in range(n):
        if i % 3:
            up()
        else:
            down()
    return count, up.__closure__[0] is down.__closure__[0]


def loop_variable(n):
    functions = []
    for i in range(n):

        def get():
            return i

        functions.append(get)
    return [f() for f in functions]


def ladder(n):
    def make(k):
        def scaled(x):
            return x * k

        return scaled

    total = 0
    for k in range(n):
        total += make(k)(k + 1)
    return total


def keeps_defaults(n):
    def f(x, y=3, z=4):
        return x * y + z

    def g(x, y=n):
        return x - y

    total = 0
    for i in range(n):
        total += f(i) + f(i, 2) + g(i, 1)
    return total, f.__defaults__, g.__defaults__, g(1)


def keyword_only(n):
    def f(x, *, z=4):
        return x + z

    total = 0
    for i in range(n):
        total += f(i)
    return total, f.__kwdefaults__


def annotated(n: int) -> float:
    def half(x: float, weight: "int" = 2) -> float:
        return x / weight

    total = 0.0
    for i in range(n):
        total += half(i)
    return total, half.__annotations__, half.__qualname__, half.__module__, half.__name__


def swap_cells(n):
    a, b = 1, 2.5

    def swap():
        nonlocal a, b
        a, b = b, a

    for _ in range(n):
        swap()
    return a, b


def simpson_like(n):
    def weight(i):
        if i == 0 or i == n:
            return 1
        return 4 if i % 2 else 2

    total = 0
    for i in range(n + 1):
        total += weight(i) * i * i
    return total


def in_comprehension(n):
    k = n * 2
    values = [x + k for x in range(n)]
    functions = [lambda: x * k for x in range(n)]
    return values, [f() for f in functions]


def fails_inside(n, items):
    def pick(i):
        return items[i] * 10 // (i - 3)

    total = 0
    for i in range(n):
        total += pick(i)
    return total


def shares_parameter(n, scale):
    def scaled(x):
        nonlocal scale
        scale += 1
        return x * scale

    total = 0
    for i in range(n):
        total += scaled(i)
    return total, scale


def shares_list(n):
    seen = []

    def note(x):
        seen.append(x)
        return len(seen)

    total = 0
    for i in range(n):
        total += note(i * i)
    return total, seen


def rebinds_function(n):
    def f(x):
        return x + 1

    total = 0
    for i in range(n):
        if i == n // 2:

            def f(x):
                return x * 2.5

        total += f(i)
    return total


def unbound_free_variable(n):
    def get():
        return later

    total = 0
    for i in range(n):
        total += i
    if n > 3:
        later = 1
    return total + get()


def deletes_variable(n):
    x = n

    def get():
        return x

    first = get()
    del x
    return first, get()


class Loud:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        print("gone", self.name)


def drops_shared(n, thing):
    def hold():
        return thing

    total = 0
    for i in range(n):
        total += i
    thing = None
    return total, hold() is None


def watched(n):
    def f(x):
        return x + n

    died = []
    reference = weakref.ref(f, died.append)
    total = f(1)
    del f
    return total, len(died), reference() is None


def main():
    f, total = returned(5)
    print(f(1), total, f.__qualname__, f.__closure__[0].cell_contents)
    drops_shared(5, Loud("first"))
    print("after")


CALLS = [
    (triangle, 100),
    (count_steps, 27),
    (newton, 2.0, 30),
    (integrate, 0.0, 1.0, 200),
    (memo_free_fib, 15),
    (deep, 3),
    (changes_type, 20),
    (overflows, 40),
    (passed, 7),
    (two_closures, 20),
    (loop_variable, 4),
    (ladder, 30),
    (keeps_defaults, 9),
    (keyword_only, 9),
    (annotated, 9),
    (swap_cells, 7),
    (simpson_like, 20),
    (in_comprehension, 5),
    (fails_inside, 3, [1, 2, 3]),
    (fails_inside, 5, [1, 2, 3, 4, 5]),
    (fails_inside, 3, [1, 2]),
    (fails_inside, 3, [2**70, 2**70, 5]),
    (shares_parameter, 10, 2),
    (shares_parameter, 10, 2**62),
    (shares_list, 12),
    (rebinds_function, 9),
    (unbound_free_variable, 2),
    (unbound_free_variable, 5),
    (deletes_variable, 3),
    (watched, 3),
]
