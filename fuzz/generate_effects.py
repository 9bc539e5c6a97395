"""Visible side effects: logs, prints, objects with Python methods. Part of the generator."""

# ruff: noqa: E501 - tables with one row per form

from __future__ import annotations


class Effects:
    """Mixin of the generator."""

    def effect_value(self, kind, d):
        rng, o = self.rng, lambda: self.atom("obj")
        if kind == "obj":
            return self.weighted([
                (3, None, lambda: f"Loud({self.num(min(d, 1))})"),
                (2, None, lambda: f"({o()} + {self.num(0)})"),
                (1, None, lambda: f"({self.num(0)} + {o()})"),
                (1, None, lambda: f"({o()} * {o()})"),
                (1, None, lambda: f"(-{o()})"),
                (1, None, lambda: f"note({o()})"),
            ])  # fmt: skip
        return self.weighted([
            (3, None, lambda: f"note({self.expr(kind, min(d, 1))})"),
            (2, None, lambda: f"{o()}.{rng.choice(['value', 'twice'])}"),
            (1, None, lambda: f"{o()}[{rng.choice(['0', '1', '3'])}]"),
            (1, None, lambda: f"len({o()})"),
            (1, None, lambda: f"abs({o()})"),
            (1, None, lambda: f"({o()} == {self.num(0)})"),
            (1, None, lambda: f"({o()} < {self.num(0)})"),
            (1, None, lambda: f"(1 if {o()} else 2)"),
            (1, None, lambda: f"{o()}({self.num(0)})"),
            (1, None, lambda: f"({self.num(0)} * {o()})"),
        ])  # fmt: skip

    def effect_statement(self):
        rng = self.rng
        objects = [n for n, k in self.scope.vars.items() if k == "obj"]
        if not objects and rng.random() < 0.4:
            name = self.new_name()
            text = f"{name} = Loud({self.num(1)})"
            self.scope.vars[name] = "obj"
            return self.line(text)
        o = lambda: rng.choice(objects) if objects else f"Loud({self.num(0)})"
        return self.line(self.weighted([
            (5, None, lambda: f"LOG.append({self.expr('any', 1)})"),
            (4, None, lambda: f"note({self.expr('any', 1)}, {self.expr('any', 0)})"),
            (3, None, lambda: f"print({self.expr('any', 1)}, {self.expr('str', 0)})"),
            (2, None, lambda: f"{o()}.value = {self.num(1)}"),
            (2, None, lambda: f"{o()}.value {rng.choice(['+=', '-=', '*='])} {self.num(1)}"),
            (1, None, lambda: f"{o()}[{self.num(0)}] = {self.num(0)}"),
            (1, None, lambda: f"LOG.append({self.effect_value('int', 1)})"),
            (1, None, lambda: f"LOG[-1:] = [{self.num(0)}]"),
            (2, None, lambda: self.kill(objects)),
        ]))  # fmt: skip

    def kill(self, objects):
        """An object dies here: rebound or deleted."""
        if not objects:
            return "note(1)"
        name = self.rng.choice(objects)
        if self.rng.random() < 0.5 and not self.scope.loop_depth:
            del self.scope.vars[name]
            self.scope.maybe.add(name)
            return f"del {name}"
        return f"{name} = Loud({self.num(0)})"
