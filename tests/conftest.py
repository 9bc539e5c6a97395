"""Shared by all Python tests."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def pytest_report_header():
    """Which interpreter and which extension module are tested."""
    from splice import _splice

    return f"CPython {sys.version.split()[0]}, {_splice.__file__}"
