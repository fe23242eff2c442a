"""Labels read off the frames of connectionist temporal classification."""

from __future__ import annotations

from typing import Any

import tfc as _tfc
from tfc.ir.dtypes import int64

from .. import blame
from ..sparse_tensor import SparseTensor
from ..tensor import operand


def ctc_greedy_decoder(
    inputs: Any, sequence_length: Any, merge_repeated: bool = True, blank_index: Any = None
) -> Any:
    """The best class of every frame, without blanks, and without repetitions if `merge_repeated`:
    ([labels], neg_sum_logits) with a sparse int64 tensor of the labels [batch, longest], and minus
    the sum of the best logits [batch, 1].

    `inputs` are logits [frames, batch, classes], of which `sequence_length` [batch] frames count.
    Blank is class `blank_index`, by default the last one.

    >>> import tfc as tf
    >>> frames = tf.one_hot([[0], [0], [2], [0], [1]], 3)  # of one sequence, 2 is blank
    >>> (labels,), score = tf.nn.ctc_greedy_decoder(frames, [5])
    >>> print(tf.sparse.to_dense(labels), score)
    tf.Tensor([[0 0 1]], shape=(1, 3), dtype=int64) tf.Tensor([[-5.]], shape=(1, 1), dtype=float32)
    """
    op = "ctc_greedy_decoder"
    x, lengths = operand(op, inputs), operand(op, sequence_length)
    if len(x.shape) != 3 or len(lengths.shape) != 1 or not x.dtype.is_floating:
        raise blame.invalid(
            f"needs float logits of rank 3 and a vector of lengths, got {x.shape}, {lengths.shape}",
            op,
        )
    if not lengths.dtype.is_integer:
        raise blame.invalid_dtype(f"{op}: lengths must be integers, got {lengths.dtype.name}", op)
    frames, batch, classes = _tfc.unstack(_tfc.shape(x, out_type=int64))
    blank: Any = operand(op, -1 if blank_index is None else blank_index, int64)
    blank = _tfc.where(blank < 0, blank + classes, blank)
    wide = _tfc.cast(lengths, int64)
    _tfc.debugging.assert_less_equal(wide, frames, "sequence_length must be at most the frames")
    _tfc.debugging.assert_equal(_tfc.shape(wide, out_type=int64)[0], batch, "one length a sequence")
    best = _tfc.transpose(_tfc.argmax(x, 2))  # [batch, frames]
    inside = _tfc.range(frames) < _tfc.expand_dims(wide, 1)
    kept = _tfc.not_equal(best, blank) & inside
    if merge_repeated:
        before = _tfc.concat([_tfc.zeros_like(best[:, :1]) - 1, best], 1)[:, :-1]
        kept = kept & _tfc.not_equal(best, before)
    places = _tfc.where(kept)
    rows = places[:, 0]
    counts = _tfc.reduce_sum(_tfc.cast(kept, int64), 1)
    begins = _tfc.cumsum(counts, exclusive=True)
    columns = _tfc.range(_tfc.shape(rows, out_type=int64)[0]) - _tfc.gather(begins, rows)
    longest = _tfc.reduce_max(_tfc.concat([counts, [0]], 0))
    labels = SparseTensor(
        _tfc.stack([rows, columns], 1), _tfc.gather_nd(best, places), _tfc.stack([batch, longest])
    )
    top = _tfc.transpose(_tfc.reduce_max(x, 2))
    score = -_tfc.reduce_sum(_tfc.where(inside, top, _tfc.zeros_like(top)), 1, keepdims=True)
    return [labels], score
