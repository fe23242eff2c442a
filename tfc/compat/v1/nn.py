"""`tfc.compat.v1.nn`: gradients of convolutions as functions, fused batch normalisation, and what
has other arguments in TensorFlow 1; all else is `tfc.nn`'s."""

from __future__ import annotations

import importlib
from typing import Any

import tfc as _tfc
from tfc.core import blame
from tfc.core.types import ShapeLike, TensorLike
from tfc.ops.arguments import choice as _choice
from tfc.ops.nn.convolution_transpose import (
    conv2d_backprop_filter,
    conv2d_backprop_input,
    conv3d_backprop_filter_v2,
    depthwise_conv2d_backprop_filter,
    depthwise_conv2d_backprop_input,
)
from tfc.ops.nn.ctc import loss_of as _loss_of
from tfc.ops.nn.ctc import rows_of as _rows_of_labels
from tfc.ops.nn.ctc_beams import beam_search as _beam_search
from tfc.ops.nn.normalization import fused_batch_norm

from .signatures import functions_of as _functions_of

conv3d_backprop_filter = conv3d_backprop_filter_v2
depthwise_conv2d_native_backprop_filter = depthwise_conv2d_backprop_filter
depthwise_conv2d_native_backprop_input = depthwise_conv2d_backprop_input


def dropout(
    x: TensorLike,
    keep_prob: Any = None,
    noise_shape: ShapeLike | None = None,
    seed: int | None = None,
    name: str | None = None,
    rate: Any = None,
) -> Any:
    """As tfc.nn.dropout, where `keep_prob` says which part of the elements stays.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.nn.dropout([1.0, 2.0], keep_prob=1.0))
    tf.Tensor([1. 2.], shape=(2,), dtype=float32)
    """
    if (rate is None) == (keep_prob is None):
        raise blame.value_error("one of rate and keep_prob is wanted, and not both", "dropout")
    share = 1.0 - keep_prob if rate is None else rate
    return _tfc.nn.dropout(x, share, noise_shape, seed)


def conv2d(
    input: TensorLike,
    filter: TensorLike | None = None,
    strides: Any = None,
    padding: Any = None,
    use_cudnn_on_gpu: bool = True,
    data_format: str = "NHWC",
    dilations: Any = None,
    name: str | None = None,
    filters: TensorLike | None = None,
) -> Any:
    """As tfc.nn.conv2d, with TensorFlow 1's argument names too.

    >>> import tfc.compat.v1 as tf
    >>> ones = tf.ones([2, 2, 1, 1])
    >>> tf.nn.conv2d(ones, filter=ones, strides=[1, 1, 1, 1], padding="SAME").shape
    TensorShape([2, 2, 1, 1])
    """
    kernel: Any = filters if filter is None else filter
    return _tfc.nn.conv2d(input, kernel, strides or 1, padding, data_format, dilations)


def _pool(kind: str) -> Any:
    function = getattr(_tfc.nn, kind)

    def pool(
        value: Any = None,
        ksize: Any = None,
        strides: Any = None,
        padding: Any = None,
        data_format: str = "NHWC",
        name: str | None = None,
        input: Any = None,
    ) -> Any:
        return function(input if value is None else value, ksize, strides, padding, data_format)

    pool.__name__ = pool.__qualname__ = kind
    pool.__doc__ = f"As tfc.nn.{kind}, with TensorFlow 1's argument names too."
    return pool


max_pool, avg_pool = _pool("max_pool"), _pool("avg_pool")


def ctc_loss(
    labels: Any,
    inputs: TensorLike | None = None,
    sequence_length: TensorLike | None = None,
    preprocess_collapse_repeated: bool = False,
    ctc_merge_repeated: bool = True,
    ignore_longer_outputs_than_inputs: bool = False,
    time_major: bool = True,
    logits: TensorLike | None = None,
) -> Any:
    """As tfc.nn.ctc_loss of sparse labels, where the last class is blank.

    `preprocess_collapse_repeated` makes one of equal labels in a row. Without `ctc_merge_repeated`,
    a label in several frames is that label several times.
    `ignore_longer_outputs_than_inputs` gives 0 where the frames are too few for the labels.

    >>> import tfc.compat.v1 as tf
    >>> labels = tf.SparseTensor([[0, 0]], [0], [1, 1])
    >>> loss = tf.nn.ctc_loss(labels, inputs=tf.zeros([2, 1, 2]), sequence_length=[2])
    >>> print(tf.exp(-loss).numpy().round(4))
    [0.75]
    """
    if (inputs is None) == (logits is None):
        raise blame.value_error("one of inputs and logits is wanted, and not both", "ctc_loss")
    if sequence_length is None:
        raise blame.value_error("sequence_length is wanted", "ctc_loss")
    frames: Any = logits if inputs is None else inputs
    if not isinstance(labels, _tfc.SparseTensor):
        raise blame.type_error(
            "Expected argument `labels` to be a SparseTensor. Received "
            f"labels={labels} of type: {type(labels).__name__}",
            "ctc_loss",
        )
    lengths = None
    if preprocess_collapse_repeated:
        labels, lengths = _tfc.nn.collapse_repeated(*_rows_of_labels(labels))
    found = _loss_of(labels, frames, lengths, sequence_length, time_major, -1, ctc_merge_repeated)
    if not ignore_longer_outputs_than_inputs:
        return found
    return _tfc.where(_tfc.math.is_inf(found), _tfc.zeros_like(found), found)


def softmax(
    logits: TensorLike, axis: int | None = None, name: str | None = None, dim: int | None = None
) -> Any:
    """As tfc.nn.softmax, with TensorFlow 1's argument names too.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.nn.softmax([[1.0], [1.0]], dim=0).numpy().tolist())
    [[0.5], [0.5]]
    """
    return _tfc.nn.softmax(logits, _axis(axis, dim, "softmax"), name)


def log_softmax(
    logits: TensorLike, axis: int | None = None, name: str | None = None, dim: int | None = None
) -> Any:
    """As tfc.nn.log_softmax, with TensorFlow 1's argument names too.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.nn.log_softmax([[1.0, 1.0]], dim=1))
    tf.Tensor([[-0.6931472 -0.6931472]], shape=(1, 2), dtype=float32)
    """
    return _tfc.nn.log_softmax(logits, _axis(axis, dim, "log_softmax"), name)


def _axis(axis: int | None, dim: int | None, op: str) -> int:
    if axis is not None and dim is not None:
        raise blame.value_error("Cannot specify both 'axis' and 'dim'", op)
    given = dim if axis is None else axis
    return -1 if given is None else given


def softmax_cross_entropy_with_logits(
    labels: Any = None,
    logits: Any = None,
    dim: int = -1,
    name: str | None = None,
    axis: int | None = None,
) -> Any:
    """As tfc.nn.softmax_cross_entropy_with_logits, with TensorFlow 1's argument names too.

    >>> import tfc.compat.v1 as tf
    >>> f = tf.nn.softmax_cross_entropy_with_logits_v2
    >>> print(f(labels=[[1.0, 0.0]], logits=[[0.0, 0.0]]))
    tf.Tensor([0.6931472], shape=(1,), dtype=float32)
    """
    if labels is None or logits is None:
        raise blame.value_error(
            "Both `labels` and `logits` must be provided for softmax_cross_entropy_with_logits. "
            f"Received: labels={labels!r:.60} and logits={logits!r:.60}",
            "softmax_cross_entropy_with_logits",
        )
    constant = _tfc.stop_gradient(labels)
    return softmax_cross_entropy_with_logits_v2(constant, logits, axis, None, dim)


def softmax_cross_entropy_with_logits_v2(
    labels: Any,
    logits: Any,
    axis: int | None = None,
    name: str | None = None,
    dim: int | None = None,
) -> Any:
    """As tfc.nn.softmax_cross_entropy_with_logits, with TensorFlow 1's argument names too.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.nn.softmax_cross_entropy_with_logits_v2([[1.0, 0.0]], [[0.0, 0.0]]))
    tf.Tensor([0.6931472], shape=(1,), dtype=float32)
    """
    where = _axis(axis, dim, "softmax_cross_entropy_with_logits")
    return _tfc.nn.softmax_cross_entropy_with_logits(labels, logits, where)


# What TensorFlow 1 has in another order, or calls otherwise.
_TABLE = """
conv1d(value=None, filters=None, stride=None, padding=None, use_cudnn_on_gpu=None,
    data_format=None, name=None, input=None, dilations=None) =
    input=input|value filters stride padding data_format dilations
conv2d_transpose(value=None, filter=None, output_shape=None, strides=None, padding='SAME',
    data_format='NHWC', name=None, input=None, filters=None, dilations=None) =
    input=input|value filters=filter|filters output_shape strides padding data_format dilations
conv3d(input, filter=None, strides=None, padding=None, data_format='NDHWC', dilations=None,
    name=None, filters=None) = input filters=filter|filters strides padding data_format dilations
conv3d_transpose(value=None, filter=None, output_shape=None, strides=None, padding='SAME',
    data_format='NDHWC', name=None, input=None, filters=None, dilations=None) =
    input=input|value filters=filter|filters output_shape strides padding data_format dilations
convolution(input, filter=None, padding=None, strides=None, dilation_rate=None, name=None,
    data_format=None, filters=None, dilations=None) =
    input filters=filter|filters padding strides data_format dilations=dilation_rate|dilations
depthwise_conv2d(input, filter, strides, padding, rate=None, name=None, data_format=None,
    dilations=None) = input filter strides padding data_format dilations=rate|dilations
separable_conv2d(input, depthwise_filter, pointwise_filter, strides, padding, rate=None,
    name=None, data_format=None, dilations=None) = input depthwise_filter pointwise_filter strides
    padding data_format dilations=rate|dilations
pool(input, window_shape, pooling_type, padding, dilation_rate=None, strides=None, name=None,
    data_format=None, dilations=None) =
    input window_shape pooling_type padding strides data_format dilations=dilation_rate|dilations
max_pool_with_argmax(input, ksize, strides, padding, data_format='NHWC', Targmax=None, name=None,
    output_dtype=None, include_batch_in_index=False) = input ksize strides padding data_format
    output_dtype=Targmax|output_dtype include_batch_in_index
moments(x, axes, shift=None, name=None, keep_dims=None, keepdims=None) =
    x axes shift keepdims=keep_dims|keepdims
weighted_moments(x, axes, frequency_weights, name=None, keep_dims=None, keepdims=None) =
    x axes frequency_weights keepdims=keep_dims|keepdims
sufficient_statistics(x, axes, shift=None, keep_dims=None, name=None, keepdims=None) =
    x axes shift keepdims=keep_dims|keepdims
weighted_cross_entropy_with_logits(labels=None, logits=None, pos_weight=None, name=None,
    targets=None) = labels=labels|targets logits pos_weight
space_to_depth(input, block_size, name=None, data_format='NHWC') = input block_size data_format
depth_to_space(input, block_size, name=None, data_format='NHWC') = input block_size data_format
in_top_k(predictions, targets, k, name=None) = predictions targets k
avg_pool2d(value=None, ksize=None, strides=None, padding=None, data_format='NHWC', name=None,
    input=None) = input=input|value ksize strides padding data_format
batch_norm_with_global_normalization(t=None, m=None, v=None, beta=None, gamma=None,
    variance_epsilon=None, scale_after_normalization=None, name=None, input=None, mean=None,
    variance=None) = input=input|t mean=mean|m variance=variance|v beta gamma variance_epsilon
    scale_after_normalization
crelu(features, name=None, axis=-1) = features axis
fractional_avg_pool(value, pooling_ratio, pseudo_random=False, overlapping=False,
    deterministic=False, seed=0, seed2=0, name=None) =
    value pooling_ratio pseudo_random overlapping seed
fractional_max_pool(value, pooling_ratio, pseudo_random=False, overlapping=False,
    deterministic=False, seed=0, seed2=0, name=None) =
    value pooling_ratio pseudo_random overlapping seed
"""

_MADE = _functions_of(_TABLE, lambda name: getattr(_tfc.nn, name))
globals().update(_MADE)
ctc_loss_v2, ctc_beam_search_decoder_v2 = _tfc.nn.ctc_loss, _tfc.nn.ctc_beam_search_decoder
_SAMPLERS = tuple(
    f"{kind}_candidate_sampler"
    for kind in ("all", "fixed_unigram", "learned_unigram", "log_uniform", "uniform")
)


def depthwise_conv2d_native(
    input: TensorLike,
    filter: TensorLike,
    strides: Any,
    padding: Any,
    data_format: str = "NHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """As tfc.nn.depthwise_conv2d, with `dilations` for all axes.

    >>> import tfc.compat.v1 as tf
    >>> image, kernel = tf.ones([1, 2, 2, 1]), tf.ones([2, 2, 1, 1])
    >>> tf.nn.depthwise_conv2d_native(image, kernel, [1] * 4, "SAME", dilations=[1] * 4).shape
    TensorShape([1, 2, 2, 1])
    """
    axes = slice(2, 4) if data_format == "NCHW" else slice(1, 3)
    rates = None if dilations is None else list(dilations)[axes]
    return _tfc.nn.depthwise_conv2d(input, filter, strides, padding, data_format, rates)


def dilation2d(
    input: TensorLike,
    filter: Any = None,
    strides: Any = None,
    rates: Any = None,
    padding: Any = None,
    name: str | None = None,
    filters: Any = None,
    dilations: Any = None,
) -> Any:
    """As tfc.nn.dilation2d, with TensorFlow 1's arguments.

    >>> import tfc.compat.v1 as tf
    >>> ones = [1, 1, 1, 1]
    >>> tf.nn.dilation2d(tf.ones([1, 4, 4, 1]), tf.zeros([2, 2, 1]), ones, ones, "VALID").shape
    TensorShape([1, 3, 3, 1])
    """
    kernel = filters if filter is None else filter
    steps = dilations if rates is None else rates
    return _tfc.nn.dilation2d(input, kernel, strides, padding, "NHWC", steps)


def erosion2d(
    value: TensorLike,
    kernel: TensorLike,
    strides: Any,
    rates: Any,
    padding: str,
    name: str | None = None,
) -> Any:
    """As tfc.nn.erosion2d, with TensorFlow 1's arguments.

    >>> import tfc.compat.v1 as tf
    >>> ones = [1, 1, 1, 1]
    >>> tf.nn.erosion2d(tf.ones([1, 4, 4, 1]), tf.zeros([2, 2, 1]), ones, ones, "VALID").shape
    TensorShape([1, 3, 3, 1])
    """
    return _tfc.nn.erosion2d(value, kernel, strides, padding, "NHWC", rates)


def space_to_batch(
    input: TensorLike,
    paddings: Any,
    block_size: Any = None,
    name: str | None = None,
    block_shape: Any = None,
) -> Any:
    """As tfc.nn.space_to_batch, with one size of blocks for rows and columns, or `block_shape`.

    >>> import tfc.compat.v1 as tf
    >>> tf.nn.space_to_batch(tf.ones([1, 4, 4, 1]), [[0, 0], [0, 0]], 2).shape
    TensorShape([4, 2, 2, 1])
    """
    blocks = [block_size, block_size] if block_shape is None else block_shape
    return _tfc.nn.space_to_batch(input, blocks, paddings)


def xw_plus_b(
    x: TensorLike, weights: TensorLike, biases: TensorLike, name: str | None = None
) -> Any:
    """x weights + biases, of matrices.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.nn.xw_plus_b([[1.0, 2.0]], [[3.0], [4.0]], [0.5]))
    tf.Tensor([[11.5]], shape=(1, 1), dtype=float32)
    """
    return _tfc.nn.bias_add(_tfc.matmul(x, weights), biases)


def relu_layer(
    x: TensorLike, weights: TensorLike, biases: TensorLike, name: str | None = None
) -> Any:
    """What is positive of x weights + biases.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.nn.relu_layer([[1.0, 2.0]], [[3.0], [4.0]], [-20.0]))
    tf.Tensor([[0.]], shape=(1, 1), dtype=float32)
    """
    return _tfc.nn.relu(xw_plus_b(x, weights, biases))


def ctc_beam_search_decoder(
    inputs: TensorLike,
    sequence_length: TensorLike,
    beam_width: int = 100,
    top_paths: int = 1,
    merge_repeated: bool = True,
) -> Any:
    """As tfc.nn.ctc_beam_search_decoder; `merge_repeated`: equal labels behind each other are given
    once.

    >>> import tfc.compat.v1 as tf
    >>> frames = tf.math.log([[[0.9, 0.05, 0.05]], [[0.05, 0.05, 0.9]], [[0.9, 0.05, 0.05]]])
    >>> decoded, _ = tf.nn.ctc_beam_search_decoder(frames, [3])
    >>> print(decoded[0].values)
    tf.Tensor([0], shape=(1,), dtype=int64)
    """
    return _beam_search(inputs, sequence_length, beam_width, top_paths, merge_repeated)


def _placed(params: Any, ids: Any, strategy: str, op: str) -> tuple[Any, Any]:
    """One table of the parts of a table, and where in it ids are."""
    _choice(strategy, ("mod", "div"), "partition_strategy", op)
    parts = list(params) if isinstance(params, list | tuple) else [params]
    if len(parts) == 1 or strategy == "div":
        return params, ids
    ids = _tfc.convert_to_tensor(ids)
    sizes = _tfc.stack([_tfc.shape(part, out_type=ids.dtype)[0] for part in parts])
    begins = _tfc.cumsum(sizes, exclusive=True)
    part, row = ids % len(parts), ids // len(parts)
    inside = row < _tfc.gather(sizes, part)
    # What is beyond its part is nowhere: not in the next one.
    place = _tfc.where(inside, _tfc.gather(begins, part) + row, -1 - _tfc.abs(ids))
    return _tfc.concat(parts, 0), place


def embedding_lookup(
    params: Any,
    ids: TensorLike,
    partition_strategy: str = "mod",
    name: str | None = None,
    validate_indices: bool = True,
    max_norm: Any = None,
) -> Any:
    """As tfc.nn.embedding_lookup, where of several parts of a table each has every so manieth row
    ("mod"), or one has the first rows ("div").

    >>> import tfc.compat.v1 as tf
    >>> print(tf.nn.embedding_lookup([[1.0, 3.0], [2.0]], [0, 1, 2]))
    tf.Tensor([1. 2. 3.], shape=(3,), dtype=float32)
    """
    table, place = _placed(params, ids, partition_strategy, "embedding_lookup")
    return _tfc.nn.embedding_lookup(table, place, max_norm)


def embedding_lookup_sparse(
    params: Any,
    sp_ids: Any,
    sp_weights: Any,
    partition_strategy: str = "mod",
    name: str | None = None,
    combiner: str | None = None,
    max_norm: Any = None,
    allow_fast_lookup: bool = False,
) -> Any:
    """As tfc.nn.embedding_lookup_sparse, where of several parts of a table each has every so
    manieth row ("mod"), or one has the first rows ("div").

    >>> import tfc.compat.v1 as tf
    >>> ids = tf.SparseTensor([[0, 0], [0, 1]], [0, 1], [1, 2])
    >>> print(tf.nn.embedding_lookup_sparse([[[1.0]], [[2.0]]], ids, None, combiner="sum"))
    tf.Tensor([[3.]], shape=(1, 1), dtype=float32)
    """
    op = "embedding_lookup_sparse"
    if isinstance(sp_ids, _tfc.SparseTensor):
        params, place = _placed(params, sp_ids.values, partition_strategy, op)
        sp_ids = _tfc.SparseTensor(sp_ids.indices, place, sp_ids.dense_shape)
    elif isinstance(sp_ids, _tfc.RaggedTensor):
        params, place = _placed(params, sp_ids.flat_values, partition_strategy, op)
        sp_ids = sp_ids.with_flat_values(place)
    return _tfc.nn.embedding_lookup_sparse(params, sp_ids, sp_weights, combiner, max_norm)


def safe_embedding_lookup_sparse(
    embedding_weights: Any,
    sparse_ids: Any,
    sparse_weights: Any = None,
    combiner: str = "mean",
    default_id: int | None = None,
    name: str | None = None,
    partition_strategy: str = "div",
    max_norm: Any = None,
    allow_fast_lookup: bool = False,
) -> Any:
    """As tfc.nn.safe_embedding_lookup_sparse, of a table whose parts have the first rows, and so on
    ("div").

    >>> import tfc.compat.v1 as tf
    >>> ids = tf.SparseTensor([[0, 0], [0, 1]], [0, -1], [2, 2])
    >>> table = tf.constant([[1.0], [2.0]])
    >>> print(tf.nn.safe_embedding_lookup_sparse(table, ids, default_id=1))
    tf.Tensor(
    [[1.]
     [2.]], shape=(2, 1), dtype=float32)
    """
    op = "safe_embedding_lookup_sparse"
    parts = isinstance(embedding_weights, list | tuple) and len(embedding_weights) > 1
    if partition_strategy != "div" and parts:
        raise blame.unimplemented("partition_strategy is 'div' of several parts", op)
    return _tfc.nn.safe_embedding_lookup_sparse(
        embedding_weights, sparse_ids, sparse_weights, combiner, default_id, max_norm
    )


def nce_loss(
    weights: Any,
    biases: TensorLike,
    labels: TensorLike,
    inputs: TensorLike,
    num_sampled: int,
    num_classes: int,
    num_true: int = 1,
    sampled_values: Any = None,
    remove_accidental_hits: bool = False,
    partition_strategy: str = "mod",
    name: str | None = None,
) -> Any:
    """As tfc.nn.nce_loss, of a table of one part.

    >>> import tfc.compat.v1 as tf
    >>> table, bias, classes = tf.ones([5, 2]), tf.zeros([5]), tf.constant([[1]], tf.int64)
    >>> tf.nn.nce_loss(table, bias, classes, [[1.0, 2.0]], 2, 5, partition_strategy="div").shape
    TensorShape([1])
    """
    table = _one_part(weights, partition_strategy, "nce_loss")
    given = labels, inputs, num_sampled, num_classes, num_true, sampled_values
    return _tfc.nn.nce_loss(table, biases, *given, remove_accidental_hits)


def sampled_softmax_loss(
    weights: Any,
    biases: TensorLike,
    labels: TensorLike,
    inputs: TensorLike,
    num_sampled: int,
    num_classes: int,
    num_true: int = 1,
    sampled_values: Any = None,
    remove_accidental_hits: bool = True,
    partition_strategy: str = "mod",
    name: str | None = None,
    seed: int | None = None,
) -> Any:
    """As tfc.nn.sampled_softmax_loss, of a table of one part.

    >>> import tfc.compat.v1 as tf
    >>> table, bias, classes = tf.ones([5, 2]), tf.zeros([5]), tf.constant([[1]], tf.int64)
    >>> f = tf.nn.sampled_softmax_loss
    >>> f(table, bias, classes, [[1.0, 2.0]], 2, 5, partition_strategy="div").shape
    TensorShape([1])
    """
    table = _one_part(weights, partition_strategy, "sampled_softmax_loss")
    given = labels, inputs, num_sampled, num_classes, num_true, sampled_values
    return _tfc.nn.sampled_softmax_loss(table, biases, *given, remove_accidental_hits, seed)


def _one_part(weights: Any, strategy: str, op: str) -> Any:
    _choice(strategy, ("mod", "div"), "partition_strategy", op)
    if strategy == "mod" and isinstance(weights, list | tuple) and len(weights) > 1:
        raise blame.unimplemented("partition_strategy is 'div' of several parts", op)
    return weights


# Of recurrent cells; they stand above this module.
_NETWORKS = {"bidirectional_dynamic_rnn", "dynamic_rnn", "static_bidirectional_rnn", "static_rnn"}


def __getattr__(name: str) -> Any:
    import tfc

    if name == "rnn_cell":
        return importlib.import_module("tfc.compat.v1.rnn_cell")
    if name in _NETWORKS:
        return getattr(importlib.import_module("tfc.compat.v1.rnn"), name)
    if name in _SAMPLERS:
        return getattr(tfc.random, name)
    if name.startswith("__") or not hasattr(tfc.nn, name):
        raise AttributeError(f"module 'tfc.compat.v1.nn' has no attribute {name!r}")
    return getattr(tfc.nn, name)


__all__ = [
    *_MADE,
    "avg_pool",
    "conv2d",
    "conv2d_backprop_filter",
    "conv2d_backprop_input",
    "conv3d_backprop_filter",
    "conv3d_backprop_filter_v2",
    "ctc_beam_search_decoder",
    "ctc_beam_search_decoder_v2",
    "ctc_loss",
    "ctc_loss_v2",
    "depthwise_conv2d_backprop_filter",
    "depthwise_conv2d_backprop_input",
    "depthwise_conv2d_native",
    "depthwise_conv2d_native_backprop_filter",
    "depthwise_conv2d_native_backprop_input",
    "dilation2d",
    "dropout",
    "embedding_lookup",
    "embedding_lookup_sparse",
    "erosion2d",
    "fused_batch_norm",
    "log_softmax",
    "max_pool",
    "nce_loss",
    "relu_layer",
    "safe_embedding_lookup_sparse",
    "sampled_softmax_loss",
    "softmax",
    "softmax_cross_entropy_with_logits",
    "softmax_cross_entropy_with_logits_v2",
    "space_to_batch",
    "xw_plus_b",
]
