"""Does Splice do harm? Programs written by others, from start to end: `./dev bench harm`.

They come from the installed pyperformance package and run unmodified, as a child process, in turns:
plain, under `splice run`, and with every function of theirs under `splice.jit`. Only `pyperf` itself is
replaced, by one that runs a fixed amount of work and prints a digest of the results. Time is that of the
whole process: start, import, compilation and run. Exit status 1 if an output differs.

Ratios are CPython's time by Splice's, above 1 is faster. A program may be 3 % slower at most; whether one
is more than that is `shown`, `not excluded` or `excluded` by the 95 % interval of its user CPU time.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
if __name__ == "__main__":
    sys.path[0] = str(ROOT)

from bench import report, timing  # noqa: E402
from bench.harm.programs import PROGRAMS, Program  # noqa: E402
from tools import under_splice  # noqa: E402

WAYS = ("python", "splice run", "jit")
#: The ratio of a program that is 3 % slower.
LIMIT = 1 / 1.03


def script_of(program: Program) -> Path:
    place = metadata.distribution("pyperformance").locate_file("pyperformance")
    folder = f"bm_{program.script or program.name}"
    return Path(str(place)) / "data-files" / "benchmarks" / folder / "run_benchmark.py"


@dataclass
class Run:
    wall: float
    cpu: float
    output: str


def run(program: Program, way: str, loops: int | None = None) -> Run:
    """One process. The output is what it printed and the files that it left."""
    command = under_splice.command() if way == "splice run" else [sys.executable]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(
            [str(HERE / "pyperf_stand_in"), os.environ.get("PYTHONPATH", "")]
        ).rstrip(os.pathsep),
        "PYTHONHASHSEED": "0",
        "BENCH_LOOPS": str(loops or program.loops),
        "BENCH_STATE": program.state,
        "BENCH_JIT": "1" if way == "jit" else "",
    }
    with tempfile.TemporaryDirectory() as folder:
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        start = time.perf_counter()
        done = subprocess.run(
            [*command, str(script_of(program)), *program.args],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
        )
        wall = time.perf_counter() - start
        cpu = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        files = "".join(
            f"{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()}\n"
            for path in sorted(Path(folder).iterdir())
        )
    output = f"status {done.returncode}\n{done.stdout}{files}"
    if done.returncode != 0:
        output += "".join(done.stderr.splitlines(keepends=True)[-4:])
    return Run(wall, max(cpu, 1e-3), output)


def compare(program: Program, rounds: int, loops: int | None = None) -> dict[str, object]:
    """Every way once a round, in an order that rotates."""
    wall: dict[str, list[float]] = {way: [] for way in WAYS}
    cpu: dict[str, list[float]] = {way: [] for way in WAYS}
    expected = None
    wrong: dict[str, str] = {}
    for turn in range(rounds):
        shift = turn % len(WAYS)
        for way in WAYS[shift:] + WAYS[:shift]:
            one = run(program, way, loops)
            wall[way].append(one.wall)
            cpu[way].append(one.cpu)
            if expected is None:
                expected = one.output
            elif one.output != expected:
                wrong.setdefault(way, one.output)
    return {
        "name": program.name,
        "output": expected,
        "wrong": wrong,
        "ran": expected is not None and expected.startswith("status 0"),
        "wall": wall,
        "cpu": cpu,
    }


def slower(ratio: timing.Ratio) -> str:
    """Whether it is shown that a program lost more than it may."""
    if ratio.high < LIMIT:
        return "SHOWN"
    return "excluded" if ratio.low > LIMIT else "not excluded"


def table_row(row: dict[str, object]) -> list[str]:
    cpu = timing.Samples(seconds=row["cpu"])
    cells = [row["name"], f"{cpu.best('python'):.2f}"]
    for way in WAYS[1:]:
        ratio = cpu.ratio(way, "python")
        cells += [ratio.text(), slower(ratio)]
    if not row["ran"]:
        return [*cells, "FAILS under CPython"]
    return [*cells, f"DIFFERENT: {', '.join(row['wrong'])}" if row["wrong"] else "same"]


def print_summary(rows: list[dict[str, object]]) -> None:
    print()
    for way in WAYS[1:]:
        ratios = {
            row["name"]: timing.Samples(seconds=row["cpu"]).ratio(way, "python") for row in rows
        }
        mean = timing.geometric_mean(
            [timing.Samples(seconds=row["cpu"]) for row in rows], way, "python"
        )
        verdicts = [slower(ratio) for ratio in ratios.values()]
        counts = ", ".join(
            f"{verdict} {verdicts.count(verdict)}"
            for verdict in ("SHOWN", "not excluded", "excluded")
        )
        print(f"{way}: more than 3 % slower: {counts}; geometric mean {mean.text()}")
        gains = sorted(
            ((ratio.mean, name) for name, ratio in ratios.items() if ratio.low > 1), reverse=True
        )
        text = ", ".join(f"{name} {timing.number(mean)}" for mean, name in gains)
        print(f"  faster: {text or 'none is shown to be'}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    names = [program.name for program in PROGRAMS]
    parser.add_argument("--only", nargs="+", default=names, choices=names, metavar="NAME")
    parser.add_argument("--rounds", type=int, default=timing.MIN_ROUNDS)
    parser.add_argument("--loops", type=int, help="the same for each program, for a quick look")
    parser.add_argument("--list", action="store_true", help="print the names and end")
    options = parser.parse_args()
    if options.list:
        print(" ".join(names))
        return 0
    report.print_machine()
    print(f"pyperformance programs, whole process, user CPU, {options.rounds} rounds")
    rows = []
    for program in PROGRAMS:
        if program.name in options.only:
            print(f"  {program.name} ...", file=sys.stderr, flush=True)
            rows.append(compare(program, options.rounds, options.loops))
    heads = ["program", "CPython s", "splice run x", "> 3 % slower", "jit x", "> 3 % slower"]
    report.print_table([*heads, "output"], [table_row(row) for row in rows])
    for row in rows:
        for way, output in row["wrong"].items():
            print(f"{row['name']}, {way}: expected\n{row['output']}got\n{output}")
        if not row["ran"]:
            print(f"{row['name']}: {row['output']}")
    print_summary(rows)
    print(report.save("harm", {"rounds": options.rounds, "rows": rows}))
    return 0 if all(row["ran"] and not row["wrong"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
