"""Every program of this folder gives the same output, errors and exit status with and without Splice.

A program names in a comment `# compiled: f, g` the functions that must have been native, so that the
comparison cannot pass because nothing was compiled.
"""

import functools
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parent
PROGRAMS = sorted(
    path for path in FOLDER.glob("*.py") if not path.name.startswith(("_", "test_", "conftest"))
)


def execute(program, report=None, **environment):
    """(stdout, stderr, status) of a program, addresses left out."""
    done = subprocess.run(
        [
            sys.executable,
            str(FOLDER / "_loader.py"),
            str(program),
            *([str(report)] if report else []),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "PYTHONHASHSEED": "0", **environment},
    )
    return normal(done.stdout), normal(done.stderr), done.returncode


@functools.cache
def reference(program):
    return execute(program, SPLICE_DISABLE="1")


def normal(text):
    return re.sub(r"0x[0-9a-f]{8,}", "0x...", text)


def named(program):
    """The functions of the `# compiled:` comments."""
    lines = re.findall(r"^# compiled: (.*)$", program.read_text(), re.MULTILINE)
    return {name.strip() for line in lines for name in line.split(",") if name.strip()}


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_same_as_cpython(program, tmp_path):
    report = tmp_path / "native.json"
    plain = reference(program)
    compiled = execute(program, report)
    assert compiled[0] == plain[0]
    assert compiled[1:] == plain[1:]
    assert plain[2] == 0, plain[1]
    assert plain[0].count("\n") > 3
    native = set(json.loads(report.read_text()))
    assert named(program) <= native, f"not compiled: {sorted(named(program) - native)}"


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_same_with_guards_that_fail_for_a_test(program):
    """SPLICE_CHAOS: every guard and poll fails once, so that every way out is taken."""
    assert execute(program, SPLICE_CHAOS="7") == reference(program)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_same_with_loops_that_are_hot_at_once(program):
    assert execute(program, SPLICE_HOT_ROUNDS="5") == reference(program)


def test_disabled_means_nothing_is_compiled(tmp_path):
    report = tmp_path / "native.json"
    execute(FOLDER / "integers.py", report, SPLICE_DISABLE="1")
    assert json.loads(report.read_text()) == []


def test_most_programs_name_what_must_be_compiled():
    assert sum(1 for program in PROGRAMS if named(program)) >= 0.7 * len(PROGRAMS)
