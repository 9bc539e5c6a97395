"""What the user is told: warnings, strict, explain, stats, giving functions back."""

import pickle
import warnings

import pytest

import splice


def make_generator():
    def numbers(n):
        yield n

    return numbers


def leaves(n):
    print(n, end="")
    return n


def test_warning_is_located_at_the_def_line():
    with pytest.warns(splice.NotCompiledWarning) as caught:

        @splice.jit
        @(lambda f: f)
        def numbers(n):
            yield n

    assert len(caught) == 1
    line = numbers.__code__.co_firstlineno + 2  # below two decorators
    assert (caught[0].filename, caught[0].lineno) == (__file__, line)
    text = str(caught[0].message)
    assert text.startswith(
        "test_warning_is_located_at_the_def_line.<locals>.numbers is not compiled: "
    )
    assert f"[{__file__}:{line}]" in text


def test_warning_comes_once_per_function(capsys):
    function = splice.jit(lambda n: print(n, end=""))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for n in range(5):
            function(n)
            function(n + 0.5)
    assert [w.category for w in caught] == [splice.NotCompiledWarning]
    assert capsys.readouterr().out == "00.511.522.533.544.5"


def test_warning_can_be_filtered_away_or_made_an_error(capsys):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", splice.NotCompiledWarning)
        splice.jit(make_generator())
        warnings.simplefilter("error", splice.NotCompiledWarning)
        with pytest.raises(splice.NotCompiledWarning):
            splice.jit(make_generator())
        with pytest.raises(splice.NotCompiledWarning):
            splice.jit(leaves)(1)
    assert capsys.readouterr().out == ""


def test_strict_raises_at_decoration_when_known():
    with pytest.raises(splice.CompileError, match="generator"):
        splice.jit(make_generator(), strict=True)


def test_strict_raises_at_each_call(capsys):
    function = splice.jit(lambda n: print(n), strict=True)
    for _ in range(3):
        with pytest.raises(splice.CompileError, match="is not compiled"):
            function(1)
    assert capsys.readouterr().out == ""


def test_exceptions_derive_from_builtins():
    assert issubclass(splice.CompileError, splice.Error)
    assert issubclass(splice.CompileError, NotImplementedError)
    assert issubclass(splice.InvalidArgumentError, ValueError)
    assert issubclass(splice.NotCompiledWarning, UserWarning)
    error = pickle.loads(pickle.dumps(splice.CompileError("text")))
    assert (type(error), str(error)) == (splice.CompileError, "text")
    assert splice.CompileError.__module__ == "splice"


def test_explain_plain_function():
    text = splice.explain(make_generator)
    assert f"make_generator ({__file__}:{make_generator.__code__.co_firstlineno})" in text
    assert "not under splice.jit" in text


def test_explain_before_the_first_call():
    function = splice.jit(lambda x: x + 1)
    assert "not compiled yet" in splice.explain(function)
    for stage in ("types", "ir", "llvm", "asm"):
        assert "not compiled yet" in splice.explain(function, stage)


def test_explain_all_stages():
    @splice.jit
    def area(radius, n):
        total = 0.0
        for i in range(n):
            total += radius * i
        return total

    area(2.0, 3)
    summary = splice.explain(area)
    assert "compiled" in summary
    assert "(radius: float, n: int): native, " in summary
    assert "float" in splice.explain(area, "types")

    assert "func " in splice.explain(area, stage="ir")
    assert "define " in splice.explain(area, "llvm")
    assert "ret" in splice.explain(area, "asm")
    assert area(2.0, 3) == 6.0


def test_explain_names_lists_without_objects():
    @splice.jit
    def add_up(n):
        kept = [i * 0.5 for i in range(n)]
        given = [n]
        return sum(kept), given

    add_up(3)
    line = add_up.__code__.co_firstlineno + 2
    assert splice.explain(add_up, "types").count("without objects") == 1
    assert f"line {line}: list[float] without objects" in splice.explain(add_up, "types")


def test_explain_names_the_line_that_cannot_be_compiled():
    def noisy(n):
        x = n + 1
        return print(x, end="")

    with pytest.warns(splice.NotCompiledWarning) as caught:
        splice.jit(noisy)(1)
    line = noisy.__code__.co_firstlineno + 2
    assert f"{__file__}:{line}" in str(caught[0].message)
    assert f"{__file__}:{line}" in splice.explain(noisy)


def test_explain_refused():
    with pytest.warns(splice.NotCompiledWarning):
        numbers = splice.jit(make_generator())
    text = splice.explain(numbers)
    assert "interpreted: it is a generator" in text
    assert __file__ in text


def test_explain_wrong_arguments():
    with pytest.raises(ValueError, match="stage must be"):
        splice.explain(leaves, "nonsense")
    for function in (splice.explain, splice.stats, splice.unjit):
        with pytest.raises(TypeError, match="needs a Python function or method"):
            function(len)


def test_stats_count_exits_with_line_and_reason():
    def double(x, n):
        total = 0
        for i in range(n):
            total += x
        return total

    splice.jit(double)
    assert double(2, 3) == 6
    assert splice.stats(double)["exits"] == 0
    assert double(2**62, 3) == 3 * 2**62
    stats = splice.stats(double)
    assert stats["exits"] == 1
    taken = [e for v in stats["variants"] for e in v["exits"] if e["count"]]
    assert len(taken) == 1
    assert taken[0]["line"] == double.__code__.co_firstlineno + 3
    assert "beyond 64 bits" in taken[0]["reason"]
    assert stats["compile_ms"] > 0
    assert stats["given_back"] is None


def test_function_whose_calls_all_leave_is_given_back():
    def leaver(x):
        y = 0
        for i in range(3):
            y += x
        return y, [x]

    splice.jit(leaver)
    for _ in range(2000):
        assert leaver(2) == (6, [2])
    stats = splice.stats(leaver)
    if stats["exits"]:  # a front end that builds lists natively does not leave
        assert stats["state"] == "given back"
        assert "did not stay in native code" in stats["given_back"]
        assert "given back" in splice.explain(leaver)


def test_exits_are_told_in_one_form_and_once():
    count = 1

    @splice.jit
    def mixed(x, items):
        nonlocal count
        count += x
        if x > 10:
            items.clear()
            return print
        return items[0] + x

    assert mixed(1, [2]) == 3
    assert mixed(2**62, [2]) is print
    told = [line.partition("leaves ")[2] for line in splice.explain(mixed).splitlines()[2:]]
    told = [line for line in told if line]
    assert all(line.startswith("to the interpreter: ") for line in told)
    assert len({line.rpartition(" (")[0] for line in told}) > 2
    places = [line.rpartition(" (")[0] for line in splice.explain(mixed).splitlines()[2:]]
    assert len(places) == len(set(places))
    assert any("a shared variable of another type (never" in line for line in told), told
    assert any("an item of another type (never" in line for line in told), told


def test_function_that_always_leaves_is_given_back_soon():
    def leaver(x):
        return 1 << x

    splice.jit(leaver)
    assert leaver(2) == 4
    for _ in range(500):
        assert leaver(64) == 2**64
    assert splice.stats(leaver)["state"] == "given back"
    # The whole window where the machine took a call away for 10 microseconds.
    assert splice.stats(leaver)["exits"] in (288, 384)


def test_a_call_that_stays_prolongs_the_window():
    def sometimes(x):
        return 1 << x

    splice.jit(sometimes)
    for i in range(384):
        sometimes(64 if i % 3 else 2)
    assert splice.stats(sometimes)["state"] == "active"
    for i in range(200):
        sometimes(64 if i % 3 else 2)
    assert splice.stats(sometimes)["state"] == "given back"


def test_function_that_leaves_after_much_work_is_kept():
    def worker(x, n):
        total = 0
        for i in range(n):
            total += x ^ i
        return 1 << (total % 2 + 64)

    splice.jit(worker)
    for _ in range(600):
        assert worker(3, 20_000) > 2**63
    stats = splice.stats(worker)
    assert stats["exits"] >= 600
    assert stats["state"] == "active"


def test_function_that_rarely_leaves_is_kept():
    def f(x):
        return x * 2

    splice.jit(f)
    for i in range(2000):
        assert f(1) == 2
        if i % 10 == 0:
            assert f(2**62) == 2**63
    assert splice.stats(f)["state"] == "active"


def test_given_back_function_can_be_taken_up_again(capsys):
    function = lambda n: print(n, end="")  # noqa: E731
    with pytest.warns(splice.NotCompiledWarning):
        splice.jit(function)
        for _ in range(100):
            function(1)
    assert splice.stats(function)["state"] == "given back"
    splice.jit(function)
    assert splice.stats(function)["state"] == "active"


def test_functions_made_by_one_expression_share_a_row_of_the_report():
    from splice._promotion import report_text

    code = (lambda: None).__code__
    one = {"code": code, "decision": "refused", "reason": "it is a generator", "line": 0}
    counts = {"samples": 2, "calls": 3, "compile_ms": 0.0, "exits": 0}
    other = {**one, **counts, "decision": "promoted", "reason": ""}
    found = {"candidates": [one | counts] * 70 + [other], "samples": 142, "native_samples": 2}
    lines = report_text(found).splitlines()
    assert lines[0].startswith("splice: 1 of 2 hot functions promoted")
    assert lines[2].split()[:2] == ["140", "210"]
    assert len(lines) == 5


def test_large_functions_are_compiled_without_optimisation():
    """LLVM's passes took 11 seconds for this one, in which no signal was served."""
    lines = "\n".join(f"    if n == {i}: found.append(n)" for i in range(400))
    namespace = {}
    exec(f"def find(found, n):\n{lines}\n    return found\n", namespace)
    find = splice.jit(namespace["find"])
    assert find([], 399) == [399]
    assert "without optimisation, for it is large" in splice.explain(find)
