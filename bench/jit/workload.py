"""A workload: one plain Python program fragment and the same loop in C.

A workload file defines ordinary functions and one `WORKLOAD`. It is loaded once per contender, so
each has its own function objects and its own globals: what is done to one cannot reach another.
"""

from __future__ import annotations

import importlib.util
import sys
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import FunctionType, ModuleType

from bench import native, timing

HERE = Path(__file__).resolve().parent
GROUPS = ("scalar", "lists", "elements", "elements_large")
LARGE = "_large"  # ends the name of a workload at its other size


@dataclass(frozen=True)
class Workload:
    """What to run. `args` gives the arguments of the entry; they are not changed by a run.

    With a `size`, `args` takes it, C knows it as `SIZE`, and `large` is one that does not fit into
    the caches.
    """

    entry: str
    args: Callable[[], tuple]
    kind: str  # "scalar"; lists: "read" "stream" "search" "write" "build" "squares"; "elements", "elements_large", see run.py
    c: str  # C text; its function has the entry's name
    c_types: Sequence[str]  # result first, then the arguments; see bench/native.py
    numba: tuple[str, ...] = ("plain",)  # kinds of list: "plain", "typed"; none: it can't run this
    size: int = 0
    large: int = 0
    relative: float = 0.0  # how far C and Numba may be away; Splice must be equal in every bit

    def arguments(self) -> tuple:
        return self.args(self.size) if self.size else self.args()

    def c_text(self) -> str:
        return f"enum {{ SIZE = {self.size} }};\n{self.c}" if self.size else self.c


def names(group: str) -> list[str]:
    base = group.removesuffix(LARGE)
    found = sorted(path.stem for path in (HERE / base).glob("*.py"))
    if base == group:
        return found
    return [f"{name}{LARGE}" for name in found if load(name, "names").WORKLOAD.large]


def find(name: str) -> Path:
    for group in GROUPS:
        path = HERE / group / f"{name.removesuffix(LARGE)}.py"
        if path.exists():
            return path
    raise LookupError(f"no workload {name!r}; there are: {', '.join(sum(map(names, GROUPS), []))}")


def load(name: str, contender: str) -> ModuleType:
    """A fresh copy of the workload's module."""
    module_name = f"workload_{name}_{contender}"
    spec = importlib.util.spec_from_file_location(module_name, find(name))
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    spec.loader.exec_module(module)
    if name.endswith(LARGE):
        work = module.WORKLOAD
        module.WORKLOAD = replace(work, size=work.large, kind=f"{work.kind}{LARGE}")
    return module


def functions_of(module: ModuleType) -> dict[str, FunctionType]:
    """The functions under test: all but `make_args`."""
    return {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, FunctionType)
        and value.__module__ == module.__name__
        and name != "make_args"
    }


def python_call(name: str) -> Callable[[], object]:
    module = load(name, "python")
    return partial(getattr(module, module.WORKLOAD.entry), *module.WORKLOAD.arguments())


def splice_call(name: str) -> tuple[Callable[[], object], FunctionType]:
    import splice

    module = load(name, "splice")
    for function in functions_of(module).values():
        splice.jit(function)
    entry = getattr(module, module.WORKLOAD.entry)
    return partial(entry, *module.WORKLOAD.arguments()), entry


def numba_call(name: str, lists: str) -> Callable[[], object]:
    """As a Numba user would write it: `@njit` on each function, no fastmath."""
    import numba

    warnings.simplefilter("ignore", numba.NumbaWarning)
    module = load(name, "numba")
    for key, function in functions_of(module).items():
        setattr(module, key, numba.njit(function))
    args = module.WORKLOAD.arguments()
    if lists == "typed":
        args = tuple(typed(arg) for arg in args)
    return partial(getattr(module, module.WORKLOAD.entry), *args)


def typed(value: object) -> object:
    from numba.typed import List

    if not isinstance(value, list):
        return value
    result = List()
    for element in value:
        result.append(typed(element))
    return result


def c_call(name: str) -> Callable[[], object]:
    module = load(name, "c")
    work = module.WORKLOAD
    function = native.build_function(work.c_text(), work.entry, work.c_types[0], work.c_types[1:])
    return partial(function, *work.arguments())


def plain(value: object) -> object:
    """A Numba typed list as an ordinary one, for comparison."""
    if type(value).__module__.startswith("numba.typed"):
        return [plain(element) for element in value]
    if isinstance(value, list | tuple):
        return type(value)(plain(element) for element in value)
    return value


def check(name: str, who: str, expected: object, call: Callable[[], object], relative: float):
    """Run `call` twice (lazy compilers settle) and compare. Raises timing.ResultsDiffer."""
    for _ in range(2):
        got = plain(call())
        if not timing.same(expected, got, relative):
            raise timing.ResultsDiffer(
                f"{name}: {who} gives {short(got)}, CPython gives {short(expected)}"
            )


def short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
