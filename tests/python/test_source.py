"""Functions whose source is missing, was edited, or never was a file."""

import gc
import importlib.util
import linecache
import warnings

import pytest

import splice

SOURCE = """
def power(x, n):
    result = 1
    for _ in range(n):
        result = result << x
    return result
"""


@pytest.fixture
def load(tmp_path):
    """Returns a function that writes a module, imports it and gives its path and power()."""

    def load():
        path = tmp_path / "edited.py"
        path.write_text(SOURCE)
        spec = importlib.util.spec_from_file_location("edited", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return path, module.power

    return load


def exits_of(function):
    return [
        e["line"]
        for v in splice.stats(function)["variants"]
        for e in v.get("exits", ())
        if e["count"]
    ]


def check(function, native):
    """It is compiled and leaves at the line that was loaded, with CPython's traceback."""
    assert function(3, 4) == 2**12
    assert function(64, 1) == 2**64
    assert native(function) == 1
    assert exits_of(function) == [5]
    text = splice.explain(function)
    assert f"{function.__code__.co_filename}:5: leaves to the interpreter: a shift count" in text
    with warnings.catch_warnings(), pytest.raises(TypeError) as error:
        warnings.simplefilter("ignore", splice.NotCompiledWarning)
        function(3, "4")
    assert error.traceback[-1].lineno + 1 == 4
    return text


def test_unchanged_file(load, native):
    _, power = load()
    assert "has changed" not in check(splice.jit(power), native)


def test_a_function_that_dies_is_forgotten(load):
    _, power = load()
    gc.collect()
    before = len(splice._jit._files)
    splice.jit(splice.jit(power))
    assert len(splice._jit._files) == before + 1
    del power
    gc.collect()
    assert len(splice._jit._files) == before


def test_missing_file(load, native):
    path, power = load()
    path.unlink()
    linecache.clearcache()
    assert "has changed" not in check(splice.jit(power), native)


@pytest.mark.parametrize("when", ["before", "after"])
def test_file_that_goes_or_changes_after_jit(load, native, when):
    path, power = load()
    splice.jit(power)
    if when == "after":
        check(power, native)
    path.write_text("# another line\n" * 20 + SOURCE)
    linecache.clearcache()
    assert f"  {path} has changed since: the lines are those of" in check(power, native)
    assert "another line" not in splice.explain(power)
    assert "has changed" not in splice.explain(power, "ir")
    path.unlink()
    assert f"  {path} has changed since" in splice.explain(power)


def test_a_module_that_is_loaded_again_is_new(load, native):
    path, old = load()
    splice.jit(old)
    path.write_text("# another line\n" + SOURCE)
    _, new = load()
    splice.jit(new)
    assert "has changed" not in check(new, native)


@pytest.mark.parametrize("name", ["<string>", "", "nowhere/at all.py"])
def test_exec_without_source(name, native):
    namespace = {}
    exec(compile(SOURCE, name, "exec"), namespace)
    assert "has changed" not in check(splice.jit(namespace["power"]), native)


def test_what_cannot_be_compiled_has_its_line_without_source():
    namespace = {}
    exec("\n\ndef values(n):\n    yield n\n", namespace)
    with pytest.warns(splice.NotCompiledWarning, match=r"\[<string>:[34]\]"):
        assert list(splice.jit(namespace["values"])(3)) == [3]
    assert "<string>:3" in splice.explain(namespace["values"])
