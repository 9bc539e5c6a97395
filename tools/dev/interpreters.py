"""Finding the CPython interpreters of this machine that Splice is built for."""

import functools
import json
import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from dev.paths import BUILD
from dev.run import Failed, say

SUPPORTED = ((3, 12), (3, 13))

# Run by each candidate: facts about the base interpreter, also when it is one of a venv.
_FACTS = """
import json, os, sys, sysconfig
print(json.dumps({
    "executable": os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable),
    "implementation": sys.implementation.name,
    "version": list(sys.version_info[:3]),
    "release": sys.version_info.releaselevel,
    "free_threaded": bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
    "debug": bool(sysconfig.get_config_var("Py_DEBUG")),
    "headers": os.path.isfile(os.path.join(sysconfig.get_path("include"), "Python.h")),
}))
"""


@dataclass(frozen=True)
class Interpreter:
    """One CPython that Splice is built for, and the environment it gets under .build/."""

    base: Path
    version: tuple[int, int, int]

    @property
    def name(self) -> str:
        """The minor version, what SPLICE_PYTHON takes: 3.12."""
        return f"{self.version[0]}.{self.version[1]}"

    @property
    def venv(self) -> Path:
        """Its virtual environment."""
        return BUILD / f"venv-{self.name}"

    @property
    def python(self) -> Path:
        """The interpreter in its environment."""
        return self.venv / "bin" / "python"


def candidates() -> list[str]:
    """Programs that may be a CPython, best first: SPLICE_PYTHON, PATH, pyenv, fixed folders."""
    found = []
    chosen = os.environ.get("SPLICE_PYTHON", "")
    if "/" in chosen:
        found.append(chosen)
    names = re.compile(r"python3(\.\d+t?)?$")
    folders = [Path(entry) for entry in os.environ.get("PATH", "").split(os.pathsep) if entry]
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    if pyenv.is_dir():
        newest = sorted(pyenv.iterdir(), key=lambda path: _numbers(path.name), reverse=True)
        folders += [path / "bin" for path in newest]
    folders += [Path("/usr/local/bin"), Path("/usr/bin")]
    for folder in folders:
        if folder.is_dir() and folder.name != "shims":
            found += sorted(str(path) for path in folder.iterdir() if names.match(path.name))
    return found


def _numbers(name: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", name))


def refusal(facts: dict) -> str | None:
    """Why Splice is not built for an interpreter with these facts; None when it is."""
    version = tuple(facts["version"][:2])
    if facts["implementation"] != "cpython":
        return f"is {facts['implementation']}, not CPython"
    if facts["free_threaded"]:
        return "is a free-threaded build, which Splice does not support"
    if version > SUPPORTED[-1]:
        return f"is newer than {SUPPORTED[-1][0]}.{SUPPORTED[-1][1]}, the newest one supported"
    if facts["release"] != "final":
        return "is a pre-release"
    if facts["debug"]:
        return "is a debug build"
    if not facts["headers"]:
        return f"has no Python.h (Debian: apt-get install python{version[0]}.{version[1]}-dev)"
    return None


@functools.cache
def find() -> tuple[Interpreter, ...]:
    """The interpreters to build for, one per supported minor version, oldest first."""
    chosen: dict[tuple[int, int], Interpreter] = {}
    seen = set()
    for program in candidates():
        real = os.path.realpath(program)
        if real in seen:
            continue
        seen.add(real)
        answer = subprocess.run(
            [program, "-I", "-c", _FACTS], capture_output=True, text=True, check=False
        )
        if answer.returncode or not answer.stdout.startswith("{"):
            continue
        facts = json.loads(answer.stdout)
        version = tuple(facts["version"])
        if version < (*SUPPORTED[0], 0):
            continue
        reason = refusal(facts)
        if reason:
            say(f"passing over {program} ({'.'.join(map(str, version))}): it {reason}")
            continue
        chosen.setdefault(version[:2], Interpreter(Path(facts["executable"]), version))
    if not chosen:
        raise Failed(
            "no CPython 3.12 or 3.13 with headers on PATH, in pyenv, /usr/local/bin or /usr/bin;\n"
            "     install one (pyenv install 3.13) or name it: SPLICE_PYTHON=/path/to/python"
        )
    return tuple(chosen[version] for version in sorted(chosen))


def project() -> Interpreter:
    """The one that `./dev python` runs: SPLICE_PYTHON (a version or a path), or the newest."""
    found = find()
    wanted = os.environ.get("SPLICE_PYTHON", "")
    if not wanted:
        return found[-1]
    for interpreter in found:
        path = Path(wanted)
        same_file = "/" in wanted and path.exists() and path.resolve() == interpreter.base
        same_venv = "/" in wanted and path.absolute() == interpreter.python
        if same_file or same_venv or wanted == interpreter.name:
            return interpreter
    names = ", ".join(interpreter.name for interpreter in found)
    raise Failed(f"SPLICE_PYTHON={wanted} is none of the usable interpreters: {names}")
