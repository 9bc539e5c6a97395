"""Functions without source, from exec, edited after import, with decorators, generators and coroutines."""
# compiled: decorated_target, uses_generator

import functools

from splice import jit


def passthrough(function):
    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper


@passthrough
def wrapped(x):
    return x + 1


def decorated_target(x):
    return x * 3


def squares(n):
    for i in range(n):
        yield i * i


def uses_generator(n):
    total = 0
    for i in range(n):
        total += i
    return total + sum(squares(n))


def echo():
    received = []
    while len(received) < 3:
        received.append((yield len(received)))
    return received


async def coroutine(x):
    return x + 1


@functools.lru_cache
def cached(x):
    return x * x


def main():
    import asyncio
    import pickle

    print(wrapped(1), wrapped(2.5), decorated_target(2), cached(3), cached(3), cached.cache_info())
    print(uses_generator(5), uses_generator(0), list(squares(4)))
    generator = echo()
    print(next(generator), generator.send(1.5), generator.send(2))
    try:
        generator.send(3)
    except StopIteration as stop:
        print(stop.value)
    print(asyncio.run(coroutine(4)))
    scope = {}
    exec("def no_source(a, b=3):\n    c = a * b\n    return c // (a - 5)\n", scope)
    no_source = jit(scope["no_source"])
    for a in (1, 2.5, 7, 2**62):
        print(no_source(a), no_source(a, 2))
    try:
        no_source(5)
    except ZeroDivisionError as error:
        entry = error.__traceback__.tb_next
        print(error, entry.tb_lineno, entry.tb_frame.f_locals)
    print(pickle.loads(pickle.dumps(decorated_target)) is decorated_target)
    print(jit(lambda x: x + 1)(2), (lambda: jit(lambda: 5)())())
    print(decorated_target.__name__, decorated_target.__doc__, decorated_target.__defaults__)
