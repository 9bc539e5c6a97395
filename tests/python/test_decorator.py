"""`jit` returns the object it was given, and nothing about that object changes."""

import copy
import dis
import functools
import inspect
import pickle
import sys
import time
import types
import warnings

import pytest

import splice


def at_module_level(n: int, k: int = 2) -> int:
    """Sums a little."""
    total = 0
    for i in range(n):
        total += i * k
    return total


before = at_module_level
splice.jit(at_module_level)


def test_bare_decorator_returns_the_same_object():
    def f(x):
        return x + 1

    assert splice.jit(f) is f
    assert f(1) == 2


def test_decorator_with_options_returns_the_same_object():
    def f(x):
        return x + 1

    assert splice.jit(strict=True)(f) is f
    assert f(1) == 2


def test_decorator_syntax(native):
    @splice.jit
    def one(x):
        return x * 3

    @splice.jit()
    def two(x):
        return x * 3

    @splice.jit(strict=False)
    def three(x):
        return x * 3

    for f in (one, two, three):
        assert f(5) == 15
        assert native(f) == 1


def test_call_with_options():
    def f(x):
        return x

    with pytest.raises(TypeError):
        splice.jit(f, True)
    assert splice.jit(f, strict=True) is f
    with pytest.raises(TypeError, match="strict must be True or False, not 'yes'"):
        splice.jit(strict="yes")


def test_lambda(native):
    f = splice.jit(lambda x, y: x * y + 1)
    assert f(6, 7) == 43
    assert native(f) == 1


def test_closure(native):
    def make(k):
        @splice.jit
        def inner(x):
            return x * k

        return inner

    double, triple = make(2), make(3)
    assert (double(10), triple(10), double(11)) == (20, 30, 22)
    assert native(double) == native(triple) == 1


def test_nested_function_made_in_a_loop():
    made = [splice.jit(lambda x, k=k: x + k) for k in range(5)]
    assert [f(10) for f in made] == [10, 11, 12, 13, 14]


class Shape:
    scale = 3

    @splice.jit
    def plain(self, x):
        return x * 2.0

    @splice.jit
    @staticmethod
    def above_static(x):
        return x + 1

    @staticmethod
    @splice.jit
    def below_static(x):
        return x + 2

    @splice.jit
    @classmethod
    def above_class(cls, x):
        return x + 3

    @classmethod
    @splice.jit
    def below_class(cls, x):
        return x + 4


def test_methods():
    shape = Shape()
    assert shape.plain(2.5) == 5.0
    assert Shape.plain(shape, 2.5) == 5.0
    assert (shape.above_static(1), Shape.below_static(1)) == (2, 3)
    assert (shape.above_class(1), Shape.below_class(1)) == (4, 5)
    assert isinstance(Shape.__dict__["above_static"], staticmethod)
    assert isinstance(Shape.__dict__["above_class"], classmethod)


def test_bound_method_is_returned_as_it_is():
    class C:
        def m(self, x):
            return x + 1

    bound = C().m
    assert splice.jit(bound) is bound
    assert bound(1) == 2
    assert splice.stats(C.m)["state"] == "active"


@pytest.mark.parametrize(
    "target", [len, Shape, 3, None, None.__class__, functools.partial(len), "text"], ids=repr
)
def test_not_a_python_function(target):
    with pytest.raises(TypeError, match=r"jit\(\) needs a Python function or method, not "):
        splice.jit(target)


def test_existing_references_see_native_code(native):
    def f(x):
        return x + 1

    alias, bound = f, functools.partial(f, 41)
    assert alias(1) == 2
    splice.jit(f)
    assert [alias(1), bound(), *map(f, [1, 2])] == [2, 42, 2, 3]
    assert native(alias) == 1


def test_introspection_is_unchanged():
    assert at_module_level is before
    assert at_module_level.__name__ == "at_module_level"
    assert at_module_level.__doc__ == "Sums a little."
    assert at_module_level.__annotations__ == {"n": int, "k": int, "return": int}
    assert str(inspect.signature(at_module_level)) == "(n: int, k: int = 2) -> int"
    assert at_module_level(10) == 90
    assert not hasattr(at_module_level, "__wrapped__")
    assert vars(at_module_level) == {}
    assert inspect.isfunction(at_module_level)
    assert "total += i * k" in inspect.getsource(at_module_level)


def test_pickle_and_copy_give_the_same_object():
    assert pickle.loads(pickle.dumps(at_module_level)) is at_module_level
    assert copy.copy(at_module_level) is at_module_level
    assert copy.deepcopy(at_module_level) is at_module_level


def test_under_functools_wraps(native):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args):
            return function(*args)

        return wrapper

    @splice.jit
    def inner(x):
        return x * x

    outer = decorate(inner)
    assert outer.__wrapped__ is inner
    assert outer(7) == 49
    assert native(inner) == 1


def test_jit_twice_changes_nothing(native):
    @splice.jit
    @splice.jit
    def f(x):
        return x - 1

    assert f(3) == 2
    splice.jit(f)
    assert f(3) == 2
    assert native(f) == 1


def test_unjit_and_back(native):
    @splice.jit
    def f(x):
        return x - 1

    assert f(3) == 2
    assert splice.unjit(f) is f
    assert splice.stats(f)["state"] == "off"
    assert f(3) == 2
    splice.jit(f)
    assert f(3) == 2
    assert native(f) == 1


@pytest.mark.parametrize("changed", [False, True])
def test_calls_are_specialised_again_after_unjit(changed):
    def f(x, y=2):
        return x + y

    splice.jit(f)
    assert f(1) == 3
    if changed:
        f.__defaults__ = (3,)
    splice.unjit(f)

    def caller():
        for _ in range(200):
            f(1, 2)

    caller()
    names = {i.opname for i in dis.get_instructions(caller, adaptive=True)}
    specialised = "CALL_PY_EXACT_ARGS" in names
    # CPython 3.13 gives a function that was changed no new version.
    assert specialised == (not changed or sys.version_info < (3, 13))


@pytest.mark.parametrize("end", ["f(1)", "splice.unjit(f)"])
def test_calls_of_the_code_before_do_not_get_at_the_new_one(child, end):
    """Its version was put back, so that specialised calls bound the arguments of the old code."""
    got = child(f"""
import warnings, splice
warnings.simplefilter("ignore")
def f(x): yield x
def g(x, *rest): return [x, rest]
def caller(n):
    for _ in range(n): result = f(1)
    return result
caller(100)
splice.jit(f)
f.__code__ = g.__code__
{end}
print(caller(3))
""")
    assert got == "[1, ()]\n"


def test_unjit_of_many_functions_is_linear():
    """Each looked through all: 12 seconds for 32,000."""

    def seconds(count):
        functions = [eval("lambda x: x + 1") for _ in range(count)]
        start = time.process_time()
        for f in functions:
            splice.jit(f)
        for f in functions:
            splice.unjit(f)
        return time.process_time() - start

    assert min(seconds(16_000) for _ in range(3)) < 10 * min(seconds(4_000) for _ in range(3))


def test_unjit_of_a_plain_function():
    def f(x):
        return x

    assert splice.unjit(f) is f
    assert splice.stats(f)["state"] == "plain"


def test_a_caller_without_import_is_told_too():
    namespace = {"__builtins__": {"range": range}}
    exec("def caller(x): return callee(x)", namespace)
    namespace["callee"] = splice.jit(eval("lambda x: [*x, *{1: 2}]"))
    with pytest.warns(splice.NotCompiledWarning, match="a dict display"):
        assert namespace["caller"]([3]) == [3, 1]


def test_telling_takes_no_frames_of_the_program():
    def depth(decorate):
        @decorate
        def leaf(x):
            return {**x}

        def down(n):
            return leaf({}) if n == 0 else down(n - 1)

        reached = 0
        for n in range(sys.getrecursionlimit() - 200, sys.getrecursionlimit()):
            leaf = decorate(types.FunctionType(leaf.__code__.replace(), globals()))
            try:
                down(n)
            except RecursionError:
                return reached
            reached = n

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert depth(splice.jit) == depth(lambda function: function) > 0


def test_telling_at_the_highest_recursion_limit(child):
    child(
        "import sys, warnings, splice\n"
        "sys.setrecursionlimit(2**31 - 1)\n"
        "with warnings.catch_warnings(record=True) as told:\n"
        "    warnings.simplefilter('always')\n"
        "    assert splice.jit(lambda x: {**x})({1: 2}) == {1: 2}\n"
        "assert len(told) == 1 and told[0].category is splice.NotCompiledWarning\n"
    )
