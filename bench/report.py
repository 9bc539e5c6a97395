"""Tables for people and JSON for later: what was measured, where, with which versions."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OUTPUT = ROOT / ".build" / "bench"


def machine() -> dict[str, object]:
    """What a reader needs to judge the figures."""
    return {
        "cpu": cpu_model(),
        "cores": os.cpu_count(),
        "load": [round(value, 2) for value in os.getloadavg()],
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "build": platform.python_compiler(),
        "compiler": compiler_version(),
        "versions": versions(),
        "time": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
    }


def cpu_model() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or "unknown"


def compiler_version() -> str:
    try:
        done = subprocess.run(
            [os.environ.get("CC", "cc"), "--version"], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return "none"
    return done.stdout.splitlines()[0]


def versions() -> dict[str, str]:
    from importlib import metadata

    found = {}
    for name in ("splice", "numba", "llvmlite", "pyperformance"):
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def print_machine() -> None:
    facts = machine()
    packages = ", ".join(f"{name} {version}" for name, version in facts["versions"].items())
    print(f"{facts['cpu']}, {facts['cores']} cores, load {facts['load'][0]}; {facts['system']}")
    print(f"{facts['python']}; {facts['compiler']}" + (f"; {packages}" if packages else ""))


def print_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """First column to the left, the others to the right."""
    widths = [max(len(str(row[i])) for row in [heads, *rows]) for i in range(len(heads))]
    for row in [heads, ["-" * width for width in widths], *rows]:
        cells = [str(row[0]).ljust(widths[0])]
        cells += [str(cell).rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        print("  ".join(cells).rstrip())
    sys.stdout.flush()


def save(name: str, content: dict[str, object]) -> Path:
    """Write `.build/bench/<name>.json` with the machine's facts beside `content`."""
    OUTPUT.mkdir(parents=True, exist_ok=True)
    path = OUTPUT / f"{name}.json"
    path.write_text(json.dumps({"machine": machine(), **content}, indent=1) + "\n")
    return path
