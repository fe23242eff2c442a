"""How ragged tensors are made: the ways to say where their rows end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self, TypeAlias

import numpy as np

from tfc.ir.dtypes import DType, as_dtype, int32, int64

from ...core import blame
from ...core.containers import Composite
from ...core.conversion import operand
from ...core.tensor import Tensor
from ...core.types import DTypeLike, TensorLike
from ..array import checks as _checks
from ..array import conversion as _conversion
from ..array import creation as _creation
from ..array import indexing as _indexing
from ..array import joining as _joining
from ..array import padding as _padding
from ..array import shaping as _shaping
from ..math import arithmetic as _arithmetic
from ..math import comparisons as _comparisons
from ..math import cumulative as _cumulative
from ..math import reductions as _reductions
from ..math import segments as _segments
from ..sparse.tensor import SparseTensor, sparse_operand

OP = "RaggedTensor"

# What rows may be made of: a tensor, or one that is ragged itself.
Values: TypeAlias = "RaggedFactories | TensorLike"


def vector(
    value: TensorLike, what: str, dtype: DTypeLike | None = None, hint: DType = int64
) -> Tensor:
    """A vector of int32 or int64; of `hint` where its numbers have no dtype."""
    x = _integers(value, what, hint)
    if dtype is not None and x.dtype is not as_dtype(dtype) and x.dtype.is_integer:
        x = _conversion.cast(x, dtype)
    if x.dtype not in (int32, int64):
        raise blame.value_error(f"{what} must have dtype int32 or int64, got {x.dtype.name}", OP)
    if len(x.shape) != 1:
        raise blame.value_error(f"{what}: Shape {x.shape} must have rank 1", OP)
    return x


def _integers(value: Any, what: str, hint: DType) -> Tensor:
    """A tensor of numbers; an int32 array of NumPy stays one."""
    if isinstance(value, np.ndarray) and value.dtype == np.int32:
        return operand(OP, value)
    if isinstance(value, str) or (isinstance(value, list) and value and isinstance(value[0], str)):
        raise blame.value_error(
            f"{what} must have dtype int32 or int64, got text: {value!r:.60}", OP
        )
    return operand(OP, value, dtype_hint=hint)


def splits_dtype_of(values: Any) -> DType:
    """What numbers of rows become where they have no dtype: that of the values' splits."""
    return values.row_splits.dtype if is_ragged(values) else int64


def _whole(value: TensorLike, what: str) -> Tensor:
    """An integer as an int64 scalar."""
    x = operand(OP, value, dtype_hint=int64)
    if not x.dtype.is_integer:
        raise blame.value_error(f"{what} must have dtype int32 or int64, got {x.dtype.name}", OP)
    if len(x.shape):
        raise blame.value_error(f"{what}: Shape {x.shape} must have rank 0", OP)
    return _conversion.cast(x, int64)


def values_of(value: Any) -> Any:
    if isinstance(value, RaggedFactories):
        return value
    x = operand(OP, value)
    if not len(x.shape):
        raise blame.value_error("values: Shape () must have rank at least 1, got a scalar", OP)
    return x


def count_of(values: Values) -> Tensor:
    """How many rows there are, as an int64 scalar."""
    if isinstance(values, RaggedFactories):
        rows: Any = values
        return rows.nrows(int64)
    return _shaping.shape(values, out_type=int64)[0]


def _flattened(x: Any) -> Any:
    """The rows of rows, one after the other."""
    return _shaping.reshape(x, _joining.concat([[-1], _shaping.shape(x)[2:]], 0))


def _listed(given: Any, what: str) -> list[Any]:
    """A list, which a tensor is not."""
    if isinstance(given, Tensor):
        known = _conversion.get_static_value(given)
        shown = f"{given if known is None else known!s}"
        raise blame.type_error(
            f"Argument `{what}` must be a list of Tensors. Received {shown:.60}.", OP
        )
    return list(given)


def _check_one_dtype(values: Any, splits: Tensor) -> None:
    """Refuse splits of one dtype in splits of another."""
    if is_ragged(values) and values.row_splits.dtype is not splits.dtype:
        have, want = splits.dtype, values.row_splits.dtype
        raise blame.value_error(
            "Argument `row_partition` of RaggedTensor with name: partition must have same dtype "
            f"as Argument `values`. ({have!s} vs. {want!s}). Use "
            "RaggedTensor.with_row_splits_dtype().",
            OP,
        )


def is_ragged(value: Any) -> bool:
    """Whether `value` is a RaggedTensor."""
    return isinstance(value, RaggedFactories)


class RaggedFactories(Composite):
    """The part of `RaggedTensor` that makes one."""

    __slots__ = ()

    @classmethod
    def _made(cls, values: Any, row_splits: Any, uniform: Any = None) -> Any:
        raise NotImplementedError

    @classmethod
    def from_row_splits(
        cls,
        values: Values,
        row_splits: TensorLike,
        name: str | None = None,
        validate: bool = True,
    ) -> Self:
        """Row i is values[row_splits[i]:row_splits[i + 1]].

        Args:
            values: All rows one after the other: a tensor with at least one axis, or a
                RaggedTensor.
            row_splits: Where rows begin and end: a vector of int32 or int64 that begins with 0,
                does not fall, and ends with the number of values.
            validate: Whether that is checked, each time that it runs.

        Returns:
            A RaggedTensor.

        Raises:
            InvalidArgumentError: If the splits do not fit.
            ValueError: If `values` is a scalar, or `row_splits` no vector, empty, or of another
                dtype.
        """
        return cls._of_splits(values, row_splits, validate, "from_row_splits")

    @classmethod
    def _of_splits(cls, values: Values, row_splits: Any, validate: bool, op: str) -> Self:
        """`from_row_splits`, for the factory `op`."""
        rows: Any = values_of(values)
        splits = vector(row_splits, "row_splits", hint=splits_dtype_of(rows))
        if splits.shape[0] == 0:
            raise blame.value_error("row_splits tensor may not be empty.", OP)
        _check_one_dtype(rows, splits)
        if validate:
            text = f"Arguments to {op} do not form a valid RaggedTensor"
            _checks.assert_equal(splits[0], 0, f"{text}: splits begin with zero")
            rising = splits[:-1] <= splits[1:]
            _checks.assert_equal(rising, True, f"{text}: splits are monotonic")
            last = _conversion.cast(splits[-1], int64)
            _checks.assert_equal(last, count_of(rows), f"{text}: splits end with nvals")
        return cls._made(rows, splits)

    @classmethod
    def from_row_lengths(
        cls,
        values: Values,
        row_lengths: TensorLike,
        name: str | None = None,
        validate: bool = True,
    ) -> Self:
        """Row i has row_lengths[i] values.

        Args:
            values: All rows one after the other: a tensor with at least one axis, or a
                RaggedTensor.
            row_lengths: How long rows are: a vector of int32 or int64, whose sum is the number of
                values.
            validate: Whether that is checked, each time that it runs.

        Returns:
            A RaggedTensor.

        Raises:
            InvalidArgumentError: If the lengths do not fit, or one is negative.
            ValueError: If `values` is a scalar, or `row_lengths` no vector of these dtypes.

        >>> import tfc as tf
        >>> tf.RaggedTensor.from_row_lengths([1, 2, 3], [2, 0, 1])
        <tf.RaggedTensor [[1, 2], [], [3]]>
        """
        return cls._of_lengths(values, row_lengths, validate, "from_row_lengths")

    @classmethod
    def _of_lengths(cls, values: Values, row_lengths: Any, validate: bool, op: str) -> Self:
        """`from_row_lengths`, for the factory `op`."""
        values = values_of(values)
        lengths = vector(row_lengths, "row_lengths", hint=splits_dtype_of(values))
        if validate:
            text = f"Arguments to {op} do not form a valid RowPartition."
            _checks.assert_non_negative(lengths, text)
        splits = _joining.concat(
            [_creation.zeros([1], lengths.dtype), _cumulative.cumsum(lengths)], 0
        )
        return cls._of_splits(values, splits, validate, op)

    @classmethod
    def from_value_rowids(
        cls,
        values: Values,
        value_rowids: TensorLike,
        nrows: TensorLike | None = None,
        name: str | None = None,
        validate: bool = True,
    ) -> Self:
        """Value k belongs to row value_rowids[k].

        Args:
            values: All rows one after the other: a tensor with at least one axis, or a
                RaggedTensor.
            value_rowids: The rows of the values: a vector of int32 or int64 that does not fall.
            nrows: How many rows there are; None: up to the last one that has a value.
            validate: Whether that is checked, each time that it runs.

        Returns:
            A RaggedTensor.

        Raises:
            InvalidArgumentError: If the rows fall.
            ValueError: If `values` is a scalar, `value_rowids` no vector of these dtypes or not as
                long, or `nrows` too small (InvalidArgumentError where only a call tells).

        >>> import tfc as tf
        >>> tf.RaggedTensor.from_value_rowids([1, 2, 3], [0, 0, 2], nrows=4)
        <tf.RaggedTensor [[1, 2], [], [3], []]>
        """
        rows = values_of(values)
        ids = vector(value_rowids, "value_rowids", hint=splits_dtype_of(rows))
        have = rows.row_splits.shape[0] if is_ragged(rows) else rows.shape[0]
        have = have - 1 if is_ragged(rows) and have is not None else have
        if have is not None and ids.shape[0] is not None and have != ids.shape[0]:
            text = f"Shapes ({have},) and {ids.shape} are incompatible"
            raise blame.value_error(f"{text}: values and value_rowids", OP)
        if nrows is not None and (isinstance(nrows, list | tuple) or np.ndim(nrows)):  # type: ignore[arg-type]
            raise blame.value_error(f"nrows: Shape {np.shape(nrows)} must have rank 0", OP)  # type: ignore[arg-type]
        if isinstance(nrows, int) and validate:
            cls._check_rows(nrows, _conversion.get_static_value(ids))
        if validate:
            text = "Arguments to from_value_rowids do not form a valid RowPartition: they must rise"
            _checks.assert_equal(ids[:-1] <= ids[1:], True, text)
        if nrows is None:
            nrows = _reductions.reduce_max(_joining.concat([ids, [-1]], 0)) + 1
        lengths = _segments.unsorted_segment_sum(_creation.ones_like(ids), ids, nrows)
        return cls._of_lengths(rows, lengths, validate, "from_value_rowids")

    @staticmethod
    def _check_rows(nrows: int, ids: Any) -> None:
        """Refuse a number of rows that is known to be too small."""
        if nrows < 0:
            raise blame.value_error(f"Expected nrows >= 0; got {nrows}", OP)
        if ids is not None and ids.size and nrows <= ids[-1]:
            text = f"got nrows={nrows}, value_rowids[-1]={int(ids[-1])}"
            raise blame.value_error(f"Expected nrows >= value_rowids[-1] + 1; {text}", OP)

    @classmethod
    def from_row_starts(
        cls,
        values: Values,
        row_starts: TensorLike,
        name: str | None = None,
        validate: bool = True,
    ) -> Self:
        """Row i begins with value row_starts[i].

        Args:
            values: All rows one after the other: a tensor with at least one axis, or a
                RaggedTensor.
            row_starts: A vector of int32 or int64 that begins with 0 and does not fall.
            validate: Whether that is checked, each time that it runs.

        Returns:
            A RaggedTensor.

        Raises:
            InvalidArgumentError: If the starts do not fit.
            ValueError: If `values` is a scalar, or `row_starts` no vector of these dtypes.

        >>> import tfc as tf
        >>> tf.RaggedTensor.from_row_starts([1, 2, 3], [0, 2, 2])
        <tf.RaggedTensor [[1, 2], [], [3]]>
        """
        rows = values_of(values)
        starts = vector(row_starts, "row_starts", hint=splits_dtype_of(rows))
        end = _shaping.reshape(_conversion.cast(count_of(rows), starts.dtype), [1])
        splits = _joining.concat([starts, end], 0)
        return cls._of_splits(rows, splits, validate, "from_row_starts")

    @classmethod
    def from_row_limits(
        cls,
        values: Values,
        row_limits: TensorLike,
        name: str | None = None,
        validate: bool = True,
    ) -> Self:
        """Row i ends before value row_limits[i].

        Args:
            values: All rows one after the other: a tensor with at least one axis, or a
                RaggedTensor.
            row_limits: A vector of int32 or int64 that does not fall and ends with the number of
                values.
            validate: Whether that is checked, each time that it runs.

        Returns:
            A RaggedTensor.

        Raises:
            InvalidArgumentError: If the limits do not fit.
            ValueError: If `values` is a scalar, or `row_limits` no vector of these dtypes.

        >>> import tfc as tf
        >>> tf.RaggedTensor.from_row_limits([1, 2, 3], [2, 2, 3])
        <tf.RaggedTensor [[1, 2], [], [3]]>
        """
        rows = values_of(values)
        limits = vector(row_limits, "row_limits", hint=splits_dtype_of(rows))
        splits = _joining.concat([_creation.zeros([1], limits.dtype), limits], 0)
        return cls._of_splits(rows, splits, validate, "from_row_limits")

    @classmethod
    def from_uniform_row_length(
        cls,
        values: Values,
        uniform_row_length: TensorLike,
        nrows: TensorLike | None = None,
        validate: bool = True,
        name: str | None = None,
    ) -> Self:
        """Every row has `uniform_row_length` values.

        Args:
            values: All rows one after the other: a tensor with at least one axis, or a
                RaggedTensor.
            uniform_row_length: How many values a row has: an integer.
            nrows: How many rows there are, which a length of 0 does not say; None: as many as
                values fill.
            validate: Whether that is checked, each time that it runs.

        Returns:
            A RaggedTensor.

        Raises:
            TypeError: If one of the numbers is no integer.
            ValueError: If `values` is a scalar, or the values do not fill the rows
                (InvalidArgumentError where only a call tells).

        >>> import tfc as tf
        >>> tf.RaggedTensor.from_uniform_row_length([1, 2, 3, 4], 2)
        <tf.RaggedTensor [[1, 2], [3, 4]]>
        """
        rows = values_of(values)
        length = _whole(uniform_row_length, "uniform_row_length")
        kind = splits_dtype_of(rows)
        known, values_known = (
            _conversion.get_static_value(length),
            _conversion.get_static_value(count_of(rows)),
        )
        if known is not None and known < 0:
            raise blame.value_error("uniform_row_length must be >= 0.", OP)
        if nrows is None and known is not None and values_known is not None:
            nrows = int(values_known) // int(known) if known else 0
        elif nrows is None:
            nrows = _arithmetic.floordiv(count_of(rows), _arithmetic.maximum(length, 1))
        many = _conversion.get_static_value(operand(OP, nrows))
        if None not in (known, values_known, many) and known * many != values_known:
            raise blame.value_error(
                f"uniform_row_length={int(known)} times nrows={int(many)} must equal "
                f"nvals={int(values_known)}",
                OP,
            )
        count = nrows if isinstance(nrows, int) else _whole(nrows, "nrows")
        splits = _conversion.cast(_creation.range(count + 1, dtype=int64) * length, kind)
        found: Any = cls._of_splits(rows, splits, validate, "from_uniform_row_length")
        return cls._made(found.values, found.row_splits, _conversion.cast(length, kind))

    @classmethod
    def from_nested_row_splits(
        cls,
        flat_values: Values,
        nested_row_splits: Sequence[Any],
        name: str | None = None,
        validate: bool = True,
    ) -> Self:
        """Several ragged axes.

        Args:
            flat_values: The values of the innermost one: a tensor with at least one axis.
            nested_row_splits: The splits of every ragged axis, the outermost first.
            validate: Whether they are checked, each time that it runs.

        Returns:
            A RaggedTensor.

        Raises:
            InvalidArgumentError: If splits do not fit: see `from_row_splits`.

        >>> import tfc as tf
        >>> tf.RaggedTensor.from_nested_row_splits([1, 2, 3], [[0, 1, 2], [0, 2, 3]])
        <tf.RaggedTensor [[[1, 2]], [[3]]]>
        """
        found: Any = flat_values
        for splits in reversed(_listed(nested_row_splits, "nested_row_splits")):
            found = cls.from_row_splits(found, splits, validate=validate)
        return found

    @classmethod
    def from_nested_row_lengths(
        cls,
        flat_values: Values,
        nested_row_lengths: Sequence[Any],
        name: str | None = None,
        validate: bool = True,
    ) -> Self:
        """Several ragged axes.

        Args:
            flat_values: The values of the innermost one: a tensor with at least one axis.
            nested_row_lengths: The row lengths of every ragged axis, the outermost first.
            validate: Whether they are checked, each time that it runs.

        Returns:
            A RaggedTensor.

        Raises:
            InvalidArgumentError: If lengths do not fit: see `from_row_lengths`.

        >>> import tfc as tf
        >>> tf.RaggedTensor.from_nested_row_lengths([1, 2, 3], [[1, 1], [2, 1]])
        <tf.RaggedTensor [[[1, 2]], [[3]]]>
        """
        found: Any = flat_values
        for lengths in reversed(_listed(nested_row_lengths, "nested_row_lengths")):
            found = cls.from_row_lengths(found, lengths, validate=validate)
        return found

    @classmethod
    def from_nested_value_rowids(
        cls,
        flat_values: Values,
        nested_value_rowids: Sequence[Any],
        nested_nrows: Sequence[Any] | None = None,
        name: str | None = None,
        validate: bool = True,
    ) -> Self:
        """Several ragged axes.

        Args:
            flat_values: The values of the innermost one: a tensor with at least one axis.
            nested_value_rowids: The rows that values belong to, for every ragged axis, the
                outermost first.
            nested_nrows: The number of rows for every one of them; None: as many as are needed.
            validate: Whether they are checked, each time that it runs.

        Returns:
            A RaggedTensor.

        Raises:
            ValueError: If there are not as many numbers of rows as ragged axes.
            InvalidArgumentError: If rows do not fit: see `from_value_rowids`.

        >>> import tfc as tf
        >>> tf.RaggedTensor.from_nested_value_rowids([1, 2, 3], [[0, 1], [0, 0, 1]])
        <tf.RaggedTensor [[[1, 2]], [[3]]]>
        """
        rows = _listed(nested_value_rowids, "nested_value_rowids")
        counts = (
            [None] * len(rows) if nested_nrows is None else _listed(nested_nrows, "nested_nrows")
        )
        if len(counts) != len(rows):
            raise blame.value_error(
                "Argument `nested_nrows` must have the same length as argument "
                f"`nested_value_rowids`. len(nested_nrows) = {len(counts)} vs. "
                f"len(nested_values_rowids) = {len(rows)}.",
                OP,
            )
        found: Any = flat_values
        for ids, count in reversed(list(zip(rows, counts, strict=True))):
            found = cls.from_value_rowids(found, ids, nrows=count, validate=validate)
        return found

    @classmethod
    def from_tensor(
        cls,
        tensor: TensorLike,
        lengths: TensorLike | None = None,
        padding: TensorLike | None = None,
        ragged_rank: int = 1,
        name: str | None = None,
        row_splits_dtype: DTypeLike = int64,
    ) -> Self:
        """The rows of a dense tensor: cut to their lengths, or without the padding at their ends,
        or whole.

        Args:
            tensor: A tensor with at least two axes, of which those from the second on become
                ragged.
            lengths: How long each row is: a vector of integers, or a list of those of each ragged
                axis; None: see `padding`.
            padding: What is left out at the ends of rows: a value of the tensor's dtype; None:
                nothing.
            ragged_rank: How many axes become ragged.
            row_splits_dtype: The dtype of the splits: int32 or int64.

        Returns:
            A RaggedTensor.

        Raises:
            ValueError: If `lengths` and `padding` are both given, or lengths are not as many as
                rows.
            TypeError: If the lengths are no integers, or the splits have another dtype.
            UnimplementedError: If the tensor has less than two axes, or for another `ragged_rank`.

        >>> import tfc as tf
        >>> tf.RaggedTensor.from_tensor([[5, 7, 0], [0, 3, 0], [0, 0, 0]], padding=0)
        <tf.RaggedTensor [[5, 7], [0, 3], []]>
        """
        x = operand(OP, tensor)
        if not isinstance(ragged_rank, int):
            raise blame.type_error(
                f"Argument `ragged_rank` must be an int. Received {ragged_rank}.", OP
            )
        nested = isinstance(lengths, list | tuple) and len(lengths) > 0
        if nested and any(_shaping.rank(v) for v in lengths):  # type: ignore[union-attr]
            if len(x.shape) <= len(lengths):  # type: ignore[arg-type]
                raise blame.value_error(
                    f"Shape {x.shape} must have rank at least {len(lengths) + 1}",  # type: ignore[arg-type]
                    OP,
                )
            return cls._with_lengths(x, list(lengths), row_splits_dtype)  # type: ignore[arg-type]
        if ragged_rank < 1:
            raise blame.value_error(
                f"Argument `ragged_rank` must be greater than 0. Received {ragged_rank}.", OP
            )
        if len(x.shape) < 2:
            raise blame.value_error(
                "The rank of a RaggedTensor must be greater than 1, i.e., a list of scalars won't "
                f"have ragged dimensions. Received argument `tensor` with rank {len(x.shape)}.",
                OP,
            )
        if ragged_rank >= len(x.shape):
            raise blame.value_error(
                f"Shape {x.shape} must have rank at least {ragged_rank + 1}", OP
            )
        if ragged_rank > 1:
            return cls._of_more_axes(x, lengths, padding, ragged_rank, row_splits_dtype)
        if lengths is not None and padding is not None:
            raise blame.value_error("Specify argument `lengths` or `padding`, but not both.", OP)
        width = _shaping.shape(x, out_type=int64)[1]
        places = _creation.range(width)
        if padding is not None:
            filling = operand(OP, padding, x.dtype)
            if filling.shape != x.shape[2:]:
                raise blame.value_error(
                    f"padding: Shapes {filling.shape} and {x.shape[2:]} are incompatible", OP
                )
            kept = _comparisons.not_equal(x, filling)
            axes = list(range(2, len(x.shape)))
            kept = _reductions.reduce_any(kept, axes) if axes else kept
            counted = _comparisons.select(kept, places + 1, _creation.zeros_like(places))
            lengths = _reductions.reduce_max(_padding.pad(counted, [[0, 0], [1, 0]]), 1)
        elif lengths is None:
            rows = _shaping.shape(x, out_type=int64)[0] if x.shape[0] is None else x.shape[0]
            length = width if x.shape[1] is None else x.shape[1]
            whole: Any = cls.from_uniform_row_length(_flattened(x), length, rows, validate=False)
            return whole.with_row_splits_dtype(row_splits_dtype)
        many = _conversion.cast(vector(lengths, "lengths"), int64)
        many = _arithmetic.maximum(_arithmetic.minimum(many, width), 0)
        values = _indexing.boolean_mask(x, places < _shaping.expand_dims(many, 1))
        many = _conversion.cast(many, row_splits_dtype)
        return cls.from_row_lengths(values, many, validate=False)

    @classmethod
    def _of_more_axes(
        cls, x: Any, lengths: Any, padding: Any, ragged_rank: int, kind: DTypeLike
    ) -> Self:
        """`from_tensor` where several axes become ragged: the first of them, then those behind."""
        if padding is not None:  # a row ends with its last value that is not filled up
            inner: Any = cls.from_tensor(
                _flattened(x), None, padding, ragged_rank - 1, None, row_splits_dtype=kind
            )
            rows: Any = cls.from_uniform_row_length(inner, _shaping.shape(x, out_type=int64)[1])
            return rows.with_row_splits_dtype(kind)
        whole: Any = cls.from_tensor(x, lengths, row_splits_dtype=kind)
        return whole.with_values(
            cls.from_tensor(whole.values, None, None, ragged_rank - 1, None, kind)
        )

    @classmethod
    def _with_lengths(cls, x: Any, lengths: list[Any], kind: DTypeLike) -> Self:
        """`from_tensor` with the lengths of several ragged axes."""
        whole: Any = cls.from_tensor(x, lengths[0], row_splits_dtype=kind)
        if len(lengths) == 1:
            return whole
        return whole.with_values(cls._with_lengths(whole.values, lengths[1:], kind))

    @classmethod
    def from_sparse(
        cls, st_input: SparseTensor, name: str | None = None, row_splits_dtype: DTypeLike = int64
    ) -> Self:
        """The rows of a sparse matrix whose elements stand at the front of each row, in order.

        Args:
            st_input: A SparseTensor of rank 2.
            row_splits_dtype: The dtype of the splits: int32 or int64.

        Returns:
            A RaggedTensor.

        Raises:
            InvalidArgumentError: If a row has a place without an element before one with an
                element.
            ValueError: If it is no matrix.
            TypeError: If it is not sparse.

        >>> import tfc as tf
        >>> sp = tf.sparse.from_dense([[1, 2, 0], [0, 0, 0], [3, 0, 0]])
        >>> tf.RaggedTensor.from_sparse(sp)
        <tf.RaggedTensor [[1, 2], [], [3]]>
        """
        if not isinstance(st_input, SparseTensor):
            raise blame.type_error(
                "Argument `st_input` must be of type SparseTensor, but is of type "
                f"{type(st_input).__name__}.",
                OP,
            )
        sp = sparse_operand(OP, st_input)
        if len(sp.shape) != 2:
            raise blame.value_error(f"rank(st_input) must be 2. It has shape {sp.shape}", OP)
        ids, places = sp.indices[:, 0], sp.indices[:, 1]
        found: Any = cls.from_value_rowids(sp.values, ids, sp.dense_shape[0])
        wanted = _creation.range(count_of(found.values)) - _indexing.gather(found.row_starts(), ids)
        text = "SparseTensor is not right-ragged"
        _checks.assert_equal(places, wanted, text)
        return found.with_row_splits_dtype(row_splits_dtype)
