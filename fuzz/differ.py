"""Runs a program plain and with its functions compiled, and compares what can be seen."""

from __future__ import annotations

import contextlib
import functools
import gc
import importlib
import io
import itertools
import linecache
import re
import sys
import types
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field

from fuzz import coverage, stress
from fuzz.observe import Observer

FILENAME = "<program>"
# Once a call that leaves out defaults is specialised, 3.13 does not test the recursion limit there.
LOOSE_LIMIT = re.compile(r"def \w+\(.*[=*]") if sys.version_info >= (3, 13) else None
# Functions of NumPy in Python: natively they have no frame of their own at the end of the room.
NO_FRAME = re.compile(r"np\.(ones|full|copy|\w+_like)\(")
RECURSION_ROOM = 230  # frames a call may use before RecursionError

Jit = Callable[[types.FunctionType], object]


@dataclass
class Event:
    """One call of a program and everything it left behind."""

    call: str
    seen: dict[str, object] = field(default_factory=dict)


@dataclass
class Run:
    events: list[Event]
    functions: list[types.FunctionType]
    memory_error: bool = False
    loose_limit: bool = False  # which call meets the recursion limit may differ


@dataclass
class Difference:
    """The first place where the two runs disagree."""

    aspect: str  # outcome, traceback, locals, stdout, log, globals, references, ...
    call: str
    index: int
    plain: object
    compiled: object

    def text(self) -> str:
        plain, compiled = focus(self.plain, self.compiled)
        return (f"{self.aspect} differs at call {self.index}: {self.call}\n"
                f"  plain:    {clip(plain)}\n  compiled: {clip(compiled)}")  # fmt: skip


def clip(value: object, limit: int = 1500) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= limit else text[: limit // 2] + " ... " + text[-limit // 2 :]


def focus(a: object, b: object):
    """Descend to the first elements that differ."""
    while type(a) is type(b) and isinstance(a, (tuple, list)) and len(a) == len(b):
        for x, y in zip(a, b):
            if x != y:
                if isinstance(x, (tuple, list)) and isinstance(y, (tuple, list)):
                    a, b = x, y
                    break
                return a, b
        else:
            return a, b
    return a, b


def load_jit(spec: str) -> Jit | None:
    """`module:name` of the decorator; empty for none."""
    if not spec:
        return None
    module, _, name = spec.partition(":")
    return getattr(importlib.import_module(module), name)


def identity(function):
    return function


def program_functions(namespace: dict) -> list[types.FunctionType]:
    """The functions that the program defines, with COMPILE_METHODS those of the prelude too."""
    everything = "COMPILE_METHODS" in namespace
    values = [v for name, v in namespace.items() if everything or name != "note"]
    if everything:
        classes = [v for v in values if isinstance(v, type) and v.__module__ == "program"]
        values += [f for c in classes for f in vars(c).values()]
    return [
        value
        for value in values
        if isinstance(value, types.FunctionType) and value.__code__.co_filename == FILENAME
    ]


def run(source: str, jit: Jit | None, storm: bool = False) -> Run:
    """Execute the program in a fresh namespace; `jit` is applied to every function it defines.

    `storm` interrupts it all the time; a program that does not see collections gets these as well.
    """
    module = types.ModuleType("program")
    namespace = module.__dict__
    namespace["__file__"] = FILENAME
    namespace["__name__"] = "program"
    namespace["jit"] = jit or identity
    linecache.cache[FILENAME] = (len(source), None, source.splitlines(True), FILENAME)
    observer = Observer(FILENAME)
    limit, stdout = sys.getrecursionlimit(), sys.stdout
    sys.stdout = io.StringIO()
    gc.disable()
    events: list[Event] = []
    functions: list[types.FunctionType] = []
    memory_error = False
    try:
        exec(compile(source, FILENAME, "exec"), namespace)
        functions = program_functions(namespace)
        for function in functions:
            observer.constants(function)
            if jit is not None:
                jit(function)
        observer.value({k: v for k, v in namespace.items() if k[0] == "G"})
        names = dict(namespace)  # arguments are made from the names as they were at the start
        weather = stress.storm("Loud(" not in source) if storm else contextlib.nullcontext()
        with weather, warnings.catch_warnings(record=True) as told, float_errors():
            warnings.simplefilter("always")
            for call in namespace["CALLS"]:
                event = one_call(namespace, names, observer, call, "f_locals" in source)
                event.seen["warnings"] = [
                    (w.category.__name__, str(w.message), w.lineno)
                    for w in told
                    if w.filename == FILENAME and w.category.__name__ != "NotCompiledWarning"
                ]
                told.clear()
                events.append(event)
                memory_error = memory_error or event.seen.get("kind") == "MemoryError"
        if "COUNT_BLOCKS" in namespace and not memory_error:
            events.append(left_behind(namespace, names))
    finally:
        sys.stdout = stdout
        sys.setrecursionlimit(limit)
        gc.enable()
    # CPython does not always look at the limit, and `jit` itself makes a few calls.
    loose = "@jit" in source or any(p and p.search(source) for p in (LOOSE_LIMIT, NO_FRAME))
    return Run(events, functions, memory_error, loose)


def float_errors(**state):
    """The error state of NumPy, where a program uses it, is again as it was afterwards."""
    numpy = sys.modules.get("numpy")
    return numpy.errstate(**state) if numpy else contextlib.nullcontext()


def depth() -> int:
    frame, count = sys._getframe(), 0
    while frame is not None:
        frame, count = frame.f_back, count + 1
    return count


def one_call(
    namespace: dict, names: dict, observer: Observer, call: tuple[str, str, str], reads_locals: bool
) -> Event:
    """Make one call (or execute one statement) of a program, which may look into frames."""
    name, args_text, kwargs_text = call
    if not name:
        return statement(namespace, args_text)
    event = Event(f"{name}(*{args_text}, **{kwargs_text})")
    seen = event.seen
    log, out = namespace["LOG"], sys.stdout
    logged, printed = len(log), out.tell()
    function = namespace[name]
    with float_errors(all="ignore"):
        args = eval(args_text, names)
        kwargs = eval(kwargs_text, names)
    passed = [*args, *kwargs.values()]
    observer.value(passed)
    # A compiled unit may hold the globals that it relies on; others hold the two bools of NumPy.
    counted = [
        v for v in passed if type(v).__name__ != "bool" and not any(v is g for g in names.values())
    ]
    before = [sys.getrefcount(value) for value in counted]
    limit = sys.getrecursionlimit()
    result = error = None
    sys.setrecursionlimit(depth() + RECURSION_ROOM)
    try:
        result = function(*args, **kwargs)
    except BaseException as raised:  # noqa: BLE001 - whatever the program raises is its result
        error = raised
    sys.setrecursionlimit(limit)
    seen["kind"] = "returns" if error is None else type(error).__name__
    seen["outcome"] = observer.value(result) if error is None else observer.exception(error)
    if error is not None:
        seen["traceback"] = observer.traceback_entries(error)
        drop(error)
        error = None
    seen["arguments"] = observer.value(passed)
    # Seen from outside a list in a variable may hold an equal number (docs/exactness.md).
    plain = (int, float, complex) if reads_locals or seen["kind"] != "returns" else ()
    seen["references"] = [
        sys.getrefcount(v) - b for v, b in zip(counted, before) if type(v) not in plain
    ]
    seen["stdout"] = out.getvalue()[printed:]
    seen["log"] = observer.value(log[min(logged, len(log)) :])
    seen["log length"] = len(log)
    seen["globals"] = observer.value(
        [v for k, v in sorted(namespace.items()) if k[0] in "GA" and k[1:].isdigit()]
    )
    seen["handled"] = str(sys.exc_info()[1])
    return event


def left_behind(namespace: dict, names: dict) -> Event:
    """Repeat the first calls of the program and count the memory blocks that stay."""
    calls = []
    for name, args_text, kwargs_text in [c for c in namespace["CALLS"] if c[0]][:6]:
        args, kwargs = eval(args_text, names), eval(kwargs_text, names)
        calls.append(functools.partial(namespace[name], *args, **kwargs))
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(depth() + RECURSION_ROOM)
    kept = stress.growth(calls)
    sys.setrecursionlimit(limit)
    return Event("repeated calls", {"blocks left per round": kept})


def drop(error: BaseException | None) -> None:
    """Cut the frames loose so that the references they hold are gone."""
    seen: set[int] = set()
    todo = [error]
    while todo:
        current = todo.pop()
        if current is None or id(current) in seen:
            continue
        seen.add(id(current))
        todo += [current.__cause__, current.__context__]
        current.__traceback__ = None
        current.__context__ = current.__cause__ = None


def statement(namespace: dict, text: str) -> Event:
    """Execute a statement between two calls."""
    event = Event(text)
    try:
        exec(compile(text, "<between>", "exec"), namespace)
    except Exception as error:  # noqa: BLE001
        event.seen["kind"] = type(error).__name__
        event.seen["outcome"] = str(error)
    return event


def compare(plain: Run, compiled: Run) -> Difference | None:
    """The first difference, or None. One that is only about identities gives way to any other."""
    only_identity = None
    other_objects: set[int] = set()  # calls with such a difference
    for index, (a, b) in enumerate(zip(plain.events, compiled.events)):
        if plain.loose_limit and "RecursionError" in (a.seen.get("kind"), b.seen.get("kind")):
            break
        for aspect in a.seen:
            if aspect == "blocks left per round" and a.seen[aspect] > b.seen.get(aspect, 0):
                continue  # what is made once by the first to need it
            if a.seen[aspect] != b.seen.get(aspect):
                found = classify(
                    Difference(aspect, a.call, index, a.seen[aspect], b.seen.get(aspect))
                )
                if aspect == "references" and index in other_objects:
                    continue  # the same difference seen from another side
                if aspect == "log" and only_deaths_moved(found.plain, found.compiled):
                    found.aspect = "order of deaths"
                if not found.aspect.startswith(("identity", "order of deaths")):
                    return found
                only_identity = only_identity or found
                other_objects.add(index)
    if len(plain.events) != len(compiled.events):
        return Difference(
            "number of calls", "", len(plain.events), len(plain.events), len(compiled.events)
        )
    wrong = coverage.compiler_errors(compiled.functions)
    if wrong:
        return Difference("compiler error", "", 0, "", wrong[0])
    return only_identity


def classify(found: Difference) -> Difference:
    """Name differences that are only about which object it is."""
    if (
        strip_numbers(found.plain) == strip_numbers(found.compiled)
        and found.plain != found.compiled
    ):
        found.aspect = f"identity in {found.aspect}"
    return found


def only_deaths_moved(plain: tuple, compiled: tuple) -> bool:
    """Whether the same objects die in another order, everything else as it was.

    The caller of a swapped function holds the arguments until it returns, so a temporary may outlive
    what the function itself lets go.
    """

    def split(log):
        length, entries = strip_numbers(log)[1]
        entries = list(itertools.takewhile(lambda e: "'...'" not in repr(e), entries))
        deaths = sorted(repr(e) for e in entries if "'del'" in repr(e)[:40])
        others = [e for e in entries if "'del'" not in repr(e)[:40]]
        return length, length > len(entries), deaths, others

    try:
        length, cut, deaths, others = split(plain)
        their_length, _, their_deaths, their_others = split(compiled)
    except (IndexError, TypeError, ValueError):
        return False
    if length != their_length:
        return False
    if cut:  # what is not shown may hold the rest of either
        shown = min(len(others), len(their_others))
        return others[:shown] == their_others[:shown]
    return (deaths, others) == (their_deaths, their_others)


def strip_numbers(value: object) -> object:
    """A description without the object numbers."""
    if (
        isinstance(value, tuple)
        and len(value) == 3
        and isinstance(value[0], int)
        and isinstance(value[1], str)
    ):
        return strip_numbers(value[1:])
    if isinstance(value, (tuple, list)):
        return [strip_numbers(v) for v in value]
    return value
