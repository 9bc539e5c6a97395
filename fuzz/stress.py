"""What a run may be made to bear: interruptions at every poll, and a count of what it leaves behind."""

from __future__ import annotations

import contextlib
import gc
import operator
import signal
import sys
import threading
from collections.abc import Callable, Iterator

REPEATS = 24
SETTLE = 150


@contextlib.contextmanager
def storm(collect: bool) -> Iterator[None]:
    """Signals, requests for the GIL and, with `collect`, garbage collections all the time.

    The handler is written in C: a Python one could itself hit the recursion limit, at a moment that
    no two runs share.
    """
    stop = threading.Event()
    interval = sys.getswitchinterval()
    old = signal.signal(signal.SIGALRM, operator.is_)
    thresholds = gc.get_threshold()
    other = threading.Thread(target=lambda: [None for _ in iter(stop.is_set, True)], daemon=True)
    sys.setswitchinterval(2e-5)
    if collect:
        gc.set_threshold(7, 2, 2)
        gc.enable()
    other.start()
    signal.setitimer(signal.ITIMER_REAL, 0.0003, 0.0003)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        stop.set()
        other.join()
        signal.signal(signal.SIGALRM, old)
        sys.setswitchinterval(interval)
        gc.set_threshold(*thresholds)


def growth(calls: list[Callable[[], object]]) -> int:
    """Memory blocks that one round of calls leaves behind, for ever."""
    kept = 0
    for rounds in (3, REPEATS, SETTLE, REPEATS):
        gc.collect()
        before = sys.getallocatedblocks()
        for _ in range(rounds):
            for call in calls:
                repeat(call)
        gc.collect()
        kept = round((sys.getallocatedblocks() - before) / rounds)
        if rounds == REPEATS and not kept:
            break  # otherwise again, later: pools grow too, but not without end
    return kept


def repeat(call: Callable[[], object]) -> None:
    with contextlib.suppress(BaseException):
        call()
