"""Paired, interleaved timing of several ways to do the same work.

Every round runs every contender once, in an order that rotates, so that a machine that slows down
or speeds up does so for all of them. What is reported is the ratio inside a round: its geometric
mean over the rounds with a 95 % interval (Student's t on the logarithms), its median, and the ratio
of the two fastest runs. Absolute times are minima and serve as an orientation only.

Results are compared before anything is timed. The garbage collector is off while the clock runs.
"""

from __future__ import annotations

import gc
import math
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

MIN_ROUNDS = 11
CLOCKS = {"wall": time.perf_counter_ns, "cpu": time.thread_time_ns}


@dataclass
class Ratio:
    """How many times faster `contender` is than `base`: above 1 is faster."""

    mean: float  # geometric mean over the rounds
    low: float  # 95 % interval of that mean
    high: float
    median: float
    of_minima: float

    def text(self) -> str:
        return f"{number(self.mean)} [{number(self.low)}, {number(self.high)}]"


@dataclass
class Samples:
    """Seconds per call of each contender, one entry per round."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    calls: dict[str, int] = field(default_factory=dict)  # calls per sample

    def best(self, name: str) -> float:
        return min(self.seconds[name])

    def ratio(self, contender: str, base: str) -> Ratio:
        pairs = zip(self.seconds[base], self.seconds[contender], strict=True)
        logs = [math.log(b / c) for b, c in pairs]
        return ratio_of_logs(logs, self.best(base) / self.best(contender))


class ResultsDiffer(Exception):
    """Two contenders that should do the same work gave different results."""


def measure(
    contenders: Mapping[str, Callable[[], object]],
    rounds: int = MIN_ROUNDS,
    sample_seconds: float = 0.01,
    clock: str = "wall",
    warm_seconds: float = 0.3,
) -> Samples:
    """Time `contenders` in interleaved rounds.

    Each sample calls a contender as often as is needed to fill `sample_seconds`; the number is
    found beforehand and is fixed. Before that each contender is called for `warm_seconds`: some
    compile what is hot in steps, which is no part of what is measured.

    Raises ValueError below `MIN_ROUNDS` rounds only when asked for fewer than two, so that quick
    looks are possible; reports say how many rounds were run.
    """
    if rounds < 2:
        raise ValueError("at least two rounds are needed for an interval")
    now = CLOCKS[clock]
    samples = Samples()
    for name, call in contenders.items():
        warmed = time.perf_counter() + warm_seconds
        while time.perf_counter() < warmed:
            call()
        samples.calls[name] = calls_to_fill(call, sample_seconds)
        samples.seconds[name] = []
    names = list(contenders)
    for turn in range(rounds):
        shift = turn % len(names)
        for name in names[shift:] + names[:shift]:
            elapsed = timed(contenders[name], samples.calls[name], now)
            samples.seconds[name].append(elapsed / samples.calls[name] / 1e9)
    return samples


def timed(call: Callable[[], object], calls: int, now: Callable[[], int]) -> int:
    """Nanoseconds for `calls` calls; earlier garbage is collected before the clock starts."""
    gc.collect()
    enabled = gc.isenabled()
    gc.disable()
    try:
        turns = range(calls)
        start = now()
        for _ in turns:
            call()
        return max(1, now() - start)
    finally:
        if enabled:
            gc.enable()


def calls_to_fill(call: Callable[[], object], seconds: float) -> int:
    calls = 1
    while True:
        elapsed = timed(call, calls, time.perf_counter_ns) / 1e9
        if elapsed >= seconds or calls >= 1 << 24:
            return calls
        grow = seconds / elapsed * 1.1
        calls = max(calls + 1, min(int(calls * grow) + 1, calls * 100))


def ratio_of_logs(logs: list[float], of_minima: float) -> Ratio:
    mean, half = mean_with_interval(logs)
    return Ratio(
        mean=math.exp(mean),
        low=math.exp(mean - half),
        high=math.exp(mean + half),
        median=math.exp(statistics.median(logs)),
        of_minima=of_minima,
    )


def geometric_mean(rows: list[Samples], contender: str, base: str) -> Ratio:
    """Over several workloads: the mean of each round's geometric mean, with its interval.

    All rows must have the same number of rounds.
    """
    logs = []
    for turn in range(len(rows[0].seconds[base])):
        per_row = [math.log(row.seconds[base][turn] / row.seconds[contender][turn]) for row in rows]
        logs.append(statistics.fmean(per_row))
    minima = [math.log(row.best(base) / row.best(contender)) for row in rows]
    return ratio_of_logs(logs, math.exp(statistics.fmean(minima)))


def mean_with_interval(values: list[float]) -> tuple[float, float]:
    """Mean and half the width of its 95 % interval."""
    mean = statistics.fmean(values)
    if len(values) < 2:
        return mean, math.inf
    error = statistics.stdev(values) / math.sqrt(len(values))
    return mean, student_t_975(len(values) - 1) * error


def student_t_975(degrees: int) -> float:
    """The 97.5 % point of Student's t: exact for 1 and 2 degrees, else a series good to 1 %."""
    if degrees == 1:
        return 12.7062
    if degrees == 2:
        return 4.3027
    z = 1.959963985
    n = float(degrees)
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
    )


def same(a: object, b: object, relative: float = 0.0) -> bool:
    """Equal in value and type, recursively. With `relative`, floats may differ by that much.

    NaN equals NaN, and 0.0 differs from -0.0 unless `relative` is given.
    """
    if relative and isinstance(a, float | int) and isinstance(b, float | int):
        if isinstance(a, float) or isinstance(b, float):
            return math.isclose(a, b, rel_tol=relative, abs_tol=1e-300) or (a != a and b != b)
        return a == b
    if relative and isinstance(a, complex) and isinstance(b, complex):
        return abs(a - b) <= relative * max(abs(a), abs(b))
    if isinstance(a, list | tuple) and len(a) == _length(b):
        if not relative and type(a) is not type(b):
            return False
        return all(same(x, y, relative) for x, y in zip(a, b, strict=True))
    if relative:
        return a == b
    if type(a) is not type(b):
        return False
    if isinstance(a, float):
        return a.hex() == b.hex()
    if isinstance(a, complex):
        return same(a.real, b.real) and same(a.imag, b.imag)
    return a == b


def _length(value: object) -> int:
    try:
        return len(value)
    except TypeError:
        return -1


def number(value: float) -> str:
    """Three significant digits, without an exponent where people would not write one."""
    if not math.isfinite(value):
        return str(value)
    if abs(value) >= 100:
        return f"{value:,.0f}"
    if abs(value) >= 10:
        return f"{value:.1f}"
    return f"{value:.2f}" if abs(value) >= 0.1 else f"{value:.3g}"
