"""What entries of the table of `tf.raw_ops` are made of, where one function is not enough."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import tfc as tf
from tfc.core import blame
from tfc.ops.math.bits import population_count as population_count
from tfc.ops.nn.ctc_beams import beam_search
from tfc.ops.random.permuted_indices import permuted_by_words
from tfc.ops.random.raw import key_and_counter
from tfc.ops.random.streams import replaced_seed

SELU_SCALE = 1.0507009873554805
SELU = 1.7580993408473766  # the scale times alpha


def of(value: Any) -> Any:
    """A tensor of a value."""
    return tf.convert_to_tensor(value)


def slope(f: Callable[[Any], Any], x: Any, upstream: Any) -> Any:
    """The derivative of f at x, times what comes from above."""
    x = of(x)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, x, output_gradients=of(upstream), unconnected_gradients="zero")


def prevent_gradient(x: Any, message: str) -> Any:
    """The identity, which cannot be differentiated."""

    @tf.custom_gradient
    def identity(x: Any) -> Any:
        def grad(_upstream: Any) -> Any:
            raise LookupError(f"Gradient explicitly disabled. Reason: {message!r}")

        return tf.identity(x), grad

    return identity(x)


def div(x: Any, y: Any) -> Any:
    """x / y, of integers towards zero."""
    x = of(x)
    return tf.truncatediv(x, y) if x.dtype.is_integer else tf.truediv(x, y)


def equal_if_shapes(x: Any, y: Any, alike: bool) -> Any:
    """Whether elements are equal; one truth value where shapes do not broadcast."""
    x = of(x)
    y = tf.convert_to_tensor(y, x.dtype)
    try:
        tf.broadcast_static_shape(x.shape, y.shape)
    except ValueError:
        return tf.constant(not alike)
    return tf.equal(x, y) if alike else tf.not_equal(x, y)


def to_bool(x: Any) -> Any:
    """Whether a scalar is not 0, a string is not empty, or another tensor has elements."""
    x = of(x)
    if x.shape.rank:
        return tf.size(x) > 0
    if x.dtype == tf.string:
        return tf.strings.length(x) > 0
    return tf.cast(x, tf.bool)


def select(condition: Any, x: Any, y: Any) -> Any:
    """x where a condition holds; one vector of conditions is for rows."""
    condition, x = of(condition), of(x)
    if condition.shape.rank == 1 and (x.shape.rank or 0) > 1:
        condition = tf.reshape(condition, [-1] + [1] * (x.shape.rank - 1))
    return tf.where(condition, x, y)


def segments(name: str, data: Any, segment_ids: Any, num_segments: Any) -> Any:
    """Segments of which the number is given."""
    return getattr(tf.math, f"unsorted_{name.removesuffix('_v2')}")(data, segment_ids, num_segments)


def rows(count: Any, like: Any) -> Any:
    """So many rows of zeros."""
    like = of(like)
    return tf.zeros(tf.concat([tf.reshape(count, [1]), tf.shape(like)[1:]], 0), like.dtype)


def weights(value: Any) -> Any:
    """Weights, or None where there are none."""
    value = of(value)
    return None if value.shape.num_elements() == 0 else value


def bincount(values: Any, size: Any, given: Any, binary_output: bool) -> Any:
    """How often each number comes in a vector or in each row of a matrix."""
    values = of(values)
    axis = 0 if values.shape.rank == 1 else -1
    return tf.math.bincount(
        values,
        weights(given),
        minlength=size,
        maxlength=size,
        dtype=of(given).dtype,
        axis=axis,
        binary_output=binary_output,
    )


def approximate(x: Any, k: int, axis: int, largest: bool) -> Any:
    """The largest or smallest elements along an axis."""
    return (tf.nn.approx_max_k if largest else tf.nn.approx_min_k)(x, k, axis)


def isotonic(x: Any, dtype: Any) -> Any:
    """The decreasing rows nearest to those given, and their segments."""
    found, which = tf.nn.isotonic_regression(tf.cast(x, dtype))
    return found, which


def concat_offset(axis: Any, shapes: Sequence[Any]) -> list[Any]:
    """Where each of some tensors begins in what they are joined to."""
    sizes = tf.stack(list(shapes))
    begins = tf.cumsum(sizes, 0, exclusive=True)
    only = tf.one_hot(axis, tf.shape(sizes)[1], dtype=sizes.dtype)
    return tf.unstack(begins * only)


def inside(x: Any, paddings: Any) -> Any:
    """Zeros of the shape that x had before it was padded."""
    x = of(x)
    return tf.zeros(tf.shape(x) - tf.cast(tf.reduce_sum(paddings, 1), tf.int32), x.dtype)


def unique(x: Any, axis: Any, out_idx: Any) -> Any:
    """The different elements of a vector, or rows of a tensor, and the place of each among them."""
    x = of(x)
    if x.shape.rank == 1:
        return tf.unique(x, out_idx)
    found, places, _ = tf.raw_ops.UniqueWithCountsV2(x=x, axis=axis, out_idx=out_idx)
    return found, places


def buckets(x: Any, boundaries: Sequence[float]) -> Any:
    """How many boundaries are at most each element."""
    x = of(x)
    flat = tf.cast(tf.reshape(x, [-1]), tf.float64)
    found = tf.searchsorted(tf.constant(list(boundaries), tf.float64), flat, "right")
    return tf.reshape(found, tf.shape(x))


def diagonals(k: Any) -> Any:
    """The number of a diagonal, or those of the first and last one."""
    found = np.asarray(k).reshape(-1).tolist()
    return found[0] if len(found) == 1 else tuple(found)


def dim_map(source: str, target: str) -> list[int]:
    """Where each axis of one data format is in another."""
    return [target.index(letter) for letter in source]


def vec_permute(source: str, target: str, x: Any) -> list[int]:
    """Where what another data format has at each place is in this one."""
    count = x.shape[0]
    if count == len(source) - 2:  # sizes of the spatial axes alone
        source = source.replace("N", "").replace("C", "")
        target = target.replace("N", "").replace("C", "")
    return [source.index(letter) for letter in target]


def cholesky_gradient(factor: Any, upstream: Any) -> Any:
    """The derivative by a matrix, of its Cholesky factor (the one that there is already)."""
    factor = of(factor)
    return slope(tf.linalg.cholesky, factor @ tf.linalg.adjoint(factor), upstream)


def svd(x: Any, compute_uv: bool, full_matrices: bool) -> Any:
    """(s, u, v), with u and v empty where they are not asked for."""
    found = tf.linalg.svd(x, full_matrices, compute_uv)
    if compute_uv:
        return found
    nothing = tf.zeros([0], of(x).dtype)
    return found, nothing, nothing


def eigh(x: Any, compute_v: bool) -> Any:
    """Eigenvalues and vectors of Hermitian matrices."""
    if compute_v:
        return tf.linalg.eigh(x)
    return tf.linalg.eigvalsh(x), tf.zeros([0], of(x).dtype)


def eig(x: Any, dtype: Any, compute_v: bool) -> Any:
    """Eigenvalues and vectors of matrices."""
    if compute_v:
        return tuple(tf.cast(v, dtype) for v in tf.linalg.eig(x))
    return tf.cast(tf.linalg.eigvals(x), dtype), tf.zeros([0], dtype)


def padding(kind: Any, explicit: Any) -> Any:
    """The padding as the public functions take it."""
    if kind not in ("EXPLICIT", b"EXPLICIT"):
        return kind
    numbers = list(explicit)
    return [numbers[i : i + 2] for i in range(0, len(numbers), 2)]


def spatial(dilations: Sequence[int], data_format: str) -> list[int]:
    """The dilations of the spatial axes."""
    first = 2 if data_format.startswith("NC") else 1
    return list(dilations)[first : first + 2]


def integers(values: Any) -> list[int]:
    """Known integers."""
    return [int(v) for v in np.asarray(values)]


def bias_gradient(upstream: Any, data_format: str) -> Any:
    """The sum over all but the channels."""
    upstream = of(upstream)
    rank = upstream.shape.rank
    channels = 1 if data_format.startswith("NC") else rank - 1
    return tf.reduce_sum(upstream, [i for i in range(rank) if i != channels])


def fractional(
    pool: Any, value: Any, ratio: Any, pseudo: bool, overlapping: bool, seed: int, seed2: int
) -> Any:
    """Fractional pooling by two seeds."""
    return seeded(seed, seed2, lambda s: pool(value, list(ratio), pseudo, overlapping, s or 0))


def cross_entropy(features: Any, labels: Any) -> Any:
    """The loss of each row, and its derivative by the logits."""
    features = of(features)
    labels = tf.convert_to_tensor(labels, features.dtype)
    loss = tf.nn.softmax_cross_entropy_with_logits(labels, features)
    return loss, tf.nn.softmax(features) - labels


def sparse_cross_entropy(features: Any, labels: Any) -> Any:
    """The loss of each row, and its derivative by the logits."""
    features = of(features)
    loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, features)
    only = tf.one_hot(labels, tf.shape(features)[1], dtype=features.dtype)
    return loss, tf.nn.softmax(features) - only


def sparse_parts(x: Any) -> tuple[Any, Any, Any]:
    """What a sparse tensor is made of."""
    return x.indices, x.values, x.dense_shape


def greedy(inputs: Any, lengths: Any, merge: bool, blank: int) -> Any:
    """`ctc_greedy_decoder` as tensors."""
    (labels,), score = tf.nn.ctc_greedy_decoder(inputs, lengths, merge, blank)
    return *sparse_parts(labels), score


def beams(inputs: Any, lengths: Any, width: int, paths: int, merge: bool) -> Any:
    """`ctc_beam_search_decoder` as lists of tensors."""
    labels, score = beam_search(inputs, lengths, width, paths, merge)
    indices, values, shapes = zip(*map(sparse_parts, labels), strict=True)
    return list(indices), list(values), list(shapes), score


def suppressed(
    boxes: Any, scores: Any, most: Any, overlap: Any, least: Any, sigma: Any, padded: bool
) -> Any:
    """(indices, scores, how many there are), with zeros behind them where that is asked for."""
    which, values = tf.image.non_max_suppression_with_scores(
        boxes, scores, most, overlap, least, sigma
    )
    count = tf.size(which)
    if padded:
        rest = [[0, most - count]]
        which, values = tf.pad(which, rest), tf.pad(values, rest)
    return which, values, count


def separator(sep: Any) -> Any:
    """A separator as Python has it; None for any blanks."""
    found = np.asarray(of(sep)).item()
    return found.decode("utf-8", "surrogateescape") or None


def ngrams(
    data: Any,
    splits: Any,
    sep: str,
    widths: Sequence[int],
    left: str,
    right: str,
    width: int,
    short: bool,
) -> Any:
    """`strings.ngrams` of flat values."""
    ragged = tf.RaggedTensor.from_row_splits(data, splits)
    pads = (left, right) if width else None
    if len(widths) == 1 and not width and not pads:
        found = tf.strings.ngrams(ragged, widths[0], sep, None, None, short)
    else:
        padded = None if width < 0 else width
        pairs = (left, right) if padded != 0 else None
        found = tf.strings.ngrams(ragged, tuple(widths), sep, pairs, padded or None, short)
    return found.flat_values, tf.cast(found.row_splits, of(splits).dtype)


def ragged_parts(x: Any, splits: Any) -> tuple[Any, Any]:
    """(row_splits, values) of a ragged tensor of two axes."""
    return tf.cast(x.row_splits, splits), x.values


def with_offsets(characters: Any, offsets: Any, splits: Any) -> tuple[Any, Any, Any]:
    """(row_splits, characters, offsets)"""
    return *ragged_parts(characters, splits), offsets.values


def cwise(f: Any, indices: Any, values: Any, shape: Any, dense: Any) -> Any:
    """A function of the elements of a sparse tensor and those of a dense one at their places."""
    spread = tf.broadcast_to(dense, tf.cast(shape, tf.int32))
    return f(values, tf.gather_nd(spread, indices))


def filled_rows(indices: Any, values: Any, shape: Any, default: Any) -> Any:
    """Rows that have nothing are given one element: (indices, values, which rows those are, where
    what was given is now)."""
    sp = tf.SparseTensor(indices, values, shape)
    found, empty = tf.sparse.fill_empty_rows(sp, default)
    count = tf.size(of(values))
    numbered = tf.SparseTensor(indices, tf.range(count), shape)
    places = tf.sparse.fill_empty_rows(numbered, -1)[0].values
    where = tf.where(places >= 0)[:, 0]
    moved = tf.scatter_nd(tf.gather(places, where)[:, None], where, [count])
    return found.indices, found.values, empty, moved


def reshaped(indices: Any, shape: Any, new_shape: Any) -> Any:
    """`sparse.reshape` of places alone."""
    indices = of(indices)
    sp = tf.SparseTensor(indices, tf.zeros(tf.shape(indices)[:1]), shape)
    found = tf.sparse.reshape(sp, new_shape)
    return found.indices, found.dense_shape


def sparse_to_dense(indices: Any, shape: Any, values: Any, default: Any) -> Any:
    """Values at places of a tensor that is full of another."""
    indices, default = of(indices), of(default)
    if not indices.shape.rank:
        indices = tf.reshape(indices, [1, 1])
    elif indices.shape.rank == 1:
        indices = indices[:, None]
    values = tf.broadcast_to(tf.convert_to_tensor(values, default.dtype), tf.shape(indices)[:1])
    return tf.tensor_scatter_nd_update(tf.fill(shape, default), indices, values)


def set_operation(name: Any, a: Any, b: Any) -> Any:
    """One of the functions of `tf.sets`."""
    kind = name.decode() if isinstance(name, bytes) else name
    match kind:
        case "a-b":
            return tf.sets.difference(a, b)
        case "b-a":
            return tf.sets.difference(a, b, aminusb=False)
        case "intersection":
            return tf.sets.intersection(a, b)
        case "union":
            return tf.sets.union(a, b)
    raise blame.invalid(f"there is no set operation {kind!r}", "SetOperation")


def ragged_gather(splits: Sequence[Any], values: Any, indices: Any) -> Any:
    """(nested_splits, dense_values) of gathered rows."""
    found = tf.gather(tf.RaggedTensor.from_nested_row_splits(values, splits), indices)
    return list(found.nested_row_splits), found.flat_values


def seeded(seed: int, seed2: int, draw: Callable[[Any], Any]) -> Any:
    """What is drawn by both seeds; without them, by the common stream."""
    if not seed and not seed2:
        return draw(None)
    with replaced_seed(seed):
        return draw(seed2)


def index_shuffle(index: Any, seed: Any, max_index: Any, rounds: int) -> Any:
    """`random.experimental.index_shuffle` by three words."""
    return permuted_by_words(index, seed, max_index, rounds)


def key_counter(seed: Any) -> tuple[Any, Any]:
    """The key and counter of Philox that a seed is scrambled to: u64[1], u64[2]."""
    return key_and_counter(seed)
