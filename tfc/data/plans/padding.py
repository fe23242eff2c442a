"""`padded_batch` and `ragged_batch`: batches of elements that differ in shape."""

from __future__ import annotations

from typing import Any

import numpy as np

from tfc.ir.dtypes import int64, string

from ...core import blame, errors, nest
from ...core.context import user_location
from ...core.conversion import convert_to_tensor
from ...core.formatting import shown
from ...core.shapes import TensorShape
from ...core.specs import TensorSpec
from ...core.tensor import Tensor, wrap
from ...ops.ragged.specs import RaggedTensorSpec
from ...ops.sparse.specs import SparseTensorSpec
from ...ops.sparse.tensor import SparseTensor
from ..elements import Chunk, Element, ElementSpec, Loose, shapes_along, stacked_spec
from ..packing import batched
from ..plan import INFINITE, UNKNOWN, Cursor, Given, Places, Plan, Run
from .batching import taken


class Collected(Given):
    """The base: so many elements as one; at the end perhaps fewer."""

    def __init__(self, source: Plan, size: int, drops: bool) -> None:
        super().__init__()
        self.source, self._size, self._drops = source, size, drops
        self.inputs = (source,)
        self.indexed, self.varies = source.indexed, source.varies

    def collected(self, chunk: Chunk) -> Element:
        """What becomes of these elements."""
        raise NotImplementedError

    @property
    def cardinality(self) -> int:
        count = self.source.cardinality
        if count in (INFINITE, UNKNOWN):
            return count
        return count // self._size if self._drops else -(-count // self._size)

    def elements(self, places: Places, run: Run) -> Chunk:
        return Loose([self.element(int(place), run) for place in places])

    def element(self, place: int, run: Run) -> Element:
        start, stop = place * self._size, (place + 1) * self._size
        count = self.source.cardinality
        rows = np.arange(start, stop if count == INFINITE else min(stop, count))
        return self.collected(self.source.elements(rows, run.children[0]))

    def stream(self, run: Run) -> Cursor:
        return _CollectedCursor(self, self.source.cursor(run.children[0]), self._size, self._drops)


class _CollectedCursor(Cursor):
    def __init__(self, plan: Collected, source: Cursor, size: int, drops: bool) -> None:
        self._plan, self._source, self._size, self._drops = plan, source, size, drops

    def _next(self) -> Element | None:
        found = taken(self._source, self._size)
        if not len(found) or (self._drops and len(found) < self._size):
            return None
        return self._plan.collected(found)

    def _skip(self, count: int) -> int:
        done = self._source.skip(count * self._size)
        return done // self._size if self._drops else -(-done // self._size)

    def close(self) -> None:
        self._source.close()


class PaddedBatch(Collected):
    """So many tensors along a new first axis, each made as large as the largest of them, or as a
    given shape says.

    Args:
        source: The elements.
        size: How many.
        drops: Whether to leave out a smaller batch at the end.
        shapes: For each leaf its padded shape; unknown extents are those of the largest one.
        values: For each leaf a scalar: what is filled in.
    """

    kind = "PaddedBatch"

    def __init__(
        self,
        source: Plan,
        size: int,
        drops: bool,
        shapes: list[TensorShape],
        values: list[Any],
    ) -> None:
        super().__init__(source, size, drops)
        self._shapes, self._values = shapes, values
        count = size if drops else None
        leaves = [
            TensorSpec([count, *shape], leaf.dtype) if isinstance(leaf, TensorSpec) else leaf
            for shape, leaf in zip(shapes, source.spec.leaves, strict=True)
        ]
        self.spec = ElementSpec(leaves, source.spec.structure)

    def collected(self, chunk: Chunk) -> Element:
        columns = list(zip(*chunk.elements(), strict=True))
        pairs = zip(columns, self._shapes, self._values, strict=True)
        return tuple([_padded(column, shape, value) for column, shape, value in pairs])

    def describe(self) -> str:
        return f"padded_batch {self._size}" + (", none smaller" if self._drops else "")


def _padded(column: tuple[Any, ...], shape: TensorShape, value: Any) -> Any:
    if column[0] is None:
        return None
    arrays = [leaf._array for leaf in column]
    if {array.ndim for array in arrays} != {len(shape)}:
        raise blame.invalid(
            f"the elements have the ranks {sorted({a.ndim for a in arrays})}, and are to be padded "
            f"to {shape}",
            "padded_batch",
        )
    largest = np.max([array.shape for array in arrays], 0, initial=0) if len(shape) else ()
    extents = [
        int(most) if want is None else want for most, want in zip(largest, shape, strict=True)
    ]
    if any(most > have for most, have in zip(largest, extents, strict=True)):
        raise errors.DataLossError(
            f"Attempted to pad to a smaller size than the input element: the largest one is "
            f"{[int(n) for n in largest]}, and the shape is {extents}",
            op="padded_batch",
            location=user_location(),
        )
    whole = np.full([len(arrays), *extents], value, arrays[0].dtype)
    for row, array in zip(whole, arrays, strict=True) if extents else ():
        row[tuple([slice(n) for n in array.shape])] = array
    if not extents:
        whole[:] = [array[()] for array in arrays]
    return wrap(whole)


def padded_batches(
    source: Plan, size: int, shapes: Any, values: Any, drops: bool, op: str = "padded_batch"
) -> PaddedBatch:
    """The plan of `padded_batch`, from what a user gives.

    Raises:
        TypeError: If an element is no tensor, or a padding value has another dtype.
        ValueError: If a shape does not fit an element's, or is not known.
    """
    spec = source.spec
    for leaf in spec.leaves:
        if not isinstance(leaf, TensorSpec) and getattr(leaf, "value_type", None) is not type(None):
            raise blame.type_error(
                f"`{op}` is only supported for datasets that produce tensor elements but type spec "
                "of elements in the input dataset is not a subclass of TensorSpec: "
                f"`{leaf}` (see ragged_batch and sparse_batch)",
                op,
            )
    given = (
        [getattr(leaf, "shape", None) for leaf in spec.leaves]
        if shapes is None
        else shapes_along(shapes, spec.structure)
    )
    pairs = zip(given, spec.leaves, strict=True)
    found = [_shape(shape, leaf, op) for shape, leaf in pairs]
    return PaddedBatch(source, size, drops, found, _fillings(values, spec, op))


def _shape(given: Any, spec: Any, op: str) -> TensorShape:
    if not isinstance(spec, TensorSpec):
        return TensorShape([])
    if isinstance(given, Tensor):
        given = given.numpy().tolist()
    if not isinstance(given, TensorShape):
        given = TensorShape([None if n == -1 else n for n in _extents(given, op)])
    if given.rank is None:
        raise blame.value_error(
            "You must provide `padded_shapes` argument because a component has unknown rank.", op
        )
    if spec.shape.rank is not None and spec.shape.rank != given.rank:
        raise blame.value_error(
            f"The padded shape {given} is not compatible with the shape {spec.shape} of the "
            "corresponding input component.",
            op,
        )
    for have, want in zip(spec.shape if spec.shape.rank is not None else (), given, strict=False):
        if have is not None and want is not None and want < have:
            raise blame.value_error(
                f"The padded shape {given} is not compatible with the shape {spec.shape} of the "
                "corresponding input component.",
                op,
            )
    return given


def _extents(given: Any, op: str) -> list[Any]:
    """The extents of a padded shape, -1 or None where they are open."""
    items = [given] if isinstance(given, int | np.integer) else list(given)
    for item in items:
        if isinstance(item, str | bytes | float):
            kind = "string" if isinstance(item, str | bytes) else "float32"
            raise blame.type_error(
                f"Padded shape {shown(given)} must be a `tf.int64` vector tensor, but its element "
                f"type was {kind}.",
                op,
            )
        if isinstance(item, list | tuple):
            raise blame.value_error(
                f"Padded shape {shown(given)} must be a `tf.int64` vector tensor, but its shape "
                f"was {np.shape(given)}.",
                op,
            )
    return items


def _fillings(values: Any, spec: ElementSpec, op: str) -> list[Any]:
    """A padding value for each leaf, as NumPy has it."""
    if values is None or not nest.is_nested(values):
        given = [values] * len(spec.leaves)
    else:
        given = shapes_along(values, spec.structure)
    return [_filling(v, leaf, op) for v, leaf in zip(given, spec.leaves, strict=True)]


def _filling(value: Any, spec: Any, op: str) -> Any:
    if not isinstance(spec, TensorSpec):
        return None
    if value is None:
        return b"" if spec.dtype is string else 0
    tensor = convert_to_tensor(value, dtype_hint=spec.dtype)
    if tensor.dtype is not spec.dtype:
        raise blame.type_error(
            f"Invalid `padding_values`. `padding_values` values type {tensor.dtype} does not match "
            f"type {spec.dtype} of the corresponding input component.",
            op,
        )
    if tensor.shape.rank:
        raise blame.value_error(
            "Invalid `padding_values`. `padding_values` should be a scalar tensor, but its shape "
            f"is {tensor.shape}.",
            op,
        )
    return tensor._array[()]


class RaggedBatch(Collected):
    """So many elements along a new first axis: a tensor where all extents are known, ragged where
    they are not."""

    kind = "RaggedBatch"

    def __init__(self, source: Plan, size: int, drops: bool, splits_dtype: Any = int64) -> None:
        super().__init__(source, size, drops)
        count = size if drops else None
        self._ragged = source.spec.map(lambda leaf: _ragged_spec(leaf, splits_dtype))
        self.spec = self._ragged.map(lambda leaf: stacked_spec(leaf, count))

    def collected(self, chunk: Chunk) -> Element:
        return batched(Loose(chunk.elements()), self._ragged, "ragged_batch")

    def describe(self) -> str:
        return f"ragged_batch {self._size}" + (", none smaller" if self._drops else "")


def _ragged_spec(spec: Any, splits_dtype: Any) -> Any:
    """The spec of what becomes ragged: a tensor with unknown extents."""
    if not isinstance(spec, TensorSpec) or spec.shape.rank is None:
        return spec
    if spec.shape.is_fully_defined():
        return spec
    last = max(axis for axis, extent in enumerate(spec.shape) if extent is None)
    return RaggedTensorSpec(spec.shape, spec.dtype, last, splits_dtype)


class SparseBatch(Collected):
    """So many tensors along a new first axis, as a sparse tensor with all their elements."""

    kind = "DenseToSparseBatch"

    def __init__(self, source: Plan, size: int, row: TensorShape) -> None:
        super().__init__(source, size, False)
        leaves = source.spec.leaves
        if len(leaves) != 1 or not source.spec.dense:
            raise blame.type_error(
                f"sparse_batch takes elements of one tensor each, and these are {source.spec}",
                "sparse_batch",
            )
        self._row = row
        spec = SparseTensorSpec([None, *row], leaves[0].dtype)
        self.spec = ElementSpec((spec,), source.spec.structure)

    def collected(self, chunk: Chunk) -> Element:
        arrays = [element[0]._array for element in chunk.elements()]
        largest = np.max([array.shape for array in arrays], 0, initial=0)
        pairs = zip(largest, self._row, strict=True)
        extents = [int(most) if want is None else want for most, want in pairs]
        if any(most > have for most, have in zip(largest, extents, strict=True)):
            raise blame.located(
                errors.DataLossError,
                f"Input element had shape ({[int(n) for n in largest]}) that is larger than the "
                f"row shape ({extents}).",
            )
        places = [
            np.insert(np.indices(array.shape).reshape(array.ndim, -1).T, 0, i, 1)
            for i, array in enumerate(arrays)
        ]
        values = np.concatenate([array.reshape(-1) for array in arrays])
        shape = np.array([len(arrays), *extents], np.int64)
        indices = np.concatenate(places).astype(np.int64)
        return (SparseTensor(wrap(indices), wrap(values), wrap(shape)),)

    def describe(self) -> str:
        return f"sparse_batch {self._size}"


__all__ = ["PaddedBatch", "RaggedBatch", "SparseBatch", "padded_batches"]
