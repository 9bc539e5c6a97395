"""Source text that every generated program starts with: names, subclasses, objects that log."""

BASE = """\
import math
import random
from math import floor, sqrt
draw = random.Random(5).random
inf = float("inf")
nan = float("nan")
LOG = []
class Int(int):
    pass
class Float(float):
    pass
"""

ARRAYS = """\
import numpy as np
from fuzz.arrays import array
np.seterrcall(lambda *error: LOG.append(error))
"""

# Code that the programs call but that is never compiled itself: what it sees of its callers is what
# CPython would show, or native code was left in the wrong state.
EFFECTS = """\
import sys
def note(*values):
    frame = sys._getframe(1)
    trail = []
    while frame is not None and frame.f_code.co_filename == __file__ and len(trail) < 6:
        trail.append((frame.f_code.co_name, frame.f_lineno))
        frame = frame.f_back
    LOG.append(("note", values, tuple(trail), dict(sys._getframe(1).f_locals)))
    return values[0] if values else None
class Loud:
    def __init__(self, value):
        self.value = value
    def __del__(self):
        LOG.append(("del", self.value))
    def __repr__(self):
        return f"Loud({self.value!r})"
    def __add__(self, other):
        LOG.append(("add", self.value))
        return Loud(self.value + (other.value if isinstance(other, Loud) else other))
    def __radd__(self, other):
        LOG.append(("radd", self.value))
        return other + self.value
    def __mul__(self, other):
        LOG.append(("mul", self.value))
        return NotImplemented
    def __rmul__(self, other):
        LOG.append(("rmul", self.value))
        return self.value
    def __iadd__(self, other):
        LOG.append(("iadd", self.value))
        self.value = self.value + other
        return self
    def __eq__(self, other):
        LOG.append(("eq", self.value))
        return self.value == (other.value if isinstance(other, Loud) else other)
    def __hash__(self):
        return 7
    def __lt__(self, other):
        LOG.append(("lt", self.value))
        return self.value < (other.value if isinstance(other, Loud) else other)
    def __bool__(self):
        LOG.append(("bool", self.value))
        return bool(self.value)
    def __len__(self):
        LOG.append(("len", self.value))
        return int(self.value) & 7
    def __index__(self):
        LOG.append(("index", self.value))
        return int(self.value)
    def __getitem__(self, key):
        LOG.append(("getitem", self.value, key))
        if key == 3:
            raise IndexError(key)
        return self.value
    def __setitem__(self, key, value):
        LOG.append(("setitem", key, value))
    def __neg__(self):
        LOG.append(("neg", self.value))
        return Loud(-self.value)
    def __abs__(self):
        LOG.append(("abs", self.value))
        return abs(self.value)
    def __float__(self):
        LOG.append(("float", self.value))
        return float(self.value)
    def __call__(self, *args):
        LOG.append(("call", self.value, args))
        return self.value
    @property
    def twice(self):
        LOG.append(("twice", self.value))
        return self.value * 2
class Gate:
    def __init__(self, name, swallow=False):
        self.name = name
        self.swallow = swallow
    def __enter__(self):
        LOG.append(("enter", self.name))
        return self.name
    def __exit__(self, kind, value, trace):
        LOG.append(("exit", self.name, kind, trace.tb_lineno if trace else None))
        return self.swallow
"""
