"""Eager gradients: what a tape recorded is emitted again, differentiated, compiled as a whole, and
kept for the next time that the same ops are seen, on tensors of whatever sizes."""

from __future__ import annotations

import functools
from collections.abc import Collection
from typing import Any, TypeAlias

from tfc.ir.autodiff.reverse import as_rows, reverse
from tfc.ir.copying import instantiate, unbound_symbols
from tfc.ir.core import Builder, Function, Value
from tfc.ir.core import OpError as IrError
from tfc.ir.dtypes import INEXACT_NUMBERS, as_element_type
from tfc.ir.extent import Extent
from tfc.ir.passes import dce
from tfc.ir.types import TensorType

from ..core.context import context, settings
from ..core.tensor import Tensor
from ..dispatch import numerics
from ..dispatch.execution import compile_function
from ..dispatch.placed import Placed
from ..dispatch.primitive import (
    Known,
    Record,
    Sizes,
    apart,
    fixed_extents,
    generalise,
    retype,
    symbolic,
)
from .cotangents import Cotangent, Cotangents, accumulate, slices_of


class BackwardProgram:
    """The compiled gradient of a segment of records; itself something that tapes can record."""

    cuts = False
    stops = False

    def __init__(
        self,
        function: Function,
        slots: list[int],
        connected: list[int],
        sparse: list[bool],
        masked: list[int],
    ) -> None:
        self.function = function
        self.fixed = fixed_extents(function)
        self.slots = slots  # which forward tensors are its first arguments
        self.connected = connected  # which of the wanted tensors it gives cotangents of
        self.sparse = sparse  # for each of these whether that is (indices, rows)
        self.masked = masked  # which of the wanted tensors it gives masks of, too
        self.scalars = unbound_symbols(function)  # extents that no argument shows
        self.numbers = [int(name[1:]) for name in self.scalars]  # as the segment's table has them
        if context.inspect:
            from ..dispatch.nan_tracing import inspected

            function = inspected(function)
        profile = settings.timeline is not None
        compiled = functools.partial(
            compile_function, function, scalars=self.scalars, tuple_result=True, profile=profile
        )
        placed = Placed(compiled, function.name)
        self.call = placed if settings.accelerated else placed.entry()
        self.placed = placed

    def body(self, b: Builder, *operands: Any) -> Any:
        *values, sizes = operands
        extents = dict(zip(self.scalars, sizes, strict=True))
        return instantiate(self.function, b, values, extents)


# By id of a tensor: its cotangent, and where alone that is no strong zero. It holds as long as the
# tensor has this cotangent: of a sum of it and others nothing is known.
Masks: TypeAlias = "dict[int, tuple[Cotangent, Tensor]]"

programs: dict[Any, Any] = {}
_STATIC: Any = object()  # among the programs: there is one for each set of extents


def run_segment(
    records: list[Record],
    found: Cotangents,
    wanted: Collection[int],
    tracked: Collection[int],
    read: Collection[int] = (),
    masks: Masks | None = None,
) -> None:
    """Move the cotangents of what `records` made to what they were made from, and where there is
    more to come (`masks`) what is known of strong zeros among them."""
    live = _reached(records, found)
    if not live:
        return
    segment = Segment(live, found, wanted, tracked, read, masks)
    program = segment.program()
    tensors, seeds, goals = segment.tensors, segment.seeds, segment.goals
    arguments = [tensors[i] for i in program.slots] + [found[i][1] for i in seeds]
    arguments += segment.masks
    extents = list(segment.table)
    sizes = Sizes([extents[i] for i in program.numbers])
    call = program.placed if settings.accelerated else program.call
    if settings.timeline is None:
        results = call(*arguments, *sizes)
    else:
        results = settings.timeline.call(call, *arguments, *sizes)
    if settings.check_numerics:
        numerics.check("gradient", arguments, results)
    seen: Record | None = None
    for tape in context.tapes:
        if tape.wants(arguments):
            seen = seen or Record(program, (sizes,), arguments, results)
            tape.append(seen)
    for i in seeds:
        if i not in wanted:
            del found[i]
    given = iter(results)
    moved: dict[int, Cotangent] = {}
    for k, sparse in zip(program.connected, program.sparse, strict=True):
        i, g = goals[k], next(given)
        t = tensors[segment.slots[i]]
        if sparse:
            g = slices_of(t, g, next(given))
        if i in segment.seeds:
            found[i] = (t, g)  # what it had before is already in the sum
        else:
            accumulate(found, t, g)
        moved[i] = g
    for k, mask in zip(program.masked, given, strict=True):
        assert masks is not None
        masks[goals[k]] = (moved[goals[k]], mask)


def _adds(known: tuple[Tensor, Cotangent]) -> bool:
    """Whether a segment can go on from a cotangent: it is no rows, and has numbers."""
    tensor, cotangent = known
    return isinstance(cotangent, Tensor) and tensor._array.dtype.num in INEXACT_NUMBERS


def _reached(records: list[Record], found: Collection[int]) -> list[Record]:
    """The records that what has a cotangent comes from, in order."""
    needed = set(found)
    live = []
    for record in reversed(records):
        for t in record.outputs:
            if id(t) in needed:
                live.append(record)
                needed.update(map(id, record.inputs))
                break
    live.reverse()
    return live


class Segment:
    """Records between two custom gradients, with their tensors numbered in order of appearance:
    this structure is the key of the compiled program. This runs in every step: it is kept quick.
    """

    __slots__ = (
        "fixed",
        "goals",
        "key",
        "made",
        "marked",
        "masks",
        "read",
        "records",
        "seeds",
        "sized",
        "slots",
        "table",
        "tensors",
    )

    def __init__(
        self,
        records: list[Record],
        found: Cotangents,
        wanted: Collection[int],
        tracked: Collection[int],
        read: Collection[int],
        masks: Masks | None,
    ) -> None:
        slots: dict[int, int] = {}  # by id: the number of a tensor
        tensors: list[Tensor] = []
        made: set[int] = set()
        key: list[Any] = []
        fixed: set[int] = set()  # extents that no symbol stands for
        sized = False  # whether extents stand among the static arguments
        for record in records:
            for t in record.inputs:
                slot = slots.setdefault(id(t), len(tensors))
                if slot == len(tensors):
                    tensors.append(t)
                key.append(slot)
            for t in record.outputs:
                slots[id(t)] = len(tensors)
                tensors.append(t)
                made.add(id(t))
            key.append(record.primitive)
            key.append(len(record.outputs))
            if record.primitive.fixed:
                fixed.update(record.primitive.fixed)
            for s in record.static:
                sized = sized or type(s) is Sizes
                if type(s) is Known:
                    fixed.add(s)
                key.append((type(s), None if type(s) is Sizes else s))
        # Extents become symbols, by value; those that a traced function was compiled for stay.
        table: dict[int, int] = {}
        for t in tensors:
            array = t._array
            key.append(array.dtype.num)
            for d in array.shape:
                known = d < 2 or d in fixed
                key.append(d if known else -1 - table.setdefault(d, len(table)))
            key.append(None)
        self.records, self.tensors, self.slots, self.made = records, tensors, slots, made
        # Wanted are the sources, and inputs from before this segment that may lead to them.
        self.goals = [i for i in slots if i in wanted or (i in tracked and i not in made)]
        # What is made here has cotangents, and what is wanted may have some, to which it adds.
        here = made.union(self.goals)
        self.seeds = [i for i in slots if i in found and i in here and _adds(found[i])]
        self.read = read
        self.marked: list[int] | None = None  # which seeds have masks
        self.masks: list[Tensor] = []
        if masks is not None:
            own = [(k, masks[i]) for k, i in enumerate(self.seeds) if i in masks]
            own = [row for row in own if row[1][0] is found[self.seeds[row[0]]][1]]
            self.marked, self.masks = [k for k, _ in own], [mask for _, (_, mask) in own]
        self.key, self.fixed, self.table, self.sized = key, fixed, table, sized

    def program(self) -> BackwardProgram:
        """The compiled gradient, which is kept."""
        slots, table, fixed = self.slots, self.table, self.fixed
        full: tuple[Any, ...] = (
            *self.key,
            tuple([slots[i] for i in self.seeds]),
            tuple([(slots[i], i in self.read) for i in self.goals]),
            None if self.marked is None else tuple(self.marked),
        )
        if self.sized:
            for record in self.records:
                for s in record.static:
                    if type(s) is Sizes:
                        fixed.update(d for d in s if d not in table)
                        sizes = [d if d in fixed else -1 - table.get(d, -1 - d) for d in s]
                        full += (tuple(sizes),)
        if settings.timeline is not None:
            full = (*full, "profile")
        if context.inspect:
            full = (*full, "inspect", tuple(r.location for r in self.records))
        program = programs.get(full)
        if program is None:
            try:
                program = self.compile(fixed)
            except IrError:  # an extent that ops compute from others is not seen to be this symbol
                program = _STATIC
            programs[full] = program
        if program is _STATIC:
            full = (full, *table)
            program = programs.get(full)
            if program is None:
                program = programs[full] = self.compile(fixed | set(table))
        assert isinstance(program, BackwardProgram)
        return program

    def compile(self, fixed: Collection[int]) -> BackwardProgram:
        """Emit the recorded ops again, with symbols for extents, and differentiate them."""
        b = Builder("gradient")
        value: dict[int, Value] = {}
        tensor_of: dict[Value, int] = {}

        def shape_of(t: Tensor) -> tuple[Extent, ...]:
            return tuple([symbolic(d, self.table, fixed) for d in t._array.shape])

        for record in self.records:
            for t in record.inputs:
                if id(t) not in value:
                    given = Value(TensorType(as_element_type(t._array.dtype), shape_of(t)))
                    value[id(t)], tensor_of[given] = given, id(t)
            static = generalise(record.static, self.table, fixed)
            b.location = record.location
            operands = [value[id(t)] for t in record.inputs]
            results = apart(b, record.primitive.body(b, *operands, *static), operands)
            results = results if isinstance(results, tuple) else (results,)
            for t, v in zip(record.outputs, results, strict=True):
                # Elsewhere n + 1 may be m: equal numbers are one symbol, however they came about.
                value[id(t)] = retype(b, v, shape_of(t))
                tensor_of[v] = tensor_of[value[id(t)]] = id(t)
        backward, residuals, connected = reverse(
            "segment",
            b.body,
            [value[i] for i in self.seeds],
            [value[i] for i in self.goals],
            lambda v: v in tensor_of,
            masks=self.marked,
        )
        masked = [] if self.marked is None else backward.notes["masked"]
        reached = [k for k, used in enumerate(connected) if used]
        backward, sparse = _sparse(backward, [self.goals[k] in self.read for k in reached])
        needed = [self.slots[tensor_of[v]] for v in residuals]
        ends = [k for k, used in enumerate(masked) if used]
        return BackwardProgram(backward, needed, reached, sparse, ends)


def _sparse(f: Function, wanted: list[bool]) -> tuple[Function, list[bool]]:
    """`f` with (indices, rows) in the place of those wanted results that gathers alone made."""
    b = Builder(f.name)
    b.body = list(f.body)
    returns: list[Value] = []
    sparse: list[bool] = []
    for result, want in zip(f.returns, wanted, strict=False):
        rows = as_rows(b, result) if want else None
        sparse.append(rows is not None)
        returns += (result,) if rows is None else rows
    returns += f.returns[len(wanted) :]  # masks
    if not any(sparse):
        return f, sparse
    return dce(Function(f.name, f.params, tuple(b.body), tuple(returns), f.notes)), sparse
