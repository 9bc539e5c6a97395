"""`splice explain FILE:FUNCTION`."""

import subprocess
import sys

import pytest

PROGRAM = """
class Model:
    def step(self, x):
        return x * 2

def half(n):
    total = 0
    for i in range(10):
        total += i // n
    return total
"""


def explain(folder, *arguments):
    (folder / "app.py").write_text(PROGRAM)
    done = subprocess.run(
        [sys.executable, "-m", "splice", "explain", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
    )
    return done.returncode, done.stdout, done.stderr


def test_says_what_became_of_a_function(tmp_path):
    status, out, err = explain(tmp_path, "app.py:half", "--call", "3")
    assert (status, err) == (0, "")
    assert "(n: int): native" in out
    status, out, err = explain(tmp_path, "app.py:Model.step")
    assert (status, err) == (0, "")
    assert "Model.step" in out


def test_a_function_that_raises_is_explained_too(tmp_path):
    status, out, err = explain(tmp_path, "app.py:half", "--call", "0")
    assert status == 1
    assert err.splitlines()[1].strip().startswith('File "app.py", line 9')
    assert err.splitlines()[-1].startswith("ZeroDivisionError")
    assert "app.py:9" in out


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["app.py"], 2, "the target must be FILE:FUNCTION"),
        (["nope.py:half"], 2, "there is no file nope.py"),
        (["app.py:nope"], 1, "app.py has no nope"),
        (["app.py:Model"], 1, "app.py:Model: "),
        (["app.py:half", "--call", "("], 2, "--call '(': "),
        (["app.py:half", "--call", "nope"], 2, "--call 'nope': name 'nope' is not defined"),
    ],
)
def test_wrong_use_is_one_line(tmp_path, arguments, status, message):
    got, out, err = explain(tmp_path, *arguments)
    assert (got, out) == (status, "")
    assert err.startswith(f"splice: {message}")
    assert err.count("\n") == 1
