"""How elements are pulled by ops that say by `operand_indices` where they read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..algebra import Term
from ..axis_map import AxisMap, AxisMaps
from ..core import Op, Value
from ..extent import Extent, never_negative

if TYPE_CHECKING:
    from ..element_builder import ElementBuilder, Index


class IndexMap(Op, abstract=True):
    """The base of ops whose elements are those of their operand, at other indices."""

    x: Value

    def at(self, lower: ElementBuilder, index: Index) -> Value:
        (maps,) = self.operand_indices()
        return pulled(lower, self.x, maps, index)[0].value


def pulled(
    lower: ElementBuilder, x: Value, maps: AxisMaps | None, index: Index
) -> tuple[Term, Term | None]:
    """The element of operand `x` that an op reads, as `maps` say, for its own element at `index`;
    and whether the operand has it (None: surely). Nothing is loaded where it has not."""
    assert maps is not None, "the op does not tell where it reads this operand"
    source, inside = places(lower, maps, index)
    if inside is None:
        return lower.index(lower.element(x, source)), None
    with lower.where(inside.value):
        element = lower.element(x, source)
    return lower.index(element), inside


def places(lower: ElementBuilder, maps: AxisMaps, index: Index) -> tuple[Index, Term | None]:
    """The index at which an operand is read, and whether it has an element there (None: surely)."""
    source: list[Value] = []
    inside: Term | None = None
    for m in maps:
        if m.axis is None:
            source.append(lower.extent(m.offset))
            continue
        i = lower.index(index[m.axis])
        if m.inside is not None:
            for bound in _bounds(lower, m, m.inside, i):
                inside = _both(inside, bound)
        place = _moved(lower, m, i)
        if m.step != 1:
            inside = _both(inside, (place % m.step).equal(0))
            place = place // m.step
        source.append(place.value)
    return tuple(source), inside


def _both(condition: Term | None, other: Term) -> Term:
    return other if condition is None else (condition & other)


def _bounds(lower: ElementBuilder, m: AxisMap, inside: Extent, i: Term) -> list[Term]:
    """That the place is in [0, inside), said of the index: where neighbours are loaded together,
    the index is a vector anyway, and of the place only the first is wanted."""
    assert m.stride == 1, "what is read in steps lies inside"
    first, stop = -m.offset, inside * m.step - m.offset
    low, high = (lower.index(lower.extent(e)) for e in (first, stop))
    return [i >= low, i < high]


def _moved(lower: ElementBuilder, m: AxisMap, i: Term) -> Term:
    """stride * i + offset."""
    if m.stride == -1:
        return lower.index(lower.extent(m.offset)) - i
    if m.stride != 1:
        i = i * m.stride
    if m.offset == 0:
        return i
    if never_negative(-m.offset):
        return i - lower.index(lower.extent(-m.offset))
    return i + lower.index(lower.extent(m.offset))
