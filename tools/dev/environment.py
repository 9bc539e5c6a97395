"""Set-up: Debian packages, one virtual environment per interpreter, Splice importable in it."""

import hashlib
import os
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from dev import interpreters
from dev.interpreters import Interpreter
from dev.paths import PACKAGE, ROOT
from dev.run import Failed, need, run, say

REQUIREMENTS = ROOT / "requirements"
# The `splice` command of the environment; installing the package makes the same one.
_COMMAND = """#!{python}
import sys
from splice.cli import main
sys.exit(main())
"""


def debian_packages() -> None:
    """Installs the missing Debian packages as root; otherwise raises with the command to type."""
    text = (REQUIREMENTS / "debian.txt").read_text()
    wanted = [line for line in text.splitlines() if line and not line.startswith("#")]
    missing = [name for name in wanted if not _installed(name)]
    if not missing:
        return
    command = f"apt-get install -y --no-install-recommends {' '.join(missing)}"
    if not shutil.which("apt-get"):
        raise Failed(f"this is not a Debian; install what these packages hold: {missing}")
    if os.geteuid() != 0:
        raise Failed(f"Debian packages are missing; run:\n     sudo {command}")
    say(f"installing {' '.join(missing)}")
    quiet = {"DEBIAN_FRONTEND": "noninteractive"}
    need(["apt-get", "update", "-q"], env=quiet)
    need(command.replace("install", "install -q", 1).split(), env=quiet)


def _installed(package: str) -> bool:
    if not shutil.which("dpkg-query"):
        return False
    query = ["dpkg-query", "-W", "-f", "${Status}", package]
    answer = subprocess.run(query, capture_output=True, text=True, check=False)
    return answer.stdout.startswith("install ok installed")


def environment(interpreter: Interpreter, *sets: str) -> None:
    """Makes the interpreter's environment hold requirements/SET.txt for each of `sets`."""
    stamp = interpreter.venv / "splice-base"
    base = f"{interpreter.base} {interpreter.version}"
    if not stamp.is_file() or stamp.read_text() != base:
        say(f"making {interpreter.venv.relative_to(ROOT)} with {interpreter.base}")
        shutil.rmtree(interpreter.venv, ignore_errors=True)
        if run([interpreter.base, "-m", "venv", interpreter.venv]):
            hint = f"(Debian's own: apt-get install python{interpreter.name}-venv)"
            raise Failed(f"{interpreter.base} cannot make a virtual environment {hint}")
        _make_importable(interpreter)
        stamp.write_text(base)
    for name in sets:
        _install(interpreter, name)


def _install(interpreter: Interpreter, name: str) -> None:
    path = REQUIREMENTS / f"{name}.txt"
    stamp = interpreter.venv / f"splice-{name}"
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    if stamp.is_file() and stamp.read_text() == digest:
        return
    say(f"{interpreter.name}: installing {re.sub(chr(10), ' ', path.read_text().strip())}")
    pip = [interpreter.python, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    need([*pip, "-r", path])
    stamp.write_text(digest)


def _make_importable(interpreter: Interpreter) -> None:
    """A .pth file and not PYTHONPATH: it holds for `python -I` and every child process too."""
    site = interpreter.venv / "lib" / f"python{interpreter.name}" / "site-packages"
    (site / "splice-build.pth").write_text(f"{PACKAGE}\n")
    command = interpreter.venv / "bin" / "splice"
    command.write_text(_COMMAND.format(python=interpreter.python))
    command.chmod(0o755)


def set_up() -> tuple[Interpreter, ...]:
    """Everything the build and the tests need; returns the interpreters."""
    debian_packages()
    found = interpreters.find()
    with ThreadPoolExecutor() as pool:
        list(pool.map(lambda each: environment(each, "build", "test"), found))
    environment(found[-1], "lint")
    return found


def tool(name: str) -> Path:
    """A program of requirements/lint.txt."""
    return interpreters.find()[-1].venv / "bin" / name
