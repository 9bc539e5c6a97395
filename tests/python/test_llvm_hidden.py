"""Splice's LLVM is its own: it lives beside Numba's in one process and exports nothing."""

import shutil
import subprocess
import sys

import pytest

from splice import _splice

SPLICE = """
import splice

@splice.jit
def triangle(n):
    total = 0
    for i in range(n):
        total += i
    return total

assert triangle(1000) == 499500
assert triangle(2000) == 1999000
"""

# The LLVM behind llvmlite parses, verifies, compiles and runs.
LLVMLITE = """
import ctypes
import llvmlite.binding as llvm

llvm.initialize_native_target()
llvm.initialize_native_asmprinter()
module = llvm.parse_assembly('''
define i64 @triple(i64 %x) {
  %r = mul i64 %x, 3
  ret i64 %r
}
''')
module.verify()
machine = llvm.Target.from_default_triple().create_target_machine()
engine = llvm.create_mcjit_compiler(module, machine)
engine.finalize_object()
triple = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(engine.get_function_address("triple"))
assert triple(14) == 42
"""


@pytest.mark.parametrize(
    "program",
    [SPLICE + LLVMLITE + SPLICE, LLVMLITE + SPLICE + LLVMLITE],
    ids=["splice-first", "llvmlite-first"],
)
def test_two_llvms_in_one_process(program, tmp_path):
    script = tmp_path / "both.py"
    script.write_text(program + "print(splice.stats(triangle), 'done')\n")
    done = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("done\n")


def test_only_the_module_function_is_exported():
    nm = shutil.which("nm")
    assert nm, "nm is part of binutils, which the compiler needs"
    listing = subprocess.run(
        [nm, "-D", "--defined-only", "--format=posix", _splice.__file__],
        capture_output=True,
        text=True,
        check=True,
    )
    assert [line.split()[0] for line in listing.stdout.splitlines()] == ["PyInit__splice"]


def test_no_shared_llvm_is_needed():
    listing = subprocess.run(
        ["readelf", "-d", _splice.__file__], capture_output=True, text=True, check=True
    )
    needed = [line for line in listing.stdout.splitlines() if "(NEEDED)" in line]
    assert needed
    assert not [line for line in needed if "LLVM" in line]
