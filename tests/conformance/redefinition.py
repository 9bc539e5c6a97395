"""Functions redefined, and __code__, __defaults__ and __kwdefaults__ replaced, also by what they call."""
# compiled: caller, helper, with_default, with_keyword, self_changing, loop_caller

import types


def helper(x):
    return x + 1


def caller(x):
    return helper(x) * 10


def loop_caller(n):
    total = 0
    for i in range(n):
        total += helper(i)
        if i == 3:
            replace_helper()
    return total


def replace_helper():
    helper.__code__ = (lambda x: x + 1000).__code__


def with_default(x, y=5):
    return x * y


def with_keyword(x, *, k=2):
    return x - k


def calls_defaults(x):
    return with_default(x) + with_keyword(x)


def self_changing(x):
    before = with_default(x)
    with_default.__defaults__ = (x,)
    return before, with_default(x)


def other(x):
    return -x


def main():
    global helper
    print(caller(1), caller(2), caller(2.5))
    original = helper.__code__
    helper.__code__ = other.__code__
    print(caller(1), helper(1))
    helper.__code__ = original
    print(caller(1), helper(1))
    print(loop_caller(6), loop_caller(6))
    helper.__code__ = original
    old = helper

    def helper(x):  # noqa: F811
        return x * 7

    print(caller(1), old(1), helper(1))
    helper = lambda x: "text"  # noqa: E731
    print(caller(1))
    helper = abs
    print(caller(-4))
    helper = old
    print(caller(1))
    del helper
    try:
        caller(1)
    except NameError as error:
        print(error)
    helper = old
    print(caller(1))

    print(with_default(2), calls_defaults(2))
    with_default.__defaults__ = (7,)
    print(with_default(2), calls_defaults(2))
    with_default.__defaults__ = (2.5,)
    print(with_default(2), calls_defaults(2))
    with_default.__defaults__ = None
    try:
        print(with_default(2))
    except TypeError as error:
        print(error)
    try:
        print(calls_defaults(2))
    except TypeError as error:
        print(error)
    with_default.__defaults__ = (1, 2)
    print(with_default(), with_default(5))
    with_keyword.__kwdefaults__ = {"k": 10}
    print(with_keyword(1), calls_defaults(2))
    with_keyword.__kwdefaults__["k"] = 20
    print(with_keyword(1), calls_defaults(2))
    with_keyword.__kwdefaults__ = None
    try:
        print(with_keyword(1))
    except TypeError as error:
        print(error)
    with_keyword.__kwdefaults__ = {"k": 2}
    with_default.__defaults__ = (5,)
    print([self_changing(x) for x in (1, 2, 2.5)])

    copy = types.FunctionType(other.__code__, globals(), "copy")
    print(copy(3), copy.__code__ is other.__code__)
    other.__name__ = "renamed"
    other.attribute = 5
    print(other(2), other.__name__, other.attribute, other.__qualname__)
    caller.__code__ = with_default.__code__
    print(caller(3, 4))
