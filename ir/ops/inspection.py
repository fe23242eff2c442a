"""Looking for where nan and infinity come from while a program runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..core import Builder, Value
from ..dtypes import bool_
from ..types import TensorType
from .host import HostCall


class NotFinite(ArithmeticError):
    """An op has made nan or infinity; `op` is its name."""

    def __init__(self, op: str, message: str) -> None:
        super().__init__(message)
        self.op = op


class Inspect(HostCall):
    """Raises NotFinite where the op that made `made` of `given` is where nan or infinity comes
    from. The result means nothing."""

    made: tuple[Value, ...]
    given: tuple[Value, ...]
    op: str
    backward: bool
    effect = True

    def infer(self) -> TensorType:
        return TensorType(bool_)

    def numpy(self, *arrays: np.ndarray) -> np.bool_:
        count = len(self.made)
        text = origin(self.op, arrays[:count], arrays[count:], self.backward)
        if text is not None:
            raise NotFinite(self.op, text)
        return np.False_

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return (None,) * len(self.operands)


def origin(
    op: str, made: Sequence[Any], given: Sequence[Any], backward: bool = False
) -> str | None:
    """What to say where an op is the first that has nan or infinity in what it made: nan that no
    operand had, or infinity of finite operands. Operands that had nan before any op ran come from
    outside, and are told too; infinity in them is taken to be meant."""
    had_nan = [_any(np.isnan, x) for x in given]
    for i, result in enumerate(made):
        if not _is_inexact(result):
            continue
        places = np.isnan(result)
        what = "nan"
        if not places.any():
            places = np.isinf(result)
            if not places.any() or any(had_nan) or any(_any(np.isinf, x) for x in given):
                continue
            what = "infinity"
        index = tuple(int(n) for n in np.argwhere(places)[0])
        where = "backward" if backward else "forward"
        value = np.asarray(result)[index]
        lines = [
            f"{op} gave {what} ({value!s}) at index {list(index)} of result {i}, "
            f"{where}; {int(places.sum())} of {places.size} elements are"
        ]
        for k, x in enumerate(given):
            lines.append(f"  operand {k}: {_shown(np.asarray(x), np.shape(result), index)}")
        if what == "nan" and any(had_nan):
            lines.append(f"  operand {had_nan.index(True)} had nan already: it came from outside")
        return "\n".join(lines)
    return None


def _is_inexact(x: np.ndarray) -> bool:
    kind = np.asarray(x).dtype
    return kind.kind in "fcV" and kind.names is None


def _any(test: Callable[[np.ndarray], np.ndarray], x: np.ndarray) -> bool:
    return _is_inexact(x) and bool(test(x).any())


def _shown(x: np.ndarray, shape: tuple[int, ...], index: tuple[int, ...]) -> str:
    """The element that went into the result at `index`, or what there is in all of x."""
    kind = f"{x.dtype.name}{list(x.shape)}"
    if x.shape == shape or not x.ndim:
        place = index if x.ndim else ()
        return f"{x[place]!s} ({kind}{f' at {list(place)}' if place else ''})"
    if not x.size or (x.dtype.kind not in "biuf" and not _is_inexact(x)):
        return kind
    if x.size <= 8:
        return f"{np.array2string(x, separator=', ').replace(chr(10), '')} ({kind})"
    finite = x[np.isfinite(x)] if _is_inexact(x) else x
    if not finite.size or np.iscomplexobj(x):
        return kind
    text = f"{kind}, from {finite.min()!s} to {finite.max()!s}"
    nans, infinities = int(_count(np.isnan, x)), int(_count(np.isinf, x))
    text += f", {nans} nan" if nans else ""
    return text + (f", {infinities} infinite" if infinities else "")


def _count(test: Callable[[np.ndarray], np.ndarray], x: np.ndarray) -> int:
    return int(test(x).sum()) if _is_inexact(x) else 0
