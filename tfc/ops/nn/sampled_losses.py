"""Losses of many classes, of which a few candidates stand for all that are not true.

S. Jean, K. Cho, R. Memisevic, Y. Bengio: "On using very large target vocabulary for neural machine
translation", 2015; M. Gutmann, A. Hyvarinen: "Noise-contrastive estimation", 2010.
"""

from __future__ import annotations

from typing import Any, NamedTuple, SupportsIndex

import numpy as np

from tfc.ir import ops as ir
from tfc.ir.algebra import Term, where
from tfc.ir.core import Builder, Value
from tfc.ir.dtypes import float32, int64

from ...core import blame
from ...core.conversion import operand
from ...core.tensor import Tensor
from ...core.types import TensorLike
from ...dispatch.primitive import primitive
from ..array import conversion
from ..array.creation import ones_like, zeros_like
from ..array.indexing import fitted
from ..array.indexing import where as places_where
from ..array.joining import concat
from ..array.shaping import expand_dims
from ..linalg.products import matmul
from ..math import reductions, transcendental
from .basics import sigmoid_cross_entropy_with_logits, softmax_cross_entropy_with_logits
from .candidates import _count, _true_classes, log_uniform_candidate_sampler
from .embeddings import embedding_lookup


class ComputeAccidentalHits(NamedTuple):
    """What `compute_accidental_hits` gives."""

    indices: Any
    ids: Any
    weights: Any


def compute_accidental_hits(
    true_classes: TensorLike,
    sampled_candidates: TensorLike,
    num_true: int,
    seed: SupportsIndex | None = None,
    name: str | None = None,
) -> Any:
    """Where candidates are true classes.

    Args:
        true_classes: A tensor of integers [batch, num_true].
        sampled_candidates: A tensor of integers [candidates].
        num_true: How many true classes a row has.
        seed: Of no effect.

    Returns:
        A named tuple of three vectors: `indices`, the rows of `true_classes`, int32; `ids`, the
        places in `sampled_candidates`, int64; and `weights` to add to their logits, the lowest
        float32 each.

    Raises:
        InvalidArgumentError: If a shape or dtype is another one.

    >>> import tfc as tf
    >>> rows, places, weights = tf.nn.compute_accidental_hits([[4], [5]], [5, 6, 5], 1)
    >>> print(rows, places)
    tf.Tensor([1 1], shape=(2,), dtype=int32) tf.Tensor([0 2], shape=(2,), dtype=int64)
    """
    op = "compute_accidental_hits"
    true = _true_classes(true_classes, num_true, op)
    candidates = _candidates(sampled_candidates, op)
    places = places_where(_hits(true, candidates))
    rows, columns = conversion.cast(places[:, 0], "int32"), places[:, 1]
    weights = ones_like(columns, dtype=float32) * float(np.finfo(np.float32).min)
    return ComputeAccidentalHits(rows, columns, weights)


def _candidates(value: Any, op: str) -> Tensor:
    found = operand(op, value)
    if len(found.shape) != 1 or not found.dtype.is_integer:
        raise blame.invalid(f"candidates must be a vector of integers, got {found!r}", op)
    return conversion.cast(found, int64)


@primitive
def _hits(b: Builder, true: Value, candidates: Value) -> Value:
    """Whether each candidate is a true class of each row."""
    (rows, many), (count,) = true.shape, candidates.shape
    shape = (rows, many, count)
    spread = b.emit(ir.Broadcast(true, shape, (0, 1)))
    equal = b.emit(ir.Equal(spread, b.emit(ir.Broadcast(candidates, shape, (2,)))))
    return b.emit(ir.ReduceAny(equal, (1,)))


@primitive
def _without_hits(b: Builder, logits: Value, true: Value, candidates: Value) -> Value:
    """The logits of candidates, as good as impossible where they are true classes."""
    hit = Term(b, _hits.body(b, true, candidates))
    logits = fitted(b, logits, hit.value.shape, "sampled_loss: inputs and labels differ in number")
    lowest = float(np.finfo(logits.dtype.compute.numpy).min)
    return where(hit, Term(b, logits) + lowest, Term(b, logits)).value


def _sampled_logits(
    op: str,
    weights: Any,
    biases: Any,
    labels: Any,
    inputs: Any,
    num_sampled: Any,
    num_classes: Any,
    num_true: Any,
    sampled_values: Any,
    remove_accidental_hits: bool,
    seed: Any = None,
) -> tuple[Any, Any]:
    """The logits of the true classes and, behind them, of the candidates; and their labels."""
    x = operand(op, inputs)
    if len(x.shape) != 2 or not x.dtype.is_floating:
        raise blame.invalid(f"inputs must be floats [batch, dim], got {x.dtype.name} {x.shape}", op)
    true = _true_classes(labels, num_true, op)
    if sampled_values is None:
        sampled_values = log_uniform_candidate_sampler(
            true, num_true, num_sampled, True, num_classes, seed
        )
    candidates, true_count, count = (conversion.stop_gradient(v) for v in sampled_values)
    candidates = _candidates(candidates, op)
    many = _count(num_true, "num_true", op)
    true_rows, rows = embedding_lookup(weights, true), embedding_lookup(weights, candidates)
    true_logits = reductions.reduce_sum(expand_dims(x, 1) * true_rows, -1)
    true_logits = true_logits + embedding_lookup(biases, true)
    logits = matmul(x, rows, transpose_b=True) + embedding_lookup(biases, candidates)
    if remove_accidental_hits:
        logits = _without_hits.fast()(logits, true, candidates)
    true_logits = true_logits - transcendental.log(conversion.cast(true_count, x.dtype))
    logits = logits - transcendental.log(conversion.cast(count, x.dtype))
    share = ones_like(true_logits) / float(many)
    return concat([true_logits, logits], 1), concat([share, zeros_like(logits)], 1)


def nce_loss(
    weights: TensorLike,
    biases: TensorLike,
    labels: TensorLike,
    inputs: TensorLike,
    num_sampled: int,
    num_classes: int,
    num_true: int = 1,
    sampled_values: Any = None,
    remove_accidental_hits: bool = False,
    name: str | None = None,
) -> Tensor:
    """The loss of noise-contrastive estimation: how well the true classes are told from candidates,
    by logits inputs @ weights + biases of which only those are computed.

    Args:
        weights: A tensor of floats [num_classes, dim], or a list of its parts, as
            `tfc.nn.embedding_lookup` takes them.
        biases: A tensor of floats [num_classes].
        labels: A tensor of integers [batch, num_true]: the true classes.
        inputs: A tensor of floats [batch, dim].
        num_sampled: How many candidates to draw.
        num_classes: How many classes there are.
        num_true: How many true classes a row has.
        sampled_values: What a candidate sampler gives; None: that of
            `tfc.random.log_uniform_candidate_sampler`, of different classes.
        remove_accidental_hits: Whether candidates that are true classes of a row do not count
            there.

    Returns:
        A tensor of floats [batch]: the losses, in nats.

    Raises:
        InvalidArgumentError: If shapes or dtypes do not fit, a class is not there, or there are not
            so many different candidates.
        ValueError: If a number is no positive integer.

    >>> import tfc as tf
    >>> loss = tf.nn.nce_loss(tf.zeros([9, 2]), tf.zeros([9]), [[1]], tf.ones([1, 2]), 4, 9)
    >>> loss.shape
    TensorShape([1])
    """
    logits, wanted = _sampled_logits(
        "nce_loss",
        weights,
        biases,
        labels,
        inputs,
        num_sampled,
        num_classes,
        num_true,
        sampled_values,
        remove_accidental_hits,
    )
    return reductions.reduce_sum(sigmoid_cross_entropy_with_logits(wanted, logits), 1)


def sampled_softmax_loss(
    weights: TensorLike,
    biases: TensorLike,
    labels: TensorLike,
    inputs: TensorLike,
    num_sampled: int,
    num_classes: int,
    num_true: int = 1,
    sampled_values: Any = None,
    remove_accidental_hits: bool = True,
    seed: SupportsIndex | None = None,
    name: str | None = None,
) -> Tensor:
    """The softmax cross entropy with the true classes and a few candidates in the place of all
    classes: for training, where there are many.

    Args:
        weights: A tensor of floats [num_classes, dim], or a list of its parts, as
            `tfc.nn.embedding_lookup` takes them.
        biases: A tensor of floats [num_classes].
        labels: A tensor of integers [batch, num_true]: the true classes.
        inputs: A tensor of floats [batch, dim].
        num_sampled: How many candidates to draw.
        num_classes: How many classes there are.
        num_true: How many true classes a row has; they share the probability.
        sampled_values: What a candidate sampler gives; None: that of
            `tfc.random.log_uniform_candidate_sampler`, of different classes.
        remove_accidental_hits: Whether candidates that are true classes of a row do not count
            there.
        seed: A seed for a stream of its own; None: the common one, which `tfc.random.set_seed`
            begins.

    Returns:
        A tensor of floats [batch]: the losses, in nats.

    Raises:
        InvalidArgumentError: If shapes or dtypes do not fit, a class is not there, or there are not
            so many different candidates.
        ValueError: If a number is no positive integer.

    >>> import tfc as tf
    >>> every = tf.random.all_candidate_sampler([[1]], 1, 3, True)
    >>> weights, x = tf.constant([[1.0], [2.0], [4.0]]), tf.constant([[1.0]])
    >>> loss = tf.nn.sampled_softmax_loss(weights, tf.zeros([3]), [[1]], x, 3, 3, 1, every)
    >>> print(loss - tf.nn.sparse_softmax_cross_entropy_with_logits([1], [[1.0, 2.0, 4.0]]))
    tf.Tensor([0.], shape=(1,), dtype=float32)
    """
    logits, wanted = _sampled_logits(
        "sampled_softmax_loss",
        weights,
        biases,
        labels,
        inputs,
        num_sampled,
        num_classes,
        num_true,
        sampled_values,
        remove_accidental_hits,
        seed,
    )
    return softmax_cross_entropy_with_logits(conversion.stop_gradient(wanted), logits)
