"""Tracers, profilers and monitoring tools that come and go between calls and during a call."""
# compiled: work, inner

import sys

EVENTS = []


def inner(x):
    y = x + 1
    return y * 2


def work(n):
    total = 0
    for i in range(n):
        total += inner(i)
    return total


def switch(i):
    if i == 3:
        sys.settrace(tracer)
    if i == 6:
        sys.settrace(None)


def middle(n):
    total = 0
    for i in range(n):
        switch(i)
        total += inner(i)
    return total


def tracer(frame, event, arg):
    if frame.f_code.co_filename == __file__ and frame.f_code.co_name in ("inner", "work", "middle"):
        EVENTS.append(
            (frame.f_code.co_name, event, frame.f_lineno, arg if event == "return" else None)
        )
        return tracer
    return None


def profiler(frame, event, arg):
    if frame.f_code.co_filename == __file__ and frame.f_code.co_name in ("inner", "work"):
        EVENTS.append((frame.f_code.co_name, event, frame.f_lineno))


for function in (tracer, profiler, switch):
    function.__name__ = "main"


def dump(title):
    print(title, len(EVENTS))
    for event in EVENTS:
        print("  ", event)
    EVENTS.clear()


dump.__name__ = "main"


def main():
    print(work(5), work(10))
    look()
    sys.settrace(tracer)
    print(work(2))
    sys.settrace(None)
    dump("traced")
    print(work(3))
    dump("after")
    sys.setprofile(profiler)
    print(work(2))
    sys.setprofile(None)
    dump("profiled")
    print(middle(8))
    sys.settrace(None)
    dump("switched inside")

    monitoring = sys.monitoring
    monitoring.use_tool_id(2, "conformance")
    lines = lambda code, line: (
        EVENTS.append((code.co_name, line)) if code.co_filename == __file__ else None
    )  # noqa: E731
    monitoring.register_callback(2, monitoring.events.LINE, lines)
    monitoring.set_local_events(2, inner.__code__, monitoring.events.LINE)
    print(work(2))
    dump("local line events")
    monitoring.set_local_events(2, inner.__code__, 0)
    monitoring.set_events(2, monitoring.events.LINE)
    print(work(1))
    monitoring.set_events(2, 0)
    EVENTS[:] = [e for e in EVENTS if e[0] in ("work", "inner")]
    dump("global line events")
    monitoring.register_callback(2, monitoring.events.LINE, None)
    monitoring.free_tool_id(2)
    print(work(5))
    dump("at the end")
