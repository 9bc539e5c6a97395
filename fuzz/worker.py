"""What a worker process does: programs one after the other, a line of JSON per step on a pipe."""

from __future__ import annotations

import faulthandler
import gc
import json
import os
import resource
import signal
import sys
import traceback
from collections import Counter

from fuzz import coverage, differ
from fuzz.generate import Options, generate

MEMORY = 6 << 30  # address space, so that a giant integer is a MemoryError and not a dead machine


def settle() -> None:
    """Limits and signals of a fresh worker."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.unraisablehook = lambda unraisable: None
    faulthandler.enable()
    gc.freeze()  # what the parent has made: collections need not walk it


def pair(source: str, jit: differ.Jit | None, say=lambda **fields: None, storm: bool = False):
    """(difference or None, plain run, compiled run); the runs are None when it is discarded."""
    try:
        plain = differ.run(source, None)
    except SyntaxError:  # a name that is a parameter and nonlocal, now and then
        return None, None, None
    if plain.memory_error:
        return None, None, None
    say(phase="compiled")
    compiled = differ.run(source, jit, storm)
    return differ.compare(plain, compiled), plain, compiled


def work(pipe: int, seeds: list[int], options: Options, jit_spec: str, stderr: str) -> None:
    """Body of a forked worker; never returns."""
    status = 0
    try:
        log = os.open(stderr, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(log, 2)
        settle()
        jit = differ.load_jit(jit_spec)
        out = os.fdopen(pipe, "w", buffering=1)

        def say(**fields):
            out.write(json.dumps(fields) + "\n")

        for seed in seeds:
            say(seed=seed, phase="plain")
            source = generate(seed, options)
            difference, plain, compiled = pair(source, jit, say, options.storm)
            answer = {"seed": seed, "phase": "done", "discarded": plain is None}
            if plain is not None:
                answer["calls"] = Counter(str(e.seen.get("kind")) for e in plain.events)
                answer["functions"] = len(plain.functions)
                answer["coverage"] = coverage.of(compiled.functions)
            if difference and not difference.aspect.startswith(options.ignore):
                answer["difference"] = difference.text()
                answer["aspect"] = difference.aspect
            say(**answer)
        say(phase="end")
    except BaseException:  # noqa: BLE001 - reported through the log of this worker
        traceback.print_exc()
        status = 70
    os._exit(status)
