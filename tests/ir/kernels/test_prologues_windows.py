"""Operands of convolutions that are computed where they are copied or packed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests.ir.kernels.test_prologues import array, masked, rng, same, stored


def normalised(x: Any) -> Any:
    """By channel: an affine map, and what is below 0 cut off."""
    channel = tf.cast(tf.range(tf.shape(x)[-1]) % 5, x.dtype)
    return tf.nn.relu(x * (channel + 0.5) - channel)


def excited(x: Any) -> Any:
    """Each channel of an image by a factor of its own."""
    return x * tf.sigmoid(tf.reduce_mean(x, [1, 2], keepdims=True))


KINDS: dict[str, Callable[[Any], Any]] = {
    "masked": masked,
    "normalised": normalised,
    "excited": excited,
    "moved": lambda x: tf.pad(x[:, 1:], [[0, 0], [0, 1], [0, 0], [0, 0]]),
}

# Batch, places, channels, taps, columns, and how windows slide.
WAYS: dict[str, tuple[int, tuple[int, int], int, tuple[int, int], int, dict[str, Any]]] = {
    "border": (2, (14, 15), 17, (3, 3), 20, {"padding": "SAME"}),
    "strided": (2, (17, 16), 6, (3, 5), 33, {"padding": "SAME", "strides": 2}),
    "inside": (3, (12, 13), 9, (3, 2), 40, {"padding": "VALID"}),
    "dilated": (2, (16, 19), 8, (3, 3), 24, {"padding": "SAME", "dilations": 2}),
    "groups": (2, (12, 14), 32, (3, 3), 48, {"padding": "SAME"}),
    "one column": (2, (20, 20), 5, (3, 3), 1, {"padding": "SAME"}),
}


def operands(way: str) -> tuple[Any, Any, dict[str, Any]]:
    n, places, channels, taps, columns, how = WAYS[way]
    groups = 2 if way == "groups" else 1
    x, w = array(n, *places, channels), array(*taps, channels // groups, columns)
    return tf.constant(x), tf.constant(w), {"strides": 1, **how}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", KINDS)
def test_bits_are_those_of_stored_operands(kind: str, way: str) -> None:
    x, w, how = operands(way)

    def f(x: Any, w: Any) -> Any:
        return tf.nn.conv2d(KINDS[kind](x), masked(w), **how)

    wanted = f(x, w)
    same(tf.function(f)(x, w), wanted)
    if way in ("border", "strided"):
        spec = tf.TensorSpec([None, *x.shape[1:]]), tf.TensorSpec(w.shape)
        same(tf.function(f, input_signature=spec)(x, w), wanted)


def test_bits_on_any_number_of_threads() -> None:
    x, w = tf.constant(array(4, 30, 31, 8)), tf.constant(array(3, 3, 8, 40))

    @tf.function
    def f(x: Any, w: Any) -> Any:
        return tf.nn.conv2d(normalised(x), masked(w), 1, "SAME")

    found = []
    for count in (1, 2, 3, 8):
        tf.config.threading.set_intra_op_parallelism_threads(count)
        found.append(np.asarray(f(x, w)).tobytes())
    tf.config.threading.set_intra_op_parallelism_threads(0)
    assert all(bits == found[0] for bits in found)


def test_operands_that_are_copied_are_not_stored() -> None:
    x, w = tf.TensorSpec([2, 14, 15, 17]), tf.TensorSpec([3, 3, 17, 20])
    for kind in KINDS.values():
        made = stored(lambda x, w, kind=kind: tf.nn.conv2d(kind(x), w, 1, "SAME"), x, w)
        assert x.shape not in made and made[-1] == (2, 14, 15, 20)
    made = stored(lambda x, w: tf.nn.conv2d(masked(x), w, 1, "VALID"), x, w)
    assert made == [(2, 14, 15, 17), (2, 12, 13, 20)]


def test_weights_of_small_integers() -> None:
    def f(x: Any, q: Any, scale: Any) -> Any:
        return tf.nn.conv2d(x, tf.cast(q, x.dtype) * scale, 1, "SAME")

    q = tf.constant(rng.integers(-127, 128, (3, 3, 17, 33)).astype(np.int8))
    x, scale = tf.constant(array(2, 14, 15, 17)), tf.constant(array(33))
    assert stored(f, x, q, scale) == [(2, 14, 15, 33)]
    same(tf.function(f)(x, q, scale), f(x, q, scale))


def test_computed_weights_that_are_not_finite_leave_no_trace_where_they_are_skipped() -> None:
    """Taps beside an image are nothing, also those that are infinite."""

    def f(x: Any, w: Any) -> Any:
        return tf.nn.conv2d(x, w / w, 1, "SAME")

    w = array(3, 3, 4, 33)
    w[0] = 0  # nan, where the first row of the image looks beside it
    x = tf.constant(array(1, 9, 9, 4))
    same(tf.function(f)(x, tf.constant(w)), f(x, tf.constant(w)))
    assert np.isfinite(np.asarray(tf.function(f)(x, tf.constant(w)))[0, 0]).all()
