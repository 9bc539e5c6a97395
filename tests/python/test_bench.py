"""The measuring itself: statistics, comparison of results, and that every workload is sound."""

import math
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT))

from bench import timing  # noqa: E402
from bench.harm import run as harm  # noqa: E402
from bench.harm.programs import PROGRAMS, Program  # noqa: E402
from bench.jit import workload  # noqa: E402

ALL = [name for group in workload.GROUPS for name in workload.names(group)]


# Known values of Student's t, 97.5 %.
@pytest.mark.parametrize(
    ("degrees", "value"), [(1, 12.706), (2, 4.303), (4, 2.776), (10, 2.228), (30, 2.042)]
)
def test_student(degrees, value):
    assert timing.student_t_975(degrees) == pytest.approx(value, rel=0.01)


def test_ratio_is_of_pairs():
    # The machine got ten times slower in the middle; the ratio in each round is 4.
    samples = timing.Samples(seconds={"base": [4.0, 40.0, 4.4], "fast": [1.0, 10.0, 1.1]})
    ratio = samples.ratio("fast", "base")
    assert ratio.mean == pytest.approx(4.0)
    assert ratio.low == pytest.approx(4.0)
    assert ratio.median == pytest.approx(4.0)
    assert ratio.of_minima == pytest.approx(4.0)


def test_interval_covers_the_spread():
    samples = timing.Samples(seconds={"base": [2.0, 8.0, 4.0], "fast": [1.0, 1.0, 1.0]})
    ratio = samples.ratio("fast", "base")
    assert ratio.mean == pytest.approx(4.0)
    assert ratio.low < 2.0 < 8.0 < ratio.high


def test_geometric_mean_of_rows():
    rows = [
        timing.Samples(seconds={"base": [2.0, 2.0], "fast": [1.0, 1.0]}),
        timing.Samples(seconds={"base": [8.0, 8.0], "fast": [1.0, 1.0]}),
    ]
    assert timing.geometric_mean(rows, "fast", "base").mean == pytest.approx(4.0)


def test_measure_runs_in_turns():
    calls = []
    contenders = {name: lambda name=name: calls.append(name) for name in "ab"}
    samples = timing.measure(contenders, rounds=3, sample_seconds=0.0, warm_seconds=0.0)
    assert samples.calls == {"a": 1, "b": 1}
    assert calls[2:] == ["a", "b", "b", "a", "a", "b"]
    assert [len(each) for each in samples.seconds.values()] == [3, 3]


@pytest.mark.parametrize(
    ("a", "b", "relative", "equal"),
    [
        (1, 1, 0.0, True),
        (1, 1.0, 0.0, False),
        (True, 1, 0.0, False),
        (0.0, -0.0, 0.0, False),
        (math.nan, math.nan, 0.0, True),
        ([1, [2.0]], [1, [2.0]], 0.0, True),
        ([1, [2.0]], [1, [2]], 0.0, False),
        ([1, 2], [1], 0.0, False),
        (1.0, 1.0 + 1e-10, 0.0, False),
        (1.0, 1.0 + 1e-10, 1e-9, True),
        (1.0, 1.1, 1e-9, False),
    ],
)
def test_same(a, b, relative, equal):
    assert timing.same(a, b, relative) is equal


def test_different_results_are_caught():
    with pytest.raises(timing.ResultsDiffer, match="gives 2, CPython gives 1"):
        workload.check("name", "who", 1, lambda: 2, 0.0)


@pytest.mark.parametrize("name", ALL)
def test_workload_is_described(name):
    module = workload.load(name, "test")
    work = module.WORKLOAD
    assert work.entry in workload.functions_of(module)
    code = workload.functions_of(module)[work.entry].__code__
    assert len(work.c_types) == 1 + code.co_argcount == 1 + len(work.arguments())
    assert f"{work.entry}(" in work.c


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [(0.90, 0.96, "SHOWN"), (0.96, 1.1, "not excluded"), (0.98, 0.99, "excluded")],
)
def test_harm_is_judged_by_the_interval(low, high, verdict):
    assert harm.slower(timing.Ratio(0.97, low, high, 0.97, 0.97)) == verdict


def test_an_output_that_differs_in_any_round_is_seen(monkeypatch):
    runs = iter(range(100))

    def run(program, way, loops):
        late = way == "jit" and next(runs) > 0
        return harm.Run(1.0, 1.0, "status 0\n" + ("other" if late else "same"))

    monkeypatch.setattr(harm, "run", run)
    row = harm.compare(Program("nbody", 1), 3)
    assert row["ran"] and row["wrong"] == {"jit": "status 0\nother"}
    assert [len(times) for times in row["cpu"].values()] == [3, 3, 3]
    assert harm.table_row(row)[-1] == "DIFFERENT: jit"


def test_a_program_runs_in_each_way_with_everything_under_jit(tmp_path, monkeypatch):
    script = tmp_path / "program.py"
    script.write_text(
        "import pyperf, splice\n"
        "class Shape:\n"
        "    @staticmethod\n"
        "    def area(x): return x * x\n"
        "    @property\n"
        "    def side(self): return 3\n"
        "def total(n): return sum(Shape.area(i) for i in range(n))\n"
        "def states():\n"
        "    total(5)\n"
        "    return [splice.stats(f)['state'] for f in (total, Shape.area, Shape.side.fget)]\n"
        "print(splice.stats(pyperf.digest)['state'])\n"
        "pyperf.Runner().bench_func('total', states)\n"
        "print(*states())\n"
    )
    monkeypatch.setattr(harm, "script_of", lambda program: script)
    shown = {way: harm.run(Program("x", 2), way).output.splitlines() for way in harm.WAYS}
    assert shown["python"][:2] == ["status 0", "plain"]
    assert shown["python"] == shown["splice run"]
    assert shown["python"][-1] == "plain plain plain"
    assert shown["jit"][:2] == ["status 0", "plain"]
    assert shown["jit"][-1].split()[0] == "active" and "plain" not in shown["jit"][-1]


def test_programs_have_names_of_their_own():
    assert len({program.name for program in PROGRAMS}) == len(PROGRAMS) > 50
