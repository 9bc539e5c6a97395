"""Makes a failing program small while it keeps failing in the same way."""

from __future__ import annotations

import ast
import copy
import time
from collections.abc import Callable, Iterator
from functools import partial

Check = Callable[[str], bool]
Candidate = Callable[[], ast.AST]


def minimise(source: str, still_fails: Check, seconds: float = 60.0) -> str:
    """The smallest program found within the time. `still_fails` runs a candidate."""
    deadline = time.monotonic() + seconds
    best = ast.unparse(ast.parse(source))
    if not still_fails(best):
        return source
    progress = True
    while progress and time.monotonic() < deadline:
        progress = False
        for candidates in (fewer_calls, fewer_statements, flatter_statements, simpler_expressions):
            smaller = exhaust(best, candidates, still_fails, deadline)
            progress = progress or smaller != best
            best = smaller
    return best


def exhaust(best: str, candidates, still_fails: Check, deadline: float) -> str:
    """One pass of one kind of reduction; after a success it goes on at the same place."""
    position = 0
    while time.monotonic() < deadline:
        for index, candidate in enumerate(candidates(ast.parse(best))):
            if index < position:
                continue
            text = text_of(candidate)
            if time.monotonic() > deadline:
                return best
            if text and len(text) < len(best) and still_fails(text):
                best, position = text, index
                break
        else:
            return best
    return best


def text_of(candidate: Callable[[], ast.AST]) -> str:
    """Source of a candidate; empty when it is no valid program."""
    try:
        text = ast.unparse(ast.fix_missing_locations(candidate()))
        compile(text, "<candidate>", "exec")
    except (SyntaxError, ValueError, AttributeError, TypeError, IndexError):
        return ""
    return text


def edited(tree: ast.AST, path: list, edit: Callable) -> ast.AST:
    """A copy of the tree with `edit(parent, field)` applied at a path of (field, index) steps."""
    clone = copy.deepcopy(tree)
    node = clone
    for name, index in path:
        value = getattr(node, name)
        node = value[index] if index is not None else value
    edit(node)
    return clone


def walk(node: ast.AST, path: tuple = ()) -> Iterator[tuple[ast.AST, tuple]]:
    yield node, path
    for name, value in ast.iter_fields(node):
        if isinstance(value, list):
            for index, item in enumerate(value):
                if isinstance(item, ast.AST):
                    yield from walk(item, (*path, (name, index)))
        elif isinstance(value, ast.AST):
            yield from walk(value, (*path, (name, None)))


def calls_path(tree: ast.Module):
    for index, statement in enumerate(tree.body):
        if isinstance(statement, ast.Assign) and getattr(statement.targets[0], "id", "") == "CALLS":
            return [("body", index), ("value", None)], len(statement.value.elts)
    return None, 0


def cut(list_name: str, start: int, stop: int) -> Callable:
    def edit(node):
        items = getattr(node, list_name)
        del items[start:stop]
        if not items and list_name == "body":
            items.append(ast.Pass())

    return edit


def fewer_calls(tree: ast.Module) -> Iterator[Candidate]:
    """Halves, quarters, ... of the list of calls removed."""
    path, count = calls_path(tree)
    size = count
    while size >= 1 and path is not None:
        for start in range(0, count, size):
            if size < count:
                yield partial(edited, tree, path, cut("elts", start, start + size))
        size //= 2


def fewer_statements(tree: ast.Module) -> Iterator[Candidate]:
    """Runs of statements removed, from the outside in."""
    for node, path in list(walk(tree)):
        for name in ("body", "orelse", "finalbody", "handlers", "decorator_list", "cases"):
            items = getattr(node, name, None)
            if not isinstance(items, list) or not items:
                continue
            size = len(items)
            while size >= 1:
                for start in range(len(items) - size, -1, -size):
                    doomed = items[start : start + size]
                    if any(
                        getattr(getattr(d, "targets", [None])[0], "id", "") == "CALLS"
                        for d in doomed
                        if isinstance(d, ast.Assign)
                    ):
                        continue
                    yield partial(edited, tree, list(path), cut(name, start, start + size))
                size //= 2


def flatter_statements(tree: ast.Module) -> Iterator[Candidate]:
    """A compound statement replaced by one of its blocks."""
    for node, path in list(walk(tree)):
        for name in ("body", "orelse", "finalbody"):
            items = getattr(node, name, None)
            if not isinstance(items, list):
                continue
            for index, item in enumerate(items):
                for inner in ("body", "orelse", "finalbody"):
                    block = getattr(item, inner, None)
                    if (
                        isinstance(item, (ast.FunctionDef, ast.ClassDef))
                        or not isinstance(block, list)
                        or not block
                    ):
                        continue

                    def splice_in(parent, name=name, index=index, inner=inner):
                        siblings = getattr(parent, name)
                        siblings[index : index + 1] = getattr(siblings[index], inner)

                    yield partial(edited, tree, list(path), splice_in)


def simpler_expressions(tree: ast.Module) -> Iterator[Candidate]:
    """An expression replaced by one of its operands, or by a small constant."""
    for node, path in list(walk(tree)):
        if (
            not isinstance(node, ast.expr)
            or not path
            or isinstance(node, (ast.Constant, ast.Name))
            and path[-1][0] != "value"
        ):
            continue
        if isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del)):
            continue
        children = [c for c in ast.iter_child_nodes(node) if isinstance(c, ast.expr)]
        replacements = [*children, ast.Constant(1)]
        for replacement in replacements:

            def put(parent, step=path[-1], replacement=replacement):
                name, index = step
                if index is None:
                    setattr(parent, name, copy.deepcopy(replacement))
                else:
                    getattr(parent, name)[index] = copy.deepcopy(replacement)

            yield partial(edited, tree, list(path[:-1]), put)
        for name in ("args", "keywords", "elts", "values"):
            items = getattr(node, name, None)
            if isinstance(items, list):
                for index in range(len(items)):
                    yield partial(edited, tree, list(path), cut(name, index, index + 1))
