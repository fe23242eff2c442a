"""The cases of all public functions (tests/cases) on either library: as they are, in float32, and
with whole numbers, which has ties and zeros; their values, and their gradients."""

from __future__ import annotations

import sys
from collections import Counter
from typing import Any

import numpy as np


def results(tf: Any) -> dict[tuple[str, str], Any]:
    """By case and way of evaluation what `tf` gives, as `programs.evaluate` has it."""
    sys.modules.setdefault("tfc", tf)  # what the cases import
    from tests.cases import CASES

    found: dict[tuple[str, str], Any] = {}
    counts: Counter[str] = Counter()
    for c in CASES:
        counts[c.name] += 1
        for kind in ("", " of float32", " of whole numbers"):
            arrays = [_changed(a, kind) for a in c.arrays]
            if kind and all(a is b for a, b in zip(arrays, c.arrays, strict=True)):
                continue
            name = f"case {c.name}-{counts[c.name]}{kind}"
            found[name, "value"] = _attempt(lambda v=arrays, c=c: _value(tf, c.call, v))
            if c.smooth:
                found[name, "first"] = _attempt(lambda v=arrays, c=c: _first(tf, c, v))
    return found


def _changed(a: np.ndarray, kind: str) -> np.ndarray:
    if not kind or a.dtype != np.float64:
        return a
    return a.astype(np.float32) if "float32" in kind else np.rint(a)


def _attempt(how: Any) -> Any:
    try:
        with np.errstate(all="ignore"):
            return [None if r is None else np.asarray(r) for r in how()]
    except Exception as error:  # what it is, is the result
        return type(error).__name__


def _value(tf: Any, call: Any, arrays: Any) -> list[Any]:
    return list(tf.nest.flatten(call(*map(tf.constant, arrays))))


def _first(tf: Any, c: Any, arrays: Any) -> list[Any]:
    operands = list(map(tf.constant, arrays))
    sources = [operands[i] for i in c.smooth]
    with tf.GradientTape() as tape:
        tape.watch(sources)
        given = [v for v in tf.nest.flatten(c.call(*operands)) if v.dtype.is_floating]
        # Weighed, so that no symmetry hides an error.
        targets = [v * tf.cast(weights(np.shape(v)), v.dtype) for v in given]
    return [
        tf.convert_to_tensor(g) if g is not None else None for g in tape.gradient(targets, sources)
    ]


def weights(shape: tuple[int, ...]) -> np.ndarray:
    return np.cos(np.arange(np.prod(shape, dtype=int), dtype=np.float64)).reshape(shape)
