"""What one call from Python costs: `./dev bench jit call_overhead`.

A swapped function, the same plain Python function and a METH_FASTCALL C function that does the same
are called in the same loop, in interleaved rounds; the cost of the loop itself is taken off. Each
has its own copy of the loop, so that the interpreter specialises every call site for its callee.
All figures are nanoseconds per call, of the thread's CPU time unless `--clock=wall`; differences
come from the same round.
"""

from __future__ import annotations

import argparse
import gc
import statistics
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parent.parent.parent)

from bench import native, report, timing

C_SOURCE = r"""
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#define ARGS PyObject* module, PyObject* const* args, Py_ssize_t count
static PyObject* noop(ARGS) { Py_RETURN_NONE; }
static PyObject* same(ARGS) {
  if (count != 1) { PyErr_SetString(PyExc_TypeError, "one argument"); return NULL; }
  return Py_NewRef(args[0]);
}
static PyObject* add_float(ARGS) {
  if (count != 2) { PyErr_SetString(PyExc_TypeError, "two arguments"); return NULL; }
  double a = PyFloat_AsDouble(args[0]), b = PyFloat_AsDouble(args[1]);
  if ((a == -1.0 || b == -1.0) && PyErr_Occurred()) return NULL;
  return PyFloat_FromDouble(a + b);
}
static PyObject* add_int(ARGS) {
  if (count != 2) { PyErr_SetString(PyExc_TypeError, "two arguments"); return NULL; }
  int64_t a = PyLong_AsLongLong(args[0]), b = PyLong_AsLongLong(args[1]), sum;
  if ((a == -1 || b == -1) && PyErr_Occurred()) return NULL;
  if (__builtin_add_overflow(a, b, &sum)) {
    PyErr_SetString(PyExc_OverflowError, "sum");
    return NULL;
  }
  return PyLong_FromLongLong(sum);
}
"""


def noop():
    pass


def same(value):
    return value


def add(a, b):
    return a + b


@dataclass(frozen=True)
class Case:
    title: str
    function: Callable[..., object]
    c_name: str
    args: tuple
    allowed: float | None  # nanoseconds over the C function that the project promises


CASES = (
    Case("noop()", noop, "noop", (), 6.0),
    Case("f(object)", same, "same", ("text",), None),
    Case("f(float, float)", add, "add_float", (1.5, 2.25), 8.0),
    Case("f(int, int), result below 257", add, "add_int", (100, 23), 11.0),
    Case("f(int, int), 30 bits", add, "add_int", (123456, 7654321), 11.0),
    Case("f(int, int), 31 to 40 bits", add, "add_int", (2**31 + 5, 2**39 + 9), 11.0),
    Case("f(int, int), 60 to 62 bits", add, "add_int", (2**60 + 12345, 2**61 + 7), 11.0),
    Case("f(int, int), negative", add, "add_int", (-(2**40), -77777), 11.0),
)

LOOP = """
def loop(f, args, turns):
    {unpack}
    for _ in turns:
        {call}
"""


def loop_for(arity: int, call: bool = True) -> Callable[..., None]:
    names = [f"a{i}" for i in range(arity)]
    unpack = f"{', '.join(names)}, = args" if names else "pass"
    text = LOOP.format(unpack=unpack, call=f"f({', '.join(names)})" if call else "pass")
    scope: dict[str, Callable[..., None]] = {}
    exec(text, scope)
    return scope["loop"]


def fresh(function: Callable[..., object]) -> Callable[..., object]:
    """A copy with a code object of its own, so that nothing is shared between contenders."""
    kind = type(function)
    return kind(function.__code__.replace(), {}, function.__name__)


def measure(
    contenders: dict[str, Callable[..., object]], args: tuple, options: argparse.Namespace
) -> dict[str, list[float]]:
    """Nanoseconds per call in each round, those of a loop without a call as "empty"."""
    arity = len(args)
    loops = {who: (loop_for(arity), function) for who, function in contenders.items()}
    loops["empty"] = (loop_for(arity, call=False), None)
    times: dict[str, list[float]] = {who: [] for who in loops}
    now = timing.CLOCKS[options.clock]
    turns = range(options.calls)
    names = list(loops)
    for turn in range(options.rounds):
        shift = turn % len(names)
        for who in names[shift:] + names[:shift]:
            loop, function = loops[who]
            start = now()
            loop(function, args, turns)
            times[who].append((now() - start) / options.calls)
    return times


def difference(times: dict[str, list[float]], a: str, b: str) -> tuple[float, float, float, float]:
    """a - b in ns: difference of the fastest rounds, mean of the pairs with half its interval,
    median of the pairs."""
    pairs = [x - y for x, y in zip(times[a], times[b], strict=True)]
    mean, half = timing.mean_with_interval(pairs)
    return min(times[a]) - min(times[b]), mean, half, statistics.median(pairs)


def parse(doc: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--calls", type=int, default=20_000)
    parser.add_argument("--clock", choices=sorted(timing.CLOCKS), default="cpu")
    return parser.parse_args()


def main() -> int:
    options = parse(__doc__)
    names = sorted({case.c_name for case in CASES})
    module = native.build_module(C_SOURCE, [(name, name, "METH_FASTCALL") for name in names])
    try:
        import splice
    except ImportError as error:
        splice = None
        print(f"Splice is not importable ({error}); CPython and C only")
    report.print_machine()
    print(f"One call from Python, ns, {options.rounds} rounds of {options.calls}; loop taken off")
    rows = []
    stored = []
    gc.disable()
    for case in CASES:
        swapped = splice.jit(fresh(case.function)) if splice else None
        contenders = {"python": fresh(case.function), "C": getattr(module, case.c_name)}
        if swapped is not None:
            contenders["splice"] = swapped
        for function in contenders.values():
            for _ in range(3):
                assert timing.same(case.function(*case.args), function(*case.args))
        times = measure(contenders, case.args, options)
        stored.append({"case": case.title, "allowed_over_c": case.allowed, "ns": times})
        row = [case.title]
        for who in ("python", "C", "splice"):
            row.append(f"{difference(times, who, 'empty')[0]:.1f}" if who in times else "-")
        if swapped is None:
            rows.append([*row, "-", "-", "-", "-"])
            continue
        over_c = difference(times, "splice", "C")
        over_python = difference(times, "splice", "python")
        row.append(f"{over_c[0]:+.1f}")
        row.append(f"{over_c[3]:+.1f} ({over_c[1]:+.1f} +-{over_c[2]:.1f})")
        row.append("-" if case.allowed is None else f"{case.allowed:+.0f}")
        row.append(f"{over_python[0]:+.1f}")
        rows.append(row)
    gc.enable()
    heads = [
        "call",
        "Python",
        "C",
        "Splice",
        "over C",
        "pairs: median (mean)",
        "goal",
        "over Python",
    ]
    report.print_table(heads, rows)
    print(report.save("jit_call_overhead", {"rounds": options.rounds, "cases": stored}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
