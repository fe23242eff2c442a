"""Where the values of a function of launches live: inputs, results, scratch memory.

Scratch memory is one arena, shared by values that do not live at the same time. What has an
extent that only data tell (see tfc.ir.ops.extents) has memory of its own, allocated and freed
while the program runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tfc.ir.core import Function, Op, Value
from tfc.ir.extent import Extent, ceildiv, product, symbols
from tfc.ir.ops.control import Cond, Control, Scan, While
from tfc.ir.ops.extents import BindExtent
from tfc.ir.ops.kernel import LAUNCHES, HostLaunch

from .entry import RELEASE_WORK

ALIGN = 64  # bytes; of buffers in the arena

Place = tuple[str, Any]  # ("buffer", index), ("arena", offset) or ("heap", bytes)


def bytes_of(v: Value) -> Extent:
    """The memory that a tensor takes."""
    return product(v.shape) * int(v.dtype.itemsize)


def late_symbols(f: Function) -> Iterator[str]:
    """The symbols that are bound while `f` or one of its regions runs."""
    for op in f.body:
        if isinstance(op, BindExtent):
            yield str(op.symbol)
        elif isinstance(op, Control):
            for region in op.regions:
                yield from late_symbols(region)


class Layout:
    """The places of a function's values.

    The results of a compiled function may share memory with its inputs (`aliases`); those of a
    region (then `region` is true) never do.
    """

    def __init__(self, f: Function, region: bool = False) -> None:
        self.f = f
        self.root: dict[Value, Value] = {}  # a view, and the value whose memory it shows
        self.where: dict[Value, Place] = {}
        self.aliases: dict[int, int] = {}
        self.copies: list[tuple[int, Value]] = []
        self.regions: dict[Op, list[Layout]] = {}
        self.scratch: dict[Op, list[Place]] = {}  # of control flow: its regions' arenas, then
        self.arena: Extent = 0  # the second buffer of each carried value
        self.work: Extent = 0
        self.late = {str(op.symbol) for op in f.body if isinstance(op, BindExtent)}
        self._free: dict[Extent, list[Extent]] = {}
        for i, p in enumerate(f.params):
            self.where[p] = ("buffer", i)
        for op in f.body:
            if not isinstance(op, (*LAUNCHES, BindExtent)):
                self.root[op.result] = self.base(op.operands[0])
        for i, v in enumerate(f.returns):
            base = self.base(v)
            if base not in self.where:
                self.where[base] = ("buffer", len(f.params) + i)
            elif base.op is None and not region:
                self.aliases[i] = f.params.index(base)
            else:
                self.copies.append((i, base))
        self._plan()

    def base(self, v: Value) -> Value:
        """The value whose memory `v` shows."""
        return self.root.get(v, v)

    def _plan(self) -> None:
        last: dict[Value, int] = {}
        for i, op in enumerate(self.f.body):
            for v in (*op.operands, *op.results):
                last[self.base(v)] = i
        ending: dict[int, list[Value]] = {}
        for v, i in last.items():
            ending.setdefault(i, []).append(v)
        own: set[Value] = set()
        for i, op in enumerate(self.f.body):
            if isinstance(op, LAUNCHES):
                self._work(op)
                for v in op.results:
                    if v not in self.where:
                        self.where[v] = self._take(bytes_of(v))
                        own.add(v)
                if isinstance(op, Control):
                    self._nested(op)
            for v in ending.get(i, ()):
                if v in own:
                    self._give(self.where[v], bytes_of(v))

    def _nested(self, op: Control) -> None:
        self.regions[op] = [Layout(region, region=True) for region in op.regions]
        sizes = [layout.arena for layout in self.regions[op]]
        if isinstance(op, While | Scan):
            sizes += [bytes_of(v) for v in op.results[: len(op.init)]]
        shared = isinstance(op, Cond) and all(isinstance(size, int) for size in sizes)
        if shared:  # of two branches, one runs
            sizes = [max(sizes)]  # type: ignore[type-var]
        places = [self._take(size) for size in sizes]
        for place, size in zip(places, sizes, strict=True):
            self._give(place, size)
        self.scratch[op] = places * 2 if shared else places

    def _take(self, size: Extent) -> Place:
        size = ceildiv(size, ALIGN) * ALIGN
        if not self.late.isdisjoint(symbols(size)):
            return "heap", size
        kept = self._free.get(size)
        if kept:
            return "arena", kept.pop()
        offset, self.arena = self.arena, self.arena + size
        return "arena", offset

    def _give(self, place: Place, size: Extent) -> None:
        if place[0] == "arena":
            self._free.setdefault(ceildiv(size, ALIGN) * ALIGN, []).append(place[1])

    def _work(self, op: Op) -> None:
        """Add up roughly how many bytes are touched; what may take long, or wants the interpreter
        lock for itself, counts as much."""
        if isinstance(op, HostLaunch | Control):
            self.work = self.work + (RELEASE_WORK + 1)
        for v in (*op.operands, *op.results):
            size = bytes_of(v)
            if self.late.isdisjoint(symbols(size)):
                self.work = self.work + size
