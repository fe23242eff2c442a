"""RaggedTensor: rows of different lengths, as their values in one row and where they split.

Made of the ops of dense tensors, so that it works inside of functions and on tapes: the values are
what has gradients. What public functions do with ragged tensors is said in ops/composites.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from tfc.ir.dtypes import as_dtype, int32, int64, string

from ...core import above, blame
from ...core.containers import Expanded
from ...core.conversion import operand
from ...core.shapes import TensorShape
from ...core.tensor import SymbolicTensor, Tensor
from ...core.types import DTypeLike, ShapeLike, TensorLike
from ..arguments import known_argument as _known_argument
from ..array import conversion as _conversion
from ..array import creation as _creation
from ..array import indexing as _indexing
from ..array import joining as _joining
from ..array import padding as _padding
from ..array import shaping as _shaping
from ..math import comparisons as _comparisons
from ..math import reductions as _reductions
from ..sparse import tensor as _tensor
from .factories import OP, count_of, values_of, vector
from .partition import RaggedPartition
from .specs import Parts, RaggedTensorSpec


class RaggedTensor(RaggedPartition):
    """A tensor with rows of different lengths: row i is values[row_splits[i]:row_splits[i + 1]].

    Made by `from_row_splits` and the like, or by `tfc.ragged.constant`. `values` may be ragged too.

    Args:
        values: The class itself is not called: all rows one after the other.
        row_partition: Where they split.
        internal: Whether tfc itself makes one.

    Raises:
        ValueError: Always: use one of the factories.

    >>> import tfc as tf
    >>> tf.RaggedTensor.from_row_splits([3, 1, 4, 1, 5], row_splits=[0, 4, 4, 5])
    <tf.RaggedTensor [[3, 1, 4, 1], [], [5]]>
    """

    __slots__ = ()
    __array_priority__ = 100
    _is_tensor = True
    _met: ClassVar[bool] = False  # whether there was one before: functions are told of the first

    def __init__(self, values: Any, row_partition: Any, internal: bool = False) -> None:
        raise blame.value_error(
            "RaggedTensor constructor is private; please use one of the factory methods instead "
            "(e.g., RaggedTensor.from_row_lengths())",
            OP,
        )

    @classmethod
    def _made(cls, values: Any, row_splits: Any, uniform: Any = None) -> RaggedTensor:
        if not RaggedTensor._met:
            RaggedTensor._met = True
            above.ragged_tensors_are_met()
        found: RaggedTensor = object.__new__(cls)
        found._values, found._row_splits, found._uniform = values, row_splits, uniform
        return found

    def _parts(self) -> Expanded:
        return Parts.of((self.flat_values, *self.nested_row_splits), self._lengths())

    @property
    def _type_spec(self) -> RaggedTensorSpec:
        return RaggedTensorSpec(self.shape, self.dtype, self.ragged_rank, self._row_splits.dtype)

    def _open_in_loops(self) -> list[tuple[Any, Any]]:
        flat, inner = self.flat_values, self.nested_row_splits[1:]
        return [(flat, [None, *flat.shape[1:]]), *((s, [None]) for s in inner)]

    def _with_gradients(self) -> Tensor:
        return self.flat_values

    def _as_gradient(self, gradient: Tensor) -> RaggedTensor:
        return self.with_flat_values(gradient)

    # Into something else.

    def with_values(self, new_values: RaggedTensor | TensorLike) -> RaggedTensor:
        """Other values in the same rows.

        Args:
            new_values: As many values: a tensor, or a RaggedTensor.

        Returns:
            A RaggedTensor.

        Raises:
            ValueError: If there are more or fewer of them.
        """
        rows = values_of(new_values)
        have, want = rows.shape[0], self._values.shape[0]
        if None not in (have, want) and have != want:
            raise blame.value_error(
                f"Shapes ({want},) and ({have},) are incompatible: {have} values in the place of "
                f"{want}",
                OP,
            )
        if isinstance(rows, RaggedTensor) and rows.row_splits.dtype is not self._row_splits.dtype:
            raise blame.value_error(
                "self and new_values have mismatched row_splits dtypes; use "
                "RaggedTensor.with_row_splits_dtype() to convert them to compatible dtypes.",
                OP,
            )
        return RaggedTensor._made(rows, self._row_splits, self._uniform)

    def with_flat_values(self, new_values: RaggedTensor | TensorLike) -> RaggedTensor:
        """Other values in the same rows, of the innermost ragged axis.

        Args:
            new_values: As many values: a tensor.

        Returns:
            A RaggedTensor.

        Raises:
            ValueError: If there are more or fewer of them.
        """
        inner = self._values
        if isinstance(inner, RaggedTensor):
            return self.with_values(inner.with_flat_values(new_values))
        return self.with_values(new_values)

    def with_row_splits_dtype(self, dtype: DTypeLike) -> RaggedTensor:
        """The same with splits of another dtype.

        Args:
            dtype: int32 or int64.

        Returns:
            A RaggedTensor.

        Raises:
            ValueError: For another dtype.
        """
        if as_dtype(dtype) not in (int32, int64):
            raise blame.value_error(
                "Argument `row_splits` dtype must be int32 or int64. Received "
                f"{as_dtype(dtype)!s}.",
                OP,
            )
        inner = self._values
        if isinstance(inner, RaggedTensor):
            inner = inner.with_row_splits_dtype(dtype)
        splits = vector(self._row_splits, "row_splits", dtype)
        length = self.uniform_row_length
        uniform = None if length is None else _conversion.cast(length, dtype)
        return RaggedTensor._made(inner, splits, uniform)

    def merge_dims(self, outer_axis: int, inner_axis: int) -> Any:
        """Adjacent axes as one.

        Args:
            outer_axis: The first of them.
            inner_axis: The last of them.

        Returns:
            A RaggedTensor, or a tensor where no ragged axis is left.

        Raises:
            ValueError: If there are no such axes, or the last comes before the first.

        >>> import tfc as tf
        >>> tf.ragged.constant([[[1, 2], [3]], [[4, 5, 6]]]).merge_dims(1, 2)
        <tf.RaggedTensor [[1, 2, 3], [4, 5, 6]]>
        """
        first, last = self._axis(outer_axis, "outer_axis"), self._axis(inner_axis, "inner_axis")
        if first > last:
            raise blame.value_error(
                f"Expected outer_axis ({outer_axis}) to be less than or equal to inner_axis "
                f"({inner_axis})",
                OP,
            )
        return _merged(self, first, last)

    def to_tensor(
        self,
        default_value: TensorLike | None = None,
        name: str | None = None,
        shape: ShapeLike | None = None,
    ) -> Tensor:
        """A dense tensor, in which shorter rows are filled up.

        Args:
            default_value: What fills them up, of the dtype of the values; None: 0, False or "".
            shape: The extents, to which rows are cut or filled up; None stands for what is not to
                be changed.

        Returns:
            A tensor.

        Raises:
            InvalidArgumentError: If `shape` has another rank, or another extent for an axis that
                is not ragged, or the default value does not broadcast to a value.

        >>> import tfc as tf
        >>> print(tf.ragged.constant([[9, 8, 7], [], [6]]).to_tensor(shape=[None, 2]))
        tf.Tensor(
        [[9 8]
         [0 0]
         [6 0]], shape=(3, 2), dtype=int32)
        """
        wanted = _wanted_extents(self, shape)
        inner = self._values
        if isinstance(inner, RaggedTensor):
            inner = inner.to_tensor(default_value, shape=[None, *wanted[2:]])
        starts, lengths = self.row_starts(), self.row_lengths()
        if wanted[0] is not None:
            more = [[0, max(0, wanted[0])]]
            starts, lengths = (_padding.pad(v, more)[: wanted[0]] for v in (starts, lengths))
        kind = starts.dtype
        width = (
            _reductions.reduce_max(_joining.concat([lengths, [0]], 0))
            if wanted[1] is None
            else wanted[1]
        )
        places = _creation.range(width, dtype=kind)
        count = _conversion.cast(count_of(inner), kind)
        rows = _shaping.expand_dims(starts, 1) + places
        rows = _comparisons.select(places < _shaping.expand_dims(lengths, 1), rows, count)
        filling = _filling(inner, default_value, self.flat_values)
        return _indexing.gather(_joining.concat([inner, filling], 0), rows)

    def to_sparse(self, name: str | None = None) -> _tensor.SparseTensor:
        """A sparse tensor with the values of every row at its front.

        Returns:
            A SparseTensor.
        """
        flat = self.flat_values
        everywhere = _indexing.where(_creation.ones(_shaping.shape(flat), "bool"))
        values = _shaping.reshape(flat, [-1])
        shape = self.bounding_shape(out_type=int64)
        return _tensor.SparseTensor(coordinates(self, everywhere), values, shape)

    def to_list(self) -> list[Any]:
        """Nested lists of Python numbers (bytes for strings).

        Returns:
            A list.

        Raises:
            ValueError: If the elements are being traced.
        """
        if isinstance(self._row_splits, SymbolicTensor):
            raise blame.value_error("to_list needs elements, and these are being traced", OP)
        inner = self._values
        rows = inner.to_list() if isinstance(inner, RaggedTensor) else np.asarray(inner).tolist()
        splits = np.asarray(self._row_splits).tolist()
        return [rows[a:b] for a, b in itertools.pairwise(splits)]

    def numpy(self) -> np.ndarray:
        """The elements as NumPy has them.

        Returns:
            An ndarray of objects, with an ndarray for each row; a plain one where all rows are
            equally long.
        """
        values, splits = self._values.numpy(), self._row_splits.numpy()
        rows = [values[a:b] for a, b in itertools.pairwise(splits)]
        if len(set(splits[1:] - splits[:-1])) == 1:
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

    if TYPE_CHECKING:  # what operators.py attaches

        def __getitem__(self, index: Any) -> Any: ...

    def __bool__(self) -> bool:
        raise TypeError("RaggedTensor may not be used as a boolean.")

    def __repr__(self) -> str:
        parts = (self.flat_values, *self.nested_row_splits)
        if any(isinstance(p, SymbolicTensor) or not isinstance(p, Tensor) for p in parts):
            return f"tf.RaggedTensor(values={self._values!s}, row_splits={self._row_splits!s})"
        with np.printoptions(formatter={"all": _text}):
            return f"<tf.RaggedTensor {_text(self.numpy())}>"

    __str__ = __repr__

    def _repr_html_(self) -> str:
        """What notebooks show."""
        return above.html("ragged tensor", self)


def coordinates(x: RaggedTensor, places: Any) -> Any:
    """Places among the flat values as places in the ragged tensor: int64[number, rank]."""
    columns: list[Any] = [places[:, i] for i in range(1, places.shape[1])]
    numbers = places[:, 0]
    levels = [x]
    while isinstance(levels[-1].values, RaggedTensor):
        levels.append(levels[-1].values)
    for level in reversed(levels):
        rows = _indexing.gather(_conversion.cast(level.value_rowids(), int64), numbers)
        starts = _conversion.cast(level.row_starts(), int64)
        columns.insert(0, numbers - _indexing.gather(starts, rows))
        numbers = rows
    return _joining.stack([numbers, *columns], 1)


def _merged(value: Any, first: int, last: int) -> Any:
    """`value` with the axes from `first` to `last` as one."""
    if first == last:
        return value
    if not isinstance(value, RaggedTensor):
        extents = _shaping.shape(value)
        return _shaping.reshape(
            value, _joining.concat([extents[:first], [-1], extents[last + 1 :]], 0)
        )
    if first == 0:
        return _merged(value.values, 0, last - 1)
    inner = value.values
    if first > 1:
        return value.with_values(_merged(inner, first - 1, last - 1))
    if isinstance(inner, RaggedTensor):
        splits = _indexing.gather(inner.row_splits, value.row_splits)
        return _merged(RaggedTensor._made(inner.values, splits), 1, last - 1)
    each = _shaping.shape(inner, out_type=value.row_splits.dtype)[1]
    merged = RaggedTensor._made(_merged(inner, 0, 1), value.row_splits * each)
    return _merged(merged, 1, last - 1)


def _wanted_extents(x: RaggedTensor, shape: Any) -> list[int | None]:
    """The extents that `to_tensor` is asked for, None for those that stay as they are."""
    rank = len(x.shape)
    if shape is None or (isinstance(shape, TensorShape) and shape.rank is None):
        return [None] * rank
    if isinstance(shape, Tensor):
        known = _known_argument(shape, "shape", OP) if isinstance(shape, SymbolicTensor) else shape
        shape = np.asarray(known).tolist()
        shape = [None if e == -1 else e for e in shape]
    wanted: list[int | None] = TensorShape(shape).as_list()
    text = f"shape=[{','.join('?' if e is None else str(e) for e in wanted)}]"
    if len(wanted) != rank:
        raise blame.invalid(
            f"rt_input.shape and {text} are incompatible: rt_input.rank = {rank} but shape.rank = "
            f"{len(wanted)}",
            OP,
        )
    for axis in range(x.ragged_rank + 1, rank):
        have, want = x.shape[axis], wanted[axis]
        if None not in (have, want) and have != want:
            raise blame.invalid(
                f"rt_input.shape and {text} are incompatible: rt_input.shape[{axis}] = {have} but "
                f"shape[{axis}] = {want}",
                OP,
            )
    return wanted


def _check_filling(default: Any, flat: Any) -> None:
    """Refuse a default value that does not broadcast to one of the flat values."""
    have, want = default.shape.as_list(), flat.shape.as_list()
    both = f"default_value.shape={have} and rt_input.flat_values.shape={want} are incompatible: "
    both = both.replace(", ", ",").replace("None", "?")
    if len(have) >= len(want):
        raise blame.invalid(
            f"{both}default_value.rank = {len(have)}  must be less than "
            f"rt_input.flat_values.rank = {len(want)}",
            OP,
        )
    for axis in range(1, len(have) + 1):
        a, b = have[-axis], want[-axis]
        if None not in (a, b) and a not in (1, b):
            raise blame.invalid(
                f"{both}default_value.shape[{-axis}] = {a} but "
                f"rt_input.flat_values.shape[{-axis}] = {b}",
                OP,
            )


def _filling(inner: Tensor, default_value: TensorLike | None, flat: Tensor) -> Tensor:
    """A row of the default value, to stand behind the values."""
    shape = _joining.concat([[1], _shaping.shape(inner)[1:]], 0)
    if default_value is None:
        default_value = "" if inner.dtype is string else np.zeros((), inner.dtype.numpy)
    default = operand(OP, default_value, inner.dtype)
    _check_filling(default, flat)
    return _shaping.broadcast_to_shape(default, shape)


def _text(value: Any) -> str:
    """Rows in rows, with their numbers as TensorFlow shows them, in lines of NumPy's width."""
    if isinstance(value, np.ndarray):
        return np.array2string(value, separator=", ") if value.size else repr(value.tolist())
    return repr(value) if isinstance(value, bytes) else str(value)


def _packed(flat: Any, *splits: Any, static: Sequence[int | None] = ()) -> Any:
    lengths = static or (None,) * len(splits)
    for row_splits, length in zip(reversed(splits), reversed(lengths), strict=True):
        flat = RaggedTensor._made(flat, row_splits, length)
    return flat


Parts.make = staticmethod(_packed)
RaggedTensorSpec.make = staticmethod(_packed)
RaggedTensorSpec.value_type = RaggedTensor
