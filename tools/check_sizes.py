"""Checks that files stay small: 600 lines is a smell (printed), 1000 fails.

    python tools/check_sizes.py [ROOT]

Looks at every C++, Python and CMake file that git knows or would add.
"""

import subprocess
import sys
from pathlib import Path

SMELL, LIMIT = 600, 1000
SUFFIXES = {".h", ".cpp", ".inc", ".py", ".cmake"}


def tracked(root: Path) -> list[Path]:
    """Files of the work tree, less the ignored ones."""
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
    )
    return [root / name for name in listing.stdout.split("\0") if name]


def check(files: list[Path]) -> tuple[list[str], list[str]]:
    """(smells, failures) among `files`, as lines to print."""
    smells, failures = [], []
    for path in files:
        if path.suffix not in SUFFIXES or not path.is_file():
            continue
        lines = len(path.read_text(errors="replace").splitlines())
        if lines > LIMIT:
            failures.append(f"{path}: {lines} lines, the limit is {LIMIT}")
        elif lines > SMELL:
            smells.append(f"{path}: {lines} lines, more than {SMELL}: split it soon")
    return smells, failures


def main() -> int:
    """Command line."""
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[1]
    smells, failures = check(tracked(root))
    for line in smells + failures:
        print(line)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
