"""Connectionist temporal classification: labels of a sequence without their places in time."""

from __future__ import annotations

from typing import Any

from tfc.ir import ops as ir
from tfc.ir.algebra import Term, where
from tfc.ir.core import Builder, OpError, Value
from tfc.ir.dtypes import int64

from ...core import above, blame
from ...core.conversion import operand
from ...core.tensor import Tensor
from ...core.types import TensorLike
from ...dispatch.primitive import broadcast_to, primitive, same_extents
from ..arguments import flag, whole_number
from ..array.conversion import cast
from ..array.indexing import gather
from ..array.shaping import transpose
from ..array.slicing import getitem, steps
from ..extents import extents_of
from ..math.arithmetic import maximum
from ..math.reductions import logsumexp_of
from ..ragged.tensor import RaggedTensor
from ..sparse.tensor import SparseTensor
from .basics import log_softmax

IMPOSSIBLE = -1e30  # as a logarithm: finite, so that what is impossible has a gradient, of 0


@primitive
def _with_blanks(b: Builder, labels: Value, blank: int) -> Value:
    """[batch, n] as [batch, 2n + 1], with blanks before, between and behind, as int64."""
    labels = b.emit(ir.Cast(labels, int64))
    batch, n = labels.shape
    column = broadcast_to(b, b.constant(blank, int64), (batch, n, 1))
    pairs = b.emit(ir.Concat((column, b.emit(ir.Reshape(labels, (batch, n, 1)))), 2))
    last = broadcast_to(b, b.constant(blank, int64), (batch, 1))
    return b.emit(ir.Concat((b.emit(ir.Reshape(pairs, (batch, 2 * n))), last), 1))


@primitive
def _of_batch(b: Builder, x: Value, like: Value) -> Value:
    """`x`, whose batch is that of `like`."""
    fitted = same_extents(b, (like, x), (0,))
    if fitted is None:
        raise OpError("ctc_loss: labels, lengths and logits have other batches")
    return fitted[1]


@primitive
def _start(b: Builder, states: Value, like: Value) -> Value:
    """Before the first frame: certainly in front of all states."""
    place = Term(b, b.emit(ir.Iota(states.shape, 1, int64)))
    zero = Term(b, broadcast_to(b, b.constant(0, like.dtype), states.shape))
    return where(place.equal(0), zero, IMPOSSIBLE).value


@primitive
def _step(
    b: Builder,
    before: Value,
    states: Value,
    frame: Value,
    time: Value,
    lengths: Value,
    merging: bool,
) -> Value:
    """One frame: each state is reached from itself, from the one before, and past a blank from
    the one before that, if that has another label. Where repeated labels are not merged, blanks
    alone stay, and all labels can follow each other at once."""
    fitted = same_extents(b, (before, states, frame), (0, 1))
    if fitted is None:
        raise OpError("ctc_loss: labels and logits have other batches")
    before, states, frame = fitted
    shape = before.shape
    batch, n = shape
    fill = b.constant(IMPOSSIBLE, before.dtype)

    def moved(x: Value, by: int, filling: Value) -> Value:
        wide = b.emit(ir.Pad(x, filling, (0, by), (batch, n + by), (1, 1)))
        return b.emit(ir.Slice(wide, (0, 0), shape, (1, 1)))

    place = Term(b, b.emit(ir.Iota(shape, 1, int64)))
    odd = (place % 2).equal(1)
    behind = Term(b, moved(states, 2, b.constant(-1, int64)))
    skips = odd & Term(b, states).not_equal(behind) if merging else odd
    stays = before if merging else where((place % 2).equal(0), Term(b, before), IMPOSSIBLE).value
    twice = where(skips, Term(b, moved(before, 2, fill)), IMPOSSIBLE).value
    ways = [b.emit(ir.Reshape(v, (*shape, 1))) for v in (stays, moved(before, 1, fill), twice)]
    reached = logsumexp_of(b, b.emit(ir.Concat(tuple(ways), 2)), (2,), False)
    after = Term(b, b.emit(ir.Add(reached, frame)))
    now = Term(b, broadcast_to(b, time, (batch,)))
    going = (now < Term(b, lengths)).value
    spread = Term(b, b.emit(ir.Broadcast(going, shape, (0,))))
    return spread.select(after, Term(b, before)).value


@primitive
def _finish(b: Builder, last: Value, lengths: Value) -> Value:
    """Minus the logarithm of ending in the last label or in the blank behind it."""
    place = Term(b, b.emit(ir.Iota(last.shape, 1, int64)))
    end = Term(b, b.emit(ir.Broadcast(lengths, last.shape, (0,)))) * 2
    ends = place.equal(end) | place.equal(end - 1)
    chosen = where(ends, Term(b, last), IMPOSSIBLE).value
    loss = -Term(b, logsumexp_of(b, chosen, (1,), False))
    return where(loss < -IMPOSSIBLE / 2, loss, float("inf")).value


def rows_of(labels: SparseTensor) -> tuple[Tensor, Tensor]:
    """The elements of each row from the left, and how many there are."""
    rows = RaggedTensor.from_value_rowids(
        labels.values, labels.indices[:, 0], labels.dense_shape[0], validate=False
    )
    return rows.to_tensor(), rows.row_lengths()


def ctc_loss(
    labels: TensorLike | SparseTensor,
    logits: TensorLike,
    label_length: TensorLike | None,
    logit_length: TensorLike,
    logits_time_major: bool = True,
    unique: Any = None,
    blank_index: Any = None,
    name: str | None = None,
) -> Tensor:
    """Minus the log-probability of each sequence of labels: the sum over all ways to put blanks
    between them and to repeat them in time (Graves et al., "Connectionist temporal classification",
    2006).

    Args:
        labels: A tensor of integers [batch, n]; or a sparse one, whose rows hold the labels one
            after the other.
        logits: A tensor of floats [frames, batch, classes].
        label_length: A tensor of integers [batch]: how many of the labels count. Sparse labels all
            do, and it is not looked at.
        logit_length: A tensor of integers [batch]: how many of the frames count.
        logits_time_major: Whether `logits` begins with the frames; otherwise it is [batch, frames,
            classes].
        unique: Not needed.
        blank_index: The class that is blank, from the end if it is negative; None is 0, and an
            error where labels are sparse.

    Returns:
        A tensor [batch] of the dtype of `logits`: the losses in nats, inf where the frames are too
        few for the labels.

    Raises:
        ValueError: If `labels`, `logits` or a length has another rank, or labels are sparse and
            `blank_index` is None.
        InvalidArgumentError: If a class is not there, or batches differ (ValueError while tracing),
            or dtypes are others (TypeError).

    >>> import tfc as tf
    >>> logits = tf.zeros([2, 1, 2])  # two frames, in which blank and label 1 are as likely
    >>> loss = tf.nn.ctc_loss([[1]], logits, [1], [2])
    >>> print(tf.exp(-loss).numpy().round(4))  # "1 1", "1 -" or "- 1", of four
    [0.75]
    """
    arguments = labels, logits, label_length, logit_length, logits_time_major, blank_index
    return loss_of(*arguments, merging=True)


def loss_of(
    labels: Any,
    logits: Any,
    label_length: Any,
    logit_length: Any,
    logits_time_major: Any,
    blank_index: Any,
    merging: bool,
) -> Tensor:
    """`ctc_loss`, which takes the same label in several frames for one (`merging`), or not."""
    op = "ctc_loss"
    if isinstance(labels, SparseTensor):
        if blank_index is None:
            raise blame.value_error(
                "Argument `blank_index` must be provided when labels is a SparseTensor.", op
            )
        if labels.shape.rank not in (2, None):
            raise blame.value_error(f"sparse labels have two axes, got shape {labels.shape}", op)
        labels, label_length = rows_of(labels)
    x, y = operand(op, logits), operand(op, labels)
    sizes = [cast(operand(op, v), int64) for v in (label_length, logit_length)]
    if len(x.shape) != 3 or len(y.shape) != 2 or any(len(v.shape) != 1 for v in sizes):
        raise blame.value_error(
            f"needs labels [batch, n] and logits of rank 3, got {y.shape}, {x.shape}", op
        )
    if not x.dtype.is_floating or not y.dtype.is_integer:
        raise blame.invalid_dtype("logits must be floats, labels integers", op)
    classes = extents_of(x)[2]
    batches = [extents_of(v)[0] for v in (y, *sizes)] + [
        extents_of(x)[flag(logits_time_major, "logits_time_major", "ctc_loss")]
    ]
    if len({e for e in batches if isinstance(e, int)}) > 1:
        raise blame.invalid(
            f"labels, lengths of labels and of logits, and logits have batches of {batches}", op
        )
    blank = 0 if blank_index is None else whole_number(blank_index, "blank_index", op)
    if blank < 0:
        if not isinstance(classes, int):
            raise blame.unknown_extent("a negative blank_index needs known classes", op)
        blank += classes
    if logits_time_major:
        x = transpose(x, [1, 0, 2])
    like = next((v for v in (y, x, *sizes) if isinstance(extents_of(v)[0], int)), y)
    x, y, *sizes = [_of_batch.fast()(v, like) for v in (x, y, *sizes)]
    states = _with_blanks.fast(blank)(maximum(y, 0))
    frames = transpose(gather(log_softmax(x), states, axis=2, batch_dims=1), [1, 0, 2])

    def step(before: Any, elements: Any) -> Any:
        frame, time = elements
        return _step.fast(merging)(before, states, frame, time, sizes[1])

    times = steps(extents_of(frames)[0])
    last = above.foldl(step, (frames, times), initializer=_start.fast()(states, getitem(frames, 0)))
    return _finish.fast()(last, sizes[0])
