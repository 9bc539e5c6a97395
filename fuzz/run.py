#!/usr/bin/env python3
"""Differential fuzzer: generated programs under CPython and compiled must not be told apart.

    fuzz/run.py --seconds 60                      # scalars
    fuzz/run.py --containers --effects --count 500
    fuzz/run.py --arrays --chaos 1
    fuzz/run.py --show 17                         # the program of seed 17
    fuzz/run.py --program fuzz/failures/17.py     # run one file again

A failing program is made small and written to fuzz/failures/. Exit status 1 on any difference.
"""

from __future__ import annotations

import argparse
import importlib
import itertools
import json
import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from fuzz import differ, worker  # noqa: E402
from fuzz.generate import Options, generate  # noqa: E402
from fuzz.minimise import minimise  # noqa: E402
from fuzz.pool import Finding, Pool, crash_name, tail  # noqa: E402

FAILURES = Path(__file__).resolve().parent / "failures"
CANDIDATE_SECONDS = 4.0


def arguments(argv: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--seconds", type=float, help="stop after this time (default 60 unless --count)"
    )
    parser.add_argument("--count", type=int, help="number of programs")
    parser.add_argument("--seed", type=int, default=0, help="first seed")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="worker processes")
    parser.add_argument("--containers", action="store_true", help="lists, tuples, bytes, iterators")
    parser.add_argument(
        "--effects", action="store_true", help="visible side effects between operations"
    )
    parser.add_argument("--arrays", action="store_true", help="arrays and scalars of NumPy")
    parser.add_argument(
        "--storm", action="store_true", help="signals, GIL requests and collections all the time"
    )
    parser.add_argument(
        "--jit", default="splice:jit", help="module:decorator under test; empty for none"
    )
    parser.add_argument(
        "--minimise", type=float, default=45.0, metavar="SECONDS", help="time per failing program"
    )
    parser.add_argument(
        "--keep", type=int, default=8, help="failing programs that are minimised and written"
    )
    parser.add_argument(
        "--ignore", nargs="*", default=[], metavar="ASPECT", help="identity, compiler error, ..."
    )
    parser.add_argument(
        "--deaths", action="store_true", help="temporaries that die later are a difference too"
    )
    parser.add_argument(
        "--chaos", type=int, default=0, metavar="N", help="every guard fails once (SPLICE_CHAOS)"
    )
    parser.add_argument("--failures", type=Path, default=FAILURES, help="where they are written")
    parser.add_argument("--show", type=int, metavar="SEED", help="print the program of a seed")
    parser.add_argument("--program", type=Path, help="run one program file in a worker of its own")
    return parser.parse_args(argv)


def probe(
    source: str, jit: str, storm: bool, seconds: float = CANDIDATE_SECONDS
) -> tuple[str, str] | None:
    """Run one program in a process of its own: (aspect, text) of the difference, or None."""
    reader, writer = os.pipe()
    _, stderr = tempfile.mkstemp(prefix="splice-probe-")
    pid = os.fork()
    if pid == 0:
        status = 70
        try:
            os.close(reader)
            os.dup2(os.open(stderr, os.O_WRONLY | os.O_TRUNC), 2)
            worker.settle()
            answer = {}
            with os.fdopen(writer, "w", buffering=1) as out:

                def say(**fields):
                    out.write(json.dumps(fields) + "\n")

                difference, _, _ = worker.pair(source, differ.load_jit(jit), say, storm)
                if difference:
                    answer = {"aspect": difference.aspect, "text": difference.text()}
                say(phase="done", **answer)
            status = 0
        finally:
            os._exit(status)
    os.close(writer)
    found = wait_for(pid, reader, time.monotonic() + seconds)
    if found is not None and found[0].startswith("crash"):
        found = (found[0], f"{found[0]}\n{tail(stderr)}")
    os.unlink(stderr)
    return found


def wait_for(pid: int, reader: int, deadline: float) -> tuple[str, str] | None:
    """Outcome of a probe."""
    import select
    import signal

    data, hang = b"", False
    while True:
        ready, _, _ = select.select([reader], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            hang = True
            os.kill(pid, signal.SIGKILL)
            break
        chunk = os.read(reader, 1 << 20)
        if not chunk:
            break
        data += chunk
    _, status = os.waitpid(pid, 0)
    os.close(reader)
    messages = [json.loads(line) for line in data.split(b"\n") if line.strip()]
    if not any(m["phase"] == "compiled" for m in messages):
        return None  # CPython itself does not get through, or the candidate is no program
    last = messages[-1]
    if last["phase"] == "done":
        return (last["aspect"], last["text"]) if "aspect" in last else None
    aspect = "hang" if hang else crash_name(status)
    return aspect, aspect


def write_failure(finding: Finding, options: Options, args: argparse.Namespace) -> Path:
    """Minimise and store one failing program."""
    source = generate(finding.seed, options)
    if args.minimise > 0:

        def same(candidate: str) -> bool:
            got = probe(candidate, args.jit, args.storm)
            return got is not None and got[0] == finding.aspect

        source = minimise(source, same, args.minimise)
    last = probe(source, args.jit, args.storm)
    text = last[1] if last else finding.text + "\n(not seen again when the program runs alone)"
    args.failures.mkdir(parents=True, exist_ok=True)
    path = (
        args.failures
        / f"{finding.seed}{'-c' * options.containers}{'-e' * options.effects}{'-a' * options.arrays}.py"
    )
    comment = "\n".join(f"# {line}" for line in text.splitlines())
    path.write_text(f"# seed {finding.seed}: {finding.aspect}\n{comment}\n{source}\n")
    return path


def is_noise(finding: Finding, options: Options, args: argparse.Namespace) -> bool:
    """A count of memory blocks moves with what ran before in the process: it must be seen again."""
    if finding.aspect != "blocks left per round":
        return False
    if probe(generate(finding.seed, options), args.jit, args.storm, 30) is not None:
        return False
    print(f"seed {finding.seed}: not seen again when the program runs alone")
    return True


def report(pool: Pool, seconds: float) -> None:
    totals = pool.totals
    done = totals.passed + len(totals.findings)
    rate = done / max(seconds, 1e-9)
    print(f"{done} programs in {seconds:.1f} s, {rate:.1f}/s, {totals.discarded} discarded")
    raised = [(k, n) for k, n in totals.calls.most_common(10) if k not in ("returns", "None")]
    print(
        f"calls: {sum(totals.calls.values())}, returned {totals.calls['returns']}, raised: ", end=""
    )
    print(", ".join(f"{name} {count}" for name, count in raised))
    for name, count in sorted(totals.coverage.items()):
        print(f"  {name}: {count}")


def main(argv: list[str] | None = None) -> int:
    args = arguments(argv)
    ignore = tuple(args.ignore) if args.deaths else (*args.ignore, "order of deaths")
    options = Options(args.containers, args.effects, args.arrays, args.storm, ignore)
    if args.show is not None:
        print(generate(args.show, options))
        return 0
    if args.chaos:
        os.environ["SPLICE_CHAOS"] = str(args.chaos)
    # Programs are small: their loops get compiled again after few rounds.
    os.environ.setdefault("SPLICE_HOT_ROUNDS", str(1 + args.seed % 16))
    differ.load_jit(args.jit)  # import once here: every worker is a fork of this process
    if args.arrays:
        importlib.import_module("numpy")
    if args.program:
        found = probe(args.program.read_text(), args.jit, args.storm, 30)
        print(found[1] if found else "no difference")
        print(f"{0 if found else 1} passed, {1 if found else 0} failed")
        return 1 if found else 0
    seconds = args.seconds if args.seconds is not None else (60.0 if args.count is None else 1e9)
    seeds = (
        itertools.count(args.seed)
        if args.count is None
        else iter(range(args.seed, args.seed + args.count))
    )
    started = time.monotonic()
    pool = Pool(seeds, options, args.jit, max(1, args.jobs), started + seconds)
    pool.on_finding = lambda f: print(f"seed {f.seed}: {f.text.splitlines()[0]}", flush=True)
    totals = pool.run()
    report(pool, time.monotonic() - started)
    totals.findings = [f for f in totals.findings if not is_noise(f, options, args)]
    written: dict[str, int] = {}
    for finding in totals.findings:
        if len(written) < args.keep and written.setdefault(finding.aspect, 0) < max(
            1, args.keep // 3
        ):
            written[finding.aspect] += 1
            path = write_failure(finding, options, args)
            print(f"\n== {path}\n{path.read_text()}")
    print(f"{totals.passed} passed, {len(totals.findings)} failed")
    return 1 if totals.findings else 0


if __name__ == "__main__":
    sys.exit(main())
