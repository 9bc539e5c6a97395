"""Takes the place of `pyperf` when programs of pyperformance run from start to end.

The programs are not changed: they import this module, which runs what they register a fixed number
of times (`BENCH_LOOPS`) and prints a digest of what came out, so that two runs can be compared.
`BENCH_STATE` is Python text run afterwards in the program's own namespace, to print state that the
program itself throws away. With `BENCH_JIT` every function that the program has defined at its top
level and in classes there is put under `splice.jit` before anything is run.
"""

import argparse
import hashlib
import os
import re
import sys
from time import perf_counter

__all__ = ["Runner", "perf_counter", "python_implementation"]

LOOPS = int(os.environ.get("BENCH_LOOPS", "1"))


def python_implementation():
    return sys.implementation.name


def digest(value):
    text = re.sub(r" at 0x[0-9a-f]+", "", repr(value))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def jit_all(module):
    import warnings

    import splice

    warnings.filterwarnings("ignore", category=splice.NotCompiledWarning)
    pending = list(vars(module).values())
    seen = set()
    while pending:
        value = pending.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, (staticmethod, classmethod)):
            pending.append(value.__func__)
        elif isinstance(value, property):
            pending += [value.fget, value.fset, value.fdel]
        elif isinstance(value, type) and value.__module__ == module.__name__:
            pending += vars(value).values()
        elif getattr(value, "__globals__", None) is vars(module):
            splice.jit(value)


class Runner:
    """As much of pyperf.Runner as the programs use."""

    def __init__(self, add_cmdline_args=None):
        self.metadata = {}
        self.argparser = argparse.ArgumentParser()
        if os.environ.get("BENCH_JIT"):
            jit_all(sys.modules["__main__"])

    def parse_args(self):
        return self.argparser.parse_args()

    def bench_func(self, name, function, *args, inner_loops=1):
        for _ in range(LOOPS):
            result = function(*args)
        print(name, digest(result))
        self._print_state()

    def bench_time_func(self, name, function, *args, inner_loops=1):
        function(LOOPS, *args)
        print(name)
        self._print_state()

    def bench_async_func(self, name, function, *args, loop_factory=None):
        import asyncio

        for _ in range(LOOPS):
            with asyncio.Runner(loop_factory=loop_factory) as runner:
                result = runner.run(function(*args))
        print(name, digest(result))
        self._print_state()

    def _print_state(self):
        text = os.environ.get("BENCH_STATE")
        if text:
            exec(text, {**vars(sys.modules["__main__"]), "digest": digest})
