"""Building with CMake and Ninja into .build/."""

import os
import subprocess
from pathlib import Path

from dev.interpreters import Interpreter
from dev.paths import RELEASE, SANITIZE
from dev.run import need


def release(found: tuple[Interpreter, ...], deadline: float | None = None) -> None:
    """The extension for each interpreter and all C++ tests, in .build/release."""
    pythons = ";".join(str(interpreter.python) for interpreter in found)
    _build("release", RELEASE, [f"-DSPLICE_PYTHONS={pythons}"], deadline)


def sanitize(deadline: float | None = None) -> None:
    """The C++ tests of the layers without Python under ASan and UBSan, in .build/sanitize."""
    _build("sanitize", SANITIZE, [], deadline)


def _build(preset: str, folder: Path, options: list[str], deadline: float | None) -> None:
    need(["cmake", "--preset", preset, "-DSPLICE_WERROR=ON", *options], deadline=deadline)
    jobs = os.environ.get("SPLICE_JOBS") or str(os.cpu_count() or 2)
    need(["ninja", "-C", folder, "-j", jobs], deadline=deadline)


def test_programs(folder: Path) -> list[Path]:
    """The C++ test programs that the build in `folder` knows (never stale ones)."""
    listing = subprocess.run(
        ["ninja", "-C", str(folder), "-t", "targets", "all"],
        capture_output=True,
        text=True,
        check=True,
    )
    names = [line.split(":")[0] for line in listing.stdout.splitlines()]
    wanted = sorted(name for name in names if name.endswith("_test") and name.startswith("src/"))
    return [folder / name for name in wanted]
