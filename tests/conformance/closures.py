"""Nested functions, nonlocal, cells that change while native code runs, lambdas and default capture."""
# compiled: make_adder.<locals>.adder

from splice import jit


def make_adder(n):
    @jit
    def adder(x):
        return x + n

    look_at(adder)
    return adder


def counter_sum(n):
    total = 0

    @jit
    def add(x):
        nonlocal total
        total += x

    for i in range(n):
        add(i)
    return total


def twice_written():
    x = 0

    def first():
        nonlocal x
        x = x + 1

    def second():
        nonlocal x
        x = x + 1

    first()
    second()
    return x


def shared():
    value = 1

    @jit
    def bump(by):
        nonlocal value
        value = value * 2 + by
        return value

    @jit
    def read():
        return value

    look_at(bump)
    return bump, read


def apply_lambda(n):
    square = lambda x: x * x  # noqa: E731
    return square(n) + square(n + 1)


def late_binding():
    functions = []
    for i in range(3):
        functions.append(lambda: i * 10)
    return [f() for f in functions]


def default_capture():
    functions = []
    for i in range(3):
        functions.append(lambda k=i: k * 10)
    return [f() for f in functions]


def read_during_call(n):
    state = n

    def change():
        nonlocal state
        state = state + 0.5

    total = 0
    for _ in range(3):
        total += state
        change()
    return total, state


def recursive_inner(n):
    def inner(k):
        return 1 if k <= 0 else k * inner(k - 1)

    return inner(n)


NATIVE = []


def look_at(function):
    NATIVE.append(function)


CALLS = [(counter_sum, n) for n in (0, 5, 100)] + [
    (twice_written,),
    (twice_written,),
    (late_binding,),
    (default_capture,),
]
CALLS += [(apply_lambda, n) for n in (3, 2.5, 2**32, True)] + [
    (read_during_call, n) for n in (1, 2.5, 2**63 - 1)
]
CALLS += [(recursive_inner, n) for n in (0, 5, 25)]


def main():
    import splice

    five, half = make_adder(5), make_adder(0.5)
    for x in (1, 2.5, True, 2**63 - 1, "s"):
        for adder in (five, half):
            try:
                print(adder(x), type(adder(x)).__name__)
            except TypeError as error:
                print(error)
    bump, read = shared()
    print([bump(i) for i in range(70)][-3:], read())
    print(bump(0.5), read(), bump(1), read())
    five.__closure__[0].cell_contents = 1000
    print(five(1), five(2))
    five.__closure__[0].cell_contents = 1.5
    print(five(1), five(2))
    del five.__closure__[0].cell_contents
    try:
        five(1)
    except NameError as error:
        print(type(error), error)
    look.__self__.functions.extend(NATIVE)
    assert splice
