"""Expressions and statements on lists, tuples, bytes and iterators. Part of the generator."""

# ruff: noqa: E501 - tables with one row per form

from __future__ import annotations

from fuzz import values

LISTS = ("ilist", "flist", "mlist")
ELEMENT = {"ilist": "int", "flist": "float", "mlist": "any", "tuple": "any", "bytes": "int"}


class Containers:
    """Mixin of the generator."""

    def index(self, d):
        rng = self.rng
        roll = rng.random()
        if roll < 0.5:
            return rng.choice(["0", "1", "-1", "2", "-2", "-3"])
        if roll < 0.85:
            return f"({self.expr('int', 0)} % {rng.choice(['3', '4', '7'])})"
        return self.expr("int", min(d, 1))

    def slice_(self):
        rng = self.rng
        part = lambda: rng.choice(["", "", "0", "1", "2", "-1", "-2", "5", "100", self.atom("int")])
        step = rng.choice(["", "", "", ":2", ":-1", ":-2"])
        return f"{part()}:{part()}{step}"

    def sequence(self, *kinds):
        return self.expr(self.rng.choice(kinds), 0)

    def int_container(self, d):
        rng = self.rng
        return self.weighted([
            (6, None, lambda: f"{self.sequence('ilist')}[{self.index(d)}]"),
            (3, None, lambda: f"len({self.sequence('ilist', 'flist', 'mlist', 'tuple', 'bytes')})"),
            (2, None, lambda: f"{self.sequence('bytes')}[{self.index(d)}]"),
            (2, None, lambda: f"sum({self.sequence('ilist', 'ilist', 'bytes')})"),
            (1, None, lambda: f"{rng.choice(['min', 'max'])}({self.sequence('ilist', 'bytes')})"),
            (1, None, lambda: f"({self.sequence('ilist', 'mlist')}).{rng.choice(['count', 'index'])}({self.num(0)})"),
            (1, None, lambda: f"sum(k * {self.expr('int', 0)} for k in {self.sequence('ilist')})"),
            (1, None, lambda: f"sum((k * k for k in {self.sequence('ilist')}), {rng.choice(['1', '-7', '2**62', '0.5'])})"),
            (1, None, lambda: f"max((k for k in {self.sequence('ilist')} if k > {self.num(0)}), default={rng.choice(['0', '10**6', '1.5'])})"),
            (1, None, lambda: f"({self.sequence('ilist')}).pop()"),
        ])  # fmt: skip

    def float_container(self, d):
        return self.weighted([
            (6, None, lambda: f"{self.sequence('flist')}[{self.index(d)}]"),
            (2, None, lambda: f"sum({self.sequence('flist')})"),
            (1, None, lambda: f"{self.rng.choice(['min', 'max'])}({self.sequence('flist')})"),
            (1, None, lambda: f"({self.sequence('flist')}).pop()"),
            (1, "math", lambda: f"math.fsum({self.sequence('flist', 'ilist')})"),
        ])  # fmt: skip

    def list_expr(self, kind, d):
        rng, element = self.rng, ELEMENT[kind]
        e = lambda: self.expr(element, min(d, 1))
        return self.weighted([
            (4, None, lambda: self.atom(kind)),
            (4, None, lambda: "[" + ", ".join(e() for _ in range(rng.randint(0, 5))) + "]"),
            (3, None, lambda: f"([{e()}] * {rng.choice(['0', '1', '3', '6', 'True', '-1'])})"),
            (3, None, lambda: f"[{self.comprehension(element)}]"),
            (3, None, lambda: f"{self.sequence(kind)}[{self.slice_()}]"),
            (2, None, lambda: f"({self.sequence(kind)} + [{e()}])"),
            (2, None, lambda: f"list({self.iterable(kind)})"),
            (2, None, lambda: f"list({self.comprehension(element)})"),
            (1, None, lambda: f"sorted(({self.comprehension(element)}), reverse={rng.choice(['True', 'False'])})"),
            (1, None, lambda: f"sorted({self.sequence(kind)})"),
            (1, None, lambda: f"[*{self.sequence(kind)}, {e()}]"),
            (1, None, lambda: f"({self.sequence(kind)}).copy()"),
        ])  # fmt: skip

    def expr_ilist(self, d):
        return self.list_expr("ilist", d)

    def expr_flist(self, d):
        return self.list_expr("flist", d)

    def expr_mlist(self, d):
        return self.list_expr("mlist", d)

    def expr_tuple(self, d):
        rng = self.rng
        return self.weighted([
            (4, None, lambda: self.atom("tuple")),
            (5, None, lambda: "(" + "".join(self.expr("any", min(d, 1)) + ", " for _ in range(rng.randint(0, 4))) + ")"),
            (1, None, lambda: f"tuple({self.sequence('ilist', 'flist', 'bytes')})"),
            (2, None, lambda: f"tuple({self.comprehension(rng.choice(['int', 'float', 'any']))})"),
            (1, None, lambda: f"{self.sequence('tuple')}[{self.slice_()}]"),
            (1, None, lambda: f"({self.sequence('tuple')} + ({self.num(0)},))"),
        ])  # fmt: skip

    def expr_bytes(self, d):
        return self.weighted([
            (4, None, lambda: self.atom("bytes")),
            (1, None, lambda: f"{self.sequence('bytes')}[{self.slice_()}]"),
            (1, None, lambda: f"bytes([*{self.sequence('ilist')}])"),
        ])  # fmt: skip

    def comprehension(self, element):
        rng = self.rng
        inner = rng.choice(["k", "k + 1", "k * k", "-k", "k // 2", "k / 2", "k % 3"])
        if rng.random() < 0.4:
            inner = f"({inner}, {self.expr(element, 0)})[1]"
        source = rng.choice(
            [f"range({rng.randint(0, 6)})", self.sequence("ilist"), self.sequence("bytes")]
        )
        condition = rng.choice(
            ["", "", " if k", " if k % 2 == 0", f" if k < {self.expr('int', 0)}"]
        )
        return f"{inner} for k in {source}{condition}"

    def iterable(self, kind):
        """An iterable whose elements are those of `kind`."""
        rng, base = self.rng, self.sequence(kind)
        return rng.choice(
            [
                base,
                base,
                f"reversed({base})",
                f"{base}[{self.slice_()}]",
                f"tuple({base})",
                f"iter({base})",
            ]
        )

    # ---- statements ---------------------------------------------------------------------------
    def list_statement(self):
        rng = self.rng
        names = [n for n, k in self.scope.vars.items() if k in LISTS]
        if not names:
            name = self.new_name()
            kind = rng.choice(LISTS)
            text = f"{name} = {self.list_expr(kind, 1)}"
            self.scope.vars[name] = kind
            return self.line(text)
        name = rng.choice(names)
        element = ELEMENT[self.scope.vars[name]]
        e = lambda: self.expr(element, 1)
        return self.line(self.weighted([
            (6, None, lambda: f"{name}.append({e()})"),
            (6, None, lambda: f"{name}[{self.index(1)}] = {e()}"),
            (4, None, lambda: f"{name}[{self.index(1)}] {rng.choice(['+=', '-=', '*=', '//=', '^='])} {e()}"),
            (2, None, lambda: f"{name}.pop({rng.choice(['', '', '0', '-1', self.index(0)])})"),
            (2, None, lambda: f"{name}.extend({self.sequence('ilist', 'flist', 'tuple')}[:5])"),
            (2, None, lambda: f"{name}.insert({self.index(0)}, {e()})"),
            (1, None, lambda: f"{name}.{rng.choice(['reverse()', 'sort()', 'clear()', 'sort(reverse=True)'])}"),
            (1, None, lambda: f"{name}[{self.slice_()}] = {self.sequence('ilist', 'flist', 'tuple')}[:5]"),
            (1, None, lambda: f"del {name}[{self.index(0)}]"),
            (1, None, lambda: f"del {name}[{self.slice_()}]"),
            (2, None, lambda: f"{name}[{self.index(0)}], {name}[{self.index(0)}] = {name}[{self.index(0)}], {name}[{self.index(0)}]"),
            (1, None, lambda: f"{name} += [{e()}]"),
            (1, None, lambda: f"{name}.remove({e()})"),
        ]))  # fmt: skip

    def loop_header(self):
        """(header, kinds of new names) of a for loop over a container."""
        rng = self.rng
        kind = rng.choice(["ilist", "flist", "mlist", "tuple", "bytes", "ilist", "flist"])
        element, base = ELEMENT[kind], self.sequence(kind)
        a, b = self.new_name(), self.new_name()
        return self.weighted([
            (6, None, lambda: (f"for {a} in {base}:", {a: element})),
            (3, None, lambda: (f"for {a}, {b} in enumerate({base}):", {a: "int", b: element})),
            (1, None, lambda: (f"for {a}, {b} in enumerate({base}, {values.constant(rng, 'int')}):", {a: "int", b: element})),
            (3, None, lambda: (f"for {a}, {b} in zip({base}, {self.sequence('ilist')}):", {a: element, b: "int"})),
            (1, None, lambda: (f"for {a}, {b} in zip({base}, range(4)):", {a: element, b: "int"})),
            (2, None, lambda: (f"for {a} in reversed({base}):", {a: element})),
            (1, None, lambda: (f"for {a} in reversed(range({rng.randint(0, 7)})):", {a: "int"})),
            (2, None, lambda: (f"for {a} in range(len({base})):", {a: "int"})),
            (1, None, lambda: (f"for {a} in {base}[{self.slice_()}]:", {a: element})),
            (1, None, lambda: (f"for {a} in ({self.expr('any', 1)}, {self.expr('any', 1)}):", {a: "any"})),
        ])  # fmt: skip
