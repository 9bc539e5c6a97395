"""The element loops of the benchmark, cold and hot: results and arrays as in CPython."""

import sys
from pathlib import Path

import numpy as np
import pytest
from numpy_support import is_native, told

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import splice  # noqa: E402
from bench.jit import workload  # noqa: E402

HOT = 1 << 20  # rounds; a loop that has made more is compiled again


@pytest.mark.parametrize("name", workload.names("elements"))
def test_program(name):
    plain = workload.load(name, "expected")
    work = plain.WORKLOAD
    theirs = work.arguments()
    expected = told(getattr(plain, work.entry)(*theirs))
    module = workload.load(name, "compiled")
    for function in workload.functions_of(module).values():
        splice.jit(function)
    entry = getattr(module, work.entry)
    given = work.arguments()
    elements = max(a.size for a in given if isinstance(a, np.ndarray))
    for k in range(HOT // elements + 3):
        mine = work.arguments() if k < 3 else given
        assert told(entry(*mine)) == expected
        if k < 3:
            assert told(list(mine)) == told(list(theirs))
    assert is_native(entry)
    assert splice.stats(entry)["exits"] == 0
