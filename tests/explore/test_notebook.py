"""What notebooks show of tensors, Variables and functions."""

from __future__ import annotations

import base64
import re
from typing import Any

import numpy as np
import pytest

import tfc as tf


def cells(html: str) -> list[str]:
    return re.findall(r"<td[^>]*>(.*?)</td>", html)


def test_tensors_are_tables() -> None:
    html = tf.constant([[1.0, 2.5], [np.nan, 4.0]])._repr_html_()
    assert "tf.Tensor: shape=(2, 2), dtype=float32" in html
    assert cells(html) == ["1", "2.5", "nan", "4"]
    assert "1 to 4, mean 2.5, 1 nan" in html
    assert cells(tf.constant(7)._repr_html_()) == ["7"]
    assert cells(tf.constant([b"<a>"])._repr_html_()) == ["b&#x27;&lt;a&gt;&#x27;"]
    assert cells(tf.zeros([0, 3])._repr_html_()) == []
    assert "[0, :, :]" in tf.zeros([2, 3, 4])._repr_html_()
    for dtype in (tf.bool, tf.bfloat16, tf.complex64, tf.uint8):
        assert len(cells(tf.zeros([2, 2], dtype)._repr_html_())) == 4
    html = tf.Variable([1.0], name="rate")._repr_html_()
    assert "tf.Variable &#x27;rate:0&#x27;: shape=(1,), dtype=float32" in html
    assert cells(html) == ["1"]


def test_images_are_images() -> None:
    Image = pytest.importorskip("PIL.Image")
    import io

    given = np.random.default_rng(0).integers(0, 256, (12, 9, 3), np.uint8)
    for tensor in (tf.constant(given), tf.constant(given[None] / np.float32(255))):
        found = re.search(r'base64,([^"]*)"', tensor._repr_html_())
        assert found
        read = np.asarray(Image.open(io.BytesIO(base64.b64decode(found[1]))))
        assert np.array_equal(read, given)
    grey = tf.constant(given[:, :, 0])._repr_html_()
    assert "<img" in grey and "<img" not in tf.random.normal([9, 9])._repr_html_()
    assert "<img" not in tf.fill([9, 9, 3], 2.0)._repr_html_()  # outside of [0, 1]


def test_large_ones_are_cheap() -> None:
    html = tf.zeros([20_000, 1000])._repr_html_()
    assert len(html) < 20_000
    assert "mean" not in html  # twenty million elements are not gone through


def test_functions_show_their_ir() -> None:
    shown: list[Any] = []

    @tf.function
    def f(x: Any) -> Any:
        shown.append(x._repr_html_())
        return x * 2.0

    html = f.get_concrete_function(tf.TensorSpec([None], tf.float32))._repr_html_()
    assert "func @f(%x: f32[n0])" in html and "explore()" in html
    assert shown == ["<code>tf.Tensor &#x27;x&#x27; shape=(None,) dtype=float32</code>"]
