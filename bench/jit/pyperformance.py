"""Programs written by others, from start to end: `./dev bench jit pyperformance [--only NAMES]`.

They come from the installed pyperformance package and run unmodified, as a child process, once
plain and once under Splice, in turns. Only `pyperf` itself is replaced, by one that runs a fixed
amount of work and prints a digest of the results. Time is that of the whole process: start, import,
compilation and run. Exit status 1 if an output differs.
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
    sys.path[0] = str(ROOT)  # this file's name would hide the package that it measures

from bench import report, timing  # noqa: E402
from tools import under_splice  # noqa: E402


@dataclass(frozen=True)
class Program:
    """`loops` gives about two seconds in CPython; `state` prints what the program throws away."""

    name: str
    loops: int
    args: tuple[str, ...] = ()
    state: str = ""


SCIMARK_STATE = """
G = Array2D(20, 20)
for y in range(20):
    for x in range(20):
        G[x, y] = x * y / 7.0
SOR_execute(1.25, G, 5, Array2D)
v = Random(7).RandomVector(64)
FFT_transform(64, v)
print(digest(list(G.data)), digest(list(v)), digest(MonteCarlo(1000)))
"""

PROGRAMS = (
    Program("nbody", 12, state="print(SYSTEM, report_energy())"),
    Program("spectral_norm", 9, state="print(eval_AtA_times_u([1] * 50))"),
    Program("fannkuch", 3),
    Program("float", 12),
    Program("scimark", 2, state=SCIMARK_STATE),
    Program("pidigits", 6),
    Program("chaos", 12, ("--filename", "picture.ppm")),
    Program("raytrace", 4, ("--filename", "picture.ppm")),
    Program("go", 8),
    Program("hexiom", 150),
    Program("richards", 25),
    Program("deltablue", 300),
)


def script_of(name: str) -> Path:
    place = metadata.distribution("pyperformance").locate_file("pyperformance")
    return Path(str(place)) / "data-files" / "benchmarks" / f"bm_{name}" / "run_benchmark.py"


@dataclass
class Run:
    wall: float
    cpu: float
    output: str


def run(program: Program, command: list[str]) -> Run:
    """One process. The output is what it printed and the files that it left."""
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(
            [str(HERE / "pyperf_stand_in"), os.environ.get("PYTHONPATH", "")]
        ).rstrip(os.pathsep),
        "PYTHONHASHSEED": "0",
        "BENCH_LOOPS": str(program.loops),
        "BENCH_STATE": program.state,
    }
    with tempfile.TemporaryDirectory() as folder:
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        start = time.perf_counter()
        done = subprocess.run(
            [*command, str(script_of(program.name)), *program.args],
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
    return Run(wall, cpu, output)


def compare(program: Program, rounds: int) -> dict[str, object]:
    commands = {"python": [sys.executable], "splice": under_splice.command()}
    outputs = {who: run(program, command).output for who, command in commands.items()}
    row: dict[str, object] = {"name": program.name, "output": outputs["python"]}
    row["same"] = outputs["python"] == outputs["splice"]
    row["ran"] = outputs["python"].startswith("status 0")
    if not row["same"]:
        row["splice_output"] = outputs["splice"]
    wall: dict[str, list[float]] = {who: [] for who in commands}
    cpu: dict[str, list[float]] = {who: [] for who in commands}
    for turn in range(rounds):
        order = list(commands) if turn % 2 == 0 else list(commands)[::-1]
        for who in order:
            one = run(program, commands[who])
            row["same"] = bool(row["same"]) and one.output == outputs["python"]
            wall[who].append(one.wall)
            cpu[who].append(max(one.cpu, 1e-3))
    return {**row, "wall": wall, "cpu": cpu}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", default=[p.name for p in PROGRAMS])
    parser.add_argument("--rounds", type=int, default=timing.MIN_ROUNDS)
    options = parser.parse_args()
    report.print_machine()
    print(f"pyperformance programs, whole process, {options.rounds} pairs, under splice run")
    rows = []
    table = []
    for program in PROGRAMS:
        if program.name not in options.only:
            continue
        print(f"  {program.name} ...", file=sys.stderr, flush=True)
        row = compare(program, options.rounds)
        rows.append(row)
        wall = timing.Samples(seconds=row["wall"])
        cpu = timing.Samples(seconds=row["cpu"])
        verdict = "same output" if row["same"] else "DIFFERENT"
        if not row["ran"]:
            verdict += ", but CPython itself fails"
        table.append(
            [
                program.name,
                f"{wall.best('python'):.2f}",
                f"{wall.best('splice'):.2f}",
                wall.ratio("splice", "python").text(),
                cpu.ratio("splice", "python").text(),
                verdict,
            ]
        )
    report.print_table(
        ["program", "CPython s", "Splice s", "wall x", "user CPU x", "output"], table
    )
    for row in rows:
        if not row["same"]:
            print(f"{row['name']}: expected\n{row['output']}got\n{row.get('splice_output', '?')}")
    if rows:
        mean = timing.geometric_mean(
            [timing.Samples(seconds=row["wall"]) for row in rows], "splice", "python"
        )
        print(f"geometric mean of wall ratios: {mean.text()}")
    print(report.save("jit_pyperformance", {"rounds": options.rounds, "rows": rows}))
    return 0 if all(row["same"] and row["ran"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
