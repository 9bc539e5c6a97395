"""Binding: what a call means does not change, and wrong calls raise CPython's own errors."""

import pytest

import splice


def two(a, b):
    return a * 10 + b


def defaults(a, b=2, c=3):
    return a * 100 + b * 10 + c


def keyword_only(a, *, b, c=3):
    return a * 100 + b * 10 + c


def positional_only(a, b=2, /, c=3):
    return a * 100 + b * 10 + c


def many(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r):
    return a + b + c + d + e + f + g + h + i + j + k + l + m + n + o + p + q + r


def none():
    return 7


CALLS = [
    ((), {}),
    ((1,), {}),
    ((1, 2), {}),
    ((1, 2, 3), {}),
    ((1, 2, 3, 4), {}),
    ((1,), {"b": 5}),
    ((1,), {"c": 5}),
    ((1,), {"c": 5, "b": 6}),
    ((), {"a": 1, "b": 2}),
    ((), {"b": 2, "a": 1}),
    ((), {"a": 1}),
    ((1,), {"a": 1}),
    ((1, 2), {"b": 2}),
    ((1,), {"nope": 1}),
    ((1, 2), {"nope": 1}),
    ((1,), {"b": 2, "nope": 1}),
]


@pytest.mark.parametrize("function", [two, defaults, keyword_only, positional_only, none])
@pytest.mark.parametrize("args, kwargs", CALLS)
def test_same_outcome_as_plain(twin, outcome, function, args, kwargs):
    compiled = splice.jit(twin(function))
    for _ in range(3):
        assert outcome(compiled, *args, **kwargs) == outcome(function, *args, **kwargs)


def test_every_form_ends_in_native_code(twin, native):
    for function, args, kwargs in [
        (two, (1,), {"b": 2}),
        (defaults, (1,), {}),
        (keyword_only, (1,), {"b": 2}),
        (positional_only, (1,), {"c": 2}),
        (many, range(18), {}),
        (none, (), {}),
    ]:
        compiled = splice.jit(twin(function), strict=True)
        assert compiled(*args, **kwargs) == function(*args, **kwargs)
        assert native(compiled) == 1
        assert splice.stats(compiled)["interpreted"] == 0


def test_keyword_only_parameter_is_not_taken_by_position(twin, outcome):
    compiled = splice.jit(twin(keyword_only))
    assert compiled(1, b=2) == 123
    assert outcome(compiled, 1, 2) == outcome(keyword_only, 1, 2)
    assert outcome(compiled, 1, 2, 3) == outcome(keyword_only, 1, 2, 3)
    assert outcome(compiled, 1, 2)[0] == "raised"


def test_keyword_that_is_a_str_subclass(twin, outcome):
    class Name(str):
        __slots__ = ()

    compiled = splice.jit(twin(two))
    assert compiled(**{Name("a"): 1, Name("b"): 2}) == 12
    assert outcome(compiled, **{Name("zzz"): 1}) == outcome(two, **{Name("zzz"): 1})


def test_keyword_that_is_not_interned(twin):
    compiled = splice.jit(twin(two))
    name = "".join(["", "b"])
    assert compiled(1, **{name: 2}) == 12


def test_star_calls(twin):
    compiled = splice.jit(twin(defaults))
    assert compiled(*[1, 2], **{"c": 9}) == 129
    assert compiled(*(1,)) == 123


def test_call_from_c(twin):
    compiled = splice.jit(twin(two))
    assert list(map(compiled, [1, 2], [3, 4])) == [13, 24]
    assert sorted([3, 1, 2], key=splice.jit(lambda x: -x)) == [3, 2, 1]


def test_star_parameters_are_refused_but_work():
    def star(*args):
        return args

    def double_star(**kwargs):
        return kwargs

    with pytest.warns(splice.NotCompiledWarning, match=r"it takes \*args"):
        splice.jit(star)
    with pytest.warns(splice.NotCompiledWarning, match=r"it takes \*\*kwargs"):
        splice.jit(double_star)
    assert star(1, 2) == (1, 2)
    assert double_star(a=1) == {"a": 1}
    assert splice.stats(star)["state"] == "refused"


def test_default_of_another_kind(native):
    def f(x, k=None):
        if k is None:
            return x
        return x + k

    compiled = splice.jit(f)
    assert (compiled(1), compiled(1, 2), compiled(1, k=2.5), compiled(2)) == (1, 3, 3.5, 2)


def test_default_replaced_while_the_call_runs():
    class Evil:
        def __add__(self, other):
            f.__defaults__ = (5,)
            return 1

    def f(x, y=Evil()):
        return y + x

    splice.jit(f)
    assert f(1) == 1
    assert f(1) == 6


def test_keywords_and_defaults_stay_native():
    def f(a, b=2.5, c=3):
        return a * b + c

    splice.jit(f)
    assert f(1.5) == 6.75
    before = splice.stats(f)["slow_calls"]
    assert (f(1.5, c=9), f(c=1, a=2.0), f(1.5, 4.5), f(1.5)) == (12.75, 6.0, 9.75, 6.75)
    assert splice.stats(f)["slow_calls"] == before
    f.__defaults__ = (1.5, 4)
    assert f(1.5) == 6.25


def test_too_many_live_values_are_refused_with_the_reason(outcome):
    names = [f"a{i}" for i in range(200)]
    scope = {}
    exec(f"def total({', '.join(names)}): return {' + '.join(names)}", scope)
    compiled = splice.jit(scope["total"])
    with pytest.warns(splice.NotCompiledWarning, match="too large"):
        assert compiled(*range(200)) == sum(range(200))
