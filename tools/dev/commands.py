"""./dev COMMAND: everything a developer of Splice types.

One docstring per command is its help; `./dev help` prints them all. Every command sets up what it
needs first, so `./dev test` works on a fresh clone. SPLICE_PYTHON (a version such as 3.12, or a
path) chooses the interpreter of `python`, `demo`, `bench` and `fuzz`; the default is the newest.
"""

import os
import sys
from collections.abc import Callable
from pathlib import Path

from dev import build, environment, interpreters, stages, wheel
from dev.paths import ROOT, WHEELS
from dev.run import Failed, need


def setup(args: list[str]) -> int:
    """setup             install Debian packages (as root), find interpreters, make .build/venv-*"""
    _none(args)
    for interpreter in environment.set_up():
        print(f"CPython {'.'.join(map(str, interpreter.version))}: {interpreter.python}")
    return 0


def build_(args: list[str]) -> int:
    """build             build the extension for every interpreter into .build/release"""
    _none(args)
    build.release(environment.set_up())
    return 0


def demo(args: list[str]) -> int:
    """demo              programs under CPython and under Splice: time, ratio, same output"""
    return _script("tools/demo.py", args)


def test(args: list[str]) -> int:
    """test [STAGE...]   setup lint build cpp python wheel suites sanitize fuzz: all, or those"""
    return stages.run_stages(args)


def bench(args: list[str]) -> int:
    """bench NAME ARGS   run bench/NAME/run.py (elements harm jit) with the peers it measures"""
    names = sorted(path.parent.name for path in ROOT.glob("bench/*/run.py"))
    if not args or args[0] not in names:
        hint = f"./dev bench {names[0]} --help lists what there is"
        raise Failed(f"usage: ./dev bench {'|'.join(names)} [ARGS]; {hint}")
    environment.set_up()
    environment.environment(interpreters.project(), "bench")
    return _script(f"bench/{args[0]}/run.py", args[1:])


def fuzz(args: list[str]) -> int:
    """fuzz ARGS         generated programs against CPython (fuzz/run.py)"""
    return _script("fuzz/run.py", args)


def wheel_(args: list[str]) -> int:
    """wheel [--out DIR] a manylinux wheel for every interpreter, into DIR or .build/wheels"""
    if args and (len(args) != 2 or args[0] != "--out"):
        raise Failed("usage: ./dev wheel [--out DIR]")
    build_([])
    for interpreter in interpreters.find():
        wheel.build(interpreter, Path(args[1]) if args else WHEELS)
    return 0


def lint(args: list[str]) -> int:
    """lint [--fix]      layers, file sizes, clang-format, ruff; --fix formats in place"""
    if args not in ([], ["--fix"]):
        raise Failed("usage: ./dev lint [--fix]")
    environment.environment(interpreters.find()[-1], "lint")
    outcome = stages.lint(None, fix=bool(args))
    return 1 if outcome.failed else 0


def docs(args: list[str]) -> int:
    """docs              run every fenced block of README.md and docs/ with every interpreter"""
    _none(args)
    build_([])
    for interpreter in interpreters.find():
        command = [interpreter.python, "-m", "pytest", "-q", "tests/docs"]
        need(command, env={"SPLICE_PYTHON": str(interpreter.base)})
    return 0


def python(args: list[str]) -> int:
    """python ARGS       the project's interpreter with Splice importable"""
    interpreter = interpreters.project()
    if not _built(interpreter):
        build_([])
    _replace(interpreter, args)


def help_(args: list[str]) -> int:
    """help              this text"""
    _none(args)
    print(__doc__.strip(), end="\n\n")
    for command in COMMANDS.values():
        print(f"  ./dev {command.__doc__}")
    return 0


def _script(name: str, args: list[str]) -> int:
    if not (ROOT / name).is_file():
        raise Failed(f"{name} does not exist")
    build_([])
    _replace(interpreters.project(), [str(ROOT / name), *args])


def _replace(interpreter: interpreters.Interpreter, args: list[str]) -> None:
    """Becomes the interpreter, as seen by a user: in the folder and environment of the caller."""
    path = f"{interpreter.venv / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}"
    sys.stdout.flush()
    os.execve(interpreter.python, [str(interpreter.python), *args], {**os.environ, "PATH": path})


def _built(interpreter: interpreters.Interpreter) -> bool:
    suffix = f"cpython-{interpreter.name.replace('.', '')}-*.so"
    return interpreter.python.exists() and any(
        Path(environment.PACKAGE, "splice").glob(f"_splice.{suffix}")
    )


def _none(args: list[str]) -> None:
    if args:
        raise Failed(f"unexpected: {' '.join(args)}")


COMMANDS: dict[str, Callable[[list[str]], int]] = {
    "setup": setup,
    "build": build_,
    "demo": demo,
    "test": test,
    "bench": bench,
    "fuzz": fuzz,
    "wheel": wheel_,
    "lint": lint,
    "docs": docs,
    "python": python,
    "help": help_,
}


def main() -> int:
    """Command line."""
    name, *args = sys.argv[1:] or ["help"]
    name = {"-h": "help", "--help": "help"}.get(name, name)
    if name not in COMMANDS:
        print(f"dev: no command {name}; see ./dev help", file=sys.stderr)
        return 2
    try:
        return COMMANDS[name](args)
    except Failed as problem:
        print(f"dev: {problem}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
