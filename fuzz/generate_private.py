"""Lists that a function makes and keeps to itself: most of their sites live in typed storage.

Part of the generator. Their names (w1, w2, ...) are unknown to the other statements, which would let
them leak; now and then one leaks on purpose.
"""

# ruff: noqa: E501 - tables with one row per form

from __future__ import annotations

from fuzz import values

CREATION_SIZES = ["0", "1", "3", "4", "7", "-1", "True"]


class PrivateLists:
    """Mixin of the generator."""

    def new_list(self):
        self.counter += 1
        return f"w{self.counter}"

    def element(self, kind, lists, loop):
        """A value to store."""
        rng = self.rng
        if rng.random() < 0.04:
            kind = rng.choice(["int", "float", "bool", "any"])
        item = lambda: (
            f"{rng.choice(lists)}[{self.place(loop)}]" if lists else values.constant(rng, kind)
        )
        if kind == "bool":
            return rng.choice(
                ["True", "False", f"{loop} % 2 == 0", f"{item()} > {loop}", self.expr("bool", 1)]
            )
        small = f"{loop} * 0.5" if kind == "float" else f"{loop} * 3"
        fresh = [small, small, f"-{loop} - 1.5" if kind == "float" else f"{loop} - 7"]
        return self.weighted([
            (6, None, lambda: rng.choice(fresh)),
            (4, None, lambda: values.constant(rng, kind)),
            (4, None, lambda: f"{item()} {rng.choice(['+', '-', '*', '%'])} {values.constant(rng, kind)}"),
            (2, None, lambda: f"{rng.choice(['min', 'max'])}({item()}, {item()})"),
            (2, None, item),
            (3, None, lambda: self.expr(kind, 1)),
        ])  # fmt: skip

    def place(self, loop):
        return self.rng.choice(
            ["0", "0", "-1", "1", "2", "-2", f"{loop} % 3", f"-1 - {loop} % 2", loop]
        )

    def creation(self, kind, lists, loop):
        rng = self.rng
        e = lambda: self.element(kind, [], "3")
        return self.weighted([
            (4, None, lambda: f"[{e()}] * {rng.choice(CREATION_SIZES)}"),
            (1, None, lambda: f"{rng.choice(CREATION_SIZES)} * [{e()}, {e()}]"),
            (3, None, lambda: "[" + ", ".join(e() for _ in range(rng.randint(1, 4))) + "]"),
            (2, None, lambda: "[]"),
            (2, None, lambda: f"[{self.element(kind, [], 'k')} for k in range({rng.randint(0, 6)})]"),
            (1, None, lambda: f"[{rng.choice(lists)}[k % 2] for k in range({rng.randint(0, 3)})]" if lists else "[]"),
            (1, None, lambda: f"list(range({rng.randint(0, 6)}))" if kind == "int" else "[]"),
        ])  # fmt: skip

    def list_step(self, kind, lists, loop):
        """One statement inside the block."""
        rng = self.rng
        w, e = rng.choice(lists), lambda: self.element(kind, lists, loop)
        other = rng.choice(lists)
        return self.weighted([
            (6, None, lambda: [f"{w}.append({e()})"]),
            (6, None, lambda: [f"{w}[{self.place(loop)}] = {e()}"]),
            (3, None, lambda: [f"{w}[{self.place(loop)}] {rng.choice(['+=', '-=', '*='])} {e()}"]),
            (2, None, lambda: [f"{w}.pop({rng.choice(['', '', '0', '-1', self.place(loop)])})"]),
            (1, None, lambda: [f"{w}.insert({self.place(loop)}, {e()})"]),
            (1, None, lambda: [f"del {w}[{self.place(loop)}]"]),
            (1, None, lambda: [f"{w}.{rng.choice(['reverse', 'sort', 'clear'])}()"]),
            (2, None, lambda: [f"{w}, {other} = {other}, {w}"]),
            (1, None, lambda: [f"{w} = {other}"]),
            (2, None, lambda: [f"{w} = {self.creation(kind, lists, loop)}"]),
            (2, None, lambda: [f"if {w}[{self.place(loop)}] < {e()}:", f"    {w}.append({e()})"]),
            (1, None, lambda: [f"if len({w}) > 4:", f"    {w}.pop()"]),
            (1, None, lambda: [f"{w}[{self.place(loop)}], {w}[{self.place(loop)}] = {w}[{self.place(loop)}], {e()}"]),
            (2, None, lambda: self.list_loop(kind, lists)),
            (1, None, lambda: [f"if {w}[{self.place(loop)}] == {loop}:", f"    return {other}[{self.place(loop)}]"]),
        ])  # fmt: skip

    def list_loop(self, kind, lists):
        rng = self.rng
        w, other = rng.choice(lists), rng.choice(lists)
        a, b = self.new_list(), self.new_list()
        header = rng.choice([
            f"for {a} in {w}:", f"for {a} in reversed({w}):", f"for {a}, {b} in enumerate({w}):",
            f"for {a}, {b} in zip({w}, {other}):", f"for {a} in range(len({w})):",
        ])  # fmt: skip
        steps = [f"if len({w}) > 9:", "    break"]
        for _ in range(rng.randint(1, 2)):
            steps += self.list_step(kind, lists, rng.choice([a, "2"]))
        return [header, *self.indent(steps)]

    def private_lists(self):
        """A block of statements on one to three lists, and what is kept of them."""
        rng = self.rng
        kind = rng.choice(["int", "int", "float", "bool"])
        lists, lines = [], []
        for _ in range(rng.randint(1, 3)):
            text = self.creation(kind, lists, "2")
            name = self.new_list()
            lines.append(f"{name} = {rng.choice(lists) if lists and rng.random() < 0.2 else text}")
            lists.append(name)
        loop = self.new_list()
        steps = []
        for _ in range(rng.randint(1, 4)):
            steps += self.list_step(kind, lists, loop)
        lines += [f"for {loop} in range({rng.randint(1, 5)}):", *self.indent(steps)]
        w = rng.choice(lists)
        number = "float" if kind == "float" else "int"
        text, result = rng.choice([
            (f"sum({w})", number), (f"len({w})", "int"), (f"{w}[0] + 1", number),
            (f"{rng.choice(['min', 'max'])}({w}) + 1", number), (f"{rng.choice(['any', 'all'])}({w})", "bool"),
            (f"bool({w})", "bool"), (f"{w}[-1]", kind),
        ])  # fmt: skip
        if rng.random() < 0.1:
            text, result = rng.choice([(f"({w}, {w}[0])", "tuple"), (f"{w} is {rng.choice(lists)}", "bool"), (f"{w} + {w}", "any")])  # fmt: skip
        name = self.target(result)
        self.bind(name, result)
        return [*lines, f"{name} = {text}"]
