"""Convolutions that copy bands of their operand, with a border, where these are used."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests.cases import references as ref
from tests.convolution_ways import BANDED
from tests.ops import test_convolutions as own
from tfc.ir.kernels.cpu.conv.loops import ConvLoops
from tfc.ir.kernels.cpu.conv.plan import ConvPlan

Plans = list[ConvPlan]


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> Plans:
    """The plans with row bands of what is compiled."""
    plans: Plans = []
    write = ConvLoops.write

    def noted(self: ConvLoops) -> None:
        if self.plan.banded:
            plans.append(self.plan)
        write(self)

    monkeypatch.setattr(ConvLoops, "write", noted)
    return plans


@pytest.mark.parametrize("name", BANDED)
def test_values_and_bits(name: str, written: Plans) -> None:
    """By definition; and for sizes that nobody knows, which have another schedule."""
    (x, w, _), how = own.way(BANDED[name])
    f = tf.function(lambda *v: tf.nn.convolution(*v, **options(how)))
    values = [tf.constant(v) for v in (x, w)]
    y = f(*values)
    assert written, "another schedule was chosen"
    own.near(y, ref.conv(*(v.astype(np.float64) for v in (x, w)), **how))
    written.clear()
    unknown = tf.TensorSpec([None] * (x.ndim - 1) + [x.shape[-1]])
    other = tf.function(lambda *v: tf.nn.convolution(*v, **options(how)))
    own.same(other.get_concrete_function(unknown, tf.TensorSpec(w.shape))(*values), y)
    assert not written


def options(how: dict[str, Any]) -> dict[str, Any]:
    padding = how["padding"]
    if isinstance(padding, str):
        return how
    return {**how, "padding": [[0, 0], *[list(p) for p in padding], [0, 0]]}


def test_any_batch_and_what_comes_before_and_after(written: Plans) -> None:
    """The operand is computed while bands are copied; a batch may be empty."""
    (x, w, _), how = own.way((2, (96, 14), 10, (3, 3), 40, 1, (1, 1), "SAME", (1, 1)))
    bias = own.rng.standard_normal(40).astype("f")

    def layer(x: Any, w: Any) -> Any:
        return tf.nn.relu(tf.nn.convolution(tf.nn.relu(x) * 2, w, **how) + bias)

    spec = tf.TensorSpec([None, *x.shape[1:]]), tf.TensorSpec(w.shape)
    any_batch = tf.function(layer).get_concrete_function(*spec)
    own.same(any_batch(tf.constant(x), tf.constant(w)), layer(tf.constant(x), tf.constant(w)))
    assert any_batch(tf.zeros((0, *x.shape[1:])), tf.constant(w)).shape == (0, 96, 14, 40)
    assert written


@pytest.mark.parametrize("dtype", ["float16", "float64"])
def test_dtypes(dtype: str, written: Plans) -> None:
    (x, w, _), how = own.way(BANDED["bands"])
    values = [tf.cast(v, dtype) for v in (x, w)]
    y = tf.function(lambda *v: tf.nn.convolution(*v, **how))(*values)
    assert written
    wanted = ref.conv(*(v.numpy().astype("f8") for v in values), **how)
    error = {"float64": 1e-12, "float16": 1e-3}[dtype]
    np.testing.assert_allclose(y.numpy().astype("f8"), wanted, rtol=error, atol=error * 50)


@pytest.mark.parametrize(
    "way",
    [
        (1, (9, 14), 20, (3, 3), 20, 1, (1, 1), "SAME", (1, 1)),  # too few tasks
        (8, (3, 2000), 33, (2, 2), 20, 1, (1, 1), "SAME", (1, 1)),  # not even a few rows fit
    ],
)
def test_where_bands_do_not_pay(way: Any, written: Plans) -> None:
    (x, w, _), how = own.way(way)
    y = tf.function(lambda *v: tf.nn.convolution(*v, **how))(tf.constant(x), tf.constant(w))
    assert not written
    own.near(y, ref.conv(*(v.astype(np.float64) for v in (x, w)), **how))


def test_large_weights_that_are_often_used() -> None:
    """They are packed as a whole for four images, block by block for one: the bits are the same."""
    (x, w, _), how = own.way((4, (7, 14), 130, (3, 3), 240, 1, (1, 1), "SAME", (1, 1)))
    f = tf.function(lambda *v: tf.nn.convolution(*v, **how))
    own.same(f(tf.constant(x), tf.constant(w))[:1], f(tf.constant(x[:1]), tf.constant(w)))
