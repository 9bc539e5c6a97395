"""`./dev` chooses interpreters by their facts, documents itself, and fails with a status."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from dev import commands, interpreters, stages  # noqa: E402

FINE = {
    "implementation": "cpython",
    "version": [3, 12, 1],
    "release": "final",
    "free_threaded": False,
    "debug": False,
    "headers": True,
}


def test_a_released_cpython_with_headers_is_taken():
    assert interpreters.refusal(FINE) is None
    assert interpreters.refusal({**FINE, "version": [3, 13, 0]}) is None


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ({"implementation": "pypy"}, "pypy"),
        ({"free_threaded": True}, "free-threaded"),
        ({"version": [3, 14, 0]}, "newer than 3.13"),
        ({"release": "candidate"}, "pre-release"),
        ({"debug": True}, "debug build"),
        ({"headers": False}, "python3.12-dev"),
    ],
)
def test_others_are_passed_over_with_a_reason(facts, reason):
    assert reason in interpreters.refusal({**FINE, **facts})


def dev(*args, **env):
    return subprocess.run(
        [ROOT / "dev", *args],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=120,
        check=False,
        env={**os.environ, **env},
    )


def test_help_lists_every_command():
    done = dev("help")
    assert done.returncode == 0
    for name in commands.COMMANDS:
        assert f"./dev {name}" in done.stdout


def test_python_runs_the_interpreter_under_test_with_splice():
    program = "import sys, splice; print(sys.version_info[:2], sys.argv[1:])"
    done = dev("python", "-c", program, "a b", SPLICE_PYTHON=f"3.{sys.version_info[1]}")
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip().endswith(f"{tuple(sys.version_info[:2])} ['a b']")


def test_exit_status_is_the_programs():
    assert dev("python", "-c", "raise SystemExit(7)").returncode == 7


def test_unknown_names_are_refused():
    assert dev("frobnicate").returncode == 2
    assert "no such stage" in dev("test", "frobnicate").stderr
    assert "usage: ./dev wheel" in dev("wheel", "--into", "here").stderr
    assert "none of the usable" in dev("python", "-V", SPLICE_PYTHON="3.1").stderr


def test_a_stage_over_its_budget_fails(capsys):
    outcome, _ = stages._run_stage(stages.Stage("slow", -1, lambda _: stages.Outcome(passed=1)))
    assert outcome.failed == 1
    assert outcome.notes == ["slow: over its budget"]


def test_a_program_past_its_deadline_is_ended():
    command = [sys.executable, "-c", "import time; time.sleep(60)"]
    assert stages.run(command, deadline=0.0) == 124


def test_budgets_leave_what_the_build_is_given():
    assert sum(stage.minutes for stage in stages.STAGES) <= 45
