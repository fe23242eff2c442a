"""The array API namespace against NumPy: shapes, joining, reductions, sorting, sets, products."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests.experimental.test_array_api import check, rng, sample
from tfc.experimental import array_api as xp

# Shapes, joining, indexing.


@pytest.mark.parametrize("dtype", ["int16"])
def test_manipulation(dtype: str) -> None:
    x = sample((2, 3, 4), dtype)
    t = xp.asarray(x)
    y = sample((2, 1, 4), dtype)
    u = xp.asarray(y)
    for axis in (0, 1, -1, None):
        check(xp.flip(t, axis=axis), np.flip(x, axis))
        check(xp.roll(t, 5, axis=axis), np.roll(x, 5, axis))
        check(xp.roll(t, -1, axis=axis), np.roll(x, -1, axis))
        check(xp.repeat(t, 3, axis=axis), np.repeat(x, 3, axis))
        check(xp.concat([t, t], axis=axis), np.concat([x, x], axis=axis))
    check(xp.flip(t, axis=(0, -1)), np.flip(x, (0, 2)))
    check(xp.roll(t, (1, -2), axis=(0, 2)), np.roll(x, (1, -2), (0, 2)))
    for axis in (0, 2, -1, -3):
        check(xp.stack([t, t], axis=axis), np.stack([x, x], axis))
        check(xp.unstack(t, axis=axis), np.unstack(x, axis=axis))
        check(xp.expand_dims(t, axis=axis), np.expand_dims(x, axis))
        check(xp.take(t, xp.asarray([1, -1, 0]), axis=axis), np.take(x, [1, -1, 0], axis))
        places = rng.integers(-2, 2, [5 if i == axis % 3 else e for i, e in enumerate(x.shape)])
        got = xp.take_along_axis(t, xp.asarray(places), axis=axis)
        check(got, np.take_along_axis(x, places, axis))
    check(xp.squeeze(u, 1), np.squeeze(y, 1))
    check(xp.squeeze(u, ()), y)
    check(xp.permute_dims(t, (2, 0, 1)), np.permute_dims(x, (2, 0, 1)))
    check(xp.moveaxis(t, (0, 1), (-1, 0)), np.moveaxis(x, (0, 1), (-1, 0)))
    check(xp.matrix_transpose(t), np.matrix_transpose(x))
    check(xp.reshape(t, (4, -1)), np.reshape(x, (4, -1)))
    check(xp.tile(t, (2,)), np.tile(x, (2,)))
    check(xp.tile(u, (2, 1, 3, 1)), np.tile(y, (2, 1, 3, 1)))
    check(xp.broadcast_to(u, (2, 3, 4)), np.broadcast_to(y, (2, 3, 4)))
    check(xp.broadcast_arrays(t, u), np.broadcast_arrays(x, y))
    check(xp.repeat(xp.zeros((0, 2)), 2, axis=1), np.zeros((0, 4), np.float32))


def test_manipulation_errors() -> None:
    x = xp.zeros((2, 3))
    for bad in (
        lambda: xp.flip(x, axis=2),
        lambda: xp.stack([x, x], axis=-4),
        lambda: xp.expand_dims(x, axis=3),
        lambda: xp.sum(x, axis=2),
        lambda: xp.concat([x, x], axis=2),
    ):
        with pytest.raises(IndexError, match="out of range for rank"):
            bad()
    with pytest.raises(ValueError, match="axis 1 has extent 3"):
        xp.squeeze(x, 1)
    with pytest.raises(ValueError, match="cannot be broadcast"):
        xp.broadcast_arrays(x, xp.zeros(2))
    with pytest.raises(ValueError, match="no permutation"):
        xp.permute_dims(x, (0,))


# Reductions.


@pytest.mark.parametrize("dtype", ["int8", "float32"])
def test_reductions(dtype: str) -> None:
    x = sample((2, 3, 4), dtype)
    t = xp.asarray(x)
    for axis, keepdims in itertools.product((None, -1, (0, 2)), (False, True)):
        for name in ("max", "min", "all", "any"):
            got = getattr(xp, name)(t, axis=axis, keepdims=keepdims)
            check(got, getattr(np, name)(x, axis=axis, keepdims=keepdims))
        for name in ("sum", "prod"):
            got = getattr(xp, name)(t, axis=axis, keepdims=keepdims)
            check(got, getattr(np, name)(x, axis=axis, keepdims=keepdims))
        got = xp.count_nonzero(t, axis=axis, keepdims=keepdims)
        check(got, np.count_nonzero(x, axis=axis, keepdims=keepdims))
        if "float" in dtype:
            rtol = 1e-6 if dtype == "float32" else 1e-14
            check(xp.mean(t, axis=axis, keepdims=keepdims), x.mean(axis, keepdims=keepdims), rtol)
            for name, correction in (("var", 0), ("std", 0.5)):
                got = getattr(xp, name)(t, axis=axis, correction=correction, keepdims=keepdims)
                want = getattr(np, name)(x, axis=axis, correction=correction, keepdims=keepdims)
                check(got, want, rtol)
    for axis, keepdims in itertools.product((None, 1), (False, True)):
        for name in ("argmax", "argmin"):
            got = getattr(xp, name)(t, axis=axis, keepdims=keepdims)
            check(got, getattr(np, name)(x, axis=axis, keepdims=keepdims))
    assert xp.sum(t, dtype=xp.float64).dtype is xp.float64
    for n, axis in itertools.product((1, 2), (0, 1, -1)):
        check(xp.diff(t, axis=axis, n=n), np.diff(x, n, axis))
    got = xp.diff(t, axis=1, prepend=t[:, :1], append=t)
    check(got, np.diff(x, axis=1, prepend=x[:, :1], append=x))


@pytest.mark.parametrize("dtype", ["uint8", "float64"])
def test_scans_sorting_and_sets(dtype: str) -> None:
    x = sample((3, 5), dtype)
    t = xp.asarray(x)
    for axis, initial in itertools.product((0, -1), (False, True)):
        for name in ("cumulative_sum", "cumulative_prod"):
            got = getattr(xp, name)(t, axis=axis, include_initial=initial)
            check(got, getattr(np, name)(x, axis=axis, include_initial=initial))
        for descending in (False, True):
            places = np.asarray(xp.argsort(t, axis=axis, descending=descending))
            key = -x.astype(np.float64) if descending else x
            check(places, np.argsort(key, axis=axis, stable=True))
            got = xp.sort(t, axis=axis, descending=descending)
            want = np.sort(x, axis=axis)
            check(got, np.flip(want, axis) if descending else want)
    check(xp.unique_all(t), np.unique_all(x))
    check(xp.unique_counts(t), np.unique_counts(x))
    check(xp.unique_inverse(t), np.unique_inverse(x))
    check(xp.unique_values(t), np.unique(x))
    check(xp.nonzero(t), np.nonzero(x))
    line = np.sort(x.ravel())
    for side in ("left", "right"):
        got = xp.searchsorted(xp.asarray(line), t, side=side)
        check(got, np.searchsorted(line, x, side=side))
    order = np.argsort(x[0])
    got = xp.searchsorted(t[0], t[1], sorter=xp.asarray(order))
    check(got, np.searchsorted(x[0], x[1], sorter=order))
    check(xp.repeat(t, xp.asarray([2, 0, 1]), axis=0), np.repeat(x, [2, 0, 1], 0))
    check(t[xp.asarray(x > 1)], x[x > 1])


def test_unique_of_special_values() -> None:
    found = xp.unique_all(xp.asarray([xp.nan, 1.0, xp.nan, 0.0, -0.0]))
    assert np.isnan(np.asarray(found.values)).sum() == 2 and sum(found.counts.numpy()) == 5
    assert found.values.shape == (4,)
    empty = xp.unique_all(xp.zeros((0, 2)))
    assert [v.shape for v in empty] == [(0,), (0,), (0, 2), (0,)]
    check(xp.unique_values(xp.asarray([True, True])), np.array([True]))


def test_where_and_errors_of_reductions() -> None:
    x = xp.asarray([1, 2], dtype=xp.int8)
    got = xp.where(xp.asarray([True, False]), x, xp.asarray([300, 400], dtype=xp.int16))
    check(got, np.array([1, 400], np.int16))
    check(xp.where(xp.asarray([True, False]), x, 7), np.array([1, 7], np.int8))
    with pytest.raises(TypeError, match="must be bool"):
        xp.where(x, x, x)
    with pytest.raises(ValueError, match="no elements"):
        xp.max(xp.zeros((0, 2)), axis=0)
    with pytest.raises(TypeError, match="mean is not defined for dtype int8"):
        xp.mean(x)
    with pytest.raises(ValueError, match="names an axis twice"):
        xp.sum(x, axis=(0, 0))


# Products.


@pytest.mark.parametrize("dtype", ["int32", "float64"])
def test_products(dtype: str) -> None:
    shapes = [((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((2, 3), (3, 4))]
    shapes += [((5, 2, 3), (3,)), ((3,), (5, 3, 2)), ((5, 1, 2, 3), (4, 3, 2))]
    for one, two in shapes:
        x, y = sample(one, dtype), sample(two, dtype)
        check(xp.matmul(xp.asarray(x), xp.asarray(y)), np.matmul(x, y))
    x, y = sample((2, 3, 4), dtype), sample((3, 4, 2), dtype)
    for axes in (0, 2, ((0,), (2,))):
        got = xp.tensordot(xp.asarray(x), xp.asarray(y), axes=axes)
        check(got, np.tensordot(x, y, axes))
    a, b = sample((3, 1, 4), dtype), sample((2, 4), dtype)
    check(xp.vecdot(xp.asarray(a), xp.asarray(b)), np.vecdot(a, b))
    c = sample((3, 2, 4), dtype)
    check(xp.vecdot(xp.asarray(a), xp.asarray(c[:, :1]), axis=-3), (a * c[:, :1]).sum(0, dtype))
    with pytest.raises(ValueError, match="at least one axis"):
        xp.matmul(xp.asarray(1.0), xp.ones(3))


def test_it_can_be_traced_and_differentiated() -> None:
    @tf.function(input_signature=[tf.TensorSpec([None, 3])])
    def f(x: Any) -> Any:
        y = xp.exp(xp.subtract(x, xp.max(x, axis=-1, keepdims=True)))
        return xp.sum(xp.divide(y, xp.sum(y, axis=-1, keepdims=True)), axis=0)

    x = xp.reshape(xp.arange(6.0), (2, 3))
    np.testing.assert_array_equal(f(x), f(x))
    np.testing.assert_allclose(xp.sum(f(x)), 2, rtol=1e-6)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = xp.sum(xp.hypot(x, xp.ones((2, 3))))
    np.testing.assert_allclose(tape.gradient(y, x), x / np.hypot(x, 1), rtol=1e-6)


def test_taking_from_the_end_of_an_axis_of_any_length() -> None:
    @tf.function(input_signature=[tf.TensorSpec([None, 2])])
    def ends(x: Any) -> Any:
        return xp.take(x, xp.asarray([0, -1]), axis=0)

    for n in (2, 5):
        x = np.arange(2.0 * n, dtype=np.float32).reshape(n, 2)
        check(ends(tf.constant(x)), x[[0, -1]])
