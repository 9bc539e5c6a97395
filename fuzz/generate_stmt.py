"""Random statements. Part of the generator in generate.py."""

# ruff: noqa: E501 - tables with one row per form

from __future__ import annotations

from fuzz.generate_array import is_array, is_scalar

ERRORS = ["ZeroDivisionError", "OverflowError", "TypeError", "ValueError", "ArithmeticError", "Exception",
          "(TypeError, ZeroDivisionError)", "(ValueError, OverflowError)", "UnboundLocalError", "NameError",
          "IndexError", "LookupError", "BaseException"]  # fmt: skip
RAISED = [
    "ValueError",
    "ZeroDivisionError",
    "TypeError",
    "IndexError",
    "KeyError",
    "StopIteration",
    "ArithmeticError",
]
AUG = ["+=", "-=", "*=", "+=", "-="]


class Statements:
    """Mixin: every method returns a list of source lines without outer indentation."""

    def line(self, text):
        return [text]

    def new_name(self):
        self.counter += 1
        return f"v{self.counter}"

    def target(self, kind):
        """A name to assign to: an old one (its kind may change) or a new one."""
        rng = self.rng
        same = [n for n, k in self.scope.vars.items() if k == kind and n not in self.scope.pinned]
        if same and rng.random() < 0.55:
            return rng.choice(same)
        other = [n for n in self.scope.vars if n not in self.scope.pinned]
        if other and rng.random() < self.retype:
            return rng.choice(sorted(other))
        return self.new_name()

    def bind(self, name, kind):
        """Record that `name` is bound from here on in the current block."""
        self.scope.vars[name] = kind
        self.scope.maybe.discard(name)

    def bounded(self, kind, text):
        """Keep integers from growing without end inside loops."""
        grows = any(mark in text for mark in ("*", "<<", "f")) or self.called
        if kind in ("int", "any") and self.scope.mult > 4 and grows and self.rng.random() < 0.95:
            return self.rng.choice(
                [f"{text} % 1000003", f"{text} & 2**64 - 1", f"{text} % (2**61 - 1)"]
            )
        return text

    def value(self, kind, depth):
        self.called = False
        return self.bounded(kind, self.expr(kind, depth))

    def block(self, budget, bind=False):
        """Statements of a nested block. Names bound inside are only maybe bound afterwards."""
        outer, maybe = dict(self.scope.vars), set(self.scope.maybe)
        lines = []
        for _ in range(self.rng.randint(1, max(1, budget))):
            lines += self.statement(budget - 1)
            if self.scope.dead:
                break
        self.scope.dead = False
        if not bind:
            lost = set(outer) - set(self.scope.vars)
            new = set(self.scope.vars) - set(outer)
            changed = {n for n in outer if n in self.scope.vars and self.scope.vars[n] != outer[n]}
            self.scope.vars = {
                n: ("any" if n in changed else k) for n, k in outer.items() if n not in lost
            }
            self.scope.maybe = (
                maybe | self.scope.maybe | lost | (new if "unbound" in self.features else set())
            )
        return lines

    @staticmethod
    def indent(lines):
        return ["    " + line for line in lines]

    def statement(self, budget):
        rng = self.rng
        nested = budget > 0
        rows = [
            (8 if self.tight else 22, None, self.assign),
            (12, "aug", self.augmented),
            (5, "unpack", self.unpack),
            (3, "star", self.starred),
            (3, "swap", self.swap),
            (0 if self.tight else 2, None, lambda: self.line(self.expr("any", 2))),
            (3, "globalwrite", self.global_write),
            (4, "nonlocal", self.nonlocal_write),
            (2, "del", self.delete),
            (
                2,
                "assert",
                lambda: self.line(f"assert {self.expr('bool', 2)}, {self.expr('any', 0)}"),
            ),
            (0 if self.tight else 1, None, lambda: ["pass"]),
            (9, "containers", self.list_statement),
            (6, "containers", self.private_lists),
            (3, "containers", self.private_tables),
            (12, "effects", self.effect_statement),
            (40 if self.tight else 20, "arrays", self.array_statement),
        ]
        if nested:
            rows += [
                (11, "if", lambda: self.if_(budget)),
                (9, "for", lambda: self.for_(budget)),
                (6, "while", lambda: self.while_(budget)),
                (7, "try", lambda: self.try_(budget)),
                (4, "with", lambda: self.with_(budget)),
                (3, "match", lambda: self.match_(budget)),
                (6, "nested", self.nested_function),
                (
                    150 if self.focus and not self.tight else 20,
                    "arrays",
                    lambda: self.array_loop(budget),
                ),
                (1, "arrays", lambda: self.errstate(budget)),
            ]
        if self.scope.loop_depth:
            rows += [(2, "break", self.break_), (2, "break", self.continue_)]
        if budget < self.size and rng.random() < 0.1:
            rows += [(4, None, self.early_return), (3, "raise", self.raise_)]
        return self.weighted(rows)

    # ---- simple -------------------------------------------------------------------------------
    def assign(self):
        kind = self.kind_of_value()
        text = self.value(kind, self.depth)
        name = self.target(kind)
        self.bind(name, kind)
        if self.rng.random() < 0.04:
            other = self.target(kind)
            self.bind(other, kind)
            return [f"{name} = {other} = {text}"]
        return [f"{name} = {text}"]

    def augmented(self):
        rng = self.rng
        names = [
            n
            for n, k in self.scope.vars.items()
            if (k in ("int", "float", "complex", "bool") or is_scalar(k))
            and n not in self.scope.pinned
        ]
        if not names:
            return self.assign()
        name = rng.choice(names)
        kind = self.scope.vars[name]
        operator, right = (
            rng.choice(AUG),
            self.expr(kind if rng.random() < 0.8 else self.kind_to_add(), self.depth - 1),
        )
        if kind == "int" and rng.random() < 0.35:
            operator = rng.choice(["//=", "%=", "&=", "|=", "^=", ">>="])
        elif kind == "float" and rng.random() < 0.3:
            operator = rng.choice(["/=", "//=", "%="])
        self.called = False
        lines = [f"{name} {operator} {right}"]
        if kind == "int" and self.scope.mult > 4 and rng.random() < 0.9:
            lines.append(f"{name} {rng.choice(['%= 1000003', '&= 2**64 - 1', '%= 2**61 - 1'])}")
        if kind == "bool":
            self.scope.vars[name] = "int"
        return lines

    def kind_to_add(self):
        """Seldom an array: the sum of a number and an array is one."""
        kind = self.kind_of_value()
        return "float" if is_array(kind) and self.rng.random() < 0.9 else kind

    def unpack(self):
        rng = self.rng
        kinds = [self.kind_of_value() for _ in range(rng.randint(2, 3))]
        texts = [self.value(k, self.depth - 1) for k in kinds]
        names = [self.target(k) for k in kinds]
        for name, kind in zip(names, kinds):
            self.bind(name, kind)
        if rng.random() < 0.15:
            return [
                f"({names[0]}, {names[1]}), {self.rebind('v0')} = ({texts[0]}, {texts[1]}), {texts[-1]}"
            ]
        return [f"{', '.join(names)} = {', '.join(texts)}"]

    def rebind(self, name):
        self.bind(name, "any")
        return name

    def starred(self):
        rng = self.rng
        count = rng.randint(2, 4)
        texts = [self.expr(self.kind_of_value(), 1) for _ in range(count)]
        first, rest, last = self.new_name(), self.new_name(), self.new_name()
        form = rng.choice([f"{first}, *{rest}", f"*{rest}, {first}", f"{first}, *{rest}, {last}"])
        self.bind(first, "any")
        self.bind(rest, "mlist" if "containers" in self.features else "any")
        if last in form:
            self.bind(last, "any")
        source = f"({', '.join(texts)})" if rng.random() < 0.7 else f"[{', '.join(texts)}]"
        return [f"{form} = {source}"]

    def swap(self):
        names = [n for n in self.scope.vars if n not in self.scope.pinned]
        if len(names) < 2:
            return self.assign()
        a, b = self.rng.sample(names, 2)
        self.scope.vars[a], self.scope.vars[b] = self.scope.vars[b], self.scope.vars[a]
        return [f"{a}, {b} = {b}, {a}"]

    def global_write(self):
        name = self.rng.choice(sorted(self.globals))
        self.scope.global_names.add(name)
        return [f"{name} = {self.value(self.globals[name], 1)}"]

    def nonlocal_write(self):
        if not self.scope.outer_names:
            return self.assign()
        name = self.rng.choice(sorted(self.scope.outer_names))
        self.scope.nonlocal_names.add(name)
        return [f"{name} = {self.value(self.scope.outer_names[name], 1)}"]

    def delete(self):
        names = [n for n in self.scope.vars if n not in self.scope.pinned and n.startswith("v")]
        if not names or self.scope.loop_depth:
            return self.assign()
        name = self.rng.choice(names)
        del self.scope.vars[name]
        self.scope.maybe.add(name)
        return [f"del {name}"]

    def break_(self):
        self.scope.dead = self.rng.random() < 0.2
        if self.scope.dead:
            return ["break"]
        return [f"if {self.expr('bool', 2)}:", "    break"]

    def continue_(self):
        return [f"if {self.expr('bool', 2)}:", "    continue"]

    def early_return(self):
        return [f"if {self.expr('bool', 1)}:", f"    return {self.result()}"]

    def raise_(self):
        rng = self.rng
        what = f"{rng.choice(RAISED)}({rng.choice([self.expr('any', 1), repr('bad'), ''])})"
        if rng.random() < 0.2:
            what += f" from {rng.choice(['None', 'ValueError(1)'])}"
        if rng.random() < 0.25:
            return (
                [f"raise {what}"]
                if self.scope.loop_depth == 0 and rng.random() < 0.3
                else ["if True:", f"    raise {what}"]
            )
        return [f"if {self.expr('bool', 1)}:", f"    raise {what}"]

    # ---- compound -----------------------------------------------------------------------------
    def if_(self, budget):
        rng = self.rng
        lines = [f"if {self.expr(rng.choice(['bool', 'bool', 'bool', 'int', 'float', 'any']), 2)}:"]
        lines += self.indent(self.block(budget - 1))
        if rng.random() < 0.25:
            lines += [f"elif {self.expr('bool', 1)}:"] + self.indent(self.block(budget - 1))
        if rng.random() < 0.45:
            lines += ["else:"] + self.indent(self.block(budget - 1))
        return lines

    def range_text(self):
        """(text, trips) of a short range."""
        rng = self.rng
        i = lambda: self.expr("int", 0)
        c = rng.randint(1, 7)
        return self.weighted([
            (8, None, lambda: (f"range({c})", c)),
            (4, None, lambda: (f"range({i()} & 7)", 4)),
            (3, None, lambda: (f"range({rng.randint(-3, 3)}, {rng.randint(0, 6)})", 5)),
            (2, None, lambda: (f"range({rng.choice(['5, -4, -2', '-3, 6, 2', '0, 10, 3', '6, 0, -1', '3, 3, 1'])})", 5)),
            (2, "big", lambda: (f"range({rng.choice(['2**63 - 3, 2**63 + 2', '2**63 - 4, 2**63 - 1', '-2**63 + 2, -2**63, -1', '2**62, 2**62 + 2**60, 2**59', '-2**63 - 1, -2**63 + 2'])})", 5)),
            (1, None, lambda: (f"range(min({i()}, {c}))", c)),
            (1, None, lambda: (f"range({i()} % 2**64, {rng.choice(['2**63', '-5', '2**64', '0'])}, {rng.choice(['2**62', '2**61', '-2**62'])})", 5)),
            (1, None, lambda: (f"range(0, 6, {i()} % 5 - 2)", 4)),
        ])  # fmt: skip

    def loop_body(self, budget, trips, new, prefix=()):
        scope, rng = self.scope, self.rng
        mult, outer = scope.mult, set(scope.vars)
        scope.mult = mult * trips
        scope.loop_depth += 1
        pinned = {n for n in new if rng.random() < 0.85}
        scope.pinned |= pinned
        before = dict(scope.vars)
        for name, kind in new.items():
            self.bind(name, kind)
        body = list(prefix) + self.block(min(budget - 1, 3))
        scope.pinned -= pinned
        scope.loop_depth -= 1
        scope.mult = mult
        scope.vars = {n: scope.vars[n] for n in before if n in scope.vars}
        scope.maybe |= {n for n in new if n not in outer}
        return self.indent(body)

    def for_(self, budget):
        rng, scope = self.rng, self.scope
        hot = "hot" in self.features and scope.mult == 1 and rng.random() < 0.12
        if hot:
            trips = rng.choice([60, 150, 400])
            name = self.new_name()
            header, new, prefix = f"for {name} in range({trips}):", {name: "int"}, ()
        elif "containers" in self.features and rng.random() < 0.5:
            header, new = self.loop_header()
            trips, prefix = 6, ()
            grown = [
                n
                for n in scope.vars
                if f"{n}" in header
                and scope.vars[n] in ("ilist", "flist", "mlist", "any", "tuple", "bytes")
            ]
            if grown:
                self.counter += 1
                fuel = f"t{self.counter}"
                prefix = (f"{fuel} += 1", f"if {fuel} > 20:", "    break")
                body = self.loop_body(budget, trips, new, prefix)
                return [f"{fuel} = 0", header] + body + self.loop_else(budget)
        else:
            text, trips = self.range_text()
            name = self.new_name() if rng.random() < 0.8 else self.target("int")
            header, new, prefix = f"for {name} in {text}:", {name: "int"}, ()
        if scope.mult * trips > 600:
            return self.assign()
        scope.cost += scope.mult * trips * 3
        return [header] + self.loop_body(budget, trips, new, prefix) + self.loop_else(budget)

    def loop_else(self, budget):
        if self.rng.random() < 0.15:
            return ["else:"] + self.indent(self.block(budget - 1))
        return []

    def while_(self, budget):
        rng, scope = self.rng, self.scope
        self.counter += 1
        fuel = f"t{self.counter}"
        hot = "hot" in self.features and scope.mult == 1 and rng.random() < 0.12
        trips = rng.choice([60, 200]) if hot else rng.randint(1, 7)
        if scope.mult * trips > 600:
            return self.assign()
        scope.cost += scope.mult * trips * 3
        prefix = [f"{fuel} += 1"]
        roll = rng.random()
        if roll < 0.5:
            header = f"while {fuel} < {trips}:"
        elif roll < 0.75:
            header = f"while {fuel} < {trips} and {self.expr('bool', 2)}:"
        else:
            header = f"while {rng.choice(['True', self.expr('bool', 1)])}:"
            prefix += [f"if {fuel} > {trips}:", "    break"]
        body = self.loop_body(budget, trips, {}, prefix)
        return [f"{fuel} = 0", header] + body + self.loop_else(budget)

    def try_(self, budget):
        rng = self.rng
        lines = ["try:"] + self.indent(self.block(budget - 1))
        handlers = rng.choice([0, 1, 1, 1, 2])
        for _ in range(handlers):
            name = rng.choice(["e", "e", ""])
            lines.append(f"except {rng.choice(ERRORS)}{' as e' if name else ''}:")
            body = self.block(min(budget - 1, 2))
            if name and rng.random() < 0.3:
                value = self.new_name()
                body = [f"{value} = str(e)"] + body
                self.scope.maybe.add(value)
            if "raise" in self.features and rng.random() < 0.2:
                body.append(rng.choice(["raise", f"raise ValueError({self.expr('any', 0)})",
                                        "raise KeyError('k') from e" if name else "raise"]))  # fmt: skip
            lines += self.indent(body)
        if handlers and rng.random() < 0.2:
            lines += ["else:"] + self.indent(self.block(min(budget - 1, 2)))
        if not handlers or rng.random() < 0.3:
            body = self.block(min(budget - 1, 2))
            if rng.random() < 0.08:
                body.append(f"return {self.result()}")
            lines += ["finally:"] + self.indent(body)
        return lines

    def with_(self, budget):
        rng = self.rng
        name = self.new_name()
        swallow = ", True" if rng.random() < 0.4 else ""
        alias = f" as {name}" if rng.random() < 0.5 else ""
        items = f"Gate({self.num(0)}{swallow}){alias}"
        if rng.random() < 0.2:
            items += f", Gate({self.num(0)})"
        if alias:
            self.scope.maybe.add(name)
        return [f"with {items}:"] + self.indent(self.block(budget - 1))

    def match_(self, budget):
        rng = self.rng
        lines = [f"match {self.num(1)}:"]
        patterns = [
            rng.choice(
                ["0", "1 | 2", "-1", "True", "2.5", "int()", "float()", "9223372036854775807"]
            )
            for _ in range(2)
        ]
        for pattern in patterns:
            guard = f" if {self.expr('bool', 1)}" if rng.random() < 0.3 else ""
            lines += [f"    case {pattern}{guard}:"] + self.indent(
                self.indent(self.block(min(budget - 1, 2)))
            )
        if rng.random() < 0.5:
            lines += ["    case _:"] + self.indent(self.indent(self.block(min(budget - 1, 2))))
        return lines
