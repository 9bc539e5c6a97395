"""Programs for frames_check.py: everything a frame can be in the middle of."""

PROGRAMS = {}


def program(name):
    def add(source):
        PROGRAMS[name] = source

    return add


program("operands")("""
def main():
    a = 5
    b = [1, 2.5, "x"]
    c = (a + b[0] * 3, {a: b, "k": (a, *b)}, f"{a!r:>5}{b}")
    d = b[1:] + [x * 2 for x in b if x]
    e = a if a > 3 else b
    f = a < b[1] < 10 or a and b
    del b[0]
    b[0], g = g2, *h = 7, 8, 9
    LOG(a, b, c, d, e, f, g, h)
    a += 1
    b.append(a)
    b[-1] *= 2
    return a, b, c, d, -a, not a, ~a
""")

program("loops")("""
def main():
    total = 0
    for i in range(4):
        for j in (1, 2, 3):
            if j == 2:
                continue
            total += i * j
            if total > 12:
                break
        else:
            LOG("else", i)
    while total > 0:
        total -= 7
        if total == 5:
            break
    else:
        LOG("while else")
    for k, (l, *m) in enumerate([(1, 2), (3, 4, 5)]):
        LOG(k, l, m)
    else:
        n = k
    return total, i, j, n
""")

program("calls")("""
def leaf(a, b=2, /, *args, c=3, **kwargs):
    v = (a, b, args, c, kwargs)
    a = None
    LOG(v)
    return v

def middle(x, y):
    first = leaf(x, y, 10, c=4, d=5)
    second = leaf(*[x, y], **{"e": y})
    third = leaf(x)
    return [first, (second, leaf(third[0], c=leaf(9)))]

class C:
    def __init__(self):
        self.v = 3
    def method(self, a, *, k=1):
        LOG(self.v, a, k)
        return self.other(a) + k
    def other(self, a):
        return self.v + a
    @staticmethod
    def static(a):
        return a * 2
    @classmethod
    def make(cls, a):
        return cls.static(a), cls.__name__

class D(C):
    def method(self, a, *, k=1):
        r = super().method(a, k=k + 1)
        return r + 100

def main():
    d = D()
    m = d.method
    r = [middle(1, 2), d.method(5), m(6, k=7), D.make(4), d.static(3)]
    s = (lambda q, w=2: leaf(q, w))(11)
    return r, s, [leaf(i) for i in range(2)]
""")

program("handlers")("""
def risky(n):
    if n % 3 == 0:
        raise ValueError(n)
    if n % 3 == 1:
        raise KeyError(n)
    return n

def one(n):
    try:
        r = risky(n)
    except ValueError as e:
        LOG("value", e.args)
        r = -1
        try:
            risky(1)
        except KeyError as inner:
            LOG("inner", inner.args, repr(inner.__context__))
    except KeyError:
        r = -2
        LOG("key")
    else:
        LOG("else")
    finally:
        LOG("finally")
    return r

def main():
    out = [one(n) for n in range(3)]
    for n in range(2):
        try:
            try:
                risky(n)
            finally:
                LOG("in finally", n)
                if n == 1:
                    continue
        except ValueError:
            pass
    try:
        raise ExceptionGroup("g", [ValueError(1), TypeError(2)])
    except* ValueError as g:
        out.append(len(g.exceptions))
    except* TypeError:
        out.append("t")
    return out
""")

program("with")("""
class Manager:
    def __init__(self, name, swallow=False):
        self.name, self.swallow = name, swallow
    def __enter__(self):
        LOG("enter", self.name)
        return self.name
    def __exit__(self, kind, value, tb):
        LOG("exit", self.name, kind, tb and tb.tb_lineno)
        return self.swallow

def body(n):
    with Manager("a") as a, Manager("b", n == 2) as b:
        LOG(a, b)
        if n == 1:
            return a + b
        if n == 2:
            raise RuntimeError(n)
        with Manager("c"):
            n += 1
    return n

def main():
    r = [body(n) for n in range(3)]
    for i in range(3):
        with Manager(i):
            if i == 1:
                break
    return r
""")

program("closures")("""
def make(start):
    count = start
    def bump(by=1):
        nonlocal count
        count += by
        LOG(count)
        return lambda: (count, start, by)
    def unbound():
        try:
            return later
        except NameError as e:
            return str(e)
    r = unbound()
    later = 4
    return bump, r, unbound

def main():
    bump, r, unbound = make(3)
    bump()
    seen = bump(by=5)
    bump()
    x = 1
    fs = []
    for i in range(3):
        fs.append(lambda i=i: (i, x))
    x = 2
    class Local:
        y = x
        def f(self):
            return __class__.__name__, x
    try:
        del x
        x
    except UnboundLocalError as e:
        LOG(str(e))
    return seen(), r, unbound(), [f.__defaults__ for f in fs], Local().f.__name__
""")

program("patterns")("""
def shape(v):
    match v:
        case {"kind": "point", "at": (x, y), **rest}:
            return "point", x, y, rest
        case [first, *others] if first:
            return "list", first, others
        case int(n) | float(n):
            return "number", n
        case str() as s:
            return s
        case None:
            return "none"
    return "?"

def main():
    values = [{"kind": "point", "at": (1, 2), "z": 3}, [1, 2, 3], [0], 4, 2.5, "s", None, (), b""]
    return [shape(v) for v in values]
""")

program("deaths")("""
def drop(a, b):
    LOG("in drop")
    a = None
    LOG("a dropped")
    b, c = Noisy("c"), b
    LOG("b rebound")
    del c
    return Noisy("result")

def main():
    x = Noisy("x")
    r = drop(Noisy("a"), Noisy("b"))
    LOG("back")
    r = drop(x, Noisy("b2"))
    del x
    LOG("x gone")
    [Noisy("element"), drop(1, 2)]
    LOG("end")
""")

program("uncaught")("""
def deepest(n):
    if n == 0:
        return (1 +
                LOG([1, 2, 3])[n +
                               5])
    return deepest(n - 1) + \\
        n

def main():
    a = Noisy("a")
    try:
        deepest(3)
    except IndexError as e:
        LOG("caught", [t.lineno for t in __import__("traceback").extract_tb(e.__traceback__)])
    b = {"k": deepest}
    return b["k"](2) * (lambda: b["missing"])()
""")

program("chained error")("""
def fail(e):
    raise e

def translate():
    try:
        fail(KeyError("first"))
    except KeyError as e:
        LOG("handling")
        fail(ValueError("second")) if e else None

def main():
    try:
        translate()
    finally:
        LOG("main finally")
        try:
            fail(OSError("third"))
        except OSError:
            pass
""")

# More than 255 constants and names: EXTENDED_ARG in front of many instructions.
_names = ", ".join(f"v{i}" for i in range(300))
program("long")(
    f"""
def callee({_names}, *, last):
    return v299 + last

def main():
    {_names} = {", ".join(str(i + 0.5) for i in range(300))}
    r = callee({_names}, last=v298 + 1000.25)
    for i in range(2):
        v299 += callee({_names}, last=v0)
"""
    + "".join(f"        v{i} = LOG(v{i}, {i})\n" for i in range(0, 300, 60))
    + """
    return r, v299
"""
)

program("recursion")("""
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)

def even(n):
    return True if n == 0 else odd(n - 1)

def odd(n):
    return False if n == 0 else even(n - 1)

def main():
    return fib(6), even(9), odd(9)
""")
