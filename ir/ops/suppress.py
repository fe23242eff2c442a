"""Non-maximum suppression: which boxes no better one drives out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..algebra import Term
from ..core import Builder, Value
from ..dtypes import bool_
from ..element_builder import ElementBuilder, Index, ScheduleBuilder
from ..types import TensorType
from .scheduled import Scheduled


class Suppress(Scheduled):
    """keep[i] for boxes [n, 4] (two opposite corners: y, x, y, x), best first: whether no box
    j < i that is kept has more than `overlap` of the area of both in common with it."""

    boxes: Value
    overlap: Value

    def infer(self) -> TensorType:
        boxes, overlap = self.boxes, self.overlap
        if boxes.rank != 2 or boxes.shape[1] != 4 or overlap.rank:
            raise self.error("takes boxes [n, 4] and a scalar")
        if boxes.dtype.kind != "f" or overlap.dtype is not boxes.dtype:
            raise self.error("operands must be floats of one dtype", "dtype")
        return TensorType(bool_, (boxes.shape[0],))

    def numpy(self, boxes: np.ndarray, overlap: np.ndarray) -> np.ndarray:
        n = len(boxes)
        wide = boxes.astype(self.boxes.dtype.compute.numpy)
        low, high = np.minimum(wide[:, :2], wide[:, 2:]), np.maximum(wide[:, :2], wide[:, 2:])
        area = (high - low)[:, 0] * (high - low)[:, 1]
        keep = np.ones(n, bool)
        for i in range(n):
            top, bottom = np.maximum(low[i], low[:i]), np.minimum(high[i], high[:i])
            side = np.maximum(bottom - top, 0)
            common = side[:, 0] * side[:, 1]
            some = (area[:i] > 0) & (area[i] > 0) & keep[:i]
            both = area[i] + area[:i] - common
            keep[i] = not np.any(common[some] / both[some] > overlap)
        return keep

    def vjp(self, b: Builder, dy: Value) -> Sequence[Value | None]:
        return None, None

    def box(self, lower: ElementBuilder, i: Value) -> tuple[tuple[Value, ...], Value]:
        """The corners (low y, low x, high y, high x) of a box, and its area."""
        compute = self.boxes.dtype.compute
        raw = [lower.element(self.boxes, (i, lower.extent(k))) for k in range(4)]
        y1, x1, y2, x2 = (Term(lower.b, lower.cast(v, compute)) for v in raw)
        low = y1.minimum(y2), x1.minimum(x2)
        high = y1.maximum(y2), x1.maximum(x2)
        area = (high[0] - low[0]) * (high[1] - low[1])
        return tuple(t.value for t in (*low, *high)), area.value

    def drives_out(
        self,
        lower: ElementBuilder,
        better: tuple[tuple[Value, ...], Value],
        box: tuple[tuple[Value, ...], Value],
    ) -> Term:
        """Whether the better of two boxes, if it is kept, drives the other one out."""
        limit = Term(lower.b, lower.cast(lower.element(self.overlap, ()), better[1].dtype))
        pairs = [Term(lower.b, v) for v in (*box[0], *better[0])]
        height, width = (
            (pairs[k + 2].minimum(pairs[k + 6]) - pairs[k].maximum(pairs[k + 4])).maximum(0.0)
            for k in (0, 1)
        )
        common = height * width
        a, c = Term(lower.b, box[1]), Term(lower.b, better[1])
        some = (a > 0) & (c > 0)
        share = common / (a + c - common)
        return some & (share > limit)

    def store(self, lower: ScheduleBuilder, *buffers: Value) -> None:
        (keep,) = buffers
        zero = lower.extent(0)

        def one(i: Value) -> None:
            mine = self.box(lower, i)

            def other(j: Value, carried: Index) -> Sequence[Value]:
                (driven_out,) = carried
                drives = self.drives_out(lower, self.box(lower, j), mine)
                kept = Term(lower.b, lower.load(keep, j))
                out = Term(lower.b, driven_out)
                found = drives & kept
                return (found.select(out.const(1), out).value,)

            (driven_out,) = lower.carry(zero, i, (zero,), other)
            stays = Term(lower.b, driven_out).equal(0)
            lower.store(keep, i, stays.value)

        lower.loop(zero, lower.extent(self.boxes.shape[0]), one)
