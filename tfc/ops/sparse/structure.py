"""`tfc.sparse`: sparse tensors made, turned around, cut and joined."""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from tfc.ir.dtypes import float32, int64, string

from ...core import blame, errors, nest
from ...core.conversion import operand
from ...core.formatting import shown
from ...core.tensor import SymbolicTensor, Tensor
from ...core.types import DTypeLike, ShapeLike, TensorLike
from ...dispatch.known import known_elements
from ..arguments import flag
from ..array import checks as _checks
from ..array import conversion as _conversion
from ..array import creation as _creation
from ..array import indexing as _indexing
from ..array import joining as _joining
from ..array import scatter as _scatter
from ..array import shaping as _shaping
from ..array import sorting as _sorting
from ..extents import known_extents
from ..math import arithmetic as _arithmetic
from ..math import comparisons as _comparisons
from ..math import cumulative as _cumulative
from ..math import reductions as _reductions
from .tensor import SparseTensor, filling, linear, places, sparse_operand, with_extents

_py_range = builtins.range


def from_dense(tensor: TensorLike, name: str | None = None) -> SparseTensor:
    """The elements of a dense tensor that are not 0, False or "".

    Args:
        tensor: A tensor of any dtype.

    Returns:
        A SparseTensor in row-major order.

    >>> import tfc as tf
    >>> tf.sparse.from_dense([[0, 3], [4, 0]]).indices.numpy().tolist()
    [[0, 1], [1, 0]]
    """
    x = operand("sparse.from_dense", tensor)
    indices = _indexing.where(_comparisons.not_equal(x, filling(x, None, "sparse.from_dense")))
    return SparseTensor(indices, _indexing.gather_nd(x, indices), _shaping.shape(x, out_type=int64))


@contextmanager
def _told_of(sp: SparseTensor, op: str, in_order: bool) -> Iterator[None]:
    """What is wrong with the places of a sparse tensor: the first one that is outside, or that
    does not come after the one before, as far as it is known."""
    try:
        yield
    except errors.InvalidArgumentError:
        indices, extents = known_elements(sp.indices), known_elements(sp.dense_shape)
        if indices is None or extents is None:
            raise
        bounds, before = ",".join(map(str, extents.tolist())), None
        for i, place in enumerate(indices.tolist()):
            said = f"indices[{i}] = [{','.join(map(str, place))}]"
            if any(not 0 <= n < e for n, e in zip(place, extents.tolist(), strict=True)):
                text = f"{said} is out of bounds: need 0 <= index < [{bounds}]"
                raise blame.invalid(text, op) from None
            if in_order and before is not None and place <= before:
                text = f"{said} is repeated" if place == before else f"{said} {_UNORDERED}"
                raise blame.invalid(text, op) from None
            before = place
        raise


_UNORDERED = (
    "is out of order. Many sparse ops require sorted indices. Use `tf.sparse.reorder` to create a "
    "correctly ordered copy."
)


def to_dense(
    sp_input: SparseTensor,
    default_value: TensorLike | None = None,
    validate_indices: bool = True,
    name: str | None = None,
) -> Tensor:
    """The dense tensor, with `default_value` where there is no element.

    Args:
        sp_input: A SparseTensor.
        default_value: A scalar of its dtype; None: 0, False or "".
        validate_indices: Whether places that are out of order or come twice are an error; else the
            last one of several stays.

    Returns:
        A tensor of the dtype and the shape of `sp_input`.

    Raises:
        InvalidArgumentError: If places are out of order or come twice, or lie outside of the shape;
            or `default_value` is no scalar.
        TypeError: If `sp_input` is no SparseTensor.

    >>> import tfc as tf
    >>> x = tf.SparseTensor([[0], [2]], [7, 8], [4])
    >>> print(tf.sparse.to_dense(x, default_value=-1))
    tf.Tensor([ 7 -1  8 -1], shape=(4,), dtype=int32)
    """
    op = "sparse.to_dense"
    sp = sparse_operand(op, sp_input)
    in_order = flag(validate_indices, "validate_indices", op)
    default = filling(sp.values, default_value, op)
    with _told_of(sp, op, in_order):
        return _dense(sp, default, in_order)


def _dense(sp: SparseTensor, default: Any, in_order: bool) -> Tensor:
    if in_order:
        numbers = linear(sp.indices, sp.dense_shape)
        message = f"one of the indices is repeated, or {_UNORDERED}"
        _checks.assert_equal(numbers[:-1] < numbers[1:], True, message)
    if sp.dtype is string:
        count = _shaping.shape(sp.values, out_type=int64)[0]
        whole = _creation.fill(sp.dense_shape, count)
        found = _scatter.tensor_scatter_nd_update(whole, sp.indices, _creation.range(count))
        return _indexing.gather(
            _joining.concat([sp.values, _shaping.reshape(default, [1])], 0), found
        )
    whole = _creation.fill(sp.dense_shape, default)
    return _scatter.tensor_scatter_nd_update(whole, sp.indices, sp.values)


def reorder(sp_input: SparseTensor, name: str | None = None) -> SparseTensor:
    """The same with its places in row-major order. Of places that come twice the order stays.

    Args:
        sp_input: A SparseTensor.

    Returns:
        A SparseTensor.

    Raises:
        TypeError: If `sp_input` is no SparseTensor.

    >>> import tfc as tf
    >>> tf.sparse.reorder(tf.SparseTensor([[3], [1]], [1, 2], [4])).values.numpy().tolist()
    [2, 1]
    """
    sp = sparse_operand("sparse.reorder", sp_input)
    order = _sorting.argsort(linear(sp.indices, sp.dense_shape), stable=True)
    return SparseTensor(
        _indexing.gather(sp.indices, order), _indexing.gather(sp.values, order), sp.dense_shape
    )


def retain(sp_input: SparseTensor, to_retain: TensorLike) -> SparseTensor:
    """Some of the elements.

    Args:
        sp_input: A SparseTensor.
        to_retain: Which elements stay: a bool vector with one for each.

    Returns:
        A SparseTensor of the same shape.

    Raises:
        ValueError: If the vector has another length.
        TypeError: If it is not of bools, or `sp_input` is no SparseTensor.

    >>> import tfc as tf
    >>> x = tf.SparseTensor([[0], [1], [2]], [1, 2, 3], [3])
    >>> tf.sparse.retain(x, [True, False, True]).values.numpy().tolist()
    [1, 3]
    """
    sp = sparse_operand("sparse.retain", sp_input)
    held = operand("sparse.retain", to_retain)
    return SparseTensor(
        _indexing.boolean_mask(sp.indices, held),
        _indexing.boolean_mask(sp.values, held),
        sp.dense_shape,
    )


def transpose(
    sp_input: SparseTensor, perm: Sequence[int] | None = None, name: str | None = None
) -> SparseTensor:
    """The axes in another order.

    Args:
        sp_input: A SparseTensor.
        perm: For each axis of the result the axis of `sp_input`; None: backwards.

    Returns:
        A SparseTensor in row-major order.

    Raises:
        InvalidArgumentError: If `perm` does not name each axis once.
        TypeError: If `sp_input` is no SparseTensor.

    >>> import tfc as tf
    >>> x = tf.sparse.from_dense([[0, 1, 2], [3, 0, 0]])
    >>> print(tf.sparse.to_dense(tf.sparse.transpose(x)))
    tf.Tensor(
    [[0 3]
     [1 0]
     [2 0]], shape=(3, 2), dtype=int32)
    """
    op = "sparse.transpose"
    sp = sparse_operand(op, sp_input)
    rank = _rank(sp, op)
    if isinstance(perm, SymbolicTensor) and known_elements(perm) is None:
        order = _shaping.reshape(perm, [rank])
        return reorder(
            SparseTensor(
                _indexing.gather(sp.indices, order, axis=1),
                sp.values,
                _indexing.gather(sp.dense_shape, order),
            )
        )
    if isinstance(perm, SymbolicTensor):
        perm = known_elements(perm)
    order = list(_py_range(rank))[::-1] if perm is None else np.asarray(perm).tolist()
    if sorted(order) != list(_py_range(rank)):
        raise blame.invalid(f"perm must be a permutation of {rank} axes, got {shown(perm)}", op)
    return reorder(
        SparseTensor(
            _indexing.gather(sp.indices, order, axis=1),
            sp.values,
            _permuted(sp.dense_shape, order),
        )
    )


def _permuted(extents: Tensor, order: Sequence[int]) -> Tensor:
    """The extents of a shape in another order; what is known of them stays so."""
    known = known_extents(extents)
    if known is None:
        return _indexing.gather(extents, order)
    return _shaping.shape_of(tuple([known[i] for i in order]))


def _rank(sp: SparseTensor, op: str) -> int:
    if sp.rank is None:
        raise blame.value_error("the rank must be known", op)
    return sp.rank


def _axis(axis: int | None, rank: int, op: str) -> int:
    if not isinstance(axis, int) or not -rank <= axis < rank:
        raise blame.invalid(f"axis {shown(axis)} is out of range for rank {rank}", op)
    return axis % rank


def _vector(value: ShapeLike, what: str, count: int | None, op: str) -> Tensor:
    """A vector of this many integers, as int64."""
    x = operand(op, value, dtype_hint=int64)
    if not x.dtype.is_integer:
        raise blame.invalid_dtype(f"{op}: {what} must be integers, got {x.dtype.name}", op)
    if len(x.shape) != 1 or (None not in (count, x.shape[0]) and count != x.shape[0]):
        wanted = "a vector" if count is None else f"a vector of {count} integers"
        raise blame.invalid(f"{what} must be {wanted}, got shape {x.shape}", op)
    return _conversion.cast(x, int64)


def slice(
    sp_input: SparseTensor, start: ShapeLike, size: ShapeLike, name: str | None = None
) -> SparseTensor:
    """A part of the tensor, cut where the tensor ends.

    Args:
        sp_input: A SparseTensor.
        start: The place where it begins: a vector of integers, one for each axis.
        size: Its extents: a vector of integers, one for each axis.

    Returns:
        A SparseTensor.

    Raises:
        InvalidArgumentError: If `start` or `size` has another length or is not of integers, or an
            extent is negative.
        TypeError: If `sp_input` is no SparseTensor.

    >>> import tfc as tf
    >>> x = tf.sparse.from_dense([[1, 0, 2], [0, 3, 0]])
    >>> print(tf.sparse.to_dense(tf.sparse.slice(x, [0, 1], [2, 2])))
    tf.Tensor(
    [[0 2]
     [3 0]], shape=(2, 2), dtype=int32)
    """
    op = "sparse.slice"
    sp = sparse_operand(op, sp_input)
    rank = _rank(sp, op)
    first, many = _vector(start, "start", rank, op), _vector(size, "size", rank, op)
    _checks.assert_non_negative(many, "sparse.slice: an extent of size is negative")
    return _part(sp, first, many)


def _part(sp: SparseTensor, first: Tensor, many: Tensor) -> SparseTensor:
    stop = _arithmetic.minimum(first + many, sp.dense_shape)
    extents = _arithmetic.maximum(stop - first, 0)
    inside = _reductions.reduce_all((sp.indices >= first) & (sp.indices < stop), 1)
    kept = retain(sp, inside)
    return SparseTensor(kept.indices - first, kept.values, extents)


def reshape(sp_input: SparseTensor, shape: ShapeLike, name: str | None = None) -> SparseTensor:
    """The same elements in row-major order in another shape.

    Args:
        sp_input: A SparseTensor.
        shape: The extents: a vector of integers, of which one may be -1: what is left over.

    Returns:
        A SparseTensor.

    Raises:
        InvalidArgumentError: If the shape has room for more or fewer elements, an extent is less
            than -1, or more than one is -1.
        TypeError: If `sp_input` is no SparseTensor.

    >>> import tfc as tf
    >>> x = tf.sparse.from_dense([[0, 1], [2, 0]])
    >>> print(tf.sparse.to_dense(tf.sparse.reshape(x, [-1])))
    tf.Tensor([0 1 2 0], shape=(4,), dtype=int32)
    """
    op = "sparse.reshape"
    sp = sparse_operand(op, sp_input)
    extents = _vector(shape, "shape", None, op)
    numbers = known_elements(extents)
    own = known_elements(sp.dense_shape)
    if numbers is not None:
        _check_new_shape(numbers.tolist(), None if own is None else own.tolist(), op)
    message = f"an extent of shape {shown(shape)} is less than -1"
    _checks.assert_greater_equal(extents, _creation.constant(-1, int64), message)
    unknown = _reductions.reduce_sum(_conversion.cast(extents < 0, int64))
    message = f"more than one extent of shape {shown(shape)} is -1"
    _checks.assert_less_equal(unknown, _creation.constant(1, int64), message)
    total = _reductions.reduce_prod(sp.dense_shape)
    stated = known_extents(extents)
    if stated is None or any(n == -1 for n in stated):
        known = _reductions.reduce_prod(
            _comparisons.select(extents < 0, _creation.ones_like(extents), extents)
        )
        rest = _arithmetic.floordiv(total, _arithmetic.maximum(known, 1))
        found = _comparisons.select(extents < 0, rest, extents)
        extents = found
        if stated is not None:
            extents = with_extents(
                found, [n if isinstance(n, int) and n >= 0 else None for n in stated]
            )
    message = f"Input to reshape does not have as many elements as shape {shown(shape)}"
    _checks.assert_equal(_reductions.reduce_prod(extents), total, message)
    return SparseTensor(places(linear(sp.indices, sp.dense_shape), extents), sp.values, extents)


def _check_new_shape(shape: list[int], own: list[int] | None, op: str) -> None:
    """That there is room for as many elements, as TensorFlow tells it."""
    unknown = [i for i, n in enumerate(shape) if n == -1]
    if len(unknown) > 1:
        first, second = unknown[:2]
        text = f"only one output dimension may be -1, not both {first} and {second}"
        raise blame.invalid(text, op)
    for i, n in enumerate(shape):
        if n < -1:
            raise blame.invalid(f"size {i} must be non-negative, not {n}", op)
    if own is None:
        return
    whole, known = math.prod(own), math.prod(n for n in shape if n != -1)
    if unknown and known and whole % known:
        raise blame.invalid(
            f"Input to reshape is a SparseTensor with {whole} dense values, but the requested "
            f"shape requires a multiple of {known}. input_shape={own} output_shape={shape}",
            op,
        )
    if not unknown and whole != known:
        raise blame.invalid(
            f"Input to reshape is a tensor with {whole} dense values, but the requested shape has "
            f"{known}. input_shape={own} output_shape={shape}",
            op,
        )


def expand_dims(
    sp_input: SparseTensor, axis: int | None = None, name: str | None = None
) -> SparseTensor:
    """The same with a new axis of extent 1.

    Args:
        sp_input: A SparseTensor.
        axis: The number of the new axis; negative: from the end. None: the last.

    Returns:
        A SparseTensor.

    Raises:
        InvalidArgumentError: If there is no such place.
        TypeError: If `sp_input` is no SparseTensor.

    >>> import tfc as tf
    >>> tf.sparse.expand_dims(tf.sparse.from_dense([1, 2]), 0).shape
    TensorShape([1, 2])
    """
    op = "sparse.expand_dims"
    sp = sparse_operand(op, sp_input)
    at = _axis(-1 if axis is None else axis, _rank(sp, op) + 1, op)
    zero = _creation.zeros_like(sp.indices[:, :1])
    indices = _joining.concat([sp.indices[:, :at], zero, sp.indices[:, at:]], 1)
    known = known_extents(sp.dense_shape)
    if known is not None:
        extents = _shaping.shape_of((*known[:at], 1, *known[at:]))
    else:
        one = _creation.ones([1], int64)
        extents = _joining.concat([sp.dense_shape[:at], one, sp.dense_shape[at:]], 0)
    return SparseTensor(indices, sp.values, extents)


def concat(
    axis: int,
    sp_inputs: Sequence[Any],
    expand_nonconcat_dims: bool = False,
    name: str | None = None,
) -> SparseTensor:
    """Sparse tensors one behind the other along `axis`.

    Args:
        axis: The axis.
        sp_inputs: SparseTensors of one dtype and rank: a list with at least one.
        expand_nonconcat_dims: Whether their other extents may differ: then the largest counts.

    Returns:
        A SparseTensor in row-major order.

    Raises:
        InvalidArgumentError: If the axis is not there, the dtypes differ, or other extents do.
        ValueError: If the list is empty.
        TypeError: If one is no SparseTensor.

    >>> import tfc as tf
    >>> a, b = tf.sparse.from_dense([[1, 0]]), tf.sparse.from_dense([[0, 2]])
    >>> print(tf.sparse.to_dense(tf.sparse.concat(0, [a, b])))
    tf.Tensor(
    [[1 0]
     [0 2]], shape=(2, 2), dtype=int32)
    """
    op = "sparse.concat"
    parts = [sparse_operand(op, sp) for sp in sp_inputs]
    if not parts:
        raise blame.value_error("needs at least one sparse tensor", op)
    rank = _rank(parts[0], op)
    if any(_rank(sp, op) != rank for sp in parts):
        at, other = next((i, r) for i, r in enumerate(_rank(sp, op) for sp in parts) if r != rank)
        raise blame.invalid(
            f"Ranks of all input tensors must match: expected {rank} but got {other} at position "
            f"{at}",
            op,
        )
    at = _axis(axis, rank, op)
    shapes = _joining.stack([sp.dense_shape for sp in parts])
    here = _creation.one_hot(at, rank, dtype=int64)
    widest = _reductions.reduce_max(shapes, 0)
    if not expand_nonconcat_dims:
        same = _comparisons.equal(shapes, widest) | _comparisons.equal(here, 1)
        _checks.assert_equal(
            same, True, "Input shapes must match: extents other than that of `axis` differ"
        )
    begins = _cumulative.cumsum(shapes[:, at], exclusive=True)
    moved = [sp.indices + begins[i] * here for i, sp in enumerate(parts)]
    total = _reductions.reduce_sum(shapes[:, at])
    extents = _joined(parts, at, widest * (1 - here) + total * here, expand_nonconcat_dims)
    values = _joining.concat([sp.values for sp in parts], 0)
    return reorder(SparseTensor(_joining.concat(moved, 0), values, extents))


def _joined(parts: list[SparseTensor], at: int, extents: Tensor, widest: bool) -> Tensor:
    """The extents of several tensors behind one another, with what is known of them in a trace."""
    known: list[int | None] = []
    for axis, column in enumerate(zip(*(sp.shape for sp in parts), strict=True)):
        numbers = [n for n in column if n is not None]
        if axis == at or widest:
            whole = len(numbers) == len(column)
            known.append((sum(numbers) if axis == at else max(numbers)) if whole else None)
        else:
            known.append(next(iter(numbers), None))
    stated = isinstance(extents, SymbolicTensor) and any(n is not None for n in known)
    return with_extents(extents, known) if stated else extents


def split(
    sp_input: SparseTensor | None = None,
    num_split: int | None = None,
    axis: int | None = None,
    name: str | None = None,
) -> list[SparseTensor]:
    """Parts along `axis`, as even as they can be: the first ones are the longer ones.

    Args:
        sp_input: A SparseTensor.
        num_split: How many parts: a Python integer. Those that get nothing have extent 0.
        axis: The axis.

    Returns:
        A list of SparseTensors.

    Raises:
        ValueError: If `num_split` is no positive integer.
        InvalidArgumentError: If the axis is not there.
        TypeError: If `sp_input` is no SparseTensor.

    >>> import tfc as tf
    >>> [p.shape[0] for p in tf.sparse.split(tf.sparse.from_dense([1, 2, 3]), 2, 0)]
    [2, 1]
    """
    op = "sparse.split"
    sp = sparse_operand(op, sp_input)
    rank = _rank(sp, op)
    if axis is None:
        raise blame.value_error("axis is required", op)
    at = _axis(axis, rank, op)
    if not isinstance(num_split, int):
        raise blame.value_error(f"num_split must be a positive integer, got {shown(num_split)}", op)
    if num_split < 1:
        raise blame.invalid(
            f"Value for attr 'num_split' of {num_split} must be at least minimum 1", op
        )
    have = sp.shape[at]
    if have is not None and num_split > max(have, 1):
        raise blame.invalid(
            "Input num_split should be between 1 and the splitting dimension size "
            f"({have}), got {num_split}",
            op,
        )
    extent = sp.dense_shape[at]
    short, longer = _arithmetic.floordiv(extent, num_split), _arithmetic.floormod(extent, num_split)
    here = _creation.one_hot(at, rank, dtype=int64)
    found = []
    for i in _py_range(num_split):
        begin = i * short + _arithmetic.minimum(longer, i)
        many = short + _conversion.cast(longer > i, int64)
        found.append(_part(sp, begin * here, sp.dense_shape * (1 - here) + many * here))
    return found


def eye(
    num_rows: TensorLike,
    num_columns: TensorLike | None = None,
    dtype: DTypeLike = float32,
    name: str | None = None,
) -> SparseTensor:
    """The identity matrix.

    Args:
        num_rows: How many rows: an integer.
        num_columns: How many columns; None: as many as rows.
        dtype: The dtype of its ones.

    Returns:
        A SparseTensor of rank 2.

    Raises:
        TypeError: If a number is no integer.
        InvalidArgumentError: If it is negative.

    >>> import tfc as tf
    >>> tf.sparse.eye(2, 3).indices.numpy().tolist()
    [[0, 0], [1, 1]]
    """
    op = "sparse.eye"
    sizes = [operand(op, n) for n in (num_rows, num_rows if num_columns is None else num_columns)]
    for size in sizes:
        if not size.dtype.is_integer or len(size.shape):
            raise blame.type_error(
                f"the extents must be integers, got {shown(num_rows)}, {shown(num_columns)}", op
            )
    extents = _joining.stack([_conversion.cast(size, int64) for size in sizes])
    _checks.assert_non_negative(extents, "sparse.eye: an extent is negative")
    numbers = _creation.range(_reductions.reduce_min(extents))
    ones = _creation.ones_like(numbers, dtype=dtype)
    return SparseTensor(_joining.stack([numbers, numbers], 1), ones, extents)


def reset_shape(sp_input: SparseTensor, new_shape: ShapeLike | None = None) -> SparseTensor:
    """The same elements at the same places in a tensor of another shape.

    Args:
        sp_input: A SparseTensor.
        new_shape: The extents, which are not smaller than those of `sp_input`: a vector of
            integers. None: the smallest shape that holds the elements.

    Returns:
        A SparseTensor.

    Raises:
        InvalidArgumentError: If an extent is smaller, or their number another one.
        TypeError: If `sp_input` is no SparseTensor.

    >>> import tfc as tf
    >>> tf.sparse.reset_shape(tf.SparseTensor([[1, 2]], [3], [9, 9])).shape
    TensorShape([2, 3])
    """
    op = "sparse.reset_shape"
    sp = sparse_operand(op, sp_input)
    if new_shape is None:
        lowest = _creation.zeros([1, _rank(sp, op)], int64) - 1
        extents = _reductions.reduce_max(_joining.concat([sp.indices, lowest], 0), 0) + 1
    else:
        extents = _vector(new_shape, "new_shape", sp.rank, op)
        new, own = known_elements(extents), known_elements(sp.dense_shape)
        if new is not None and own is not None and (new < own).any():
            raise blame.value_error(
                "Requested new_shape should have dimension sizes >= sp_input.shape. Found "
                f"new_shape ({new}), sp_input.shape ({own}).",
                op,
            )
        _checks.assert_less_equal(sp.dense_shape, extents, "new_shape is too small")
    return SparseTensor(sp.indices, sp.values, extents)


def map_values(op: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """A function of the values of sparse tensors, at the same places.

    Args:
        op: The function: of values, which gives a vector that is as long as they are.
        *args: Its arguments; in the place of each SparseTensor, also inside of lists, dicts and
            tuples, it gets the values.
        **kwargs: Others, by name.

    Returns:
        A SparseTensor with the places of the first one among the arguments.

    Raises:
        InvalidArgumentError: If the places or the shapes of several sparse tensors differ.
        ValueError: If there is none among the arguments, or `op` gives something of another shape.

    >>> import tfc as tf
    >>> x = tf.sparse.from_dense([0.0, 4.0, 9.0])
    >>> print(tf.sparse.map_values(tf.sqrt, x).values)
    tf.Tensor([2. 3.], shape=(2,), dtype=float32)
    """
    leaves, structure = nest.decompose((args, kwargs))
    found = [v for v in leaves if isinstance(v, SparseTensor)]
    if not found:
        raise blame.value_error("No SparseTensor in argument list of map_values", "map_values")
    for other in found[1:]:
        text = "Mismatched indices! The sparse tensors must have the same places."
        _checks.assert_equal(found[0].indices, other.indices, text)
        _checks.assert_equal(found[0].dense_shape, other.dense_shape, text)
    plain = [v.values if isinstance(v, SparseTensor) else v for v in leaves]
    inner_args, inner_kwargs = structure.pack(plain)
    return found[0].with_values(op(*inner_args, **inner_kwargs))
