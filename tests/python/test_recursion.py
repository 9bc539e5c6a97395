"""RecursionError comes where plain Python has it."""

import sys

import pytest

import splice


@pytest.fixture
def limit():
    """Sets a recursion limit for one test."""
    old = sys.getrecursionlimit()
    yield sys.setrecursionlimit
    sys.setrecursionlimit(old)


def deepest(function):
    """Largest n for which function(n) does not raise RecursionError, by bisection."""
    low, high = 1, 100_000
    while low + 1 < high:
        middle = (low + high) // 2
        try:
            function(middle)
        except RecursionError:
            high = middle
        else:
            low = middle
    return low


def module_of(source):
    """A namespace in which `source` was run."""
    namespace = {"splice": splice}
    exec(source, namespace)
    return namespace


DOWN = "def down(n):\n    if n == 0:\n        return 0\n    return 1 + down(n - 1)\n"
PAIR = (
    "def even(n):\n    if n == 0:\n        return True\n    return odd(n - 1)\n"
    "def odd(n):\n    if n == 0:\n        return False\n    return even(n - 1)\n"
)
# The call goes through an object that only the interpreter can call.
THROUGH = (
    "class Call:\n    def __call__(self, n):\n        return down(n)\ncall = Call()\n"
    "def down(n):\n    if n == 0:\n        return 0\n    return 1 + call(n - 1)\n"
)


@pytest.mark.parametrize("depth", [200, 1000, 3000])
@pytest.mark.parametrize(
    "source, name", [(DOWN, "down"), (PAIR, "even"), (THROUGH, "down")], ids=["self", "two", "call"]
)
def test_same_depth(limit, depth, source, name):
    plain, compiled = module_of(source), module_of(source)
    for function in ("down", "even", "odd"):
        if function in compiled:
            splice.jit(compiled[function])
    compiled[name](5)
    limit(depth)
    assert deepest(compiled[name]) == deepest(plain[name])
    # And again: nothing was left behind.
    assert deepest(compiled[name]) == deepest(plain[name])


def test_deep_recursion_is_right(limit):
    compiled = module_of(DOWN)
    down = splice.jit(compiled["down"])
    limit(50_000)
    assert down(40_000) == 40_000


def test_recursion_through_the_slow_path(limit):
    # Every level is called with a kind that is not the first one compiled.
    compiled = module_of(
        "def down(n, x):\n    if n == 0:\n        return x\n    return down(n - 1, x)\n"
    )
    down = splice.jit(compiled["down"])
    assert down(3, 1) == 1
    limit(5000)
    assert down(4000, "text") == "text"
    assert down(4000, 2.5) == 2.5


def test_error_text():
    compiled, plain = module_of(DOWN), module_of(DOWN)
    splice.jit(compiled["down"])
    texts = []
    for down in (compiled["down"], plain["down"]):
        with pytest.raises(RecursionError) as caught:
            down(10**6)
        texts.append(str(caught.value))
    assert texts[0] == texts[1]


LEAVES = "def nothing():\n    pass\ndef add(a, b):\n    return a + b\n"


@pytest.mark.parametrize(
    "call", ["nothing()", "add(1, 2)", "add(1.5, b=2.5)", "add(2**62, 2**62)", "add('a', 'b')"]
)
def test_a_call_that_only_computes_needs_a_level_too(limit, call):
    down = f"def down(n):\n    if n == 0:\n        return {call}\n    return down(n - 1)\n"
    plain, compiled = module_of(LEAVES + down), module_of(LEAVES + down)
    for name in ("nothing", "add"):
        splice.jit(compiled[name])
    assert compiled["down"](5) == plain["down"](5)
    for depth in (200, 1000):
        limit(depth)
        for _ in range(2):
            assert deepest(compiled["down"]) == deepest(plain["down"])


def test_tuples_that_grow_with_each_call_stay_few_kinds():
    def nest(n, a, b):
        if n <= 0:
            return (a, b)
        return nest(n - 1, (b, b), (a, a, n, a))

    def depth(t):
        levels = 0
        while type(t) is tuple:
            t = t[0]
            levels += 1
        return levels

    want = [nest(n, (1, 2**60), (-2, 3.5)) for n in range(12)]
    splice.jit(nest)
    got = [nest(n, (1, 2**60), (-2, 3.5)) for n in range(12)]
    assert [depth(t) for t in got] == [depth(t) for t in want]
    assert got[:6] == want[:6]
    assert all(variant["native"] for variant in splice.stats(nest)["variants"])
