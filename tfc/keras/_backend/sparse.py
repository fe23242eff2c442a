"""What Keras' functions do with tensors of which a part is given: SparseTensors, and IndexedSlices,
the gradients of embeddings.

As in Keras on TensorFlow, what is 0 where its operand is 0 works on the elements (or rows) that are
there; what is 0 where both operands are, on those that either has. The rest takes the dense tensor.
Rows that are named twice in IndexedSlices are two rows until something adds them up: their squares
are those of either, not of the sum, so an accumulator of squares grows otherwise than with a dense
gradient.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from keras.src.backend.common import KerasVariable

import tfc as tf

Sparse = tf.SparseTensor | tf.IndexedSlices
Binary = Callable[[Any, Any], Any]


def is_sparse(x: Any) -> bool:
    return isinstance(x, Sparse)


def dense(x: Any) -> Any:
    """The dense tensor in the place of a sparse one; anything else as it is."""
    if isinstance(x, tf.SparseTensor):
        return tf.sparse.to_dense(x) if x.rank else tf.reshape(tf.reduce_sum(x.values), [])
    return tf.convert_to_tensor(x) if isinstance(x, tf.IndexedSlices) else x


# Functions of one operand, and of two.


def zero_stays_zero(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of one operand, that gives 0 for 0."""

    @functools.wraps(function)
    def unary(x: Any, *more: Any, **named: Any) -> Any:
        if isinstance(x, Sparse):
            return x.with_values(function(x.values, *more, **named))
        return function(x, *more, **named)

    return unary


def zero_if_either_is(function: Binary) -> Binary:
    """A function of two operands that gives 0 where one is: a product."""

    @functools.wraps(function)
    def binary(x1: Any, x2: Any) -> Any:
        if isinstance(x1, Sparse):
            if _are_alike(x1, x2):
                return _of_places(function, x1, x2, _common)
            elements = None if is_sparse(x2) else _meeting(x2, x1)
            if elements is not None:
                return x1.with_values(function(x1.values, elements))
        elif isinstance(x2, Sparse):
            elements = _meeting(x1, x2)
            if elements is not None:
                return x2.with_values(function(elements, x2.values))
        return function(dense(x1), dense(x2))

    return binary


def zero_if_both_are(function: Binary) -> Binary:
    """A function that gives 0 for 0 and 0: a sum, a difference, the larger of two."""

    @functools.wraps(function)
    def binary(x1: Any, x2: Any) -> Any:
        if is_sparse(x1) and _are_alike(x1, x2):
            return _of_places(function, x1, x2, _either)
        return function(dense(x1), dense(x2))

    return binary


_divisors_are_not_zero: ContextVar[bool] = ContextVar("_divisors_are_not_zero", default=False)


@contextmanager
def divisors_are_not_zero() -> Iterator[None]:
    """What is divided in here is divided by what is neither 0 nor NaN, as in the steps of
    optimizers: nobody looks through whole accumulators for that."""
    token = _divisors_are_not_zero.set(True)
    try:
        yield
    finally:
        _divisors_are_not_zero.reset(token)


def zero_if_first_is(function: Binary) -> Binary:
    """A quotient: 0 where what is divided is, and the divisor is neither 0 nor NaN."""

    @functools.wraps(function)
    def binary(x1: Any, x2: Any) -> Any:
        if isinstance(x1, Sparse) and not is_sparse(x2):
            elements = _meeting(x2, x1)
            if elements is not None:
                quotient = x1.with_values(function(x1.values, elements))
                if _is_scalar(x2) or _divisors_are_not_zero.get():
                    return quotient
                return _with_places(quotient, x2, lambda y: function(tf.zeros_like(y), y))
        return function(dense(x1), dense(x2))

    return binary


def _with_places(x: Any, divisor: Any, quotients: Callable[[Any], Any]) -> Any:
    """A quotient with those places, too, at which 0 is divided by 0 or NaN."""
    y = tf.convert_to_tensor(divisor.value if isinstance(divisor, KerasVariable) else divisor)
    odd = tf.equal(y, tf.zeros([], y.dtype))
    if y.dtype.is_inexact:
        odd = tf.logical_or(odd, tf.not_equal(y, y))
    if isinstance(x, tf.IndexedSlices):
        odd = tf.reduce_any(odd, list(range(1, odd.ndim)))
        places = tf.expand_dims(x.indices, 1)
    else:
        odd, places = tf.broadcast_to(odd, x.dense_shape), x.indices
    odd = tf.tensor_scatter_nd_update(odd, places, tf.zeros(tf.shape(places)[:1], tf.bool))
    more = tf.where(odd)
    values = tf.concat([x.values, quotients(_at(y, more, x))], 0)
    if isinstance(x, tf.IndexedSlices):
        rows = tf.cast(more[:, 0], x.indices.dtype)
        return tf.IndexedSlices(values, tf.concat([x.indices, rows], 0), x.dense_shape)
    whole = tf.SparseTensor(tf.concat([x.indices, more], 0), values, x.dense_shape)
    return tf.sparse.reorder(whole)


# A dense operand beside a sparse one.


def _meeting(x: Any, sparse: Sparse) -> Any:
    """What of `x` meets the elements (or rows) of `sparse`: a number itself; None where `x` does
    not broadcast to its shape."""
    if isinstance(x, KerasVariable):
        x = x.value
    if _is_scalar(x):
        return x
    x = tf.convert_to_tensor(x)
    own, whole = list(x.shape), list(sparse.shape)
    if isinstance(sparse, tf.IndexedSlices):
        return _at(x, sparse.indices, sparse) if own == whole else None
    if len(own) > len(whole):
        return None
    for extent, among in zip(reversed(own), reversed(whole), strict=False):
        if extent != 1 and extent != among and None not in (extent, among):
            return None
    return _at(x, sparse.indices, sparse)


def _is_scalar(x: Any) -> bool:
    return isinstance(x, int | float) or len(x.shape) == 0


def _at(x: tf.Tensor, places: tf.Tensor, sparse: Sparse) -> tf.Tensor:
    """The elements of a tensor that broadcasts at places of `sparse`; the rows, if it has rows."""
    if isinstance(sparse, tf.IndexedSlices):
        return tf.gather(x, tf.reshape(places, [-1]))
    places = places[:, len(sparse.shape) - x.ndim :]
    if list(x.shape) != list(sparse.shape):  # an axis that is broadcast has one place
        places = tf.where(tf.equal(tf.shape(x), 1), tf.zeros([], tf.int64), places)
    return tf.gather_nd(x, places)


# Two sparse operands.


def _are_alike(x1: Any, x2: Any) -> bool:
    """Whether both are of one kind and, as far as is known, of one shape."""
    if type(x1) is not type(x2):
        return False
    own, other = list(x1.shape), list(x2.shape)
    pairs = zip(own, other, strict=False)
    return len(own) == len(other) and all(a == b or None in (a, b) for a, b in pairs)


def _of_places(function: Binary, x1: Any, x2: Any, joined: Callable[[Any, Any], Any]) -> Any:
    """`function` of the elements at the places of both that `joined` finds."""
    if x1.indices is x2.indices:
        return x1.with_values(function(x1.values, x2.values))
    numbers, (left, right) = joined(x1, x2)
    values = function(left, right)
    if isinstance(x1, tf.IndexedSlices):
        return tf.IndexedSlices(values, tf.cast(numbers, x1.indices.dtype), x1.dense_shape)
    places = tf.transpose(tf.unravel_index(numbers, x1.dense_shape))
    return tf.SparseTensor(places, values, x1.dense_shape)


def _numbers(x: Sparse) -> tf.Tensor:
    """The places as numbers: rows, or places in row-major order."""
    if isinstance(x, tf.IndexedSlices):
        return tf.cast(x.indices, tf.int64)
    strides = tf.math.cumprod(x.dense_shape, exclusive=True, reverse=True)
    return tf.reduce_sum(x.indices * strides, 1)


def _either(x1: Sparse, x2: Sparse) -> tuple[tf.Tensor, list[tf.Tensor]]:
    """The places that one or both have, and what either has there: 0, if nothing. Rows that are
    named twice are added up."""
    own = [_numbers(x1), _numbers(x2)]
    numbers = tf.sort(tf.unique(tf.concat(own, 0))[0])
    count = tf.shape(numbers)[:1]

    def placed(x: Any, at: tf.Tensor) -> tf.Tensor:
        places = tf.expand_dims(tf.searchsorted(numbers, at), 1)
        return tf.scatter_nd(places, x.values, tf.concat([count, tf.shape(x.values)[1:]], 0))

    return numbers, [placed(x, at) for x, at in zip((x1, x2), own, strict=True)]


def _common(x1: Sparse, x2: Sparse) -> tuple[tf.Tensor, list[tf.Tensor]]:
    """The places that both have, and what either has there."""
    numbers, values = _either(x1, x2)
    count = tf.size(numbers)
    first, second = (_there(numbers, count, _numbers(x)) for x in (x1, x2))
    both = tf.logical_and(first, second)
    return tf.boolean_mask(numbers, both), [tf.boolean_mask(v, both) for v in values]


def _there(numbers: tf.Tensor, count: tf.Tensor, own: tf.Tensor) -> tf.Tensor:
    """Whether each of the numbers is among `own`."""
    places = tf.expand_dims(tf.searchsorted(numbers, own), 1)
    return tf.scatter_nd(places, tf.ones(tf.shape(own), tf.bool), [count])


# Products of matrices, axes, means.


def matmul(x1: Any, x2: Any) -> tf.Tensor | tf.SparseTensor:
    """The product of matrices of one dtype, or of batches of them, of which one is sparse or both
    are: that of two sparse matrices is sparse."""
    if isinstance(x1, tf.SparseTensor) and isinstance(x2, tf.SparseTensor):
        if x1.rank == x2.rank == 2:
            return _of_sparse_matrices(x1, x2)
        return tf.sparse.from_dense(_of_rows(x1, dense(x2)))
    if isinstance(x1, tf.SparseTensor):
        return _of_rows(x1, x2)
    rank = len(x2.shape)
    order = [*range(rank - 2), rank - 1, rank - 2]
    turned = _of_rows(tf.sparse.transpose(x2, order), tf.linalg.matrix_transpose(x1))
    return tf.linalg.matrix_transpose(turned)


def _of_rows(x: tf.SparseTensor, y: tf.Tensor) -> tf.Tensor:
    """A sparse tensor of matrices times as many dense ones, or times one."""
    rank = len(x.shape)
    if rank < 2 or y.ndim not in (2, rank):
        return tf.matmul(dense(x), y)
    *batch, rows, columns = [x.dense_shape[i] for i in range(rank)]
    last = tf.shape(y, tf.int64)
    tf.debugging.assert_equal(columns, last[-2], "matmul: the inner extents differ")
    if y.ndim == 2:  # whose gradient is rows, if it is a Variable
        met = tf.gather(y, x.indices[:, -1])
    else:
        met = tf.gather_nd(y, _without(x.indices, -2))
    terms = tf.expand_dims(x.values, 1) * met
    shape = tf.stack([*batch, rows, last[-1]])
    outer = tf.SparseTensor(x.indices[:, :-1], x.values, shape[:-1])
    count = tf.reduce_prod(shape[:-1])
    product = tf.reshape(tf.math.unsorted_segment_sum(terms, _numbers(outer), count), shape)
    product.set_shape([*x.shape[:-1], y.shape[-1]])
    return product


def _without(places: tf.Tensor, column: int) -> tf.Tensor:
    """Places without one of their axes, counted from the end."""
    return tf.concat([places[:, :column], places[:, column:][:, 1:]], 1)


def _of_sparse_matrices(x: tf.SparseTensor, y: tf.SparseTensor) -> tf.SparseTensor:
    """Gustavson's algorithm ("Two fast algorithms for sparse matrices", 1978) for all rows at once:
    each element x[i, k] meets the row k of y; what falls on one place is added up."""
    x, y = tf.sparse.reorder(x), tf.sparse.reorder(y)
    tf.debugging.assert_equal(
        x.dense_shape[1], y.dense_shape[0], "matmul: the inner extents differ"
    )
    begins, ends = (
        tf.searchsorted(y.indices[:, 0], x.indices[:, 1], side, tf.int64)
        for side in ("left", "right")
    )
    counts = ends - begins
    left = tf.repeat(tf.range(tf.size(counts)), counts)
    within = tf.range(tf.reduce_sum(counts)) - tf.repeat(tf.cumsum(counts, exclusive=True), counts)
    right = tf.gather(begins, left) + within
    terms = tf.gather(x.values, left) * tf.gather(y.values, right)
    shape = tf.stack([x.dense_shape[0], y.dense_shape[1]])
    numbers = tf.gather(x.indices[:, 0], left) * shape[1] + tf.gather(y.indices[:, 1], right)
    places = tf.sort(tf.unique(numbers)[0])
    at = tf.searchsorted(places, numbers)
    values = tf.math.unsorted_segment_sum(terms, at, tf.size(places))
    product = tf.SparseTensor(tf.transpose(tf.unravel_index(places, shape)), values, shape)
    product.set_shape([x.shape[0], y.shape[1]])
    return product


def squeeze(x: tf.SparseTensor, axes: Sequence[int]) -> tf.SparseTensor:
    """A sparse tensor without some axes of extent 1."""
    kept = [i for i in range(len(x.shape)) if i not in axes]
    extents = tf.stack([x.dense_shape[i] for i in kept]) if kept else tf.zeros([0], tf.int64)
    found = tf.SparseTensor(tf.gather(x.indices, kept, axis=1), x.values, extents)
    found.set_shape([x.shape[i] for i in kept])
    return found


def mean_of_all(slices: tf.IndexedSlices) -> tf.Tensor:
    """The mean of all elements of the tensor that these are rows of."""
    total = tf.reduce_sum(slices.values)
    return total / tf.cast(tf.reduce_prod(slices.dense_shape), total.dtype)
