"""Where elements come from: tensors, ranges, generators."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tfc.ir.dtypes import as_dtype, int64, string

from ...core import blame, nest
from ...core.conversion import convert_to_tensor
from ...core.formatting import shown
from ...core.nest import Structure
from ...core.specs import TensorSpec
from ...core.tensor import wrap
from ...ops.array.conversion import cast
from ...ops.array.indexing import gather
from ...ops.ragged.specs import RaggedTensorSpec
from .. import composites
from ..elements import (
    NOTHING,
    Chunk,
    Columns,
    Element,
    ElementSpec,
    Loose,
    NoneTensorSpec,
    Stacked,
    element_of,
    row_spec,
    spec_of,
)
from ..nested import Unknown, is_symbolic
from ..packing import Packed, rows_of
from ..plan import INFINITE, Cursor, Given, Places, Plan, Run, places_tensor


class Tensors(Given):
    """One element."""

    kind = "Tensor"
    indexed = True

    def __init__(self, leaves: Element, structure: Structure) -> None:
        super().__init__()
        self._leaves = leaves
        self.spec = ElementSpec(map(spec_of, leaves), structure)

    @property
    def cardinality(self) -> int:
        return 1

    def element(self, place: int, run: Run) -> Element:
        return self._leaves


class Slices(Plan):
    """The rows of tensors."""

    kind = "TensorSlice"
    indexed = stackable = by_rows = True

    def __init__(self, columns: Columns, spec: ElementSpec) -> None:
        super().__init__()
        self.columns = columns
        self._arrays = [column._array for column in columns]
        self.spec = spec

    @property
    def cardinality(self) -> int:
        return len(self._arrays[0])

    def stacked_specs(self) -> list[TensorSpec]:
        return [TensorSpec([None], int64)]

    def stacked_inputs(self, places: Places, run: Run) -> list[Any]:
        return [places_tensor(places)]

    def stacked(self, inputs: Iterator[Any]) -> Columns:
        rows = next(inputs)
        return tuple([gather(column, rows) for column in self.columns])

    def single_specs(self) -> list[TensorSpec]:
        return [TensorSpec([], int64)]

    def single_inputs(self, place: int, run: Run) -> list[Any]:
        return [wrap(np.array(place, np.int64))]

    def single(self, inputs: Iterator[Any]) -> Element:
        row = next(inputs)
        return tuple([gather(column, row) for column in self.columns])

    def element(self, place: int, run: Run) -> Element:
        return tuple([wrap(np.asarray(array[place, ...])) for array in self._arrays])


class Held(Given):
    """Elements that are there: rows of ragged and sparse tensors, or what else has no columns."""

    kind = "TensorSlice"
    indexed = True

    def __init__(self, chunk: Chunk, spec: ElementSpec) -> None:
        super().__init__()
        self._chunk = chunk
        self.spec = spec

    @property
    def packs(self) -> bool:
        return isinstance(self._chunk, Packed)

    @property
    def cardinality(self) -> int:
        return len(self._chunk)

    def elements(self, places: Places, run: Run) -> Chunk:
        if isinstance(self._chunk, Packed):
            return self._chunk.rows(places)
        return Loose([self._chunk.element(int(place)) for place in places])

    def element(self, place: int, run: Run) -> Element:
        return self._chunk.element(place)


class Range(Plan):
    """Numbers at equal distances."""

    kind = "Range"
    indexed = stackable = by_rows = True

    def __init__(self, start: int, stop: int, step: int, dtype: Any) -> None:
        super().__init__()
        self._start, self._step, self._dtype = start, step, dtype
        self._count = max(0, -((start - stop) // step))
        self.spec = ElementSpec.of(TensorSpec([], dtype))

    @property
    def cardinality(self) -> int:
        return self._count

    def stacked_specs(self) -> list[TensorSpec]:
        return [TensorSpec([None], int64)]

    def stacked_inputs(self, places: Places, run: Run) -> list[Any]:
        return [wrap(self._start + places * self._step)]

    def stacked(self, inputs: Iterator[Any]) -> Columns:
        return (cast(next(inputs), self._dtype),)


class Counter(Range):
    """Numbers at equal distances, without an end."""

    kind = "Counter"

    def __init__(self, start: int, step: int, dtype: Any) -> None:
        super().__init__(start, start, step or 1, dtype)
        self._step = step

    @property
    def cardinality(self) -> int:
        return INFINITE


class Generator(Plan):
    """What a Python generator yields."""

    kind = "FlatMap"  # as TensorFlow makes it
    sees_variables = True

    def __init__(self, make: Callable[[], Any], spec: ElementSpec) -> None:
        super().__init__()
        self._make = make
        self.spec = spec

    def stream(self, run: Run) -> Cursor:
        return _GeneratorCursor(iter(self._make()), self.spec)


_ARRAYS = (np.ndarray, np.generic)


class _GeneratorCursor(Cursor):
    def __init__(self, items: Iterator[Any], spec: ElementSpec) -> None:
        self._items, self._spec = items, spec
        children = spec.structure.children
        self._flat = spec.structure.type is tuple and all(child.is_leaf for child in children)
        self._arrays = [_array_type(leaf) for leaf in spec.leaves]
        simple = self._flat or spec.structure.is_leaf
        self._stacks = simple and all(array is not None for array in self._arrays)

    def _next(self) -> Element | None:
        for item in self._items:
            return self._checked(item)
        return None

    def _take(self, count: int) -> Chunk:
        """Arrays of known shapes are written where they stand in a batch, without tensors of
        their own."""
        if count == 1 or not self._stacks:
            return super()._take(count)
        types = [array for array in self._arrays if array is not None]
        columns = [np.empty((count, *shape), dtype) for dtype, shape in types]
        places = [(column, *type_) for column, type_ in zip(columns, types, strict=True)]
        single, done = not self._flat, 0
        try:
            for item in itertools.islice(self._items, count):
                parts = (item,) if single else item
                fits = type(parts) is tuple and len(parts) == len(places)
                for (column, dtype, shape), x in zip(places, parts if fits else (), strict=fits):
                    fits = isinstance(x, _ARRAYS) and x.dtype == dtype and x.shape == shape
                    if not fits:
                        break
                    column[done] = x
                if not fits:
                    for column, tensor in zip(columns, self._checked(item), strict=True):
                        column[done] = tensor._array
                done += 1
        except Exception as failure:
            if not done:
                raise
            self._failure = failure
        if not done:
            return NOTHING
        found = columns if done == count else [column[:done].copy() for column in columns]
        return Stacked(tuple(map(wrap, found)), done)

    def _skip(self, count: int) -> int:
        done = 0
        while done < count and next(self._items, self) is not self:
            done += 1
        return done

    def _checked(self, item: Any) -> Element:
        """What was yielded, as the spec says that it should be."""
        spec = self._spec
        try:
            return self._converted(item)
        except _Unlike as error:
            raise blame.invalid_data(
                f"TypeError: `generator` yielded an element {error}", "from_generator"
            ) from error
        except (TypeError, ValueError) as error:
            raise blame.invalid_data(
                "TypeError: `generator` yielded an element that did not match the expected "
                f"structure. The expected structure was {spec}, but the yielded element was "
                f"{shown(item)} ({error})",
                "from_generator",
            ) from error

    def _converted(self, item: Any) -> Element:
        spec = self._spec
        if spec.structure.is_leaf:
            return (_as_spec(item, spec.leaves[0]),)
        if isinstance(item, list) and spec.structure.type is tuple:
            item = tuple(item)
        if self._flat and type(item) is tuple and len(item) == len(spec.leaves):
            parts = zip(item, spec.leaves, self._arrays, strict=True)
            return tuple(
                [
                    wrap(np.array(x, order="C"))
                    if isinstance(x, np.ndarray | np.generic) and (x.dtype, x.shape) == array
                    else _as_spec(x, leaf)
                    for x, leaf, array in parts
                ]
            )
        leaves, structure = _leaves_along(item, spec.structure)
        if not structure.resembles(spec.structure):
            raise TypeError(f"it is nested otherwise: {structure}")
        return tuple([_as_spec(x, s) for x, s in zip(leaves, spec.leaves, strict=True)])

    def close(self) -> None:
        close = getattr(self._items, "close", None)
        if close is not None:
            close()


def _array_type(spec: Any) -> tuple[np.dtype[Any], tuple[int, ...]] | None:
    """The dtype and shape of the arrays that are tensors of this spec, if they have one shape."""
    if not isinstance(spec, TensorSpec) or spec.dtype is string:
        return None
    if not spec.shape.is_fully_defined():
        return None
    return np.dtype(spec.dtype.numpy), tuple([int(n) for n in spec.shape])


def _leaves_along(item: Any, structure: Structure) -> tuple[list[Any], Structure]:
    """The leaves of an item where a structure has leaves: lists there are tensors."""
    if structure.is_leaf:
        return [item], structure
    outer, own = nest.decompose(_shallow(item, structure))
    return [x.value if isinstance(x, _Leaf) else x for x in outer], own


class _Leaf:
    """What is not looked into."""

    def __init__(self, value: Any) -> None:
        self.value = value


def _shallow(item: Any, structure: Structure) -> Any:
    """An item whose parts are wrapped where the structure has leaves."""
    if structure.is_leaf:
        return _Leaf(item)
    if isinstance(item, dict):
        parts = dict(zip(sorted(item), structure.children, strict=False))
        return {key: _shallow(value, parts.get(key, structure)) for key, value in item.items()}
    if isinstance(item, tuple):
        if len(item) != len(structure.children):
            raise TypeError(f"{len(structure.children)} parts are needed, and {len(item)} given")
        pairs = zip(item, structure.children, strict=True)
        return nest.like(item, [_shallow(x, s) for x, s in pairs])
    return item


def _as_spec(value: Any, spec: Any) -> Any:
    """A value as a tensor of this spec."""
    if isinstance(spec, RaggedTensorSpec) and not spec.ragged_rank:
        spec = TensorSpec(spec.shape, spec.dtype)
    if not isinstance(spec, TensorSpec):
        if not spec.is_compatible_with(value):
            raise TypeError(f"{shown(value)} is not of the spec {spec}")
        return value
    try:
        tensor = convert_to_tensor(value, spec.dtype)
    except (TypeError, ValueError) as error:
        raise _Unlike(
            "that could not be converted to the expected type. The expected type was "
            f"{spec.dtype.name}, but the yielded element was {shown(value)} ({error})"
        ) from error
    if not spec.shape.is_compatible_with(tensor.shape):
        raise _Unlike(
            f"of shape {tensor.shape} where an element of shape {spec.shape} was expected: "
            f"{shown(value)}"
        )
    return tensor


class _Unlike(Exception):
    """What was yielded is no tensor of its spec."""


# What the methods of Dataset call.


def from_tensors(tensors: Any) -> Plan:
    """A plan of one element."""
    leaves, structure = element_of(tensors)
    if any(map(is_symbolic, leaves)):
        return Unknown(ElementSpec(map(spec_of, leaves), structure))
    return Tensors(leaves, structure)


def from_tensor_slices(tensors: Any) -> Plan:
    """A plan of the rows of tensors."""
    op = "from_tensor_slices"
    columns, structure = element_of(tensors)
    specs = [spec_of(column) for column in columns]
    inside = [component for s in specs for component in composites.components(s)]
    sliced = [s for s in inside if not isinstance(s, NoneTensorSpec)]
    if not sliced:
        raise blame.value_error("Invalid `element`. `element` should not be empty.", op)
    if any(s.shape.rank == 0 for s in sliced):
        raise blame.value_error(
            "Unbatching a tensor is only supported for rank >= 1: a scalar has no rows; "
            "from_tensors makes a dataset of one element of it",
            op,
        )
    spec = ElementSpec(map(row_spec, specs), structure)
    if any(map(is_symbolic, columns)):
        return Unknown(spec)
    counts = {int(s.shape[0]) for s in sliced}
    if len(counts) > 1:
        one, two, *_ = sorted(counts)
        raise blame.value_error(
            f"Dimensions {one} and {two} are not compatible: the tensors have different numbers of "
            "rows",
            op,
        )
    if spec.dense:
        return Slices(columns, spec)
    return Held(rows_of(columns, specs, spec), spec)


def range_of(bounds: tuple[Any, ...], dtype: Any) -> Plan:
    """A plan of numbers."""
    if not 1 <= len(bounds) <= 3:
        raise blame.value_error(
            "Invalid `args`. The length of `args` should be between 1 and 3 but was "
            f"{len(bounds)}.",
            "range",
        )
    given = [convert_to_tensor(b) for b in bounds]
    if any(map(is_symbolic, given)):
        return Unknown(ElementSpec.of(TensorSpec([], dtype)))
    numbers = [int(b) for b in given]
    start, stop, step = [0, numbers[0], 1] if len(numbers) == 1 else [*numbers, 1][:3]
    if not step:
        raise blame.invalid("step must be a non-zero integer.", "range")
    return Range(start, stop, step, as_dtype(dtype))


__all__ = [
    "Counter",
    "Generator",
    "Held",
    "Range",
    "Slices",
    "Tensors",
    "from_tensor_slices",
    "from_tensors",
    "range_of",
]
