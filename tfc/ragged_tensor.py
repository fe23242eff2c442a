"""RaggedTensor: rows of different lengths, as their values one after the other and where they split.

Made of the ops of dense tensors, so that it works inside of functions and on tapes: the values are
what has gradients. There are no operators on whole ragged tensors but arithmetic and comparisons;
`tfc.ragged.map_flat_values` applies any function to the values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import tfc as _tfc
from tfc.ir.dtypes import as_dtype, int32, int64, string

from . import blame, formatting, nest
from .shapes import TensorShape
from .tensor import Held, SymbolicTensor, Tensor, operand, shown

_SPLITS = "RaggedTensor"


def _vector(value: Any, what: str, dtype: Any = None) -> Any:
    """A vector of int32 or int64."""
    x = operand(_SPLITS, value, dtype_hint=int64)
    if dtype is not None and x.dtype is not as_dtype(dtype) and x.dtype.is_integer:
        x = _tfc.cast(x, dtype)
    if x.dtype not in (int32, int64):
        raise blame.type_error(f"{what} must be int32 or int64, got {x.dtype.name}", _SPLITS)
    if len(x.shape) != 1:
        raise blame.value_error(f"{what} must be a vector, got shape {x.shape}", _SPLITS)
    return x


def _values_of(value: Any) -> Any:
    if isinstance(value, RaggedTensor):
        return value
    x = operand(_SPLITS, value)
    if not len(x.shape):
        raise blame.value_error("values must have at least one axis, got a scalar", _SPLITS)
    return x


def _count(values: Any) -> Any:
    """How many rows there are, as an int64 scalar."""
    if isinstance(values, RaggedTensor):
        return values.nrows(int64)
    return _tfc.shape(values, out_type=int64)[0]


class RaggedTensor(nest.Composite):
    """A tensor with rows of different lengths: row i is values[row_splits[i]:row_splits[i + 1]].

    Made by `from_row_splits` and the like, or by `tfc.ragged.constant`. `values` may be ragged too.

    >>> import tfc as tf
    >>> tf.RaggedTensor.from_row_splits([3, 1, 4, 1, 5], row_splits=[0, 4, 4, 5])
    <tf.RaggedTensor [[3, 1, 4, 1], [], [5]]>
    """

    __slots__ = ("__weakref__", "_row_splits", "_values")
    __array_priority__ = 100

    _values: Any
    _row_splits: Any

    def __init__(self, values: Any, row_splits: Any = None, **unused: Any) -> None:
        raise blame.type_error("use RaggedTensor.from_row_splits or tfc.ragged.constant", _SPLITS)

    @classmethod
    def _made(cls, values: Any, row_splits: Any) -> RaggedTensor:
        found: RaggedTensor = object.__new__(cls)
        found._values, found._row_splits = values, row_splits
        return found

    def _parts(self) -> nest.Expanded:
        inner = self._values
        return _Parts((inner._parts() if isinstance(inner, RaggedTensor) else inner, self.row_splits))

    # Ways to say where rows end.

    @classmethod
    def from_row_splits(
        cls, values: Any, row_splits: Any, name: Any = None, validate: bool = True
    ) -> RaggedTensor:
        """Row i is values[row_splits[i]:row_splits[i + 1]]. The splits begin with 0, do not fall,
        and end with the number of values; where they do not, and `validate` is set, that is an
        InvalidArgumentError."""
        rows, splits = _values_of(values), _vector(row_splits, "row_splits")
        if splits.shape[0] == 0:
            raise blame.value_error("row_splits must not be empty", _SPLITS)
        if isinstance(rows, RaggedTensor) and rows.row_splits.dtype is not splits.dtype:
            splits = _tfc.cast(splits, rows.row_splits.dtype)
        if validate:
            check = _tfc.debugging
            check.assert_equal(splits[0], 0, "Arguments to from_row_splits: begin with 0.")
            rising = splits[:-1] <= splits[1:]
            check.assert_equal(rising, True, "Arguments to from_row_splits: row_splits must rise.")
            last = _tfc.cast(splits[-1], int64)
            check.assert_equal(last, _count(rows), "Arguments to from_row_splits: end with nvals.")
        return cls._made(rows, splits)

    @classmethod
    def from_row_lengths(
        cls, values: Any, row_lengths: Any, name: Any = None, validate: bool = True
    ) -> RaggedTensor:
        """Row i has row_lengths[i] values.

        >>> import tfc as tf
        >>> tf.RaggedTensor.from_row_lengths([1, 2, 3], [2, 0, 1])
        <tf.RaggedTensor [[1, 2], [], [3]]>
        """
        lengths = _vector(row_lengths, "row_lengths")
        splits = _tfc.concat([_tfc.zeros([1], lengths.dtype), _tfc.cumsum(lengths)], 0)
        return cls.from_row_splits(values, splits, validate=validate)

    @classmethod
    def from_value_rowids(
        cls,
        values: Any,
        value_rowids: Any,
        nrows: Any = None,
        name: Any = None,
        validate: bool = True,
    ) -> RaggedTensor:
        """Value k belongs to row value_rowids[k]; these do not fall. There are `nrows` rows, by
        default up to the last one that has a value.

        >>> import tfc as tf
        >>> tf.RaggedTensor.from_value_rowids([1, 2, 3], [0, 0, 2], nrows=4)
        <tf.RaggedTensor [[1, 2], [], [3], []]>
        """
        ids = _vector(value_rowids, "value_rowids")
        if validate:
            text = "Arguments to from_value_rowids: value_rowids must rise."
            _tfc.debugging.assert_equal(ids[:-1] <= ids[1:], True, text)
        if nrows is None:
            nrows = _tfc.reduce_max(_tfc.concat([ids, [-1]], 0)) + 1
        lengths = _tfc.math.unsorted_segment_sum(_tfc.ones_like(ids), ids, nrows)
        return cls.from_row_lengths(values, lengths, validate=validate)

    @classmethod
    def from_row_starts(
        cls, values: Any, row_starts: Any, name: Any = None, validate: bool = True
    ) -> RaggedTensor:
        """Row i begins with value row_starts[i]."""
        rows, starts = _values_of(values), _vector(row_starts, "row_starts")
        end = _tfc.reshape(_tfc.cast(_count(rows), starts.dtype), [1])
        return cls.from_row_splits(rows, _tfc.concat([starts, end], 0), validate=validate)

    @classmethod
    def from_row_limits(
        cls, values: Any, row_limits: Any, name: Any = None, validate: bool = True
    ) -> RaggedTensor:
        """Row i ends before value row_limits[i]."""
        limits = _vector(row_limits, "row_limits")
        splits = _tfc.concat([_tfc.zeros([1], limits.dtype), limits], 0)
        return cls.from_row_splits(values, splits, validate=validate)

    @classmethod
    def from_uniform_row_length(
        cls,
        values: Any,
        uniform_row_length: Any,
        nrows: Any = None,
        validate: bool = True,
        name: Any = None,
    ) -> RaggedTensor:
        """Every row has `uniform_row_length` values."""
        rows = _values_of(values)
        length = _tfc.cast(operand(_SPLITS, uniform_row_length), int64)
        if nrows is None:
            nrows = _tfc.math.floordiv(_count(rows), _tfc.maximum(length, 1))
        splits = _tfc.range(_tfc.cast(operand(_SPLITS, nrows), int64) + 1) * length
        return cls.from_row_splits(rows, splits, validate=validate)

    @classmethod
    def from_nested_row_splits(
        cls,
        flat_values: Any,
        nested_row_splits: Sequence[Any],
        name: Any = None,
        validate: bool = True,
    ) -> RaggedTensor:
        """The splits of every ragged axis, the outermost first."""
        found = flat_values
        for splits in reversed(list(nested_row_splits)):
            found = cls.from_row_splits(found, splits, validate=validate)
        result: RaggedTensor = found
        return result

    @classmethod
    def from_nested_row_lengths(
        cls,
        flat_values: Any,
        nested_row_lengths: Sequence[Any],
        name: Any = None,
        validate: bool = True,
    ) -> RaggedTensor:
        """The row lengths of every ragged axis, the outermost first."""
        found = flat_values
        for lengths in reversed(list(nested_row_lengths)):
            found = cls.from_row_lengths(found, lengths, validate=validate)
        result: RaggedTensor = found
        return result

    @classmethod
    def from_tensor(
        cls,
        tensor: Any,
        lengths: Any = None,
        padding: Any = None,
        ragged_rank: int = 1,
        name: Any = None,
        row_splits_dtype: Any = int64,
    ) -> RaggedTensor:
        """The rows of a dense tensor, cut to their `lengths`, or without the `padding` at their
        ends; whole otherwise. Only the second axis becomes ragged.

        >>> import tfc as tf
        >>> tf.RaggedTensor.from_tensor([[5, 7, 0], [0, 3, 0], [0, 0, 0]], padding=0)
        <tf.RaggedTensor [[5, 7], [0, 3], []]>
        """
        x = operand(_SPLITS, tensor)
        if len(x.shape) < 2 or ragged_rank != 1:
            raise blame.unimplemented(
                f"from_tensor needs a tensor of at least two axes and ragged_rank=1, got "
                f"{x.shape} and {ragged_rank}",
                _SPLITS,
            )
        if lengths is not None and padding is not None:
            raise blame.value_error("Specify argument `lengths` or `padding`, but not both", _SPLITS)
        width = _tfc.shape(x, out_type=int64)[1]
        places = _tfc.range(width)
        if padding is not None:
            kept = _tfc.not_equal(x, operand(_SPLITS, padding, x.dtype))
            axes = list(range(2, len(x.shape)))
            kept = _tfc.reduce_any(kept, axes) if axes else kept
            counted = _tfc.where(kept, places + 1, _tfc.zeros_like(places))
            lengths = _tfc.reduce_max(_tfc.pad(counted, [[0, 0], [1, 0]]), 1)
        elif lengths is None:
            lengths = _tfc.fill([_tfc.shape(x)[0]], width)
        many = _tfc.cast(_vector(lengths, "lengths"), int64)
        many = _tfc.maximum(_tfc.minimum(many, width), 0)
        values = _tfc.boolean_mask(x, places < _tfc.expand_dims(many, 1))
        many = _tfc.cast(many, row_splits_dtype)
        return cls.from_row_lengths(values, many, validate=False)

    @classmethod
    def from_sparse(cls, st_input: Any, name: Any = None, row_splits_dtype: Any = int64) -> Any:
        """The rows of a sparse matrix whose elements stand at the front of each row, in order.

        >>> import tfc as tf
        >>> sp = tf.sparse.from_dense([[1, 2, 0], [0, 0, 0], [3, 0, 0]])
        >>> tf.RaggedTensor.from_sparse(sp)
        <tf.RaggedTensor [[1, 2], [], [3]]>
        """
        if len(st_input.shape) != 2:
            raise blame.value_error(f"needs a sparse matrix, got shape {st_input.shape}", _SPLITS)
        ids, places = st_input.indices[:, 0], st_input.indices[:, 1]
        found = cls.from_value_rowids(st_input.values, ids, st_input.dense_shape[0])
        wanted = _tfc.range(_count(found.values)) - _tfc.gather(found.row_starts(), ids)
        text = "SparseTensor is not right-ragged"
        _tfc.debugging.assert_equal(places, wanted, text)
        return found.with_row_splits_dtype(row_splits_dtype)

    # What it is.

    @property
    def values(self) -> Any:
        """All rows one after the other: a tensor, or one that is ragged itself."""
        return self._values

    @property
    def flat_values(self) -> Any:
        """The values of the innermost ragged axis: a tensor."""
        return self._values.flat_values if isinstance(self._values, RaggedTensor) else self._values

    @property
    def row_splits(self) -> Any:
        """Where rows begin and end, a vector with one element more than there are rows."""
        return self._row_splits

    @property
    def nested_row_splits(self) -> tuple[Any, ...]:
        """The splits of every ragged axis, the outermost first."""
        inner = self._values
        more = inner.nested_row_splits if isinstance(inner, RaggedTensor) else ()
        return (self._row_splits, *more)

    @property
    def ragged_rank(self) -> int:
        """The number of ragged axes."""
        return len(self.nested_row_splits)

    @property
    def dtype(self) -> Any:
        """The element type."""
        return self._values.dtype

    @property
    def shape(self) -> TensorShape:
        """The extents; None for ragged axes."""
        count = self._row_splits.shape[0]
        first = None if count is None else count - 1
        return TensorShape([first, None]).concatenate(self._values.shape[1:])

    def get_shape(self) -> TensorShape:
        """The same as `shape`."""
        return self.shape

    @property
    def uniform_row_length(self) -> None:
        """The length that all rows have by construction: it is not kept, None."""
        return None

    def nrows(self, out_type: Any = None, name: Any = None) -> Any:
        """The number of rows, as a scalar."""
        kind = self._row_splits.dtype if out_type is None else as_dtype(out_type)
        return _tfc.shape(self._row_splits, out_type=kind)[0] - 1

    def row_starts(self, name: Any = None) -> Any:
        """The number of the first value of each row."""
        return self._row_splits[:-1]

    def row_limits(self, name: Any = None) -> Any:
        """The number of the value behind each row."""
        return self._row_splits[1:]

    def row_lengths(self, axis: int = 1, name: Any = None) -> Any:
        """The number of values in each row."""
        if axis != 1:
            raise blame.unimplemented(f"row_lengths of axis {axis}: only of axis 1", _SPLITS)
        return self.row_limits() - self.row_starts()

    def nested_row_lengths(self, name: Any = None) -> tuple[Any, ...]:
        """The row lengths of every ragged axis, the outermost first."""
        return tuple(s[1:] - s[:-1] for s in self.nested_row_splits)

    def value_rowids(self, name: Any = None) -> Any:
        """The row of each value."""
        return _tfc.repeat(_tfc.range(self.nrows()), self.row_lengths())

    def bounding_shape(self, axis: Any = None, name: Any = None, out_type: Any = None) -> Any:
        """The shape of `to_tensor()`: the longest row counts.

        >>> import tfc as tf
        >>> print(tf.ragged.constant([[1, 2, 3], [4]]).bounding_shape())
        tf.Tensor([2 3], shape=(2,), dtype=int64)
        """
        kind = self._row_splits.dtype if out_type is None else as_dtype(out_type)
        longest = [
            _tfc.cast(_tfc.reduce_max(_tfc.concat([lengths, [0]], 0)), kind)
            for lengths in self.nested_row_lengths()
        ]
        rest = _tfc.shape(self.flat_values, out_type=kind)[1:]
        whole = _tfc.concat([_tfc.stack([self.nrows(kind), *longest]), rest], 0)
        return whole if axis is None else _tfc.gather(whole, axis)

    # Into something else.

    def with_values(self, new_values: Any) -> RaggedTensor:
        """Other values in the same rows."""
        rows = _values_of(new_values)
        have, want = rows.shape[0], self._values.shape[0]
        if None not in (have, want) and have != want:
            raise blame.value_error(f"{have} values in the place of {want}", _SPLITS)
        return RaggedTensor._made(rows, self._row_splits)

    def with_flat_values(self, new_values: Any) -> RaggedTensor:
        """Other values in the same rows, of the innermost ragged axis."""
        inner = self._values
        if isinstance(inner, RaggedTensor):
            return self.with_values(inner.with_flat_values(new_values))
        return self.with_values(new_values)

    def with_row_splits_dtype(self, dtype: Any) -> RaggedTensor:
        """The same with splits of int32 or int64."""
        inner = self._values
        if isinstance(inner, RaggedTensor):
            inner = inner.with_row_splits_dtype(dtype)
        return RaggedTensor._made(inner, _vector(self._row_splits, "row_splits", dtype))

    def to_tensor(self, default_value: Any = None, name: Any = None, shape: Any = None) -> Any:
        """A dense tensor, in which shorter rows end with the `default_value` (0, False or "").
        `shape` (None for what is not to be changed) cuts it or fills it up.

        >>> import tfc as tf
        >>> print(tf.ragged.constant([[9, 8, 7], [], [6]]).to_tensor(shape=[None, 2]))
        tf.Tensor(
        [[9 8]
         [0 0]
         [6 0]], shape=(3, 2), dtype=int32)
        """
        wanted = [None] * 2 if shape is None else TensorShape(shape).as_list()
        if shape is not None and len(wanted) != len(self.shape):
            raise blame.value_error(
                f"shape {shown(shape)} for a ragged tensor of shape {self.shape}", _SPLITS
            )
        inner = self._values
        if isinstance(inner, RaggedTensor):
            inner = inner.to_tensor(default_value, shape=None if shape is None else [None, *wanted[2:]])
        elif any(w not in (None, e) for w, e in zip(wanted[2:], inner.shape[1:], strict=False)):
            raise blame.value_error(f"only ragged axes can be changed, got {shown(shape)}", _SPLITS)
        starts, lengths = self.row_starts(), self.row_lengths()
        if wanted[0] is not None:
            more = [[0, max(0, wanted[0])]]
            starts, lengths = (_tfc.pad(v, more)[: wanted[0]] for v in (starts, lengths))
        kind = starts.dtype
        width = _tfc.reduce_max(_tfc.concat([lengths, [0]], 0)) if wanted[1] is None else wanted[1]
        places = _tfc.range(width, dtype=kind)
        count = _tfc.cast(_count(inner), kind)
        rows = _tfc.expand_dims(starts, 1) + places
        rows = _tfc.where(places < _tfc.expand_dims(lengths, 1), rows, count)
        return _tfc.gather(_tfc.concat([inner, _filling(inner, default_value)], 0), rows)

    def to_sparse(self, name: Any = None) -> Any:
        """A SparseTensor with the values of every row at its front. Of one ragged axis alone."""
        if self.ragged_rank != 1 or len(self._values.shape) != 1:
            raise blame.unimplemented(f"to_sparse of shape {self.shape}: only of matrices", _SPLITS)
        rows = self.value_rowids()
        places = _tfc.range(_tfc.shape(rows, out_type=rows.dtype)[0])
        columns = places - _tfc.gather(self.row_starts(), rows)
        indices = _tfc.cast(_tfc.stack([rows, columns], 1), int64)
        return _tfc.SparseTensor(indices, self._values, self.bounding_shape(out_type=int64))

    def to_list(self) -> list[Any]:
        """Nested lists of Python numbers (bytes for strings)."""
        if isinstance(self._row_splits, SymbolicTensor):
            raise blame.value_error("to_list needs elements, and these are being traced", _SPLITS)
        inner = self._values
        rows = inner.to_list() if isinstance(inner, RaggedTensor) else np.asarray(inner).tolist()
        splits = np.asarray(self._row_splits).tolist()
        return [rows[a:b] for a, b in zip(splits, splits[1:], strict=False)]

    def numpy(self) -> np.ndarray:
        """An ndarray of objects, with an ndarray for each row; a plain one where all rows are
        equally long."""
        rows = [np.asarray(v) if isinstance(v, Tensor) else v.numpy() for v in self]
        if len({row.shape for row in rows}) == 1:
            return np.stack(rows)
        found = np.empty(len(rows), object)
        for i, row in enumerate(rows):
            found[i] = row
        return found

    # As a sequence, and arithmetic.

    def __len__(self) -> int:
        return len(self._row_splits) - 1

    def __iter__(self) -> Any:
        return iter([self[i] for i in range(len(self))])

    def __getitem__(self, index: Any) -> Any:
        """A row, by its number, or a slice of rows with step 1; then an index into the row."""
        if isinstance(index, tuple):
            first, *rest = index
            if not rest or isinstance(first, slice):
                return self[first] if not rest else self._columns(first, rest)
            return self[first][tuple(rest)]
        if isinstance(index, slice):
            if index.step not in (None, 1):
                raise blame.unimplemented("slices of ragged tensors have the step 1", _SPLITS)
            starts, limits = self.row_starts()[index], self.row_limits()[index]
            first, last = (0, 0) if len(starts) == 0 else (starts[0], limits[-1])
            splits = _tfc.concat([starts - first, [last - first]], 0)
            return RaggedTensor._made(self._values[first:last], splits)
        number = index if isinstance(index, Held) else int(index)
        return self._values[self.row_starts()[number] : self.row_limits()[number]]

    def _columns(self, first: slice, rest: Sequence[Any]) -> Any:
        """`x[a:b, c:d]`: the same part of every row."""
        rows = self[first]
        if len(rest) > 1 or not isinstance(rest[0], slice):
            raise blame.unimplemented("of several rows only slices x[a:b, c:d] are taken", _SPLITS)
        return from_rows([row[rest[0]] for row in rows], rows)

    def __repr__(self) -> str:
        if isinstance(self._row_splits, SymbolicTensor):
            return f"tf.RaggedTensor(values={self._values!r}, row_splits={self._row_splits!r})"
        return f"<tf.RaggedTensor {_text(self)}>"

    __str__ = __repr__


def from_rows(rows: Sequence[Any], like: RaggedTensor) -> RaggedTensor:
    """A ragged tensor of the given rows; of the kind of `like` where there are none."""
    lengths = [_count(row) for row in rows]
    if not rows:
        return like[:0]
    if isinstance(rows[0], RaggedTensor):
        raise blame.unimplemented("columns of more than one ragged axis are not taken", _SPLITS)
    return RaggedTensor.from_row_lengths(_tfc.concat(rows, 0), _tfc.stack(lengths), validate=False)


def _filling(inner: Any, default_value: Any) -> Any:
    """A row of the default value, to stand behind the values."""
    shape = _tfc.concat([[1], _tfc.shape(inner)[1:]], 0)
    if default_value is None:
        default_value = "" if inner.dtype is string else np.zeros((), inner.dtype.numpy)
    return _tfc.broadcast_to(operand(_SPLITS, default_value, inner.dtype), shape)


def _text(value: RaggedTensor) -> str:
    """Nested lists with the numbers as TensorFlow shows them."""
    if isinstance(value.values, RaggedTensor):
        return f"[{', '.join(_text(row) for row in value)}]"
    rows = [
        formatting.value_text(np.asarray(row), is_repr=False) if len(row.shape) > 1
        else "[" + ", ".join(_number(n) for n in np.asarray(row)) + "]"
        for row in value
    ]
    return f"[{', '.join(rows)}]"


def _number(value: Any) -> str:
    return repr(value) if isinstance(value, bytes) else str(value)


class _Parts(nest.Expanded):
    make = RaggedTensor._made


def _lifted(function: Callable[..., Any], swapped: bool = False) -> Callable[..., Any]:
    def operator(self: Any, other: Any) -> Any:
        from .ragged import map_flat_values

        pair = (other, self) if swapped else (self, other)
        return map_flat_values(function, *pair)

    return operator


def _install() -> None:
    """Python's operators, on the values of ragged tensors with the same rows, or with a scalar."""
    math = _tfc.math
    for name, function in {
        "add": math.add,
        "sub": math.subtract,
        "mul": math.multiply,
        "truediv": math.divide,
        "floordiv": math.floordiv,
        "mod": math.floormod,
        "pow": math.pow,
    }.items():
        setattr(RaggedTensor, f"__{name}__", _lifted(function))
        setattr(RaggedTensor, f"__r{name}__", _lifted(function, swapped=True))
    for name, function in {
        "eq": math.equal,
        "ne": math.not_equal,
        "lt": math.less,
        "le": math.less_equal,
        "gt": math.greater,
        "ge": math.greater_equal,
    }.items():
        setattr(RaggedTensor, f"__{name}__", _lifted(function))
    RaggedTensor.__neg__ = lambda self: self.with_flat_values(-self.flat_values)  # type: ignore
    RaggedTensor.__hash__ = None  # type: ignore[assignment]


_install()
