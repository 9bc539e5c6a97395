"""The look-out for hot functions while a program runs under `splice run`, and its report."""

from __future__ import annotations

import sys

from splice import _splice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def start(report: str | None) -> None:
    """Begin. `report` is where to write at exit: None nowhere, "" standard error, or a path."""
    import atexit

    # Registered before the program runs, so called after all that the program registers.
    atexit.register(_end, report)
    _start()


def _start() -> None:
    _splice.start_promotion()
    try:  # noqa: SIM105 - contextlib would be most of what this function costs
        _splice.watch_imports(list(_STARTS_CHILDREN), _follow_children)
    except _splice.Error:
        pass  # only children that begin as a new interpreter are not followed


#: What multiprocessing imports when it is about to start such a child.
_STARTS_CHILDREN = ("multiprocessing.popen_spawn_posix", "multiprocessing.popen_forkserver")

#: Run by the child. One that has another sys.path may not find Splice: it does without.
_IN_A_CHILD = """
try:
    from splice import _promotion
except ImportError:
    pass
else:
    _promotion._start()
"""


class _GoOn:
    """Starts the look-out where it is unpickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        return exec, (_IN_A_CHILD, {})


def _follow_children() -> None:
    """Children of `spawn` and `forkserver` are told what they need in a pickled dict, of which they
    ignore what they do not know.
    """
    from multiprocessing import spawn

    plain = spawn.get_preparation_data

    def get_preparation_data(name: str) -> dict[str, Any]:
        return {**plain(name), "splice": _GoOn()}

    if plain.__module__ != __name__:
        spawn.get_preparation_data = get_preparation_data


def _end(report: str | None) -> None:
    _splice.stop_promotion()
    if report is None:
        return
    text = report_text(_splice.promotion_report())
    try:
        if report:
            with open(report, "w", encoding="utf-8") as file:
                file.write(text)
        elif sys.__stderr__ is not None:
            sys.__stderr__.write(text)
            sys.__stderr__.flush()
    except (OSError, ValueError) as error:
        print(f"splice: the report cannot be written: {error}", file=sys.__stderr__)


#: The hottest functions that the report shows.
_ROWS = 40


def report_text(found: dict[str, Any]) -> str:
    """The report, for people.

    >>> print(report_text({"candidates": [], "samples": 0, "native_samples": 0}), end="")
    splice: no function was hot (0 samples)
    """
    candidates = sorted(_together(found["candidates"]), key=lambda one: -one["samples"])
    samples = found["samples"]
    if not candidates:
        return f"splice: no function was hot ({samples} samples)\n"
    share = 100 * found["native_samples"] / max(samples, 1)
    promoted = sum(one["decision"] == "promoted" for one in candidates)
    lines = [
        f"splice: {promoted} of {len(candidates)} hot functions promoted;"
        f" {samples} samples, {share:.0f} % of them in native code",
        f"{'samples':>8} {'calls':>8} {'ms':>5} {'exits':>8}  decision",
    ]
    lines += map(_row, candidates[:_ROWS])
    if len(candidates) > _ROWS:
        lines.append(f"and {len(candidates) - _ROWS} more")
    return "\n".join(lines) + "\n"


def _together(candidates: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One entry for all functions made by one `def` or expression that fared alike."""
    groups: dict[tuple[Any, ...], dict[str, Any]] = {}
    for one in candidates:
        key = (one["code"], one["decision"], one["reason"], one["line"])
        if key not in groups:
            groups[key] = dict(one)
            continue
        for count in ("samples", "calls", "compile_ms", "exits"):
            groups[key][count] += one[count]
    return list(groups.values())


def _row(one: dict[str, Any]) -> str:
    from splice._report import def_line

    code = one["code"]
    place = f"{code.co_filename}:{def_line(code)}"
    row = f"{one['samples']:8} {one['calls']:8} {one['compile_ms']:5.0f} {one['exits']:8}"
    row += f"  {one['decision']}: "
    row += f"{code.co_qualname} ({place})"
    if one["reason"]:
        at = f" [line {one['line']}]" if one["line"] else ""
        row += f"\n{'':34}  {one['reason']}{at}"
    return row
