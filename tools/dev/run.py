"""Running other programs: shown, with a time limit, their whole process group ended with them."""

import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from dev.paths import ROOT


class Failed(Exception):
    """A step that did not work; its text is for the person at the terminal."""


def say(text: str) -> None:
    """One line of progress."""
    print(f"dev: {text}", flush=True)


def run(
    command: Sequence[str | Path],
    *,
    env: dict[str, str] | None = None,
    cwd: Path = ROOT,
    deadline: float | None = None,
    log: Path | None = None,
) -> int:
    """Runs `command` and returns its exit status; 124 when `deadline` (time.monotonic) passed.

    `env` is added to the environment. With `log`, output goes to that file instead.
    """
    words = [str(word) for word in command]
    full = {**os.environ, **(env or {})}
    output = open(log, "wb") if log else None  # noqa: SIM115  (closed below)
    sys.stdout.flush()
    process = subprocess.Popen(
        words,
        cwd=cwd,
        env=full,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT if output else None,
        start_new_session=True,
    )
    try:
        left = None if deadline is None else max(0.0, deadline - time.monotonic())
        return process.wait(timeout=left)
    except subprocess.TimeoutExpired:
        say(f"out of time: {shlex.join(words)}")
        return 124
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        if output:
            output.close()


def need(command: Sequence[str | Path], **options) -> None:
    """Like run(), and raises Failed unless the command succeeds."""
    status = run(command, **options)
    if status:
        words = shlex.join(str(word) for word in command)
        raise Failed(f"exit status {status}: {words}")
