"""Rebuilt frames at the limits: references, deep chains, RecursionError, threads, tracers, big frames,
frames inside frames, records that are none."""

import dis
import functools
import os
import sys
import threading

from probe import by_hand, counts, rebuild

sys.path.insert(0, os.path.dirname(__file__))
import frame_trials

del sys.path[0]
M = sys.monitoring
MODERN = sys.version_info >= (3, 13)
NULL = object  # for rebuild()


@functools.lru_cache(maxsize=None)
def at_call(function, nth=0):
    """Offset of the nth call of a function, its prefixes included."""
    first = None
    for i in dis.get_instructions(function):
        if i.opname in ("EXTENDED_ARG", "KW_NAMES"):
            first = i.offset if first is None else first
            continue
        if i.opname in ("CALL", "CALL_KW", "CALL_FUNCTION_EX"):
            if nth == 0:
                return i.offset if first is None else first
            nth -= 1
        first = None
    raise LookupError(function)


@functools.lru_cache(maxsize=None)
def at_start(function):
    return next(i.offset + 2 for i in dis.get_instructions(function) if i.opname == "RESUME")


def operands(callable_, *args):
    return [callable_, NULL, *args] if MODERN else [NULL, callable_, *args]


def leaf(a, b):
    c = a + b
    return [c, b]


def middle(x):
    y = leaf(x, x * 2)
    return (x, y)


def outer(x):
    return {x: middle(x + 1)}


def chain(x):
    """outer(x) that has come to the beginning of leaf: three frames."""
    return [
        (outer, at_call(outer), [x], [x, *operands(middle, x + 1)]),
        (middle, at_call(middle), [x + 1, NULL], operands(leaf, x + 1, (x + 1) * 2)),
        (leaf, at_start(leaf), [x + 1, (x + 1) * 2, NULL], []),
    ]


def both_ways(test):
    for hand in (False, True):
        by_hand(hand)
        try:
            test(hand)
        finally:
            by_hand(False)


# --- references and memory
def references(hand):
    x = 1.5
    for _ in range(50):
        assert rebuild(chain(x)) == outer(x)
    functions = (outer, middle, leaf, outer.__code__, leaf.__code__, x)
    before = [sys.getrefcount(o) for o in functions]
    blocks = sys.getallocatedblocks()
    for _ in range(1000):
        rebuild(chain(x))
    assert [sys.getrefcount(o) for o in functions] == before
    assert abs(sys.getallocatedblocks() - blocks) < 50, sys.getallocatedblocks() - blocks


both_ways(references)


# --- deep chains
def down(n):
    if n == 0:
        return 0
    return 1 + down(n - 1)


def deep(depth, n):
    """`depth` frames of down(), the innermost about to compute down(n)."""
    frames = [
        (down, at_call(down), [n + k], [1, *operands(down, n + k - 1)]) for k in range(depth, 0, -1)
    ]
    return [*frames, (down, at_start(down), [n], [])]


def deep_chains(hand):
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    for depth in (1, 100, 900, 3000 if not hand else 1500, 9000 if not hand else 2000):
        assert rebuild(deep(depth, 3)) == depth + 3
    sys.setrecursionlimit(limit)


both_ways(deep_chains)

# --- RecursionError comes at the same depth, with the same traceback
ENDLESS = """
deepest = 0
def f(n):
    global deepest
    deepest = n
    return f(n + 1) + 1
def main():
    try:
        f(0)
    except RecursionError as e:
        tb, levels = e.__traceback__, 0
        while tb is not None:
            tb, levels = tb.tb_next, levels + 1
        text = str(e)
    LOG(text, levels)
    f(0)
"""


def recursion_errors(hand):
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(300)
    done, skipped = frame_trials.check("endless", ENDLESS, lasti=MODERN or not hand, seed=5, most=8)
    sys.setrecursionlimit(limit)
    assert done >= 4, (done, skipped)


frame_trials.start()
both_ways(recursion_errors)
frame_trials.stop()


# --- an exception that native code could not have: the chain is longer than the limit allows
def too_deep(hand):
    x = 2.5
    before = sys.getrefcount(down)
    try:
        rebuild(deep(5000, 1))
        raise AssertionError("no RecursionError")
    except RecursionError:
        pass
    assert sys.getrefcount(down) == before
    assert rebuild(chain(x)) == outer(x)  # nothing is left over


both_ways(too_deep)


# --- threads
def threads(hand):
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    wrong = []

    def work(seed):
        for i in range(200):
            x = seed * 1000 + i
            if rebuild(chain(x)) != outer(x):
                wrong.append(x)
            if i % 50 == 0 and rebuild(deep(60, i)) != 60 + i:
                wrong.append(-x)

    workers = [threading.Thread(target=work, args=(k,)) for k in range(6)]
    for w in workers:
        w.start()
    for w in workers:
        w.join()
    sys.setswitchinterval(interval)
    assert not wrong, wrong[:3]


both_ways(threads)


# --- frames that leave while they are rebuilt frames
def inside(n):
    if n == 0:
        return []
    return [rebuild(chain(n)), relay(n)]


def relay(n):
    return inside(n - 1)


def nested(hand):
    for n in range(6):
        records = [
            (relay, at_call(relay), [n + 1], operands(inside, n)),
            (inside, at_start(inside), [n], []),
        ]
        assert rebuild(records) == inside(n)


both_ways(nested)

# --- tracers: rebuilt by hand, and the events of the rest are seen
M.use_tool_id(3, "lines")
seen = []
M.register_callback(3, M.events.LINE, lambda code, line: seen.append((code.co_name, line)))
before = counts()


def fresh_leaf(a, b):
    c = a + b
    return [c, b]


first = fresh_leaf.__code__.co_firstlineno
fresh_leaf(1, 2)
M.set_events(3, M.events.LINE)  # "while fresh_leaf ran natively"
got = rebuild(
    [
        (middle, at_call(middle), [1, NULL], operands(fresh_leaf, 1, 2)),
        (fresh_leaf, at_start(fresh_leaf), [1, 2, NULL], []),
    ]
)
M.set_events(3, 0)
assert got == (1, [3, 2])
after = counts()
assert after[2] - before[2] == 1 and after[1] == before[1], (before, after)
assert ("fresh_leaf", first + 2) in seen, seen
assert ("middle", middle.__code__.co_firstlineno + 2) in seen, seen

# Events on one code object of the chain alone.
M.set_local_events(3, leaf.__code__, M.events.LINE)
before = counts()
assert rebuild(chain(7)) == outer(7)
assert counts()[1] == before[1] and counts()[2] == before[2] + 2
M.set_local_events(3, leaf.__code__, 0)

# Inside a callback no events fire, so trampolines would not work there.
results = []
M.register_callback(3, M.events.PY_START, lambda *a: results.append(rebuild(chain(9))))
M.set_local_events(3, inside.__code__, M.events.PY_START)
inside(0)
M.set_local_events(3, inside.__code__, 0)
assert results == [outer(9)]
for event in (M.events.LINE, M.events.PY_START):
    M.register_callback(3, event, None)
M.free_tool_id(3)

events = []
sys.setprofile(lambda frame, event, arg: events.append((event, frame.f_code.co_name)))
got = rebuild(chain(4))
sys.setprofile(None)
assert got == outer(4)
assert ("return", "leaf") in events and ("return", "outer") in events, events
sys.settrace(lambda *a: None)
assert rebuild(chain(4)) == outer(4)
sys.settrace(None)

# --- frames too big for a chunk of the data stack, and for a trampoline
for size in (100, 400, 2000, 3500, 9000):
    at_call.cache_clear()
    names = [f"v{i}" for i in range(size)]
    space = {"leaf": leaf}
    exec(f"def big({', '.join(names)}):\n    return leaf(v0, v{size - 1}), v{size // 2}", space)
    exec("def caller(n):\n    return big(*n)", space)
    big, caller = space["big"], space["caller"]
    values = list(range(size))
    want = ([size - 1, size - 1], size // 2)
    assert big(*values) == want
    for _ in range(3):
        inner = [
            (big, at_call(big), values, operands(leaf, 0, 0)),
            (leaf, at_start(leaf), [0, size - 1, NULL], []),
        ]
        assert rebuild(inner) == want
        assert rebuild([(big, at_start(big), values, [])]) == want
        ex = operands(big, ()) if MODERN else [NULL, big, ()]
        assert rebuild([(caller, at_call(caller), [values], ex), *inner]) == want


# --- records that are none: SystemError, references dropped
def generator():
    yield 1


marker = Exception()
references_before = sys.getrefcount(marker)
for bad in (
    [],
    [(leaf, at_start(leaf), [marker], [])],
    [(leaf, at_start(leaf), [marker] * 4, [])],
    [(leaf, at_start(leaf) + 1, [marker, 2, NULL], [])],
    [(leaf, 10_000, [marker, 2, NULL], [])],
    [(leaf, -2, [marker, 2, NULL], [])],
    [(leaf, at_start(leaf), [marker, 2, NULL], [1] * 100)],
    [(generator, 0, [], [])],
    [(middle, at_start(middle), [marker, NULL], [1]), *chain(1)[2:]],
    [(middle, at_call(middle), [marker, NULL], []), *chain(1)[2:]],
):
    try:
        rebuild(bad)
        raise AssertionError(bad)
    except SystemError as e:
        assert str(e).startswith("splice: ") or "frame" in str(e), e
    del bad
assert sys.getrefcount(marker) == references_before
