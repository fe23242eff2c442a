"""Labels read off the frames of connectionist temporal classification."""

from __future__ import annotations

from typing import Any

from tfc.ir.dtypes import int64

from ...core.conversion import operand
from ...core.types import TensorLike
from ..arguments import flag
from ..array import checks as _checks
from ..array import conversion as _conversion
from ..array import creation as _creation
from ..array import indexing as _indexing
from ..array import joining as _joining
from ..array import shaping as _shaping
from ..math import comparisons as _comparisons
from ..math import cumulative as _cumulative
from ..math import reductions as _reductions
from ..sparse.tensor import SparseTensor
from .ctc_beams import decoded_operands


def ctc_greedy_decoder(
    inputs: TensorLike,
    sequence_length: TensorLike,
    merge_repeated: bool = True,
    blank_index: Any = None,
) -> Any:
    """The best class of every frame, without blanks.

    Args:
        inputs: A tensor of floats [frames, batch, classes]: logits.
        sequence_length: A tensor of integers [batch]: how many of the frames count.
        merge_repeated: Whether a class that is the best in several frames in a row is given once.
        blank_index: The class that is blank, from the end if it is negative; None is the last one.

    Returns:
        A pair ([labels], neg_sum_logits): a list of one sparse tensor, int64 [batch, longest], and
        minus the sum of the best logits [batch, 1].

    Raises:
        InvalidArgumentError: If ranks or dtypes are others, a length is above the number of frames,
            or there is another number of lengths.

    >>> import tfc as tf
    >>> frames = tf.one_hot([[0], [0], [2], [0], [1]], 3)  # of one sequence, 2 is blank
    >>> (labels,), score = tf.nn.ctc_greedy_decoder(frames, [5])
    >>> print(tf.sparse.to_dense(labels), score)
    tf.Tensor([[0 0 1]], shape=(1, 3), dtype=int64) tf.Tensor([[-5.]], shape=(1, 1), dtype=float32)
    """
    op = "ctc_greedy_decoder"
    x, lengths = decoded_operands(op, inputs, sequence_length)
    frames, batch, classes = _joining.unstack(_shaping.shape(x, out_type=int64))
    blank: Any = operand(op, -1 if blank_index is None else blank_index, int64)
    blank = _comparisons.select(blank < 0, blank + classes, blank)
    wide = _conversion.cast(lengths, int64)
    _checks.assert_less_equal(wide, frames, "sequence_length must be at most the frames")
    _checks.assert_equal(_shaping.shape(wide, out_type=int64)[0], batch, "one length a sequence")
    best = _shaping.transpose(_reductions.argmax(x, 2))  # [batch, frames]
    inside = _creation.range(frames) < _shaping.expand_dims(wide, 1)
    kept = _comparisons.not_equal(best, blank) & inside
    if flag(merge_repeated, "merge_repeated", op):
        before = _joining.concat([_creation.zeros_like(best[:, :1]) - 1, best], 1)[:, :-1]
        kept = kept & _comparisons.not_equal(best, before)
    places = _indexing.where(kept)
    rows = places[:, 0]
    counts = _reductions.reduce_sum(_conversion.cast(kept, int64), 1)
    begins = _cumulative.cumsum(counts, exclusive=True)
    columns = _creation.range(_shaping.shape(rows, out_type=int64)[0]) - _indexing.gather(
        begins, rows
    )
    longest = _reductions.reduce_max(_joining.concat([counts, [0]], 0))
    labels = SparseTensor(
        _joining.stack([rows, columns], 1),
        _indexing.gather_nd(best, places),
        _joining.stack([batch, longest]),
    )
    top = _shaping.transpose(_reductions.reduce_max(x, 2))
    score = -_reductions.reduce_sum(
        _comparisons.select(inside, top, _creation.zeros_like(top)), 1, keepdims=True
    )
    return [labels], score
