"""`jit`, `unjit`, `explain` and `stats`."""

from __future__ import annotations

import os
from _weakref import ref  # importing weakref takes as long as all of this file
from types import FunctionType, MethodType

from splice import _splice

# Not typing.TYPE_CHECKING: importing typing would be half of the time `import splice` may take.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Literal, TypeVar, overload

    F = TypeVar("F")
    Stage = Literal["summary", "types", "ir", "llvm", "asm"]

    @overload
    def jit(function: F, /, *, strict: bool = False) -> F: ...
    @overload
    def jit(*, strict: bool = False) -> Callable[[F], F]: ...


# What the file of each function was like when `jit` saw it, by a weak reference to the function;
# None when there was none.
_files: dict[ref[FunctionType], tuple[int, int] | None] = {}


def _file_state(function: FunctionType) -> tuple[int, int] | None:
    try:
        found = os.stat(function.__code__.co_filename)
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_size


class _Missing:
    def __repr__(self):
        return "..."


_MISSING = _Missing()


def _function_of(target: Any, caller: str) -> FunctionType:
    """The Python function inside a method, staticmethod or classmethod object."""
    inner = target
    while isinstance(inner, (MethodType, staticmethod, classmethod)):
        inner = inner.__func__
    if not isinstance(inner, FunctionType):
        kind = f"the class {inner.__qualname__!r}" if isinstance(inner, type) else repr(inner)
        raise TypeError(f"{caller}() needs a Python function or method, not {kind}")
    return inner


def jit(function: Any = _MISSING, /, *, strict: bool = False) -> Any:
    """Compile a function to machine code when it is called, and return the same object.

    Works as `@jit`, `@jit(...)` and `jit(f)`, on functions, lambdas, closures, methods,
    `staticmethod` and `classmethod` objects. The function stays the object it was: its identity,
    name, signature, pickle and every reference to it keep working. It is compiled at the first
    call for the types of its arguments, and again for other types. Of the functions that one `def`
    makes anew each time it runs the first eight are; later ones are interpreted until they have
    been called often, unless `strict`.

    A function that cannot be compiled runs in the interpreter; `NotCompiledWarning` says so once.

    Args:
        function: what to compile; left out when options are given to the decorator.
        strict: raise `CompileError` instead of interpreting: here when it is already known that
            the function can't be compiled, otherwise at the call.

    Returns:
        `function` itself, or a decorator when it was left out.

    Raises:
        TypeError: `function` is not made of a Python function.
        CompileError: see `strict`.

    >>> @jit
    ... def norm(x, y):
    ...     return (x * x + y * y) ** 0.5
    >>> norm(3.0, 4.0)
    5.0
    """
    if type(strict) is not bool:
        raise TypeError(f"strict must be True or False, not {strict!r}")
    if function is _MISSING:
        return lambda f: jit(f, strict=strict)
    inner = _function_of(function, "jit")
    _splice.jit(inner, strict)
    if ref(inner) not in _files:
        _files[ref(inner, _files.pop)] = _file_state(inner)
    return function


def unjit(function: F) -> F:
    """Give a function back to the interpreter for good, and return the same object.

    Calls that are in native code finish there. `jit` takes the function up again.

    >>> @jit
    ... def double(x):
    ...     return 2 * x
    >>> unjit(double) is double
    True
    """
    _splice.unjit(_function_of(function, "unjit"))
    return function


def explain(function: Any, stage: Stage = "summary") -> str:
    """Say how a function runs and why, as text with file and line.

    Lines are those of the loaded code; the text says so when the file has changed after `jit`.

    Args:
        function: any Python function or method, also one that `jit` never saw.
        stage: `"summary"` (compiled for which types, where it leaves native code), `"types"` (what
            was inferred), `"ir"` (Splice's own code), `"llvm"` (optimised LLVM IR), `"asm"`
            (these two with all loops as they are compiled when they have proved hot).

    Raises:
        TypeError: `function` is not made of a Python function.
        ValueError: no such stage.

    >>> def plain():
    ...     pass
    >>> print(explain(plain))  # doctest: +ELLIPSIS
    plain (...): interpreted: it is not under splice.jit
    <BLANKLINE>
    """
    inner = _function_of(function, "explain")
    text = _splice.explain(inner, stage)
    known = _files.get(ref(inner))
    if stage == "summary" and known is not None and _file_state(inner) != known:
        file = inner.__code__.co_filename
        text += f"  {file} has changed since: the lines are those of the text that was loaded\n"
    return text


def stats(function: Any) -> dict[str, Any]:
    """Counters of a function.

    Keys: `state` (`"active"`, `"refused"`, `"given back"`, `"off"`, `"plain"`), `slow_calls` (calls
    that did not go straight into native code), `interpreted` (of these: run by the interpreter),
    `exits`, `restarts`, `invalidations`, `compile_ms`, `given_back` (the reason or None) and
    `variants`, one dict per tuple of argument types with `kinds`, `native`, and `compile_ms`,
    `code_bytes`, `hot_loops` (number of loops, and of functions that call themselves, compiled
    again with all optimisation after a million rounds, fewer of large ones), `optimised` (whether
    32768 calls from outside had all of it compiled again) and `exits` (line, reason, count of each
    place where native code can be left), or the `reason` and `line` that kept it from being
    compiled.

    >>> @jit
    ... def triple(x):
    ...     return 3 * x
    >>> stats(triple)["state"]
    'active'
    """
    return _splice.stats(_function_of(function, "stats"))
