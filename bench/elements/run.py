"""Loops over NumPy arrays, element by element, against CPython, Numba and C: `./dev bench elements`.

The workloads of bench/jit/elements in and out of cache, as `./dev bench jit elements elements_large`
runs them; ARGS are those of it.
"""

import runpy
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.argv = [sys.argv[0], *(sys.argv[1:] or []), "elements", "elements_large"]
runpy.run_path(str(HERE.parent / "jit" / "run.py"), run_name="__main__")
