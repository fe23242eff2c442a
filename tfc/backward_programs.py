"""Eager gradients: what a tape recorded is emitted again, differentiated, compiled as a whole, and
kept for the next time that the same ops are seen, on tensors of whatever sizes."""

from __future__ import annotations

import functools
from collections.abc import Collection
from typing import Any

from tfc.ir.autodiff import as_rows, reverse
from tfc.ir.core import Builder, Function, Value, instantiate, unbound_symbols
from tfc.ir.core import OpError as IrError
from tfc.ir.dtypes import as_dtype
from tfc.ir.extent import Extent
from tfc.ir.passes import dce
from tfc.ir.types import TensorType

from . import numerics
from .context import context, settings
from .cotangents import accumulate, slices_of
from .dispatch import Record, Sizes, fixed_extents, generalise, retype, symbolic
from .placement import Placed


class BackwardProgram:
    """The compiled gradient of a segment of records; itself something that tapes can record."""

    cuts = False

    def __init__(
        self, function: Function, slots: list[int], connected: list[int], sparse: list[bool]
    ) -> None:
        from .execution import compile_function

        self.function = function
        self.fixed = fixed_extents(function)
        self.slots = slots  # which forward tensors are its first arguments
        self.connected = connected  # which of the wanted tensors it gives cotangents of
        self.sparse = sparse  # for each of these whether that is (indices, rows)
        self.scalars = unbound_symbols(function)  # extents that no argument shows
        if context.inspect:
            from .nan_tracing import inspected

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


programs: dict[Any, Any] = {}
_STATIC: Any = object()  # among the programs: there is one for each set of extents


def run_segment(
    records: list[Record],
    found: dict[int, Any],
    wanted: dict[int, Any],
    tracked: dict[int, Any],
    read: Collection[int] = (),
) -> None:
    """Move the cotangents of what `records` made to what they were made from."""
    needed = set(found)
    live = []
    for record in reversed(records):
        for t in record.outputs:
            if id(t) in needed:
                live.append(record)
                needed.update(map(id, record.inputs))
                break
    if not live:
        return
    live.reverse()
    # Number the tensors in order of appearance: the structure is the key of the compiled program.
    slots: dict[int, int] = {}
    tensors: list[Any] = []
    key: list[Any] = []
    made: set[int] = set()
    sized = False  # whether extents stand among the static arguments
    for record in live:
        for t in record.inputs:
            if id(t) not in slots:
                slots[id(t)] = len(tensors)
                tensors.append(t)
            key.append(slots[id(t)])
        for t in record.outputs:
            slots[id(t)] = len(tensors)
            tensors.append(t)
            made.add(id(t))
        key.append(record.primitive)
        key.append(len(record.outputs))
        for s in record.static:
            sized = sized or type(s) is Sizes
            key.append((type(s), None if type(s) is Sizes else s))
    seeds = [i for i in made if i in found]
    # Wanted are the sources, and inputs from before this segment that may lead to them.
    goals = [i for i in slots if i in wanted or (i in tracked and i not in made)]
    # Extents become symbols, by value; those that a traced function was compiled for stay.
    fixed: set[int] = set()
    for record in live:
        fixed.update(record.primitive.fixed)
    table: dict[int, int] = {}
    for t in tensors:
        array = t._array
        key.append(array.dtype.num)
        key.append(
            tuple(
                [
                    d if d in (0, 1) or d in fixed else -1 - table.setdefault(d, len(table))
                    for d in array.shape
                ]
            )
        )
    full: tuple[Any, ...] = (
        tuple(key),
        tuple(slots[i] for i in seeds),
        tuple(slots[i] for i in goals),
        tuple(i in read for i in goals),
    )
    if sized:
        for record in live:
            for s in record.static:
                if type(s) is Sizes:
                    fixed.update(d for d in s if d not in table)
                    full += (tuple([d if d in fixed else -1 - table.get(d, -1 - d) for d in s]),)
    if settings.timeline is not None:
        full = (*full, "profile")
    if context.inspect:
        full = (*full, "inspect", tuple(r.location for r in live))
    program = programs.get(full)
    if program is None:
        try:
            program = _compile_segment(live, tensors, slots, seeds, goals, table, fixed, read)
        except IrError:  # an extent that ops compute from others is not seen to be this symbol
            program = _STATIC
        programs[full] = program
    if program is _STATIC:
        full = (full, *table)
        program = programs.get(full)
        if program is None:
            program = programs[full] = _compile_segment(
                live, tensors, slots, seeds, goals, table, fixed | set(table), read
            )
    arguments = [tensors[i] for i in program.slots] + [found[i][1] for i in seeds]
    extents = list(table)
    sizes = Sizes([extents[int(name[1:])] for name in program.scalars])
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
    for k, sparse in zip(program.connected, program.sparse, strict=True):
        i, g = goals[k], next(given)
        if sparse:
            g = slices_of(tensors[slots[i]], g, next(given))
        if i in found and i in made:
            found[i] = (found[i][0], g)  # its own seed is already in the sum
        else:
            accumulate(found, tensors[slots[i]], g)


def _compile_segment(
    records: list[Record],
    tensors: list[Any],
    slots: dict[int, int],
    seeds: list[int],
    goals: list[int],
    table: dict[int, int],
    fixed: set[int],
    read: Collection[int],
) -> BackwardProgram:
    """Emit the recorded ops again, with symbols for extents, and differentiate them."""
    b = Builder("gradient")
    value: dict[int, Value] = {}
    tensor_of: dict[Value, int] = {}

    def shape_of(t: Any) -> tuple[Extent, ...]:
        return tuple([symbolic(d, table, fixed) for d in t._array.shape])

    for record in records:
        for t in record.inputs:
            if id(t) not in value:
                given = Value(TensorType(as_dtype(t._array.dtype), shape_of(t)))
                value[id(t)], tensor_of[given] = given, id(t)
        static = generalise(record.static, table, fixed)
        b.location = record.location
        results = record.primitive.body(b, *(value[id(t)] for t in record.inputs), *static)
        results = results if isinstance(results, tuple) else (results,)
        for t, v in zip(record.outputs, results, strict=True):
            # Elsewhere n + 1 may be m: equal numbers are one symbol, however they came about.
            value[id(t)] = retype(b, v, shape_of(t))
            tensor_of[v] = tensor_of[value[id(t)]] = id(t)
    backward, residuals, connected = reverse(
        "segment",
        b.body,
        [value[i] for i in seeds],
        [value[i] for i in goals],
        lambda v: v in tensor_of,
    )
    reached = [k for k, used in enumerate(connected) if used]
    backward, sparse = _sparse(backward, [goals[k] in read for k in reached])
    return BackwardProgram(backward, [slots[tensor_of[v]] for v in residuals], reached, sparse)


def _sparse(f: Function, wanted: list[bool]) -> tuple[Function, list[bool]]:
    """`f` with (indices, rows) in the place of those wanted results that gathers alone made."""
    b = Builder(f.name)
    b.body = list(f.body)
    returns: list[Value] = []
    sparse: list[bool] = []
    for result, want in zip(f.returns, wanted, strict=True):
        rows = as_rows(b, result) if want else None
        sparse.append(rows is not None)
        returns += (result,) if rows is None else rows
    if not any(sparse):
        return f, sparse
    return dce(Function(f.name, f.params, tuple(b.body), tuple(returns), f.notes)), sparse
