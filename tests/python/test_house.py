"""The checks of the house find what they are for."""

import importlib.util
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def load(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


check_layers = load("check_layers")
check_sizes = load("check_sizes")


@pytest.fixture
def house(tmp_path):
    """A small tree with three layers that obeys its rules."""
    (tmp_path / "LAYERS.toml").write_text(
        "[low]\nrank = 0\nuses = []\n"
        '[high]\nrank = 1\nuses = ["low"]\npython = true\n'
        '[gen]\nrank = 1\nuses = ["low"]\nllvm = true\n'
    )
    for name, depends in {
        "low": "",
        "high": "PER_PYTHON DEPENDS low",
        "gen": "DEPENDS low",
    }.items():
        folder = tmp_path / "src" / name
        folder.mkdir(parents=True)
        (folder / "CMakeLists.txt").write_text(f"splice_layer(NAME {name} {depends})\n")
    (tmp_path / "src/low/a.h").write_text("#include <vector>\n")
    (tmp_path / "src/high/b.cpp").write_text('#include <Python.h>\n#include "low/a.h"\n')
    (tmp_path / "src/gen/c.cpp").write_text(
        '#include <llvm/Passes/PassBuilder.h>\n#include "low/a.h"\n'
    )
    return tmp_path


def test_this_tree_obeys():
    assert list(check_layers.check(ROOT)) == []


def test_obedient_tree_passes(house):
    assert list(check_layers.check(house)) == []


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        ("src/low/a.h", '#include "high/b.h"', "[low] may not use high"),
        ("src/low/a.h", "#include <Python.h>", "may not include Python"),
        ("src/high/b.cpp", "#include <llvm/IR/Module.h>", "LLVM is included by codegen only"),
        ("src/high/b.cpp", "#include <nanobind/nanobind.h>", "by bind only"),
        ("src/high/b.cpp", '#include "a.h"', 'as "folder/file.h"'),
        ("src/high/b.cpp", '#include "low/gone.h"', "no such file"),
        ("src/high/b.cpp", "#include <low/a.h>", 'with ""'),
        ("src/gen/d.cpp", "#include <llvm/Passes/PassBuilder.h>", "one file may include it"),
        ("src/gen/CMakeLists.txt", "splice_layer(NAME gen)", "DEPENDS differs"),
        ("src/high/CMakeLists.txt", "splice_layer(NAME high DEPENDS low)", "PER_PYTHON differs"),
    ],
)
def test_layer_violation_is_found(house, path, text, found):
    (house / path).write_text(text + "\n")
    problems = list(check_layers.check(house))
    assert any(found in problem for problem in problems), problems


def test_folder_and_row_must_match(house):
    (house / "src/extra").mkdir()
    shutil.rmtree(house / "src/gen")
    problems = "\n".join(check_layers.check(house))
    assert "src/extra: has no row" in problems
    assert "[gen] has no folder" in problems


def test_a_layer_uses_lower_ranks_only(house):
    table = house / "LAYERS.toml"
    table.write_text(table.read_text().replace("uses = []", 'uses = ["gen"]'))
    assert any("not of a lower rank" in problem for problem in check_layers.check(house))


def test_long_files_are_found(tmp_path):
    lengths = {"fine.py": 600, "smell.py": 601, "long.cpp": 1001, "data.json": 5000}
    for name, lines in lengths.items():
        (tmp_path / name).write_text("\n" * lines)
    smells, failures = check_sizes.check(sorted(tmp_path.iterdir()))
    assert len(smells) == 1 and "smell.py" in smells[0]
    assert len(failures) == 1 and "long.cpp" in failures[0]
