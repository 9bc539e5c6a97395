"""`splice run` against plain `python`: each program runs both ways, as a process of its own, and
must not be able to tell the difference.
"""

import os
import signal
import subprocess
import sys
import time
import zipfile

import pytest

PYTHON = [sys.executable]
SPLICE = [sys.executable, "-m", "splice", "run"]


def run(command, **options):
    """(status, stdout, stderr) of a process."""
    options.setdefault("stdin", subprocess.DEVNULL)
    if "input" in options:
        del options["stdin"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, **options)
    return done.returncode, done.stdout, done.stderr


def both(*arguments, options=(), status=0, **more):
    """Runs a program plain and under Splice and returns the one output that both have."""
    plain = run([*PYTHON, *options, *arguments], **more)
    under = run([*PYTHON, *options, *SPLICE[1:], *arguments], **more)
    assert under == plain
    assert plain[0] == status, plain[2]
    return plain[1]


@pytest.fixture
def app(tmp_path, monkeypatch):
    """Returns a function that writes a program into the folder that is the current one."""
    monkeypatch.chdir(tmp_path)

    def write(source, name="app.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(source)
        return name

    return write


MIRROR = """
import sys
import __main__
shown = {name: value for name, value in globals().items() if name not in ("sys", "shown", "frame")}
shown["__loader__"] = getattr(__loader__, "__name__", type(__loader__).__name__)
shown["__builtins__"] = type(__builtins__).__name__
shown["__main__"] = __main__ is sys.modules["__main__"] and vars(__main__) is globals()
shown["__spec__"] = __spec__ and (__spec__.name, __spec__.origin)
print(shown, type(__main__), repr(__main__))
print(sys.argv, sys.path, sys.flags, sys.warnoptions, sys._xoptions)
print(sorted(name for name in sys.modules if name.partition(".")[0] != "splice"))
frame = sys._getframe()
while frame := frame.f_back:
    print(frame.f_code.co_filename, frame.f_code.co_name, frame.f_lineno)
print(__debug__)
"""


def test_a_file(app):
    out = both(app(MIRROR), "one", "-x", "--two", "")
    assert "['app.py', 'one', '-x', '--two', '']" in out


def test_a_file_elsewhere(app, tmp_path):
    app("value = 7", "lib/near.py")
    both(app("import near; print(near.value, __file__)", "lib/app.py"))
    both(str(tmp_path / "lib" / "app.py"))


SHOW_FILE = "import sys; print(__file__, sys.path[0], sys.argv, __import__('near').__file__); 1 / 0"


@pytest.mark.parametrize(
    "name",
    ["./app.py", "././app.py", ".//app.py", "../app/app.py", "./app/", "app/.", ".", "./", ""]
    + ["./app.zip", "--"],
)
def test_a_name_is_not_normalised(app, tmp_path, name, monkeypatch):
    for folder in ("app", "app/app"):
        (tmp_path / folder).mkdir()
        for file in ("app.py", "__main__.py"):
            app(SHOW_FILE, f"{folder}/{file}")
        app("", f"{folder}/near.py")
    monkeypatch.chdir(tmp_path / "app")
    with zipfile.ZipFile("app.zip", "w") as archive:
        archive.writestr("__main__.py", SHOW_FILE)
        archive.writestr("near.py", "")
    program = ["--", "app.py", "x"] if name == "--" else [name, "x"]
    plain = run([*PYTHON, *program])
    assert run([*SPLICE, *program]) == plain
    assert plain[0] == 1
    assert "ZeroDivisionError" in plain[2]


def test_two_dashes_behind_options(app):
    program = app(MIRROR)
    assert run([*SPLICE, "-O", "--", program]) == run([*PYTHON, "-O", "--", program])


@pytest.mark.parametrize("module", ["app", "package", "package.inner"])
def test_a_module(app, module):
    app("", "package/__init__.py")
    for name in ("app.py", "package/__main__.py", "package/inner.py"):
        app(MIRROR + "print(__package__)", name)
    both("-m", module, "one", "-x")
    both(f"-m{module}")


def test_a_folder_and_an_archive(app, tmp_path):
    app(MIRROR + "import near; print(near.__file__)", "folder/__main__.py")
    app("", "folder/near.py")
    with zipfile.ZipFile(tmp_path / "app.zip", "w") as archive:
        archive.write("folder/__main__.py", "__main__.py")
        archive.write("folder/near.py", "near.py")
    both("folder", "one")
    both("app.zip", "one")


def test_a_compiled_file(app):
    import py_compile

    py_compile.compile(app("print(__file__, __cached__)"), "app.pyc")
    both("app.pyc")


def test_standard_input_and_commands(app):
    both("-", "one", input=MIRROR)
    both(input=MIRROR)
    both("-c", MIRROR, "one", "-x")
    both("-cprint(1)")
    both(app("import sys; print(sys.stdin.read())"), input="text\nof two lines")


@pytest.mark.parametrize(
    "ending, status",
    [
        ("raise SystemExit", 0),
        ("raise SystemExit(7)", 7),
        ("raise SystemExit('words')", 1),
        ("raise SystemExit(None)", 0),
        ("import os; os._exit(5)", 5),
        ("1 / 0", 1),
        ("raise KeyboardInterrupt", -signal.SIGINT),
        ("import os, signal; os.kill(os.getpid(), signal.SIGTERM)", -signal.SIGTERM),
        (
            "def f(): return [][1]\ntry: 1 / 0\nexcept Exception as e: raise ValueError(f) from f()",
            1,
        ),
        ("import sys; sys.excepthook = lambda *args: print('hook', args[0])\n1 / 0", 1),
        (
            "import traceback, warnings; traceback.print_stack(); warnings.warn('x', stacklevel=9)",
            0,
        ),
        ("x = (1\n", 1),
        ("print('\xe9')\ndef", 1),
        ("def f(): yield\nnext(f()); f().throw(OSError)", 1),
    ],
)
def test_how_it_ends(app, ending, status):
    both(app(f"import atexit; atexit.register(print, 'bye')\n{ending}"), status=status)


def test_it_does_not_start(app):
    both("nowhere.py", status=2)
    both("-m", "nowhere", status=1)
    app("", "empty/near.py")
    both("empty", status=1)


def test_an_interrupt_from_outside(app):
    source = (
        "import time\n"
        "try:\n"
        "    print('ready', flush=True)\n"
        "    time.sleep(60)\n"
        "finally: print('out')\n"
    )
    ends = []
    for command in (PYTHON, SPLICE):
        process = subprocess.Popen(
            [*command, app(source)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.3)  # until it sleeps: the traceback names the line
        process.send_signal(signal.SIGINT)
        ends.append((*process.communicate(timeout=60), process.returncode))
    assert ends[0] == ends[1]
    assert ends[0][2] == -signal.SIGINT


@pytest.mark.parametrize(
    "options",
    [
        ["-W", "error"],
        ["-X", "dev"],
        ["-O"],
        ["-bb", "-B"],
        ["-I"],
        ["-P"],
        ["-Es"],
        ["-OO", "-Wa"],
    ],
)
def test_options_of_the_interpreter(app, options):
    program = app(MIRROR + "import warnings; warnings.warn('careful', UserWarning)")
    plain = run([*PYTHON, *options, program, "x"])
    assert run([*PYTHON, *options, *SPLICE[1:], program, "x"]) == plain
    assert run([*SPLICE, *options, program, "x"]) == plain
    assert plain[0] == (1 if "error" in options else 0)


def test_options_before_a_module(app):
    app(MIRROR)
    assert run([*SPLICE, "-Om", "app", "x"]) == run([*PYTHON, "-Om", "app", "x"])
    assert run([*SPLICE, "-Oc", MIRROR, "x"]) == run([*PYTHON, "-Oc", MIRROR, "x"])


def test_the_environment(app):
    program = app(MIRROR + "import warnings; warnings.warn('careful', UserWarning)")
    folder = os.path.dirname(os.path.abspath(program))
    for name, value in [
        ("PYTHONWARNINGS", "ignore"),
        ("PYTHONOPTIMIZE", "1"),
        ("PYTHONSAFEPATH", "1"),
        ("PYTHONPATH", folder),
        ("PYTHONUNBUFFERED", "1"),
    ]:
        both(program, env={**os.environ, name: value})


def test_the_command_line_is_told_as_it_was(app):
    command = [*SPLICE, app("import sys; print(sys.orig_argv)"), "x"]
    assert run(command) == (0, f"{command}\n", "")


def test_the_console_script(app):
    script = os.path.join(os.path.dirname(sys.executable), "splice")
    program = app(MIRROR + "1 / 0")
    plain = run([*PYTHON, program, "x"])
    assert run([script, "run", program, "x"]) == plain
    assert run([script, "run", "-W", "error", program])[0] == 1


def test_pickles_of_the_program(app):
    both(
        app(
            "import pickle, sys\n"
            "class Point:\n"
            "    def __init__(self, x): self.x = x\n"
            "def f(): return 3\n"
            "data = pickle.dumps([Point(2), Point, f])\n"
            "print(data)\n"
            "one, kind, g = pickle.loads(data)\n"
            "print(one.x, kind is Point, g is f, g())\n"
        )
    )


def test_recursion_has_the_same_room(app):
    both(
        app(
            "import sys\n"
            "def depth(n):\n"
            "    try: return depth(n + 1)\n"
            "    except RecursionError: return n\n"
            "print(depth(0))\n"
            "class A:\n"
            "    def __getattr__(self, name): return getattr(self, name + 'x')\n"
            "try: A().x\n"
            "except RecursionError as e: print(e)\n"
        )
    )


def test_usage(app):
    status, out, _ = run([*SPLICE, "--help"])
    assert status == 0
    assert "--report=FILE" in out
    status, out, err = run([*SPLICE, "--nonsense", "app.py"])
    assert (status, out) == (2, "")
    assert "unknown option --nonsense" in err
    status, out, _ = run([*PYTHON, "-m", "splice", "--help"])
    assert status == 0
    assert "run a program with its hot functions native" in out
    status, out, _ = run([*PYTHON, "-m", "splice", "--", "run", "-c", "print(4)"])
    assert (status, out) == (0, "4\n")
    status, _, err = run([*SPLICE, "-W"])
    assert status == 2
    assert "argument expected for the -W option" in err


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_multiprocessing(app, method):
    out = both(
        app(
            "import multiprocessing as mp, sys\n"
            "class Point:\n"
            "    def __init__(self, x): self.x = x\n"
            "def double(p): return Point(2 * p.x)\n"
            "def fail(p): raise ValueError(p.x)\n"
            "if __name__ == '__main__':\n"
            f"    context = mp.get_context({method!r})\n"
            "    with context.Pool(2) as pool:\n"
            "        print([p.x for p in pool.map(double, [Point(n) for n in range(20)])])\n"
            "        try: pool.apply(fail, (Point(3),))\n"
            "        except ValueError as error: print(error)\n"
            "    process = context.Process(target=sys.exit, args=(7,))\n"
            "    process.start(); process.join(); print(process.exitcode)\n"
        )
    )
    assert out.endswith("3\n7\n")


def test_forks_with_hooks_in_python(app):
    """From 3.12 on CPython counts the threads after all hooks of the parent have run."""
    both(
        app(
            "import os\n"
            "def busy():\n"
            "    for _ in range(20_000): pass\n"
            "os.register_at_fork(before=busy, after_in_parent=busy, after_in_child=busy)\n"
            "for _ in range(5):\n"
            "    pid = os.fork()\n"
            "    if pid == 0: os._exit(0)\n"
            "    os.waitpid(pid, 0)\n"
            "print('done')\n"
        )
    )


def test_threads_and_subprocesses(app):
    both(
        app(
            "import subprocess, sys, threading, time\n"
            "def work(n): time.sleep(0.3 + 0.1 * n); print('thread', n, flush=True)\n"
            "for n in range(3): threading.Thread(target=work, args=(n,)).start()\n"
            "daemon = threading.Thread(target=time.sleep, args=(60,), daemon=True)\n"
            "daemon.start()\n"
            "print(threading.main_thread() is threading.current_thread(), threading.active_count())\n"
            "time.sleep(1.0)\n"
            "done = subprocess.run([sys.executable, '-c', 'print(1)'], stdout=subprocess.PIPE)\n"
            "print(done.stdout, flush=True)\n"
            "threading.Thread(target=work, args=(9,)).start()\n"
            "raise SystemExit(3)\n"
        ),
        status=3,
    )


def test_a_hot_function_in_a_thread_with_little_stack(app):
    program = app(
        "import threading, time\n"
        "def hot(n):\n"
        "    s = 0\n"
        "    for i in range(n):\n"
        "        s += i * n % 7\n"
        "    return s\n"
        "def work():\n"
        "    end = time.process_time() + 1.5\n"
        "    while time.process_time() < end:\n"
        "        hot(300)\n"
        "    print(hot(300))\n"
        "threading.stack_size(48 << 10)\n"
        "thread = threading.Thread(target=work)\n"
        "thread.start()\n"
        "thread.join()\n"
    )
    ends = [subprocess.run([*c, program], capture_output=True, text=True) for c in (PYTHON, SPLICE)]
    assert [(end.stdout, end.stderr, end.returncode) for end in ends] == [("902\n", "", 0)] * 2
