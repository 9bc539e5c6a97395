"""Trials: a Python program is left at some instruction, its frames are rebuilt, and the outcome is
compared with a plain run, or, where the innermost frame is to raise, with a run in which that
instruction raises.

A program has `main()` and logs through LOG; result, log and traceback text must be equal.
"""

import dis
import random
import re
import sys
import traceback
from array import array

from probe import capture, last_capture, on_instruction, run

TOOL = 4
E = sys.monitoring.events
MODERN = sys.version_info >= (3, 13)


# --- where frames can go on, and how deep the stack is there ---------------------------------------
def tables(code):
    """(resume, depth): per code unit, the unit to resume at and the stack depth there or -1."""
    units = len(code.co_code) // 2
    resume = array("i", range(units))
    depth = array("i", [-1] * units)
    instructions = [i for i in dis.get_instructions(code) if i.opname != "CACHE"]
    starts = [i.offset // 2 for i in instructions]
    prefix = None
    for i, start in zip(instructions, starts):
        first = start if prefix is None else prefix
        resume[start] = first
        prefix = first if i.opname in ("EXTENDED_ARG", "KW_NAMES") else None
        following = [s for s in starts if s > start]
        for cache in range(start + 1, following[0] if following else units):
            resume[cache] = first
    position = {s: k for k, s in enumerate(starts)}
    exceptions = dis._parse_exception_table(code)
    work = [(0, 0)]
    while work:
        k, d = work.pop()
        while True:
            unit = starts[k]
            if depth[unit] >= 0:
                assert depth[unit] == d, (code, unit, depth[unit], d)
                break
            depth[unit] = d
            for e in exceptions:
                if e.start <= 2 * unit < e.end:
                    work.append((position[e.target // 2], e.depth + (2 if e.lasti else 1)))
            i = instructions[k]
            has_arg = i.opcode >= dis.HAVE_ARGUMENT if not MODERN else i.opcode in dis.hasarg
            arg = i.arg if has_arg else None
            if i.opcode in dis.hasjrel or i.opcode in dis.hasjabs:
                target = i.argval if not MODERN else i.jump_target
                work.append((position[target // 2], d + dis.stack_effect(i.opcode, arg, jump=True)))
                if i.opname in ("JUMP_FORWARD", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT"):
                    break
            if i.opname in ("RETURN_VALUE", "RETURN_CONST", "RERAISE", "RAISE_VARARGS"):
                break
            d += dis.stack_effect(i.opcode, arg, jump=False)
            k += 1
    return resume.tobytes(), depth.tobytes()


def without_wrong_lines(code, pair):
    """`tables` without the units where 3.13 takes the line of a raised exception from the next one."""
    resume, depth = array("i", pair[0]), array("i", pair[1])
    lines = [position[0] for position in code.co_positions()]
    entries = dis._parse_exception_table(code)

    def handler(unit):
        return next((e for e in entries if e.start <= 2 * unit < e.end), None)

    for i in dis.get_instructions(code) if MODERN else ():
        first = resume[i.offset // 2]
        if handler(first) != handler(first - 1) and lines[first] != lines[first + 1]:
            depth[i.offset // 2] = -1
    return resume.tobytes(), depth.tobytes()


def codes_in(code):
    yield code
    for c in code.co_consts:
        if hasattr(c, "co_code"):
            yield from codes_in(c)


ADDRESS = re.compile(" at 0x[0-9a-f]+")


def show(value):
    return ADDRESS.sub("", repr(value))


# --- one program ----------------------------------------------------------------------------------
class Noisy:
    """Says when it dies."""

    def __init__(self, log, name):
        self.log, self.name = log, name

    def __repr__(self):
        return f"<{self.name}>"

    def __del__(self):
        self.log.append(("dies", self.name))


class Program:
    def __init__(self, name, source, lasti, raises):
        self.lasti = lasti
        # On 3.12 a look at f_locals keeps what it saw alive until the next look.
        self.locals = "Noisy" not in source
        self.file = f"<{name}>"
        self.module = compile(source, self.file, "exec")
        self.codes = [c for c in codes_in(self.module) if c.co_flags & 2 and not c.co_flags & 0x2A0]
        self.tables = {c: tables(c) for c in self.codes}
        if raises:
            self.tables = {c: without_wrong_lines(c, pair) for c, pair in self.tables.items()}

    def fresh(self):
        log = []
        lasti = self.lasti

        def LOG(*values):
            frame = sys._getframe(1)
            where = []
            while frame is not None and frame.f_code.co_filename == self.file:
                where.append(
                    (
                        frame.f_code.co_qualname,
                        frame.f_lineno,
                        frame.f_lasti if lasti else 0,
                        show(sorted(frame.f_locals.items())) if self.locals else "",
                    )
                )
                frame = frame.f_back
            log.append((show(values), where, show(sys.exception())))
            return values[0] if values else None

        space = {"LOG": LOG, "Noisy": lambda name: Noisy(log, name), "__name__": "program"}
        exec(self.module, space)
        return space["main"], log

    def outcome(self, log, function, *args):
        """Result or traceback, with the log as it is at that time."""
        try:
            value = ("value", show(function(*args)))
        except BaseException as e:
            text = "".join(traceback.format_exception(e))
            # Our own frames are on top of it; the program's begin where its file does.
            at = text.find(f'  File "{self.file}"')
            value = ("raised", type(e).__name__, ADDRESS.sub("", text[at:] if at >= 0 else text))
            del e
        return value, list(log)

    def plain(self):
        main, log = self.fresh()
        return self.outcome(log, main)

    def instrument(self, on):
        for code in self.codes:
            sys.monitoring.set_local_events(TOOL, code, E.INSTRUCTION if on else 0)

    def run_until(self, main, step):
        # As deep in frames as the plain run is: RecursionError must come at the same place.
        return capture(main, (), self.tables, step)

    def raising_at(self, step):
        """Outcome of a plain run in which the instruction at `step` raises MemoryError."""
        main, log = self.fresh()
        self.instrument(True)
        try:
            return self.outcome(log, capture, main, (), self.tables, step, True)
        finally:
            self.instrument(False)

    def leave_at(self, step, raises=False):
        """Outcome of a run that leaves at `step`, or None when that cannot be (or there is none)."""
        main, log = self.fresh()
        self.instrument(True)
        try:
            left = self.run_until(main, step)
        except Exception:
            left = None  # some of the programs end so
        self.instrument(False)
        if left is None:
            assert last_capture()[1], "the step was not reached"
            return None
        records, handled = left
        return self.outcome(log, run, records, handled, raises)

    def steps(self):
        main, log = self.fresh()
        self.instrument(True)
        try:
            capture(main, (), self.tables, -2)
        except Exception:
            pass  # some of the programs end so
        self.instrument(False)
        return last_capture()[0]


def check(name, source, *, lasti, seed, most, raises=False):
    program = Program(name, source, lasti, raises)
    want = program.plain()
    assert want == program.plain(), (name, "is not deterministic")
    steps = program.steps()
    done = skipped = 0
    order = range(steps)
    if most < steps:
        order = sorted(random.Random(seed).sample(range(steps), most))
    for step in order:
        got = program.leave_at(step, raises)
        if got is None:
            skipped += 1
            continue
        done += 1
        if raises:
            want = program.raising_at(step)
            if want[0][0] == got[0][0] == "value":  # what capture gives is not the program's
                got = (want[0], got[1])
        if got != want:
            print(f"{name}: left at step {step}: differs", file=sys.stderr)
            for g, w in zip(got[1], want[1]):
                if g != w:
                    print("  got ", g, "\n  want", w, file=sys.stderr)
                    break
            print("  got ", got[0], len(got[1]), "\n  want", want[0], len(want[1]), file=sys.stderr)
            raise AssertionError(name)
    return done, skipped


def start():
    sys.monitoring.use_tool_id(TOOL, "capture")
    sys.monitoring.register_callback(TOOL, E.INSTRUCTION, on_instruction)


def stop():
    sys.monitoring.register_callback(TOOL, E.INSTRUCTION, None)
    sys.monitoring.free_tool_id(TOOL)
