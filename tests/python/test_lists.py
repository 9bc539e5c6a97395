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


@splice.jit
def ints_then_floats(n):
    values = [0] * n
    for i in range(n):
        if values[i] == 0:
            values[i] = i * 0.5 if i % 3 else i
    total = 0.0
    for value in values:
        total += value
    return total


@splice.jit
def add_up(values):
    total = 0
    for i in range(len(values)):
        total += values[i]
    return total


def test_ints_and_floats_in_one_list():
    for _ in range(3):
        assert ints_then_floats(7) == 0 + 0.5 + 1.0 + 3 + 2.0 + 2.5 + 6
        assert add_up([1, 2.5, 3]) == 6.5
        assert add_up([2.5, 1]) == 3.5
    assert splice.stats(ints_then_floats)["exits"] == 0
    assert splice.stats(add_up)["exits"] == 0


@splice.jit
def fewest_coins(coins, amount):
    best = [0] + [float("inf")] * amount
    for coin in coins:
        for x in range(coin, amount + 1):
            if best[x - coin] + 1 < best[x]:
                best[x] = best[x - coin] + 1
    return best


def test_a_sum_of_a_list_of_ints_and_one_of_floats():
    for _ in range(3):
        best = fewest_coins([2, 5], 12)
        assert best == [0, float("inf"), 1, float("inf"), 2, 1, 3, 2, 4, 3, 2, 4, 3]
        assert type(best[1]) is float and type(best[12]) is int
    assert splice.stats(fewest_coins)["exits"] == 0


def test_an_immortal_object_that_was_counted_in_64_bits(child):
    """Extensions from before 3.12 count so: the low half of the count may come to 0."""
    child("""
import ctypes, splice

@splice.jit
def puts(items, x):
    items[0] = x
    return len(items)

puts([1.5], 2.5)
for count in (1 << 32 | 1, 1 << 32, 0xFFFFFFFF, 0xC0000000):
    immortal = float("7.25")
    word = ctypes.c_uint64.from_address(id(immortal))
    word.value = count
    for _ in range(3):
        assert puts([immortal], 2.5) == 1
    others = [float(i) for i in range(100)]
    assert immortal == 7.25, count
    word.value = 0xFFFFFFFF  # whoever drops it at the end
""")
