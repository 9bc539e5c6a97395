"""What a caller can see of a value or an exception, as plain tuples that compare by `==`.

Nothing here calls a method of an observed object, so observing has no effect of its own.
"""

from __future__ import annotations

import struct
import sys
import types

MAX_FRAMES = 6  # of a traceback whose locals are described, at each end
MAX_ITEMS = 60
MAX_VALUES = 500  # described below one value


LONGEST = 1 << 20  # text or bytes that are looked at as a whole


class Observer:
    """Describes values of one run. Objects are numbered in the order of being first seen."""

    def __init__(self, filename: str):
        self.filename = filename
        self.numbers: dict[int, int] = {}
        self._places: dict[types.CodeType, list[tuple]] = {}
        self._open: set[int] = set()  # containers that are being described
        self._budget = 0
        self._anonymous = False  # values are described without their identity
        self._in_variable = False  # numbers are
        self.alive: list[object] = []  # keeps every numbered object, so that no id is used twice

    def number(self, value: object) -> int:
        """A number for the object; the same object gives the same number."""
        key = id(value)
        if key not in self.numbers:
            self.numbers[key] = len(self.alive)
            self.alive.append(value)
        return self.numbers[key]

    def constants(self, function: types.FunctionType) -> None:
        """Number the constants of a function and of those nested in it."""
        todo = [function.__code__]
        while todo:
            code = todo.pop(0)
            for constant in code.co_consts:
                if isinstance(constant, types.CodeType):
                    todo.append(constant)
                else:
                    self.number(constant)
                    if type(constant) is tuple:
                        for item in constant:
                            self.number(item)

    def value(self, value: object, depth: int = 0) -> tuple:
        """(identity, exact type, content) of a value, through its elements."""
        if depth == 0:
            self._budget = MAX_VALUES
        kind = type(value)
        name = kind.__name__
        numpy = sys.modules.get("numpy")
        # NaN payloads and signs are whatever the compiler of CPython made of them.
        hidden = self._anonymous or (
            self._in_variable
            and (kind in (int, float, complex) or (numpy and isinstance(value, numpy.generic)))
        )
        number = None if hidden else self.number(value)
        if numpy and kind is numpy.ndarray:
            content = self.array(value)
        elif numpy and isinstance(value, numpy.generic):
            content = elements(value)
        elif isinstance(value, int):
            content = hex(int.__index__(value)) if kind is not bool else str(value)
        elif isinstance(value, float):
            content = bits(float.__float__(value) if kind is float else float.__add__(value, -0.0))
        elif kind is complex:
            content = (bits(value.real), bits(value.imag))
        elif kind in (str, bytes, bytearray) and len(value) > LONGEST:
            content = (len(value), repr(value[:LONGEST]), repr(value[-LONGEST:]))
        elif value is None or kind in (str, bytes, range, slice, type(...), type(NotImplemented)):
            content = repr(value)
        elif kind is bytearray:
            content = bytes(value)
        elif kind in (list, tuple, set, frozenset):
            content = self.items(value, value, depth)
        elif kind is dict:
            content = self.items(value, [x for pair in value.items() for x in pair], depth)
        elif isinstance(
            value, (types.FunctionType, types.BuiltinFunctionType, type, types.ModuleType)
        ):
            content = value.__name__
        elif isinstance(value, BaseException):
            content = ("exception", self.items(value, value.args, depth))
        elif hasattr(kind, "__dict__") and isinstance(getattr(value, "__dict__", None), dict):
            content = self.items(value, [x for pair in value.__dict__.items() for x in pair], depth)
        else:
            content = "opaque"
        return (number, name, content)

    def array(self, array) -> tuple:
        """How it lies in which memory, and what it holds."""
        base, place = array.base, None
        if type(base) is type(array):
            place = self.number(base), array.ctypes.data - base.ctypes.data
        if array.dtype.hasobject:
            held = self.items(array, array.ravel().tolist(), 0)
        else:
            held = elements(array)
        return (array.dtype.str, array.shape, array.strides, array.flags.num, place, held)

    def items(self, container: object, values, depth: int):
        """Contents of a container. What is cut off does not depend on which objects are the same."""
        if depth > 6 or id(container) in self._open or self._budget <= 0:
            return "..."
        values = list(values)
        self._budget -= len(values)
        self._open.add(id(container))
        described = [self.value(v, depth + 1) for v in values[:MAX_ITEMS]]
        self._open.discard(id(container))
        return (len(values), described)

    def exception(self, error: BaseException | None, depth: int = 0) -> tuple | None:
        """Type, arguments, text, notes, frames with their locals, cause and context."""
        if error is None or depth > 4:
            return None
        try:
            text = str(error)
        except Exception as broken:  # noqa: BLE001 - str() of an object of the program
            text = f"str raises {type(broken).__name__}"
        frames = []
        entry = error.__traceback__
        while entry is not None:
            if entry.tb_frame.f_code.co_filename == self.filename:
                frames.append(entry)
            entry = entry.tb_next
        shown = (
            frames if len(frames) <= 2 * MAX_FRAMES else frames[:MAX_FRAMES] + frames[-MAX_FRAMES:]
        )
        return (
            type(error).__name__,
            [self.value(a) for a in error.args],
            text,
            getattr(error, "__notes__", None),
            len(frames),
            [self.frame_locals(f.tb_frame) for f in shown],
            error.__suppress_context__,
            self.traceback_entries(error) if depth else None,
            self.exception(error.__cause__, depth + 1),
            self.exception(error.__context__, depth + 1),
        )

    def frame_locals(self, frame: types.FrameType) -> tuple:
        if frame.f_code.co_name == "<module>":
            return ("<module>",)
        pairs = sorted((k, self.variable(v)) for k, v in dict(frame.f_locals).items())
        return (frame.f_code.co_name, frame.f_lineno, pairs)

    def variable(self, value: object) -> tuple:
        """A variable of a frame. Which object a number or tuple is cannot be promised here: one that
        nothing hands on may be shown as an equal one, also in a list (docs/exactness.md).
        """
        numpy = sys.modules.get("numpy")
        part = numpy and type(value) is numpy.ndarray and value.base is not None
        number = numpy and isinstance(value, numpy.generic)
        self._anonymous = part or number or type(value) in (int, float, complex, tuple)
        self._in_variable = True
        try:
            return self.value(value, 3)
        finally:
            self._anonymous = self._in_variable = False

    def traceback_entries(self, error: BaseException) -> list[tuple]:
        """Function, line and column range of each entry: all that a printed traceback is made from.

        The printed text itself is compared by tests/conformance; making it would take most of the
        fuzzer's time.
        """
        entries, entry = [], error.__traceback__
        while entry is not None:
            code = entry.tb_frame.f_code
            if code.co_filename == self.filename:
                place = (code.co_name, entry.tb_lineno, *self.places(code)[entry.tb_lasti // 2])
                if entries and entries[-1][1] == place:
                    entries[-1] = (entries[-1][0] + 1, place)
                else:
                    entries.append((1, place))
            entry = entry.tb_next
        return entries

    def places(self, code: types.CodeType) -> list[tuple]:
        if code not in self._places:
            self._places[code] = list(code.co_positions())
        return self._places[code]


def elements(value) -> bytes:
    """The bytes of an array or a scalar of NumPy, the signs of NaNs as if none was negative.

    A sum or product of two NaNs is either of them: x86 takes the first operand, and a compiler may
    swap them. Programs have no NaNs that differ in more than their signs (fuzz.arrays), so the rest
    of their bits is compared.
    """
    import numpy

    found = numpy.array(value, order="C")
    if found.dtype.kind in "fc":
        parts = found.reshape(-1).view(
            found.dtype.type(0).real.dtype.newbyteorder(found.dtype.byteorder)
        )
        parts[numpy.isnan(parts)] = abs(parts[numpy.isnan(parts)])
    return found.tobytes()


def bits(number: float) -> str:
    """Every bit of a float, all NaNs alike."""
    if number != number:
        return "nan"
    return struct.pack(">d", number).hex() + " " + repr(number)
