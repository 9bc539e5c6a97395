"""What the user is told about a function that stays in the interpreter."""

from __future__ import annotations

# The C half of `warnings`, which may not have been imported yet.
from _warnings import warn_explicit

from splice._splice import CompileError, NotCompiledWarning, set_report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType, FunctionType


def def_line(code: CodeType) -> int:
    """Line of the `def` itself: co_firstlineno is that of the first decorator."""
    first = code.co_firstlineno
    try:
        from linecache import getline  # takes a fifth of the time that `import splice` may take

        last = max((line for _, _, line in code.co_lines() if line), default=first)
        for line in range(first, last + 1):
            text = getline(code.co_filename, line).lstrip()
            if text.startswith(("def ", "async def ")) and not code.co_name.startswith("<"):
                return line
            if code.co_name == "<lambda>" and "lambda" in text:
                return line
    except Exception:  # noqa: BLE001 - at a limit, or of a module that is being imported
        pass
    return first


def not_compiled(function: FunctionType, reason: str, line: int, strict: int) -> None:
    code = function.__code__
    where = f"{code.co_filename}:{line or def_line(code)}"
    message = f"{function.__qualname__} is not compiled: {reason} [{where}]"
    if strict:
        raise CompileError(message)
    warn_explicit(
        message,
        NotCompiledWarning,
        code.co_filename,
        def_line(code),
        module=function.__module__ or "<unknown>",
    )


set_report(not_compiled)
