"""The programs of pyperformance that are Python all through and need no package and no network.

Left out: those that need packages or a port, `2to3` (its library left Python) and `python_startup` (it measures
another process).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Program:
    """`loops` gives about two seconds in CPython; `state` prints what the program throws away."""

    name: str
    loops: int
    args: tuple[str, ...] = ()
    state: str = ""
    script: str = ""  # the benchmark's own name, when it is not `name`


SCIMARK_STATE = """
G = Array2D(20, 20)
for y in range(20):
    for x in range(20):
        G[x, y] = x * y / 7.0
SOR_execute(1.25, G, 5, Array2D)
v = Random(7).RandomVector(64)
FFT_transform(64, v)
print(digest(list(G.data)), digest(list(v)), digest(MonteCarlo(1000)))
"""
COROUTINES_STATE = """
try:
    fibonacci(12).send(None)
except StopIteration as end:
    print(end.value)
"""
PATHLIB_STATE = """
import itertools
print(digest(list(itertools.islice(generate_filenames("/there", 50), 50))))
"""
BPE_STATE = """
ranks = bpe_train("the cat sat on the mat, the cat ate the rat", 262, r"\\w+|\\W+")
print(digest(ranks), bpe_encode(ranks, b"the fat cat"))
"""
BARNES_HUT_STATE = """
galaxy = create_deterministic_galaxy(20, 300, 300)
advance_system(galaxy, 0.5, 0.1, 800, 600)
print(digest([(p.position.x, p.position.y) if hasattr(p, "position") else vars(p) for p in galaxy]))
"""
LOGGING_STATE = "print(digest(stream.getvalue()), logger.level, len(logger.handlers))"
PICKLE_STATE = """
data = [pickle.dumps(value, options.protocol) for value in (DICT, TUPLE, DICT_GROUP, LIST, MICRO_DICT)]
print(digest(data), digest([pickle.loads(one) for one in data]))
"""
PURE = ("--pure-python",)

PROGRAMS = (
    Program("argparse", 2000, ("many_optionals",)),
    Program("argparse_subparsers", 100, ("subparsers",), script="argparse"),
    Program("async_generators", 4),
    Program("async_tree", 4, ("none",)),
    Program("async_tree_cpu_io_mixed", 2, ("cpu_io_mixed",), script="async_tree"),
    Program("async_tree_eager", 9, ("eager",), script="async_tree"),
    Program("async_tree_memoization", 3, ("memoization",), script="async_tree"),
    Program("barnes_hut", 2, state=BARNES_HUT_STATE),
    Program("base64", 1),
    Program("bpe_tokeniser", 1, state=BPE_STATE),
    Program("chaos", 12, ("--filename", "picture.ppm")),
    Program("comprehensions", 100000, state="print(digest(make_some_widgets()))"),
    Program("concurrent_imap", 100),
    Program("coroutines", 80, state=COROUTINES_STATE),
    Program("decimal_factorial", 8),
    Program("decimal_pi", 6),
    Program("deepcopy", 4500),
    Program("deltablue", 300),
    Program("fannkuch", 3),
    Program("float", 12),
    Program("gc_collect", 1000),
    Program("gc_traversal", 250, state="print(digest(create_recursive_containers(8)))"),
    Program("generators", 60, state="print(list(tree(range(7))))"),
    Program("go", 8),
    Program("hexiom", 150),
    Program("json_dumps", 180),
    Program("json_loads", 4000),
    Program("logging_format", 25000, ("format",), LOGGING_STATE, "logging"),
    Program("logging_silent", 1000000, ("silent",), LOGGING_STATE, "logging"),
    Program("logging_simple", 27000, ("simple",), LOGGING_STATE, "logging"),
    Program("mdp", 1, state="print(Battle().evaluate(0.192).hex())"),
    Program("meteor_contest", 20),
    Program("nbody", 12, state="print(SYSTEM, report_energy())"),
    Program("nqueens", 20),
    Program("pathlib", 150, state=PATHLIB_STATE),
    Program("pickle_pure_python", 280, (*PURE, "pickle"), PICKLE_STATE, "pickle"),
    Program("pidigits", 6),
    Program("pprint", 1),
    Program("pyflate", 4),
    Program("raytrace", 4, ("--filename", "picture.ppm")),
    Program("regex_compile", 14),
    Program("regex_dna", 7),
    Program("regex_effbot", 60),
    Program("regex_v8", 90),
    Program("richards", 25),
    Program("richards_super", 35),
    Program("scimark", 2, state=SCIMARK_STATE),
    Program("spectral_norm", 9, state="print(eval_AtA_times_u([1] * 50))"),
    Program("sqlite_synth", 700000),
    Program("telco", 220),
    Program("typing_runtime_protocols", 10000),
    Program("unpack_sequence", 120000),
    Program("unpickle_pure_python", 480, (*PURE, "unpickle"), PICKLE_STATE, "pickle"),
    Program("xml_etree", 5),
    Program("xml_etree_pure_python", 2, ("--no-accelerator",), script="xml_etree"),
)
