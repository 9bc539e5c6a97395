"""Leaves Python programs at every instruction, rebuilds their frames, compares with a plain run.

Each program has `main()` and logs through LOG; result, log and traceback text must be equal.
"""
import dis
import os
import random
import re
import sys
import time
import traceback
from array import array

from probe import by_hand, capture, counts, on_instruction, run

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
    def __init__(self, name, source, lasti):
        self.lasti = lasti
        self.file = f"<{name}>"
        self.module = compile(source, self.file, "exec")
        self.codes = [c for c in codes_in(self.module) if c.co_flags & 2 and not c.co_flags & 0x2A0]
        self.tables = {c: tables(c) for c in self.codes}

    def fresh(self):
        log = []
        lasti = self.lasti

        def LOG(*values):
            frame = sys._getframe(1)
            where = []
            while frame is not None and frame.f_code.co_filename == self.file:
                where.append((frame.f_code.co_qualname, frame.f_lineno, frame.f_lasti if lasti else 0,
                              show(sorted(frame.f_locals.items(), key=lambda p: p[0]))))
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

    def leave_at(self, step):
        """Outcome of a run that leaves at `step`, or None when that cannot be (or there is none)."""
        main, log = self.fresh()
        self.instrument(True)
        try:
            left = capture(main, (), self.tables, step)
        except BaseException:
            left = ("raised", 0)
        self.instrument(False)
        self.last = left[0] if left[0] != "skipped" else left[1]
        if left[0] != "left":
            return None
        records, handled = left[1:3]
        return self.outcome(log, run, records, handled)

    def steps(self):
        main, log = self.fresh()
        self.instrument(True)
        try:
            return capture(main, (), self.tables, -2)[-1]
        except BaseException:
            return 10**6  # until the run ends by itself
        finally:
            self.instrument(False)


WHY = {}
def check(name, source, *, lasti, seed=0, most=10**9):
    program = Program(name, source, lasti)
    want = program.plain()
    assert want == program.plain(), (name, "is not deterministic")
    steps = program.steps()
    done = skipped = 0
    order = range(steps)
    if steps > most and steps < 10**6:
        order = sorted(random.Random(seed).sample(range(steps), most))
    for step in order:
        got = program.leave_at(step)
        if got is None:
            if program.last in ("raised", "done"):
                break
            skipped += 1
            WHY[name, program.last] = WHY.get((name, program.last), 0) + 1
            continue
        done += 1
        if got != want:
            print(f"{name}: left at step {step}: differs", file=sys.stderr)
            for g, w in zip(got[1], want[1]):
                if g != w:
                    print("  got ", g, "\n  want", w, file=sys.stderr)
                    break
            print("  got ", got[0], len(got[1]), "\n  want", want[0], len(want[1]), file=sys.stderr)
            raise AssertionError(name)
    return done, skipped


def main():
    here = os.path.dirname(__file__)
    sys.path.insert(0, here)
    from frame_programs import PROGRAMS
    sys.path.remove(here)
    sys.monitoring.use_tool_id(TOOL, "capture")
    sys.monitoring.register_callback(TOOL, E.INSTRUCTION, on_instruction)
    for hand in (False, True):
        by_hand(hand)
        start = time.perf_counter()
        total = [0, 0]
        before = counts()
        for name, source in PROGRAMS.items():
            done, skipped = check(name, source, lasti=MODERN or not hand)
            assert done > 0, name
            total[0] += done
            total[1] += skipped
        after = counts()
        chains, by_trampoline, hands = (a - b for a, b in zip(after, before))
        assert chains == total[0]
        assert (hands if hand else by_trampoline) > 0 and (by_trampoline if hand else hands) == 0
        print(f"{'by hand' if hand else 'trampolines'}: {total[0]} resumes ({total[1]} points left out), "
              f"{by_trampoline + hands} inner frames, {time.perf_counter() - start:.1f} s")
    print(WHY)
    by_hand(False)
    sys.monitoring.free_tool_id(TOOL)


main()
