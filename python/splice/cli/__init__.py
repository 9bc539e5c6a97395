"""The `splice` command. Each sub-command is a module here with `add_arguments` and `run`; only
`run` itself has `main`, and takes its command line apart without argparse.
"""

from __future__ import annotations

import sys
from importlib import import_module

import splice

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

#: Sub-command (a module of this package) and what `splice --help` says of it.
COMMANDS = {
    "doctor": "say what this machine and interpreter offer",
    "explain": "say how a function of a file is compiled, and why not",
    "run": "run a program with its hot functions native",
}


def parser_for(names: Sequence[str]) -> argparse.ArgumentParser:
    """The parser, with the arguments of only those sub-commands filled in: imports cost time."""
    import argparse

    parser = argparse.ArgumentParser(prog="splice", description=splice.__doc__.splitlines()[0])
    parser.add_argument("--version", action="version", version=f"splice {splice.__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, text in COMMANDS.items():
        command = commands.add_parser(name, help=text, description=text.capitalize() + ".")
        if name in names:
            import_module(f"splice.cli.{name}").add_arguments(command)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    if arguments[:1] == ["--"]:
        del arguments[0]
    if arguments[:1] == ["run"]:
        # Not through argparse: the start of a program must cost nothing that can be avoided.
        from splice.cli import run

        return run.main(arguments[1:])
    named = [argument for argument in arguments if argument in COMMANDS][:1]
    options = parser_for(named).parse_args(arguments)
    try:
        return import_module(f"splice.cli.{options.command}").run(options)
    except splice.Error as error:
        print(f"splice: {error}", file=sys.stderr)
        return 1
