"""Loads of a kernel whose values are used behind a store that may have changed their place.

    %x = load %a, %i        builders give an equal load's value once more, where it is asked for
    store %a, %j, %y        again: what has this text may have been meant to read what was
    %z = add %x, %x         stored, and reads what was there before

What is to be read again, and what is meant to be from before a store, is a `Reload`, which is never
merged with another. Followed is what one thread does; that buffers of two names may share memory is
not for kernels to know (see in_place.py of the backends).
"""

from __future__ import annotations

from collections.abc import Iterator

from .core import Function, Op, Value
from .kernel_op import KernelOp
from .offsets import Offsets
from .types import BufferType
from .value_classes import NamedTuple


class Place(NamedTuple):
    """Where memory is touched."""

    buffers: frozenset[Value]  # one of these
    offset: Value | None  # of the one element; None: anywhere


Stored = tuple[Place, Op]  # and by what


def stale_uses(kernel: Function, offsets: Offsets) -> Iterator[tuple[Op, Op, Op]]:
    """The ops that use what may have been changed since it was loaded, each with the load and the
    store. `offsets` knows the counters of all loops of the kernel."""
    finder = _Finder(kernel, offsets)
    if finder.written:
        yield from finder.region(kernel, {})


class _Finder:
    def __init__(self, kernel: Function, offsets: Offsets) -> None:
        self.offsets = offsets
        self.stored: dict[Op, list[Stored]] = {}  # by an op, and what is inside of it
        self.written: set[Value] = set()  # buffers that are stored to anywhere
        for op in kernel.body:
            for place, _ in self.stores(op):
                self.written |= place.buffers
        self.live: dict[Value, Op] = {}  # by what it gave: a load that a store may come after

    def stores(self, op: Op) -> list[Stored]:
        found = self.stored.get(op)
        if found is None:
            found = self.stored[op] = []
            if isinstance(op, KernelOp):
                for buffer, offset in op.places(op.writes):
                    found.append((_place(op, buffer, offset), op))
            for region in op.regions:
                for inner in region.body:
                    found += self.stores(inner)
        return found

    def region(self, f: Function, stale: dict[Value, Op]) -> Iterator[tuple[Op, Op, Op]]:
        """What is wrong in a region; `stale` are the values that a store came after, which it adds
        those to that the region stores after."""
        before = dict(self.live)
        for op in f.body:
            yield from self._used(op, op.operands, stale)
            stores = self.stores(op)
            if op.regions:
                yield from self._inside(op, stores, stale)
            self._mark(stores, stale)
            if self._may_be_changed(op):
                self.live.update(dict.fromkeys(op.results, op))
        if f.body:
            yield from self._used(f.body[-1], f.returns, stale)
        self.live = before

    def _may_be_changed(self, op: Op) -> bool:
        """Whether it is a plain load of what is stored to somewhere."""
        if not isinstance(op, KernelOp) or op.effect:
            return False
        return any(_memory(buffer) & self.written for buffer, _ in op.places(op.reads))

    def _inside(
        self, op: Op, stores: list[Stored], stale: dict[Value, Op]
    ) -> Iterator[tuple[Op, Op, Op]]:
        for region in op.regions:
            here = dict(stale)
            if region.params:  # a loop's, whose rounds come after the stores of others
                self._mark(stores, here)
            yield from self.region(region, here)

    def _used(
        self, op: Op, values: tuple[Value, ...], stale: dict[Value, Op]
    ) -> Iterator[tuple[Op, Op, Op]]:
        if stale:
            for v in values:
                if v in stale:
                    yield op, self.live[v], stale[v]

    def _mark(self, stores: list[Stored], stale: dict[Value, Op]) -> None:
        """Take what may have been stored over for stale."""
        if not stores or not self.live:
            return
        for v, load in self.live.items():
            if v in stale:
                continue
            assert isinstance(load, KernelOp)
            for buffer, offset in load.places(load.reads):
                place = _place(load, buffer, offset)
                store = next((by for where, by in stores if self._meet(place, where)), None)
                if store is not None:
                    stale[v] = store
                    break

    def _meet(self, x: Place, y: Place) -> bool:
        """Whether two places may be one."""
        if x.buffers.isdisjoint(y.buffers):
            return False
        return x.offset is None or y.offset is None or not self.offsets.apart(x.offset, y.offset)


def _place(op: KernelOp, buffer: Value, offset: Value) -> Place:
    shown = buffer.op is not None and bool(buffer.op.operands)  # in another way, or one of several
    return Place(_memory(buffer), offset if op.single and not shown else None)


def _memory(buffer: Value) -> frozenset[Value]:
    """The buffers that a buffer may be, or show the memory of."""
    if buffer.op is None or not buffer.op.operands:
        return frozenset([buffer])
    shown = [v for v in buffer.op.operands if isinstance(v.type, BufferType)]
    return frozenset().union(*map(_memory, shown))
