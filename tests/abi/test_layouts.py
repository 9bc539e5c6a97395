"""The layouts Splice is compiled with, against the headers of the interpreter that runs this."""

import os
import pathlib
import shutil
import subprocess
import sysconfig

import pytest

HERE = pathlib.Path(__file__).parent
SOURCES = sorted(HERE.glob("*.cpp"))


def compile_only(source: pathlib.Path) -> subprocess.CompletedProcess:
    compiler = shutil.which(os.environ.get("CXX", "g++")) or "c++"
    return subprocess.run(
        [
            compiler,
            "-std=c++20",
            "-fsyntax-only",
            f"-I{HERE.parent.parent / 'src'}",
            "-isystem",
            sysconfig.get_paths()["include"],
            str(source),
        ],
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize("source", SOURCES, ids=lambda p: p.stem)
def test_layout_is_that_of_the_headers(source):
    done = compile_only(source)
    assert done.returncode == 0, done.stderr
