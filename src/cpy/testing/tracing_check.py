"""Who watches: trace and profile functions, monitoring tools, global and local; the audit hook."""

import sys
import threading

from probe import active, audited, changed, inside, local, own_register, version

M = sys.monitoring
audited()
assert not active() and not inside()

seen = []
sys.settrace(lambda *a: seen.append((active(), inside())))
assert active()
assert audited() == 1
len([])


def call():
    pass


call()
sys.settrace(None)
assert audited() == 1
assert (True, True) in seen, seen
assert not active()

sys.setprofile(lambda *a: None)
assert active()
sys.setprofile(None)
assert not active()
assert audited() == 2

# A tracer of another thread counts: its events are on for everybody.
go, stop = threading.Event(), threading.Event()


def other():
    sys.settrace(lambda *a: None)
    go.set()
    stop.wait()
    sys.settrace(None)


thread = threading.Thread(target=other)
thread.start()
go.wait()
assert active()
stop.set()
thread.join()
assert not active()
assert audited() == 2

# Tools, global and on one code object.
M.use_tool_id(3, "somebody")
assert M.register_callback(3, M.events.LINE, lambda *a: None) is None
assert audited() == 1
assert not active()
M.set_events(3, M.events.LINE)
assert active()
M.set_events(3, 0)
assert not active() and not local(call.__code__)
M.set_local_events(3, call.__code__, M.events.LINE)
assert not active() and local(call.__code__)
assert not local(other.__code__)
M.set_local_events(3, call.__code__, 0)
assert not local(call.__code__)
own_register()
assert audited() == 0
M.register_callback(3, M.events.LINE, None)
M.free_tool_id(3)

# Our own id does not count.
name = M.get_tool(5)
if name is None:
    M.use_tool_id(5, "ours")
M.set_local_events(5, call.__code__, M.events.PY_START)
assert not local(call.__code__)
M.set_local_events(5, call.__code__, 0)
M.set_events(5, M.events.PY_START)
assert not active()
M.set_events(5, 0)
if name is None:
    M.free_tool_id(5)

# Tools that come and go, and the word that changes with what is switched on.
changed()
M.use_tool_id(3, "somebody")
assert changed() == 1
for function, args in ((M.use_tool_id, (3, "other")), (M.free_tool_id, (77,))):
    try:
        function(*args)
    except ValueError:
        assert changed() == 0
    else:
        raise AssertionError(function)
before = version()
M.set_events(3, M.events.LINE)
during = version()
assert during != before
M.set_events(3, 0)
assert version() not in (before, during)
M.free_tool_id(3)
assert changed() == 1
before = version()
call()
assert version() == before
