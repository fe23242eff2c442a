"""Loops that make TensorArrays grow: how large they become is counted before they run.

A buffer that changes its size is copied in each round. So a loop that writes to arrays of dynamic
size is traced twice: first with their sizes alone in their places and without effects, of which
only what the sizes depend on is kept; then with buffers of the sizes that were found. Where a size
depends on the elements themselves, it is traced once more, with buffers that do change theirs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfc.ir.core import Function, Op, Value
from tfc.ir.ops.control import Control
from tfc.ir.ops.python import PythonResult, PythonRun, PythonShape, PythonStart
from tfc.ir.passes import needed_params, without_effects

from ..core import nest
from ..dispatch.primitive import Sizes, measured
from ..dispatch.tracing import Trace, current
from ..ops.array.creation import zeros
from ..ops.array.joining import concat
from ..ops.array.shaping import reshape
from ..ops.extents import extents_of
from .array_elements import ArrayElements, Count, NeedsElements


def grown(state: tuple[Any, ...], attempt: Callable[[Any], Any]) -> tuple[Any, ...]:
    """The variables that a loop leaves: `attempt(state)` traces it on the variables `state`."""
    growing = [i for i, x in enumerate(state) if any(map(_grows, _arrays(x)))]
    if not growing:
        final: tuple[Any, ...] = attempt(state)
        return final
    trace = current()
    assert trace is not None
    counting = tuple(_mapped(x, _counting) for x in state)
    begun = len(trace.builder.body)
    outer, trace.sizes_only = trace.sizes_only, True
    try:
        found = attempt(counting)
        counts = {i: _arrays(found[i]) for i in growing}
        for i in growing:
            for before, after in zip(_arrays(counting[i]), counts[i], strict=True):
                if before._note is not None:
                    _check_reads(before._note, after._count)
    except NeedsElements:
        if outer:
            raise
        trace.sizes_only = False
        _drop(trace, begun)
        return _changing(state, counting, attempt)
    finally:
        trace.sizes_only = outer
    reserved = list(state)
    for i in growing:
        found_ones = iter(counts[i])
        notes = iter(_arrays(counting[i]))

        def reserve(
            array: ArrayElements, found: Any = found_ones, notes: Any = notes
        ) -> ArrayElements:
            return _reserved(array, next(found)._count, next(notes)._note)

        reserved[i] = _mapped(state[i], reserve)
    final = attempt(tuple(reserved))
    return tuple(
        _mapped(x, lambda a: a._copy(_length=None)) if i in growing else x
        for i, x in enumerate(final)
    )


def _drop(trace: Trace, begun: int) -> None:
    """Take back what was traced from this op on, but for what the trace remembers, and runs of
    Python functions: loops for sizes alone would look for runs that come later, or fail."""
    needed = trace.remembered()

    def kept(op: Op) -> bool:
        keeps = isinstance(op, PythonStart | PythonRun) or not needed.isdisjoint(op.results)
        if keeps:
            needed.update(op.operands)
        return keeps

    trace.builder.take_back(begun, kept)


def _changing(
    state: tuple[Any, ...], counting: tuple[Any, ...], attempt: Callable[[Any], Any]
) -> tuple[Any, ...]:
    """The variables that a loop leaves which changes the size of its arrays round by round."""
    notes = iter([array._note for x in counting for array in _arrays(x)])

    def begin(array: ArrayElements) -> ArrayElements:
        note = next(notes)
        if not _grows(array):
            return array
        array = array._in_buffer(note.shape if note is not None else None)
        return array if array._buffer is None else array._copy(_changes=True)

    final = attempt(tuple(_mapped(x, begin) for x in state))
    return tuple(_mapped(x, lambda a: a._copy(_changes=False)) for x in final)


def _arrays(x: Any) -> list[ArrayElements]:
    return [leaf for leaf in nest.flatten(x) if isinstance(leaf, ArrayElements)]


def _grows(array: ArrayElements) -> bool:
    fixed = array._length is not None or array._count is not None
    return array._dynamic and not fixed and not array._changes


def _mapped(x: Any, f: Callable[[ArrayElements], ArrayElements]) -> Any:
    if not _arrays(x):
        return x
    return nest.map_structure(lambda v: f(v) if isinstance(v, ArrayElements) else v, x)


def _counting(array: ArrayElements) -> ArrayElements:
    if not _grows(array):
        return array
    return array._copy(_count=array._long_size(), _note=Count(array._row_shape()))


def _reserved(array: ArrayElements, count: Any, note: Count | None) -> ArrayElements:
    """The array with a buffer for as many elements as were counted."""
    if not _grows(array):
        return array
    assert note is not None
    length = array._long_size()
    array = array._in_buffer(note.shape)
    size = measured(count)
    if array._buffer is None:
        return array  # nothing is ever written
    rest = extents_of(array._buffer)[1:]
    have = extents_of(array._buffer)[0]
    buffer = zeros(Sizes((size, *rest)), array._dtype)
    if have != 0:
        more = zeros(Sizes((size - have, *rest)), array._dtype)
        buffer = reshape(concat([array._buffer, more], 0), Sizes((size, *rest)))
    return array._copy(_buffer=buffer, _length=length)


def _check_reads(note: Count, count: Any) -> None:
    """Raise where a size depends on elements that only the loop itself computes."""
    value: Value = count._value
    if value.op is None or not isinstance(value.op, Control):
        return
    needed = _needed(value.op, {value.index})
    if any(isinstance(v.op, PythonResult | PythonShape) for v in needed):
        raise NeedsElements(
            "how long a loop makes a TensorArray depends on what Python functions return: give the "
            "array a size that is large enough",
            op="TensorArray.write",
        )
    for ghost, line in note.reads:
        if ghost in needed:
            raise NeedsElements(
                "how long a loop makes a TensorArray depends on elements that it reads from it: "
                "give the array a size that is large enough",
                op="TensorArray.read",
                location=line,
            )


def _needed(op: Control, results: set[int]) -> set[Value]:
    """The values inside of a loop or branch that its results with these numbers depend on."""
    found: set[Value] = set()
    for region, wanted in needed_params(op, results).items():
        found |= wanted
        _inside(region, found)
    return found


def _inside(region: Function, found: set[Value]) -> None:
    for op in region.body:
        if isinstance(op, Control) and not found.isdisjoint(op.results):
            found |= _needed(op, {r.index for r in op.results if r in found})


def sizes_only(op: Op) -> Op:
    """A loop as it is run for sizes alone."""
    regions = {name: without_effects(getattr(op, name)) for name in op.spec.regions}
    return op.replace(**regions)
