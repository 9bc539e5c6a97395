"""Where things are."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / ".build"
RELEASE = BUILD / "release"
SANITIZE = BUILD / "sanitize"
WHEELS = BUILD / "wheels"
PACKAGE = RELEASE / "python"  # holds splice/, what PYTHONPATH or a .pth file names
