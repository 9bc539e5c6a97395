"""Which memoryviews and arrays of the module `array` are native, and that others do as in CPython."""

import array
import ctypes
import types

import numpy as np
import pytest
from numpy_support import outcome

import splice

pytestmark = pytest.mark.filterwarnings("ignore::splice.NotCompiledWarning")

BYTES = bytearray(range(65))


def spread(name):
    return memoryview(np.arange(1, 8).astype(name)[::2])


NATIVE = [
    ("int8", memoryview(BYTES).cast("b")),
    ("float64", memoryview(BYTES)[:64].cast("d")),
    ("float64", memoryview(BYTES)[:64].cast("d")[::-1]),
    ("bool", memoryview(b"\1\0").cast("?")),
    ("int64", memoryview(BYTES)[:64].cast("n")),
    ("float32", spread("float32")),
    ("uint16", spread("uint16")),
    ("uint8", memoryview(b"")),
    ("float64", array.array("d", [1.0])),
    ("float64", array.array("d")),
    ("int64", array.array("l", [1, 2])),
]
OTHERS = [
    memoryview(BYTES)[:64].cast("c"),
    memoryview(BYTES)[1:].cast("d"),  # not aligned
    memoryview(BYTES)[1:1].cast("d"),  # the guard asks of empty ones too
    memoryview(BYTES)[:64].cast("d", [2, 4]),
    memoryview(BYTES)[:8].cast("d", []),
    memoryview((ctypes.c_double * 3)(1, 2, 3)),  # "<d", which memoryview itself does not index
    memoryview((ctypes.c_int * 3)(1, 2, 3)),
    memoryview(np.ones(3, ">f8")),
    memoryview(np.ones(3, "f2")),
    memoryview(np.ones(3, "c16")),
    memoryview(np.ones(3, [("a", "f8"), ("b", "i4")])),
    memoryview(np.ones((2, 2))),
]


def first(m):
    return m[0], len(m)


def compiled():
    """With code of its own: functions made of one code object again and again wait."""
    return splice.jit(types.FunctionType(first.__code__.replace(), globals()))


def kinds(function):
    return splice.explain(function, "types")


@pytest.mark.parametrize(("element", "buffer"), NATIVE)
def test_native_ones(element, buffer):
    function = compiled()
    for _ in range(3):
        assert outcome(function, buffer) == outcome(first, buffer)
    what = "memoryview" if isinstance(buffer, memoryview) else "array"
    assert f"m: {what}[{element}]" in kinds(function)


@pytest.mark.parametrize("buffer", OTHERS)
def test_others(buffer):
    function = compiled()
    for _ in range(3):
        assert outcome(function, buffer)[0][:2] == outcome(first, buffer)[0][:2]
    assert "memoryview[" not in kinds(function) and "array[" not in kinds(function)


def test_looking_at_a_buffer_keeps_nothing():
    memory = bytearray(64)
    buffer = memoryview(memory).cast("d")
    items = array.array("d", [1.0])
    function = compiled()
    for one in (buffer, items, memoryview(memory).cast("c"), memoryview(memory).cast("f")):
        function(one)
    items.append(2.0)  # refused while somebody has its memory
    del one
    buffer.release()
