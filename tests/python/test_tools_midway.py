"""Tools that are switched on in the middle of a running native loop, and off again, miss no line."""

import pytest

PROGRAM = '''
import splice, sys, threading, time

def step(n):
    if n % 2:
        n += 3
    else:
        n += 1
    return n & 1023

def loop(n):
    state = 1
    while PHASE == n:
        state = step(state)
        if state < 0:
            state = 0
    rest = state * 0
    return rest

def twin(f):
    return type(f)(f.__code__.replace(), globals(), f.__name__)

def run(loop, phase, action):
    """Calls loop(phase), and `action` from another thread in the middle of it."""
    global PHASE
    PHASE = phase
    def act():
        global PHASE
        time.sleep(0.05)
        action()
        time.sleep(0.1)
        PHASE = -1
    thread = threading.Thread(target=act)
    thread.start()
    result = loop(phase)
    thread.join()
    return result
'''

# Lines of a run in which `on` is called in the middle; then one with `off` in the middle.
CHECK = """
import splice
PLAIN = step, loop
def observe(jitted):
    global step, loop
    step, loop = map(twin, PLAIN)
    if jitted:
        global PHASE
        splice.jit(step)
        splice.jit(loop)
        PHASE = -1
        loop(0)
        assert splice.stats(loop)["variants"][0]["native"], splice.explain(loop)
    first = run(loop, 1, on), lines()
    second = run(loop, 2, off), lines()
    third = run(loop, 3, lambda: None), lines()
    if jitted:
        assert splice.stats(loop)["state"] == splice.stats(step)["state"] == "active"
        before = splice.stats(loop)["slow_calls"]
        PHASE = -1
        loop(0)
        loop(0)
        assert splice.stats(loop)["slow_calls"] <= before + 1
    return first, second, third
plain, native = observe(False), observe(True)
base = PLAIN[0].__code__.co_firstlineno
print([sorted(line - base for line in seen) for _, seen in plain])
assert plain == native, (plain, native)
"""

SETTRACE = """
seen = set()
def trace(frame, event, arg):
    if frame.f_code.co_name in ("step", "loop") and event == "line":
        seen.add(frame.f_lineno)
    return trace
def on():
    threading.settrace_all_threads(trace)
def off():
    threading.settrace_all_threads(None)
def lines():
    found = set(seen)
    seen.clear()
    return found
"""

MONITORING = """
seen = set()
E, TOOL = sys.monitoring.events, 3
def note(code, line):
    if code.co_name in ("step", "loop"):
        seen.add(line)
def on():
    sys.monitoring.use_tool_id(TOOL, "lines")
    sys.monitoring.register_callback(TOOL, E.LINE, note)
    sys.monitoring.set_events(TOOL, E.LINE)
def off():
    sys.monitoring.set_events(TOOL, 0)
    sys.monitoring.register_callback(TOOL, E.LINE, None)
    sys.monitoring.free_tool_id(TOOL)
def lines():
    found = set(seen)
    seen.clear()
    return found
"""


@pytest.mark.parametrize("tool", [SETTRACE, MONITORING], ids=["settrace", "monitoring"])
def test_a_tool_of_another_thread(tool, child):
    out = child(PROGRAM + tool + CHECK)
    first, second, third = eval(out)
    assert {1, 2, 4, 5} <= set(first), "step() was seen"
    assert second and third == []


COVERAGE = """
import os
import coverage
from program import *
import program

def middle(jitted):
    program.step, program.loop = twin(STEP), twin(LOOP)
    if jitted:
        splice.jit(program.step)
        splice.jit(program.loop)
        program.loop(3)
        assert any(v["native"] for v in splice.stats(program.loop)["variants"]), splice.explain(
            program.loop
        )
    cov = coverage.Coverage(data_file=None, include=[program.__file__])
    program.action = cov.start
    got = [program.loop(300)]
    program.action = cov.stop
    got.append(program.loop(300))
    program.action = None
    program.loop(5)
    if jitted:
        before = splice.stats(program.loop)["slow_calls"]
        program.loop(5)
        assert splice.stats(program.loop)["slow_calls"] == before
    (measured,) = cov.get_data().measured_files()
    return got, sorted(cov.get_data().lines(measured))

STEP, LOOP = program.step, program.loop
native, plain = middle(True), middle(False)
assert plain == native, (plain, native)
print(native[1], STEP.__code__.co_firstlineno)
"""

COVERED = """
import splice
action = None

def step(n):
    if n % 2:
        n += 3
    else:
        n += 1
    return n & 1023

def loop(n):
    state = 1
    for i in range(n):
        state = step(state)
        if i == 150:
            action()
    return state

def twin(f):
    return type(f)(f.__code__.replace(), globals(), f.__name__)
"""


@pytest.mark.parametrize("core", ["ctrace", "sysmon"])
def test_coverage_is_started_and_stopped_in_a_loop(core, child, tmp_path):
    coverage = pytest.importorskip("coverage")
    (tmp_path / "program.py").write_text(COVERED)
    out = child(
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n" + COVERAGE,
        env={"COVERAGE_CORE": core},
    )
    lines, first = eval(out.replace("] ", "], "))
    assert set(lines) >= {first + 1, first + 2, first + 4, first + 5}, coverage.__version__
