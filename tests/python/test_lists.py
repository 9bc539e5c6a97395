"""Lists in compiled code: equal results, and every reference accounted for."""

import sys

import pytest

import splice


@splice.jit
def last_argument(n, p0, p1):
    return p1 if n <= 0 else p0


@splice.jit
def passes_temporaries(n):
    return last_argument(n, [n + 0.5], [n] * 6)


@splice.jit
def nests(n):
    if n <= 0:
        return 0.001
    v1 = n if n > 30 else nests(n - 1)
    v2 = []  # noqa: F841
    return (v1,)


@splice.jit
def wraps(p):
    return [p]


@splice.jit
def fills(n):
    table = [0] * (n + 1)
    for k in range(1, n + 1):
        table[k] = table[k - 1] + 1000
    return table[n]


@splice.jit
def largest(items):
    best = items[0]
    for item in items:
        if item > best:
            best = item
    return best


def test_result_is_a_temporary_argument_of_a_native_call():
    for _ in range(200):
        assert passes_temporaries(0) == [0] * 6
        assert passes_temporaries(3) == [3.5]


def test_more_result_types_than_one_function_can_have():
    assert nests(8) == ((((((((0.001,),),),),),),),)


def test_nothing_keeps_the_argument_of_the_first_call():
    value = (1, 2, object())
    before = sys.getrefcount(value)
    wraps(value)
    assert sys.getrefcount(value) == before


def test_item_of_a_list_that_dies_with_the_frame():
    for _ in range(200):
        assert fills(400) == 400_000


def test_item_comes_back_as_itself():
    items = [1.5, 1e300, 2.5]
    assert largest(items) is items[1]


@pytest.mark.parametrize("function", [passes_temporaries, wraps, fills, largest])
def test_is_native(function):
    calls = {passes_temporaries: (1,), wraps: ((1,),), fills: (4,), largest: ([1.5],)}
    function(*calls[function])
    assert any(variant["native"] for variant in splice.stats(function)["variants"])


def test_blocks_stay_balanced():
    for _ in range(50):
        passes_temporaries(0), fills(300), wraps((1,)), largest([2.5, 1.5])
    before = sys.getallocatedblocks()
    for _ in range(500):
        passes_temporaries(0), fills(300), wraps((1,)), largest([2.5, 1.5])
    assert sys.getallocatedblocks() - before < 100
