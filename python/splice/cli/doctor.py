"""`splice doctor`: what this machine has, and what is switched off for want of it."""

from __future__ import annotations

import json
import platform
import sys

import splice
from splice import _splice

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="as one JSON object")


def findings() -> dict[str, Any]:
    """Everything the command prints, by name."""
    return {
        "splice": splice.__version__,
        "interpreter": f"{platform.python_implementation()} {platform.python_version()}",
        "executable": sys.executable,
        "machine": platform.machine(),
        **_splice.doctor(),
    }


def run(options: argparse.Namespace) -> int:
    found = findings()
    if options.json:
        print(json.dumps(found, indent=2))
        return 0
    width = max(map(len, found))
    for name, value in found.items():
        text = ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
        print(f"{name.replace('_', ' '):{width}}  {text}")
    return 0
