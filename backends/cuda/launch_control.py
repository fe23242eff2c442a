"""Branches and loops over launches: predicates are read back, and the host decides.

Regions are bodies that get tables of buffers. Loops change which buffer stands where instead of
copying what they carry: by turns it is in the results and in their doubles. What a loop changes in
place stays where it is (see backends/cpu/launch_control.py, which does the same in native code).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from tfc.backends.llvm.arena_layout import bytes_of
from tfc.ir.core import Op, Value
from tfc.ir.extent import product
from tfc.ir.ops.control import Cond, Scan, While
from tfc.ir.ops.growing import GrowingWhile

from .driver import ALIGN
from .launch_steps import MADE, Allocating, Body, Run, Step, Table, number
from .memory import Block


def steps(body: Body, op: Op, sizes: Mapping[str, int]) -> Iterator[Step]:
    """The steps of control flow."""
    for slot, size in body.spare[op]:
        if size is not None:
            yield Allocating(slot, number(size, sizes), None)
    match op:
        case Cond():
            yield Choosing(body, op)
        case GrowingWhile():
            yield from _started(body, op, sizes)
            yield Growing(body, op, sizes)
        case While():
            yield from _started(body, op, sizes)
            yield Repeating(body, op, sizes)
        case Scan():
            yield from _started(body, op, sizes)
            yield Scanning(body, op, sizes)
        case _:
            raise NotImplementedError(op.mnemonic)


def _started(body: Body, op: While | Scan, sizes: Mapping[str, int]) -> Iterator[Step]:
    for i in sorted(body.layout.fixed[op]):
        yield from body.starting(op.results[i], op.init[i], sizes)


class Choosing:
    """One of two regions runs."""

    def __init__(self, body: Body, op: Cond) -> None:
        self.predicate = body.slot(op.predicate)
        self.regions = body.nested[op]
        self.arenas = [slot for slot, _ in body.spare[op]]
        self.slots = [body.slot(v) for v in (*op.args, *op.results)]

    def __call__(self, run: Run, table: Table) -> None:
        run.look()
        holds: np.ndarray[Any, Any] = np.empty(1, np.bool_)
        run.driver.download(table[self.predicate], holds)
        which = 0 if holds[0] else 1
        buffers = [table[slot] for slot in self.slots]
        self.regions[which].run(run, buffers, table[self.arenas[which]])


class _Carrying:
    """What both loops do: who is where."""

    def __init__(self, body: Body, op: While | Scan, sizes: Mapping[str, int]) -> None:
        self.regions = body.nested[op]
        self.arenas = [slot for slot, _ in body.spare[op]]
        fixed = body.layout.fixed[op]
        count = len(op.init)
        made = {i for i, v in enumerate(op.results) if body.layout.where.get(v) == MADE}
        self.moving = [i for i in range(count) if i not in fixed and i not in made]
        self.kept = {i: body.slot(op.results[i]) for i in fixed}
        self.first = [body.slot(op.init[i]) for i in self.moving]
        self.handed = body.layout.handed_on[op]
        second = self.arenas[len(self.regions) :]
        self.doubles = dict(zip(body.layout.doubled(op), second, strict=True))
        self.heirs = {source: i for i, source in self.handed.items()}
        self.places = {i: body.slot(op.results[i]) for i in self.moving}
        self.bytes = [number(bytes_of(op.results[i]), sizes) for i in self.moving]
        self.captured = [body.slot(v) for v in op.captured]
        self.count = count

    def carried(self, table: Table, current: Sequence[int]) -> Table:
        """The addresses of all that is carried; what moves is at `current`."""
        found = [0] * self.count
        for i, slot in self.kept.items():
            found[i] = table[slot]
        for i, address in zip(self.moving, current, strict=True):
            found[i] = address
        return found

    def following(self, table: Table, current: Sequence[int]) -> list[int]:
        """Where the next round's values go: see `swapping` in backends/cpu/launch_control.py."""
        at = dict(zip(self.moving, current, strict=True))
        found = {}
        for i in self.moving:
            if i in self.handed:
                found[i] = at[self.handed[i]]
                continue
            places, read = [table[self.places[i]], table[self.doubles[i]]], [at[i]]
            if i in self.heirs:
                places.insert(0, table[self.places[self.heirs[i]]])
                read.append(at[self.heirs[i]])
            found[i] = next((place for place in places if place not in read), places[-1])
        return [found[i] for i in self.moving]

    def settle(self, run: Run, table: Table, current: Sequence[int]) -> None:
        """Bring the last carried values to where the results are."""
        at = dict(zip(self.moving, current, strict=True))
        size = dict(zip(self.moving, self.bytes, strict=True))
        result = {i: table[slot] for i, slot in self.places.items()}
        for i, source in self.handed.items():  # make room for the other one
            if size[i] and at[i] == result[source]:
                run.driver.copy(result[i], at[i], size[i])
                at[i] = result[i]
        for i in sorted(at, key=lambda i: i in self.handed):
            if size[i] and at[i] != result[i]:
                run.driver.copy(result[i], at[i], size[i])


class Repeating(_Carrying):
    """While the condition holds, the body runs."""

    def __call__(self, run: Run, table: Table) -> None:
        condition, body = self.regions
        captured = [table[slot] for slot in self.captured]
        current = [table[slot] for slot in self.first]
        while True:
            given = [*self.carried(table, current), *captured]
            condition.run(run, [*given, run.device.flag], table[self.arenas[0]])
            if not run.flag():
                break
            after = self.following(table, current)
            body.run(run, [*given, *self.carried(table, after)], table[self.arenas[1]])
            current = after
        self.settle(run, table, current)


class Growing(_Carrying):
    """A loop whose carried values change their sizes, or that keeps what each round gives: memory
    of each round's own, put together in the end."""

    def __init__(self, body: Body, op: GrowingWhile, sizes: Mapping[str, int]) -> None:
        super().__init__(body, op, sizes)
        self.op = op
        n = self.count
        self.inside = [str(s) for s in op.inside]
        self.bound = [str(s) for s in op.bound]
        self.bound_slots = [body.slot(v) for v in op.results[n : n + len(op.bound)]]
        self.slots = [body.slot(v) for v in op.results]
        self.starts = [body.slot(v) for v in op.init]
        self.varying = [i for i in range(n) if i not in self.kept and i not in self.moving]
        self.begin = [0] * len(self.inside)
        for (i, axis), k in op.varying().items():
            self.begin[k] = number(op.init[i].shape[axis], sizes)
        self.rows = op.rows
        self.ragged = op.ragged

    def __call__(self, run: Run, table: Table) -> None:
        condition, body = self.regions
        captured = [table[slot] for slot in self.captured]
        current = [table[slot] for slot in self.first]
        grown: dict[int, Any] = {i: None for i in self.varying}  # the blocks, from a round on
        rows: list[list[tuple[Block, int]]] = [[] for _ in self.rows]  # and their bytes
        outer = {s: run.sizes[s] for s in self.inside if s in run.sizes}
        run.sizes.update(zip(self.inside, self.begin, strict=True))
        rounds = 0
        while True:
            given = self.carried(table, current)
            for i, block in grown.items():
                given[i] = table[self.starts[i]] if block is None else block.address
            condition.run(run, [*given, *captured, run.device.flag], table[self.arenas[0]])
            if not run.flag():
                break
            after = self.following(table, current)
            told: Table = self.carried(table, after)
            own: list[Block | None] = []
            for k, v in enumerate(self.rows):
                size = 0 if k in self.ragged else number(bytes_of(v), run.sizes)
                own.append(None if k in self.ragged else run.device.pool.allocate(size))
            told += [0 if block is None else block.address for block in own]
            made = body.run(run, [*given, *captured, *told], table[self.arenas[1]])
            extents = [number(e, run.sizes) for e in body.layout.extents]
            lengths = iter(extents[len(self.inside) :])
            for k, (v, block) in enumerate(zip(self.rows, own, strict=True)):
                kept = made[self.count + k] if block is None else block
                count = next(lengths) if block is None else number(v.tensor_type.size, run.sizes)
                rows[k].append((kept, count * int(v.dtype.itemsize)))
            grown = {i: made[i] for i in self.varying}
            run.sizes.update(zip(self.inside, extents, strict=False))
            current, rounds = after, rounds + 1
        self._end(run, table, current, grown, rows, rounds)
        for s in self.inside:
            del run.sizes[s]
        run.sizes.update(outer)

    def _end(
        self,
        run: Run,
        table: Table,
        current: Sequence[int],
        grown: Mapping[int, Block | None],
        rows: Sequence[Sequence[tuple[Block, int]]],
        rounds: int,
    ) -> None:
        """Put the results together, and bind what the loop has found out."""
        self.settle(run, table, current)
        for i, block in grown.items():
            size = number(bytes_of(self.op.body.params[i]), run.sizes)
            if block is None:  # no round has made it
                block = run.device.pool.allocate(size)
                if size:
                    run.driver.copy(block.address, table[self.starts[i]], size)
            run.keep.append(block)
            table[self.slots[i]] = block.address
        first = self.count + len(self.bound)
        for k, row in enumerate(rows):
            whole = run.allocate(sum(size for _, size in row))
            table[self.slots[first + k]] = whole.address
            at = whole.address
            for block, size in row:
                if size:
                    run.driver.copy(at, block.address, size)
                at += size
        values = [run.sizes[s] for s in self.inside] + [rounds]
        for k in self.ragged:
            item = int(self.rows[k].dtype.itemsize)
            values.append(sum(size for _, size in rows[k]) // item)
        for slot, name, value in zip(self.bound_slots, self.bound, values, strict=True):
            run.sizes[name] = value
            run.driver.upload(table[slot], np.array([value], np.int64))


class Scanning(_Carrying):
    """The body runs for each slice."""

    def __init__(self, body: Body, op: Scan, sizes: Mapping[str, int]) -> None:
        super().__init__(body, op, sizes)
        self.rounds = number(op.count, sizes)
        self.reverse = op.reverse
        stacked = op.results[self.count :]
        self.taken = [(body.slot(v), _slice(v, sizes)) for v in op.xs]
        self.made = [(body.slot(v), _slice(v, sizes)) for v in stacked]

    def __call__(self, run: Run, table: Table) -> None:
        if self.rounds <= 0:
            self.settle(run, table, [table[slot] for slot in self.first])
            return
        captured = [table[slot] for slot in self.captured]
        current = [table[slot] for slot in self.first]
        places = _numbers(run, self.rounds)
        for i in reversed(range(self.rounds)) if self.reverse else range(self.rounds):
            after = self.following(table, current)
            self.regions[0].run(
                run,
                [
                    places + ALIGN * i,
                    *self.carried(table, current),
                    *[table[slot] + i * size for slot, size in self.taken],
                    *captured,
                    *self.carried(table, after),
                    *[table[slot] + i * size for slot, size in self.made],
                ],
                table[self.arenas[0]],
            )
            current = after
        self.settle(run, table, current)


def _slice(v: Value, sizes: Mapping[str, int]) -> int:
    """The bytes of a slice along the first axis."""
    return number(product(v.shape[1:]) * int(v.dtype.itemsize), sizes)


def _numbers(run: Run, count: int) -> int:
    """The address of 0, 1, ..., each aligned as kernels want it."""
    numbers = np.zeros((count, ALIGN // 8), np.int64)
    numbers[:, 0] = np.arange(count)
    address = run.allocate(numbers.nbytes).address
    run.driver.upload(address, numbers)
    return address
