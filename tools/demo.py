"""./dev demo [NAMES] [--pairs N]: the programs of examples/ under CPython and under Splice.

The programs are plain Python that knows nothing of Splice. Each runs as a process of its own, from
start to end, in turns with its twin; the shortest time of each counts. Exit status 1 if an output
differs.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[0] = str(ROOT)

from bench import report, timing  # noqa: E402
from tools import under_splice  # noqa: E402

EXAMPLES = ROOT / "examples"


@dataclass
class Run:
    """One process: how long it took and all that came out of it."""

    seconds: float
    output: bytes  # standard output, then the exit status and what came on standard error


def run(command: list[str], program: Path) -> Run:
    """Run one program as a process of its own."""
    start = time.perf_counter()
    done = subprocess.run([*command, str(program)], capture_output=True)
    seconds = time.perf_counter() - start
    return Run(seconds, done.stdout + f"status {done.returncode}\n".encode() + done.stderr)


def first_difference(expected: bytes, got: bytes) -> str:
    """Where two outputs part, for people."""
    pairs = zip(expected.splitlines(), got.splitlines(), strict=False)
    for number, (a, b) in enumerate(pairs, 1):
        if a != b:
            return f"line {number}: {b!r} instead of {a!r}"
    return f"{len(got.splitlines())} lines instead of {len(expected.splitlines())}"


def main() -> int:
    """Command line."""
    names = sorted(path.stem for path in EXAMPLES.glob("*.py"))
    parser = argparse.ArgumentParser(prog="./dev demo", description=__doc__.split("\n\n")[1])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(names))
    parser.add_argument("--pairs", type=int, default=3)
    options = parser.parse_args()
    unknown = set(options.names) - set(names)
    if unknown:
        parser.error(f"no such program: {', '.join(sorted(unknown))}")
    report.print_machine()
    print(f"python PROGRAM and splice run PROGRAM, whole processes, best of {options.pairs}.\n")
    rows = []
    differences = []
    for name in options.names or names:
        program = EXAMPLES / f"{name}.py"
        commands = {"python": [sys.executable], "splice": under_splice.command()}
        best = dict.fromkeys(commands, float("inf"))
        outputs: dict[str, bytes] = {}
        for _ in range(options.pairs):
            for who, command in commands.items():
                one = run(command, program)
                best[who] = min(best[who], one.seconds)
                if one.output != outputs.setdefault(who, one.output):
                    differences.append(f"{name}: two runs under {who} differ")
        same = outputs["python"] == outputs["splice"]
        if not same:
            where = first_difference(outputs["python"], outputs["splice"])
            differences.append(f"{name}: {where}")
        ratio = timing.number(best["python"] / best["splice"])
        seconds = [f"{best[who]:.2f}" for who in commands]
        rows.append([name, *seconds, ratio, "same output" if same else "DIFFERENT"])
        print(f"  {name} {ratio}x", file=sys.stderr, flush=True)
    report.print_table(["program", "CPython s", "Splice s", "ratio", ""], rows)
    for line in differences:
        print(line)
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
