"""Many elements that are made of tensors of different sizes: one after another in arrays.

Rows of ragged and sparse tensors are such elements: an array of all values, and where those of each
element begin and end. So a batch of them is a copy of two or three arrays, or none, and a program
that takes the arrays goes along the elements.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..core import blame
from ..core.specs import TensorSpec
from ..core.tensor import wrap
from ..ops.array.joining import stack
from ..ops.array.slicing import slice_
from ..ops.ragged.specs import RaggedTensorSpec
from ..ops.sparse.specs import SparseTensorSpec
from . import composites
from .elements import Chunk, Columns, Element, ElementSpec, row_spec, spec_of

Array = np.ndarray
_Reader = Callable[[Sequence[Any]], list[Any]]


class Part(NamedTuple):
    """One of the tensors that elements are made of, for many elements: that of element i is
    array[begins[i]:ends[i]]; where all have one shape, array[i], and there are no begins and ends.
    """

    array: Array
    begins: Array | None = None
    ends: Array | None = None

    def row(self, i: int) -> Any:
        """That of one element."""
        if self.begins is None or self.ends is None:
            return wrap(np.asarray(self.array[i, ...]))
        return wrap(self.array[self.begins[i] : self.ends[i]])

    def rows(self, which: Any) -> Part:
        """Those of some elements: a slice, a mask, or their places."""
        if self.begins is None or self.ends is None:
            return Part(self.array[which])
        return Part(self.array, self.begins[which], self.ends[which])

    @property
    def lengths(self) -> Array:
        """How long each is along its first axis."""
        if self.begins is None or self.ends is None:
            return np.full(len(self.array), self.array.shape[1], np.int64)
        lengths: Array = self.ends - self.begins
        return lengths

    def joined(self) -> Array:
        """All, one after another along their first axis."""
        array, begins, ends = self
        if begins is None or ends is None:
            return array.reshape(-1, *array.shape[2:])
        if not len(begins):
            return array[:0]
        if (begins[1:] == ends[:-1]).all():
            found: Array = array[begins[0] : ends[-1]]
            return found
        return array[_places(begins, ends - begins)]


def _places(begins: Array, lengths: Array) -> Array:
    """begins[0], begins[0] + 1, ... as many as lengths[0] says, then begins[1], and so on."""
    before = np.cumsum(lengths) - lengths
    places: Array = np.repeat(begins - before, lengths) + np.arange(lengths.sum())
    return places


class Packed(Chunk):
    """Elements whose tensors lie one after another in arrays."""

    def __init__(self, spec: ElementSpec, parts: Sequence[Part], count: int) -> None:
        self._spec, self.parts, self._count = spec, tuple(parts), count

    def __len__(self) -> int:
        return self._count

    def element(self, i: int) -> Element:
        return self._spec.put_together([part.row(i) for part in self.parts])

    def columns(self) -> Columns | None:
        return None

    def part(self, start: int, stop: int) -> Packed:
        count = max(0, min(stop, self._count) - start)
        return Packed(self._spec, [part.rows(slice(start, stop)) for part in self.parts], count)

    def kept(self, mask: Array) -> Packed:
        return self.rows(np.flatnonzero(mask))

    def rows(self, places: Array) -> Packed:
        """The elements at these places, in this order."""
        return Packed(self._spec, [part.rows(places) for part in self.parts], len(places))

    def inputs(self) -> list[Any]:
        """What a program takes for them, as `inputs_of` says."""
        return [wrap(np.ascontiguousarray(x)) for part in self.parts for x in part if x is not None]

    def batch(self, op: str) -> Element:
        """They along a new first axis."""
        rest = iter(self.parts)
        found = []
        for i, leaf in enumerate(self._spec.leaves):
            parts = [next(rest) for _ in composites.parts_of_spec(leaf) or ()]
            found.append(_batch(i, leaf, parts, self._count, op))
        return tuple(found)


def packed(chunk: Chunk, spec: ElementSpec) -> Packed | None:
    """The elements of a chunk one after another. None where their tensors differ in more than the
    first extent."""
    if isinstance(chunk, Packed):
        return chunk
    elements = [spec.parts_of(element) for element in chunk.elements()]
    found = []
    for part, tensors in zip(spec.parts, zip(*elements, strict=True), strict=True):
        arrays = [tensor._array for tensor in tensors]
        if is_fixed(part):
            found.append(Part(np.stack(arrays)))
        elif len({array.shape[1:] for array in arrays}) > 1:
            return None
        else:
            ends = np.cumsum([len(array) for array in arrays])
            found.append(Part(np.concatenate(arrays), np.r_[0, ends[:-1]], ends))
    return Packed(spec, found, len(elements))


def is_fixed(part: TensorSpec) -> bool:
    """Whether the tensors of a spec all have one shape."""
    return part.shape.is_fully_defined() or not part.shape.rank


def inputs_of(spec: ElementSpec) -> list[TensorSpec]:
    """The specs of what a program takes for many elements: for each part the array, and, where the
    sizes differ, where each begins and ends."""
    found = []
    for part in spec.parts:
        if is_fixed(part):
            found.append(TensorSpec([None, *part.shape], part.dtype))
        else:
            found.append(TensorSpec([None, *part.shape[1:]], part.dtype))
            found += [TensorSpec([None], "int64")] * 2
    return found


def slices(spec: ElementSpec, inputs: Sequence[Any]) -> tuple[tuple[Any, ...], _Reader]:
    """In a trace, what a loop over many elements goes along, for such inputs; and what makes the
    parts of an element of the slices there."""
    along: list[Any] = []
    arrays: list[Any] = []
    rest = iter(inputs)
    for part in spec.parts:
        array = next(rest)
        arrays.append(None if is_fixed(part) else array)
        if is_fixed(part):
            along.append(array)
        else:
            begins, ends = next(rest), next(rest)
            along += [begins, ends - begins]

    def read(rows: Sequence[Any]) -> list[Any]:
        found, own = [], iter(rows)
        for array, part in zip(arrays, spec.parts, strict=True):
            if array is None:
                found.append(next(own))
                continue
            others = part.shape.as_list()[1:]
            begin = [next(own), *[0 for _ in others]]
            size = [next(own), *[-1 if n is None else n for n in others]]
            found.append(slice_(array, begin, size))
        return found

    return tuple(along), read


def rows_of(leaves: Sequence[Any], specs: Sequence[Any], spec: ElementSpec) -> Packed:
    """The rows of leaves of these specs, which are elements of another one.

    Raises:
        InvalidArgumentError: If the leaves have different numbers of rows.
    """
    if not spec.traceable:  # sparse leaves whose rank is known now
        spec = ElementSpec([row_spec(spec_of(leaf)) for leaf in leaves], spec.structure)
    parts: list[Part] = []
    counts = set()
    for leaf, own, row in zip(leaves, specs, spec.leaves, strict=True):
        arrays = [tensor._array for tensor in composites.parts_of(own, leaf)]
        if arrays:
            count, found = _rows(arrays, own, composites.parts_of_spec(row) or [])
            counts.add(count)
            parts += found
    if len(counts) != 1:
        raise blame.invalid(
            f"Input element must have the same batch size in each component: {sorted(counts)}",
            "unbatch",
        )
    return Packed(spec, parts, counts.pop())


def _rows(arrays: list[Array], spec: Any, parts: list[TensorSpec]) -> tuple[int, list[Part]]:
    """How many rows there are in what a leaf of a spec is made of, and their parts."""
    if isinstance(spec, SparseTensorSpec):
        return _sparse_rows(*arrays)
    inside = composites.components(spec)
    if inside != [spec]:  # an extension type
        own, rows = iter(arrays), iter(parts)
        counts, made = set(), []
        for component in inside:
            taken = [next(own) for _ in composites.parts_of_spec(component) or ()]
            wanted = composites.parts_of_spec(composites.unbatched_spec(component)) or []
            n, some = _rows(taken, component, [next(rows) for _ in wanted])
            counts.add(n)
            made += some
        if len(counts) != 1:
            raise blame.invalid(
                f"the fields of {spec} have different numbers of rows: {sorted(counts)}", "unbatch"
            )
        return counts.pop(), made
    if isinstance(spec, RaggedTensorSpec) and spec.ragged_rank:
        count, found = len(arrays[1]) - 1, _ragged_rows(arrays[0], arrays[1:])
    else:
        count, found = len(arrays[0]), [Part(arrays[0])]
    return count, [_as_spec(p, s) for p, s in zip(found, parts, strict=True)]


def _as_spec(part: Part, spec: TensorSpec) -> Part:
    """With begins and ends where the spec does not say that all have one shape; else without."""
    if is_fixed(spec) == (part.begins is None):
        return part
    if part.begins is None:
        count, length = part.array.shape[:2]
        begins = np.arange(count) * length
        return Part(part.joined(), begins, begins + length)
    return Part(part.joined().reshape(len(part.begins), *spec.shape))


def _ragged_rows(values: Array, splits: list[Array]) -> list[Part]:
    """The values of each row, and its own splits, which begin with 0."""
    begins, ends = splits[0][:-1], splits[0][1:]
    found = []
    for own in splits[1:]:
        # Row i has ends[i] - begins[i] rows of its own, and one split more than that.
        lengths = ends - begins + 1
        after = np.cumsum(lengths)
        local = own[_places(begins, lengths)] - np.repeat(own[begins], lengths)
        found.append(Part(local, after - lengths, after))
        begins, ends = own[begins], own[ends]
    return [Part(values, begins, ends), *found]


def _sparse_rows(places: Array, values: Array, extents: Array) -> tuple[int, list[Part]]:
    count = int(extents[0])
    numbers = places[:, 0]
    if (np.diff(numbers) < 0).any():
        order = np.argsort(numbers, kind="stable")
        places, values, numbers = places[order], values[order], numbers[order]
    edges = np.searchsorted(numbers, np.arange(count + 1))
    shapes = np.tile(extents[1:], (count, 1))
    begins, ends = edges[:-1], edges[1:]
    return count, [
        Part(np.ascontiguousarray(places[:, 1:]), begins, ends),
        Part(values, begins, ends),
        Part(shapes),
    ]


# Batches.


def batched(chunk: Chunk, spec: ElementSpec, op: str) -> Element:
    """The elements of a chunk along a new first axis.

    Raises:
        InvalidArgumentError: If tensors differ in shape.
    """
    columns = chunk.columns() if spec.dense else None
    if columns is not None:
        return columns
    if spec.traceable and not spec.dense:
        whole = packed(chunk, spec)
        if whole is not None:
            return whole.batch(op)
    elements = chunk.elements()
    return tuple(
        [
            _stacked(i, leaf, [element[i] for element in elements], op)
            for i, leaf in enumerate(spec.leaves)
        ]
    )


def _batch(component: int, spec: Any, parts: list[Part], count: int, op: str) -> Any:
    """The leaves of a spec that are made of these parts along a new first axis."""
    if isinstance(spec, RaggedTensorSpec):
        values, *inner = parts
        rows = inner[0].lengths - 1 if inner else values.lengths
        splits = [np.r_[0, np.cumsum(rows)], *map(_joined_splits, inner)]
        kind = spec.row_splits_dtype.numpy
        tensors = [
            wrap(np.ascontiguousarray(values.joined())),
            *[wrap(s.astype(kind)) for s in splits],
        ]
        return composites.put_together(composites.batched_spec(spec, None), tensors)
    if isinstance(spec, SparseTensorSpec):
        places, values, extents = parts
        numbers = np.repeat(np.arange(count), places.lengths)
        indices = np.concatenate([numbers[:, None], places.joined()], 1)
        shape = np.r_[count, extents.joined().reshape(count, -1).max(0)]
        return composites.put_together(
            composites.batched_spec(spec, None),
            [wrap(x) for x in (indices, values.joined(), shape)],
        )
    if composites.is_none(spec):
        return None
    if not isinstance(spec, TensorSpec):  # an extension type
        rest, fields = iter(parts), []
        for own in composites.components(spec):
            taken = [next(rest) for _ in composites.parts_of_spec(own) or ()]
            fields.append(_batch(component, own, taken, count, op))
        return composites.decoded(composites.batched_spec(spec, None), fields)
    (part,) = parts
    if part.begins is None:
        return wrap(np.ascontiguousarray(part.array))
    return _stacked(component, spec, [part.row(i) for i in range(count)], op)


def _joined_splits(part: Part) -> Array:
    """The splits of ragged tensors one after another, for splits of which each begin with 0."""
    splits, lengths = part.joined(), part.lengths
    ends = np.cumsum(lengths)
    rows = splits[ends - 1]
    moved = splits + np.repeat(np.cumsum(rows) - rows, lengths)
    own = np.ones(len(splits), bool)
    own[ends - lengths] = False
    return np.r_[0, moved[own]]


def _stacked(component: int, spec: Any, leaves: list[Any], op: str) -> Any:
    """Leaves of a spec along a new first axis, one by one."""
    if composites.is_none(spec):
        return None
    if not isinstance(spec, TensorSpec):
        return composites.stacked(spec, leaves, op)
    first = leaves[0].shape
    for i, leaf in enumerate(leaves):
        if leaf.shape != first:
            raise blame.invalid(
                f"Cannot batch tensors with different shapes in component {component}. First "
                f"element had shape {first} and element {i} had shape {leaf.shape}.",
                op,
            )
    return stack(leaves)


__all__ = ["Packed", "batched", "inputs_of", "is_fixed", "packed", "rows_of", "slices"]
