"""Arrays for generated programs: all layouts, and numbers from the edges of their types.

Programs import this, so that making an array is no code of theirs.
"""

from __future__ import annotations

from random import Random

import numpy as np

# NaNs have no bits of their own here, only a sign, which fuzz.observe does not look at: where both
# operands of `+` or `*` are NaNs, either may be the result.
FLOATS = [float("nan"), float("inf"), -float("inf"), 1e308, -1e308, 3e38, 5e-324, 1e-308, 1e-45, -0.0,
          2.0**53, 2.0**63, 1e19, 1.5]  # fmt: skip
EDGES = (0, 0, 0, 0.01, 0.05, 0.4)  # share of such numbers, by the seed


def numbers(dtype: np.dtype, count: int, seed: int) -> np.ndarray:
    rng = Random(seed)
    rate = EDGES[seed % len(EDGES)]
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        edges = [info.min, info.max, info.max - 1, info.min + 1, info.max // 2 + 1]
        usual = range(max(-20, info.min), 20)
    else:
        edges = FLOATS
        usual = [k / 2 for k in range(-20, 20)]
    values = [rng.choice(edges if rng.random() < rate else usual) for _ in range(count)]
    with np.errstate(all="ignore"):
        result = np.array(values, dtype)
        if dtype.kind == "c":
            result.imag = values[::-1]
    return result


def array(dtype: str, shape: tuple[int, ...], layout: str = "C", seed: int = 0) -> np.ndarray:
    """An array of this shape in one of the layouts below."""
    kind = np.dtype(dtype)
    wide = tuple(2 * n + 2 for n in shape)
    base = numbers(kind, int(np.prod(wide)), seed)
    flat = base[: int(np.prod(shape))].copy()
    if layout == "F":
        return flat.reshape(shape, order="F")
    if layout == "step":
        return base.reshape(wide)[tuple(slice(1, 2 * n + 1, 2) for n in shape)]
    if layout == "back":
        return flat.reshape(shape)[tuple(slice(None, None, -1) for _ in shape)]
    if layout == "part":
        return base.reshape(wide)[tuple(slice(1, n + 1) for n in shape)]
    if layout == "over":  # neighbours on each axis share elements
        return np.lib.stride_tricks.as_strided(base, shape, (kind.itemsize,) * len(shape))
    if layout == "same":  # one element for all of the first axis
        strides = (0, *flat.reshape(shape).strides[1:])
        return np.lib.stride_tricks.as_strided(base, shape, strides)
    if layout == "raw":  # not aligned
        memory = bytearray(b"\0" + flat.tobytes())
        return np.frombuffer(memory, kind, len(flat), 1).reshape(shape)
    if layout == "swapped":
        return flat.astype(kind.newbyteorder()).reshape(shape)
    result = flat.reshape(shape)
    result.setflags(write=layout != "locked")
    return result
