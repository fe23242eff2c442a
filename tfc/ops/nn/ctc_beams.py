"""The likeliest labellings of frames of connectionist temporal classification, by beam search.
Computed by Python; inside of a `tfc.function` programs call it (tfc/ops/on_host.py).

(A. Graves, S. Fernandez, F. Gomez and J. Schmidhuber, "Connectionist temporal classification",
2006.) Of each labelling that is looked at, two probabilities are kept: of the paths that end with a
blank, and of those that end with its last label. A frame extends each labelling by a blank, by its
last label again, or by a new label; the likeliest ones are kept.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from itertools import pairwise
from math import exp, inf, log1p
from typing import Any

import numpy as np

from ...core import blame
from ...core.conversion import operand
from ...core.tensor import wrap
from ...core.types import TensorLike
from ..arguments import whole_number
from ..on_host import Call, Shape, on_host
from ..sparse.tensor import SparseTensor


class _Labelling:
    """The labels of some paths, as the last one and those before it."""

    __slots__ = ("blank", "children", "ended", "label", "old_blank", "old_total", "parent", "total")

    def __init__(self, label: int, parent: _Labelling | None) -> None:
        self.label, self.parent = label, parent
        self.children: dict[int, _Labelling] = {}
        self.forget()
        self.old_blank = self.old_total = -inf

    def forget(self) -> None:
        """No path has these labels any more."""
        self.blank = self.ended = self.total = -inf

    def child(self, label: int) -> _Labelling:
        found = self.children.get(label)
        if found is None:
            found = self.children[label] = _Labelling(label, self)
        return found

    def labels(self) -> list[int]:
        found, place = [], self
        while place.parent is not None:
            found.append(place.label)
            place = place.parent
        return found[::-1]


def _sum(a: float, b: float) -> float:
    """log(e^a + e^b)"""
    if a == -inf or b == -inf:
        return max(a, b)
    return max(a, b) + log1p(exp(-abs(a - b)))


def _searched(frames: np.ndarray, width: int) -> list[_Labelling]:
    """The likeliest labellings, best first, of frames of log probabilities; the last is blank."""
    root = _Labelling(-1, None)
    root.blank = root.total = 0.0
    beam = [root]
    for row in frames.tolist():
        *chances, blank = row
        for old in beam:
            old.old_blank, old.old_total = old.blank, old.total
        before = beam
        for kept in before:
            if kept.parent is not None:
                above = kept.parent
                if above.total != -inf:
                    same = kept.label == above.label
                    kept.ended = _sum(kept.ended, above.old_blank if same else above.old_total)
                kept.ended += chances[kept.label]
            kept.blank = kept.old_total + blank
            kept.total = _sum(kept.blank, kept.ended)
        heap = [(kept.total, -i, kept) for i, kept in enumerate(before)]
        heapq.heapify(heap)
        number_of = len(heap)
        for kept in before:
            if len(heap) >= width and kept.old_total <= heap[0][0]:
                continue
            for label, chance in enumerate(chances):
                new = kept.child(label)
                if new.total != -inf:
                    continue
                total = chance + (kept.old_blank if label == kept.label else kept.old_total)
                if total == -inf or (len(heap) >= width and total <= heap[0][0]):
                    new.old_blank = new.old_total = -inf
                    continue
                new.blank, new.ended, new.total = -inf, total, total
                number_of += 1
                entry = (total, -number_of, new)
                if len(heap) < width:
                    heapq.heappush(heap, entry)
                else:
                    heapq.heapreplace(heap, entry)[2].forget()
        beam = [entry[2] for entry in sorted(heap, reverse=True)]  # numbers differ: none is equal
    return beam


def _some_beams(inputs: Any, lengths: Any, beam_width: int, top_paths: int, merged: bool) -> Any:
    nothing = [_sparse([[]]) for _ in range(top_paths)]
    return nothing, wrap(np.zeros((1, 1), np.asarray(inputs).dtype))


@on_host("nn.ctc_beam_search_decoder", sample=_some_beams)
def _beams(inputs: Any, lengths: Any, beam_width: int, top_paths: int, merged: bool) -> Any:
    op = "ctc_beam_search_decoder"
    x, counts = np.asarray(inputs), np.asarray(lengths)
    frames, batch, classes = x.shape
    if counts.shape != (batch,) or (counts > frames).any() or (counts < 0).any():
        raise blame.invalid(
            f"sequence_length must be {batch} numbers from 0 to {frames}, got {counts.tolist()}", op
        )
    if classes < 2:
        raise blame.invalid("needs a class beside the blank one", op)
    wide = x.astype(np.float64)
    wide = wide - wide.max(2, keepdims=True)
    wide = wide - np.log(np.exp(wide).sum(2, keepdims=True))
    found: list[list[list[int]]] = [[] for _ in range(top_paths)]
    scores = np.empty((batch, top_paths), x.dtype)
    for b in range(batch):
        best = _searched(wide[: counts[b], b], beam_width)
        if len(best) < top_paths:
            raise blame.invalid(f"there are fewer than {top_paths} labellings in the beam", op)
        for path, kept in enumerate(best[:top_paths]):
            labels = kept.labels()
            if merged:
                labels = labels[:1] + [b for a, b in pairwise(labels) if a != b]
            found[path].append(labels)
            scores[b, path] = kept.total
    return [_sparse(rows) for rows in found], wrap(scores)


def _sparse(rows: list[list[int]]) -> SparseTensor:
    places = [(i, j) for i, row in enumerate(rows) for j in range(len(row))]
    return SparseTensor(
        wrap(np.array(places, np.int64).reshape(-1, 2)),
        wrap(np.array([label for row in rows for label in row], np.int64)),
        wrap(np.array([len(rows), max(map(len, rows), default=0)], np.int64)),
    )


def ctc_beam_search_decoder(
    inputs: TensorLike, sequence_length: TensorLike, beam_width: int = 100, top_paths: int = 1
) -> Any:
    """The likeliest labellings of frames, by beam search; the last class is blank.

    Args:
        inputs: A tensor of floats [frames, batch, classes]: logits.
        sequence_length: A tensor of integers [batch]: how many of the frames count.
        beam_width: How many labellings are kept after each frame.
        top_paths: How many are given, at most `beam_width`.

    Returns:
        A pair (labels, log_probability): a list of `top_paths` sparse tensors, int64 [batch,
        longest], the likeliest ones first; and their log probabilities [batch, top_paths].

    Raises:
        InvalidArgumentError: If ranks, dtypes or lengths do not fit, or there are not so many
            labellings.

    >>> import tfc as tf
    >>> frames = tf.one_hot([[0], [0], [2], [0], [1]], 3, 9.0)  # of one sequence, 2 is blank
    >>> (labels,), score = tf.nn.ctc_beam_search_decoder(frames, [5])
    >>> print(tf.sparse.to_dense(labels))
    tf.Tensor([[0 0 1]], shape=(1, 3), dtype=int64)
    """
    return beam_search(inputs, sequence_length, beam_width, top_paths, False)


def decoded_operands(op: str, inputs: Any, lengths: Any) -> tuple[Any, Any]:
    """Logits [frames, batch, classes] and the lengths of sequences, as tensors."""
    x, counts = operand(op, inputs), operand(op, lengths)
    if len(x.shape) != 3 or len(counts.shape) != 1 or not x.dtype.is_floating:
        raise blame.invalid(
            f"needs float logits of rank 3 and a vector of lengths, got {x.shape}, {counts.shape}",
            op,
        )
    if not counts.dtype.is_integer:
        raise blame.invalid_dtype(f"{op}: lengths must be integers, got {counts.dtype.name}", op)
    return x, counts


def beam_search(inputs: Any, lengths: Any, beam_width: Any, top_paths: Any, merged: bool) -> Any:
    """`ctc_beam_search_decoder`; `merged`: equal labels behind each other are given once."""
    op = "ctc_beam_search_decoder"
    x, counts = decoded_operands(op, inputs, lengths)
    width, paths = (
        whole_number(beam_width, "beam_width", op),
        whole_number(top_paths, "top_paths", op),
    )
    if not 1 <= paths <= width:
        raise blame.invalid(f"top_paths must be from 1 to beam_width, got {paths} of {width}", op)
    return _beams(x, counts, width, paths, merged)


@on_host("nn.collapse_repeated")
def collapse_repeated(labels: TensorLike, seq_length: TensorLike, name: str | None = None) -> Any:
    """Rows of labels in which those that are repeated stand once.

    Args:
        labels: A tensor [batch, length].
        seq_length: A tensor of integers [batch]: how many labels of a row count.

    Returns:
        A pair (collapsed, new_length): the labels, with 0 behind them, as wide as the longest row;
        and how many there are in each row, int32 [batch].

    Raises:
        InvalidArgumentError: If the shapes do not fit.

    >>> import tfc as tf
    >>> rows, counts = tf.nn.collapse_repeated([[1, 1, 2, 2, 1], [1, 1, 2, 3, 3]], [5, 3])
    >>> rows.numpy().tolist(), counts.numpy().tolist()
    ([[1, 2, 1], [1, 2, 0]], [3, 2])
    """
    op = "collapse_repeated"
    rows, counts = np.asarray(operand(op, labels)), np.asarray(operand(op, seq_length))
    if rows.ndim != 2 or counts.shape != rows.shape[:1]:
        raise blame.invalid(f"needs shapes [n, m] and [n], got {rows.shape}, {counts.shape}", op)
    kept = np.arange(rows.shape[1]) < counts[:, None]
    kept[:, 1:] &= rows[:, 1:] != rows[:, :-1]
    many = kept.sum(1)
    found = np.zeros((len(rows), int(many.max(initial=0))), rows.dtype)
    found[np.arange(found.shape[1]) < many[:, None]] = rows[kept]
    return wrap(found), wrap(many.astype(np.int32))


def ctc_unique_labels(labels: TensorLike, name: str | None = None) -> Any:
    """The different labels of each row, and the place of each label among them, for `ctc_loss`.

    Args:
        labels: A tensor of integers [batch, length].

    Returns:
        A pair of tensors [batch, length]: the different labels in order of appearance, int64, with
        0 behind them; and for each label its place among them, int32.

    Raises:
        InvalidArgumentError: If the rank is another one, or labels are no integers (TypeError while
            tracing).

    >>> import tfc as tf
    >>> labels, places = tf.nn.ctc_unique_labels([[3, 4, 4, 3]])
    >>> labels.numpy().tolist(), places.numpy().tolist()
    ([[3, 4, 0, 0]], [[0, 1, 1, 0]])
    """
    op = "ctc_unique_labels"
    x = operand(op, labels)
    if len(x.shape) != 2:
        raise blame.invalid(f"labels must have shape [batch, length], got {x.shape}", op)
    if not x.dtype.is_integer:
        raise blame.invalid_dtype(f"labels must be integers, got {x.dtype.name}", op)
    return _of_rows(x)


def _two_alike(call: Call) -> Sequence[Shape | None]:
    return (call.operands[0].shape,) * 2


@on_host("nn.ctc_unique_labels", _two_alike)
def _of_rows(labels: Any) -> Any:
    rows = np.asarray(labels)
    found, places = np.zeros(rows.shape, np.int64), np.zeros(rows.shape, np.int32)
    for i, row in enumerate(rows.tolist()):
        different = list(dict.fromkeys(row))
        found[i, : len(different)] = different
        where = {label: k for k, label in enumerate(different)}
        places[i] = [where[label] for label in row]
    return wrap(found), wrap(places)


__all__ = ["beam_search", "collapse_repeated", "ctc_beam_search_decoder", "ctc_unique_labels"]
