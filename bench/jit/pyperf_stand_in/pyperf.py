"""Takes the place of `pyperf` when programs of pyperformance run from start to end.

The programs are not changed: they import this module, which runs what they register a fixed number
of times (`BENCH_LOOPS`) and prints a digest of what came out, so that two runs can be compared.
`BENCH_STATE` is Python text run afterwards in the program's own namespace, to print state that the
program itself throws away.
"""

import argparse
import hashlib
import os
import sys
from time import perf_counter

__all__ = ["Runner", "perf_counter"]

LOOPS = int(os.environ.get("BENCH_LOOPS", "1"))


def digest(value):
    return hashlib.sha256(repr(value).encode()).hexdigest()[:16]


class Runner:
    """As much of pyperf.Runner as the programs use."""

    def __init__(self, add_cmdline_args=None):
        self.metadata = {}
        self.argparser = argparse.ArgumentParser()

    def parse_args(self):
        return self.argparser.parse_args()

    def bench_func(self, name, function, *args):
        for _ in range(LOOPS):
            result = function(*args)
        print(name, digest(result))
        self._print_state()

    def bench_time_func(self, name, function, *args):
        function(LOOPS, *args)
        print(name)
        self._print_state()

    def _print_state(self):
        text = os.environ.get("BENCH_STATE")
        if text:
            exec(text, {**vars(sys.modules["__main__"]), "digest": digest})
