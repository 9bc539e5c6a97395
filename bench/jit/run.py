"""Splice against CPython, Numba and C: `./dev bench jit [names]`.

Each workload runs in a process of its own, where all contenders take turns. Numba is `njit` without
fastmath, on plain lists and, in the column "typed", on typed lists that were made before the clock
starts; C is -O3 for this machine, on the same objects. Exit status 1 if a result differs.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import subprocess
import sys
import tempfile
import traceback
import warnings
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[0] = str(ROOT)  # instead of this folder, whose file names would hide installed packages

from bench import report, timing  # noqa: E402
from bench.jit import workload  # noqa: E402

CONTENDERS = ("python", "splice", "numba", "numba typed", "C")
OTHERS = ("call_overhead", "array_arguments", "first_call")


def measure_one(name: str, options: argparse.Namespace) -> dict[str, object]:
    """Everything about one workload, in this process."""
    work = workload.load(name, "description").WORKLOAD
    calls = {"python": workload.python_call(name)}
    expected = calls["python"]()
    notes: list[str] = []
    failed = False
    for who in CONTENDERS[1:]:
        if who in options.without:
            continue
        try:
            call, exact = prepare(who, name, work, notes)
            if call is None:
                continue
            workload.check(name, who, expected, call, 0.0 if exact else work.relative)
            calls[who] = call
        except timing.ResultsDiffer as error:
            notes.append(f"WRONG: {error}")
            failed = failed or not who.startswith("numba")
        except Exception as error:  # a contender that cannot run is a row of the table, not the end
            notes.append(f"{who}: {type(error).__name__}: {str(error).strip().splitlines()[0]}")
            failed = failed or not who.startswith("numba")
            if options.verbose:
                traceback.print_exc()
    samples = timing.measure(calls, options.rounds, clock=options.clock)
    return {
        "name": name,
        "kind": work.kind,
        "seconds": samples.seconds,
        "calls": samples.calls,
        "notes": notes,
        "failed": failed,
    }


def prepare(who: str, name: str, work: workload.Workload, notes: list[str]):
    """The callable of a contender, and whether it must be equal to CPython in every bit."""
    if who.startswith("numba"):
        lists = "typed" if who.endswith("typed") else "plain"
        if lists not in work.numba:
            return None, False
        if importlib.util.find_spec("numba") is None:
            notes.append("Numba is not installed here; `./dev bench` installs it")
            return None, False
        return workload.numba_call(name, lists), False
    if who == "C":
        return workload.c_call(name), False
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call, _ = workload.splice_call(name)
        call()
    notes.extend(f"splice: {warning.message}" for warning in caught)
    return call, True


def run_child(name: str, options: argparse.Namespace) -> dict[str, object]:
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        command = [sys.executable, __file__, "--child", out.name, *forwarded(options), name]
        done = subprocess.run(command)
        text = Path(out.name).read_text()
    if done.returncode != 0 or not text:
        note = f"process ended with status {done.returncode}"
        return {"name": name, "kind": "", "seconds": {}, "notes": [note], "failed": True}
    return json.loads(text)


def forwarded(options: argparse.Namespace) -> list[str]:
    result = [f"--rounds={options.rounds}", f"--clock={options.clock}"]
    result += [f"--without={who}" for who in options.without]
    return [*result, "--verbose"] if options.verbose else result


def samples_of(row: dict[str, object]) -> timing.Samples:
    samples = timing.Samples(seconds=row["seconds"])
    best = best_numba(samples)
    if best in samples.seconds:
        samples.seconds["best Numba"] = samples.seconds[best]
    return samples


def best_numba(samples: timing.Samples) -> str:
    """The faster of Numba's two ways for this workload: plain lists or typed ones."""
    have = [who for who in ("numba", "numba typed") if who in samples.seconds]
    return min(have, key=samples.best, default="numba")


def table_row(row: dict[str, object]) -> list[str]:
    samples = samples_of(row)
    have = samples.seconds
    if "python" not in have:
        return [row["name"], *["-"] * 8]

    def ratio(contender: str, base: str, interval: bool = False) -> str:
        if contender not in have or base not in have:
            return "-"
        value = samples.ratio(contender, base)
        return value.text() if interval else timing.number(value.mean)

    return [
        row["name"],
        timing.number(samples.best("python") * 1e3),
        ratio("splice", "python", interval=True),
        timing.number(samples.ratio("splice", "python").median) if "splice" in have else "-",
        ratio("numba", "python"),
        ratio("numba typed", "python"),
        ratio("C", "python"),
        ratio("splice", "best Numba", interval=True),
        ratio("splice", "C", interval=True),
    ]


def print_group(title: str, rows: list[dict[str, object]]) -> None:
    heads = [
        "workload",
        "CPython ms",
        "Splice x",
        "median",
        "Numba x",
        "typed",
        "C x",
        "vs Numba",
        "vs C",
    ]
    print(f"\n{title}")
    report.print_table(heads, [table_row(row) for row in rows])
    samples = [samples_of(row) for row in rows]
    for contender, base in (
        ("splice", "python"),
        ("splice", "best Numba"),
        ("splice", "C"),
        ("best Numba", "python"),
        ("C", "python"),
    ):
        both = [s for s in samples if contender in s.seconds and base in s.seconds]
        if both:
            mean = timing.geometric_mean(both, contender, base)
            print(f"  geometric mean {contender} / {base}: {mean.text()} over {len(both)}")
    for row in rows:
        for note in row["notes"]:
            print(f"  {row['name']}: {note}")


TITLES = {
    "scalar": "Scalars",
    "read": "Lists that are read, in cache",
    "stream": "Lists that are read, out of cache",
    "write": "Lists that are written",
    "build": "Lists that are built for the caller",
    "squares": "List to list",
    "search": "Lists that are read, each step depending on the one before",
    "elements": "Arrays, by element, in cache",
    "elements_large": "Arrays, by element, out of cache",
    "": "Did not finish",
}


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "names", nargs="*", help=f"workloads, {', '.join(workload.GROUPS)}, {', '.join(OTHERS)}"
    )
    parser.add_argument("--rounds", type=int, default=timing.MIN_ROUNDS)
    parser.add_argument(
        "--clock",
        choices=sorted(timing.CLOCKS),
        default="wall",
        help="cpu: time of this thread only, for a busy machine",
    )
    parser.add_argument("--without", action="append", default=[], choices=CONTENDERS[1:])
    parser.add_argument("--verbose", action="store_true", help="tracebacks of contenders that fail")
    parser.add_argument("--list", action="store_true", help="print the names and end")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> int:
    options = parse()
    if options.child:
        row = measure_one(options.names[0], options)
        Path(options.child).write_text(json.dumps(row))
        return 0
    if options.list:
        for group in workload.GROUPS:
            print(f"{group}: {' '.join(workload.names(group))}")
        print(f"others: {' '.join(OTHERS)}")
        return 0
    asked = options.names or [*workload.GROUPS, *OTHERS]
    names: list[str] = []
    for name in asked:
        if name in workload.GROUPS:
            names += workload.names(name)
        elif name not in OTHERS:
            try:
                workload.find(name)
            except LookupError as error:
                print(f"{error.args[0]}, or {', '.join([*workload.GROUPS, *OTHERS])}")
                return 2
            names.append(name)
    report.print_machine()
    print(f"{options.rounds} rounds, {options.clock} clock; a ratio above 1 means faster")
    rows = []
    for name in names:
        print(f"  {name} ...", file=sys.stderr, flush=True)
        rows.append(run_child(name, options))
    for kind, title in TITLES.items():
        group = [row for row in rows if row["kind"] == kind]
        if group:
            print_group(title, group)
    failed = any(row["failed"] for row in rows)
    if rows:
        whole = all(name in (*workload.GROUPS, *OTHERS) for name in asked)
        content = {"rows": rows, "rounds": options.rounds, "clock": options.clock}
        print(f"\n{report.save('jit' if whole else 'jit_some', content)}")
    for other in OTHERS:
        if other in asked:
            print(flush=True)
            script = str(Path(__file__).with_name(f"{other}.py"))
            failed |= subprocess.run([sys.executable, script]).returncode != 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
