"""Runs one program of this folder: `_loader.py PROGRAM [REPORT]`.

Every function that the program defines at module level or in a class is put under splice.jit, except
those called `main`. With SPLICE_DISABLE=1 that does nothing, which gives the reference. Then each
entry of CALLS, `(function, *args)` or `(function, *args, {keywords})`, is made and shown, and `main`
is called. REPORT gets one line of JSON: the names of the functions that were native at some time.
"""

import json
import linecache
import struct
import sys
import traceback
import types
import warnings


def show(value):
    """A value with its exact type, floats by their bits."""
    if type(value) is float:
        return (
            f"float {value!r} {'' if value != value else struct.pack('>d', value).hex()}".rstrip()
        )
    if type(value) in (list, tuple):
        return f"{type(value).__name__} [{', '.join(map(show, value))}]"
    if type(value) is dict:
        return "dict {" + ", ".join(f"{show(k)}: {show(v)}" for k, v in value.items()) + "}"
    if type(value) is complex:
        return f"complex ({show(value.real)}, {show(value.imag)})"
    if type(value) is int and abs(value) > 10**30:
        return f"int {value:#x}"
    return f"{type(value).__name__} {value!r}"


def show_error(error):
    """The traceback as CPython prints it, without the frame of this file."""
    return "".join(
        traceback.format_exception(type(error), error, error.__traceback__.tb_next)
    ).rstrip()


class Watch:
    """Collects which functions are native."""

    def __init__(self):
        self.functions = []
        self.native = set()

    def add(self, value):
        if isinstance(value, (staticmethod, classmethod)):
            value = value.__func__
        if isinstance(value, types.FunctionType) and value.__name__ not in ("main", "<lambda>"):
            import splice

            splice.jit(value)
            self.functions.append(value)

    def look(self):
        import splice

        for function in self.functions:
            stats = splice.stats(function)
            # What was invalidated has been native.
            if stats["invalidations"] or any(v["native"] for v in stats["variants"]):
                self.native.add(function.__qualname__)


def load(path):
    """The module of a program, its functions under Splice."""
    import splice

    # What stays interpreted is the business of `# compiled:`, not of the output.
    warnings.filterwarnings("ignore", category=splice.NotCompiledWarning)
    with open(path, encoding="utf-8") as file:
        source = file.read()
    linecache.checkcache(path)
    module = types.ModuleType("__main__")
    module.__file__ = path
    sys.modules["__main__"] = module
    exec(compile(source, path, "exec"), module.__dict__)
    watch = Watch()
    module.__dict__["look"] = watch.look  # for programs that take functions back again in the end
    for value in list(module.__dict__.values()):
        if getattr(value, "__module__", None) != "__main__":
            continue
        watch.add(value)
        if isinstance(value, type):
            for inner in list(vars(value).values()):
                watch.add(inner)
    return module, watch


def call(entry):
    """Make one call and print what came of it."""
    function, *args = entry
    keywords = args.pop() if args and type(args[-1]) is dict else {}
    shown = ", ".join([*map(show, args), *(f"{k}={show(v)}" for k, v in keywords.items())])
    try:
        result = function(*args, **keywords)
    except Exception as error:
        print(f"{function.__name__}({shown}) raises\n{show_error(error)}")
    else:
        print(f"{function.__name__}({shown}) = {show(result)}")


def run(path, report):
    module, watch = load(path)
    for entry in module.__dict__.get("CALLS", ()):
        call(entry)
        watch.look()
    if "main" in module.__dict__:
        module.main()
    watch.look()
    if report:
        with open(report, "w", encoding="utf-8") as file:
            json.dump(sorted(watch.native), file)


if __name__ == "__main__":
    run(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None)
