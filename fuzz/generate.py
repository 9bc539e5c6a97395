"""Random Python programs as source text, by seed.

A program is one module: a prelude, data globals, functions that call each other, and `CALLS`, a list
of `(function, args, kwargs)` texts; an entry with an empty function name is a statement to execute
between two calls. Every loop is bounded, so that a program ends quickly.
"""

# ruff: noqa: E501 - tables with one row per form

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from random import Random

from fuzz import prelude, values
from fuzz.generate_array import LAYOUTS, LENGTHS, STATES, TIGHT, Arrays, is_array, is_scalar
from fuzz.generate_container import Containers
from fuzz.generate_effects import Effects
from fuzz.generate_expr import Expressions
from fuzz.generate_private import PrivateLists
from fuzz.generate_stmt import Statements

# feature -> chance that a program uses it
SCALAR_FEATURES = {
    "div": 0.8, "bits": 0.5, "shift": 0.4, "pow": 0.35, "ternary": 0.5, "boolop": 0.5, "chain": 0.5,
    "walrus": 0.25, "unpack": 0.4, "star": 0.12, "swap": 0.3, "aug": 0.8, "if": 0.9, "for": 0.8,
    "while": 0.5, "break": 0.5, "try": 0.25, "with": 0.1, "raise": 0.3, "assert": 0.2, "nested": 0.5,
    "nonlocal": 0.5, "globals": 0.4, "globalwrite": 0.2, "del": 0.15, "unbound": 0.25, "kwargs": 0.4,
    "defaults": 0.4, "recursion": 0.25, "calls": 0.6, "math": 0.5, "builtins": 0.6, "fstring": 0.1,
    "match": 0.06, "big": 0.5, "hot": 0.35, "rebind": 0.15, "complex": 0.2, "decorate": 0.3,
}  # fmt: skip


@dataclass
class Options:
    """What programs may contain."""

    containers: bool = False
    effects: bool = False
    arrays: bool = False
    storm: bool = False  # interrupt the compiled run all the time
    ignore: tuple[str, ...] = ()  # aspects, by how they start, that are no failure


@dataclass
class Parameter:
    name: str
    kind: str
    default: str | None = None
    keyword_only: bool = False
    positional_only: bool = False
    layout: str = ""  # of an array, mostly


@dataclass
class Function:
    name: str
    parameters: list[Parameter]
    kind: str
    cost: int


@dataclass
class Scope:
    """What is known while one function body is generated."""

    vars: dict[str, str] = field(default_factory=dict)  # bound name -> kind
    maybe: set[str] = field(default_factory=set)  # names that may be unbound
    pinned: set[str] = field(default_factory=set)  # loop variables that stay untouched
    outer_names: dict[str, str] = field(default_factory=dict)
    global_names: set[str] = field(default_factory=set)
    nonlocal_names: set[str] = field(default_factory=set)
    local_functions: list[Function] = field(default_factory=list)
    mult: int = 1  # how often this place runs per call
    cost: int = 10
    loop_depth: int = 0
    dead: bool = False  # the block has just left unconditionally


class Generator(Expressions, Statements, Containers, PrivateLists, Effects, Arrays):
    """One program."""

    def __init__(self, seed: int, options: Options):
        self.rng = rng = Random(
            f"{seed}/{int(options.containers)}{int(options.effects)}{'a' * options.arrays}"
        )
        self.features = {name for name, chance in SCALAR_FEATURES.items() if rng.random() < chance}
        if options.containers and rng.random() < 0.75:
            self.features.add("containers")
        if options.effects and rng.random() < 0.75:
            self.features.add("effects")
        if options.arrays and rng.random() < 0.9:
            self.features.add("arrays")
        self.options = options
        self.depth = rng.choice([1, 2, 2, 3, 3, 4])
        self.size = rng.choice([1, 2, 2, 3, 3, 4])
        if "arrays" in self.features:
            self.size = max(self.size, 2)
        self.wrong = rng.choice([0.0, 0.0, 0.01, 0.03])
        self.retype = rng.choice([0.0, 0.1, 0.25])
        self.focus = False  # loops over arrays and little else
        self.kinds = self.choose_kinds()
        self.tail = (
            rng.choice([2, 3, 3, 4, 7, 9]),
            rng.choice([1, 3, 3, 3]),
        )  # axes of arrays behind the first
        self.length = 3
        self.tight = False  # in a loop of arithmetic and array statements only
        self.cost_limit = 4000
        self.functions: list[Function] = []
        self.globals: dict[str, str] = {}
        self.array_globals: dict[str, str] = {}
        self.counter = 0
        self.scope = Scope()
        self.walrus_allowed = True
        self.called = False

    def choose_kinds(self):
        rng = self.rng
        kinds = rng.choice([["int"], ["float"], ["int", "float"], ["int", "float", "bool"], ["int", "int", "bool"],
                            ["int", "float", "bool", "any"]])  # fmt: skip
        if "complex" in self.features:
            kinds = [*kinds, "complex"]
        if rng.random() < 0.08:
            kinds = [*kinds, "none"]
        if "containers" in self.features:
            kinds = [*kinds, *rng.sample(["ilist", "flist", "mlist", "tuple", "bytes"], 2)]
        if "effects" in self.features and rng.random() < 0.6:
            kinds = [*kinds, "obj"]
        if "arrays" in self.features:
            if rng.random() < 0.7:  # little but loops over arrays: what else leaves hides them
                self.focus = True
                self.features &= TIGHT | {"arrays", "globals", "calls", "try"}
                kinds = rng.choice([["int"], ["float"], ["int", "float"], ["int", "float", "bool"]])
                self.wrong = 0.0
            kinds = [*kinds, *self.array_kinds()]
        return kinds

    # ---- functions ----------------------------------------------------------------------------
    def callable_functions(self):
        return self.scope.local_functions + self.functions

    def parameters(self, count):
        rng, result = self.rng, []
        defaults = "defaults" in self.features
        keyword_only = count - 1 if rng.random() < 0.12 and count > 1 else count
        positional_only = rng.randint(0, keyword_only) if rng.random() < 0.08 else 0
        seen_default = False
        for i in range(count):
            kind = self.kind_of_value()
            if "arrays" in self.features and i < 2 and rng.random() < 0.7 + 0.2 * self.focus:
                kind = self.array_kind()
            default = None
            if defaults and (seen_default or rng.random() < 0.3):
                seen_default = i < keyword_only
                default = self.argument(kind) if kind not in ("obj",) else "None"
            layout = rng.choice(LAYOUTS) if is_array(kind) else ""
            result.append(
                Parameter(f"p{i}", kind, default, i >= keyword_only, i < positional_only, layout)
            )
        return result

    def argument(self, kind, layout=""):
        """An argument for a parameter of `kind`."""
        if is_array(kind):
            return self.array_argument(kind, layout if self.rng.random() < 0.9 else "")
        if is_scalar(kind):
            return self.scalar_text(kind.split(".")[0])
        return values.argument(self.rng, kind)

    @staticmethod
    def signature(parameters):
        parts = []
        for i, p in enumerate(parameters):
            if p.keyword_only and not (i and parameters[i - 1].keyword_only):
                parts.append("*")
            parts.append(p.name + (f"={p.default}" if p.default is not None else ""))
            if p.positional_only and not (
                i + 1 < len(parameters) and parameters[i + 1].positional_only
            ):
                parts.append("/")
        return ", ".join(parts)

    def result(self):
        """The expression after `return`."""
        if self.return_kind == "all":
            names = [n for n in self.scope.vars if n[0] in "vp"][:8]
            return "(" + "".join(n + ", " for n in names) + ")"
        if self.return_kind == "mixed":
            return self.expr(self.kind_of_value(), 2)
        return self.expr(self.return_kind, 2)

    def body(self, statements):
        lines = []
        for _ in range(statements):
            lines += self.statement(self.size)
        return lines

    def function(self, name):
        rng = self.rng
        self.scope = scope = Scope()
        parameters = self.parameters(
            rng.randint(2 * self.focus, 3) if rng.random() < 0.9 else rng.randint(4, 7)
        )
        scope.vars = {p.name: p.kind for p in parameters}
        roll = rng.random()
        self.return_kind = "all" if roll < 0.45 else "mixed" if roll < 0.6 else self.kind_of_value()
        lines = []
        if "recursion" in self.features and rng.random() < 0.5:
            lines, parameters = self.recursive_head(name, parameters)
        lines += self.body(rng.randint(1, 2 + self.size))
        if rng.random() < 0.95:
            lines.append(f"return {self.result()}")
        head = [f"global {', '.join(sorted(scope.global_names))}"] if scope.global_names else []
        kind = (
            self.return_kind if self.return_kind in ("int", "float", "bool", "complex") else "any"
        )
        self.functions.append(Function(name, parameters, kind, scope.cost))
        return [f"def {name}({self.signature(parameters)}):"] + self.indent(head + lines)

    def recursive_head(self, name, parameters):
        """`if n <= 0: return base` and a statement that calls the function itself once."""
        rng, scope = self.rng, self.scope
        parameters = [
            Parameter("n", "int"),
            *[p for p in parameters if not p.keyword_only and not p.positional_only],
        ]
        scope.vars = {p.name: p.kind for p in parameters}
        scope.pinned.add("n")
        target = self.new_name()
        inner = ["n - 1"] + [self.expr(p.kind, 1) for p in parameters[1:]]
        call = f"{name}({', '.join(inner)})"
        text = rng.choice(
            [call, f"{call} + 1", f"-{call}", f"({call}, n)", f"n if n > 30 else {call}"]
        )
        lines = [
            "if n <= 0:",
            f"    return {self.expr(self.kind_of_value(), 1)}",
            f"{target} = {text}",
        ]
        self.bind(target, "any")
        scope.cost *= 40
        return lines, parameters

    def nested_function(self):
        """A closure: defined, often decorated, called at once or later."""
        rng, outer = self.rng, self.scope
        if outer.mult > 8 or outer.outer_names:
            return self.assign()
        name = self.new_name().replace("v", "g")
        if rng.random() < 0.2:
            captured = self.expr(self.kind_of_value(), 1)
            outer.local_functions.append(Function(name, [], "any", 10))
            return [f"{name} = lambda: {captured}"]
        return_kind, size = self.return_kind, self.size
        saved = {
            n: k
            for n, k in outer.vars.items()
            if n not in outer.pinned and k in ("int", "float", "bool", "complex")
        }
        self.scope = inner = Scope()
        inner.outer_names = saved if "nonlocal" in self.features else {}
        parameters = [Parameter(f"q{i}", self.kind_of_value()) for i in range(rng.randint(0, 2))]
        inner.vars = {**saved, **{p.name: p.kind for p in parameters}}
        inner.pinned = set(saved)
        self.size = 1
        lines = self.body(rng.randint(1, 2))
        self.return_kind = rng.choice(["mixed", self.kind_of_value()])
        lines.append(f"return {self.result()}")
        head = [f"global {', '.join(sorted(inner.global_names))}"] if inner.global_names else []
        if inner.nonlocal_names:
            head.append(f"nonlocal {', '.join(sorted(inner.nonlocal_names))}")
        self.return_kind, self.size, self.scope = return_kind, size, outer
        outer.local_functions.append(Function(name, parameters, "any", inner.cost))
        decorator = ["@jit"] if "decorate" in self.features else []
        return [
            *decorator,
            f"def {name}({self.signature(parameters)}):",
            *self.indent(head + lines),
        ]

    # ---- the module ---------------------------------------------------------------------------
    def calls(self):
        rng, lines = self.rng, []
        targets = [f for f in self.functions if f.cost <= 20000] or self.functions[:1]
        odd_rate = rng.choice([0.0, 0.0, 0.0, 0.1] if self.focus else [0.0, 0.05, 0.15, 0.3])
        for function in targets:
            steady = self.call_arguments(function, 0.0)
            for i in range(rng.randint(4, 9)):
                args, kwargs = steady if i < 2 else self.call_arguments(function, odd_rate)
                lines.append((function.name, args, kwargs))
        if rng.random() < 0.3:
            rng.shuffle(lines)
        if "arrays" in self.features and rng.random() < 0.5:
            for _ in range(rng.randint(1, 3)):
                state = f"np.seterr({rng.choice(STATES)})"
                lines.insert(rng.randint(0, len(lines)), ("", state, ""))
        if "rebind" in self.features:
            for _ in range(rng.randint(1, 3)):
                lines.insert(rng.randint(1, len(lines)), ("", self.rebind_text(), ""))
        return lines

    def rebind_text(self):
        """A statement that changes something the machine code relied on."""
        rng = self.rng
        function = rng.choice(self.functions)
        choices = [f"{name} = {self.argument(self.kind_of_value())}" for name in self.globals]
        choices += [
            f"{function.name}.__defaults__ = {rng.choice(['None', '(7,)', '(1.5, 2)', '(2**63, 1, 2, 3)'])}",
            f"{function.name}.__kwdefaults__ = {rng.choice(['None', '{}', '{chr(112) + chr(49): 9}'])}",
            f"def {function.name}(*a, **k): return (a, k)",
            f"{function.name} = {rng.choice(self.functions).name}",
            "abs = lambda x: (x, x)", "len = None", "min = max", "math = None", "del inf",
            f"{function.name}.__code__ = {rng.choice(self.functions).name}.__code__",
        ]  # fmt: skip
        return rng.choice(choices)

    def call_arguments(self, function, odd_rate):
        rng, args, kwargs = self.rng, [], []
        self.length = rng.choice(LENGTHS)
        for parameter in function.parameters:
            if parameter.default is not None and rng.random() < 0.4:
                if not parameter.keyword_only:
                    continue
                if rng.random() < 0.5:
                    continue
            text = self.argument(parameter.kind, parameter.layout)
            if rng.random() < odd_rate:
                text = values.odd_argument(rng, parameter.kind, self.options.containers)
            if parameter.name == "n":
                text = (
                    rng.choice(["0", "1", "3", "12", "25", "10**6", "2**64"])
                    if rng.random() < 0.9
                    else text
                )
            left_out = len(args) < function.parameters.index(parameter)
            if parameter.keyword_only or (
                (left_out or rng.random() < 0.1) and not parameter.positional_only
            ):
                kwargs.append(f"{parameter.name!r}: {text}")
            else:
                args.append(text)
        if rng.random() < odd_rate * 0.15:
            args.append("1") if rng.random() < 0.6 else kwargs.append("'zz': 1")
        return f"({''.join(a + ', ' for a in args)})", "{" + ", ".join(kwargs) + "}"

    def program(self):
        rng = self.rng
        for i in range(rng.randint(1, 4)):
            self.globals[f"G{i}"] = rng.choice(
                [k for k in self.kinds if k in values.SCALARS] or ["int"]
            )
        parts = [f"{n} = {values.argument(rng, k)}" for n, k in self.globals.items()]
        if "arrays" in self.features:
            for i in range(rng.randint(0, 2)):
                kind, self.length = self.array_kind(), 300
                parts.append(f"A{i} = {self.array_argument(kind)}")
                self.array_globals[f"A{i}"] = kind
        for i in range(rng.choice([1, 1, 2, 2, 3, 4])):
            parts += self.function(f"f{i}")
        calls = ",\n".join(f"    {call!r}" for call in self.calls())
        body = ast.unparse(ast.parse("\n".join(parts)))
        needs_effects = (
            any(word in body for word in ("note(", "Loud(", "Gate(")) or "Loud(" in calls
        )
        head = prelude.BASE + (prelude.EFFECTS if needs_effects else "")
        head += prelude.ARRAYS if "arrays" in self.features else ""
        # note() keeps the variables of frames, where a list may hold an equal number; functions that
        # are decorated each time are compiled eight times or more, which takes long.
        count = rng.random() < 0.2 and not any(word in body for word in ("note(", "@jit"))
        head += "COUNT_BLOCKS = True\n" if count else ""
        head += "COMPILE_METHODS = True\n" if needs_effects and rng.random() < 0.3 else ""
        return f"{head}{body}\nCALLS = [\n{calls},\n]\n"


def generate(seed: int, options: Options | None = None) -> str:
    """The program of this seed: always the same text for the same seed and options."""
    return Generator(seed, options or Options()).program()
