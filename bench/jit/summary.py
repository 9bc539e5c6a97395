"""Markdown tables for the README, from what the last runs left in `.build/bench`.

`python bench/jit/summary.py` prints them; it measures nothing itself.
"""

from __future__ import annotations

import json
import statistics
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)

from bench import report, timing  # noqa: E402
from bench.jit import run  # noqa: E402


def stored(name: str) -> dict[str, object] | None:
    """What a bench saved, or None when it was not run."""
    path = report.OUTPUT / f"{name}.json"
    return json.loads(path.read_text()) if path.exists() else None


def print_markdown(heads: list[str], rows: list[list[str]]) -> None:
    print("| " + " | ".join(heads) + " |")
    print("|---" * len(heads) + "|")
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def conditions(data: dict[str, object], rounds: object) -> None:
    facts = data["machine"]
    print(f"{facts['python']}, {facts['cpu']}, {facts['cores']} cores, load {facts['load'][0]}, ")
    print(f"{facts['compiler']}, {rounds} rounds, {facts['time'][:10]}\n")


def workloads(data: dict[str, object]) -> None:
    conditions(data, data["rounds"])
    table = []
    for kind, title in run.TITLES.items():
        rows = [run.samples_of(row) for row in data["rows"] if row["kind"] == kind]
        rows = [row for row in rows if "splice" in row.seconds]
        if not rows:
            continue
        cells = [f"{title} ({len(rows)})"]
        for contender, base in (
            ("splice", "python"),
            ("best Numba", "python"),
            ("C", "python"),
            ("splice", "best Numba"),
            ("splice", "C"),
        ):
            both = [row for row in rows if {contender, base} <= row.seconds.keys()]
            if both:
                mean = timing.geometric_mean(both, contender, base)
                some = "" if len(both) == len(rows) else f" ({len(both)})"
                cells.append(mean.text() + some)
            else:
                cells.append("-")
        table.append(cells)
    heads = ["geometric means", "Splice / CPython", "Numba / CPython", "C / CPython"]
    print_markdown([*heads, "Splice / Numba", "Splice / C"], table)


def calls(data: dict[str, object]) -> None:
    table = []
    for case in data["cases"]:
        best = {who: min(times) for who, times in case["ns"].items()}
        if "splice" not in best:
            continue
        cells = [f"`{case['case']}`"]
        cells += [f"{best[who] - best['empty']:.1f}" for who in ("python", "C", "splice")]
        over = [a - b for a, b in zip(case["ns"]["splice"], case["ns"]["C"], strict=True)]
        table.append([*cells, f"{statistics.median(over):+.1f}"])
    if table:
        conditions(data, data["rounds"])
        heads = ["one call, ns", "Python function", "METH_FASTCALL C", "Splice"]
        print_markdown([*heads, "Splice over C, median of pairs"], table)


def array_arguments(data: dict[str, object]) -> None:
    ways = ("python", "C, buffer", "C, struct", "numba", "splice")
    table = []
    for case in data["cases"]:
        best = {who: min(times) for who, times in case["ns"].items()}
        cells = [f"{best[who] - best['empty']:.1f}" if who in best else "-" for who in ways]
        table.append([f"`{case['case']}`", *cells])
    conditions(data, data["rounds"])
    heads = ["one float64 array, ns", "Python function", "C, buffer", "C, struct"]
    print_markdown([*heads, "Numba", "Splice"], table)


def first_calls(data: dict[str, object]) -> None:
    runs = data["runs"]
    if "splice" not in runs:
        return
    conditions(data, data["rounds"])
    from bench.jit import first_call

    table = []
    for key, title, _ in first_call.ROWS:
        cells = [title]
        for who in ("python", "splice", "numba"):
            values = [one[key] for one in runs.get(who, [])]
            cells.append(f"{statistics.median(values):.1f}" if values else "-")
        table.append(cells)
    print_markdown(["median", "CPython", "Splice", "Numba"], table)


def programs(data: dict[str, object]) -> None:
    conditions(data, data["rounds"])
    table = []
    for row in data["rows"]:
        cpu = timing.Samples(seconds=row["cpu"])
        ratios = [cpu.ratio(way, "python").text() for way in ("splice run", "jit")]
        table.append([row["name"], *ratios, "DIFFERENT" if row["wrong"] else "same output"])
    print_markdown(["pyperformance, user CPU", "splice run", "jit", ""], table)


def main() -> int:
    for name, show in (
        ("jit", workloads),
        ("jit_call_overhead", calls),
        ("jit_array_arguments", array_arguments),
        ("jit_first_call", first_calls),
        ("harm", programs),
    ):
        data = stored(name)
        if data is not None:
            show(data)
    return 0


if __name__ == "__main__":
    sys.exit(main())
