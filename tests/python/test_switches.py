"""Whole processes: switched off, in a subinterpreter, at the end, from the command line."""

import json
import sys

import pytest

PROGRAM = """
import splice

@splice.jit
def f(n):
    total = 0
    for i in range(n):
        total += i
    return total

print(f(10), splice.stats(f)["state"])
print(splice.explain(f))
"""


def test_disabled_by_environment(child):
    out = child(PROGRAM, "-W", "error", env={"SPLICE_DISABLE": "1"})
    assert out.startswith("45 plain\n")
    assert "SPLICE_DISABLE is set" in out


def test_enabled(child):
    for value in ("", "0"):
        out = child(PROGRAM, "-W", "error", env={"SPLICE_DISABLE": value})
        assert out.startswith("45 active\n")


def test_options(child):
    for options in (["-I"], ["-O"], ["-OO"], ["-X", "dev"], ["-X", "importtime"], ["-B"]):
        assert child(PROGRAM, *options).startswith("45 active\n")


def test_import_brings_in_nothing_heavy(child):
    out = child(
        "import sys; before = set(sys.modules); import splice;"
        "print(*sorted(set(sys.modules) - before))"
    )
    added = {name for name in out.split() if not name.startswith("splice")}
    assert added <= {"__future__", "atexit", "math", "types"}


def test_subinterpreter_import_fails(child):
    module = "_interpreters" if sys.version_info >= (3, 13) else "_xxsubinterpreters"
    out = child(
        f"import {module} as interpreters\n"
        "source = '''\n"
        "try:\n    import splice\n"
        "except ImportError as error:\n    print('ImportError')\n'''\n"
        "interpreters.run_string(interpreters.create(), source)\n"
        "import splice; print('main', splice.jit(lambda x: x + 1)(1))"
    )
    assert out == "ImportError\nmain 2\n"


def test_end_of_process_with_everything_alive(child):
    out = child(
        "import splice, threading, atexit\n"
        "@splice.jit\ndef f(n):\n    t = 0\n    for i in range(n):\n        t += i\n    return t\n"
        "@splice.jit\ndef forever(n):\n    while True:\n        n = n ^ 1\n"
        "class C:\n    def __del__(self):\n        print('del', f(10))\n"
        "c = C()\n"
        "atexit.register(lambda: print('atexit', f(10), f(1.0) if 0 else f(3)))\n"
        "threading.Thread(target=forever, args=(1,), daemon=True).start()\n"
        "print(f(5))\n"
    )
    assert out.splitlines()[:2] == ["10", "atexit 45 3"]
    assert out.splitlines()[2:] in ([], ["del 45"])


def test_end_of_process_with_a_daemon_thread_in_every_place(child):
    # Leaves native code for ever, falls back for ever, loops natively for ever, is on probation.
    out = child(
        "import splice, threading, time, warnings\n"
        "warnings.simplefilter('ignore')\n"
        "def spin(x, k=[1]):\n    while True:\n        x = str(x)\n"
        "def call(x):\n    for i in range(3):\n        x += i\n    spin(x)\n"
        "def native(x):\n    while True:\n        x ^= 1\n"
        "splice.jit(spin), splice.jit(call), splice.jit(native)\n"
        "for f in (spin, call, native):\n"
        "    for x in (1, 1.5, 'text'):\n"
        "        threading.Thread(target=f, args=(x,), daemon=True).start()\n"
        "time.sleep(0.1)\n"
        "print('end')\n"
    )
    assert out == "end\n"


def test_uncaught_exception_has_the_usual_traceback(tmp_path, child):
    script = tmp_path / "app.py"
    body = "def f(x, y):\n    for i in range(3):\n        x = x // (y - i)\n    return x\n"
    texts = []
    for decorate in ("", "import splice; splice.jit(f)\n"):
        script.write_text(body + (decorate or "pass\n") + "f(10, 2)\n")
        source = f"import runpy; runpy.run_path({str(script)!r})"
        import subprocess

        done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True)
        assert done.returncode == 1
        texts.append(done.stderr)
    assert texts[0] == texts[1]
    assert "ZeroDivisionError" in texts[0]


def test_doctor(child):
    found = json.loads(child("from splice.cli import main; main(['doctor', '--json'])"))
    assert found["interpreter"].startswith("CPython 3.")
    assert found["compiles"] is True
    assert found["llvm"].startswith("22.")
    plain = child("from splice.cli import main; main(['doctor'])")
    assert "interpreter" in plain


def test_command_without_arguments(child):
    child("import sys; from splice.cli import main; sys.exit(main([]))", status=2)
    child("from splice.cli import main; main(['--version'])")


@pytest.mark.parametrize("stage", ["summary", "types", "ir", "llvm", "asm"])
def test_explain_command(child, tmp_path, stage):
    script = tmp_path / "app.py"
    script.write_text("def step(x, k=2):\n    return x * k\n\n\nclass A:\n    run = step\n")
    for name in ("step", "A.run"):
        out = child(
            "import sys; from splice.cli import main;"
            f"sys.exit(main(['explain', {f'{script}:{name}'!r}, '--stage', {stage!r},"
            " '--call', '10,']))"
        )
        assert out
    child(
        "import sys; from splice.cli import main;"
        f"sys.exit(main(['explain', {f'{script}:nothing'!r}]))",
        status=1,
    )
