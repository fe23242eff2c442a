"""Schedules of contractions with one row or one column: every element is read once.

`Lines` are products of a matrix and a vector; `Dot` is one of two vectors. The sums are those of
blocking.py: the lanes of vectors are columns, or rows, or (in `Dot`) blocks of k, never k itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ..core import Value
from ..extent import ceildiv, product
from ..ops.contraction import BLOCK
from ..ops.elementwise import Add
from ..ops.kernel import ChooseBuffer, For
from ..types import INDEX, TensorType, scalar_type

if TYPE_CHECKING:
    from .tiles import Tiles

Index = tuple[Value, ...]

WIDTH = 1024  # columns of a task: rows of so many are read one after another
UNROLL = 8  # rows that are added in one pass over the sums
PAD = 16


class Lines:
    """One row of left, or one column of right: a matrix times a vector."""

    def __init__(self, tiles: Tiles) -> None:
        self.t = tiles
        p = tiles.p
        zero = tiles.extent(0)
        self.row = p.m == 1  # then right is the matrix
        self.count = p.n if self.row else p.m
        if self.row:
            self.matrix: Callable[[Index, Value, Value], Value] = p.right
            self.vector: Callable[[Index, Value], Value] = lambda outer, k: p.left(outer, zero, k)
        else:
            self.matrix = lambda outer, k, j: p.left(outer, j, k)
            self.vector = lambda outer, k: p.right(outer, k, zero)
        self.along_k = p.right_turned if self.row else not p.left_turned

    def write(self) -> None:
        width = 2 * self.t.lanes if self.along_k else WIDTH
        t, lower = self.t, self.t.lower
        tasks = ceildiv(self.count, width)

        def task(number: Value) -> None:
            *outer, place = lower.unlinear(number, (*t.p.batch, tasks))
            j0 = t.mul(place, width)
            count = t.least(width, t.minus(t.extent(self.count), j0))
            totals, sums = t.local(width), t.local(width)
            zero = lower.b.constant(0, t.compute)

            def clear(j: Value) -> None:
                lower.store(totals, j, zero)

            def add(j: Value) -> None:
                total = lower.emit(Add(t.load(totals, j), t.load(sums, j)))
                lower.store(totals, j, total)

            def block(pc: Value) -> None:
                kc = t.block_length(pc)
                fill = self.rows if self.along_k else self.columns
                fill(tuple(outer), pc, kc, j0, count, sums, width)
                lower.loop(t.extent(0), count, add, "vector", step=2)

            def finish(j: Value) -> None:
                at = t.add(j0, j)
                index = (*outer, t.extent(0), at) if self.row else (*outer, at, t.extent(0))
                t.store_total(index, t.load(totals, j), last=True)

            lower.loop(t.extent(0), count, clear, "vector", step=2)
            t.steps(t.p.k, BLOCK, block)
            lower.loop(t.extent(0), count, finish, "vector", step=2)

        elements = product((*t.p.batch, self.count, t.p.k))
        work = elements * t.compute.itemsize // 16
        lower.parallel(product((*t.p.batch, tasks)), work, task)

    def columns(
        self, outer: Index, pc: Value, kc: Value, j0: Value, count: Value, sums: Value, _: int
    ) -> None:
        """The sums of a block, where neighbours in a row of the matrix lie side by side."""
        t, lower = self.t, self.t.lower
        zero = lower.b.constant(0, t.compute)

        def clear(j: Value) -> None:
            lower.store(sums, j, zero)

        def rows(k: Value, unroll: int) -> None:
            at = [t.add(t.add(pc, k), i) for i in range(unroll)]
            factors = [self.vector(outer, i) for i in at]

            def element(j: Value) -> None:
                total = t.load(sums, j)
                for i, x in zip(at, factors, strict=True):
                    total = t.fma(x, self.matrix(outer, i, t.add(j0, j)), total)
                lower.store(sums, j, total)

            lower.loop(t.extent(0), count, element, "vector", step=1)

        lower.loop(t.extent(0), count, clear, "vector", step=2)
        whole = t.mul(t.op("floor_div", kc, UNROLL), UNROLL)
        lower.loop(t.extent(0), whole, lambda k: rows(k, UNROLL), step=UNROLL)
        lower.loop(whole, kc, lambda k: rows(k, 1))

    def rows(
        self, outer: Index, pc: Value, kc: Value, j0: Value, count: Value, sums: Value, width: int
    ) -> None:
        """The sums of a block, where neighbours along k lie side by side: squares of the matrix
        are transposed first."""
        t, lower = self.t, self.t.lower
        panel = t.local(BLOCK * width)
        last = t.minus(t.extent(self.count), 1)

        strip, distance = t.local(width * (BLOCK + PAD)), t.extent(BLOCK + PAD)
        source, start = strip, t.extent(0)

        def copy() -> None:
            def line(j: Value) -> None:
                place, here = t.mul(j, BLOCK + PAD), t.least(t.add(j0, j), last)

                def element(k: Value) -> None:
                    x = self.matrix(outer, t.add(pc, k), here)
                    lower.store(strip, t.add(place, k), x)

                lower.loop(t.extent(0), kc, element, "vector", step=2)

            lower.loop(t.extent(0), t.extent(width), line)

        if t.p.lines is None:
            copy()
        else:  # whole squares need no copy
            whole = t.op("equal", t.op("floor_mod", kc, t.lanes), 0)
            whole = t.both(whole, t.op("equal", count, width))
            t.when(t.no(whole), copy)
            at = lower.linear((*outer, j0, pc), (*t.p.batch, self.count, t.p.k))
            source = lower.emit(ChooseBuffer(whole, lower.buffer(t.p.lines), strip))
            start = t.choose(whole, at, start)
            distance = t.choose(whole, t.extent(t.p.k), distance)
        t.turn(source, start, distance, panel, t.extent(0), kc, width)
        zero = lower.b.constant(0, t.compute)

        def lanes(j: Value) -> None:
            def step(params: Index) -> Sequence[Value]:
                k, total = params
                x = t.load(panel, t.add(j, t.mul(k, width)))
                return (t.fma(x, self.vector(outer, t.add(pc, k)), total),)

            body = lower.region("body", (INDEX, scalar_type(t.compute)), step)
            (total,) = lower.b.emit_all(For(t.extent(0), kc, (zero,), 1, "serial", body))
            lower.store(sums, j, total)

        lower.loop(t.extent(0), t.extent(width), lanes, "lanes", step=width)


class Dot:
    """One row times one column, longer than a block: the lanes are blocks."""

    def __init__(self, tiles: Tiles) -> None:
        self.t = tiles

    def write(self) -> None:
        t, lower = self.t, self.t.lower
        p, width = t.p, 2 * t.lanes
        blocks = ceildiv(p.k, BLOCK)
        groups = ceildiv(blocks, width)
        partial = lower.scratch(TensorType(t.compute, (*p.batch, groups * width)))
        zero, nothing = t.extent(0), lower.b.constant(0, t.compute)

        def squares(outer: Index, b0: Value, element: Callable[[Value], Value]) -> Value:
            strip, panel = t.local(width * (BLOCK + PAD)), t.local(BLOCK * width)

            def line(j: Value) -> None:
                first = t.mul(t.add(b0, j), BLOCK)
                length = t.op("maximum", t.least(BLOCK, t.minus(t.extent(p.k), first)), 0)
                place = t.mul(j, BLOCK + PAD)

                def copy(k: Value) -> None:
                    lower.store(strip, t.add(place, k), element(t.add(first, k)))

                def clear(k: Value) -> None:
                    lower.store(strip, t.add(place, k), nothing)

                lower.loop(zero, length, copy, "vector", step=2)
                lower.loop(length, t.extent(BLOCK), clear, "vector", step=1)

            lower.loop(zero, t.extent(width), line)

            distance = t.extent(BLOCK + PAD)
            t.turn(strip, zero, distance, panel, zero, t.extent(BLOCK), width)
            return panel

        def task(number: Value) -> None:
            *outer, group = lower.unlinear(number, (*p.batch, groups))
            b0 = t.mul(group, width)
            at = tuple(outer)
            x = squares(at, b0, lambda k: p.left(at, zero, k))
            y = squares(at, b0, lambda k: p.right(at, k, zero))
            start = lower.linear((*outer, b0), (*p.batch, groups * width))

            def lanes(j: Value) -> None:
                def step(params: Index) -> Sequence[Value]:
                    k, total = params
                    place = t.add(j, t.mul(k, width))
                    return (t.fma(t.load(x, place), t.load(y, place), total),)

                body = lower.region("body", (INDEX, scalar_type(t.compute)), step)
                end = t.extent(BLOCK)
                (total,) = lower.b.emit_all(For(zero, end, (nothing,), 1, "serial", body))
                lower.store(partial, t.add(start, j), total)

            lower.loop(zero, t.extent(width), lanes, "lanes", step=width)

        work = product((*p.batch, p.k)) * t.compute.itemsize // 8
        lower.parallel(product((*p.batch, groups)), work, task)

        def finish(outer: Index) -> None:
            start = lower.linear((*outer, zero), (*p.batch, groups * width))

            def step(params: Index) -> Sequence[Value]:
                b, total = params
                return (lower.emit(Add(total, t.load(partial, t.add(start, b)))),)

            body = lower.region("body", (INDEX, scalar_type(t.compute)), step)
            end = t.extent(blocks)
            (total,) = lower.b.emit_all(For(zero, end, (nothing,), 1, "serial", body))
            t.store_total((*outer, zero, zero), total, last=True)

        lower.nest(p.batch, finish, serial=len(p.batch))
