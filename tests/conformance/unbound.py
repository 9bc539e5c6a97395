"""Names that are not bound yet, or not any more: CPython's own errors."""
# compiled: loop_variable, one_branch, deleted, use_then_bind, after_loop


def loop_variable(n):
    for i in range(n):
        pass
    return i


def one_branch(flag):
    if flag:
        value = 3
    return value + 1


def deleted(n):
    x = n + 1
    if n > 2:
        del x
    return x


def twice_deleted(n):
    x = n
    del x
    del x


def use_then_bind(n):
    total = 0
    for i in range(n):
        if i > 3:
            total += late
        if i == 2:
            late = 10
    return total


def after_loop(n):
    while n > 0:
        n -= 1
        inner = n * 2
    return inner


def after_handler(n):
    try:
        1 // n
    except ZeroDivisionError as error:
        text = str(error)
    return text


def handler_name(n):
    try:
        1 // n
    except ZeroDivisionError as error:
        pass
    return error


def missing_global(n):
    return n + nowhere


def unbound_cell(flag):
    if flag:
        captured = 5

    def inner():
        return captured + 1

    return inner()


def augmented():
    counter += 1


CALLS = [(loop_variable, n) for n in (3, 0, 1, 0)] + [(one_branch, f) for f in (True, False, True)]
CALLS += [(deleted, n) for n in (1, 3, 2)] + [(twice_deleted, 1), (augmented,)]
CALLS += [(use_then_bind, n) for n in (2, 4, 6, 10)] + [(after_loop, n) for n in (3, 0, -1)]
CALLS += [(after_handler, n) for n in (1, 0)] + [(handler_name, n) for n in (0, 1)]
CALLS += [(missing_global, 1), (unbound_cell, True), (unbound_cell, False)]
