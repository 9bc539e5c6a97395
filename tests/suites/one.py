"""Runs one suite in this process: `one.py MODULE RESULT.json SECONDS [written|nested]`.

Without the last word Splice is not imported: that is the reference. After SECONDS it says where it is and
ends. RESULT gets what became of each test
by its id, and how much ran natively.
"""

import faulthandler
import importlib
import json
import os
import re
import sys
import traceback
from pathlib import Path

#: The modules that the suites are about, where they are written in Python. `test` is the suites.
LIBRARY = frozenset(
    "_pydecimal _pylong bisect colorsys copy fractions heapq numbers random reprlib statistics".split()
)
#: Not judged, because it is the judge.
JUDGE = ("test.support", "test.libregrtest")


def wanted(suite):
    """Which modules go under Splice when `suite` is run."""

    def answer(name):
        if name.startswith(JUDGE):
            return False
        return name == suite or name in LIBRARY or name.startswith("test.")

    return answer


def outcomes_of(suite):
    """Runs a suite of unittest; {id: [outcome, ...]} and {id: text of the failure}."""
    import unittest

    class Result(unittest.TestResult):
        def __init__(self):
            super().__init__()
            self.outcomes, self.texts = {}, {}

        def note(self, test, outcome, error=None):
            name = test.id()
            self.outcomes.setdefault(name, []).append(outcome)
            if error is not None:
                text = "".join(traceback.format_exception(*error))
                self.texts[name] = self.texts.get(name, "") + text

        def startTest(self, test):
            super().startTest(test)
            print("start", test.id(), flush=True)

        def addSuccess(self, test):
            self.note(test, "passed")

        def addFailure(self, test, error):
            self.note(test, "failed", error)

        def addError(self, test, error):
            self.note(test, "error", error)

        def addSkip(self, test, reason):
            self.note(test, "skipped: " + re.sub(r"\d+\.\d+(e-\d+)?", "...", reason))

        def addExpectedFailure(self, test, error):
            self.note(test, "failed as expected")

        def addUnexpectedSuccess(self, test):
            self.note(test, "passed unexpectedly")

        def addSubTest(self, test, subtest, error):
            if error is not None:
                failed = issubclass(error[0], test.failureException)
                self.note(subtest, "failed" if failed else "error", error)

    result = Result()
    suite.run(result)
    return result.outcomes, result.texts


def native_counts():
    """How many functions were put under Splice, and what ran natively."""
    from splice import _splice
    from suites import eager

    return {"defined": len(eager.seen), **_splice.totals()}


def main():
    name, result, limit = sys.argv[1:4]
    way = sys.argv[4] if len(sys.argv) > 4 else None
    faulthandler.enable()
    faulthandler.dump_traceback_later(float(limit), exit=True)
    here = Path(__file__).resolve().parent
    sys.path[:] = [entry for entry in sys.path if entry != str(here)]
    if "SPLICE_SUITES_FOLDER" in os.environ:
        sys.path.insert(0, os.environ["SPLICE_SUITES_FOLDER"])
    if way:
        sys.path.append(str(here.parent))
        from suites import eager

        eager.install(way, wanted(name))
    import unittest

    try:
        from test import support

        support.use_resources = ()  # no network, no gigabytes, nothing that takes minutes
    except ImportError:
        if name.startswith("test."):
            raise
    suite = unittest.defaultTestLoader.loadTestsFromModule(importlib.import_module(name))
    outcomes, texts = outcomes_of(suite)
    found = {"outcomes": outcomes, "texts": texts, "native": native_counts() if way else None}
    Path(result).write_text(json.dumps(found))


if __name__ == "__main__":
    main()
