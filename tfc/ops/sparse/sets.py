"""`tfc.sets`: the last axis of a tensor holds sets, one for each place along the other axes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tfc.ir.dtypes import int32, int64, string

from ...core import blame as _blame
from ...core.conversion import operand as _operand
from ...core.tensor import Tensor
from ...core.types import TensorLike
from ..arguments import flag as _flag
from ..array import arrange as _arrange
from ..array import checks as _checks
from ..array import conversion as _conversion
from ..array import creation as _creation
from ..array import indexing as _indexing
from ..array import joining as _joining
from ..array import shaping as _shaping
from ..array import sorting as _sorting
from ..array import unique as _unique
from ..math import arithmetic as _arithmetic
from ..math import cumulative as _cumulative
from ..math import reductions as _reductions
from ..math import segments as _segments
from .tensor import SparseTensor as _SparseTensor
from .tensor import linear as _linear
from .tensor import places as _places

# A set element is a number: that of its set, times how many values there are, plus its value's
# rank among them. Then ops on sets are ops on vectors of numbers.


def _elements(op: str, x: _SparseTensor | TensorLike) -> tuple[Any, Any, Any]:
    """The set that each element is in, its value, and the shape of the sets."""
    if not isinstance(x, _SparseTensor):
        dense = _operand(op, x)
        if not len(dense.shape):
            raise _blame.invalid("sets need at least one axis, got a scalar", op)
        shape = _shaping.shape(dense, out_type=int64)
        total = _reductions.reduce_prod(shape[:-1])
        sets = _arrange.repeat(_creation.range(total), shape[-1])
        values = _shaping.reshape(dense, [-1])
    else:
        shape, values = x.dense_shape, x.values
        sets = _linear(x.indices[:, :-1], shape[:-1])
    if not (values.dtype.is_integer or values.dtype is string):
        raise _blame.type_error(
            f"{op}: sets are of integers or strings: {values.dtype!r} is an invalid dtype, not in "
            "supported dtypes",
            op,
        )
    return sets, values, shape[:-1]


def _sorted(numbers: Tensor) -> Tensor:
    return _sorting.sort(_unique.unique(numbers)[0])


def _combined(
    op: str,
    a: _SparseTensor | TensorLike,
    b: _SparseTensor | TensorLike,
    function: Callable[[Tensor, Tensor], Tensor],
) -> _SparseTensor:
    if isinstance(a, _SparseTensor) and not isinstance(b, _SparseTensor):
        b = _operand(op, b, dtype_hint=a.dtype)
    a_sets, a_values, shape = _elements(op, a)
    b_sets, b_values, other = _elements(op, b)
    if a_values.dtype is not b_values.dtype:
        raise _blame.type_error(f"Types don't match, {a_values.dtype!r} vs {b_values.dtype!r}.", op)
    if shape.shape[0] != other.shape[0]:
        raise _blame.invalid("the operands must have the same rank", op)
    message = "the extents of the operands must be the same but for the last"
    _checks.assert_equal(shape, other, message)
    found, numbers = _unique.unique(_joining.concat([a_values, b_values], 0), out_idx=int64)
    order = _sorting.argsort(found)
    ranks = _indexing.gather(_conversion.cast(_sorting.invert_permutation(order), int64), numbers)
    count = _arithmetic.maximum(_shaping.shape(found, out_type=int64)[0], 1)
    split = _shaping.shape(a_values, out_type=int64)[0]
    first = _sorted(a_sets * count + ranks[:split])
    second = _sorted(b_sets * count + ranks[split:])
    kept = _sorted(function(first, second))
    sets, ranks = _arithmetic.floordiv(kept, count), _arithmetic.floormod(kept, count)
    total = _reductions.reduce_prod(shape)
    sizes = _segments.unsorted_segment_sum(_creation.ones_like(sets), sets, total)
    begins = _cumulative.cumsum(sizes, exclusive=True)
    place = _creation.range(_shaping.shape(kept, out_type=int64)[0]) - _indexing.gather(
        begins, sets
    )
    indices = _joining.concat([_places(sets, shape), _shaping.expand_dims(place, 1)], 1)
    largest = _reductions.reduce_max(_joining.concat([sizes, [0]], 0))
    extents = _joining.concat([shape, _shaping.reshape(largest, [1])], 0)
    return _SparseTensor(indices, _indexing.gather(_indexing.gather(found, order), ranks), extents)


def intersection(
    a: _SparseTensor | TensorLike, b: _SparseTensor | TensorLike, validate_indices: bool = True
) -> _SparseTensor:
    """What is in both sets, of each pair.

    Args:
        a: The first sets: a tensor or SparseTensor of integers or strings, with one set along the
            last axis for each place along the others. An element that comes twice counts once.
        b: The second sets, of the same dtype and shape but for the last extent.
        validate_indices: Not used.

    Returns:
        A SparseTensor with the sets' elements in order along the last axis.

    Raises:
        TypeError: If the dtypes differ, or are neither integers nor strings.
        InvalidArgumentError: If the ranks or extents but the last differ.

    >>> import tfc as tf
    >>> print(tf.sparse.to_dense(tf.sets.intersection([[1, 2, 3]], [[3, 9, 2]])))
    tf.Tensor([[2 3]], shape=(1, 2), dtype=int32)
    """

    def both(x: Tensor, y: Tensor) -> Tensor:
        return _unique.setdiff1d(x, _unique.setdiff1d(x, y)[0])[0]

    return _combined("sets.intersection", a, b, both)


def union(
    a: _SparseTensor | TensorLike, b: _SparseTensor | TensorLike, validate_indices: bool = True
) -> _SparseTensor:
    """What is in one set or the other, of each pair.

    Args:
        a: The first sets: a tensor or SparseTensor of integers or strings, with one set along the
            last axis for each place along the others. An element that comes twice counts once.
        b: The second sets, of the same dtype and shape but for the last extent.
        validate_indices: Not used.

    Returns:
        A SparseTensor with the sets' elements in order along the last axis.

    Raises:
        TypeError: If the dtypes differ, or are neither integers nor strings.
        InvalidArgumentError: If the ranks or extents but the last differ.

    >>> import tfc as tf
    >>> print(tf.sparse.to_dense(tf.sets.union([[1, 2, 2]], [[3, 9, 2]])))
    tf.Tensor([[1 2 3 9]], shape=(1, 4), dtype=int32)
    """
    return _combined("sets.union", a, b, lambda x, y: _joining.concat([x, y], 0))


def difference(
    a: _SparseTensor | TensorLike,
    b: _SparseTensor | TensorLike,
    aminusb: bool = True,
    validate_indices: bool = True,
) -> _SparseTensor:
    """What is in the first set and not in the second, of each pair.

    Args:
        a: The first sets: a tensor or SparseTensor of integers or strings, with one set along the
            last axis for each place along the others. An element that comes twice counts once.
        b: The second sets, of the same dtype and shape but for the last extent.
        aminusb: Whether it is this way round; else what is in the second and not in the first.
        validate_indices: Not used.

    Returns:
        A SparseTensor with the sets' elements in order along the last axis.

    Raises:
        TypeError: If the dtypes differ, or are neither integers nor strings.
        InvalidArgumentError: If the ranks or extents but the last differ.

    >>> import tfc as tf
    >>> print(tf.sparse.to_dense(tf.sets.difference([[1, 2, 3]], [[3, 9, 2]])))
    tf.Tensor([[1]], shape=(1, 1), dtype=int32)
    """
    if not _flag(aminusb, "aminusb", "sets.difference"):
        a, b = b, a
    return _combined("sets.difference", a, b, lambda x, y: _unique.setdiff1d(x, y)[0])


def size(a: _SparseTensor | TensorLike, validate_indices: bool = True) -> Tensor:
    """How many different elements each set has.

    Args:
        a: Sets: a tensor or SparseTensor of integers or strings, with one set along the last axis
            for each place along the others.
        validate_indices: Not used.

    Returns:
        A dense int32 tensor with the extents of `a` but the last.

    Raises:
        TypeError: If the elements are neither integers nor strings.
        InvalidArgumentError: If `a` is a scalar.

    >>> import tfc as tf
    >>> print(tf.sets.size(tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [5, 5, 7], [2, 2])))
    tf.Tensor([1 1], shape=(2,), dtype=int32)
    """
    op = "sets.size"
    sets, values, shape = _elements(op, a)
    found, numbers = _unique.unique(values, out_idx=int64)
    count = _arithmetic.maximum(_shaping.shape(found, out_type=int64)[0], 1)
    kept = _arithmetic.floordiv(_unique.unique(sets * count + numbers)[0], count)
    total = _reductions.reduce_prod(shape)
    sizes = _segments.unsorted_segment_sum(_creation.ones_like(kept, dtype=int32), kept, total)
    return _shaping.reshape(sizes, shape)


__all__ = ["difference", "intersection", "size", "union"]
