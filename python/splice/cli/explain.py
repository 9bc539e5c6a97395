"""`splice explain FILE:FUNCTION`: run a file under Splice and say what became of a function."""

from __future__ import annotations

import runpy
import sys

import splice

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

STAGES = ("summary", "types", "ir", "llvm", "asm")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", metavar="FILE:FUNCTION", help="app.py:step or app.py:Model.step")
    parser.add_argument("--stage", choices=STAGES, default="summary", help="what to show")
    parser.add_argument("--call", metavar="ARGS", help='arguments to call it with: "10, 2.5"')


def run(options: argparse.Namespace) -> int:
    file, colon, name = options.target.rpartition(":")
    if not colon:
        print("splice: the target must be FILE:FUNCTION", file=sys.stderr)
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
    splice.jit(found)
    if options.call is not None:
        arguments = eval(f"({options.call.rstrip().rstrip(',')},)", namespace)  # noqa: S307
        found(*arguments)
    print(splice.explain(found, options.stage), end="")
    return 0
