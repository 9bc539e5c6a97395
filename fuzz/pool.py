"""Forked workers over a list of seeds, watched: a hang or a crash is a finding too."""

from __future__ import annotations

import json
import os
import selectors
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from fuzz import worker
from fuzz.generate import Options

BATCH = 40  # programs per process: a fresh one now and then, so that state does not pile up
# Of one program in one mode, before its worker is killed: processor time, which a busy machine does
# not add to, and wall clock for one that waits. One in 300 does not end in CPython either: plain runs
# get less, since hardly any other needs a tenth of it.
PROGRAM_SECONDS = 20.0
PLAIN_SECONDS = 2.0
WAITING_SECONDS = 240.0


@dataclass
class Finding:
    """A program on which the two runs disagree."""

    seed: int
    aspect: str  # what differs, or "crash: SIGSEGV", "hang"
    text: str


@dataclass
class Totals:
    passed: int = 0
    discarded: int = 0
    calls: Counter = field(default_factory=Counter)
    coverage: Counter = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)


@dataclass
class Worker:
    pid: int
    pipe: int
    seeds: list[int]
    stderr: str
    seed: int | None = None
    phase: str = ""
    since: float = 0.0
    used: float = 0.0  # processor time at `since`
    text: bytes = b""


def processor_time(pid: int) -> float:
    """Seconds that a process has run, in user and system mode; 0 when it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Pool:
    """Runs seeds until they are used up or the deadline has passed."""

    def __init__(
        self, seeds: Iterator[int], options: Options, jit: str, jobs: int, deadline: float
    ):
        self.seeds, self.options, self.jit = seeds, options, jit
        self.jobs, self.deadline = jobs, deadline
        self.totals = Totals()
        self.selector = selectors.DefaultSelector()
        self.workers: dict[int, Worker] = {}
        self.retry: list[int] = []
        self.on_finding = lambda finding: None
        self.folder = tempfile.TemporaryDirectory(prefix="splice-fuzz-")

    def run(self) -> Totals:
        try:
            while self.start_workers() or self.workers:
                for key, _ in self.selector.select(timeout=0.5):
                    self.read(self.workers[key.fd])
                self.kill_hanging()
        finally:
            for state in list(self.workers.values()):
                os.kill(state.pid, signal.SIGKILL)
                os.waitpid(state.pid, 0)
            self.folder.cleanup()
        return self.totals

    def start_workers(self) -> bool:
        while len(self.workers) < self.jobs and time.monotonic() < self.deadline:
            seeds = self.retry[:BATCH]
            del self.retry[:BATCH]
            while len(seeds) < BATCH and (seed := next(self.seeds, None)) is not None:
                seeds.append(seed)
            if not seeds:
                return False
            self.start(seeds)
        return bool(self.workers)

    def start(self, seeds: list[int]) -> None:
        reader, writer = os.pipe()
        stderr = os.path.join(self.folder.name, f"{time.monotonic_ns()}")
        sys.stdout.flush()
        pid = os.fork()
        if pid == 0:
            os.close(reader)
            worker.work(writer, seeds, self.options, self.jit, stderr)
        os.close(writer)
        self.workers[reader] = Worker(pid, reader, seeds, stderr, since=time.monotonic())
        self.selector.register(reader, selectors.EVENT_READ)

    def read(self, state: Worker) -> None:
        data = os.read(state.pipe, 1 << 20)
        if not data:
            return self.finish(state, "")
        *lines, state.text = (state.text + data).split(b"\n")
        for line in lines:
            self.take(state, json.loads(line))
        return None

    def take(self, state: Worker, message: dict) -> None:
        state.since, state.used = time.monotonic(), processor_time(state.pid)
        state.phase = message["phase"]
        state.seed = message.get("seed", state.seed)
        if state.phase != "done":
            return
        totals = self.totals
        if message["discarded"]:
            totals.discarded += 1
        elif "difference" in message:
            self.find(Finding(state.seed, message["aspect"], message["difference"]))
        else:
            totals.passed += 1
        totals.calls.update(message.get("calls", {}))
        totals.coverage.update(message.get("coverage", {}))
        if time.monotonic() > self.deadline:
            self.finish(state, "deadline")

    def find(self, finding: Finding) -> None:
        self.totals.findings.append(finding)
        self.on_finding(finding)

    def kill_hanging(self) -> None:
        now = time.monotonic()
        for state in list(self.workers.values()):
            waited = now - state.since
            allowed = PLAIN_SECONDS if state.phase == "plain" else PROGRAM_SECONDS
            if waited > WAITING_SECONDS or (
                waited > allowed and processor_time(state.pid) - state.used > allowed
            ):
                self.finish(state, "hang")
            elif now > self.deadline + allowed:
                self.finish(state, "deadline")

    def finish(self, state: Worker, why: str) -> None:
        """The worker has ended, or has to."""
        if state.pipe not in self.workers:
            return
        del self.workers[state.pipe]
        self.selector.unregister(state.pipe)
        if why:
            os.kill(state.pid, signal.SIGKILL)
        _, status = os.waitpid(state.pid, 0)
        os.close(state.pipe)
        if why == "deadline" or (not why and state.phase == "end"):
            return
        self.retry += (
            state.seeds[state.seeds.index(state.seed) + 1 :] if state.seed is not None else []
        )
        if state.phase == "plain" and (why == "hang" or os.WIFSIGNALED(status)):
            self.totals.discarded += 1  # CPython itself does not get through
            return
        aspect = "hang" if why else crash_name(status)
        self.find(
            Finding(
                state.seed if state.seed is not None else -1,
                aspect,
                f"{aspect}\n{tail(state.stderr)}",
            )
        )


def crash_name(status: int) -> str:
    """How a worker died."""
    if os.WIFSIGNALED(status):
        return f"crash: {signal.Signals(os.WTERMSIG(status)).name}"
    return f"crash: exit status {os.waitstatus_to_exitcode(status)}"


def tail(path: str, limit: int = 3000) -> str:
    """The end of a worker's standard error."""
    try:
        return Path(path).read_text(errors="replace")[-limit:]
    except OSError:
        return ""
