"""Parts of images drawn by chance, with rejection of those that do not fit."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..core import Value
from ..dtypes import float32, float64, int64
from ..types import TensorType
from .random_host import Sampler, _generator


class RandomBox(Sampler):
    """A part of an image of `size` i64[3]: where it begins, its size, both i64[3], and its corners
    as shares of the image, f32[4]. The bounds are those of width / height and of the share of the
    area; at least `covered`, f64, of one of the boxes f32[n,4] is within it. Where `attempts` do
    not find one, it is the whole image; where there are no boxes, that is an error, or if `whole`,
    the whole image is the one box."""

    size: Value
    boxes: Value
    covered: Value
    least_ratio: float
    most_ratio: float
    least_area: float
    most_area: float
    attempts: int
    whole: bool

    def infer(self) -> tuple[TensorType, TensorType, TensorType]:
        self.check_state()
        if self.size.dtype is not int64 or self.size.rank != 1:
            raise self.error("size must be i64[3]", "dtype")
        if self.boxes.dtype is not float32 or self.boxes.rank != 2:
            raise self.error("boxes must be f32[n,4]", "dtype")
        if self.covered.dtype is not float64 or self.covered.rank:
            raise self.error("covered must be f64", "dtype")
        three = TensorType(int64, (3,))
        return three, three, TensorType(float32, (4,))

    def numpy(
        self, state: np.ndarray, size: np.ndarray, boxes: np.ndarray, covered: np.ndarray
    ) -> tuple[np.ndarray, ...]:
        if not covered >= 0:
            raise ValueError(f"min_object_covered must not be negative, got {covered}")
        rows, columns, channels = (int(n) for n in size)
        if rows <= 0 or columns <= 0 or channels < 0:
            raise ValueError(f"image_size must be positive, got {[rows, columns, channels]}")
        inner = boxes.astype(np.float64) * [rows, columns, rows, columns]
        if not len(inner):
            if not self.whole:
                raise ValueError("no bounding boxes were given as input")
            inner = np.array([[0.0, 0.0, rows, columns]])
        elif np.any(~((boxes >= 0) & (boxes <= 1))) or np.any(boxes[:, :2] >= boxes[:, 2:]):
            raise ValueError("bounding boxes must be within [0, 1] and have y1 < y2, x1 < x2")
        generator = _generator(state)
        y, x, height, width = 0, 0, rows, columns
        for _ in range(self.attempts):
            found = self.draw(generator, rows, columns)
            if found is not None and covers(found, inner, float(covered)):
                y, x, height, width = found
                break
        corners = np.array([y / rows, x / columns, (y + height) / rows, (x + width) / columns])
        begin, extent = np.array([y, x, 0]), np.array([height, width, -1])
        return begin, extent, corners.astype(np.float32)

    def draw(
        self, generator: np.random.Generator, rows: int, columns: int
    ) -> tuple[int, int, int, int] | None:
        """One attempt: (y, x, height, width), or None where no size fits this ratio."""
        ratio = generator.uniform(self.least_ratio, self.most_ratio)
        least, most = (share * rows * columns for share in (self.least_area, self.most_area))
        low = max(1, math.ceil(math.sqrt(least / ratio)))
        high = min(rows, math.floor(math.sqrt(most / ratio)), math.floor(columns / ratio))
        if low > high:
            return None
        height = int(generator.integers(low, high, endpoint=True))
        width = round(height * ratio)
        if not 1 <= width <= columns or not least <= height * width <= most:
            return None
        y = int(generator.integers(0, rows - height, endpoint=True))
        x = int(generator.integers(0, columns - width, endpoint=True))
        return y, x, height, width


def covers(found: tuple[int, int, int, int], boxes: np.ndarray[Any, Any], covered: float) -> bool:
    """Whether enough of one of the boxes is within this part."""
    y, x, height, width = found
    tall = np.minimum(boxes[:, 2], y + height) - np.maximum(boxes[:, 0], y)
    wide = np.minimum(boxes[:, 3], x + width) - np.maximum(boxes[:, 1], x)
    inside = np.maximum(tall, 0) * np.maximum(wide, 0)
    areas = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    return bool(np.any(inside >= covered * areas))
