"""Elements of the values of a call: which of them a page has, and what each was computed from.

Where an op says by `operand_indices` where it reads, an element of its result leads to elements of
its operands, and from these on, through the rounds of loops too. Of other ops (products, gathers)
only what the operands are like can be shown. A page has a box at the beginning of each value: all
of it where it is small.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tfc.ir.axis_map import AxisMaps
from tfc.ir.core import Op, Value
from tfc.ir.extent import evaluate
from tfc.ir.ops.shape import Reshape

ELEMENTS_MAX = 48_000  # on a page, of all values of a function
BOX_MAX = 1024  # of one value
BOX_MIN = 8

Array = np.ndarray[Any, Any]
Path = tuple[int, int, Any]  # (result, or -1 for all; the operand's number; where it is read)


class Values:
    """Which numbers values have on a page, and what they are called."""

    def __init__(self) -> None:
        self._numbers: dict[Value, int] = {}
        self.names: list[str] = []

    def number(self, value: Value, name: str) -> int:
        """The number of a value, which may be new."""
        if value not in self._numbers:
            self._numbers[value] = len(self.names)
            self.names.append(name)
        return self._numbers[value]


@dataclass
class Elements:
    """The boxes of what each step of a call gave, and where the steps read."""

    values: Values = field(default_factory=Values)
    made: list[list[tuple[int, tuple[int, ...], Array]]] = field(default_factory=list)
    reads: list[list[Path]] = field(default_factory=list)

    def add(self, made: Sequence[tuple[int, Array]], reads: list[Path]) -> None:
        """A step that gave these values (a number and an array each)."""
        self.made.append([(number, array.shape, _box(array, BOX_MAX)) for number, array in made])
        self.reads.append(reads)

    def as_data(self) -> dict[str, Any]:
        """What a page's script needs, in as many elements as a page may have."""
        most = _fitting([box.size for step in self.made for _, _, box in step])
        paths: dict[tuple[Path, ...], int] = {}
        return {
            "names": self.values.names,
            "made": [
                [[number, shape, *_encoded(_box(box, most))] for number, shape, box in step]
                for step in self.made
            ],
            "reads": [paths.setdefault(tuple(reads), len(paths)) for reads in self.reads],
            "paths": [list(reads) for reads in paths],
        }


def paths(op: Op, numbers: Sequence[int], sizes: Mapping[str, int]) -> list[Path]:
    """Where an op reads its operands, which have these numbers."""
    found: list[Path] = []
    for number, maps in zip(numbers, op.operand_indices(), strict=True):
        if isinstance(op, Reshape):
            found.append((-1, number, "reshape"))
        else:
            found.append((-1, number, None if maps is None else _known(maps, sizes)))
    return found


def _known(maps: AxisMaps, sizes: Mapping[str, int]) -> Any:
    """The maps with the sizes of a call; "same" for those that change nothing."""
    if all(m.plain and m.axis == axis for axis, m in enumerate(maps)):
        return "same"
    return tuple(
        (
            m.axis,
            m.stride,
            evaluate(m.offset, sizes),
            m.step,
            None if m.inside is None else evaluate(m.inside, sizes),
        )
        for m in maps
    )


def _box(array: Array, most: int) -> Array:
    """A copy of the beginning of an array, of at most so many elements, as long along all axes."""
    if array.size <= most:
        return array.copy()
    extents = [1] * array.ndim
    while True:
        growing = [a for a in range(array.ndim) if extents[a] < array.shape[a]]
        axis = min(growing, key=lambda a: (extents[a], -a))
        wanted = min(array.shape[axis], 2 * extents[axis])
        others = math.prod(extents) // extents[axis]
        if others * wanted > most:
            wanted = most // others
            if wanted <= extents[axis]:
                break
        extents[axis] = wanted
    return array[tuple(map(slice, extents))].copy()


def _fitting(sizes: Sequence[int]) -> int:
    """How many elements boxes may have, that all together fit a page."""
    most = BOX_MAX
    while most > BOX_MIN and sum(min(size, most) for size in sizes) > ELEMENTS_MAX:
        most //= 2
    return most


def _encoded(box: Array) -> tuple[Any, ...]:
    """The extents of a box, how its elements are written, and these, in base64 or as words."""
    dtype = box.dtype
    kind = ""
    if dtype == np.bool_:
        kind, box = "b", box.astype(np.uint8)
    elif dtype == np.float64:
        kind = "d"
    elif dtype.kind == "f" or dtype.name == "bfloat16":
        kind, box = "f", box.astype(np.float32)
    elif dtype.kind in "iu" and (not box.size or -(2**31) <= box.min() <= box.max() < 2**31):
        kind, box = "i", box.astype(np.int32)
    if kind:
        data: Any = base64.b64encode(box.astype(box.dtype.newbyteorder("<")).tobytes()).decode()
    else:
        data = [word(x) for x in box.reshape(-1)]
    return list(box.shape), kind, data


def word(x: Any) -> str:
    """An element that is neither a truth value nor a number that fits a double."""
    if isinstance(x, np.integer):
        return str(int(x))
    return f"{complex(x):.6g}" if isinstance(x, np.complexfloating) else repr(x)[:60]


__all__ = ["Array", "Elements", "Path", "Values", "paths"]
