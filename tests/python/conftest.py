"""Shared by the tests of the public API: a plain twin to compare with, and a child process."""

import subprocess
import sys
import types

import pytest

import splice


@pytest.fixture
def twin():
    """Returns a function that copies a function, code object included; the copy is interpreted."""

    def copy(function):
        plain = types.FunctionType(
            function.__code__.replace(),
            function.__globals__,
            function.__name__,
            function.__defaults__,
            function.__closure__,
        )
        plain.__kwdefaults__ = dict(function.__kwdefaults__ or {}) or None
        plain.__qualname__ = function.__qualname__
        return plain

    return copy


@pytest.fixture
def outcome():
    """Returns a function that calls and gives type and value of what came out of it."""

    def call(function, *args, **kwargs):
        try:
            result = function(*args, **kwargs)
        except Exception as error:
            return ("raised", type(error), str(error))
        return ("returned", type(result), repr(result))

    return call


@pytest.fixture
def native():
    """Returns a function that says for how many kinds of arguments a function is native."""

    def count(function):
        return sum(variant["native"] for variant in splice.stats(function)["variants"])

    return count


@pytest.fixture
def child():
    """Returns a function that runs source in a fresh interpreter and gives its output."""

    def run(source, *options, env=None, status=0):
        import os

        done = subprocess.run(
            [sys.executable, *options, "-c", source],
            capture_output=True,
            text=True,
            timeout=60,
            env={**os.environ, **(env or {})},
        )
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout

    return run
