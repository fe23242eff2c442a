"""Kernels that may write a result over an operand, which nobody reads any more.

What a kernel loads of the operand must not have been stored to before. That holds where

- an element is stored to the place that it was loaded from, in the same round of the same loops;
- or a row is loaded, and then the same row is stored (softmax: the maximum of a row comes first);
- or all is loaded before anything is stored.

No kernel stores to a place twice, unless it loads it in between: so rounds of the loops around have
places, or rows, of their own.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tfc.ir.attributes import attribute_key
from tfc.ir.core import Function, Value
from tfc.ir.kernel_op import KernelOp
from tfc.ir.kernels.ops import For, Grid, Reduce, Repeat
from tfc.ir.ops.elementwise import Add, Elementwise, Mul
from tfc.ir.ops.shape import Constant
from tfc.ir.value_classes import dataclass


@dataclass(frozen=True)
class Access:
    """A load or store: its offset, and in each of the regions around it the place that it is in."""

    offset: Value
    path: tuple[tuple[Function, int], ...]


class Accesses:
    """What a kernel does with its buffers."""

    def __init__(self, kernel: Function) -> None:
        self.loads: dict[Value, list[Access]] = {}
        self.stores: dict[Value, list[Access]] = {}
        self.other: set[Value] = set()  # buffers that are used in other ways
        self._bounds: dict[Value, Value] = {}  # indices that begin at 0, and where they end
        self._buffers = set(kernel.params)
        self._visit(kernel, (), True)

    def _visit(self, region: Function, around: tuple[Any, ...], once: bool) -> None:
        for number, op in enumerate(region.body):
            if isinstance(op, Elementwise):  # most ops, none of which touches a buffer
                continue
            path = (*around, (region, number))
            match op:
                case KernelOp() if op.hints:
                    continue
                case KernelOp() if op.single:
                    for buffer, offset in op.places(op.reads):
                        self.loads.setdefault(buffer, []).append(Access(offset, path))
                    for buffer, offset in op.places(op.writes):
                        self.stores.setdefault(buffer, []).append(Access(offset, path))
                case Grid():  # threads load in ways of their own
                    self.other |= self._buffers
                case For(low=Value(op=Constant(value=low)), high=high, body=body) if low == 0:
                    self._bounds[body.params[0]] = high
                case Reduce(count=count, body=body):
                    self._bounds[body.params[0]] = count
                case _:
                    self.other |= self._buffers.intersection(op.operands)
            if not once:
                self.other |= self._buffers.intersection(op.operands)
            for inner in op.regions:
                self._visit(inner, path, once and not isinstance(op, Repeat))

    def in_place(self, sources: Iterable[Value], target: Value) -> bool:
        """Whether `target` may be in the memory of `sources`, which are one."""
        if target in self.loads or target in self.other:
            return False
        stores = self.stores.get(target, ())
        for source in sources:
            if source in self.stores or source in self.other:
                return False
            for load in self.loads.get(source, ()):
                if not (
                    any(_same_element(load, store) for store in stores)
                    or all(self._before(load, store) for store in stores)
                ):
                    return False
        return True

    def _before(self, load: Access, store: Access) -> bool:
        """Whether nothing is loaded where the store has been."""
        pairs = zip(load.path, store.path, strict=False)
        depth = next(depth for depth, (a, b) in enumerate(pairs) if a != b)
        (region, place), (other, after) = load.path[depth], store.path[depth]
        if region is not other or place >= after:
            return False
        if depth == 0:  # the kernel itself: runs once
            return True
        steady = {p for around, _ in load.path[: depth + 1] for p in around.params}
        row = self._row(load.offset, steady)
        return row is not None and row == self._row(store.offset, steady)

    def _row(self, offset: Value, steady: set[Value]) -> Any:
        """What is equal for offsets in one row: those of row * n + k, where k goes from 0 to n and
        what the row depends on, `steady` params only, stays."""
        match offset.op:
            case Add(x=Value(op=Mul(x=row, y=n)), y=k) if k in self._bounds and k not in steady:
                length = _structure(n, steady)
                if length is not None and length == _structure(self._bounds[k], steady):
                    number = _structure(row, steady)
                    return None if number is None else (number, length)
        return None


def _same_element(load: Access, store: Access) -> bool:
    (region, first), (other, then) = load.path[-1], store.path[-1]
    return region is other and first < then and load.offset is store.offset


def _structure(value: Value, steady: set[Value]) -> Any:
    """Equal for values that are computed alike of `steady` params; None for others."""
    op = value.op
    if op is None:
        return value if value in steady else None
    parts = [_structure(v, steady) for v in op.operands]
    if op.regions or op.effect or any(part is None for part in parts):
        return None
    return type(op), tuple(map(attribute_key, op.attributes.values())), tuple(parts)
