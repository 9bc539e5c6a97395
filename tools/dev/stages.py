"""The stages of `./dev test`: each has a budget in minutes, runs in order, reports its counts."""

import json
import os
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from dev import build, environment, interpreters
from dev.interpreters import Interpreter
from dev.paths import BUILD, RELEASE, ROOT, SANITIZE
from dev.run import Failed, run, say

REPORTS = BUILD / "reports"
PYTHON_SUITES = ("tests/python", "tests/abi", "tests/docs", "tests/conformance")
FUZZ_KINDS = (
    [],
    ["--containers", "--effects"],
    ["--arrays"],
    ["--containers", "--effects", "--arrays", "--chaos", "1"],
)
FUZZ_RESERVE = 15  # seconds for starting and ending the runs
NO_SUITES = 3  # the exit status of tests/suites/run.py where Python comes without its own tests
SHOWN_LINES = 400  # of the log of a program that failed


@dataclass
class Outcome:
    """What a stage counted."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    notes: list[str] = field(default_factory=list)

    def add(self, other: "Outcome") -> None:
        """Adds the counts of `other`."""
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped
        self.notes += other.notes

    def step(self, name: str, status: int) -> None:
        """Counts one program as one test."""
        if status:
            self.failed += 1
            self.notes.append(f"{name}: exit status {status}")
        else:
            self.passed += 1


def lint(deadline: float | None, fix: bool = False) -> Outcome:
    """Layers, file sizes, clang-format, ruff."""
    outcome = Outcome()
    python = interpreters.find()[-1].python
    ruff = environment.tool("ruff")
    cpp = [*ROOT.glob("src/**/*.h"), *ROOT.glob("src/**/*.cpp"), *ROOT.glob("tests/**/*.cpp")]
    steps = {
        "layers": [python, "tools/check_layers.py"],
        "file sizes": [python, "tools/check_sizes.py"],
        "clang-format": [
            environment.tool("clang-format"),
            *(["-i"] if fix else ["--dry-run", "-Werror"]),
            *sorted(cpp),
        ],
        "ruff check": [
            ruff,
            "check",
            "-q",
            "--output-format=concise",
            *(["--fix"] if fix else []),
            ".",
        ],
        "ruff format": [ruff, "format", "-q", *([] if fix else ["--diff"]), "."],
    }
    for name, command in steps.items():
        status = run(command, deadline=deadline)
        say(f"lint, {name}: {'ok' if status == 0 else 'FAILED'}")
        outcome.step(f"lint, {name}", status)
    return outcome


def build_release(deadline: float) -> Outcome:
    """The extension for every interpreter and the C++ tests."""
    build.release(interpreters.find(), deadline)
    return Outcome(passed=1)


def cpp_tests(deadline: float, folder: Path = RELEASE) -> Outcome:
    """The GoogleTest programs of a build."""
    outcome = Outcome()
    programs = build.test_programs(folder)
    with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        for each in pool.map(lambda program: _run_gtest(program, deadline), programs):
            outcome.add(each)
    return outcome


def _run_gtest(program: Path, deadline: float) -> Outcome:
    report = REPORTS / program.parents[2].name / f"{program.name}.json"
    log = report.with_suffix(".log")
    report.parent.mkdir(parents=True, exist_ok=True)
    report.unlink(missing_ok=True)
    env = {"ASAN_OPTIONS": "detect_stack_use_after_return=1", "UBSAN_OPTIONS": "print_stacktrace=1"}
    status = run([program, f"--gtest_output=json:{report}"], env=env, deadline=deadline, log=log)
    outcome = Outcome()
    if report.is_file():
        result = json.loads(report.read_text())
        outcome.failed = result["failures"] + result["errors"]
        outcome.passed = result["tests"] - outcome.failed
    return _settle(program.name, status, outcome, log)


def _settle(name: str, status: int, outcome: Outcome, log: Path) -> Outcome:
    """A program that failed without a failed test (crash, time-out) is one failure more."""
    if status and not outcome.failed:
        outcome.failed += 1
    if status:
        outcome.notes.append(f"{name}: exit status {status}")
        lines = log.read_text(errors="replace").splitlines()
        print("\n".join([f"---- {name} (end of its output)", *lines[-SHOWN_LINES:]]), flush=True)
    say(f"{name}: {outcome.passed} passed, {outcome.failed} failed")
    return outcome


def python_tests(deadline: float) -> Outcome:
    """pytest with every interpreter, all interpreters at the same time."""
    suites = [suite for suite in PYTHON_SUITES if any((ROOT / suite).glob("**/test_*.py"))]
    return _run_pytests("pytest", suites, deadline)


def wheel_tests(deadline: float) -> Outcome:
    """The wheel of every interpreter, installed and used where there is no LLVM."""
    return _run_pytests("wheel", ["tests/wheel"], deadline)


def _run_pytests(name: str, suites: list[str], deadline: float) -> Outcome:
    outcome = Outcome()
    with ThreadPoolExecutor() as pool:
        runs = pool.map(lambda each: _run_pytest(name, each, suites, deadline), interpreters.find())
        for each in runs:
            outcome.add(each)
    return outcome


def _run_pytest(name: str, interpreter: Interpreter, suites: list[str], deadline: float) -> Outcome:
    REPORTS.mkdir(parents=True, exist_ok=True)
    report = REPORTS / f"{name}-{interpreter.name}.xml"
    log = report.with_suffix(".log")
    report.unlink(missing_ok=True)
    command = [interpreter.python, "-m", "pytest", "-q", f"--junitxml={report}", *suites]
    env = {"SPLICE_PYTHON": str(interpreter.base), "PYTHONDONTWRITEBYTECODE": "1"}
    status = run(command, env=env, deadline=deadline, log=log)
    outcome = Outcome()
    if report.is_file():
        for suite in ElementTree.parse(report).getroot().iter("testsuite"):
            bad = int(suite.get("failures", 0)) + int(suite.get("errors", 0))
            outcome.failed += bad
            outcome.skipped += int(suite.get("skipped", 0))
            outcome.passed += int(suite.get("tests", 0)) - bad - int(suite.get("skipped", 0))
    return _settle(f"{name}, CPython {interpreter.name}", status, outcome, log)


def suites(deadline: float) -> Outcome:
    """CPython's own suites under eager compilation; a suite is one test."""
    outcome = Outcome()
    REPORTS.mkdir(parents=True, exist_ok=True)
    for interpreter in interpreters.find():
        report = REPORTS / f"suites-{interpreter.name}.json"
        report.unlink(missing_ok=True)
        name = f"suites, CPython {interpreter.name}"
        command = [interpreter.python, "tests/suites/run.py", "--json", report]
        status = run(command, deadline=deadline)
        if status == NO_SUITES:
            outcome.add(Outcome(skipped=1, notes=[f"{name}: it comes without them"]))
            continue
        counts = json.loads(report.read_text()) if report.is_file() else {"suites": 0}
        failed = counts.get("different", 0) or int(status != 0)
        outcome.add(Outcome(passed=max(0, counts["suites"] - failed), failed=failed))
        if status:
            outcome.notes.append(f"{name}: exit status {status}")
    return outcome


def sanitizers(deadline: float) -> Outcome:
    """The C++ tests of the layers without Python under ASan and UBSan."""
    build.sanitize(deadline)
    return cpp_tests(deadline, SANITIZE)


def fuzz(deadline: float) -> Outcome:
    """Random programs against CPython, each interpreter for its share of the minute."""
    outcome = Outcome()
    if not (ROOT / "fuzz" / "run.py").is_file():
        return outcome
    runs = [(each, kind) for each in interpreters.find() for kind in FUZZ_KINDS]
    share = max(1.0, (deadline - time.monotonic() - FUZZ_RESERVE) / len(runs))
    for interpreter, kind in runs:
        command = [interpreter.python, "fuzz/run.py", "--seconds", f"{share:.0f}", *kind]
        # A difference is shown and made a little smaller here; `./dev fuzz` takes its time.
        command += ["--minimise", "3", "--keep", "1"]
        name = f"fuzz {' '.join(kind)}, CPython {interpreter.name}"
        outcome.step(name, run(command, deadline=deadline))
    return outcome


def set_up(deadline: float) -> Outcome:
    """Debian packages, interpreters, environments."""
    del deadline  # downloads are not cut short; the budget is judged afterwards
    for interpreter in environment.set_up():
        environment.environment(interpreter, "wheel")
    return Outcome(passed=1)


@dataclass(frozen=True)
class Stage:
    """A named stage. A `needed` one stops the run when it fails; `built`: it needs the build."""

    name: str
    minutes: float
    work: Callable[[float], Outcome]
    needed: bool = False
    built: bool = False


# Together 45 minutes, from nothing on two cores.
STAGES = (
    Stage("setup", 5, set_up, needed=True),
    Stage("lint", 1, lint),
    Stage("build", 14, build_release, needed=True),
    Stage("cpp", 1, cpp_tests, built=True),
    Stage("python", 11, python_tests, built=True),
    Stage("wheel", 2, wheel_tests, built=True),
    Stage("suites", 4, suites, built=True),
    Stage("sanitize", 6, sanitizers),
    Stage("fuzz", 1, fuzz, built=True),
)


def run_stages(names: list[str]) -> int:
    """Runs the named stages (none: all), prints the table, returns the exit status."""
    unknown = set(names) - {stage.name for stage in STAGES}
    if unknown:
        raise Failed(f"no such stage: {', '.join(sorted(unknown))}")
    chosen = [stage for stage in STAGES if not names or stage.name in names]
    _prepare(chosen)
    total, rows = Outcome(), []
    stopped = False
    for stage in chosen:
        if stopped:
            rows.append(f"{stage.name:10} {'not run':>8}")
            continue
        outcome, minutes = _run_stage(stage)
        total.add(outcome)
        verdict = "FAILED" if outcome.failed else "ok"
        rows.append(f"{stage.name:10} {minutes:8.1f} {stage.minutes:8.1f}   {verdict}")
        stopped = stage.needed and outcome.failed > 0
    print(f"\n{'stage':10} {'minutes':>8} {'budget':>8}")
    print("\n".join(rows + [""] + total.notes))
    counts = f"{total.passed} passed, {total.failed} failed"
    print(counts + (f", {total.skipped} skipped" if total.skipped else ""), flush=True)
    return 1 if total.failed or not total.passed else 0


def _prepare(chosen: list[Stage]) -> None:
    """What stages run alone stand on; does nothing when it is up to date."""
    names = {stage.name for stage in chosen}
    if "setup" not in names:
        environment.set_up()
    if "build" not in names and any(stage.built for stage in chosen):
        build.release(interpreters.find())


def _run_stage(stage: Stage) -> tuple[Outcome, float]:
    say(f"stage {stage.name}, {stage.minutes:g} minutes at most")
    start = time.monotonic()
    try:
        outcome = stage.work(start + stage.minutes * 60)
    except Failed as problem:
        outcome = Outcome(failed=1, notes=[f"{stage.name}: {problem}"])
        say(str(problem))
    minutes = (time.monotonic() - start) / 60
    if minutes > stage.minutes:
        outcome.add(Outcome(failed=1, notes=[f"{stage.name}: over its budget"]))
    return outcome, minutes
