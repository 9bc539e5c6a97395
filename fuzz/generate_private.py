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
            (3, None, lambda: self.copy(lists) if lists else "[]"),
        ])  # fmt: skip

    def copy(self, lists):
        w, other = self.rng.choice(lists), self.rng.choice(lists)
        return self.rng.choice([
            f"{w}[{self.bounds()}]", f"{w}[{self.bounds()}]", f"{w}[::{self.rng.choice(['-1', '2', '-2'])}]",
            f"{w}.copy()", f"list({w})", f"sorted({w})", f"{w} + {other}",
        ])  # fmt: skip

    def bounds(self):
        bound = lambda: self.rng.choice(["", "", "0", "1", "2", "-1", "-2", "9"])
        return f"{bound()}:{bound()}"

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
            (2, None, lambda: [f"{w}.extend({other})" if len(lists) > 1 and w != other else f"{w} += [{e()}]", f"del {w}[6:]"]),
            (1, None, lambda: [f"if {e()} in {w}:", f"    {w}[0] = {e()}"]),
            (1, None, lambda: [f"{w}.append({other}.{rng.choice(['index', 'count'])}({e()}))"] if kind == "int" else [f"{w}.reverse()"]),
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

    def row(self, kind):
        return self.creation(kind, [], "3")

    def table_step(self, kind, tables, loop):
        """One statement on lists of lists."""
        rng = self.rng
        t, u = rng.choice(tables), rng.choice(tables)
        i, j, a = self.place(loop), self.place(loop), self.new_list()
        cell = f"{t}[{i}][{j}]"
        e = lambda: rng.choice(
            [cell, f"{u}[{j}][{i}]", f"{cell} + 1", self.element(kind, [], loop)]
        )
        return self.weighted([
            (8, None, lambda: [f"{cell} = {e()}"]),
            (3, None, lambda: [f"{cell} {rng.choice(['+=', '-=', '*='])} {e()}"]),
            (4, None, lambda: [f"{t}.append({self.row(kind)})"]),
            (3, None, lambda: [f"{t}[{i}].append({e()})"]),
            (3, None, lambda: [f"{t}[{i}] = {self.row(kind)}"]),
            (2, None, lambda: [f"{t}[{i}] = {u}[{j}]"]),
            (2, None, lambda: [f"{t}[{i}], {t}[{j}] = {t}[{j}], {t}[{i}]"]),
            (2, None, lambda: [f"{t}, {u} = {u}, {t}"]),
            (1, None, lambda: [f"{t} = {rng.choice([u, f'{u}[{self.bounds()}]', f'{t} + {u}', f'{u}.copy()'])}", f"if len({t}) > 5:", f"    {t}.pop()"]),
            (2, None, lambda: [f"{a} = {t}[{i}]", f"{a}.{rng.choice([f'append({e()})', 'reverse()', 'sort()', 'pop()', f'extend({u}[{j}][:2])'])}"]),
            (2, None, lambda: [f"{a} = {t}.pop({rng.choice(['', '0', i])})", f"{u}.append({a})"]),
            (1, None, lambda: [f"{t}.insert({i}, {rng.choice([self.row(kind), f'{u}[{j}]'])})"]),
            (1, None, lambda: [rng.choice([f"del {t}[{i}]", f"{t}.reverse()", f"{t}.clear()", f"{t} = []"])]),
            (1, None, lambda: [f"{t}[{i}] += [{e()}]"]),
            (3, None, lambda: self.table_loop(kind, tables)),
        ])  # fmt: skip

    def table_loop(self, kind, tables):
        rng = self.rng
        t = rng.choice(tables)
        a, b, c = self.new_list(), self.new_list(), self.new_list()
        header = rng.choice([
            f"for {a} in {t}:", f"for {a} in reversed({t}):", f"for {b}, {a} in enumerate({t}):",
            f"for {a}, {b} in zip({t}, range(4)):", f"for {a} in {t}[:3]:",
        ])  # fmt: skip
        steps = [f"if len({t}) > 6:", "    break"]
        steps += rng.choice([
            [f"{a}.append({self.element(kind, [a], '1')})", f"if len({a}) > 5:", f"    {a}.clear()"],
            [f"for {c} in {a}:", f"    if {c} == {self.element(kind, [], '2')}:", "        break"],
            [f"for {c} in range(len({a})):", f"    {a}[{c}] = {self.element(kind, [a], c)}"],
        ])  # fmt: skip
        if rng.random() < 0.4:
            steps += self.table_step(kind, tables, "1")
        return [header, *self.indent(steps)]

    def private_tables(self):
        """A block of statements on one or two lists of lists."""
        rng = self.rng
        kind = rng.choice(["int", "int", "float", "bool"])
        tables, lines = [], []
        for _ in range(rng.randint(1, 2)):
            name = self.new_list()
            text = rng.choice([
                f"[[{values.constant(rng, kind)}] * {rng.randint(0, 4)} for _ in range({rng.randint(0, 4)})]",
                f"[{self.row(kind)}, {self.row(kind)}]",
                f"[{self.row(kind)}] * {rng.randint(0, 3)}",
                "[]",
            ])  # fmt: skip
            lines.append(f"{name} = {text}")
            tables.append(name)
        loop = self.new_list()
        steps = []
        for _ in range(rng.randint(1, 4)):
            steps += self.table_step(kind, tables, loop)
        lines += [f"for {loop} in range({rng.randint(1, 5)}):", *self.indent(steps)]
        t = rng.choice(tables)
        number = "float" if kind == "float" else "int"
        text, result = rng.choice([
            (f"len({t})", "int"), (f"{t}[0][0] + 1", number), (f"len({t}[-1])", "int"),
            (f"sum({t}[0])", number), (f"{t}[-1][-1]", kind),
        ])  # fmt: skip
        if rng.random() < 0.1:
            text, result = rng.choice([(f"({t}, {t}[0])", "tuple"), (f"{t}[0] is {t}[-1]", "bool")])
        name = self.target(result)
        self.bind(name, result)
        return [*lines, f"{name} = {text}"]

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
