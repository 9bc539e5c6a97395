"""Splice: the native half of a Python program.

Put a function under Splice and it runs as machine code, as the same object and with the same
results; what cannot be compiled is interpreted, and `explain` says why.

>>> import splice
>>> @splice.jit
... def collatz(n):
...     steps = 0
...     while n != 1:
...         n = n // 2 if n % 2 == 0 else 3 * n + 1
...         steps += 1
...     return steps
>>> collatz(27)
111
"""

from splice import _report  # noqa: F401 - what the extension calls
from splice._jit import explain, jit, stats, unjit
from splice._splice import (
    CompileError,
    Error,
    InternalError,
    InvalidArgumentError,
    IoError,
    NotCompiledWarning,
    NotFoundError,
    OutOfRangeError,
    ResourceError,
    UnsupportedError,
)
from splice._version import __version__

__all__ = [
    "CompileError",
    "Error",
    "InternalError",
    "InvalidArgumentError",
    "IoError",
    "NotCompiledWarning",
    "NotFoundError",
    "OutOfRangeError",
    "ResourceError",
    "UnsupportedError",
    "__version__",
    "explain",
    "jit",
    "stats",
    "unjit",
]
