"""How a program is run under Splice. One place, used by the demo and the benches.

`command()` is what stands before the program's path. Once the installed `splice` has `run`, that is
the whole of it; until then this file is itself the loader: `python under_splice.py APP [ARGS]` runs
APP as `__main__` with every function of it under `splice.jit`.
"""

from __future__ import annotations

import ast
import importlib.util
import sys
import warnings
from pathlib import Path
from types import ModuleType


def has_run() -> bool:
    """Whether this interpreter's Splice has the command `splice run`."""
    try:
        return importlib.util.find_spec("splice.cli.run") is not None
    except ModuleNotFoundError:
        return False


def command() -> list[str]:
    """Return what stands before the path of a program that should run under Splice."""
    if has_run():
        return [sys.executable, "-m", "splice", "run"]
    return [sys.executable, str(Path(__file__).resolve())]


def title() -> str:
    """Say in words what `command` does."""
    return "splice run" if has_run() else "splice.jit on every function of the program"


def with_jit(tree: ast.Module) -> ast.Module:
    """The same program with `jit` as the innermost decorator of each function of the module and of
    its classes. Nothing else is touched; line numbers stay.
    """
    bodies: list[list[ast.stmt]] = [tree.body]
    while bodies:
        for statement in bodies.pop():
            if isinstance(statement, ast.FunctionDef):
                name = ast.Name("__splice_jit__", ast.Load())
                statement.decorator_list.append(ast.copy_location(name, statement))
            elif isinstance(statement, ast.ClassDef | ast.If | ast.Try):
                bodies.append(statement.body)
    return tree


def run(path: str) -> None:
    """Run the file as `__main__`, each of its functions under `splice.jit`."""
    import splice

    warnings.simplefilter("ignore", splice.NotCompiledWarning)
    code = compile(with_jit(ast.parse(Path(path).read_bytes(), path)), path, "exec")
    module = ModuleType("__main__")
    module.__file__ = path
    vars(module).update(__builtins__=__builtins__, __splice_jit__=splice.jit)
    sys.modules["__main__"] = module
    sys.path[0] = str(Path(path).resolve().parent)
    exec(code, vars(module))


if __name__ == "__main__":
    del sys.argv[0]
    run(sys.argv[0])
