"""Boxes drawn on images and by chance; labels read off frames."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tfc as tf

ERRORS = (tf.errors.InvalidArgumentError, ValueError, TypeError)
BOXES = [[[0.0, 0.0, 0.5, 1.0], [0.25, 0.25, 1.0, 0.75]], [[0.5, 0.5, 0.4, 0.9], [-1.0, 0.5, 9, 9]]]


def drawn(images: np.ndarray, boxes: np.ndarray, colors: np.ndarray) -> np.ndarray:
    """Pixel by pixel, as the documentation says."""
    found = images.copy()
    _, height, width, _ = images.shape
    for b, many in enumerate(boxes):
        for i, (y1, x1, y2, x2) in enumerate(many):
            top, bottom = int(y1 * (height - 1)), int(y2 * (height - 1))
            left, right = int(x1 * (width - 1)), int(x2 * (width - 1))
            if top > bottom or left > right:
                continue
            for y in range(max(top, 0), min(bottom, height - 1) + 1):
                for x in range(max(left, 0), min(right, width - 1) + 1):
                    if y in (top, bottom) or x in (left, right):
                        found[b, y, x] = colors[i % len(colors)]
    return found


def test_drawing() -> None:
    images = np.random.default_rng(0).uniform(size=(2, 9, 13, 3)).astype(np.float32)
    boxes, colors = np.array(BOXES, np.float32), np.eye(3, dtype=np.float32)[:2]
    want = drawn(images, boxes, colors)
    f = tf.image.draw_bounding_boxes
    np.testing.assert_array_equal(f(images, boxes, colors), want)
    spec = [tf.TensorSpec([None, None, None, 3]), tf.TensorSpec([None, 2, 4])]
    traced = tf.function(lambda x, y: f(x, y, colors), input_signature=spec)
    np.testing.assert_array_equal(traced(tf.constant(images), tf.constant(boxes)), want)
    yellow = f(images[:1], boxes[:1, :1], None).numpy()[0, 0, 0]
    assert yellow.tolist() == [1, 1, 0]
    for call, text in (
        (lambda: f(images[0], boxes, colors), "rank of the images should be 4"),
        (lambda: f(images, boxes, colors[:, :2]), r"colors must be \[n, 3\]"),
        (lambda: f(images[..., :2], boxes, None), "2 channels"),
    ):
        with pytest.raises(ERRORS, match=text):
            call()


def test_parts_by_chance() -> None:
    boxes = tf.constant([[[0.3, 0.3, 0.5, 0.6]]])
    f = tf.image.stateless_sample_distorted_bounding_box
    seen = set()
    for seed in range(60):
        options: Any = {"min_object_covered": 0.5, "aspect_ratio_range": (0.5, 2.0)}
        begin, size, box = f([100, 150, 3], boxes, [seed, 1], area_range=(0.1, 0.6), **options)
        y, x, zero = begin.numpy().tolist()
        height, width, rest = size.numpy().tolist()
        assert (zero, rest) == (0, -1) and begin.dtype == size.dtype == "int32"
        assert 0 <= y <= 100 - height and 0 <= x <= 150 - width
        assert 0.1 <= height * width / 15000 <= 0.6 and 0.45 < width / height < 2.2
        np.testing.assert_allclose(
            box.numpy().ravel(),
            [y / 100, x / 150, (y + height) / 100, (x + width) / 150],
            rtol=1e-6,
        )
        tall = max(0, min(50, y + height) - max(30, y))
        wide = max(0, min(90, x + width) - max(45, x))
        assert tall * wide >= 0.5 * 20 * 45 - 1e-3
        seen.add((y, x, height, width))
    assert len(seen) > 50
    whole = f([10, 10, 3], boxes, [1, 2], area_range=(0.001, 0.002), max_attempts=5)
    assert [v.numpy().tolist() for v in whole[:2]] == [[0, 0, 0], [10, 10, -1]]
    any_ = f([10, 10, 3], tf.zeros([1, 0, 4]), [1, 2], use_image_if_no_bounding_boxes=True)
    assert any_[2].shape == (1, 1, 4)


def test_shares_of_parts_that_only_a_call_tells() -> None:
    f = tf.image.stateless_sample_distorted_bounding_box
    size, boxes = tf.constant([100, 150, 3]), tf.constant([[[0.3, 0.3, 0.5, 0.6]]])

    @tf.function
    def part(share: Any, seed: Any) -> Any:
        return f(size, boxes, seed, min_object_covered=share)

    for share in (0.0, 0.5, 1.0):
        for got, wanted in zip(
            part(tf.constant(share), tf.constant([1, 2])),
            f(size, boxes, [1, 2], share),
            strict=True,
        ):
            np.testing.assert_array_equal(got, wanted)
    for bad, text in ((-0.5, "must not be negative"), ([0.5], "must be a number")):
        with pytest.raises(ERRORS, match=text):
            f(size, boxes, [1, 2], bad)


def test_parts_by_chance_of_a_stream() -> None:
    boxes = tf.constant([[[0.1, 0.1, 0.9, 0.9]]])

    def f(size: Any) -> Any:
        return tf.image.sample_distorted_bounding_box(size, boxes, seed=2)

    size = tf.constant([40, 60, 3])
    tf.random.set_seed(4)
    eager = [[v.numpy().tobytes() for v in f(size)] for _ in range(3)]
    tf.random.set_seed(4)
    traced = tf.function(f)
    assert eager == [[v.numpy().tobytes() for v in traced(size)] for _ in range(3)]
    assert eager[0] != eager[1]
    for call, text in (
        (lambda: f([1, 2]), "must contain 3 elements"),
        (lambda: f([0, 5, 3]), "image_size must be positive"),
        (lambda: tf.image.sample_distorted_bounding_box(size, tf.zeros([1, 0, 4])), "no bounding"),
        (lambda: tf.image.sample_distorted_bounding_box(size, [[[0.5, 0, 0.2, 1]]]), "y1 < y2"),
        (lambda: tf.image.sample_distorted_bounding_box(size, boxes, area_range=[0, 2]), "area"),
    ):
        with pytest.raises(ERRORS, match=text):
            call()


def decoded(x: np.ndarray, lengths: Any, merge: bool, blank: int) -> list[list[int]]:
    rows = []
    for b, n in enumerate(lengths):
        row, last = [], -1
        for c in x[:n, b].argmax(-1).tolist():
            if c != blank and not (merge and c == last):
                row.append(c)
            last = c
        rows.append(row)
    return rows


@pytest.mark.parametrize("merge", [True, False])
@pytest.mark.parametrize("blank", [None, 0, -2])
def test_greedy_decoding(merge: bool, blank: Any) -> None:
    x = np.random.default_rng(2).normal(size=(12, 3, 4)).astype(np.float32)
    x[2] = x[1]
    lengths = [12, 5, 0]
    want = decoded(x, lengths, merge, 3 if blank is None else blank % 4)

    def f(v: Any, n: Any) -> Any:
        return tf.nn.ctc_greedy_decoder(v, n, merge, blank)

    spec = [tf.TensorSpec([None, None, None]), tf.TensorSpec([None], tf.int32)]
    for call in (f, tf.function(f), tf.function(f, input_signature=spec)):
        (labels,), score = call(tf.constant(x), tf.constant(lengths))
        assert labels.dtype == "int64" and labels.shape == (3, max(map(len, want)))
        dense = tf.sparse.to_dense(labels, -1).numpy()
        assert [[n for n in row if n >= 0] for row in dense.tolist()] == want
        sums = [-x[:n, b].max(-1).sum() for b, n in enumerate(lengths)]
        np.testing.assert_allclose(score.numpy()[:, 0], sums, rtol=1e-5, atol=1e-6)
    for bad, text in (
        (lambda: f(x, [13, 1, 1]), "at most the frames"),
        (lambda: f(x, [1, 1]), "one length"),
        (lambda: f(x[0], [1, 1, 1]), "rank 3"),
    ):
        with pytest.raises(ERRORS, match=text):
            bad()
