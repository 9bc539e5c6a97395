"""The table in docs/numpy.md of what is native, for which element types: made here, of real runs.

SPLICE_UPDATE_DOCS=1 writes it into the document.
"""

import os
import warnings
from pathlib import Path

import numpy as np

import splice

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "numpy.md"
BEGIN, END = "<!-- table: tests/docs/test_numpy_table.py -->\n", "<!-- end of table -->\n"
TYPES = {
    "bool": ("bool",),
    "int8 to int64": ("int8", "int16", "int32", "int64"),
    "uint8 to uint64": ("uint8", "uint16", "uint32", "uint64"),
    "float32": ("float32",),
    "float64": ("float64",),
    "complex128": ("complex128",),
    "complex64": ("complex64",),
    "float16": ("float16",),
}
# Of an array `a` of one dimension, `b` of two, its scalars `x` and `y` and the int `i`.
ROWS = [
    ("`a[i]`, `b[i, i]`, `b[-1][x]`", ["a[i]", "b[i, i]", "b[-1][np.int8(1)]"]),
    ("`a[i] = x`, `b[i, i] = 1`", ["a[i] = x", "b[i, i] = 1"]),
    ("`a[1:]`, `b[::-1, i]`, `b[..., None]`, `b.T`", ["a[1:]", "b[::-1, i]", "b[..., None]", "b.T"]),
    ("`a[1:] = a[:-1]`, `b[i] = 1`", ["a[1:] = a[:-1]", "b[i] = 1"]),
    ("`for x in a`, `for row in b`", ["for z in a: pass", "for row in b: pass"]),
    ("`len(a)`, `shape`, `ndim`, `size`, `strides`, `dtype`, `nbytes`",
     ["len(a)", "b.shape", "b.ndim", "b.size", "b.strides", "a.dtype", "a.nbytes"]),
    ("`a.copy()`, `a.fill(1)`, `a.ravel()`", ["a.copy()", "a.fill(1)", "b.ravel()"]),
    ("`np.zeros_like(a)`, `np.copy(a)`", ["np.zeros_like(a)", "np.copy(a)"]),
    ("`x + y`", ["x + y"]),
    ("`x - y`", ["x - y"]),
    ("`x * y`", ["x * y"]),
    ("`x / y`", ["x / y"]),
    ("`x // y`, `x % y`", ["x // y", "x % y"]),
    ("`x ** y`", ["x ** y"]),
    ("`x & y`, `x | y`, `x ^ y`, `~x`", ["x & y", "x | y", "x ^ y", "~x"]),
    ("`x << y`, `x >> y`", ["x << y", "x >> y"]),
    ("`-x`", ["-x"]),
    ("`+x`", ["+x"]),
    ("`abs(x)`", ["abs(x)"]),
    ("`x == y`, `x != y`", ["x == y", "x != y"]),
    ("`x < y`, `x >= y`", ["x < y", "x >= y"]),
    ("`x + 1`, `2 * x`", ["x + 1", "2 * x"]),
    ("`x < 1`", ["x < 1"]),
    ("`not x`, `if x:`, `bool(x)`", ["not x", "i if x else 0", "bool(x)"]),
    ("`min(x, y)`, `max(x, y)`", ["min(x, y)", "max(x, y)"]),
    ("`max(0, x)`, `min(x, y, 1.5)`", ["max(0, x)", "min(x, y, 1.5)"]),
    ("`x, y = a`, `for x, y in b`", ["p, q = a[:2]", "for p, q in b[:, :2]: p"]),
    ("`int(x)`, `float(x)`", ["int(x)", "float(x)"]),
    ("`np.float32(x)`, `np.int64(i)`, `np.complex128(x)`",
     ["np.float32(x)", "np.int64(i)", "np.complex128(x)"]),
    ("`math.sqrt(x)`", ["math.sqrt(x)"]),
    ("`np.sqrt(x)`, `np.sin(x)`, `np.exp(x)`", ["np.sqrt(x)", "np.sin(x)", "np.exp(x)"]),
    ("`np.maximum(x, y)`, `np.isfinite(x)`", ["np.maximum(x, y)", "np.isfinite(x)"]),
]  # fmt: skip


def is_native(statement, dtype):
    namespace = {}
    body = (
        statement if " = " in statement or statement.startswith("for ") else f"return {statement}"
    )
    code = f"import math\nimport numpy as np\ndef f(a, b, x, y, i):\n    {body}\n"
    exec(code, namespace)
    f = splice.jit(namespace["f"])
    a = np.ones(4).astype(dtype)
    b = np.ones((4, 4)).astype(dtype)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for _ in range(2):
            try:
                f(a, b, a[0], a[1], 1)
            except TypeError:
                return None  # NumPy has no such operation
    variants = splice.stats(f)["variants"]
    return all(v["native"] for v in variants) and not any(
        e["count"] for v in variants for e in v["exits"]
    )


def cell(statements, dtypes):
    found = {is_native(statement, dtype) for statement in statements for dtype in dtypes}
    if found == {None}:
        return ""
    found.discard(None)
    return "native" if found == {True} else "" if found == {False} else "in part"


def table():
    lines = [f"| | {' | '.join(TYPES)} |", f"|---|{'---|' * len(TYPES)}"]
    for title, statements in ROWS:
        cells = [cell(statements, dtypes) for dtypes in TYPES.values()]
        shown = title.replace("|", "\\|")
        lines.append(f"| {shown} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def test_the_table_is_what_runs():
    text = DOCUMENT.read_text()
    start, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    made = table()
    if os.environ.get("SPLICE_UPDATE_DOCS"):
        DOCUMENT.write_text(text[:start] + made + text[end:])
        text = DOCUMENT.read_text()
        end = start + len(made)
    assert text[start:end] == made
