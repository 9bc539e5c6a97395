"""The wheel: complete, the same bytes twice, and native in an environment that has nothing else."""

import base64
import csv
import email
import hashlib
import io
import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from dev import interpreters, wheel  # noqa: E402

PACKAGE = ROOT / "python" / "splice"
TAG = f"cp{sys.version_info[0]}{sys.version_info[1]}"

PROGRAM = """
import splice

@splice.jit
def triangle(n):
    total = 0
    for i in range(n):
        total += i
    return total

@splice.jit
def dot(a, b):
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total

assert triangle(1000) == 499500
assert dot([1.0, 2.0, 3.0], [4.0, 5.0, 6.0]) == 32.0
for function in (triangle, dot):
    assert [variant["native"] for variant in splice.stats(function)["variants"]] == [True]
print("native")
"""

# What PEP 600 and the tag allow, and of that only what the extension needs.
PLATFORM = ("libstdc++.so.", "libm.so.", "libgcc_s.so.", "libc.so.", "ld-linux-x86-64.so.")
LOADED = (
    """
import sys

def mapped():
    with open("/proc/self/maps") as lines:
        return {line.split(None, 5)[5].strip() for line in lines if "/" in line and ".so" in line}

before = mapped()
"""
    + PROGRAM
    + """
for path in sorted(mapped() - before):
    print(path)
"""
)

NUMPY = """
import numpy, splice

@splice.jit
def norm(a):
    total = 0.0
    for i in range(len(a)):
        total += a[i] * a[i]
    return total

assert norm(numpy.arange(4.0)) == 14.0
assert type(norm(numpy.arange(4.0))) is numpy.float64
assert [variant["native"] for variant in splice.stats(norm)["variants"]] == [True]
"""

LLVMLITE = """
import llvmlite.binding as llvm
llvm.initialize_native_target()
llvm.initialize_native_asmprinter()
module = llvm.parse_assembly("define i64 @one() { ret i64 1 }")
engine = llvm.create_mcjit_compiler(
    module, llvm.Target.from_default_triple().create_target_machine()
)
engine.finalize_object()
"""


class Installed:
    """A fresh environment without pip, and with the wheel in it."""

    def __init__(self, folder, built):
        self.folder = folder.resolve()
        venv.create(folder, with_pip=False, symlinks=True)
        self.empty = self.files()
        self.pip("install", "--no-index", "--no-deps", built)

    def files(self):
        return {path for path in self.folder.rglob("*") if not path.is_dir()}

    def pip(self, *command):
        """The pip of the environment that runs the tests, at work on this one."""
        pip = [sys.executable, "-m", "pip", "-q", "--python", self.folder / "bin" / "python"]
        subprocess.run([*pip, *command], check=True)

    def run(self, *command, status=0, **env):
        """Runs a program of the environment, for which there is no other on PATH."""
        program, *arguments = command
        done = subprocess.run(
            [self.folder / "bin" / program, *arguments],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            cwd=self.folder,
            env={"PATH": str(self.folder / "bin"), **env},
        )
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    return wheel.build(interpreters.project(), tmp_path_factory.mktemp("wheels"))


@pytest.fixture(scope="session")
def installed(built, tmp_path_factory):
    return Installed(tmp_path_factory.mktemp("environment"), built)


@pytest.fixture(scope="session")
def archive(built):
    with zipfile.ZipFile(built) as opened:
        assert opened.testzip() is None
        yield {name: opened.read(name) for name in opened.namelist() if not name.endswith("/")}


def metadata(archive, name):
    (content,) = [archive[path] for path in archive if path.endswith(f".dist-info/{name}")]
    return email.message_from_bytes(content)


def version():
    space = {}
    exec((PACKAGE / "_version.py").read_text(), space)
    return space["__version__"]


def test_name_and_tags(built, archive):
    name, number, python, abi, platform = built.stem.split("-")
    assert (name, number, python, abi) == ("splice", version(), TAG, TAG)
    assert platform.startswith("manylinux_2_") and platform.endswith("_x86_64")
    about = metadata(archive, "WHEEL")
    assert about["Root-Is-Purelib"] == "false"
    assert about.get_all("Tag") == [f"{TAG}-{TAG}-{platform}"]


@pytest.mark.skipif(
    tuple(map(int, os.confstr("CS_GNU_LIBC_VERSION").split()[1].split("."))) > (2, 36),
    reason="a newer glibc renames what every program uses, such as strtol",
)
def test_nothing_newer_than_glibc_2_34_is_needed(built):
    assert int(built.stem.split("_")[2]) <= 34, built.name


def test_metadata(archive):
    about = metadata(archive, "METADATA")
    assert (about["Name"], about["Version"]) == ("splice", version())
    assert about["Requires-Dist"] is None
    assert about.get_payload(decode=True).strip() == (ROOT / "README.md").read_bytes().strip()
    (entry,) = [archive[path] for path in archive if path.endswith("/entry_points.txt")]
    assert entry.decode().split() == "[console_scripts] splice = splice.cli:main".split()


def test_license_files(archive):
    about = metadata(archive, "METADATA")
    assert "Apache-2.0 WITH LLVM-exception" in about["License-Expression"]
    texts = [ROOT / "LICENSE", *(ROOT / "licenses").iterdir()]
    names = {str(path.relative_to(ROOT)): path.read_bytes() for path in texts}
    assert set(about.get_all("License-File")) == names.keys()
    inside = {path.partition("/licenses/")[2]: archive[path] for path in archive}
    assert {name: text for name, text in inside.items() if name} == names


def test_contents_are_the_package_and_one_module(archive):
    sources = {
        f"splice/{path.relative_to(PACKAGE)}": path.read_bytes()
        for path in PACKAGE.rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    module = f"splice/_splice{sysconfig.get_config_var('EXT_SUFFIX')}"
    inside = {path: archive[path] for path in archive if ".dist-info/" not in path}
    assert inside.pop(module).startswith(b"\x7fELF")
    assert inside == sources


def test_record_lists_every_file_with_its_hash(archive):
    (path,) = [name for name in archive if name.endswith(".dist-info/RECORD")]
    rows = {row[0]: row[1:] for row in csv.reader(io.StringIO(archive[path].decode()))}
    assert rows.pop(path) == ["", ""]
    expected = {}
    for name in archive.keys() - {path}:
        digest = base64.urlsafe_b64encode(hashlib.sha256(archive[name]).digest())
        expected[name] = [f"sha256={digest.decode().rstrip('=')}", str(len(archive[name]))]
    assert rows == expected


def test_built_again_it_has_the_same_bytes(built, tmp_path):
    again = wheel.build(interpreters.project(), tmp_path)
    assert again.name == built.name
    assert again.read_bytes() == built.read_bytes()


def test_functions_run_natively_without_compiler_or_numpy(installed):
    absent = """
import importlib.util, shutil
assert not [name for name in ("cc", "gcc", "clang", "ld", "llvm-config") if shutil.which(name)]
assert importlib.util.find_spec("numpy") is None
"""
    printed = installed.run("python", "-c", absent + PROGRAM)
    assert printed == "native\n"


def test_nothing_is_loaded_but_the_wheel_and_the_platform(installed):
    native, *paths = installed.run("python", "-c", LOADED).splitlines()
    assert native == "native"
    inside = [path for path in paths if path.startswith(f"{installed.folder}/")]
    assert [Path(path).name.partition(".")[0] for path in inside] == ["_splice"]
    known = (f"{installed.folder}/", f"{os.path.realpath(sys.base_prefix)}/lib/python3")
    others = [path for path in paths if not path.startswith(known)]
    assert [path for path in others if not Path(path).name.startswith(PLATFORM)] == []


def test_beside_numpy_and_another_llvm(installed):
    others = {"PYTHONPATH": sysconfig.get_path("platlib")}
    where = f"import splice; assert splice.__file__.startswith({str(installed.folder)!r})\n"
    installed.run("python", "-c", where + NUMPY + LLVMLITE + PROGRAM, **others)
    installed.run("python", "-c", LLVMLITE + NUMPY, **others)


def test_commands(installed, tmp_path):
    script = tmp_path / "app.py"
    script.write_text(PROGRAM)
    assert installed.run("splice", "--version") == f"splice {version()}\n"
    assert installed.run("python", "-m", "splice", "--version") == f"splice {version()}\n"
    assert installed.run("splice", "run", script) == "native\n"
    explained = installed.run("splice", "explain", f"{script}:triangle", "--call", "1000")
    assert "(n: int): native" in explained
    assert str(installed.folder) in installed.run("splice", "doctor")


def test_uninstalled_it_leaves_nothing(built, tmp_path):
    installed = Installed(tmp_path / "environment", built)
    installed.run("python", "-c", PROGRAM)
    assert installed.files() > installed.empty
    installed.pip("uninstall", "-y", "splice")
    assert installed.files() == installed.empty
