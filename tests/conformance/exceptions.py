"""Exceptions: which one, its text, notes, context, cause, and the traceback with its carets."""
# compiled: guarded, divide, outer, loop_handler, checked, deep_expression

LOG = []


def divide(a, b):
    return a // b


def outer(a, b):
    x = a + 1
    return x + divide(a, b) + divide(b, a)


def guarded(a, b):
    try:
        return divide(a, b)
    except ZeroDivisionError:
        return -1


def cleanup(a, b):
    result = 0
    try:
        result = a // b
    finally:
        LOG.append((a, b, result))
    return result


def override(a):
    try:
        return 1 // a
    finally:
        return "finally"


def reraise(a):
    try:
        return 1 / a
    except ZeroDivisionError as error:
        error.add_note(f"with a = {a}")
        raise


def chained(a):
    try:
        return 1 / a
    except ZeroDivisionError as error:
        raise ValueError("chained") from error


def context(a):
    try:
        return 1 % a
    except ZeroDivisionError:
        return [][a]


def suppressed(a):
    try:
        return 1 % a
    except ZeroDivisionError:
        raise KeyError("no context") from None


def which(a, b):
    try:
        x = a + b
        y = x // (b - 1)
        z = round(y / a)
    except ZeroDivisionError as e:
        return "zero", str(e)
    except (TypeError, ValueError) as e:
        return "type", str(e)
    except OverflowError as e:
        return "overflow", str(e)
    else:
        return "fine", z
    finally:
        LOG.append(("which", a, b))


def loop_handler(n):
    errors = 0
    total = 0
    for i in range(-n, n):
        try:
            total += 100 // i
        except ZeroDivisionError:
            errors += 1
            continue
    return total, errors


def nested_finally(n):
    out = 0
    for i in range(n):
        try:
            try:
                if i == 2:
                    continue
                if i == 5:
                    break
                out += 10 // (i - 4)
            finally:
                out += 1000
        except ZeroDivisionError:
            out += 7
        finally:
            out += 10000
    return out


def checked(a):
    assert a > 0, ("must be positive", a)
    if a > 10:
        raise ValueError(f"too large: {a}")
    return a


def deep_expression(a, b, c):
    return (a + b) * (a - b) + (a // c) * (b % c) - (b**2 + a / c)


def raises_class(a):
    if a:
        raise StopIteration
    raise "text"


class Gate:
    def __init__(self, swallow):
        self.swallow = swallow

    def __enter__(self):
        LOG.append("enter")
        return 5

    def __exit__(self, kind, value, trace):
        LOG.append(("exit", kind and kind.__name__, trace and trace.tb_lineno))
        return self.swallow


def with_gate(a, swallow):
    x = 0
    with Gate(swallow) as five:
        x = five // a
        x += 1
    return x


CALLS = [
    (divide, 7, 2),
    (divide, 7, 0),
    (outer, 3, 4),
    (outer, 3, 0),
    (outer, 0, 3),
    (outer, 2**63 - 1, 1),
]
CALLS += [
    (f, a, b)
    for f in (guarded, cleanup, which)
    for a, b in (
        (7, 2),
        (7, 0),
        (1, 1),
        (2**63 - 1, 2),
        (1.5, 1),
        ("a", 1),
        (float("inf"), 3),
        (float("nan"), 2),
    )
]
CALLS += [
    (f, a) for f in (override, reraise, chained, context, suppressed) for a in (1, 0, 0.0, "x")
]
CALLS += [
    (loop_handler, 3),
    (loop_handler, 0),
    (nested_finally, 3),
    (nested_finally, 8),
    (raises_class, 1),
    (raises_class, 0),
]
CALLS += [(checked, a) for a in (1, 0, 11, 5.5, -1)]
CALLS += [
    (deep_expression, a, b, c) for a, b, c in ((5, 3, 2), (5, 3, 0), (2**62, 3, 1), (5.0, 3, 0.0))
]
CALLS += [(with_gate, a, s) for a in (1, 0) for s in (False, True)]


def main():
    for entry in LOG:
        print(entry)
