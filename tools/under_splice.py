"""How a program is run under Splice. One place, used by the demo, the benches and the tests."""

from __future__ import annotations

import sys


def command() -> list[str]:
    """Return what stands before the path of a program that should run under Splice."""
    return [sys.executable, "-m", "splice", "run"]
