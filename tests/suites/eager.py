"""Everything that some modules define is put under Splice, to be compiled at its first call.

Two ways, because they find different bugs:

- `written`: a module is run as it is, then each function found in its namespace and in its classes goes
  under `jit`. Nested functions are made and called by native code of the outer ones.
- `nested`: each `def` and `lambda` of the source, nested ones included, gets an innermost decorator that
  puts the new function under `jit`. The examples of doctests are treated alike.

Lines, columns and first lines are those of the source. Only modules that are imported after `install` are
seen.
"""

import ast
import builtins
import importlib.abc
import importlib.machinery
import sys
import types

from splice import _splice

WAYS = ("written", "nested")
#: The name of the decorator, in the builtins: a module's own namespace stays as it was.
DECORATOR = "__splice_jit__"

#: Code objects that were put under Splice: (file, first line, name).
seen = set()


def take(function):
    """The decorator; returns the same object."""
    code = function.__code__
    seen.add((code.co_filename, code.co_firstlineno, code.co_qualname))
    _splice.jit(function, False)
    return function


class Decorate(ast.NodeTransformer):
    """Puts the decorator on each function."""

    def visit_FunctionDef(self, node):
        self.generic_visit(node)
        node.decorator_list.append(decorator_at(node))
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node):
        self.generic_visit(node)
        call = ast.Call(func=decorator_at(node), args=[node], keywords=[])
        return ast.copy_location(call, node)


def decorator_at(node):
    return ast.copy_location(ast.Name(id=DECORATOR, ctx=ast.Load()), node)


def compile_decorated(source, filename, mode, flags=0, dont_inherit=True, optimize=-1):
    """As the builtin `compile`."""
    flags |= ast.PyCF_ONLY_AST
    tree = Decorate().visit(compile(source, filename, mode, flags, dont_inherit))
    return compile(tree, filename, mode, flags & ~ast.PyCF_ONLY_AST, dont_inherit, optimize)


def take_all(module):
    """The functions of a module and of its classes."""
    done = set()
    pending = [
        value
        for value in vars(module).values()
        if getattr(value, "__module__", None) == module.__name__
    ]
    while pending:
        value = pending.pop()
        if id(value) in done:
            continue
        done.add(id(value))
        if isinstance(value, (staticmethod, classmethod)):
            pending.append(value.__func__)
        elif isinstance(value, property):
            pending += [value.fget, value.fset, value.fdel]
        elif isinstance(value, type) and value.__module__ == module.__name__:
            pending += vars(value).values()
        elif isinstance(value, types.FunctionType) and value.__globals__ is vars(module):
            take(value)
            pending.append(getattr(value, "__wrapped__", None))


class Loader(importlib.machinery.SourceFileLoader):
    """Runs a module under Splice. Cached bytecode is neither read nor written."""

    way = "nested"

    def get_code(self, fullname):
        path = self.get_filename(fullname)
        translate = compile_decorated if self.way == "nested" else compile
        return translate(self.get_data(path), path, "exec", dont_inherit=True)

    def exec_module(self, module):
        super().exec_module(module)
        if self.way == "written":
            take_all(module)
        elif module.__name__ == "doctest":
            module.compile = compile_decorated


class Finder(importlib.abc.MetaPathFinder):
    """Finds what Python's own finder finds, with our loader where `wanted(name)` says so."""

    def __init__(self, way, wanted):
        self.way = way
        self.wanted = wanted

    def find_spec(self, fullname, path=None, target=None):
        decorate_examples = fullname == "doctest" and self.way == "nested"
        if not self.wanted(fullname) and not decorate_examples:
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is not None and type(spec.loader) is importlib.machinery.SourceFileLoader:
            loader = Loader(spec.loader.name, spec.loader.path)
            loader.way = self.way if self.wanted(fullname) else "examples"
            spec.loader = loader
        return spec


def install(way, wanted):
    """From now on modules with `wanted(name)` are under Splice; of those imported before, new copies."""
    # A function that cannot be compiled may say so (docs/exactness.md, silence); tests that count
    # warnings are not about that.
    _splice.set_report(lambda function, reason, line, strict: None)
    setattr(builtins, DECORATOR, take)
    for name in [name for name in sys.modules if wanted(name)]:
        del sys.modules[name]
    sys.meta_path.insert(0, Finder(way, wanted))
