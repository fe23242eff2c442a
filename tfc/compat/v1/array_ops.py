"""`tfc.compat.v1`: functions of tensors whose arguments or results were others in TensorFlow 1."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import tfc
from tfc.core import blame

from ..graphs.session import SparseTensorValue

if TYPE_CHECKING:
    from tfc.core.tensor import Tensor
    from tfc.core.types import AxisLike, DTypeLike, TensorLike


def _reduction(name: str, x: str, shown: str) -> Callable[..., Any]:
    function = getattr(tfc, name)

    def reduce(
        input_tensor: TensorLike,
        axis: AxisLike | None = None,
        keepdims: bool | None = None,
        name: str | None = None,
        reduction_indices: AxisLike | None = None,
        keep_dims: bool | None = None,
    ) -> Tensor:
        for old, new, names in (
            (reduction_indices, axis, ("reduction_indices", "axis")),
            (keep_dims, keepdims, ("keep_dims", "keepdims")),
        ):
            if old is not None and new is not None:
                text = f"Cannot specify both '{names[0]}' and '{names[1]}'."
                raise blame.value_error(text, function.__name__)
        axis = reduction_indices if axis is None else axis
        return function(input_tensor, axis, bool(keep_dims if keepdims is None else keepdims))

    reduce.__name__ = reduce.__qualname__ = name
    reduce.__doc__ = f"""As tfc.{name}, with TensorFlow 1's argument names too.

    >>> import tfc.compat.v1 as tf
    >>> tf.{name}({x}, reduction_indices=[1]).numpy().tolist()
    {shown}
    """
    return reduce


reduce_all = _reduction("reduce_all", "[[True, False]]", "[False]")
reduce_any = _reduction("reduce_any", "[[True, False]]", "[True]")
reduce_max = _reduction("reduce_max", "[[1, 3, 2]]", "[3]")
reduce_min = _reduction("reduce_min", "[[1, 3, 2]]", "[1]")
reduce_mean = _reduction("reduce_mean", "[[1.0, 3.0, 2.0]]", "[2.0]")
reduce_prod = _reduction("reduce_prod", "[[1, 3, 2]]", "[6]")
reduce_sum = _reduction("reduce_sum", "[[1, 3, 2]]", "[6]")
reduce_logsumexp = _reduction("reduce_logsumexp", "[[0.0]]", "[0.0]")


def argmax(
    input: TensorLike,
    axis: AxisLike | None = None,
    name: str | None = None,
    dimension: AxisLike | None = None,
    output_type: Any = "int64",
) -> Tensor:
    """As tfc.argmax, with TensorFlow 1's argument names too.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.argmax([[1.0, 3.0, 2.0]], dimension=1))
    tf.Tensor([1], shape=(1,), dtype=int64)
    """
    return tfc.argmax(input, dimension if axis is None else axis, output_type)


def argmin(
    input: TensorLike,
    axis: AxisLike | None = None,
    name: str | None = None,
    dimension: AxisLike | None = None,
    output_type: Any = "int64",
) -> Tensor:
    """As tfc.argmin, with TensorFlow 1's argument names too.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.argmin([[1.0, 3.0, 2.0]], dimension=1))
    tf.Tensor([0], shape=(1,), dtype=int64)
    """
    return tfc.argmin(input, dimension if axis is None else axis, output_type)


def expand_dims(
    input: TensorLike, axis: int | None = None, name: str | None = None, dim: int | None = None
) -> Tensor:
    """As tfc.expand_dims, with TensorFlow 1's argument names too.

    >>> import tfc.compat.v1 as tf
    >>> tf.expand_dims([1.0, 2.0], dim=0).shape
    TensorShape([1, 2])
    """
    place: Any = dim if axis is None else axis
    return tfc.expand_dims(input, place)


def squeeze(
    input: TensorLike,
    axis: AxisLike | None = None,
    name: str | None = None,
    squeeze_dims: AxisLike | None = None,
) -> Tensor:
    """As tfc.squeeze, with TensorFlow 1's argument names too.

    >>> import tfc.compat.v1 as tf
    >>> tf.squeeze(tf.zeros([1, 2, 1]), squeeze_dims=[0]).shape
    TensorShape([2, 1])
    """
    return tfc.squeeze(input, squeeze_dims if axis is None else axis)


def _cast(name: str, dtype: str, x: str, shown: str) -> Callable[..., Tensor]:
    def to(x: TensorLike, name: str | None = None) -> Tensor:
        return tfc.cast(x, dtype)

    to.__name__ = to.__qualname__ = name
    to.__doc__ = f"""As tfc.cast to {dtype}.

    >>> import tfc.compat.v1 as tf
    >>> tf.{name}({x}).numpy().tolist()
    {shown}
    """
    return to


to_float = _cast("to_float", "float32", "[1, 2]", "[1.0, 2.0]")
to_double = _cast("to_double", "float64", "[1, 2]", "[1.0, 2.0]")
to_bfloat16 = _cast("to_bfloat16", "bfloat16", "[1, 257]", "[1.0, 256.0]")
to_complex64 = _cast("to_complex64", "complex64", "[1.0]", "[(1+0j)]")
to_complex128 = _cast("to_complex128", "complex128", "[1.0]", "[(1+0j)]")
to_int32 = _cast("to_int32", "int32", "[1.9, -1.9]", "[1, -1]")
to_int64 = _cast("to_int64", "int64", "[1.9, -1.9]", "[1, -1]")


def div(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x / y; of integers, rounded down.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.div([7, -7], 2), tf.div(7.0, 2.0))
    tf.Tensor([ 3 -4], shape=(2,), dtype=int32) tf.Tensor(3.5, shape=(), dtype=float32)
    """
    x = tfc.convert_to_tensor(x)
    return tfc.math.floordiv(x, y) if x.dtype.is_integer else tfc.divide(x, y)


def py_func(
    func: Callable[..., Any],
    inp: Sequence[TensorLike],
    Tout: Any,
    stateful: bool = True,
    name: str | None = None,
) -> Any:
    """`tf.numpy_function`: a Python function of arrays as an op.

    >>> import numpy as np
    >>> import tfc.compat.v1 as tf
    >>> print(tf.py_func(np.sin, [0.0], tf.float32))
    tf.Tensor(0.0, shape=(), dtype=float32)
    """
    return tfc.numpy_function(func, inp, Tout, stateful)


def convert_to_tensor_or_sparse_tensor(
    value: Any, dtype: DTypeLike | None = None, name: str | None = None
) -> Any:
    """A sparse tensor as it is (also one of its parts), anything else as a tensor."""
    if isinstance(value, SparseTensorValue):
        return tfc.SparseTensor(*value)
    return value if isinstance(value, tfc.SparseTensor) else tfc.convert_to_tensor(value, dtype)


def where(condition: TensorLike, x: Any = None, y: Any = None, name: str | None = None) -> Tensor:
    """As tfc.where; a condition that is a vector chooses among rows of `x` and `y`.

    >>> import tfc.compat.v1 as tf
    >>> tf.where([True, False], tf.ones([2, 2]), tf.zeros([2, 2])).numpy().tolist()
    [[1.0, 1.0], [0.0, 0.0]]
    """
    if x is None or y is None:
        return tfc.where(condition, x, y)
    if any(isinstance(v, tfc.RaggedTensor) for v in (condition, x, y)):
        return _ragged_where(condition, x, y)
    chosen, x = tfc.convert_to_tensor(condition), tfc.convert_to_tensor(x)
    y = tfc.convert_to_tensor(y, dtype_hint=x.dtype)
    if not x.shape.is_compatible_with(y.shape):
        raise blame.invalid(
            "Inputs to operation Select of type Select must have the same size and shape. "
            f"Input 1: {x.shape} != input 2: {y.shape}",
            "where",
        )
    if len(chosen.shape) == 1 and not len(x.shape):
        text = "'then' must be at least a vector, but saw shape: []"
        raise blame.invalid(text, "where")
    if len(chosen.shape) > 1 and not chosen.shape.is_compatible_with(x.shape):
        raise blame.invalid(
            "Inputs to operation Select of type Select must have the same size and shape. "
            f"Input 0: {chosen.shape} != input 1: {x.shape}",
            "where",
        )
    if len(chosen.shape) == 1 < len(x.shape):
        for _ in x.shape[1:]:
            chosen = tfc.expand_dims(chosen, -1)
    return tfc.where(chosen, x, y)


def _ragged_where(condition: Any, x: Any, y: Any) -> Any:
    """`where` of ragged tensors: elements, or for a vector of bools rows."""
    if isinstance(condition, tfc.RaggedTensor):
        if not (isinstance(x, tfc.RaggedTensor) and isinstance(y, tfc.RaggedTensor)):
            raise blame.value_error("Input shapes do not match.", "where")
        return tfc.ragged.map_flat_values(tfc.where, condition, x, y)
    chosen = tfc.convert_to_tensor(condition)
    if len(chosen.shape) != 1:
        raise blame.value_error(f"condition: Shape {chosen.shape} must have rank 1", "where")
    both = tfc.concat([x, y], 0)
    rows = tfc.range(chosen.shape[0] if chosen.shape[0] is not None else tfc.size(chosen))
    return tfc.gather(both, tfc.where(chosen, rows, rows + tfc.cast(x.nrows(), rows.dtype)))


def batch_gather(params: Any, indices: Any, name: str | None = None) -> Any:
    """Elements of each row, by the numbers in the same row of `indices`.

    Args:
        params: A tensor, dense or ragged.
        indices: A tensor of integers, dense or ragged, with the same first axes.

    Returns:
        A tensor of the elements.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.batch_gather([[1, 2], [3, 4]], [[1], [0]]))
    tf.Tensor(
    [[2]
     [3]], shape=(2, 1), dtype=int32)
    """
    return tfc.gather(params, indices, batch_dims=-1)


def string_split(
    source: TensorLike,
    sep: str | None = None,
    skip_empty: bool = True,
    delimiter: str | None = None,
    result_type: str = "SparseTensor",
    name: str | None = None,
) -> Any:
    """The parts of strings between separators: any character of `sep`.

    Args:
        source: A vector of strings.
        sep: Characters; a space where there are none said; "" for each byte alone.
        skip_empty: Whether empty parts are left out.
        delimiter: Another name of `sep`.
        result_type: "SparseTensor" or "RaggedTensor".
        name: Not used.

    Returns:
        A tensor of the parts, a row for each string.

    Raises:
        ValueError: If `result_type` is another one.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.sparse.to_dense(tf.string_split(["a b", "c"])))
    tf.Tensor(
    [[b'a' b'b']
     [b'c' b'']], shape=(2, 2), dtype=string)
    """
    if result_type not in ("SparseTensor", "RaggedTensor"):
        text = "result_type must be 'RaggedTensor' or 'SparseTensor'"
        raise blame.value_error(f"{text}, got {result_type!r}", "string_split")
    given = delimiter if sep is None else sep
    marks = " " if given is None else given
    one = tfc.convert_to_tensor(source)
    if one.shape.rank != 1:
        text = f"input must be a vector, got shape: {one.shape.as_list()}"
        raise blame.invalid(text, "string_split")
    if marks == "":
        parts = tfc.strings.bytes_split(one)
    else:
        if len(marks) > 1:
            one = tfc.strings.regex_replace(one, f"[{re.escape(marks)}]", marks[0])
        parts = tfc.strings.split(one, marks[0])
    kept = tfc.not_equal(parts, "")
    if not skip_empty:  # what is empty has no parts in any case
        kept = tfc.logical_or(kept, tfc.expand_dims(tfc.not_equal(one, ""), 1))
    parts = tfc.ragged.boolean_mask(parts, kept)
    return parts if result_type == "RaggedTensor" else parts.to_sparse()


def strings_split(
    input: TensorLike | None = None,
    sep: str | None = None,
    maxsplit: int = -1,
    result_type: str = "SparseTensor",
    source: TensorLike | None = None,
    name: str | None = None,
) -> Any:
    """The parts of each string between separators: `tf.strings.split`, as a sparse tensor.

    Args:
        input: A tensor of strings.
        sep: The separator; by default runs of white space.
        maxsplit: How often a string is split at most; negative: as often as possible.
        result_type: "SparseTensor" or "RaggedTensor".
        source: Another name of `input`.
        name: Not used.

    Returns:
        A tensor of the parts, with one axis more; of a scalar, those of a vector of it.

    Raises:
        ValueError: If `result_type` is another one.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.sparse.to_dense(tf.strings.split(["a b", "c"])))
    tf.Tensor(
    [[b'a' b'b']
     [b'c' b'']], shape=(2, 2), dtype=string)
    """
    if result_type not in ("SparseTensor", "RaggedTensor"):
        text = "result_type must be 'RaggedTensor' or 'SparseTensor'"
        raise blame.value_error(f"{text}, got {result_type!r}", "strings.split")
    one = tfc.convert_to_tensor(source if input is None else input)
    if one.shape.rank == 0:
        one = tfc.expand_dims(one, 0)
    parts = tfc.strings.split(one, sep, maxsplit)
    return parts if result_type == "RaggedTensor" else parts.to_sparse()


def sparse_to_dense(
    sparse_indices: TensorLike,
    output_shape: Any,
    sparse_values: TensorLike,
    default_value: Any = 0,
    validate_indices: bool = True,
    name: str | None = None,
) -> Tensor:
    """A tensor with values at places.

    Args:
        sparse_indices: Places: [values, rank], or a vector of those of a vector, or a scalar.
        output_shape: The shape of the result.
        sparse_values: A value for each, or one for all.
        default_value: What is elsewhere.
        validate_indices: Whether places have to be in order.
        name: Not used.

    Returns:
        A tensor.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.sparse_to_dense([1, 3], [4], 7))
    tf.Tensor([0 7 0 7], shape=(4,), dtype=int32)
    """
    places = tfc.cast(sparse_indices, tfc.int64)
    extents = tfc.cast(output_shape, tfc.int64)
    places = tfc.reshape(places, [-1, tfc.size(extents)])
    values = tfc.broadcast_to(sparse_values, tfc.shape(places)[:1])
    made = tfc.SparseTensor(places, values, extents)
    return tfc.sparse.to_dense(made, default_value, validate_indices)


def clip_by_average_norm(t: TensorLike, clip_norm: Any, name: str | None = None) -> Tensor:
    """x, made shorter where its norm, divided by the number of elements, is more than `clip_norm`.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.clip_by_average_norm([3.0, 4.0], 0.5))
    tf.Tensor([0.6 0.8], shape=(2,), dtype=float32)
    """
    x: Any = tfc.convert_to_tensor(t)
    count = tfc.cast(tfc.size(x), x.dtype)
    inverse = tfc.math.rsqrt(tfc.reduce_sum(x * x))
    return x * clip_norm * tfc.minimum(inverse * count, 1.0 / clip_norm)
