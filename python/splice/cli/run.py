"""`splice run PROGRAM`: run a program as `python PROGRAM` does, with its hot functions native.

Not built on argparse: what belongs to the program must reach it untouched, and argparse alone would
take half of the time that a start may cost.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from typing import NoReturn

HELP = """\
usage: splice run [--report[=FILE]] [PYTHON OPTIONS] PROGRAM [ARGUMENTS]

Run a program as `python` would, and compile its hot functions to machine code while it runs.

PROGRAM is one of
  app.py        a file; also a folder or a zip archive with a __main__.py
  -m module     a module or package
  -c command    a program given as text
  -             what comes on standard input

options:
  -h, --help      show this help message and exit
  --report        at exit, say on standard error which functions became native and why not
  --report=FILE   the same, to a file
  -W, -X, -O, ... the options of `python`; they can also stand between `python` and `-m splice`
"""

#: Options of `python` that take no value, in any combination, and those that do.
FLAGS = frozenset("bBdEiIOPqRsSuvVx?")
WITH_VALUE = frozenset("WX")
PROGRAM_KINDS = {"c": "command", "m": "module"}


class UsageError(Exception):
    """The command line makes no sense; the text says why."""


class CommandLine:
    """A command line taken apart."""

    def __init__(self) -> None:
        #: For `python` itself.
        self.python_options: list[str] = []
        #: None: no report; "": to standard error.
        self.report: str | None = None
        self.help = False
        #: "file", "module", "command" or "stdin"; None when the line ends before a program.
        self.kind: str | None = None
        self.name = ""
        #: What sys.argv begins with.
        self.argv: list[str] = [""]
        #: From the program on, as typed.
        self.program: list[str] = []


def take_apart(arguments: Sequence[str]) -> CommandLine:
    """Raises UsageError."""
    line = CommandLine()
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        if word in ("-h", "--help"):
            line.help = True
            return line
        if word == "--report" or word.startswith("--report="):
            line.report = word.partition("=")[2]
        elif word == "--check-hash-based-pycs":
            line.python_options += [word, value_of(word, "", rest)]
        elif word == "--version":
            line.python_options.append("-V")
        elif word == "--" and rest:
            word = rest.pop(0)
            line.kind, line.name = "file", word
            line.argv = [word, *rest]
            line.program = ["--", word, *rest]
            return line
        elif word == "-" or not word.startswith("-"):
            line.kind, line.name = ("stdin", "") if word == "-" else ("file", word)
            line.argv = [word, *rest]
            line.program = [word, *rest]
            return line
        elif word.startswith("--"):
            raise UsageError(f"unknown option {word}")
        elif take_cluster(line, word, rest):
            return line
    if not sys.stdin or not sys.stdin.isatty():
        line.kind = "stdin"
    return line


def take_cluster(line: CommandLine, word: str, rest: list[str]) -> bool:
    """Options behind one dash, as in -Bm; whether they named the program."""
    for place, letter in enumerate(word[1:], 1):
        if letter in FLAGS:
            continue
        tail = word[place + 1 :]
        if letter in WITH_VALUE:
            line.python_options += [word[: place + 1], value_of(f"-{letter}", tail, rest)]
            return False
        if letter not in PROGRAM_KINDS:
            raise UsageError(f"unknown option -{letter}")
        if place > 1:
            line.python_options.append(word[:place])
        line.program = [f"-{letter}{tail}", *rest]
        line.kind = PROGRAM_KINDS[letter]
        line.name = value_of(f"-{letter}", tail, rest)
        line.argv = [f"-{letter}", *rest]
        return True
    line.python_options.append(word)
    return False


def value_of(option: str, tail: str, rest: list[str]) -> str:
    if tail:
        return tail
    if not rest:
        raise UsageError(f"argument expected for the {option} option")
    return rest.pop(0)


def start_again(line: CommandLine) -> NoReturn:
    """The options of `python` are for an interpreter that has not started yet."""
    own = len(sys.argv) - 1
    before = sys.orig_argv[1 : len(sys.orig_argv) - own]
    report = [] if line.report is None else [f"--report={line.report}".removesuffix("=")]
    os.execv(
        sys.executable,
        [sys.orig_argv[0], *line.python_options, *before, "run", *report, *line.program],
    )


def forget_imports() -> None:
    """Leave in sys.modules what is there when `python` starts a program, and Splice.

    Whatever start-up imports is there before `site` is done; what came later is ours or runpy's.
    The program imports its own copies.
    """
    names = list(sys.modules)
    first = names.index("site" if "site" in names else "__main__") + 1
    for name in names[first:]:
        if name.partition(".")[0] == "splice" or (name == "warnings" and sys.warnoptions):
            continue
        module = sys.modules.pop(name)
        parent, _, child = name.rpartition(".")
        if vars(sys.modules.get(parent, sys)).get(child) is module:
            delattr(sys.modules[parent], child)


def fresh_main() -> None:
    """A `__main__` as the interpreter makes it before it looks at the program."""
    main = type(sys)("__main__")
    main.__loader__ = sys.modules["_frozen_importlib"].BuiltinImporter
    main.__annotations__ = {}
    main.__builtins__ = sys.modules["builtins"]
    sys.modules["__main__"] = main


def start(line: CommandLine) -> NoReturn:
    """Run the program and end the process."""
    from splice import _promotion, _splice

    name = line.name
    if line.kind == "command":
        name += "\n"
    elif line.kind == "file" and not name.startswith("/"):
        # As the interpreter does it: nothing is normalised.
        name = os.getcwd() if name in ("", ".") else f"{os.getcwd()}/{name}"
    sys.argv = list(line.argv)
    if not sys.flags.safe_path:
        del sys.path[0]  # our own; the program gets its own
    _promotion.start(line.report)
    forget_imports()
    fresh_main()
    _splice.run_main_program(line.kind, name, line.argv)
    raise AssertionError("a program that was started does not come back")


def main(arguments: Sequence[str]) -> int:
    """Run the command line behind `splice run`; returns only when there is no program to run."""
    try:
        line = take_apart(arguments)
        if line.kind is None and not line.help:
            raise UsageError("no program")
    except UsageError as error:
        print(f"splice run: {error}\nTry 'splice run --help'.", file=sys.stderr)
        return 2
    if line.help:
        print(HELP, end="")
        return 0
    if line.python_options:
        start_again(line)
    start(line)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """For `splice --help` only: a command line that begins with `run` never gets to argparse."""
    parser.usage = HELP.partition("\n")[0].removeprefix("usage: ")
