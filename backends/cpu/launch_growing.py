"""Loops whose sizes only running tells, as text LLVM IR: see tfc.ir.ops.growing.

What changes its size from round to round has memory of its own, which the body allocates and the
loop frees a round later. What rounds give is kept in blocks that grow by doubling. All of it is
noted in a table, so that it is freed where a check fails.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tfc.ir.core import Value
from tfc.ir.ops.growing import GrowingWhile

from ..llvm.arena_layout import bytes_of
from .launch_control import carried, phis, settle, swapping

if TYPE_CHECKING:
    from .launch_functions import FunctionWriter

FIRST_BLOCK_BYTES = 1024  # bytes of a block at least


class GrowingLoop:
    """Writes one loop."""

    def __init__(
        self, w: FunctionWriter, op: GrowingWhile, names: Sequence[str], scratch: Sequence[str]
    ) -> None:
        self.w, self.op, self.names, self.scratch = w, op, names, scratch
        self.count = len(op.init)
        varying = op.varying()
        self.changing = sorted({i for i, _ in varying})
        self.sizes = [place for place, _ in sorted(varying.items(), key=lambda item: item[1])]
        self.rows = op.rows
        self.ragged = op.ragged
        # The numbers of body's extents in its table, and of blocks in ours.
        self.reports = self.count + len(op.captured) + len(op.body.returns)
        self.first_row = len(self.changing)
        self.first_piece = self.first_row + len(self.rows)
        self.blocks = self.first_piece + len(self.ragged)

    def write(self) -> None:
        w, op, n = self.w, self.op, self.count
        captured = [("ptr", w.pointer(v)) for v in op.captured]
        moving, holders = carried(w, op)
        moving = [i for i in moving if i not in self.changing]
        first = {i: w.pointer(op.init[i]) for i in moving}
        steps = [self._bytes(v, k) for k, v in enumerate(self.rows)]
        self._start()
        flag = w.emit("alloca i8")
        condition = w.table([*holders, *captured, ("ptr", flag)])
        nothing = [("ptr", "")] * (len(self.rows) + len(self.sizes) + len(self.ragged))
        body = w.table([*holders, *captured, *holders, *nothing])
        head, inside, done = (w.fresh(x) for x in ("grow", "do", "done"))
        looks = w.patient()
        origin = w.block
        w.do(f"br label %{head}")
        w.label(head)
        place = len(w.lines)
        rounds, following = "%" + w.fresh("rounds"), "%" + w.fresh("next")
        current = {i: "%" + w.fresh("at") for i in moving}
        here = [self._block(k) for k in range(len(self.changing))]
        for i, pointer in (*current.items(), *zip(self.changing, here, strict=True)):
            w.put(condition, i, pointer)
            w.put(body, i, pointer)
        w.call(self.names[0], condition, self.scratch[0])
        holds = w.emit(f"icmp ne i8 {w.emit(f'load i8, ptr {flag}')}, 0")
        w.do(f"br i1 {holds}, label %{inside}, label %{done}")
        w.label(inside)
        after = swapping(w, op, moving, self.scratch[2:], current)
        for i, pointer in after.items():
            w.put(body, n + len(captured) + i, pointer)
        for k, step in enumerate(steps):
            if k not in self.ragged:
                used = w.emit(f"mul i64 {rounds}, {step}")
                row = self._room(k, used, step)
                w.put(body, n + len(captured) + n + k, row)
        w.call(self.names[1], body, self.scratch[1])
        self._take_over(body, n + len(captured))
        w.look_up(looks)
        w.do(f"{following} = add i64 {rounds}, 1")
        latch = w.block
        w.do(f"br label %{head}")
        row = f"  {rounds} = phi i64 [ 0, %{origin} ], [ {following}, %{latch} ]"
        w.lines.insert(place, row)
        phis(w, place, origin, latch, first, current, after)
        w.label(done)
        settle(w, op, current)
        self._finish(rounds)

    def _bytes(self, v: Value, k: int) -> str:
        """The memory of a row, or of an element of a ragged one."""
        return str(v.dtype.itemsize) if k in self.ragged else self.w.extent(bytes_of(v))

    def _start(self) -> None:
        """Make the tables, copy what changes its size, and note the sizes."""
        w, op = self.w, self.op
        self.table = w.table([("ptr", "null")] * self.blocks)
        self.room = w.table([("i64", "0")] * len(self.rows))  # bytes of each block
        self.used = w.table([("i64", "0")] * len(self.ragged))
        w.tables.append((self.table, self.blocks))
        for k, i in enumerate(self.changing):
            v = op.init[i]
            block = w.allocated(bytes_of(v))
            w.put(self.table, k, block)
            w.copy(block, w.pointer(v), v)
        for (i, axis), symbol in zip(self.sizes, op.inside, strict=True):
            w.set_symbol(str(symbol), w.extent(op.init[i].shape[axis]))

    def _block(self, k: int) -> str:
        """Block `k` of the table of what has been allocated."""
        return self._entry(self.table, k, "ptr")

    def _entry(self, table: str, k: int, kind: str = "i64") -> str:
        """What a table has at place `k`."""
        at = self.w.emit(f"getelementptr i64, ptr {table}, i64 {k}")
        return self.w.emit(f"load {kind}, ptr {at}")

    def _room(self, k: int, used: str, more: str) -> str:
        """A pointer behind `used` bytes of the block of row k, where there is room for `more`."""
        w = self.w
        room, wanted = self._entry(self.room, k), w.emit(f"add i64 {used}, {more}")
        full = w.emit(f"icmp ugt i64 {wanted}, {room}")
        grow, enough = w.fresh("double"), w.fresh("room")
        w.do(f"br i1 {full}, label %{grow}, label %{enough}")
        w.label(grow)
        double = w.emit(f"shl i64 {room}, 1")
        size = w.larger(w.larger(double, wanted), str(FIRST_BLOCK_BYTES))
        block, old = w.obtain(size), self._block(self.first_row + k)
        w.copy_bytes(block, old, used)
        w.drop(old)
        w.put(self.table, self.first_row + k, block)
        w.put(self.room, k, size, "i64")
        w.do(f"br label %{enough}")
        w.label(enough)
        block = self._block(self.first_row + k)
        return w.emit(f"getelementptr i8, ptr {block}, i64 {used}")

    def _take_over(self, body: str, results: int) -> None:
        """Keep what the body has allocated, and free what this replaces. Pieces are in the table
        from here until they are copied, so that a failure frees them."""
        w = self.w
        for k, i in enumerate(self.changing):
            new, old = self._entry(body, results + i, "ptr"), self._block(k)
            w.put(self.table, k, new)
            w.drop(old)
        pieces = [self._entry(body, results + self.count + k, "ptr") for k in self.ragged]
        for j, piece in enumerate(pieces):
            w.put(self.table, self.first_piece + j, piece)
        for j, symbol in enumerate(self.op.inside):
            w.store_symbol(str(symbol), self._entry(body, self.reports + j))
        for j, (k, piece) in enumerate(zip(self.ragged, pieces, strict=True)):
            number = self._entry(body, self.reports + len(self.sizes) + j)
            more = w.emit(f"mul i64 {number}, {self.rows[k].dtype.itemsize}")
            used = self._entry(self.used, j)
            to = self._room(k, used, more)
            w.copy_bytes(to, piece, more)
            w.put(self.used, j, w.emit(f"add i64 {used}, {more}"), "i64")
            w.put(self.table, self.first_piece + j, "null")
            w.drop(piece)

    def _finish(self, rounds: str) -> None:
        """Bind the symbols, and hand over the blocks."""
        w, op, n = self.w, self.op, self.count
        w.tables.pop()
        results = [*(op.results[i] for i in self.changing), *op.results[n + len(op.bound) :]]
        for k, v in enumerate(results):
            w.own(v, self._block(k))
        numbers = [w.symbol(str(s)) for s in op.inside]
        numbers.append(rounds)
        for j, k in enumerate(self.ragged):
            used = self._entry(self.used, j)
            numbers.append(w.emit(f"udiv i64 {used}, {self.rows[k].dtype.itemsize}"))
        for scalar, number in zip(op.results[n:], numbers, strict=False):
            w.do(f"store i64 {number}, ptr {w.pointer(scalar)}")
        for scalar, symbol in op.binds():
            w.set_symbol(str(symbol), numbers[scalar.index - n])
