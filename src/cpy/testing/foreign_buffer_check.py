"""Memory of objects as cpy/foreign_buffer.h takes it in, against NumPy and memoryview.

`hostile` exports whatever claim() was told, true or not.
"""

import array
import ctypes
import gc
import mmap
import struct
import sys
import weakref

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from probe import claim, drop_raising, exports, hold, hostile, look

NUMBERS = [
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
    "float32", "float64", "complex64", "complex128",
]  # fmt: skip
CODES = dict(zip("?bhilBHILfd", NUMBERS, strict=False)) | {
    "q": "int64", "Q": "uint64", "n": "int64", "N": "uint64",
}  # fmt: skip
relaxed = settings(max_examples=400, deadline=None, database=None, derandomize=True)


def view(exporter):
    return look(hold(exporter))


def raised(exporter, kind, text):
    before = sys.getrefcount(exporter)
    try:
        hold(exporter)
    except Exception as error:
        assert type(error) is kind and text in str(error), (type(error), str(error), kind, text)
        error.with_traceback(None)  # its frames have the exporter
    else:
        raise AssertionError(f"taken, but {text}")
    assert sys.getrefcount(exporter) == before and exports() == 0


# Exact arrays, by their own fields, and the same memory as the buffer protocol has it.


def as_numpy(a):
    return (a.__array_interface__["data"][0], a.dtype.name, not a.flags.writeable, a.shape,
            a.strides, a.size)  # fmt: skip


def addresses(data, lengths, strides):
    found = [data]
    for length, stride in zip(lengths, strides, strict=True):
        found = [at + i * stride for at in found for i in range(length)]
    return found


@st.composite
def layouts(draw):
    """An array with any strides, lengths and element."""
    a = np.zeros(draw(st.lists(st.integers(0, 4), max_size=5)), draw(st.sampled_from(NUMBERS)))
    for axis in range(a.ndim):
        step = draw(st.sampled_from([1, 1, -1, 2, -2, 3]))
        a = a[(slice(None),) * axis + (slice(None, None, step),)]
    if draw(st.booleans()):
        a = a.transpose(draw(st.permutations(range(a.ndim))))
    if draw(st.booleans()) and a.ndim < 8:
        a = np.broadcast_to(a, (draw(st.integers(0, 3)), *a.shape))
    if draw(st.booleans()) and a.flags.writeable:
        a.flags.writeable = False
    return a


@relaxed
@given(layouts())
def check_layout(a):
    address, element, readonly, lengths, strides, count, format = view(a)
    assert (address, element, readonly, lengths, strides, count) == as_numpy(a) and format == ""
    found = addresses(address, lengths, strides)
    assert len(found) == count
    for at, index in zip(found, np.ndindex(a.shape), strict=True):
        assert at == a[(*index, ...)].__array_interface__["data"][0]
    # By the protocol, as NumPy exports it.
    again = view(memoryview(a))
    assert again[1:4] == (element, readonly, lengths) and again[5] == count
    if count:
        assert addresses(again[0], again[3], again[4]) == found


check_layout()


def check_arrays():
    for name in NUMBERS:
        for shape in [(), (3,), (0,), (2, 0, 3), (1, 1), (2, 3, 4), (1,) * 8]:
            a = np.ones(shape, name)
            assert view(a)[:6] == as_numpy(a), (name, shape)
    warns, _ = np.broadcast_arrays(np.zeros(3), np.zeros((2, 1)))
    assert view(warns)[2] is memoryview(warns).readonly is True
    held = np.arange(6.0)
    gone = weakref.ref(held)
    capsule = hold(held)
    address = held.__array_interface__["data"][0]
    held.shape = (2, 3)  # the view was made before
    del held
    gc.collect()
    assert gone() is not None and look(capsule)[0] == address and look(capsule)[3] == (6,)
    del capsule
    assert gone() is None
    # What is not native is refused by what NumPy exports it as, or by NumPy.
    raised(np.ones(3, ">f8"), ValueError, "format '>d' at 0: another byte order")
    raised(np.ones(3, ">i2"), ValueError, "byte order")
    raised(np.ones(3, "f2"), ValueError, "format 'e' at 0: float16")
    raised(np.ones(3, "g"), ValueError, "long double")
    raised(np.ones(3, "O"), ValueError, "format 'O' at 0: Python objects")
    raised(np.ones(3, "S3"), ValueError, "format '3s' at 0")
    raised(np.ones(3, "U1"), ValueError, "at ")
    raised(np.ones(3, "V2"), ValueError, "at ")
    raised(np.ones(3, "M8[s]"), ValueError, "'M'")  # NumPy's own
    raised(np.ones(3, [("a", "i4"), ("b", "f8")]), ValueError, "at 0: structures")
    raised(np.ones((1,) * 9), ValueError, "9 dimensions")
    raised(np.zeros(17, "u1")[1:].view("f8"), ValueError, "aligned")
    fields = np.zeros(3, [("a", "u1"), ("b", "f8")])
    raised(fields["b"], ValueError, "aligned")
    assert view(np.zeros(3, [("a", "f8"), ("b", "f8")])["b"])[4] == (16,)
    # Subclasses are buffers like others. A mask is none of the protocol's.
    masked = np.ma.masked_array([1.0, 2.0], mask=[True, False])
    assert view(masked)[:2] == (masked.data.__array_interface__["data"][0], "float64")
    assert view(np.arange(4.0).view(np.recarray))[1] == "float64"
    assert view(np.float64(2))[3:6] == ((), (), 1)


check_arrays()


# Other exporters.


def check_others():
    data = bytearray(range(24))
    address = ctypes.addressof(ctypes.c_char.from_buffer(data))
    assert view(data) == (address, "uint8", False, (24,), (1,), 24, "B")
    assert view(b"abc")[1:] == ("uint8", True, (3,), (1,), 3, "B")
    assert view(b"")[3:6] == ((0,), (1,), 0)
    for code, name in CODES.items():
        size = struct.calcsize(code)
        for step in (1, -2):
            shown = memoryview(data).cast(code)[::step]
            first = address if step > 0 else address + 24 - size
            expected = (first, name, False, shown.shape, shown.strides, shown.shape[0], code)
            assert view(shown) == expected
    raised(memoryview(data).cast("c"), ValueError, "characters")
    assert view(memoryview(data).cast("d", (3, 1)))[3:5] == ((3, 1), (8, 8))
    assert view(memoryview(data[:8]).cast("d", ()))[3:6] == ((), (), 1)
    raised(memoryview(data)[1:17].cast("d"), ValueError, "aligned")
    closed = memoryview(data)
    closed.release()
    raised(closed, ValueError, "released")

    for code in "bBhHiIlLqQfd":
        a = array.array(code, [1, 2, 3])
        assert view(a) == (a.buffer_info()[0], CODES[code], False, (3,), (a.itemsize,), 3, code)
    raised(array.array("u", "ab"), ValueError, "characters")
    grows = array.array("d", [1.0])
    capsule = hold(grows)
    try:
        grows.append(2.0)
    except BufferError:
        pass
    else:
        raise AssertionError("held memory moved")
    del capsule
    grows.append(2.0)

    table = ((ctypes.c_double * 3) * 2)()
    assert view(table)[:5] == (ctypes.addressof(table), "float64", False, (2, 3), (24, 8))
    assert view((ctypes.c_long * 2)())[1] == "int64"
    assert view((ctypes.c_bool * 2)())[1] == "bool"
    assert view(ctypes.c_int(3))[1:6] == ("int32", False, (), (), 1)
    raised((ctypes.c_double.__ctype_be__ * 2)(), ValueError, "byte order")
    raised((ctypes.c_void_p * 2)(), ValueError, "pointers")
    raised((ctypes.POINTER(ctypes.c_int) * 2)(), ValueError, "pointers")
    raised((ctypes.c_char * 2)(), ValueError, "characters")

    class Pair(ctypes.Structure):
        _fields_ = [("a", ctypes.c_int), ("b", ctypes.c_double)]

    raised(Pair(), ValueError, "structures")
    with mmap.mmap(-1, 4096) as pages:
        assert view(pages)[1:6] == ("uint8", False, (4096,), (1,), 4096)
    for value in (None, 3, 1.5, "text", [1.0], (1.0,), {}, object(), print, np, float):
        raised(value, TypeError, "is no buffer")


check_others()


# Python classes that export (PEP 688).


class Exporter:
    def __init__(self, memory, error=None):
        self.memory = memory
        self.error = error
        self.released = []

    def __buffer__(self, flags):
        if self.error is not None:
            raise self.error
        return memoryview(self.memory)

    def __release_buffer__(self, shown):
        self.released.append(shown.format)


class Wrong:
    def __init__(self, result):
        self.result = result

    def __buffer__(self, flags):
        return self.result


def check_classes():
    one = Exporter(np.arange(3.0))
    capsule = hold(one)
    assert look(capsule)[1:6] == ("float64", False, (3,), (8,), 3) and one.released == []
    del capsule
    assert one.released == ["d"]
    capsule = hold(one)
    assert drop_raising(capsule, KeyError) and one.released == ["d", "d"]
    two = Exporter(np.ones(3, "f2"))
    raised(two, ValueError, "buffer of 'Exporter': format 'e' at 0")
    assert two.released == ["e"]
    raised(Exporter(b"", KeyError("mine")), KeyError, "mine")
    raised(Exporter(b"", BufferError("mine")), BufferError, "mine")
    raised(Exporter([1]), TypeError, "")
    raised(Wrong(b"bytes"), TypeError, "memoryview")
    raised(Wrong(None), TypeError, "memoryview")


check_classes()


# Exporters in C that lie.

BYTES = np.zeros(64, "f8")
PLACE = BYTES.__array_interface__["data"][0]
MOST, LEAST = 2**63 - 1, -(2**63)


def says(address=PLACE, size=24, itemsize=8, readonly=0, ndim=1, shape=(3,), strides=(8,),
         suboffsets=None, format="d", result=0, owned=True, raises=None, at_release=None):  # fmt: skip
    claim(address, size, itemsize, readonly, ndim, shape, strides, suboffsets, format, result,
          owned, raises, at_release)  # fmt: skip


def lies(text, kind=BufferError, **claims):
    says(**claims)
    raised(hostile, kind, text)


def check_liars():
    says()
    assert view(hostile) == (PLACE, "float64", False, (3,), (8,), 3, "d")
    capsule = hold(hostile)
    assert exports() == 1
    del capsule
    assert exports() == 0
    says(strides=None)  # C order, as ctypes says it
    assert view(hostile)[4] == (8,)
    says(readonly=1)
    assert view(hostile)[2] is True
    says(format=None, itemsize=1, size=3, strides=(1,))
    assert view(hostile)[1] == "uint8"
    says(suboffsets=(-1,))
    assert view(hostile)[3] == (3,)
    says(ndim=0, shape=None, strides=None, size=8)
    assert view(hostile)[3:6] == ((), (), 1)
    says(shape=(0,), size=0, address=0, strides=(MOST,))
    assert view(hostile)[5] == 0

    lies("24 bytes, where the lengths make 32", shape=(4,))
    lies("-1 bytes", size=-1)
    lies(f"{LEAST} bytes", size=LEAST)
    lies("dimensions without lengths", shape=None)
    lies("dimensions without lengths", shape=None, ndim=2, strides=None)
    lies("-1 dimensions", ndim=-1)
    lies("65 dimensions", ValueError, ndim=65)  # more than the arrays behind it have
    lies("2147483647 dimensions", ValueError, ndim=2**31 - 1)
    lies("length[0] is -3", shape=(-3,))
    lies("length[1] is -1", shape=(3, -1), ndim=2, strides=(8, 8))
    lies("items of 4 bytes, where float64 has 8", itemsize=4)
    lies("items of 0 bytes", itemsize=0)
    lies("items of -8 bytes", itemsize=-8)
    lies("items of 8 bytes, where uint8 has 1", format=None)
    lies("items of 8 bytes, where int32 has 4", format="=l")
    lies("length[0] makes more bytes", shape=(MOST,), strides=(0,))
    lies("length[1] makes more bytes", shape=(2**32, 2**32), ndim=2, strides=(0, 0))
    lies("length[1] makes more bytes", shape=(2**32, 2**32), ndim=2, strides=None)
    lies("stride[0] leads further", strides=(MOST - 7,))
    lies("stride[0] leads further", strides=(LEAST,))
    lies("below the address 0", strides=(-PLACE,))
    lies("beyond the last address", address=-8)
    lies("at the address 0", address=0)
    lies("aligned", ValueError, address=PLACE + 4)
    lies("stride[0] is 12", ValueError, strides=(12,))
    lies("suboffset[0]: elements behind pointers", ValueError, suboffsets=(0,))
    lies("several numbers in one element", ValueError, format="dd", itemsize=16, size=48)
    lies("...' at 0: structures", ValueError, format="T{" + "d:x:" * 100000 + "}")
    lies("format 'é' at 0: no number", ValueError, format="é")
    lies("no type", ValueError, format="")
    lies("nobody keeps its memory", owned=False)
    lies("refused without an exception", result=-1)
    lies("refused without an exception", result=-1, owned=False)
    lies("by its exporter", OSError, result=-1, raises=OSError)
    lies("by its exporter", KeyError, raises=KeyError)
    lies("length[0] is -3", shape=(-3,), at_release=KeyError)
    says(at_release=KeyError)
    capsule = hold(hostile)
    assert drop_raising(capsule, OSError)
    hold(hostile)  # and with none on its way
    assert exports() == 0


check_liars()


@relaxed
@given(st.data())
def check_any_claim(data):
    """Whatever is claimed ends in a view whose claims hold, or an exception."""
    number = st.one_of(st.integers(-2, 4), st.sampled_from([8, -8, 16, 24, MOST, LEAST, 2**61]))
    ndim = data.draw(st.integers(0, 4))
    shape = tuple(data.draw(number) for _ in range(ndim))
    strides = tuple(data.draw(number) for _ in range(ndim))
    format = data.draw(st.sampled_from(["d", "<d", "B", None, "Zd", "?", "l", "=l", ">d", "x"]))
    itemsize = data.draw(st.sampled_from([1, 4, 8, 8, 16, 0, -1]))
    size = itemsize
    for length in shape:
        size *= length
    size = size if LEAST <= size <= MOST and data.draw(st.integers(0, 5)) else data.draw(number)
    says(size=size, itemsize=itemsize, ndim=ndim, shape=shape or None, format=format,
         strides=data.draw(st.sampled_from([strides, None])))  # fmt: skip
    try:
        found = view(hostile)
    except (BufferError, ValueError) as error:
        assert str(error).startswith("buffer of 'probe.Hostile': ")
    else:
        assert found[3] == shape and found[5] * itemsize == size and min(shape, default=0) >= 0
        for length, stride in zip(shape, found[4], strict=True):
            assert not found[5] or 0 <= PLACE + (length - 1) * stride < 2**64
    assert exports() == 0


check_any_claim()
