"""Each tuple of argument kinds gets its own code; values nobody expected come out right."""

import warnings

import pytest

import splice


class MyInt(int):
    def __add__(self, other):
        return "MyInt.__add__"


class MyFloat(float):
    def __add__(self, other):
        return "MyFloat.__add__"


class Thing:
    def __add__(self, other):
        return ("Thing", other)

    def __radd__(self, other):
        return (other, "Thing")


VALUES = [
    0,
    1,
    -7,
    2**62,
    2**63 - 1,
    -(2**63),
    2**63,
    -(2**63) - 1,
    10**40,
    True,
    False,
    0.0,
    -0.0,
    2.5,
    float("inf"),
    float("nan"),
    1e308,
    1 + 2j,
    None,
    "text",
    b"bytes",
    [1],
    (1,),
    MyInt(3),
    MyFloat(3.0),
]


def add(a, b):
    return a + b


def choose(a, b):
    if a:
        return b
    return a


def identity(a):
    return a


@pytest.mark.filterwarnings("ignore::splice.NotCompiledWarning")
@pytest.mark.parametrize("function", [add, choose])
def test_all_pairs(twin, outcome, function):
    compiled = splice.jit(twin(function))
    for a in VALUES:
        for b in VALUES:
            assert outcome(compiled, a, b) == outcome(function, a, b), (a, b)


@pytest.mark.filterwarnings("ignore::splice.NotCompiledWarning")
@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_first_call_with_each_value(twin, outcome, value):
    for other in (1, 2.5, None, value):
        compiled = splice.jit(twin(add))
        assert outcome(compiled, value, other) == outcome(add, value, other)
        assert outcome(compiled, 1, 2) == outcome(add, 1, 2)
        assert outcome(compiled, value, other) == outcome(add, value, other)


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_an_object_comes_back_as_itself(value, twin):
    compiled = splice.jit(twin(identity))
    assert compiled(value) is value
    assert compiled(value) is value


def test_kinds_are_compiled_apart(native):
    compiled = splice.jit(lambda a, b: a * b)
    assert (compiled(2, 3), compiled(2.0, 3.0), compiled(2, 3.0)) == (6, 6.0, 6.0)
    assert native(compiled) == 3
    kinds = [variant["kinds"] for variant in splice.stats(compiled)["variants"]]
    assert kinds == [("int", "int"), ("float", "float"), ("int", "float")]
    assert type(compiled(2, 3)) is int
    assert type(compiled(2.0, 3.0)) is float


def test_bool_stays_bool():
    compiled = splice.jit(lambda a, b: a & b)
    assert compiled(True, False) is False
    assert compiled(6, 3) == 2
    assert compiled(True, 3) == 1
    assert type(compiled(True, 3)) is int


def test_more_than_eight_kinds(native, twin, outcome):
    @splice.jit
    def f(a, b, c, d):
        return a + b + c + d

    plain = twin(f)
    values = [(1, 1.5)[i & 1] for i in range(2)]
    for a in values:
        for b in values:
            for c in values:
                for d in values:
                    assert outcome(f, a, b, c, d) == outcome(plain, a, b, c, d)
    assert native(f) == 8
    assert len(splice.stats(f)["variants"]) == 16
    assert splice.explain(f).count("not compiled yet: there are others") == 8
    for _ in range(300):  # those that are called get code as well
        assert f(1.5, 1.5, 1, 1) == 5.0
        assert f(1.5, 1.5, 1.5, 1.5) == 6.0
    assert native(f) == 10


def test_a_long_call_of_the_ninth_kind():
    def total(values, scale, shift, start):
        for v in values:
            start += v * scale + shift
        return start

    f = splice.jit(total)
    for i in range(8):
        f([1], *((1, 1.5)[i >> k & 1] for k in range(3)))
    for _ in range(2):
        assert f((1,) * 300_000, 1, 1, 1) == 600_001
    assert "tuple" in splice.explain(f)
    assert sum(v["native"] for v in splice.stats(f)["variants"]) == 9


def test_at_most_32_kinds(twin, outcome):
    @splice.jit
    def f(a, b, c, d, e, g):
        return a + b + c + d + e + g

    plain = twin(f)
    with pytest.warns(splice.NotCompiledWarning, match="32 kinds of arguments"):
        for i in range(64):
            args = [(1, 1.5)[i >> k & 1] for k in range(6)]
            assert outcome(f, *args) == outcome(plain, *args)
    assert len(splice.stats(f)["variants"]) == 32
    assert (
        "other kinds of arguments: interpreted, for 32 are the most (32 times)" in splice.explain(f)
    )

    strict = splice.jit(twin(f), strict=True)
    with pytest.raises(splice.CompileError, match="32 kinds of arguments"):
        for i in range(64):
            strict(*[(1, 1.5)[i >> k & 1] for k in range(6)])


def test_kinds_whose_calls_leave_do_not_take_the_others_along(native):
    """Each kind of arguments is judged by its own calls."""

    def first(items, k):
        return items[k] + 1

    f = splice.jit(first)
    for _ in range(3):
        assert f([1, 2], 1) == 3
        assert f((1, 2), 1) == 3
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(2000):
            with pytest.raises(IndexError):
                f((1,), 5)
    assert splice.stats(f)["state"] == "active"
    assert native(f) == 1
    assert "(items: tuple, k: int): given back to the interpreter: " in splice.explain(f)
    taken = splice.stats(f)["interpreted"]
    for _ in range(100):
        assert f([1, 2], 1) == 3
    assert splice.stats(f)["interpreted"] == taken
    with pytest.raises(IndexError):
        f([], 5)


def test_kinds_that_alternate():
    @splice.jit
    def f(x):
        return x + x

    for i in range(500):
        assert f(i) == 2 * i
        assert f(i + 0.5) == 2 * i + 1.0
        assert f(10**30 + i) == 2 * (10**30 + i)


def test_overflow_becomes_a_big_int(twin):
    @splice.jit
    def power(base, n):
        result = 1
        for _ in range(n):
            result *= base
        return result

    plain = twin(power)
    for n in (1, 10, 62, 63, 64, 65, 200):
        assert power(2, n) == plain(2, n)
        assert power(-2, n) == plain(-2, n)
        assert power(10, n) == plain(10, n)


def test_results_of_different_types():
    @splice.jit
    def half(n):
        if n % 2:
            return n / 2
        return n // 2

    assert [half(n) for n in range(4)] == [0, 0.5, 1, 1.5]
    assert [type(half(n)) for n in range(4)] == [int, float, int, float]
