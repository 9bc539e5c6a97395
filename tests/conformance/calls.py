"""Defaults, keywords, keyword-only and positional-only parameters, and CPython's own arity errors."""
# compiled: three, keyword_only, positional_only, calls_three, calls_mixed, defaults_of_callee, Point.norm


def three(a, b=2, c=3):
    return a * 100 + b * 10 + c


def keyword_only(a, *, b, c=5):
    return a - b * c


def positional_only(a, b=1, /, c=2):
    return a + b * c


def variadic(*args, **kwargs):
    return len(args), sorted(kwargs)


def no_arguments():
    return 42


def calls_three(n):
    total = 0
    for i in range(n):
        total += three(i) + three(i, 1) + three(i, c=0) + three(c=i, a=1, b=2)
    return total


def calls_mixed(a, b):
    return three(a, b) + keyword_only(b, b=a) + positional_only(a, c=b)


def defaults_of_callee(a):
    return three(a), three(a, a), keyword_only(a, b=1)


def wrong_inside(a):
    return three() + a


def spread(args):
    return three(*args)


def spread_keywords(kwargs):
    return three(**kwargs)


def not_callable(a):
    return a(1)


def mutable_default(x, seen=[]):
    seen.append(x)
    return len(seen)


class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def norm(self, scale=1):
        return 3 * scale

    def __call__(self, k):
        return k + 1

    @staticmethod
    def twice(x):
        return x * 2

    @classmethod
    def make(cls, x):
        return cls(x, x).norm(x)


static = Point.twice
POINT = Point(1, 2)


def norm(scale):
    return POINT.norm(scale)


CALLS = [
    (three, 1),
    (three, 1, 5),
    (three, 1, 5, 7),
    (three, 1, {"c": 9}),
    (three, {"a": 1, "c": 2}),
    (three, 1.5, {"b": 2**62}),
]
CALLS += [
    (three,),
    (three, 1, 2, 3, 4),
    (three, 1, {"a": 2}),
    (three, 1, {"zz": 2}),
    (three, {"b": 1}),
    (three, 1, 2, {"b": 3}),
]
CALLS += [
    (keyword_only, 1, {"b": 2}),
    (keyword_only, 1, {"b": 2, "c": 1.5}),
    (keyword_only, 1),
    (keyword_only, 1, 2),
    (keyword_only, {"b": 1}),
]
CALLS += [
    (positional_only, 1),
    (positional_only, 1, 2, 3),
    (positional_only, 1, {"c": 5}),
    (positional_only, {"a": 1}),
    (positional_only, 1, {"b": 2}),
]
CALLS += [
    (variadic,),
    (variadic, 1, 2.5, {"k": 1}),
    (no_arguments,),
    (no_arguments, 1),
    (no_arguments, {"x": 1}),
]
CALLS += [(calls_three, n) for n in (0, 3, 50)] + [
    (calls_mixed, 2, 3),
    (calls_mixed, 2.5, 3),
    (calls_mixed, 2**62, 2**62),
]
CALLS += [
    (defaults_of_callee, 4),
    (defaults_of_callee, 0.5),
    (wrong_inside, 1),
    (spread, (1,)),
    (spread, (1, 2, 3, 4)),
    (spread, [5, 6]),
]
CALLS += [
    (spread_keywords, {"kwargs": {"a": 1, "b": 4}}),
    (spread_keywords, {"kwargs": {"x": 4}}),
    (not_callable, 5),
    (not_callable, abs),
    (not_callable, three),
]
CALLS += [
    (mutable_default, 1),
    (mutable_default, 2),
    (norm, 2),
    (norm, 2.5),
    (static, 4),
    (static, "ab"),
    (POINT.norm,),
    (POINT.norm, 4),
]
CALLS += [(Point.make, 3), (Point.norm, POINT, 7), (Point.norm,), (Point.__call__, POINT, 5)]
