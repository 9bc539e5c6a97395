"""`splice explain FILE:FUNCTION`: run a file under Splice and say what became of a function."""

from __future__ import annotations

import os
import runpy
import sys
import traceback

import splice

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

STAGES = ("summary", "types", "ir", "llvm", "asm")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "target",
        metavar="FILE:FUNCTION",
        help="app.py:step or app.py:Model.step; the file is executed, but not as __main__",
    )
    parser.add_argument("--stage", choices=STAGES, default="summary", help="what to show")
    parser.add_argument("--call", metavar="ARGS", help='arguments to call it with: "10, 2.5"')


def run(options: argparse.Namespace) -> int:
    file, colon, name = options.target.rpartition(":")
    if not colon:
        print("splice: the target must be FILE:FUNCTION", file=sys.stderr)
        return 2
    if not os.path.exists(file):
        print(f"splice: there is no file {file}", file=sys.stderr)
        return 2
    # Not __main__: only the definitions are wanted.
    namespace = runpy.run_path(file, run_name="splice_explain")
    found: Any = namespace
    for part in name.split("."):
        try:
            found = found[part] if found is namespace else getattr(found, part)
        except (KeyError, AttributeError):
            print(f"splice: {file} has no {name}", file=sys.stderr)
            return 1
    try:
        splice.jit(found)
    except TypeError as error:
        print(f"splice: {options.target}: {error}", file=sys.stderr)
        return 1
    failed = False
    if options.call is not None:
        try:
            arguments = eval(f"({options.call.rstrip().rstrip(',')},)", namespace)  # noqa: S307
        except Exception as error:  # whatever the text does
            print(f"splice: --call {options.call!r}: {error}", file=sys.stderr)
            return 2
        try:
            found(*arguments)
        except Exception as error:  # the explanation says where native code ended
            failed = True
            shown = traceback.format_exception(type(error), error, error.__traceback__.tb_next)
            print("".join(shown), end="", file=sys.stderr)
    print(splice.explain(found, options.stage), end="")
    return 1 if failed else 0
