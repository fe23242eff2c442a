"""Whether two results are the same."""

from __future__ import annotations

from typing import Any

import numpy as np

# Of a value: what libraries may round otherwise. Numbers below the normal ones count as 0.
RELATIVE = {"float64": 1e-11, "complex128": 1e-11, "float32": 2e-5, "complex64": 2e-5}
SHORT = {"float16": 2e-3, "bfloat16": 2e-2}
LEAST = {"float64": 1e-300, "complex128": 1e-300}


def difference(ours: Any, theirs: Any, scaled: bool = False) -> str | None:
    """What is another, in words, or None. `scaled`: numbers of one array are compared with the
    largest of them, too, as sums are that cancel."""
    if isinstance(ours, str) or isinstance(theirs, str):
        return None if _text(ours) == _text(theirs) else f"{_text(ours)} for {_text(theirs)}"
    if len(ours) != len(theirs):
        return f"{len(ours)} results for {len(theirs)}"
    for mine, other in zip(ours, theirs, strict=True):
        if mine is None or other is None:
            if mine is not other:
                return f"{_text([mine])} for {_text([other])}"
        elif mine.dtype != other.dtype:
            return f"{mine.dtype} for {other.dtype}"
        elif mine.shape != other.shape:
            return f"shape {mine.shape} for {other.shape}"
        elif not np.all(same := equal(mine, other, scaled)):
            place = tuple(int(i) for i in np.argwhere(~same)[0])
            return f"{mine[place]} for {other[place]} at {place}"
    return None


def equal(mine: np.ndarray, other: np.ndarray, scaled: bool) -> np.ndarray:
    """Where two arrays of one dtype and shape are the same."""
    name = str(mine.dtype)
    if name not in RELATIVE and name not in SHORT:
        return np.asarray(mine == other)
    if mine.dtype.kind == "c":
        parts = zip((mine.real, mine.imag), (other.real, other.imag), strict=True)
        re, im = (_near(a, b, name, scaled) for a, b in parts)
        return re & im
    return _near(mine, other, name, scaled)


def _near(mine: Any, other: Any, name: str, scaled: bool) -> np.ndarray:
    a, b = (np.asarray(v, np.float64) for v in (mine, other))
    tolerance = RELATIVE.get(name) or SHORT[name]
    if scaled:  # sums and factorisations, whose orders are others
        tolerance = max(tolerance, 1e-6 if name in LEAST else 3e-4)
    with np.errstate(all="ignore"):
        largest = np.max(np.abs(b), initial=0.0, where=np.isfinite(b)) if scaled else 0.0
        allowed = tolerance * np.maximum(np.abs(b), largest) + LEAST.get(name, 1e-35)
        near = np.abs(a - b) <= np.where(np.isfinite(b), allowed, 0)
        # What is left where terms cancel: one has nothing, the other a rounding error.
        residue = tolerance * 1e-2 * np.max(np.abs(b), initial=0.0, where=np.isfinite(b))
        near |= ((a == 0) | (b == 0)) & (np.abs(a - b) <= residue)
    return np.asarray(near | (a == b) | (np.isnan(a) & np.isnan(b)))


def _text(outcome: Any) -> str:
    if isinstance(outcome, str):
        return outcome
    return " ".join("None" if r is None else str(r.tolist()) for r in outcome)
