"""CPython's own suites as judge: `python tests/suites/run.py [--only NAMES]`.

Each suite of the installed `test` package runs in processes of its own: plainly, and under Splice with
everything compiled that it and the library modules under test define (tests/suites/eager.py). By id, each
test must have the same outcome. A crash, a hang or a test that is missing is a failure, and nothing is
excused.

The ways are `written` and `nested` of eager.py, and `chaos`: nested, with guards that fail
(SPLICE_CHAOS). Of the first and the last every run takes a part, by the day or `--turn`. Exit status 1 if anything
differs, 3 if this Python has no suites.
"""

import argparse
import dataclasses
import importlib.util
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
NO_SUITES = 3

#: The longest first, so that no core is left alone with one.
SUITES = """
itertools statistics math long decimal exceptions bytes random weakref gc set dict descr functools
array bigmem binop bisect bool builtin augassign baseexception call cmath collections colorsys compare
complex contains contextlib copy coroutines dataclasses decorators deque dictcomps difflib dynamic
enumerate except_star exception_group exception_hierarchy exception_variations extcall finalization float
format fractions frame fstring funcattrs generator_stop generators genexps global grammar graphlib hash
heapq index int int_literal isinstance iter iterlen json keywordonlyarg list listcomps memoryview
named_expressions numeric_tower opcodes operator ordered_dict patma positional_only_arg pow property raise
range reprlib richcmp scope setcomps slice sort string string_literals strtod struct super textwrap
traceback tuple typechecks types unpack unpack_ex userdict userlist userstring with yield_from
""".split()
#: Suites that look at code objects and events, which the decorators of `nested` add to: only `written`.
AS_WRITTEN = {"bdb", "code", "monitoring", "sys_setprofile", "sys_settrace"}
SUITES += ["abc", "context", "copyreg", "linecache", "threading_local", "type_params"]
SUITES += sorted(AS_WRITTEN)
WAYS = {
    "plain": {"SPLICE_DISABLE": "1"},
    "written": {"SPLICE_OPT_LEVEL": "0"},
    "nested": {"SPLICE_OPT_LEVEL": "0"},
    "chaos": {"SPLICE_OPT_LEVEL": "0", "SPLICE_CHAOS": "7"},
}
#: In one of how many runs a suite goes each way: all of them would take too long.
TURNS = {"nested": 1, "written": 2, "chaos": 4}
PLAIN_REPETITIONS = 3
SHOWN = 30  # lines of each text


@dataclasses.dataclass
class Ended:
    """A process that ran a suite. `found` is None when it did not come to its end."""

    status: int
    found: dict | None
    log: str
    seconds: float


@dataclasses.dataclass
class Verdict:
    """What became of a suite in one way."""

    suite: str
    way: str
    tests: int
    differences: list[str]
    native: dict


def execute(suite, way, limit, folder=None):
    """Runs a module of tests, or kills it and its children after `limit` seconds."""
    environment = {**os.environ, "PYTHONHASHSEED": "0", **WAYS[way]}
    for name in ("SPLICE_CHAOS", "SPLICE_HOT_ROUNDS", "SPLICE_SUITES_FOLDER"):
        if name not in WAYS[way]:
            environment.pop(name, None)
    if folder:
        environment["SPLICE_SUITES_FOLDER"] = str(folder)
    command = [sys.executable, str(HERE / "one.py"), suite, "result.json", f"{limit:.0f}"]
    if way != "plain":
        command.append("written" if way == "written" else "nested")
    start = time.monotonic()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        log = Path(place, "log")
        work = Path(place, "work")
        work.mkdir()
        with log.open("wb") as output:
            process = subprocess.Popen(
                command,
                cwd=work,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            try:
                process.wait(limit + 10)  # its own watchdog comes first, and says where it hangs
            except subprocess.TimeoutExpired:
                pass
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()
        result = work / "result.json"
        found = json.loads(result.read_text()) if result.is_file() else None
        text = log.read_text(errors="replace")
    return Ended(process.returncode, found, text, time.monotonic() - start)


def tail(text):
    return "".join(f"      {line}\n" for line in text.splitlines()[-SHOWN:])


def differing(plain, other):
    """The ids of tests whose outcomes differ."""
    was, is_now = plain.found["outcomes"], other.found["outcomes"]
    return {
        name
        for name in {**was, **is_now}
        if was.get(name) != is_now.get(name) and not skipped_itself(was.get(name), is_now.get(name))
    }


def skipped_itself(was, is_now):
    """Whether a test was plainly too fast to show anything, and is slow enough now and passes."""
    return is_now == ["passed"] and was is not None and all("took only" in one for one in was)


def differences(plain, other, again):
    """One text for each test that fared otherwise under Splice.

    Some tests of CPython depend on the clock: what a repetition of the plain run, `again()`, does too is
    no difference.
    """
    if other.found is None or other.status != plain.status:
        early = "before its last test " if other.found is None else ""
        return [f"ended {early}with status {other.status}, not {plain.status}:\n{tail(other.log)}"]
    left = differing(plain, other)
    for _ in range(PLAIN_REPETITIONS):
        if not left:
            break
        once_more = again()
        if once_more.found is not None:
            left &= differing(once_more, other)
    texts = []
    for name in sorted(left):
        was, is_now = (one.found["outcomes"].get(name) for one in (plain, other))
        said = other.found["texts"].get(name) or plain.found["texts"].get(name, "")
        texts.append(f"{name}: {was} plainly, now {is_now}\n{tail(said)}")
    return texts


def judge(suite, ways, limit, folder=None):
    """Runs a suite plainly and in each of `ways`."""
    plain = execute(suite, "plain", limit, folder)
    if plain.found is None:
        text = f"CPython itself ended with status {plain.status}:\n{tail(plain.log)}"
        return [Verdict(suite, "plain", 0, [text], {})]
    verdicts = []
    for way in ways:
        other = execute(suite, way, max(limit, 10 * plain.seconds), folder)
        native = other.found["native"] if other.found else {}
        count = len(plain.found["outcomes"])
        found = differences(plain, other, lambda: execute(suite, "plain", limit, folder))
        verdicts.append(Verdict(suite, way, count, found, native))
    return verdicts


def chosen(names, turn):
    """(suite, ways) of this run, those left out that this Python does not have."""
    work = []
    for place, name in enumerate(names):
        module = f"test.test_{name}"
        if importlib.util.find_spec(module) is None:
            continue
        ways = [way for way, turns in TURNS.items() if (place - turn) % turns == 0]
        if name in AS_WRITTEN:
            ways = ["written"]
        work.append((module, ways))
    return work


def report(verdicts):
    """Prints what was found; returns the number of suites that differ in some way."""
    for way in list(WAYS)[1:]:
        mine = [verdict for verdict in verdicts if verdict.way == way]
        if not mine:
            continue
        total = {
            key: sum(verdict.native.get(key, 0) for verdict in mine)
            for key in ("defined", "functions", "units", "native_calls")
        }
        print(
            f"{way}: {len(mine)} suites, {sum(verdict.tests for verdict in mine)} tests;"
            f" of {total['defined']} functions {total['functions']} were compiled, for"
            f" {total['units']} tuples of types, and called natively {total['native_calls']} times"
            " or more"
        )
    bad = [verdict for verdict in verdicts if verdict.differences]
    for verdict in bad:
        print(f"DIFFERENT {verdict.suite}, {verdict.way}")
        for text in verdict.differences:
            print(f"    {text.rstrip()}")
    return len({verdict.suite for verdict in bad})


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--only", nargs="*", default=SUITES, metavar="NAME", help="math for test_math"
    )
    parser.add_argument("--ways", nargs="*", choices=list(WAYS)[1:], help="instead of this turn's")
    today = int(time.time() // 86400)
    parser.add_argument("--turn", type=int, default=today, help="which part meets failing guards")
    parser.add_argument("--limit", type=float, default=60, help="seconds for a suite")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
    parser.add_argument("--json", type=Path, help="where to write the counts")
    options = parser.parse_args()
    if importlib.util.find_spec("test.support") is None or not chosen(options.only, 0):
        print("this Python comes without its suites (Debian: libpython3-testsuite)")
        return NO_SUITES
    work = chosen(options.only, options.turn)
    missing = [name for name in options.only if f"test.test_{name}" not in dict(work)]
    if missing:
        print(f"not in this Python: {' '.join(missing)}")
    print(f"CPython {sys.version.split()[0]}, {len(work)} suites, turn {options.turn % 4}")
    with ThreadPoolExecutor(options.jobs) as pool:
        runs = pool.map(lambda one: judge(one[0], options.ways or one[1], options.limit), work)
        verdicts = [verdict for run in runs for verdict in run]
    bad = report(verdicts)
    if options.json:
        counts = {"suites": len(work), "different": bad}
        options.json.write_text(json.dumps(counts))
    compiled = sum(verdict.native.get("functions", 0) for verdict in verdicts)
    if not compiled:
        print("nothing was compiled: this has judged nothing")
    return 1 if bad or not compiled else 0


if __name__ == "__main__":
    sys.exit(main())
