"""The fuzzer itself: it finds what a wrong compiler does, and nothing where nothing is wrong."""

import os
import signal
import sys
import time
import types
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from fuzz import differ, run  # noqa: E402
from fuzz.generate import Options, generate  # noqa: E402
from fuzz.minimise import minimise  # noqa: E402
from fuzz.pool import Pool  # noqa: E402

HEAD = "LOG = []\n"
OPTIONS = [
    Options(),
    Options(containers=True),
    Options(effects=True),
    Options(True, True),
    Options(arrays=True),
]


def difference(source, jit):
    return differ.compare(differ.run(source, None), differ.run(source, jit))


def instead(after):
    """A false compiler: the function runs as written, then `after(result)` is what it gives."""

    def jit(function):
        original = types.FunctionType(
            function.__code__,
            function.__globals__,
            function.__name__,
            function.__defaults__,
            function.__closure__,
        )
        name = f"_original_{function.__name__}"
        function.__globals__[name] = lambda *args, **kwargs: after(original(*args, **kwargs))
        function.__code__ = eval(f"lambda *args, **kwargs: {name}(*args, **kwargs)").__code__
        return function

    return jit


def constants(change):
    """A false compiler that changes the constants of the code."""

    def jit(function):
        code = function.__code__
        function.__code__ = code.replace(co_consts=tuple(change(c) for c in code.co_consts))
        return function

    return jit


def program(body, calls):
    return f"{HEAD}{body}\nCALLS = {calls!r}\n"


ONE = program("def f(x):\n    return x", [("f", "(2.5,)", "{}")])


@pytest.mark.parametrize(
    ("argument", "after"),
    [
        ("(5,)", lambda x: x + 1),
        ("(1,)", float),
        ("(1,)", bool),
        ("(0.0,)", lambda x: -x),
        ("(0.1,)", lambda x: x + 2e-17),
        ("(float('nan'),)", lambda x: 0.0),
        ("([1, 2.0],)", lambda x: [1, 2]),
        ("(2**70,)", lambda x: x & 2**64 - 1),
        ("(1j,)", lambda x: 1),
        ("(None,)", lambda x: False),
    ],
)
def test_a_wrong_result_is_found(argument, after):
    found = difference(program("def f(x):\n    return x", [("f", argument, "{}")]), instead(after))
    assert found.aspect == "outcome"


def test_an_equal_but_other_object_is_found():
    copy = instead(lambda x: float.__float__(x * 1.0))
    assert difference(ONE, copy).aspect == "identity in outcome"


def test_an_equal_list_that_is_not_the_argument_is_found():
    source = program("def f(x):\n    return x", [("f", "([1, 2],)", "{}")])
    assert difference(source, instead(list)).aspect == "identity in outcome"


def test_a_swallowed_exception_is_found():
    source = program("def f(x):\n    return 1 / x", [("f", "(0,)", "{}")])

    def jit(function):
        function.__code__ = (lambda x: 0.0).__code__

    assert difference(source, jit).aspect == "kind"


def test_another_message_is_found():
    source = program("def f(x):\n    raise ValueError('one')", [("f", "(0,)", "{}")])
    assert difference(source, constants(lambda c: "two" if c == "one" else c)).aspect == "outcome"


def test_another_line_is_found():
    source = program("def f(x):\n    y = x\n    return 1 / y", [("f", "(0,)", "{}")])

    def jit(function):
        function.__code__ = function.__code__.replace(
            co_firstlineno=function.__code__.co_firstlineno + 1
        )

    assert difference(source, jit).aspect in ("traceback", "outcome")


def test_a_wrong_local_in_the_frame_is_found():
    source = program("def f(x):\n    y = 3\n    return 1 / x", [("f", "(0,)", "{}")])
    found = difference(source, constants(lambda c: 4 if c == 3 else c))
    assert found.aspect == "outcome"


def test_a_missing_side_effect_is_found():
    source = program("def f(x):\n    LOG.append(x)", [("f", "(0,)", "{}")])

    def jit(function):
        function.__code__ = (lambda x: None).__code__

    assert difference(source, jit).aspect == "log"


def test_a_print_is_found():
    source = program("def f(x):\n    print('a')", [("f", "(0,)", "{}")])
    assert difference(source, constants(lambda c: "b" if c == "a" else c)).aspect == "stdout"


def test_a_stale_global_is_found():
    source = program("G0 = 1\ndef f():\n    global G0\n    G0 = 2", [("f", "()", "{}")])
    assert difference(source, constants(lambda c: 3 if c == 2 else c)).aspect == "globals"


def test_a_leaked_argument_is_found():
    kept = []
    source = program("def f(x):\n    return 1", [("f", "([1],)", "{}")])

    def jit(function):
        function.__globals__["keep"] = kept.append
        function.__code__ = eval("lambda x: (keep(x), 1)[1]").__code__

    assert difference(source, jit).aspect == "references"


def test_a_changed_argument_is_found():
    source = program("def f(x):\n    return 1", [("f", "([1],)", "{}")])

    def jit(function):
        function.__code__ = (lambda x: (x.append(2), 1)[1]).__code__

    assert difference(source, jit).aspect == "arguments"


ARRAYS = "import numpy as np\nfrom fuzz.arrays import array\n"


@pytest.mark.parametrize(
    ("argument", "after"),
    [
        ("array('f4', (3,))", lambda a: a.astype("f8")),
        ("array('f8', (3,))", lambda a: -a),
        ("array('i4', (3,))", lambda a: a.astype("u4")),
        ("array('f8', (3, 2))", lambda a: a.copy("F")),
        ("array('f8', (4,))", lambda a: a[::-1]),
        ("array('f8', (4,), 'locked')", lambda a: a.copy()),
        ("np.float64(1.5)", float),
        ("np.float32(1.5)", np.float64),
        ("np.float64(0.0)", lambda x: -x),
        ("np.bool_(True)", bool),
        ("np.float64('nan')", lambda x: np.uint64(0x7FF8000000000001).view("f8")),
    ],
)
def test_a_wrong_array_or_scalar_is_found(argument, after):
    source = ARRAYS + program("def f(x):\n    return x", [("f", f"({argument},)", "{}")])
    assert difference(source, instead(after)).aspect == "outcome"


def test_another_element_is_found():
    source = ARRAYS + program("def f(a):\n    a[1] = 7", [("f", "(array('i8', (3,)),)", "{}")])
    assert difference(source, constants(lambda c: 8 if c == 7 else c)).aspect == "arguments"


def test_signs_of_nans_are_not_compared():
    source = ARRAYS + program("def f(x):\n    return x", [("f", "(np.float64('nan'),)", "{}")])
    assert difference(source, instead(lambda x: -x)).aspect == "identity in outcome"


def test_another_warning_is_found():
    body = "def f(x):\n    y = x\n    return y * np.float64(1e300)"
    source = ARRAYS + program(body, [("f", "(np.float64(1e300),)", "{}")])

    def no_warning(function):
        function.__code__ = eval("lambda x: np.float64('inf')").__code__

    def another_line(function):
        line = function.__code__.co_firstlineno + 1
        function.__code__ = function.__code__.replace(co_firstlineno=line)

    assert difference(source, no_warning).aspect == "warnings"
    assert difference(source, another_line).aspect == "warnings"


def test_another_recursion_depth_is_found():
    source = program(
        "def f(n):\n    return 0 if n == 0 else 1 + f(n - 1)", [("f", "(10**6,)", "{}")]
    )
    assert difference(source, instead(lambda x: x)).aspect == "outcome"


@pytest.mark.parametrize("options", OPTIONS)
def test_python_does_not_differ_from_itself(options):
    for seed in range(25):
        source = generate(seed, options)
        assert source == generate(seed, options)
        plain = differ.run(source, None)
        if not plain.memory_error:  # what fits depends on what else is there
            assert differ.compare(plain, differ.run(source, differ.identity)) is None, seed


def test_generated_programs_find_a_wrong_constant():
    wrong = constants(lambda c: c + 1 if type(c) is int else c)
    found = [seed for seed in range(20) if difference(generate(seed), wrong)]
    assert len(found) >= 12


def test_most_calls_of_generated_programs_return():
    kinds = [
        event.seen.get("kind")
        for seed in range(60)
        for event in differ.run(generate(seed), None).events
    ]
    assert kinds.count("returns") > 0.4 * len(kinds)
    assert {"ZeroDivisionError", "TypeError", "OverflowError"} <= set(kinds)


def pool_of(monkeypatch, jit, count=2):
    monkeypatch.setattr(differ, "load_jit", lambda spec: jit)
    return Pool(iter(range(count)), Options(), "", 1, time.monotonic() + 60)


def test_a_crash_is_a_finding_with_its_seed(monkeypatch):
    totals = pool_of(monkeypatch, lambda function: os.kill(os.getpid(), signal.SIGSEGV)).run()
    assert [(f.seed, f.aspect) for f in totals.findings] == [
        (0, "crash: SIGSEGV"),
        (1, "crash: SIGSEGV"),
    ]


def busy(function):
    while True:
        pass


@pytest.mark.parametrize(
    "limit, hanging", [("PROGRAM_SECONDS", busy), ("WAITING_SECONDS", lambda f: time.sleep(60))]
)
def test_a_hang_is_a_finding(monkeypatch, limit, hanging):
    monkeypatch.setattr(f"fuzz.pool.{limit}", 1.0)
    totals = pool_of(monkeypatch, hanging, count=1).run()
    assert [f.aspect for f in totals.findings] == ["hang"]


def test_a_program_that_never_ends_is_none(monkeypatch):
    monkeypatch.setattr("fuzz.pool.PLAIN_SECONDS", 0.5)
    monkeypatch.setattr(differ, "run", lambda *args: busy(None))
    totals = pool_of(monkeypatch, differ.identity, count=1).run()
    assert (totals.discarded, totals.findings) == (1, [])


def test_a_clean_run_passes(monkeypatch, capfd):
    monkeypatch.setattr(differ, "load_jit", lambda spec: differ.identity)
    assert run.main(["--count", "5", "--jobs", "1"]) == 0
    assert capfd.readouterr().out.splitlines()[-1] == "5 passed, 0 failed"


def test_a_failing_run_writes_a_small_program(monkeypatch, tmp_path, capfd):
    wrong = constants(lambda c: c + 1 if type(c) is int else c)
    monkeypatch.setattr(differ, "load_jit", lambda spec: wrong)
    options = ["--count", "3", "--jobs", "1", "--keep", "1", "--minimise", "3"]
    assert run.main([*options, "--failures", str(tmp_path / "failures")]) == 1
    assert capfd.readouterr().out.splitlines()[-1].endswith(" failed")
    (written,) = (tmp_path / "failures").glob("*.py")
    assert difference(written.read_text(), wrong) is not None


def test_minimise_keeps_what_matters():
    source = generate(3)
    source = source.replace(
        "CALLS = [",
        "def bad(a):\n    b = 5\n    for i in range(3):\n        b += a\n    return b * 7\n"
        "CALLS = [('bad', '(2,)', '{}'),",
    )
    wrong = constants(lambda c: 8 if c == 7 else c)

    def fails(candidate):
        try:
            found = difference(candidate, wrong)
        except Exception:
            return False
        return found is not None and found.call.startswith("bad")

    small = minimise(source, fails, 20)
    assert fails(small)
    assert len(small) < 130, small
