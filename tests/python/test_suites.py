"""tests/suites, which has CPython's own tests judge Splice, sees what differs and compiles everything."""

import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS))

from suites import run  # noqa: E402

SUITE = """
import os
import unittest

import splice


def square(x):
    return x * x


def is_native(function):
    return any(variant["native"] for variant in splice.stats(function)["variants"])


class Shape:
    def area(self, side):
        return side * side


class Tests(unittest.TestCase):
    def test_result(self):
        self.assertEqual((square(3), Shape().area(2)), (9, 4))

    def test_skipped(self):
        self.skipTest("always")

    def test_special(self):
        SPECIAL
"""


def judged(folder, special, way="nested", limit=20):
    (folder / "suite_of_ours.py").write_text(SUITE.replace("SPECIAL", special))
    (verdict,) = run.judge("suite_of_ours", [way], limit, folder)
    return verdict


@pytest.mark.parametrize("way", ["written", "nested", "chaos"])
def test_a_suite_that_fares_alike_is_no_difference(tmp_path, way):
    verdict = judged(tmp_path, "square(3)", way)
    assert verdict.differences == []
    assert verdict.tests == 3
    assert verdict.native["defined"] >= 6
    assert verdict.native["functions"] >= 2
    assert verdict.native["native_calls"] >= 2


@pytest.mark.parametrize(
    "special",
    [
        "square(3); self.assertFalse(is_native(square))",
        "square(3); is_native(square) and self.skipTest('native')",
        "Shape().area(3); self.assertFalse(is_native(Shape.area))",
    ],
)
@pytest.mark.parametrize("way", ["written", "nested"])
def test_a_test_that_fares_otherwise_is_seen(tmp_path, special, way):
    verdict = judged(tmp_path, special, way)
    (text,) = verdict.differences
    assert text.startswith("suite_of_ours.Tests.test_special: ['passed'] plainly, now ['")


def test_nested_functions_and_lambdas_are_compiled(tmp_path):
    special = "f = lambda x: x + 1; f(1); self.assertFalse(is_native(f))"
    assert len(judged(tmp_path, special).differences) == 1
    assert judged(tmp_path, special, "written").differences == []


def test_a_failure_that_cpython_has_too_is_no_difference(tmp_path):
    assert judged(tmp_path, "self.assertEqual(square(3), 10)").differences == []


@pytest.mark.parametrize("end", ["os.abort()", "os._exit(0)"])
def test_a_process_that_ends_early_is_seen(tmp_path, end):
    (text,) = judged(tmp_path, f"square(3); is_native(square) and {end}").differences
    assert text.startswith("ended before its last test with status")


def test_a_hang_is_seen(tmp_path):
    special = "square(3)\n        while is_native(square): pass"
    (text,) = judged(tmp_path, special, limit=3).differences
    assert "Timeout" in text and "test_special" in text


def test_a_suite_that_cpython_cannot_import_is_seen(tmp_path):
    (tmp_path / "suite_of_ours.py").write_text("import no_such_module_of_ours")
    (verdict,) = run.judge("suite_of_ours", ["nested"], 20, tmp_path)
    assert "no_such_module_of_ours" in verdict.differences[0]


def test_what_a_repetition_of_the_plain_run_does_is_no_difference():
    def ended(outcome):
        return run.Ended(0, {"outcomes": {"a": [outcome], "b": ["passed"]}, "texts": {}}, "", 0.1)

    plain = iter([ended("passed"), ended("skipped: slow")])
    assert run.differences(ended("passed"), ended("skipped: slow"), lambda: next(plain)) == []
    (text,) = run.differences(ended("passed"), ended("failed"), lambda: ended("passed"))
    assert text.startswith("a: ['passed'] plainly, now ['failed']")


def test_a_test_that_was_too_fast_to_show_anything_may_pass():
    def ended(outcome):
        return run.Ended(0, {"outcomes": {"a": [outcome]}, "texts": {}}, "", 0.1)

    too_fast = ended('skipped: "slow" conversion took only ... seconds.')
    assert run.differences(too_fast, ended("passed"), lambda: too_fast) == []
    for was, is_now in (
        ("skipped: no tkinter", "passed"),
        (too_fast.found["outcomes"]["a"][0], "FAIL"),
    ):
        assert run.differences(ended(was), ended(is_now), lambda was=was: ended(was))


def test_a_python_without_suites_says_so():
    command = [sys.executable, str(TESTS / "suites" / "run.py"), "--only", "no_such_suite"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == run.NO_SUITES
    assert "comes without its suites" in done.stdout
