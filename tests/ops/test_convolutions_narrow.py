"""Convolutions with few results a group, whose places lie along the lanes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests.cases import references as ref
from tests.convolution_ways import NARROW
from tests.ops import test_convolutions as own
from tfc.ir.kernels.cpu.conv.few_channels import FewChannels


def way(name: str) -> Any:
    return own.way(NARROW[name])


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[FewChannels]:
    """The schedules of this kind that are compiled."""
    found: list[FewChannels] = []
    write = FewChannels.write

    def noted(self: FewChannels) -> None:
        found.append(self)
        write(self)

    monkeypatch.setattr(FewChannels, "write", noted)
    return found


@pytest.mark.parametrize("name", NARROW)
def test_values_and_bits(name: str, written: list[FewChannels]) -> None:
    """By definition; and for sizes that nobody knows, which have another schedule."""
    (x, w, dy), how = way(name)
    fixed, free = (tf.function(lambda *v: own.all_three(*v, **how)[:2]) for _ in range(2))
    values = [tf.constant(v) for v in (x, w, dy)]
    y, dx = fixed(*values)
    assert written, "another schedule was chosen"
    wide = [v.astype(np.float64) for v in (x, w, dy)]
    own.near(y, ref.conv(*wide[:2], **how))
    own.near(dx, own.gradients(*wide, **how)[0])
    written.clear()
    unknown = [None] * (x.ndim - 1)
    shapes = [unknown + [x.shape[-1]], w.shape, unknown + [w.shape[-1]]]
    other = free.get_concrete_function(*(tf.TensorSpec(s) for s in shapes))
    assert not written
    for got, wanted in zip(other(*values), (y, dx), strict=True):
        own.same(got, wanted)


@pytest.mark.parametrize("dtype", ["float64", "bfloat16", "int32"])
def test_dtypes(dtype: str, written: list[FewChannels]) -> None:
    (x, w, _), how = way("cube" if dtype == "float64" else "few")
    values = [tf.cast(3 * v, dtype) for v in (x, w)]
    y = tf.function(lambda *v: tf.nn.convolution(*v, **how))(*values)
    assert written
    wide = [v.numpy().astype("f8") for v in values]
    wanted = ref.conv(*wide, **how)
    error = {"float64": 1e-12, "bfloat16": 1e-2, "int32": 0}[dtype]
    np.testing.assert_allclose(y.numpy().astype("f8"), wanted, rtol=error, atol=error * 200)


def test_any_batch_and_what_follows(written: list[FewChannels]) -> None:
    (x, w, _), how = way("groups")
    bias, rest = (own.rng.standard_normal(s).astype("f") for s in (32, x.shape))

    def layer(x: Any, w: Any) -> Any:
        return tf.nn.relu(tf.nn.convolution(x, w, **how) + bias) * rest[:1]

    any_batch = tf.function(layer).get_concrete_function(
        tf.TensorSpec([None, *x.shape[1:]]), tf.TensorSpec(w.shape)
    )
    own.same(any_batch(tf.constant(x), tf.constant(w)), layer(tf.constant(x), tf.constant(w)))
    assert written


def test_nothing_to_do_and_bands_that_do_not_fit(written: list[FewChannels]) -> None:
    """No batch; and so many channels that not even one row of places fits."""
    w = np.ones((3, 3, 2, 2), "f")
    f = tf.function(lambda x, w: tf.nn.conv2d(x, w, 1, "SAME"))
    assert f(tf.zeros((0, 9, 9, 2)), tf.constant(w)).shape == (0, 9, 9, 2)
    x = own.rng.standard_normal((1, 3, 16, 9000)).astype("f")
    w = own.rng.standard_normal((3, 3, 9000, 1)).astype("f")
    y = f(tf.constant(x), tf.constant(w))
    assert not written
    own.near(y, ref.conv(x.astype("f8"), w.astype("f8"), (1, 1), "SAME", (1, 1)))


def test_not_finite_weights_beside_small_images(written: list[FewChannels]) -> None:
    """So small that another schedule would count the batch, and skip what lies beside them."""
    w = np.ones((3, 3, 4, 4), "f")
    w[0, 0, 0, 0] = np.inf
    f = tf.function(lambda x, w: tf.nn.conv2d(x, w, 1, "SAME"))
    y = f(tf.ones((28, 7, 7, 4)), tf.constant(w)).numpy()
    assert written
    assert np.isposinf(y[:, 1:, 1:, 0]).all()
    assert np.isfinite(y[:, 0]).all() and np.isfinite(y[:, :, 0]).all()


def test_channels_first(written: list[FewChannels]) -> None:
    (x, w, _), how = way("few")
    wanted = tf.nn.conv2d(tf.constant(x), tf.constant(w), 1, how["padding"])
    f = tf.function(lambda x, w: tf.nn.conv2d(x, w, 1, how["padding"], "NCHW"))
    own.same(ref.last(f(tf.constant(ref.first(x)), tf.constant(w)).numpy()), wanted)
    assert written
