"""Checks src/ against LAYERS.toml: who may include whom, Python.h, LLVM, nanobind, CMake.

    python tools/check_layers.py [ROOT]

Prints one line per violation, `file:line: text`, and exits with 1 when there is any.
"""

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
DEPENDS = re.compile(r"splice_layer\((?P<body>[^)]*)\)", re.DOTALL)
SOURCES = {".h", ".cpp", ".inc"}


def check(root: Path) -> Iterator[str]:
    """Yields the violations found in the tree at `root`."""
    layers = tomllib.loads((root / "LAYERS.toml").read_text())
    folders = {path.name for path in (root / "src").iterdir() if path.is_dir()}
    for name in sorted(folders - set(layers)):
        yield f"src/{name}: has no row in LAYERS.toml"
    for name in sorted(set(layers) - folders):
        yield f"LAYERS.toml: [{name}] has no folder in src/"
    for name, row in layers.items():
        yield from check_row(name, row, layers)
        if name in folders:
            yield from check_cmake(root, name, row)
            yield from check_sources(root, name, row, layers)


def check_row(name: str, row: dict, layers: dict) -> Iterator[str]:
    """A layer may only use layers of a lower rank."""
    for used in row["uses"]:
        if used not in layers:
            yield f"LAYERS.toml: [{name}] uses {used}, which has no row"
        elif layers[used]["rank"] >= row["rank"]:
            yield f"LAYERS.toml: [{name}] uses {used}, which is not of a lower rank"


def check_cmake(root: Path, name: str, row: dict) -> Iterator[str]:
    """The build's idea of the dependencies is the table's (bind states its own)."""
    path = root / "src" / name / "CMakeLists.txt"
    if not path.is_file():
        yield f"src/{name}: has no CMakeLists.txt"
        return
    found = DEPENDS.search(path.read_text())
    if not found:
        return
    words = found["body"].split()
    depends = []
    if "DEPENDS" in words:
        for word in words[words.index("DEPENDS") + 1 :]:
            if word.isupper():
                break
            depends.append(word)
    if sorted(depends) != sorted(row["uses"]):
        yield f"src/{name}/CMakeLists.txt:1: DEPENDS differs from `uses` of [{name}]"
    if ("PER_PYTHON" in words) != row.get("python", False):
        yield f"src/{name}/CMakeLists.txt:1: PER_PYTHON differs from `python` of [{name}]"


def check_sources(root: Path, name: str, row: dict, layers: dict) -> Iterator[str]:
    """Every #include of the folder is one its row allows."""
    pass_builders = []
    for path in sorted((root / "src" / name).rglob("*")):
        if path.suffix not in SOURCES:
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            quote, target = match.groups()
            if target == "llvm/Passes/PassBuilder.h":
                pass_builders.append(path)
            for problem in include_problems(root, name, row, layers, quote, target):
                yield f"{path.relative_to(root)}:{number}: {problem}"
    if len(pass_builders) > 1:
        names = ", ".join(path.name for path in pass_builders)
        yield f"src/{name}: PassBuilder.h is slow to compile, one file may include it: {names}"


def include_problems(
    root: Path, name: str, row: dict, layers: dict, quote: str, target: str
) -> Iterator[str]:
    """What is wrong with one #include of layer `name`."""
    first = target.split("/", maxsplit=1)[0]
    python = target == "Python.h" or first in ("internal", "cpython")
    if quote == '"' and not python:
        if first not in layers:
            yield f'"{target}": our own headers are included as "folder/file.h"'
        elif first != name and first not in row["uses"]:
            yield f'"{target}": [{name}] may not use {first}'
        elif not (root / "src" / target).is_file():
            yield f'"{target}": no such file'
    elif first in layers and (root / "src" / target).is_file():
        yield f'<{target}>: our own headers are included with ""'
    if python and not row.get("python"):
        yield f"<{target}>: [{name}] is compiled once and may not include Python"
    if first in ("llvm", "llvm-c") and not row.get("llvm"):
        yield f"<{target}>: LLVM is included by codegen only"
    if first == "nanobind" and not row.get("nanobind"):
        yield f"<{target}>: nanobind is included by bind only"


def main() -> int:
    """Command line."""
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[1]
    problems = list(check(root))
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
