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


def test_ragged_and_sparse_ones_are_tables() -> None:
    html = tf.ragged.constant([[1.0, 2.0], [], [3.0]])._repr_html_()
    assert "tf.RaggedTensor: shape=(3, None), dtype=float32</code>  1 to 3, mean 2" in html
    assert [cells(row) for row in html.split("<tr>")[1:]] == [["1", "2"], [], ["3"]]
    html = tf.ragged.constant([[[1], [2, 3]], [list(range(30))]])._repr_html_()
    assert cells(html) == ["[1]", "[2, 3]", "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, ...]"]
    html = tf.sparse.from_dense([[0, 5], [7, 0]])._repr_html_()
    assert "tf.SparseTensor: shape=(2, 2), dtype=int32, 2 elements" in html
    assert cells(html) == ["[0, 1]", "5", "[1, 0]", "7"]
    many = tf.sparse.from_dense(tf.ones([40, 2]))._repr_html_()
    assert len(cells(many)) == 17 and cells(many)[-1] == "&hellip;"

    @tf.function
    def f(ragged: Any, sparse: Any) -> Any:  # nothing is known of their elements here
        assert "<code>" in ragged._repr_html_() and "<code>" in sparse._repr_html_()
        return ragged.values

    f(tf.ragged.constant([[1.0]]), tf.sparse.from_dense([1.0]))


def test_datasets_say_what_they_give() -> None:
    given = {"x": tf.ones([10, 3]), "y": (tf.range(10),)}
    html = tf.data.Dataset.from_tensor_slices(given).batch(4)._repr_html_()
    assert "BatchDataset</code>, elements: 3<" in html
    paths = ["element[&#x27;x&#x27;]", "element[&#x27;y&#x27;][0]"]
    assert cells(html)[::2] == paths and cells(html)[1].startswith("TensorSpec(shape=(None, 3)")
    html = tf.data.Dataset.range(3).repeat()._repr_html_()
    assert "infinitely many" in html and cells(html)[0] == "element"
    made: list[int] = []
    unknown = tf.data.Dataset.from_generator(
        lambda: iter(made.append(1) or [1]), output_signature=tf.TensorSpec([], tf.int32)
    )
    assert "not known before" in unknown._repr_html_() and not made


def test_functions_show_their_traces() -> None:
    f = tf.function(lambda x: x * 2.0)
    assert f._repr_html_().endswith("not traced yet: it is when it is called")
    f(tf.ones([2]))
    f(tf.ones([2, 2]))
    html = f._repr_html_()
    assert ", 2 traces" in html and html.count("<details>") == 2 == html.count("func @lambda")


def test_functions_show_their_ir() -> None:
    shown: list[Any] = []

    @tf.function
    def f(x: Any) -> Any:
        shown.append(x._repr_html_())
        return x * 2.0

    html = f.get_concrete_function(tf.TensorSpec([None], tf.float32))._repr_html_()
    assert "func @f(%x: f32[n0])" in html and "explore()" in html
    assert shown == ["<code>tf.Tensor &#x27;x:0&#x27; shape=(None,) dtype=float32</code>"]
