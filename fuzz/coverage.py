"""How much of a program really ran as machine code, as the compiler itself reports it."""

from __future__ import annotations

import re
import sys
import types
from collections import Counter

COUNTERS = ("slow_calls", "interpreted", "exits", "restarts", "invalidations")


def of(functions: list[types.FunctionType]) -> dict[str, int]:
    """Counts over the functions of one program; empty when Splice is not loaded."""
    splice = sys.modules.get("splice")
    if splice is None:
        return {}
    total: Counter[str] = Counter()
    for function in functions:
        total["functions"] += 1
        stats = splice.stats(function)
        total[f"state {stats['state']}"] += 1
        for name in COUNTERS:
            total[name] += stats[name]
        variants = stats["variants"]
        total["functions compiled"] += any(v["native"] for v in variants)
        total["lists without objects"] += splice.explain(function, "types").count("without objects")
        for variant in variants:
            total["variants native" if variant["native"] else "variants refused"] += 1
            if variant["native"]:
                total["hot loops"] += variant["hot_loops"]
                for place in variant["exits"]:
                    total[f"exit: {general(place['reason'])}"] += place["count"]
            else:
                total[f"refused: {general(variant['reason'])}"] += 1
    return {name: count for name, count in total.items() if count}


def compiler_errors(functions: list[types.FunctionType]) -> list[str]:
    """Reasons for not compiling that only a bug of the compiler gives: the IR is not well formed."""
    splice = sys.modules.get("splice")
    if splice is None:
        return []
    reasons = [
        v["reason"] for f in functions for v in splice.stats(f)["variants"] if not v["native"]
    ]
    return [
        reason
        for reason in reasons
        if re.search(r"\bblock \d+|lacks the symbol|no address", reason)
    ]


def general(reason: object) -> str:
    """A reason without the names of one program."""
    return re.sub(r"'[^']*'|\bf\d_\w+", "...", str(reason))
