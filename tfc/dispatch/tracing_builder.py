"""The builder of a trace, which may learn while tracing that two unknown extents are the same."""

from __future__ import annotations

from collections.abc import Sequence
from types import FrameType

from tfc.ir.core import Builder, Location, Op, Value
from tfc.ir.dtypes import string
from tfc.ir.extent import Expr, Extent, substitute, symbols
from tfc.ir.ops import SameExtent
from tfc.ir.value_classes import NamedTuple

from ..core.assigned_names import assigned_names
from ..core.context import user_location
from .host_functions import on_host


class Join(NamedTuple):
    """Two extents that are taken to be equal since the op on this line."""

    a: Extent
    b: Extent
    location: Location | None


class Learnt(NamedTuple):
    """What was learnt of extents when the trace had so many ops: `a` is not negative, or `a` is
    `b`."""

    position: int
    a: Extent
    b: Extent | None


class TracingBuilder(Builder):
    """A builder that may learn, while tracing, that two unknown extents are the same.

    `requirements` are the extents that must not be negative when it runs, with the lines that they
    come from, and `joins` which extents were taken to be equal, and where. A region of another
    trace (`outer`) adds to those there.
    """

    def __init__(self, name: str, outer: TracingBuilder | None = None) -> None:
        super().__init__(name)
        self.outer = outer
        self._frame: FrameType | None = None  # of the user's, whose call emitted ops last
        self._call = -1  # the instruction there
        self._made: list[Value] = []  # by it, and called nothing otherwise
        self.equal: dict[str, Extent] = {}
        self.measured: set[str] = set() if outer is None else outer.measured  # depend on data
        self.requirements: dict[Extent, Location | None] = outer.requirements if outer else {}
        self.joins: list[Join] = outer.joins if outer else []
        # Where programs are made of parts of the trace: what each part needs.
        self.learnt: list[Learnt] | None = outer.learnt if outer else None

    def emit_all(self, op: Op) -> tuple[Value, ...]:
        if op.operands and any([v.dtype is string for v in op.operands]):
            found = on_host(self, op)
            if found is not None:
                return (found,)
        return super().emit_all(op)

    def name_values(
        self, values: Sequence[Value], frame: FrameType | None, primitive: str = ""
    ) -> None:
        """Let values that were just emitted be called what the user's code calls them. Where one
        call of the user's emits several, one after the other, the last one has its name; several
        names are given where there are as many values."""
        if frame is None:
            return
        if frame is not self._frame or frame.f_lasti != self._call:
            self._frame, self._call, self._made = frame, frame.f_lasti, []
        names = assigned_names(frame)
        for v in self._made if names else ():
            v.name = ""
        last = self.body[-len(values) :]
        self._made += [v for v in values if not v.name and v.op in last]
        made = self._made[-1:] if len(names) == 1 else self._made
        if len(made) == len(names):
            for v, name in zip(made, names, strict=True):
                v.name = name

    def let_go(self) -> None:
        """Hold on to nothing of the user's: nothing more is emitted."""
        self._frame, self._made = None, []

    def keep_apart(self) -> None:
        """Tell the traces around nothing that is learnt here: this one is thrown away."""
        self.measured, self.requirements, self.joins = {*self.measured}, {}, []
        self.learnt = None

    def require(self, extent: Extent) -> None:
        """Take `extent` not to be negative; the call checks it."""
        self.requirements.setdefault(extent, self.location or user_location())
        self._learn(extent, None)

    def _learn(self, a: Extent, b: Extent | None) -> None:
        if self.learnt is not None:
            outermost = self
            while outermost.outer is not None:
                outermost = outermost.outer
            self.learnt.append(Learnt(len(outermost.body), a, b))

    def unify(self, a: Extent, b: Extent) -> bool:
        """Take `a` and `b` to be equal from here on; the call checks it. False if they cannot."""
        self.joins.append(Join(a, b, self.location or user_location()))
        measured = self.measured & {*symbols(a), *symbols(b)}
        if self.outer is None and not measured:
            if self.equal:  # else an extent might become one that is made of itself
                known = extents_made_equal(self.equal)
                a, b = substitute(a, known), substitute(b, known)
            for x, y in ((b, a), (a, b)):
                if isinstance(x, Expr) and str(x).isidentifier() and str(x) not in symbols(y):
                    self.equal[str(x)] = y
                    self._learn(x, y)
                    return True
        difference = a - b
        if isinstance(difference, int):
            return difference == 0
        if measured:  # not to be known before the call
            self.emit_all(SameExtent(a, b))
            return True
        self.require(difference)
        self.require(-difference)
        return True


def extents_made_equal(equal: dict[str, Extent]) -> dict[str, Extent]:
    """Each symbol with the last one that it equals."""
    result = {}
    for name, extent in equal.items():
        seen = {name}
        while isinstance(extent, Expr) and str(extent) in equal and str(extent) not in seen:
            seen.add(str(extent))
            extent = equal[str(extent)]
        result[name] = extent
    for _ in range(len(result)):  # extents that are made of others that are equal to something
        further = {
            name: substitute(extent, {k: v for k, v in result.items() if k != name})
            for name, extent in result.items()
            if isinstance(extent, Expr) and not str(extent).isidentifier()
        }
        if all(result[name] == extent for name, extent in further.items()):
            break
        result |= further
    return result


__all__ = ["Join", "Learnt", "TracingBuilder", "extents_made_equal"]
