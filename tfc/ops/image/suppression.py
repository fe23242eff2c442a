"""Boxes that drive out others that overlap them: of several classes, with soft scores, by given
overlaps. Computed by Python; inside of a `tfc.function` programs call it (tfc/ops/on_host.py).
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...core import blame
from ...core.conversion import operand
from ...core.tensor import Tensor, wrap
from ...core.types import TensorLike
from ..arguments import flag, number, whole_number
from ..on_host import Call, Shape, on_host

# How much one candidate overlaps another.
Overlap = Callable[[int, int], float]


def _overlaps(boxes: np.ndarray) -> Overlap:
    """Intersection over union of boxes [n, 4], whose corners may come in any order."""
    y1, x1 = np.minimum(boxes[:, 0], boxes[:, 2]), np.minimum(boxes[:, 1], boxes[:, 3])
    y2, x2 = np.maximum(boxes[:, 0], boxes[:, 2]), np.maximum(boxes[:, 1], boxes[:, 3])
    area = (y2 - y1) * (x2 - x1)
    known: dict[int, np.ndarray] = {}

    def overlap(i: int, j: int) -> float:
        if j not in known:
            height = np.minimum(y2, y2[j]) - np.maximum(y1, y1[j])
            width = np.minimum(x2, x2[j]) - np.maximum(x1, x1[j])
            shared = np.maximum(height, 0) * np.maximum(width, 0)
            whole = area + area[j] - shared
            empty = (area <= 0) | (area[j] <= 0)
            with np.errstate(all="ignore"):
                known[j] = np.where(empty, 0, shared / whole)
        return float(known[j][i])

    return overlap


def chosen(
    scores: np.ndarray,
    overlap: Overlap,
    most: int,
    allowed: float,
    least: float,
    sigma: float = 0.0,
) -> tuple[list[int], list[float]]:
    """The candidates that are kept, best first, and their scores. With `sigma` a candidate that
    overlaps one that is kept is not driven out but loses score (N. Bodla and others, "Soft-NMS",
    2017)."""
    scale = np.float32(-0.5 / sigma) if sigma > 0 else np.float32(0)
    heap = [(-s, i, 0) for i, s in enumerate(scores.tolist()) if s > least]
    heapq.heapify(heap)
    kept: list[int] = []
    found: list[float] = []
    kind = scores.dtype.type
    while heap and len(kept) < most:
        negative, i, begin = heapq.heappop(heap)
        score = kind(-negative)
        out = False
        for j in reversed(kept[begin:]):
            shared = overlap(i, j)
            if sigma <= 0 and shared > allowed:
                out = True
                break
            if sigma > 0:
                score = kind(score * np.exp(scale * np.float32(shared) ** 2))
            if score <= least:
                break
        if out:
            continue
        if float(score) == -negative:
            kept.append(i)
            found.append(float(score))
        elif score > least:
            heapq.heappush(heap, (-float(score), i, len(kept)))
    return kept, found


def _arrays(op: str, boxes: Any, scores: Any) -> tuple[np.ndarray, np.ndarray]:
    x, y = np.asarray(boxes), np.asarray(scores)
    if x.ndim < 2:
        raise blame.invalid(f"boxes must be 2-D{list(x.shape)}", op)
    if x.shape[-1:] != (4,):
        raise blame.invalid(f"boxes must have 4 columns, got {x.shape}", op)
    if x.shape[:-1] != y.shape:
        raise blame.invalid(
            f"scores has incompatible shape: boxes {x.shape} do not fit scores {y.shape}", op
        )
    return x, y


def _limits(op: str, overlap: Any, least: Any) -> tuple[float, float]:
    allowed, lowest = (number(v, w, op) for v, w in ((overlap, "iou_threshold"), (least, "score")))
    if not 0 <= allowed <= 1:
        raise blame.invalid(f"iou_threshold must be in [0, 1], got {allowed}", op)
    return allowed, lowest


def _some_scored(boxes: Any, scores: Any, *rest: Any, **options: Any) -> Any:
    return wrap(np.zeros(1, np.int32)), wrap(np.zeros(1, np.asarray(scores).dtype))


@on_host("image.non_max_suppression_with_scores", sample=_some_scored)
def non_max_suppression_with_scores(
    boxes: TensorLike,
    scores: TensorLike,
    max_output_size: Any,
    iou_threshold: Any = 0.5,
    score_threshold: Any = float("-inf"),
    soft_nms_sigma: Any = 0.0,
    name: str | None = None,
) -> Any:
    """`non_max_suppression` that gives the scores, too, and may lower them instead of dropping
    boxes.

    Args:
        boxes: A tensor of floats [boxes, 4]: (y1, x1, y2, x2), in any unit.
        scores: A tensor of floats [boxes].
        max_output_size: How many boxes are kept at most.
        iou_threshold: Which overlap (area in common / area of both) is allowed, in [0, 1]; of no
            effect with a `soft_nms_sigma`.
        score_threshold: Boxes are kept that score more than this.
        soft_nms_sigma: What makes scores of boxes that overlap better ones lower: by
            exp(-overlap^2 / (2 sigma)); 0 leaves them.

    Returns:
        A pair (indices, scores): the numbers of the boxes, int32, by descending score, and their
        scores.

    Raises:
        InvalidArgumentError: If the shapes do not fit, or `iou_threshold` is outside of [0, 1].

    >>> import tfc as tf
    >>> boxes = [[0.0, 0.0, 1.0, 1.0], [0.0, 0.1, 1.0, 1.1], [0.0, 2.0, 1.0, 3.0]]
    >>> which, scores = tf.image.non_max_suppression_with_scores(
    ...     boxes, [0.5, 0.9, 0.7], 3, iou_threshold=1.0, soft_nms_sigma=0.5)
    >>> print(which, scores[0])
    tf.Tensor([1 2 0], shape=(3,), dtype=int32) tf.Tensor(0.9, shape=(), dtype=float32)
    """
    op = "image.non_max_suppression_with_scores"
    x, y = _arrays(op, operand(op, boxes), operand(op, scores))
    allowed, least = _limits(op, iou_threshold, score_threshold)
    most, sigma = whole_number(max_output_size, "max_output_size", op), float(soft_nms_sigma)
    if sigma < 0:
        raise blame.invalid(f"soft_nms_sigma_val must be >= 0, got {sigma}", op)
    kept, found = chosen(y, _overlaps(x), most, allowed, least, sigma)
    return wrap(np.array(kept, np.int32)), wrap(np.array(found, y.dtype))


@on_host("image.non_max_suppression_overlaps")
def non_max_suppression_overlaps(
    overlaps: TensorLike,
    scores: TensorLike,
    max_output_size: Any,
    overlap_threshold: Any = 0.5,
    score_threshold: Any = float("-inf"),
    name: str | None = None,
) -> Tensor:
    """`non_max_suppression` of things whose overlaps are given.

    Args:
        overlaps: A tensor of floats [n, n]: how much each overlaps each other, by any measure.
        scores: A tensor of floats [n].
        max_output_size: How many are kept at most.
        overlap_threshold: Which overlap is allowed.
        score_threshold: Those are kept that score more than this.

    Returns:
        A vector of int32: the numbers of those that are kept, by descending score.

    Raises:
        InvalidArgumentError: If the shapes do not fit.

    >>> import tfc as tf
    >>> overlaps = [[1.0, 0.8, 0.0], [0.8, 1.0, 0.0], [0.0, 0.0, 1.0]]
    >>> print(tf.image.non_max_suppression_overlaps(overlaps, [0.5, 0.9, 0.7], 3))
    tf.Tensor([1 2], shape=(2,), dtype=int32)
    """
    op = "image.non_max_suppression_overlaps"
    shared, y = np.asarray(operand(op, overlaps)), np.asarray(operand(op, scores))
    if shared.ndim != 2 or shared.shape[0] != shared.shape[1]:
        raise blame.invalid(f"overlaps must be square[{','.join(map(str, shared.shape))}]", op)
    if y.shape != shared.shape[:1]:
        raise blame.invalid(f"scores has incompatible shape: {y.shape} for {shared.shape}", op)
    most = whole_number(max_output_size, "max_output_size", op)
    allowed = number(overlap_threshold, "overlap_threshold", op)
    least = number(score_threshold, "score_threshold", op)
    kept, _ = chosen(y, lambda i, j: float(shared[i, j]), most, allowed, least)
    return wrap(np.array(kept, np.int32))


def _padded_shapes(call: Call) -> Sequence[Shape | None]:
    batch = call.operands[1].shape[:-1]
    most = call.arguments["max_output_size"]
    padded = call.arguments["pad_to_max_output_size"] is True and isinstance(most, int)
    return ((*batch, most if padded else None), batch)


def _some_padded(boxes: Any, scores: Any, *rest: Any, **options: Any) -> Any:
    rank = np.ndim(scores)
    return wrap(np.zeros((1,) * rank, np.int32)), wrap(np.zeros((1,) * (rank - 1), np.int32))


@on_host("image.non_max_suppression_padded", _padded_shapes, sample=_some_padded)
def non_max_suppression_padded(
    boxes: TensorLike,
    scores: TensorLike,
    max_output_size: Any,
    iou_threshold: Any = 0.5,
    score_threshold: Any = float("-inf"),
    pad_to_max_output_size: bool = False,
    name: str | None = None,
    sorted_input: bool = False,
    canonicalized_coordinates: bool = False,
    tile_size: int = 512,
) -> Any:
    """`non_max_suppression` of any batches of boxes, whose results may have one size.

    Unlike TensorFlow, corners of boxes may come in any order, as in `non_max_suppression`.

    Args:
        boxes: A tensor of floats [..., boxes, 4]: (y1, x1, y2, x2), in any unit.
        scores: A tensor of floats [..., boxes].
        max_output_size: How many boxes are kept at most.
        iou_threshold: Which overlap (area in common / area of both) is allowed, in [0, 1].
        score_threshold: Boxes are kept that score more than this.
        pad_to_max_output_size: Whether `max_output_size` numbers are given, with 0 behind those
            that are kept.
        sorted_input: Of no effect: whether boxes come by descending score.
        canonicalized_coordinates: Of no effect: whether y1 <= y2 and x1 <= x2.
        tile_size: Of no effect.

    Returns:
        A pair (indices, valid): the numbers of the boxes, int32 [..., most kept], by descending
        score, and how many there are, int32 [...].

    Raises:
        InvalidArgumentError: If the shapes do not fit, or `iou_threshold` is outside of [0, 1].

    >>> import tfc as tf
    >>> boxes = [[0.0, 0.0, 1.0, 1.0], [0.0, 0.1, 1.0, 1.1], [0.0, 2.0, 1.0, 3.0]]
    >>> which, valid = tf.image.non_max_suppression_padded(
    ...     boxes, [0.5, 0.9, 0.7], 4, pad_to_max_output_size=True)
    >>> print(which, int(valid))
    tf.Tensor([1 2 0 0], shape=(4,), dtype=int32) 2
    """
    op = "image.non_max_suppression_padded"
    x, y = _arrays(op, operand(op, boxes), operand(op, scores))
    if y.ndim < 1:
        raise blame.invalid(f"scores must have shape [..., boxes], got {y.shape}", op)
    allowed, least = _limits(op, iou_threshold, score_threshold)
    most = whole_number(max_output_size, "max_output_size", op)
    batch, n = y.shape[:-1], y.shape[-1]
    many = int(np.prod(batch))
    rows = zip(x.reshape(many, n, 4), y.reshape(many, n), strict=True)
    kept = [chosen(s, _overlaps(b), most, allowed, least)[0] for b, s in rows]
    longest = max(map(len, kept), default=0)
    width = most if flag(pad_to_max_output_size, "pad_to_max_output_size", op) else longest
    found = np.zeros((many, width), np.int32)
    for row, numbers in zip(found, kept, strict=True):
        row[: len(numbers)] = numbers
    counts = np.array([len(k) for k in kept], np.int32)
    return wrap(found.reshape(*batch, width)), wrap(counts.reshape(batch))


class CombinedNonMaxSuppression(NamedTuple):
    """What `combined_non_max_suppression` gives."""

    nmsed_boxes: Any
    nmsed_scores: Any
    nmsed_classes: Any
    valid_detections: Any


def _combined_shapes(call: Call) -> Sequence[Shape | None]:
    batch = call.operands[0].shape[0]
    return ((batch, None, 4), (batch, None), (batch, None), (batch,))


def _some_combined(*arguments: Any, **options: Any) -> CombinedNonMaxSuppression:
    corners, scores = wrap(np.zeros((1, 1, 4), np.float32)), wrap(np.zeros((1, 1), np.float32))
    return CombinedNonMaxSuppression(corners, scores, scores, wrap(np.zeros(1, np.int32)))


@on_host("image.combined_non_max_suppression", _combined_shapes, sample=_some_combined)
def combined_non_max_suppression(
    boxes: TensorLike,
    scores: TensorLike,
    max_output_size_per_class: Any,
    max_total_size: Any,
    iou_threshold: Any = 0.5,
    score_threshold: Any = float("-inf"),
    pad_per_class: bool = False,
    clip_boxes: bool = True,
    name: str | None = None,
) -> Any:
    """`non_max_suppression` for each class of each image, and the best boxes of all classes.

    Args:
        boxes: A tensor of floats [batch, boxes, q, 4]: (y1, x1, y2, x2), where q is 1, if all
            classes have the same boxes, or the number of classes.
        scores: A tensor of floats [batch, boxes, classes].
        max_output_size_per_class: How many boxes of a class are kept at most.
        max_total_size: How many boxes of an image are kept at most.
        iou_threshold: Which overlap (area in common / area of both) is allowed, in [0, 1].
        score_threshold: Boxes are kept that score more than this.
        pad_per_class: Whether results are no longer than `max_output_size_per_class` times the
            number of classes, if `max_total_size` is.
        clip_boxes: Whether boxes are clipped to [0, 1].

    Returns:
        A named tuple: `nmsed_boxes` [batch, n, 4], `nmsed_scores` [batch, n] and `nmsed_classes`
        [batch, n], float32, by descending score with 0 behind the last one, where n is
        `max_total_size`; `valid_detections`, int32 [batch], how many there are.

    Raises:
        InvalidArgumentError: If the shapes do not fit, or `iou_threshold` is outside of [0, 1].

    >>> import tfc as tf
    >>> boxes = tf.constant([[0.0, 0.0, 1.0, 1.0], [0.0, 0.1, 1.0, 1.0], [0.0, 0.0, 0.5, 0.5]])
    >>> scores = tf.constant([[0.5, 0.1], [0.9, 0.2], [0.7, 0.8]])
    >>> found = tf.image.combined_non_max_suppression(
    ...     boxes[None, :, None], scores[None], 2, 3, score_threshold=0.3)
    >>> print(found.nmsed_classes, found.valid_detections)
    tf.Tensor([[0. 1. 0.]], shape=(1, 3), dtype=float32) tf.Tensor([3], shape=(1,), dtype=int32)
    """
    op = "image.combined_non_max_suppression"
    x, y = np.asarray(operand(op, boxes)), np.asarray(operand(op, scores))
    if x.ndim != 4:
        raise blame.invalid(f"boxes must be 4-D[{','.join(map(str, x.shape))}]", op)
    if y.ndim != 3 or x.shape[:2] != y.shape[:2] or x.shape[3] != 4:
        raise blame.invalid(f"boxes {x.shape} do not fit scores {y.shape}", op)
    batch, _, classes = y.shape
    if x.shape[2] not in (1, classes):
        raise blame.invalid(f"boxes {x.shape} must be for 1 or {classes} classes", op)
    allowed, least = _limits(op, iou_threshold, score_threshold)
    each = whole_number(max_output_size_per_class, "max_output_size_per_class", op)
    total = whole_number(max_total_size, "max_total_size", op)
    if each < 1:
        raise blame.invalid(f"max_size_per_class must be positive, got {each}", op)
    if total < 1:
        raise blame.invalid(f"max_total_size must be > 0, got {total}", op)
    width = min(total, each * classes) if flag(pad_per_class, "pad_per_class", op) else total
    corners = np.zeros((batch, width, 4), np.float32)
    values, labels = (np.zeros((batch, width), np.float32) for _ in range(2))
    counts = np.zeros(batch, np.int32)
    for b in range(batch):
        rows: list[tuple[float, int, int]] = []
        for c in range(classes):
            overlap = _overlaps(x[b, :, min(c, x.shape[2] - 1)])
            kept, found = chosen(y[b, :, c], overlap, each, allowed, least)
            rows += [(-score, c, i) for i, score in zip(kept, found, strict=True)]
        best = sorted(rows, key=lambda row: row[0])[:width]
        counts[b] = len(best)
        for k, (negative, c, i) in enumerate(best):
            corners[b, k] = x[b, i, min(c, x.shape[2] - 1)]
            values[b, k], labels[b, k] = -negative, c
    if flag(clip_boxes, "clip_boxes", op):
        corners = np.clip(corners, 0, 1)
    return CombinedNonMaxSuppression(wrap(corners), wrap(values), wrap(labels), wrap(counts))


__all__ = [
    "CombinedNonMaxSuppression",
    "combined_non_max_suppression",
    "non_max_suppression_overlaps",
    "non_max_suppression_padded",
    "non_max_suppression_with_scores",
]
