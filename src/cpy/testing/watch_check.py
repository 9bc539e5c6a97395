"""Every way to change what is watched fires its token once; nothing else does."""

import gc

from probe import (
    epoch,
    fired,
    unwatch,
    watch_code,
    watch_count,
    watch_dict_key,
    watch_function,
    watch_type,
)

TOKEN = 16


def fires(watch, change, *, times=1):
    """`change` must fire what `watch` armed, exactly once, and bump the epoch."""
    watch(TOKEN)
    assert watch_count() >= 1
    before = epoch()
    change()
    got = fired()
    assert got == [TOKEN] * times, got
    assert epoch() > before
    change_again = fired()
    assert change_again == [] and watch_count() == 0
    unwatch(TOKEN)


def silent(watch, change):
    watch(TOKEN)
    before = epoch()
    change()
    assert fired() == [] and epoch() == before
    unwatch(TOKEN)
    assert watch_count() == 0


# --- dict keys
def namespace():
    d = {"x": 1, "y": 2}
    return d, lambda token: watch_dict_key(d, "x", token)


class Str(str):
    pass


class Equal:
    """Equal to "x" with its hash."""

    def __hash__(self):
        return hash("x")

    def __eq__(self, other):
        return other == "x"


for change in (
    lambda d: d.__setitem__("x", 5),
    lambda d: exec("x = 5", d),
    lambda d: exec("global x\nx = 7", d),
    lambda d: d.__delitem__("x"),
    lambda d: d.pop("x"),
    lambda d: d.update(x=3),
    lambda d: d.__ior__({"x": 3}),
    lambda d: d.clear(),
    lambda d: d.__setitem__("".join(["", "x"]), 5),
    lambda d: d.__setitem__(Str("x"), 5),
    lambda d: d.__setitem__(Equal(), 5),
):
    d, watch = namespace()
    fires(watch, lambda: change(d))
d, watch = namespace()
del d["x"]
fires(watch, lambda: d.setdefault("x", 1))
d, watch = namespace()
d.clear()
fires(watch, lambda: d.update({"z": 1}))  # into an empty dict: taken over as a whole
for change in (
    lambda d: d.__setitem__("y", 5),
    lambda d: d.__setitem__("z", 5),
    lambda d: d.pop("y"),
    lambda d: d.__setitem__("x", d["x"]),
    lambda d: d.get("x"),
):
    d, watch = namespace()
    silent(watch, lambda: change(d))
holder = [{"x": 1}]
fires(lambda token: watch_dict_key(holder[0], "x", token), holder.clear)
d = {}
fires(lambda token: watch_dict_key(d, None, token), lambda: d.__setitem__("anything", 1))
for bad in (5, [], type("D", (dict,), {})()):
    try:
        watch_dict_key(bad, "x", TOKEN)
        raise AssertionError("was accepted")
    except ValueError:
        pass

# Several tokens: only those of the key that changes; again after they were armed again.
d = {"x": 1, "y": 2}
for token in (16, 32):
    watch_dict_key(d, "x", token)
    watch_dict_key(d, "x", token)
watch_dict_key(d, "y", 48)
assert watch_count() == 3
d["x"] = 2
assert fired() == [16, 32]
d["x"] = 3
assert fired() == []
watch_dict_key(d, "x", 16)
d["y"] = d["x"] = 4
assert fired() == [16, 48]
assert watch_count() == 0


# --- functions
def make():
    def f(a=1, *, k=2):
        return a, k

    return f


def g():
    pass


for change in (
    lambda f: setattr(f, "__code__", g.__code__),
    lambda f: setattr(f, "__defaults__", (2,)),
    lambda f: setattr(f, "__kwdefaults__", {"k": 3}),
    lambda f: f.__kwdefaults__.__setitem__("k", 3),
    lambda f: f.__kwdefaults__.clear(),
    lambda f: delattr(f, "__defaults__"),
):
    f = make()
    fires(lambda token: watch_function(f, token), lambda: change(f))
f = make()
silent(lambda token: watch_function(f, token), lambda: setattr(f, "__name__", "other"))
silent(lambda token: watch_function(f, token), make)
fs = [make()]
fires(lambda token: watch_function(fs[0], token), fs.clear)


# --- types
class Base:
    a = 1


class Derived(Base):
    b = 2


for change in (
    lambda: setattr(Derived, "b", 3),
    lambda: setattr(Derived, "new", 3),
    lambda: setattr(Base, "a", 3),
    lambda: delattr(Derived, "new"),
    lambda: setattr(Derived, "__doc__", "d"),
    lambda: type.__setattr__(Derived, "b", 9),
):
    fires(lambda token: watch_type(Derived, token), change)
silent(lambda token: watch_type(Derived, token), lambda: setattr(Derived(), "b", 1))


# --- code
def outlived():
    return compile("1", "<x>", "eval")


codes = [outlived()]
fires(lambda token: watch_code(codes[0], token), codes.clear)


# --- a change while an exception is on its way keeps it
class Closer:
    def __exit__(self, *a):
        d["x"] = 100

    def __enter__(self):
        pass


watch_dict_key(d, "x", TOKEN)
try:
    with Closer():
        raise KeyError("kept")
except KeyError as e:
    assert e.args == ("kept",)
assert fired() == [TOKEN]
gc.collect()
assert watch_count() == 0
