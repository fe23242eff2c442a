"""`map_fn` along the rows of ragged and sparse tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from tfc.ir.dtypes import int32, int64

from ..core import blame, nest
from ..core.context import context
from ..core.conversion import convert_to_tensor
from ..core.shapes import TensorShape
from ..core.specs import TensorSpec
from ..core.tensor import Tensor
from ..ops.array.conversion import cast
from ..ops.array.creation import fill, zeros
from ..ops.array.creation import range as counting
from ..ops.array.indexing import boolean_mask
from ..ops.array.joining import concat, stack
from ..ops.array.shaping import shape
from ..ops.math.arithmetic import maximum
from ..ops.math.comparisons import equal
from ..ops.ragged import joining
from ..ops.ragged.factories import is_ragged
from ..ops.ragged.specs import RaggedTensorSpec
from ..ops.ragged.tensor import RaggedTensor
from ..ops.sparse.specs import SparseTensorSpec
from ..ops.sparse.structure import concat as concat_sparse
from ..ops.sparse.structure import expand_dims
from ..ops.sparse.tensor import SparseTensor
from .tensor_array import TensorArray
from .while_loops import while_loop


def map_rows(fn: Callable[..., Any], elems: Any, wanted: Any, along: Callable[..., Any]) -> Any:
    """`fn` of each row of ragged, sparse and dense tensors, stacked.

    Args:
        fn: A function of a row: of a tensor, of a RaggedTensor where rows are ragged, or of a
            SparseTensor.
        elems: A structure of tensors with equally many rows, ragged ones among them.
        wanted: The dtypes or specs of the results; None: as they come.
        along: `map_fn`, for the numbers of rows that only a call of a function tells.

    Returns:
        The results in their structure: ragged where `wanted` says so, and where rows of different
        lengths, or with axes, come of ragged ones.

    Raises:
        ValueError: If there are not equally many rows.
        UnimplementedError: If there is no row and `wanted` does not tell what one gives; or if a
            function is traced that is not told the number of rows, nor the extents inside of them.
    """
    leaves, structure = nest.decompose(elems)
    xs = [x if takes_rows(x) else convert_to_tensor(x) for x in leaves]
    counts = {_count(x) for x in xs}
    if len(counts) > 1:
        raise blame.value_error(f"the numbers of rows differ: {sorted(map(str, counts))}", "map_fn")
    (count,) = counts
    if count is None:

        def of_row(i: Any) -> Any:
            return fn(structure.pack([_row(x, i) for x in xs]))

        specs = [_of_rows(x) for x in xs] if wanted is None else nest.flatten(wanted)
        kinds = structure if wanted is None else nest.decompose(wanted)[1]
        try:
            return kinds.pack(_in_rounds(of_row, _measured(xs[0]), specs, wanted is None))
        except _Otherwise:
            return along(of_row, counting(_measured(xs[0])), fn_output_signature=wanted)
    rows = [fn(structure.pack([_row(x, i) for x in xs])) for i in range(count)]
    if not rows:
        if wanted is None:
            raise blame.unimplemented("there is no row, and nothing tells what one gives", "map_fn")
        return nest.map_structure(_of_no_rows, wanted)
    if wanted is None:
        results = nest.flatten(rows[0])
        specs = [_of_rows(x) if is_ragged(x) else None for x in xs]
        specs = specs if len(specs) == len(results) else [None] * len(results)
    else:
        nest.assert_same_structure(rows[0], wanted)
        specs = nest.flatten(wanted)
    columns = zip(*(nest.flatten(row) for row in rows), strict=True)
    made = [
        _stacked([_checked(v, s, wanted is None) for v in c], s, wanted is None)
        for c, s in zip(columns, specs, strict=True)
    ]
    return nest.decompose(rows[0])[1].pack(made)


class _Otherwise(Exception):
    """The function gives something else than rows of ragged and sparse tensors."""


def _of_rows(x: Any) -> Any:
    """The spec of one row."""
    if is_ragged(x):
        return RaggedTensorSpec(x.shape[1:], x.dtype, x.ragged_rank - 1, x.row_splits.dtype)
    kind = SparseTensorSpec if isinstance(x, SparseTensor) else TensorSpec
    return kind(x.shape[1:], x.dtype)


def _checked(value: Any, spec: Any, guessed: bool) -> Any:
    """A row's result, which has to be what was announced."""
    if isinstance(value, SparseTensor):
        return value
    found = value if is_ragged(value) else convert_to_tensor(value)
    if guessed or not isinstance(spec, RaggedTensorSpec):
        return found
    depth = found.ragged_rank if is_ragged(found) else 0
    splits = found.row_splits.dtype if is_ragged(found) else spec.row_splits_dtype
    fits = found.dtype is spec.dtype and splits is spec.row_splits_dtype
    if fits and depth == spec.ragged_rank and found.shape.is_compatible_with(spec.shape):
        return found
    raise _unlike(spec, found)


def _unlike(spec: Any, value: Any) -> Exception:
    """What is raised where the function gives something else than was announced."""
    given = getattr(value, "_type_spec", None) or TensorSpec.from_tensor(convert_to_tensor(value))
    return blame.value_error(f"expected fn to return a {spec}, but it returned a {given}", "map_fn")


def _of_no_rows(spec: Any) -> Any:
    """What there is of none."""
    shape = spec.shape if hasattr(spec, "shape") else TensorShape([])
    if isinstance(spec, RaggedTensorSpec):
        found: Any = zeros([0, *(n or 0 for n in shape[spec.ragged_rank + 1 :])], spec.dtype)
        for _ in range(spec.ragged_rank + 1):
            found = RaggedTensor.from_row_splits(found, zeros([1], spec.row_splits_dtype))
        return found
    dense = [0, *(n or 0 for n in shape)]
    if isinstance(spec, SparseTensorSpec):
        return SparseTensor(zeros([0, len(dense)], int64), zeros([0], spec.dtype), dense)
    return zeros(dense, spec.dtype if hasattr(spec, "dtype") else spec)


def _in_rounds(
    of_row: Callable[[Any], Any], count: Any, specs: list[Any], guessed: bool
) -> list[Any]:
    """The results of rows whose number a call tells: what they are made of grows in a loop."""
    begun = [_Growing.of(spec, count, guessed) for spec in specs]
    states = [column.begun() for column in begun]

    def round_of(i: Any, state: Any) -> Any:
        results = nest.flatten(of_row(i))
        if len(results) != len(begun):
            raise _Otherwise
        pairs = zip(begun, results, state, strict=True)
        return i + 1, [column.longer(value, parts, i) for column, value, parts in pairs]

    total = cast(count, int64)
    shapes = (TensorShape([]), [column.invariants() for column in begun])
    first = (convert_to_tensor(0, int64), states)
    _, found = while_loop(lambda i, _: i < total, round_of, first, shapes)
    return [column.whole(parts) for column, parts in zip(begun, found, strict=True)]


class _Growing(NamedTuple):
    """A result of all rows while they are computed."""

    spec: Any
    count: Any
    guessed: bool
    inner: tuple[int, ...]  # behind the axis that grows

    @classmethod
    def of(cls, spec: Any, count: Any, guessed: bool) -> _Growing:
        inner: Any = ()
        if isinstance(spec, RaggedTensorSpec):
            inner = tuple(spec.shape[spec.ragged_rank + 1 :])
        elif isinstance(spec, SparseTensorSpec):
            inner = (spec.shape.rank,)
        if None in inner:
            raise blame.unimplemented(
                f"the extents of rows must be known inside of a function: {spec}", "map_fn"
            )
        return cls(spec, count, guessed, inner)

    def begun(self) -> Any:
        """What the loop begins with."""
        spec = self.spec
        if isinstance(spec, RaggedTensorSpec):
            lengths = [zeros([0], spec.row_splits_dtype) for _ in range(spec.ragged_rank + 1)]
            return [zeros([0, *self.inner], spec.dtype), *lengths]
        if isinstance(spec, SparseTensorSpec):
            rank = self.inner[0]
            places = zeros([0, rank + 1], int64)
            return [places, zeros([0], spec.dtype), zeros([rank], int64)]
        return TensorArray(spec.dtype if hasattr(spec, "dtype") else spec, cast(self.count, int32))

    def invariants(self) -> Any:
        """What stays of the shapes of the state."""
        grows = TensorShape([None])
        if isinstance(self.spec, RaggedTensorSpec):
            lengths = [grows] * (self.spec.ragged_rank + 1)
            return [TensorShape([None, *self.inner]), *lengths]
        if isinstance(self.spec, SparseTensorSpec):
            rank = self.inner[0]
            return [TensorShape([None, rank + 1]), grows, TensorShape([rank])]
        return []  # a TensorArray is no tensor

    def longer(self, value: Any, parts: Any, number: Any) -> Any:
        """The state with one row more."""
        if isinstance(self.spec, SparseTensorSpec):
            if not isinstance(value, SparseTensor):
                raise _Otherwise if self.guessed else _unlike(self.spec, value)
            row = fill(shape(value.values, out_type=int64), number)[:, None]
            places = concat([row, value.indices], 1)
            largest = maximum(parts[2], value.dense_shape)
            return [concat([parts[0], places], 0), concat([parts[1], value.values], 0), largest]
        if not isinstance(self.spec, RaggedTensorSpec):
            return parts.write(cast(number, int32), value)
        found = value if is_ragged(value) else convert_to_tensor(value)
        if self.guessed and not is_ragged(found) and not found.ndim:
            raise _Otherwise
        _checked(found, self.spec, False)
        kind = self.spec.row_splits_dtype
        if is_ragged(found):
            flat = found.flat_values
            lengths = [found.nrows(out_type=kind)[None], *found.nested_row_lengths()]
        else:
            flat, lengths = found, [shape(found, out_type=kind)[:1]]
        return [concat([a, b], 0) for a, b in zip(parts, [flat, *lengths], strict=True)]

    def whole(self, parts: Any) -> Any:
        """The result of all rows."""
        if isinstance(self.spec, SparseTensorSpec):
            extents = concat([cast(self.count, int64)[None], parts[2]], 0)
            return SparseTensor(parts[0], parts[1], extents)
        if not isinstance(self.spec, RaggedTensorSpec):
            return parts.stack()
        found, *levels = parts
        known = [*self.spec.shape[: self.spec.ragged_rank], None]
        for lengths, length in reversed(list(zip(levels, known, strict=True))):
            if length is None:
                found = RaggedTensor.from_row_lengths(found, lengths, validate=False)
            else:
                rows = shape(lengths, out_type=self.spec.row_splits_dtype)[0]
                found = RaggedTensor.from_uniform_row_length(found, length, rows, validate=False)
        return found.with_row_splits_dtype(self.spec.row_splits_dtype)


def takes_rows(x: Any) -> bool:
    """Whether it is a ragged or sparse tensor, or the spec of one."""
    return is_ragged(x) or isinstance(x, SparseTensor | RaggedTensorSpec | SparseTensorSpec)


def _count(x: Any) -> int | None:
    if isinstance(x, SparseTensor) and context.trace is None:
        return int(x.dense_shape[0])
    found: int | None = x.shape[0]
    return found


def _measured(x: Any) -> Any:
    """The number of rows, when the function runs."""
    if isinstance(x, SparseTensor):
        return x.dense_shape[0]
    return x.nrows() if is_ragged(x) else shape(x, out_type=int64)[0]


def _row(x: Any, i: Any) -> Any:
    """One row. A sparse tensor's is that of its elements whose first index is the number."""
    if not isinstance(x, SparseTensor):
        return x[i]
    own = equal(x.indices[:, 0], cast(i, int64))
    return SparseTensor(
        boolean_mask(x.indices[:, 1:], own), boolean_mask(x.values, own), x.dense_shape[1:]
    )


def _stacked(parts: list[Any], spec: Any, guessed: bool) -> Any:
    """Rows, along a new axis."""
    if isinstance(parts[0], SparseTensor):
        return concat_sparse(0, [expand_dims(v, 0) for v in parts], expand_nonconcat_dims=True)
    dense = all(isinstance(p, Tensor) for p in parts)
    if isinstance(spec, RaggedTensorSpec) and (parts[0].ndim if dense else True):
        kind = spec.row_splits_dtype
        if dense:
            lengths = [shape(p, out_type=kind)[0] for p in parts]
            return RaggedTensor.from_row_lengths(concat(parts, 0), stack(lengths), validate=False)
        found = joining.stack(parts, 0)
        inner, length = found.values, None if guessed else spec.shape[0]
        if is_ragged(inner) and length is not None:
            found = RaggedTensor.from_uniform_row_length(inner, length, len(parts))
        return found.with_row_splits_dtype(kind)
    if dense and ((spec is not None and not hasattr(spec, "ragged_rank")) or not parts[0].ndim):
        return stack(parts)
    return joining.stack(parts, 0)


__all__ = ["map_rows", "takes_rows"]
