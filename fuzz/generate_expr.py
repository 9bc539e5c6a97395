"""Random expressions of a wanted kind. Part of the generator in generate.py."""

# ruff: noqa: E501 - tables with one row per form

from __future__ import annotations

from fuzz import values
from fuzz.generate_array import is_scalar

MATH1 = ["sin", "cos", "tan", "atan", "exp", "sqrt", "log", "log2", "log10", "log1p", "expm1", "sinh",
         "cosh", "tanh", "asinh", "acosh", "atanh", "asin", "acos", "erf", "erfc", "gamma", "lgamma",
         "fabs", "degrees", "radians", "cbrt", "exp2", "ulp"]  # fmt: skip
MATH2 = [
    "atan2",
    "pow",
    "fmod",
    "hypot",
    "copysign",
    "remainder",
    "nextafter",
    "dist1",
    "ldexp1",
    "log",
]
COMPARE = ["<", "<=", ">", ">=", "==", "!="]


class Expressions:
    """Mixin: needs rng, features, scope and the other generator state."""

    def weighted(self, table):
        """Pick (weight, feature, make) among rows whose feature is on; returns the made text."""
        rows = [row for row in table if row[1] is None or row[1] in self.features]
        roll = self.rng.random() * sum(row[0] for row in rows)
        for weight, _, make in rows:
            roll -= weight
            if roll <= 0:
                return make()
        return rows[-1][2]()

    def kind_of_value(self):
        """A random value kind that this program uses."""
        return self.rng.choice(self.kinds)

    def atom(self, kind):
        """A variable or constant."""
        rng = self.rng
        if self.scope.maybe and rng.random() < 0.06:
            return rng.choice(sorted(self.scope.maybe))
        names = [n for n, k in self.scope.vars.items() if k == kind or kind == "any"]
        if "globals" in self.features and rng.random() < 0.12:
            names += [n for n, k in self.globals.items() if k == kind]
        if names and rng.random() < 0.72:
            return rng.choice(names)
        if is_scalar(kind):
            return self.array_item(kind.split(".")[0])
        if "." in kind:
            return self.array_expr(kind, 0)
        if kind in ("ilist", "flist", "mlist", "tuple", "bytes", "obj", "str"):
            if kind == "obj" and "effects" not in self.features:
                return "None"
            return values.argument(rng, kind) if kind != "str" else values.constant(rng, "str")
        if kind == "any":
            kind = self.kind_of_value()
            return self.atom(kind) if kind != "any" else "0"
        if self.tight and kind in ("int", "float") and rng.random() < 0.8:
            return values.paren(rng.choice(values.SMALL_INTS if kind == "int" else values.FLOATS))
        return values.constant(rng, kind, "big" in self.features)

    def expr(self, kind, depth):
        """An expression that usually has `kind`."""
        rng = self.rng
        if rng.random() < self.wrong:
            kind = rng.choice(["int", "float", "bool", "complex", "none", "any", "str"])
        if depth <= 0 or rng.random() < 0.12:
            return self.atom(kind)
        make = getattr(self, "expr_" + kind, None)
        if "." in kind:
            text = self.array_expr(kind, depth - 1)
        else:
            text = make(depth - 1) if make else self.atom(kind)
        if "walrus" in self.features and rng.random() < 0.03 and self.walrus_allowed:
            return self.walrus(kind, text)
        return text

    def walrus(self, kind, text):
        name = self.rng.choice(["w0", "w1"])
        self.scope.vars.pop(name, None)
        self.scope.maybe.add(name)
        return f"({name} := {text})"

    def num(self, depth):
        """A number of any kind of this program."""
        kinds = [
            k for k in self.kinds if k in ("int", "float", "bool", "complex") or is_scalar(k)
        ] or ["int"]
        return self.expr(self.rng.choice(kinds), depth)

    def real(self, depth):
        """A number that is not complex."""
        kinds = [
            k for k in self.kinds if k in ("int", "float", "bool") or (is_scalar(k) and k[0] != "c")
        ] or ["int"]
        return self.expr(self.rng.choice(kinds), depth)

    # ---- int ----------------------------------------------------------------------------------
    def expr_int(self, d):
        rng, i = self.rng, lambda: self.expr("int", d)
        ib = lambda: self.expr(
            rng.choice(["int", "int", "bool"]) if "bool" in self.kinds else "int", d
        )
        return self.weighted([
            (10, None, lambda: self.atom("int")),
            (26, None, lambda: f"({ib()} {rng.choice('+-*+-')} {i()})"),
            (10, "div", lambda: f"({i()} {rng.choice(['//', '%'])} {ib()})"),
            (5, "div", lambda: f"({i()} {rng.choice(['//', '%'])} {values.constant(rng, 'int')})"),
            (10, "bits", lambda: f"({i()} {rng.choice('&|^')} {ib()})"),
            (6, "shift", lambda: self.shift(d)),
            (4, "pow", lambda: self.power(d)),
            (5, None, lambda: f"({rng.choice(['-', '+', '~', '-'])}{ib()})"),
            (4, "ternary", lambda: f"({i()} if {self.expr('bool', d)} else {i()})"),
            (4, "boolop", lambda: f"({i()} {rng.choice(['and', 'or'])} {i()})"),
            (6, "builtins", lambda: self.int_builtin(d)),
            (4, "math", lambda: self.int_math(d)),
            (9, "calls", lambda: self.call("int", d)),
            (7, "containers", lambda: self.int_container(d)),
            (3, "effects", lambda: self.effect_value("int", d)),
            (8, "arrays", lambda: self.array_item()),
            (3, "arrays", lambda: f"int({self.array_item()})"),
            (2, "arrays", lambda: f"len({self.array_expr(self.array_kind(), 0)})"),
        ])  # fmt: skip

    def shift(self, d):
        rng = self.rng
        left = self.expr("int", d)
        roll = rng.random()
        if roll < 0.35:
            return f"({left} {rng.choice(['<<', '>>'])} {rng.choice(['0', '1', '2', '31', '62', '63', '64', '65', '-1'])})"
        if roll < 0.75:
            return f"({left} {rng.choice(['<<', '>>'])} ({self.expr('int', d)} & {rng.choice(['7', '31', '63', '70'])}))"
        if roll < 0.9:
            return f"({left} >> {self.expr('int', d)})"
        return f"({left} << ({self.expr('int', d)} % 66 - 2))"

    def power(self, d):
        rng = self.rng
        roll = rng.random()
        if roll < 0.5:
            return f"({self.expr('int', d)} ** {rng.choice(['0', '1', '2', '3', '2', '5', '-1', '-2'])})"
        if roll < 0.8:
            return f"({self.expr('int', d)} ** ({self.expr('int', d)} & {rng.choice(['3', '7'])}))"
        if roll < 0.9 and "builtins" in self.features:
            return f"pow({self.expr('int', d)}, ({self.expr('int', d)} & 7), {self.expr('int', d)})"
        return f"({rng.choice(['2', '3', '-2', '10', '(-1)', '0', '1'])} ** ({self.expr('int', d)} & 63))"

    def int_builtin(self, d):
        rng, i = self.rng, lambda: self.expr("int", d)
        return self.weighted([
            (6, None, lambda: f"abs({i()})"),
            (5, None, lambda: f"{rng.choice(['min', 'max'])}({i()}, {i()})"),
            (2, None, lambda: f"{rng.choice(['min', 'max'])}({i()}, {i()}, {i()})"),
            (4, None, lambda: f"int({self.real(d)})"),
            (3, None, lambda: f"round({self.real(d)})"),
            (2, None, lambda: f"round({i()}, {rng.choice(['0', '1', '-1', '-2', 'None'])})"),
            (2, None, lambda: f"divmod({i()}, {i()})[{rng.choice('01')}]"),
            (2, None, lambda: f"pow({i()}, {rng.choice('0123')})"),
            (1, None, lambda: f"sum(({i()}, {i()}, {i()}))"),
            (2, None, lambda: self.generator(["sum", "sum", "min", "max"], "int")),
            (1, None, lambda: f"len(({i()}, {i()}))"),
            (1, None, lambda: f"int({self.expr('str', 0)})"),
            (1, None, lambda: f"({i()}).bit_length()"),
        ])  # fmt: skip

    def generator(self, consumers, kind):
        """A builtin that consumes a generator expression; the loop variable is an int or an item."""
        rng, scope = self.rng, self.scope
        source, item = f"range({self.expr('int', 0)} & 15)", "int"
        if "containers" in self.features and rng.random() < 0.5:
            list_kind = rng.choice(["ilist", "flist", "mlist"])
            source = self.atom(list_kind)
            item = {"ilist": "int", "flist": "float", "mlist": "any"}[list_kind]
        name, before = rng.choice(["k0", "k1"]), dict(scope.vars)
        walrus, self.walrus_allowed = self.walrus_allowed, False
        scope.vars[name] = item
        scope.pinned.add(name)
        text = f"{self.expr(kind, 1)} for {name} in {source}"
        if rng.random() < 0.4:
            text += f" if {self.expr('bool', 1)}"
        scope.vars = before
        scope.pinned.discard(name)
        self.walrus_allowed = walrus
        return f"{rng.choice(consumers)}({text})"

    def int_math(self, d):
        rng, i = self.rng, lambda: self.expr("int", d)
        return self.weighted([
            (4, None, lambda: f"math.{rng.choice(['floor', 'ceil', 'trunc'])}({self.real(d)})"),
            (3, None, lambda: f"math.{rng.choice(['gcd', 'lcm'])}({i()}, {i()})"),
            (2, None, lambda: f"math.isqrt({i()})"),
            (1, None, lambda: f"math.factorial({i()} & 31)"),
            (1, None, lambda: f"math.{rng.choice(['comb', 'perm'])}({i()} & 31, {i()} & 15)"),
            (1, None, lambda: f"math.frexp({self.real(d)})[1]"),
            (1, None, lambda: f"math.prod(({i()}, {i()}))"),
        ])  # fmt: skip

    # ---- float --------------------------------------------------------------------------------
    def expr_float(self, d):
        rng, f = self.rng, lambda: self.expr("float", d)
        r = lambda: self.real(d)
        return self.weighted([
            (8, None, lambda: self.atom("float")),
            (26, None, lambda: f"({f()} {rng.choice('+-*')} {r()})"),
            (8, None, lambda: f"({r()} {rng.choice('+-*')} {f()})"),
            (10, "div", lambda: f"({r()} / {r()})"),
            (7, "div", lambda: f"({f()} {rng.choice(['//', '%'])} {r()})"),
            (5, "pow", lambda: f"({f()} ** {rng.choice(['2', '0.5', '-1', '3', '0', '-0.5', '2.0', '1'])})"),
            (2, "pow", lambda: f"({r()} ** {f()})"),
            (5, None, lambda: f"({rng.choice('-+-')}{f()})"),
            (4, "ternary", lambda: f"({f()} if {self.expr('bool', d)} else {r()})"),
            (3, "boolop", lambda: f"({f()} {rng.choice(['and', 'or'])} {f()})"),
            (6, "builtins", lambda: self.float_builtin(d)),
            (1, "builtins", lambda: "draw()"),
            (9, "math", lambda: self.float_math(d)),
            (9, "calls", lambda: self.call("float", d)),
            (3, "complex", lambda: f"({self.expr('complex', d)}).{rng.choice(['real', 'imag'])}"),
            (7, "containers", lambda: self.float_container(d)),
            (12, "arrays", lambda: self.array_item()),
            (3, "arrays", lambda: f"float({self.array_item()})"),
        ])  # fmt: skip

    def float_builtin(self, d):
        rng, f = self.rng, lambda: self.expr("float", d)
        return self.weighted([
            (5, None, lambda: f"abs({f()})"),
            (4, None, lambda: f"float({self.real(d)})"),
            (4, None, lambda: f"{rng.choice(['min', 'max'])}({f()}, {self.real(d)})"),
            (3, None, lambda: f"round({f()}, {rng.choice(['0', '1', '2', '3', '-1', '17', '400', '-400'])})"),
            (2, None, lambda: f"divmod({f()}, {self.real(d)})[{rng.choice('01')}]"),
            (2, None, lambda: f"sum(({f()}, {self.real(d)}, {f()}))"),
            (2, None, lambda: self.generator(["sum", "sum", "min", "max"], rng.choice(["float", "float", "any"]))),
            (1, None, lambda: f"sum(({f()}, {f()}), {self.real(d)})"),
            (1, None, lambda: f"pow({f()}, {self.real(d)})"),
            (1, "complex", lambda: f"abs({self.expr('complex', d)})"),
        ])  # fmt: skip

    def float_math(self, d):
        rng, r = self.rng, lambda: self.real(d)
        if rng.random() < 0.08:
            return f"{rng.choice(['sqrt', 'floor'])}({r()})"
        name = rng.choice(MATH1)
        if rng.random() < 0.6:
            return f"math.{name}({r()})"
        name = rng.choice(MATH2)
        if name == "dist1":
            return f"math.modf({r()})[{rng.choice('01')}]"
        if name == "ldexp1":
            return f"math.ldexp({r()}, {self.expr('int', 0)})"
        return f"math.{name}({r()}, {r()})"

    # ---- bool ---------------------------------------------------------------------------------
    def expr_bool(self, d):
        rng, n = self.rng, lambda: self.num(d)
        b = lambda: self.expr("bool", d)
        return self.weighted([
            (4, None, lambda: self.atom("bool")),
            (24, None, lambda: f"({n()} {rng.choice(COMPARE)} {n()})"),
            (6, None, lambda: f"({n()} {rng.choice(COMPARE)} {values.constant(rng, rng.choice(['int', 'float']))})"),
            (6, "chain", lambda: f"({n()} {rng.choice(COMPARE)} {n()} {rng.choice(COMPARE)} {n()})"),
            (5, None, lambda: f"(not {self.expr(rng.choice(['bool', 'int', 'float']), d)})"),
            (5, "boolop", lambda: f"({b()} {rng.choice(['and', 'or'])} {b()})"),
            (3, "bits", lambda: f"({b()} {rng.choice('&|^')} {b()})"),
            (2, None, lambda: f"({self.expr('any', d)} is {rng.choice(['', 'not '])}None)"),
            (2, "builtins", lambda: f"bool({n()})"),
            (2, "builtins", lambda: f"{rng.choice(['any', 'all'])}(({n()}, {n()}))"),
            (3, "builtins", lambda: self.generator(["any", "all"], rng.choice(["bool", "int", "float"]))),
            (2, "math", lambda: f"math.{rng.choice(['isnan', 'isinf', 'isfinite'])}({self.real(d)})"),
            (1, "math", lambda: f"math.isclose({self.real(d)}, {self.real(d)})"),
            (2, "builtins", lambda: f"isinstance({self.expr('any', d)}, {rng.choice(['int', 'float', 'bool', '(int, float)'])})"),
            (5, "calls", lambda: self.call("bool", d)),
            (2, None, lambda: f"({n()} {rng.choice(['in', 'not in'])} ({n()}, {n()}))"),
            (2, None, lambda: f"({n()} {rng.choice(['in', 'not in'])} {{1, 2.5, -3, True, None, 'a', 2**70, 0}})"),
            (3, "containers", lambda: f"({n()} in {self.expr(rng.choice(['ilist', 'flist', 'mlist', 'tuple']), 0)})"),
        ])  # fmt: skip

    # ---- complex, None, str, any --------------------------------------------------------------
    def expr_complex(self, d):
        rng, c, n = self.rng, lambda: self.expr("complex", d), lambda: self.num(d)
        return self.weighted([
            (6, None, lambda: self.atom("complex")),
            (14, None, lambda: f"({c()} {rng.choice('+-*')} {n()})"),
            (5, None, lambda: f"({n()} {rng.choice('+-*')} {c()})"),
            (4, "div", lambda: f"({c()} / {n()})"),
            (3, "pow", lambda: f"({c()} ** {rng.choice(['2', '0', '-1', '0.5', '3', '1j'])})"),
            (3, None, lambda: f"({rng.choice('-+')}{c()})"),
            (4, "builtins", lambda: f"complex({self.real(d)}, {self.real(d)})"),
            (2, None, lambda: f"({c()}).conjugate()"),
            (2, "ternary", lambda: f"({c()} if {self.expr('bool', d)} else {n()})"),
            (3, "calls", lambda: self.call("complex", d)),
        ])  # fmt: skip

    def expr_none(self, d):
        return "None"

    def expr_str(self, d):
        if "fstring" in self.features and self.rng.random() < 0.6:
            spec = self.rng.choice(["", "", "!r", ":>12", ":08.3f", ":x", ":e", "!s:>4"])
            return 'f"<{' + self.expr("any", 0) + spec + '}>"'
        return self.atom("str")

    def expr_obj(self, d):
        return self.effect_value("obj", d) if "effects" in self.features else "None"

    def expr_any(self, d):
        kind = self.kind_of_value()
        if kind == "any":
            kind = "int"
        if self.rng.random() < 0.1 and "ternary" in self.features:
            return f"({self.expr(kind, d)} if {self.expr('bool', d)} else {self.expr(self.kind_of_value(), d)})"
        return self.expr(kind, d)

    # ---- calls --------------------------------------------------------------------------------
    def call(self, kind, d):
        """A call of an earlier function of this program that gives `kind`, when the cost allows it."""
        rng = self.rng
        budget = self.cost_limit / max(1, self.scope.mult)
        fits = [
            f for f in self.callable_functions() if f.kind in (kind, "any") and f.cost <= budget
        ]
        if not fits:
            return self.atom(kind)
        function = rng.choice(fits)
        self.scope.cost += function.cost * self.scope.mult
        self.called = True
        return f"{function.name}({self.arguments(function, d)})"

    def arguments(self, function, d):
        """Arguments in a random mix of positions and keywords, defaults sometimes left out."""
        rng, parts, keywords = self.rng, [], False
        for parameter in function.parameters:
            if parameter.default is not None and rng.random() < 0.4:
                keywords = True
                continue
            value = self.expr(parameter.kind, min(d, 1))
            if (
                parameter.keyword_only
                or keywords
                or ("kwargs" in self.features and rng.random() < 0.15)
            ):
                if not parameter.positional_only:
                    parts.append(f"{parameter.name}={value}")
                    keywords = True
            else:
                parts.append(value)
        return ", ".join(parts)
