"""What Splice costs before it gains: `./dev bench jit first_call`.

Each figure is the median over child processes, in turns with its twin: the import, the first call
of a ten-line function (as the first in the process, and after another was compiled), that of a
hundred-line function, resident memory, a script that does nothing, and a program in which nothing
is hot. Numba's figures for the same functions stand beside them.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)

from bench import report, timing  # noqa: E402
from tools import under_splice  # noqa: E402

# Runs in the child. The first line of the plan says what is measured; the child prints JSON.
CHILD = r"""
import json, sys, time
who, folder, clock = sys.argv[1:4]
now = time.process_time if clock == "cpu" else time.perf_counter
start = now()
if who == "splice":
    import splice
    jit = splice.jit
elif who == "numba":
    import numba
    jit = numba.njit
else:
    jit = lambda function: function
imported = now() - start

def resident():
    for line in open("/proc/self/status"):
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024

def first(function, *args):
    start = now()
    result = function(*args)
    first = now() - start
    start = now()
    if function(*args) != result:
        raise SystemExit("the second call gave another result")
    return (first - (now() - start)) * 1e3, result

out = {"import_ms": imported * 1e3, "rss_import": resident()}
sys.path.insert(0, folder)
import functions
out["cold_ms"], a = first(jit(functions.ten_lines), 10)
out["rss_first"] = resident()
out["warm_ms"], b = first(jit(functions.ten_lines_more), 2.0, 10)
out["hundred_ms"], c = first(jit(functions.hundred_lines), 42, 10)
out["rss_third"] = resident()
out["results"] = [a, b, c]
print(json.dumps(out))
"""


def child(who: str, clock: str) -> dict[str, object]:
    command = [sys.executable, "-c", CHILD, who, str(HERE / "subjects"), clock]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or [f"status {done.returncode}"])[-1]
        raise RuntimeError(last)
    return json.loads(done.stdout)


def process(command: list[str]) -> tuple[float, float]:
    """Milliseconds of wall time and of user CPU time of a whole process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    wall = (time.perf_counter() - start) * 1e3
    return wall, (resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before) * 1e3


def paired(commands: dict[str, list[str]], rounds: int) -> dict[str, list[tuple[float, float]]]:
    times: dict[str, list[tuple[float, float]]] = {who: [] for who in commands}
    for command in commands.values():
        process(command)  # fills the page cache and __pycache__
    for turn in range(rounds):
        names = list(commands)
        for who in names if turn % 2 == 0 else names[::-1]:
            times[who].append(process(commands[who]))
    return times


def added(times: dict[str, list[tuple[float, float]]], who: str, base: str, column: int) -> str:
    pairs = [a[column] - b[column] for a, b in zip(times[who], times[base], strict=True)]
    mean, half = timing.mean_with_interval(pairs)
    return f"{statistics.median(pairs):+.1f} ({mean:+.1f} +-{half:.1f})"


ROWS = (
    ("import_ms", "import, ms", "20"),
    ("cold_ms", "first call in the process, 10 lines, ms", "30"),
    ("warm_ms", "first call, 10 lines, warm, ms", "20"),
    ("hundred_ms", "first call, 100 lines, warm, ms", "120"),
    ("rss_import", "resident after import, MiB", ""),
    ("rss_first", "resident after the first call, MiB", ""),
    ("rss_third", "resident after all three, MiB", ""),
)


def first_calls(rounds: int, clock: str) -> tuple[dict[str, list[dict[str, object]]], bool]:
    runs: dict[str, list[dict[str, object]]] = {"python": [], "splice": [], "numba": []}
    good = True
    for _ in range(rounds):
        for who in list(runs):
            try:
                runs[who].append(child(who, clock))
            except RuntimeError as error:
                print(f"{who}: {error}")
                good = good and who != "splice"
                del runs[who]
    table = []
    for key, title, goal in ROWS:
        row = [title]
        for who in ("python", "splice", "numba"):
            values = [run[key] for run in runs.get(who, [])]
            row.append(
                f"{statistics.median(values):.1f} [{min(values):.1f}, {max(values):.1f}]"
                if values
                else "-"
            )
        table.append([*row, goal])
    print(f"\nMedian [min, max] of {rounds} processes, {clock} clock")
    report.print_table(["", "CPython", "Splice", "Numba", "goal"], table)
    expected = runs["python"][0]["results"]
    for who, each in runs.items():
        if any(run["results"] != expected for run in each):
            print(f"{who}: WRONG: {each[0]['results']} instead of {expected}")
            good = good and who != "splice"
    return runs, good


def whole_processes(rounds: int) -> dict[str, object]:
    python = [sys.executable]
    stored: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as folder:
        nothing = Path(folder) / "nothing.py"
        nothing.write_text("pass\n")
        table = []
        plans = (
            (
                "python -c 'import splice'",
                [*python, "-c", "import splice"],
                [*python, "-c", "pass"],
                "+20 ms",
            ),
            (
                "splice run of a script that does nothing",
                [*under_splice.command(), str(nothing)],
                [*python, str(nothing)],
                "+35 ms",
            ),
        )
        for title, command, base, goal in plans:
            times = paired({"splice": command, "python": base}, rounds)
            stored[title] = times
            table.append(
                [
                    title,
                    added(times, "splice", "python", 0),
                    added(times, "splice", "python", 1),
                    goal,
                ]
            )
        print(f"\nAdded to the whole process: median (mean) of {rounds} pairs")
        report.print_table(["", "wall, ms", "user CPU, ms", "goal"], table)
    cold = str(HERE / "subjects" / "cold.py")
    times = paired({"splice": [*under_splice.command(), cold], "python": [*python, cold]}, rounds)
    stored["cold"] = times
    rows = []
    for column, title in ((0, "wall"), (1, "user CPU")):
        seconds = {who: [max(one[column], 1.0) for one in runs] for who, runs in times.items()}
        ratio = timing.Samples(seconds=seconds).ratio("python", "splice")
        rows.append(
            [
                f"a program in which nothing is hot, {title}",
                f"{min(seconds['python']):.0f}",
                f"{ratio.mean:.3f} [{ratio.low:.3f}, {ratio.high:.3f}]",
                "1.02" if column else "",
            ]
        )
    print(f"\nTime under Splice over time in CPython, {rounds} pairs")
    report.print_table(["", "CPython ms", "ratio", "goal"], rows)
    return stored


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=timing.MIN_ROUNDS)
    parser.add_argument("--clock", choices=sorted(timing.CLOCKS), default="wall")
    options = parser.parse_args()
    report.print_machine()
    runs, good = first_calls(options.rounds, options.clock)
    stored: dict[str, object] = {}
    if "splice" in runs:
        stored = whole_processes(options.rounds)
    print(report.save("jit_first_call", {"rounds": options.rounds, "runs": runs, **stored}))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
