"""Debuggers, profilers and coverage tools see the program as if Splice were not there."""

import cProfile
import sys
import threading
import time

import pytest

import splice

pytestmark = pytest.mark.skipif(sys.gettrace() is not None, reason="the tests are being traced")


@pytest.fixture
def work():
    @splice.jit
    def work(n):
        total = 0
        for i in range(n):
            total += i
        return total

    assert work(10) == 45
    return work


def lines_seen(function, *args):
    """Lines of `function` that a trace function sees during a call."""
    seen = []

    def trace(frame, event, arg):
        if frame.f_code is function.__code__ and event == "line":
            seen.append(frame.f_lineno)
        return trace

    sys.settrace(trace)
    try:
        function(*args)
    finally:
        sys.settrace(None)
    return seen


def test_settrace_sees_every_line_and_native_code_comes_back(work, twin, native):
    assert lines_seen(work, 3) == lines_seen(twin(work), 3) != []
    slow = splice.stats(work)["slow_calls"]
    assert work(10) == 45
    assert work(10) == 45
    assert native(work) == 1
    assert splice.stats(work)["slow_calls"] == slow


def test_setprofile_sees_the_call(work):
    seen = []
    sys.setprofile(lambda frame, event, arg: seen.append((frame.f_code.co_name, event)))
    try:
        work(3)
    finally:
        sys.setprofile(None)
    assert ("work", "call") in seen
    assert ("work", "return") in seen


def test_cprofile_counts_calls(work):
    profile = cProfile.Profile()
    profile.enable()
    for _ in range(5):
        work(3)
    profile.disable()
    counts = {e.code.co_name: e.callcount for e in profile.getstats() if hasattr(e.code, "co_name")}
    assert counts.get("work") == 5
    assert work(10) == 45


def test_first_call_under_a_tracer():
    @splice.jit
    def fresh(n):
        total = 0
        for i in range(n):
            total += i
        return total

    assert len(lines_seen(fresh, 3)) > 5
    assert fresh(10) == 45


def test_decorated_under_a_tracer(native):
    sys.settrace(lambda *_: None)
    try:

        @splice.jit
        def fresh(n):
            return n + 1

        assert fresh(1) == 2
    finally:
        sys.settrace(None)
    assert fresh(1) == 2
    assert native(fresh) == 1


def test_monitoring_tool_sees_events(work):
    monitoring = sys.monitoring
    tool = 3
    seen = []
    monitoring.use_tool_id(tool, "test")
    try:
        monitoring.register_callback(
            tool, monitoring.events.PY_START, lambda code, offset: seen.append(code.co_name)
        )
        monitoring.set_events(tool, monitoring.events.PY_START)
        work(3)
        monitoring.set_events(tool, 0)
        work(3)
        # Switched on again without a new callback: nothing but the entry itself can notice.
        monitoring.set_events(tool, monitoring.events.PY_START)
        work(3)
        monitoring.set_events(tool, 0)
        monitoring.register_callback(tool, monitoring.events.PY_START, None)
    finally:
        monitoring.free_tool_id(tool)
    assert seen.count("work") == 2
    assert work(10) == 45


@pytest.mark.parametrize("local", [False, True])
def test_a_compiled_function_is_no_c_function_for_a_tool(work, native, local):
    def caller():
        work(3)
        len([])

    seen = []
    events = sys.monitoring.events
    sys.monitoring.use_tool_id(3, "test")
    try:
        sys.monitoring.register_callback(
            3, events.C_RETURN, lambda code, offset, callee, first: seen.append(callee)
        )
        if local:
            sys.monitoring.set_local_events(3, caller.__code__, events.CALL)
        else:
            sys.monitoring.set_events(3, events.CALL)
        caller()
        sys.monitoring.set_events(3, 0)
        sys.monitoring.set_local_events(3, caller.__code__, 0)
    finally:
        sys.monitoring.register_callback(3, events.C_RETURN, None)
        sys.monitoring.free_tool_id(3)
    assert [callee for callee in seen if callee in (work, len)] == [len]
    interpreted = splice.stats(work)["interpreted"]
    assert work(3) == 3
    assert work(3) == 3
    assert splice.stats(work)["interpreted"] == interpreted
    assert native(work) == 1


def test_local_events_of_a_tool(work):
    monitoring = sys.monitoring
    tool = 3
    seen = []
    monitoring.use_tool_id(tool, "test")
    try:
        monitoring.register_callback(
            tool, monitoring.events.LINE, lambda code, line: seen.append(line)
        )
        monitoring.set_local_events(tool, work.__code__, monitoring.events.LINE)
        work(3)
        monitoring.set_local_events(tool, work.__code__, 0)
        monitoring.register_callback(tool, monitoring.events.LINE, None)
    finally:
        monitoring.free_tool_id(tool)
    assert len(seen) > 5
    assert work(10) == 45


def test_tracing_of_another_thread(work):
    seen = []

    def trace(frame, event, arg):
        seen.append(frame.f_code.co_name)
        return trace

    def traced():
        sys.settrace(trace)
        work(3)
        sys.settrace(None)

    thread = threading.Thread(target=traced)
    thread.start()
    thread.join()
    assert "work" in seen
    assert work(10) == 45


def test_settrace_while_native_code_runs(native):
    namespace = {"GO": True}
    exec(
        "def tick(n):\n    return n + 1 & 1023\n"
        "def wait():\n    n = 0\n    while GO:\n        n = tick(n)\n    return n\n",
        namespace,
    )
    wait = splice.jit(namespace["wait"])
    namespace["GO"] = False
    assert wait() == 0
    namespace["GO"] = True
    seen = []

    def begin():
        threading.settrace_all_threads(lambda frame, event, arg: seen.append(frame.f_code.co_name))
        deadline = time.monotonic() + 20
        while "tick" not in seen and time.monotonic() < deadline:
            time.sleep(0.001)
        namespace["GO"] = False

    timer = threading.Timer(0.05, begin)
    timer.start()
    try:
        assert 0 <= wait() < 1024
    finally:
        timer.join()
        threading.settrace_all_threads(None)
    assert "tick" in seen
    # Native code is back: at the next call, because GO was rebound.
    assert (wait(), wait()) == (0, 0)
    assert native(wait) == 1


def test_no_audit_hook_before_a_tool(child):
    """An audit hook makes CPython build the arguments of every audited call, `id` among them."""
    assert (
        child("""
import sys
added = []
sys.addaudithook(lambda event, args: event == "sys.addaudithook" and added.append(args))
import splice

@splice.jit
def work(n):
    return n + 1

work(1), work(2)
before = len(added)
use, free = sys.monitoring.use_tool_id, sys.monitoring.free_tool_id
use(2, "tool")
work(3)
free(2)
slow = splice.stats(work)["slow_calls"]
assert work(4) == 5 and splice.stats(work)["slow_calls"] == slow
assert (use, free) == (sys.monitoring.use_tool_id, sys.monitoring.free_tool_id)
print(before, len(added))
""")
        == "0 1\n"
    )


def test_functions_of_monitoring_raise_as_before(child):
    source = """
import sys
if NATIVE:
    import splice
    splice.jit(lambda: 1)()
m = sys.monitoring
m.use_tool_id(3, "one")
for f, args in [(m.use_tool_id, (3, "two")), (m.use_tool_id, (7, "x")), (m.use_tool_id, (1,)),
                (m.use_tool_id, (1, 2)), (m.free_tool_id, (9,)), (m.free_tool_id, ("x",)),
                (m.free_tool_id, ()), (m.free_tool_id, (3,)), (m.free_tool_id, (3,))]:
    try:
        print(f(*args), m.get_tool(3))
    except Exception as error:
        print(type(error), error)
print(m.use_tool_id.__name__, m.use_tool_id.__doc__, m.use_tool_id.__self__, type(m.use_tool_id))
"""
    plain, native = (child(source.replace("NATIVE", str(native))) for native in (False, True))
    assert plain == native != ""


FREED = """
import sys
m, seen = sys.monitoring, []
def hit(i):
    if i == 50: eval("1")
def rect(n):
    hit(n)
    return 0 if n == 0 else rect(n - 1) + n
if NATIVE:
    import splice
    splice.jit(rect)
rect(100)
m.use_tool_id(3, "x")
m.register_callback(3, m.events.PY_RETURN, lambda code, *_: seen.append(code.co_name))
m.set_events(3, m.events.PY_RETURN)
rect(5)
m.set_events(3, 0)
m.free_tool_id(3)
print(seen)
seen.clear()
print(rect(100), rect(100), seen)
if NATIVE: assert any(v["native"] for v in splice.stats(rect)["variants"])
"""

SWITCHED_ON = """
import sys
seen = []
def profile(frame, event, arg):
    if frame.f_code.co_filename == "<string>":
        seen.append((event, frame.f_code.co_name, getattr(arg, "__name__", None)))
on = lambda: sys.setprofile(profile)
def hit(i, at):
    if i == at: on()
    if i == at + 2: sys.setprofile(None)
def loop(n, at):
    total = 0
    for i in range(n):
        total += i
        hit(i, at)
    return total
if NATIVE:
    import splice
    splice.jit(loop)
for _ in range(3):
    print(loop(200, 5), seen)
    seen.clear()
if NATIVE: assert any(v["native"] for v in splice.stats(loop)["variants"])
"""


@pytest.mark.parametrize("source", [FREED, SWITCHED_ON], ids=["freed", "switched on"])
def test_instructions_left_for_a_tool_that_has_gone(child, source):
    """Frames are rebuilt with code that no interpreted call has cleared of them."""
    plain, native = (child(source.replace("NATIVE", str(native))) for native in (False, True))
    assert plain == native != ""
