"""Printing while a program runs."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..core import Builder, Value
from ..dtypes import bool_
from ..types import TensorType
from .host import HostCall

SLOT = "\0"  # where a value stands in a template
STREAMS = ("stdout", "stderr")  # of the process; all else is the name of a file


class Templated(HostCall, abstract=True):
    """The base of what shows values in a text: `template`, with a SLOT for each. The result means
    nothing."""

    values: tuple[Value, ...]
    template: str
    effect = True

    def infer(self) -> TensorType:
        if len(self.template.split(SLOT)) != len(self.values) + 1:
            raise self.error("as many places as values are needed", "value")
        return TensorType(bool_)

    def text(self, shown: Iterable[str]) -> str:
        """The template with the values in their places."""
        first, *rest = self.template.split(SLOT)
        return first + "".join(v + text for v, text in zip(shown, rest, strict=True))

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return (None,) * len(self.values)


class Print(Templated):
    """Writes its text to "stdout", "stderr", or a file (to which it is appended). At most
    `summarize` elements are shown at both ends of an axis, all where it is negative."""

    stream: str
    summarize: int

    def numpy(self, *values: np.ndarray) -> np.bool_:
        write(self.text(printed(v, self.summarize) for v in values), self.stream)
        return np.False_


def write(text: str, stream: str) -> None:
    """Write to "stdout", "stderr", or the end of the file of this name."""
    if stream in STREAMS:
        target = getattr(sys, stream)
        if target is None:  # as in programs without a console: Python's own print is silent, too
            return
        target.write(text)
        target.flush()
        return
    with open(stream, "a", encoding="utf-8") as file:
        file.write(text)


def printed(array: Any, summarize: int) -> str:
    """As `formatted`; a single string stands without quotes."""
    text = formatted(array, summarize)
    return text[1:-1] if isinstance(np.asarray(array)[()], bytes) else text


def formatted(array: Any, summarize: int) -> str:
    """`[1 2 3 ... 8 9]`, as TensorFlow prints tensors: floats with six digits, no commas."""
    array = np.asarray(array)
    if not array.ndim:
        return _number(array[()])
    edge = len(array) if summarize < 0 else summarize
    hidden = len(array) > 2 * edge
    rows = [*array[:edge], *array[len(array) - edge :]] if hidden else list(array)
    parts = [formatted(row, summarize) for row in rows]
    if hidden:
        parts.insert(edge, "...")
    if array.ndim == 1:
        return f"[{' '.join(parts)}]"
    between = "\n" * (array.ndim - 1) + " "
    text = between.join(part.replace("\n", "\n ") for part in parts)
    return f"[{text}]"


def _number(x: Any) -> str:
    if isinstance(x, bytes):
        return f'"{x.decode(errors="backslashreplace")}"'
    if isinstance(x, bool | np.bool_):
        return "1" if x else "0"
    if np.issubdtype(type(x), np.complexfloating):
        return f"({x.real:g},{x.imag:g})"
    if np.issubdtype(type(x), np.integer):
        return str(x)
    # As many digits as are needed to read the same number back.
    text = str(np.float32(x)) if type(x) is not np.float64 else repr(float(x))
    return text.removesuffix(".0")
