"""The programs of examples/ print the same under Splice as under CPython, from start to end."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT))

from tools import under_splice  # noqa: E402

PROGRAMS = sorted((ROOT / "examples").glob("*.py"))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_same_output(program):
    plain, swapped = (
        subprocess.run([*command, str(program)], capture_output=True, text=True, timeout=120)
        for command in ([sys.executable], under_splice.command())
    )
    assert plain.returncode == 0
    assert swapped.stdout == plain.stdout
    assert (swapped.returncode, swapped.stderr) == (plain.returncode, plain.stderr)
