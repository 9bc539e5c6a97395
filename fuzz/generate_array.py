"""NumPy arrays: elements, stores, parts, loops over them, scalars among numbers. Part of the generator.

The kind of an array is its type and rank, "f8.2"; "f8.0" is a scalar out of one. Loops are often
tight: only arithmetic and array statements, which the compiler makes in rounds without checks.
"""

# ruff: noqa: E501 - tables with one row per form

from __future__ import annotations

from fuzz import values

# What a program has of a list is chosen as often as it is there.
DTYPES = "f8 f8 f8 i8 i8 f4 i4 u1 ? i1 i2 u2 u4 u8 c8 c16".split()
LAYOUTS = ["C"] * 9 + "F step step back back part part over over same".split()
ODD_LAYOUTS = [*LAYOUTS, "locked", "raw", "swapped"]
LENGTHS = [0, 1, 3, 9, 17, 40, 40, 70, 70, 130, 130, 300, 300, 300]
TIGHT = {"aug", "if", "ternary"}
STATES = ["all='ignore'", "all='ignore'", "all='raise'", "over='raise'", "invalid='raise'", "under='warn'", "under='raise'",
          "divide='ignore'", "all='warn'", "all='call'"]  # fmt: skip


def is_scalar(kind):
    return kind.endswith(".0")


def is_array(kind):
    return "." in kind and not is_scalar(kind)


def split(kind):
    """(type, rank) of a kind."""
    dtype, rank = kind.split(".")
    return dtype, int(rank)


class Arrays:
    """Mixin of the generator."""

    def array_kinds(self):
        """Kinds of arrays and scalars for this program."""
        rng = self.rng
        dtypes = [rng.choice(DTYPES) for _ in range(rng.randint(1, 3))]
        rank = rng.choice([1, 1, 1, 2, 2, 3])  # mostly the same, so that they are of one length
        arrays = [f"{d}.{rank if rng.random() < 0.7 else rng.choice([1, 2, 3])}" for d in dtypes]
        return [*arrays, *(f"{d}.0" for d in dtypes)]

    def array_kind(self):
        return self.rng.choice([k for k in self.kinds if is_array(k)] or ["f8.1"])

    def number_kinds(self):
        return [k for k in self.kinds if k in ("int", "float") or is_scalar(k)] or ["float"]

    def array_shape(self, rank, length):
        """Axes behind the first are short."""
        if rank > 1:
            length = min(length, 40)
        return (length, *self.tail[: rank - 1])

    def array_argument(self, kind, layout=None):
        """An array for a parameter: a new one or a part of a global one, so that some overlap."""
        rng = self.rng
        dtype, rank = split(kind)
        same = [n for n, k in self.array_globals.items() if k == kind]
        if same and rng.random() < 0.3:
            part = rng.choice(["", "", "[1:]", "[:-1]", "[::-1]", "[::2]", "[2:]", ".T"])
            return rng.choice(same) + part
        shape = self.array_shape(rank, self.length)
        return f"array({dtype!r}, {shape}, {layout or rng.choice(ODD_LAYOUTS)!r}, {rng.randint(0, 999)})"

    def scalar_text(self, dtype):
        """A scalar made of a constant."""
        rng = self.rng
        bits = 8 * int(dtype[1:] or 0) if dtype != "?" else 0
        if dtype == "?":
            number = rng.choice(["True", "False", "2", "0"])
        elif dtype[0] in "iu":
            low, high = (
                (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if dtype[0] == "i" else (0, 2**bits - 1)
            )
            number = rng.choice(
                ["0", "1", "2", "3", "7", "100", str(low), str(high), str(high - 1)]
            )
        else:
            number = values.constant(rng, "float")
        return f"np.dtype({dtype!r}).type({number})" if rng.random() < 0.05 else f"np.{self.scalar_name(dtype)}({number})"  # fmt: skip

    @staticmethod
    def scalar_name(dtype):
        word = {"?": "bool_", "i": "int", "u": "uint", "f": "float", "c": "complex"}[dtype[0]]
        return word + (str(8 * int(dtype[1:])) if dtype != "?" else "")

    def arrays_of(self, rank=None, dtype=None):
        """(name, rank) of the arrays here."""
        known = dict(self.scope.vars)
        if "globals" in self.features or self.tight:
            known.update(self.array_globals)
        found = [(n, k) for n, k in known.items() if is_array(k)]
        return [
            (n, int(k.split(".")[1]))
            for n, k in found
            if (dtype is None or k.split(".")[0] == dtype)
            and (rank is None or k.endswith(f".{rank}"))
        ]

    def array_place(self, rank):
        """Indices of one element: mostly what the loops around count."""
        rng = self.rng
        loops = [
            n for n in self.scope.vars if n in self.scope.pinned and self.scope.vars[n] == "int"
        ]
        if len(loops) >= rank and rng.random() < 0.7:
            indices = loops[-rank:]
        else:
            first = rng.choice([*loops[-2:], "0", "-1", "1"])
            indices = [first, *(rng.choice(["0", "0", "-1", "1"]) for _ in range(rank - 1))]
        if rng.random() < 0.25:
            at = rng.randrange(rank)
            i = indices[at]
            near = [f"{i} - 1", f"{i} - 2", f"-1 - {i}", f"{i} // 2", f"{i} % 3"]
            near += [f"{i} + 1"] * (rng.random() < 0.3)
            indices[at] = rng.choice(near) if rng.random() < 0.9 else self.index(0)
        if rank > 1 and rng.random() < 0.1:
            return "][".join(indices)
        return ", ".join(indices)

    def array_item(self, dtype=None):
        """An element of some array."""
        rng = self.rng
        found = self.arrays_of(dtype=dtype if rng.random() < 0.85 else None) or self.arrays_of()
        if not found:
            return self.scalar_text(dtype or "f8")
        name, rank = rng.choice(found)
        return f"{name}[{self.array_place(rank)}]"

    def scalar_expr(self, dtype, d):
        """An expression with a scalar of this type, mostly."""
        rng, s = self.rng, lambda: self.expr(f"{dtype}.0", d)
        n = lambda: self.num(d)
        bits = ["&", "|", "^", "<<", ">>", "//", "%"] if dtype[0] in "iu" else ["&", "|", "^"] if dtype == "?" else ["/", "*"]  # fmt: skip
        return self.weighted([
            (14, None, lambda: self.array_item(dtype)),
            (4, None, lambda: self.atom(f"{dtype}.0")),
            (16, None, lambda: f"({s()} {rng.choice('+-*+*')} {n()})"),
            (8, None, lambda: f"({n()} {rng.choice('+-*')} {s()})"),
            (4, None, lambda: f"({s()} {rng.choice(['/', '//', '%', '/'])} {n()})"),
            (4, None, lambda: f"({s()} {rng.choice(bits)} {s()})"),
            (1, None, lambda: f"({s()} ** {rng.choice(['2', '0.5', '3', '-1'])})"),
            (3, None, lambda: f"({rng.choice('-+-')}{s()})"),
            (1, None, lambda: f"(~{s()})"),
            (3, None, lambda: f"abs({s()})"),
            (3, None, lambda: f"np.{self.scalar_name(rng.choice(DTYPES))}({n()})"),
            (2, None, lambda: f"{rng.choice(['min', 'max'])}({s()}, {n()})"),
            (2, None, lambda: f"np.{rng.choice(['sqrt', 'sin', 'exp', 'floor', 'abs', 'square', 'sign'])}({s()})"),
            (1, None, lambda: f"np.{rng.choice(['maximum', 'minimum', 'hypot', 'fmod'])}({s()}, {n()})"),
            (3, "ternary", lambda: f"({s()} if {self.expr('bool', d)} else {n()})"),
        ])  # fmt: skip

    def array_expr(self, kind, d):
        """An array or scalar of this kind."""
        rng = self.rng
        dtype, rank = split(kind)
        if rank == 0:
            return self.scalar_expr(dtype, d)
        same, higher = self.arrays_of(rank, dtype), self.arrays_of(rank + 1, dtype)
        lower = self.arrays_of(rank - 1, dtype) if rank > 1 else []
        rows = [(1, None, lambda: self.new_array(dtype, rank))]
        if same:
            name = rng.choice(same)[0]
            rows += [
                (6, None, lambda: name),
                (6, None, lambda: f"{name}[{self.slice_()}]"),
                (2, None, lambda: f"{name}[::{rng.choice(['-1', '2', '-2'])}]"),
                (1, None, lambda: f"{name}[..., {self.slice_()}]"),
                (1, None, lambda: f"{name}.{rng.choice(['T', 'copy()'])}"),
                (1, None, lambda: f"np.{rng.choice(['zeros_like', 'copy', 'ones_like'])}({name})"),
                (1, None, lambda: f"({name} {rng.choice('+*')} {self.num(0)})"),
            ]
        if higher:
            tall = rng.choice(higher)[0]
            rows += [(5, None, lambda: f"{tall}[{self.array_place(1)}]"), (3, None, lambda: f"{tall}[:, {self.array_place(1)}]"),
                     (1, None, lambda: f"{tall}[..., {self.array_place(1)}]")]  # fmt: skip
        if lower:
            rows += [
                (1, None, lambda: f"{rng.choice(lower)[0]}[{rng.choice(['None', '..., None'])}]")
            ]
        return self.weighted(rows)

    def new_array(self, dtype, rank):
        shape = self.array_shape(rank, self.rng.choice([3, 40, 70, 300, 300]))
        make = self.rng.choice(["zeros({0}, {1})", "ones({0}, {1})", "full({0}, 1, {1})"])
        return "np." + make.format(shape, repr(dtype))

    # ---- statements ---------------------------------------------------------------------------
    def array_statement(self):
        """Stores of elements and parts."""
        rng = self.rng
        found = self.arrays_of()
        if not found:
            kind = self.array_kind()
            name = self.new_name()
            text = f"{name} = {self.new_array(*split(kind))}"
            self.bind(name, kind)
            return [text]
        name, rank = rng.choice(found)
        kind = {**self.array_globals, **self.scope.vars}[name]
        own = kind.split(".")[0] + ".0"
        e = lambda: self.expr(
            own if rng.random() < 0.7 else rng.choice(self.number_kinds()), self.depth
        )
        cell = f"{name}[{self.array_place(rank)}]"
        return self.line(self.weighted([
            (12, None, lambda: f"{cell} = {e()}"),
            (8, None, lambda: f"{cell} {rng.choice(['+=', '-=', '*=', '+='])} {e()}"),
            (1, None, lambda: f"{cell} {rng.choice(['/=', '//=', '%=', '**=', '&=', '^=', '>>='])} {e()}"),
            (1, None, lambda: f"{cell}, {name}[{self.array_place(rank)}] = {name}[{self.array_place(rank)}], {cell}"),
            (1, None, lambda: f"{name}[{self.slice_()}] = {rng.choice([e(), f'{name}[{self.slice_()}]'])}"),
            (1, None, lambda: f"{name}[{self.array_place(1)}] = {e()}"),
            (1, None, lambda: f"{name}[...] = {e()}" if rng.random() < 0.5 else f"{name}.fill({e()})"),
        ]))  # fmt: skip

    def array_header(self, name, kind, inside):
        """(header, kinds of new names) of a loop over an array; one inside another is short."""
        rng = self.rng
        dtype, rank = split(kind)
        i, x = self.new_name(), self.new_name()
        item = f"{dtype}.{rank - 1}"
        length = rng.choice([f"len({name})", f"{name}.shape[0]"])
        if inside:
            axis = rng.randrange(rank)
            length = f"{name}.shape[{axis}]" if axis else f"min(len({name}), 12)"
        low = rng.choice(["", "", "", "1, ", "2, "])
        high = rng.choice(["", "", "", " - 1", " - 1", " - 2"]) if rng.random() < 0.95 else " + 1"
        rows = [
            (12, None, lambda: (f"for {i} in range({low}{length}{high}):", {i: "int"})),
            (1, None, lambda: (f"for {i} in range({length} - 1, -1, -1):", {i: "int"})),
            (2 + 8 * inside, None, lambda: (f"for {i} in range({rng.choice(['2', '3', '3', '4', '-1, 2', '1, 4', '9'])}):", {i: "int"})),
        ]  # fmt: skip
        if not inside:
            rows += [
                (4, None, lambda: (f"for {x} in {name}:", {x: item})),
                (1, None, lambda: (f"for {x} in {name}[{self.slice_()}]:", {x: item})),
                (1, None, lambda: (f"for {i}, {x} in enumerate({name}):", {i: "int", x: item})),
                (1, None, lambda: (f"for {i} in range(0, {length}, {rng.choice(['2', '3'])}):", {i: "int"})),
            ]  # fmt: skip
        return self.weighted(rows)

    def array_loop(self, budget):
        """A loop over an array, in front of it mostly a number that it adds to."""
        rng, scope = self.rng, self.scope
        found = self.arrays_of()
        if not found:
            return self.array_statement()
        name, _ = rng.choice(found)
        inside = scope.mult > 1
        trips = 5 if inside else 100
        if scope.mult * trips > 600 * (5 if self.tight else 1):
            return self.array_statement()
        lines = []
        if rng.random() < 0.7:
            total, start = (
                self.new_name(),
                rng.choice(["0", "0", "0.0", "0.0", "1", "-3", "1.5", "inf"]),
            )
            self.bind(total, "int" if start.lstrip("-").isdigit() else "float")
            lines.append(f"{total} = {start}")
        kind = {**self.array_globals, **scope.vars}[name]
        header, new = self.array_header(name, kind, inside)
        saved = self.features, self.kinds, self.depth, self.tight
        if self.tight or rng.random() < 0.75:
            self.tight = True
            self.features = self.features & TIGHT | {"arrays", "aug", "if"}
            self.kinds = self.number_kinds()
            self.depth = rng.choice([1, 2, 2, 3])
        scope.cost += scope.mult * trips * 3
        lines += [header, *self.loop_body(max(2, budget), trips, new)]
        self.features, self.kinds, self.depth, self.tight = saved
        return lines

    def errstate(self, budget):
        return [
            f"with np.errstate({self.rng.choice(STATES)}):",
            *self.indent(self.block(budget - 1)),
        ]
