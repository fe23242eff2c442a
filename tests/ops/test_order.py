"""Sorting, scans, segments and counting: what the tables of cases leave out."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tfc.ir import ops
from tfc.ir.core import Builder, OpError, Value
from tfc.ir.types import parse_type

NAN, INF = np.nan, np.inf


def listed(x: Any) -> Any:
    return np.asarray(x).tolist()


# Sorting.


@pytest.mark.parametrize("length", [5, 400])  # by rank, and by digits
def test_places_of_nans_come_last_and_of_zeros_keep_their_order(length: int) -> None:
    x = np.tile(np.float32([NAN, 0.0, INF, -0.0, -NAN, -INF, 1.0, -1.0]), length)
    for direction in ("ASCENDING", "DESCENDING"):
        places = tf.argsort(tf.constant(x), direction=direction).numpy()
        turned = x if direction == "ASCENDING" else -x
        wanted = np.argsort(turned, kind="stable")
        if direction == "DESCENDING":  # nan counts as larger than everything
            nan = np.isnan(x)
            wanted = np.concatenate([np.flatnonzero(nan), wanted[: (~nan).sum()]])
        np.testing.assert_array_equal(places, wanted)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
def test_one_order_of_equal_values_however_they_stood(dtype: str) -> None:
    """-0.0 before 0.0, nans by their bits behind all: so what is sorted has one result."""
    kind = tf.as_dtype(dtype).numpy
    bits = np.dtype(f"i{kind.itemsize}")
    zeros = np.array([0.0, -0.0, 1.0, -1.0, INF, -INF], kind)
    top = np.array(INF, kind).view(bits)  # what is above is nan, with any payload
    nans = np.concatenate([top + np.arange(1, 4), top + np.arange(1, 4) + np.iinfo(bits).min])
    x = np.concatenate([zeros, nans.astype(bits).view(kind)])
    wanted = np.concatenate([zeros[[5, 3, 1, 0, 2, 4]], np.sort(nans[:3]).astype(bits).view(kind)])
    rng = np.random.default_rng(0)
    for _ in range(3):
        mixed = tf.constant(x[rng.permutation(len(x))])
        up, down = tf.sort(mixed).numpy(), tf.sort(mixed, direction="DESCENDING").numpy()
        assert up[:9].tobytes() == wanted.tobytes()
        assert sorted(up[9:].view(bits).tolist()) == sorted(nans[3:].tolist())
        assert down.tobytes() == up[::-1].tobytes()


MACHINES = ["-avx512f", "-avx2"]
SORTS = """
import numpy as np, tfc as tf
rng = np.random.default_rng(1)
f = tf.function(tf.sort)
for dtype in ("float32", "float64"):
    for n in (1, 3, 8, 9, 33, 700, 5000):
        x = (rng.standard_normal((2, n)) * 1000).astype(dtype)
        for g in (tf.sort, f) if n in (9, 700) else (tf.sort,):
            np.testing.assert_array_equal(g(tf.constant(x)), np.sort(x))
        if dtype == "float32" and n > 9:
            order = np.argsort(-x, kind="stable")
            np.testing.assert_array_equal(tf.argsort(x, direction="DESCENDING"), order)
            for k in (n // 10, n - 1):
                np.testing.assert_array_equal(tf.math.top_k(x, k).indices, order[:, :k])
"""


@pytest.mark.parametrize("features", MACHINES)
def test_vectors_of_other_machines_sort(features: str) -> None:
    """Vectors of 32 and 16 bytes."""
    environment = {**os.environ, "TFC_CPU_FEATURES": features}
    done = subprocess.run(
        [sys.executable, "-c", SORTS], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("dtype", ["int64", "uint64", "float64", "int8", "bfloat16"])
def test_all_digits_count(dtype: str) -> None:
    """Numbers that differ in any byte, extremes among them."""
    kind = tf.as_dtype(dtype)
    rng = np.random.default_rng(3)
    bits = rng.integers(0, 2**63, 1000, dtype=np.uint64) >> rng.integers(0, 60, 1000, np.uint64)
    x = bits.astype(np.int64).astype(kind.numpy)
    x[:2] = kind.min, kind.max
    x[500:] *= -1 if not kind.is_unsigned else 1
    wide = x.astype(np.float64) if dtype == "bfloat16" else x
    wanted = np.argsort(wide, kind="stable")
    np.testing.assert_array_equal(tf.argsort(tf.constant(x)).numpy(), wanted)


@pytest.mark.parametrize("dtype", ["float32", "int8", "float16"])
def test_the_largest_however_they_stand(dtype: str) -> None:
    """All are candidates where the largest come last, none after the first where they come first;
    of equals those at lower places count."""
    rng = np.random.default_rng(0)
    x = np.round(rng.standard_normal((4, 3000)) * 30).astype(dtype)
    x[0].sort()
    x[1] = x[0, ::-1]
    x[2, 1500:] = x[2].max()
    known = tf.function(tf.math.top_k)
    for k in (1, 100, 740, 900):
        wanted = np.argsort(-x.astype(np.float64), kind="stable")[:, :k]
        for f in (tf.math.top_k, known):
            values, places = f(tf.constant(x), k)
            np.testing.assert_array_equal(places, wanted)
            np.testing.assert_array_equal(values, np.take_along_axis(x, wanted, 1))


def test_sort_in_functions_of_unknown_extents_runs_both_ways() -> None:
    f = tf.function(
        lambda x: (tf.sort(x, 0), tf.math.top_k(x, tf.shape(x)[1]).indices),
        input_signature=[tf.TensorSpec([None, None], tf.float32)],
    )
    for shape in ((3, 4), (200, 3), (2, 300), (0, 3), (5, 0)):
        x = np.random.default_rng(0).normal(size=shape).astype(np.float32)
        ordered, places = f(tf.constant(x))
        np.testing.assert_array_equal(ordered.numpy(), np.sort(x, 0))
        np.testing.assert_array_equal(places.numpy(), np.argsort(-x, 1, kind="stable"))


def test_nth_element_shares_the_gradient_of_equals() -> None:
    x = tf.constant([[1.0, 3.0, 3.0, 2.0], [5.0, 5.0, 5.0, 4.0]])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.nn.nth_element(x, 2)
    assert listed(y) == [3.0, 5.0]
    third = np.float32(1) / np.float32(3)
    wanted = [[0, 0.5, 0.5, 0], [third, third, third, 0]]
    np.testing.assert_array_equal(tape.gradient(y, x).numpy(), np.float32(wanted))


def test_every_nan_is_unique() -> None:
    y, idx, count = tf.unique_with_counts(tf.constant([NAN, 1.0, NAN, -0.0, 1.0, 0.0], tf.float32))
    np.testing.assert_array_equal(y.numpy(), [NAN, 1, NAN, 0])
    assert listed(idx) == [0, 1, 2, 3, 1, 3] and listed(count) == [1, 2, 1, 2]


def test_what_depends_on_data_in_functions() -> None:
    """One program for all counts; what comes behind knows the extent."""

    @tf.function(input_signature=[tf.TensorSpec([None], tf.int32)])
    def f(x: Any) -> Any:
        y, _ = tf.unique(x)
        out, _ = tf.setdiff1d(x, tf.constant([2]))
        return tf.size(y), y * 2, tf.reduce_sum(out), tf.math.bincount(x)

    for x in ([1, 1, 2], [5], [2, 2, 2], [3, 1, 4, 1, 5, 9, 2, 6]):
        size, y, rest, counts = f(tf.constant(x))
        assert listed(size) == len(set(x)) and listed(y) == [2 * v for v in dict.fromkeys(x)]
        assert listed(rest) == sum(v for v in x if v != 2)
        assert listed(counts) == np.bincount(x).tolist()


# Scans.


def test_derivatives_of_products_at_zeros() -> None:
    """First and second order, against products written out."""
    values = [2.0, 0.0, 3.0, 0.0, 5.0]

    def written(x: Any) -> Any:
        total, product = 0.0, 1.0
        for i in range(5):
            product = product * x[i]
            total = total + product * (i + 1.0)
        return total

    def scanned(x: Any) -> Any:
        return tf.reduce_sum(tf.math.cumprod(x) * tf.constant([1.0, 2.0, 3.0, 4.0, 5.0]))

    def segmented(x: Any) -> Any:
        return tf.reduce_sum(tf.math.segment_prod(x, tf.constant([0, 0, 0, 0, 1])))

    def pair(x: Any) -> Any:
        return x[0] * x[1] * x[2] * x[3] + x[4]

    def hessian(f: Callable[[Any], Any]) -> list[Any]:
        x = tf.constant(values)
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = f(x)
            dx = inner.gradient(y, x)
        return [listed(dx), listed(outer.jacobian(dx, x))]

    assert hessian(scanned) == hessian(written)
    assert hessian(segmented) == hessian(pair)


def test_infinities_in_cumulative_logsumexp() -> None:
    x = tf.constant([-INF, -INF, 1.0, -INF, 2.0], tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.math.cumulative_logsumexp(x)
        total = tf.reduce_sum(y[2:])
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(y.numpy(), np.logaddexp.accumulate(x.numpy()), rtol=1e-15)
    e = 1 / (1 + np.exp(1))
    np.testing.assert_allclose(tape.gradient(total, x).numpy(), [0, 0, 2 + e, 0, 1 - e], rtol=1e-14)
    first = tf.math.cumulative_logsumexp(tf.constant([3.0]), exclusive=True)
    assert listed(first) == [-INF]
    up = tf.math.cumulative_logsumexp(tf.constant([0.0, INF, INF, 1.0], tf.float32))
    assert listed(up) == [0.0, INF, INF, INF]


def test_half_precision_is_carried_in_float32() -> None:
    x = np.full(5000, 1.0, np.float16)
    assert float(tf.cumsum(tf.constant(x))[-1]) == 5000  # float16 alone would stop at 2048


# Segments.


def test_equals_share_the_gradient_of_extrema() -> None:
    x = tf.constant([1.0, 3.0, 3.0, 2.0, 7.0])
    for f in (
        lambda x: tf.math.segment_max(x, [0, 0, 0, 0, 2]),
        lambda x: tf.math.unsorted_segment_max(x, [2, 2, 2, 2, -1], 4)[2:3],
    ):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(f(x)[:1] * 4.0)
        assert listed(tape.gradient(y, x)) == [0, 2, 2, 0, 0]


def test_empty_segments() -> None:
    x, ids = tf.constant([-2.0, 5.0]), [3, 1]
    low, high = float(np.finfo(np.float32).min), float(np.finfo(np.float32).max)
    assert listed(tf.math.unsorted_segment_max(x, ids, 4)) == [low, 5, low, -2]
    assert listed(tf.math.unsorted_segment_min(x, ids, 4)) == [high, 5, high, -2]
    assert listed(tf.math.unsorted_segment_prod(x, ids, 4)) == [1, 5, 1, -2]
    assert listed(tf.math.unsorted_segment_max(tf.constant([1], tf.int8), [0], 2)) == [1, -128]
    assert listed(tf.math.segment_max(x, [1, 3])) == [0, -2, 0, 5]
    assert listed(tf.math.segment_prod(x, [1, 3])) == [1, -2, 1, 5]
    assert listed(tf.math.unsorted_segment_sum(x, [-1, -7], 0)) == []


# Errors.

ERRORS: dict[str, tuple[Callable[[], Any], str]] = {
    "direction": (lambda: tf.sort([1], direction="UP"), "direction"),
    "scalar": (lambda: tf.sort(1.0), "no axis to sort along"),
    "axis": (lambda: tf.argsort([1], axis=1), "axis 1 is out of range"),
    "complex": (lambda: tf.sort(tf.constant([1j])), "not defined for dtype complex128"),
    "k": (lambda: tf.math.top_k([1, 2], 3), "at least k columns. Had 2, needed 3"),
    "negative k": (lambda: tf.math.top_k([1, 2], -1), "Need k >= 0, got -1"),
    "rank": (lambda: tf.math.top_k(1), "input must be >= 1-D"),
    "nth": (lambda: tf.nn.nth_element([1.0, 2.0], 2), "index 2 is not in"),
    "side": (lambda: tf.searchsorted([1], [1], side="up"), "`side` = 'up'"),
    "rows": (lambda: tf.searchsorted([[1], [2]], [[1]]), "Leading dim_size"),
    "matrix": (lambda: tf.unique([[1]]), "expects a 1D vector"),
    "permutation": (lambda: tf.math.invert_permutation([0, 0]), "0 is duplicated in the input"),
    "too large": (lambda: tf.math.invert_permutation([0, 2]), "index 2 is not in [0, 2)"),
    "order": (
        lambda: tf.math.segment_sum([1, 2, 3], [0, 2, 1]),
        "segment ids are not increasing: 1 comes after 2",
    ),
    "negative id": (
        lambda: tf.math.segment_sum([1, 2], [-1, 0]),
        "Segment id -1 out of range [0, 1)",
    ),
    "last id": (lambda: tf.math.segment_sum([1, 2], [0, -1]), "segment ids must be >= 0"),
    "id beyond the last": (
        lambda: tf.math.segment_max([1, 2, 3, 4], [0, 1, 2, 0]),
        "Segment id 1 out of range [0, 1), possibly because 'segment_ids' input is not sorted.",
    ),
    "sparse order": (
        lambda: tf.sparse.segment_sum([1, 2], [0, 1, 1], [0, 1, 0]),
        "segment ids are not increasing: 0 comes after 1",
    ),
    "sparse order, counted": (
        lambda: tf.sparse.segment_mean([1.0, 2.0], [0, 1, 1], [0, 1, 0], num_segments=2),
        "segment ids are not increasing",
    ),
    "sparse id, counted": (
        lambda: tf.sparse.segment_sum([1, 2], [0, 1], [0, 2], num_segments=2),
        "segment ids must be < num_segments",
    ),
    "sparse index": (
        lambda: tf.sparse.segment_sum([1, 2], [0, 7], [0, 0]),
        "indices[1] == 7 out of range [0, 2)",
    ),
    "id": (lambda: tf.math.unsorted_segment_sum([1, 2], [0, 5], 3), "segment_ids[1] = 5 is out of"),
    "prefix": (lambda: tf.math.unsorted_segment_sum([1, 2], [0, 1, 2], 3), "does not start with"),
    "id dtype": (lambda: tf.math.segment_sum([1, 2], [0.0, 1.0]), "must be integers"),
    "id rank": (lambda: tf.math.segment_sum([[1]], [[0]]), "should be a vector"),
    "root of ints": (lambda: tf.math.unsorted_segment_sqrt_n([1], [0], 1), "not defined for dtype"),
    "count": (lambda: tf.math.bincount([1, -1]), "must not be negative, got -1"),
    "floats": (lambda: tf.math.bincount([1.0]), "arr must be integers"),
    "bin axis": (lambda: tf.math.bincount([1], axis=1), "axis=1"),
    "both": (lambda: tf.math.bincount([1], [1.0], binary_output=True), "mutually exclusive"),
    "weights": (lambda: tf.math.bincount([1, 2], [1.0]), "same shape"),
    "range": (lambda: tf.histogram_fixed_width([1.0], [2.0, 1.0]), "value_range[0] < value_range"),
    "no bins": (lambda: tf.histogram_fixed_width([1.0], [0.0, 1.0], 0), "positive number"),
    "class": (lambda: tf.math.confusion_matrix([1, 3], [0, 1], 3), "`labels` out of bound"),
    "negative class": (lambda: tf.math.confusion_matrix([-1], [0]), "`labels` contains negative"),
    "lengths": (lambda: tf.math.confusion_matrix([1], [0, 1]), "must be as long"),
    "bool scan": (lambda: tf.cumsum([True]), "not defined for dtype bool"),
    "scan axis": (lambda: tf.cumsum([1], 1), "range [-1, 1), but got 1"),
    "log of ints": (lambda: tf.math.cumulative_logsumexp([1]), "not defined for dtype int32"),
}


@pytest.mark.parametrize("axis", [0.5, "rows"])
def test_an_axis_of_a_scan_is_an_integer(axis: Any) -> None:
    with pytest.raises(TypeError, match="an axis must be an integer"):
        tf.cumsum([1, 2], axis)


@pytest.mark.parametrize("name", ERRORS)
def test_errors(name: str) -> None:
    call, message = ERRORS[name]
    with pytest.raises((tf.errors.InvalidArgumentError, ValueError)) as caught:
        call()
    assert message in str(caught.value) and "test_order.py" in str(caught.value)


def test_errors_in_functions_come_when_they_run() -> None:
    f = tf.function(lambda x, i: tf.math.segment_sum(x, i))
    assert listed(f(tf.constant([1, 2]), tf.constant([0, 0]))) == [3]
    with pytest.raises(tf.errors.InvalidArgumentError, match="not increasing"):
        f(tf.constant([1, 2]), tf.constant([1, 0]))
    assert listed(f(tf.constant([1, 2]), tf.constant([0, 1]))) == [1, 2]


@pytest.mark.parametrize(
    ("make", "types", "message"),
    [
        (lambda x: ops.ArgSort(x, False), ["f32"], "there must be an axis"),
        (lambda x, y: ops.SearchSorted(x, y, "left"), ["f32[2]", "f64[2]"], "the same dtype"),
        (lambda x, y: ops.SearchSorted(x, y, "mid"), ["f32[2]", "f32[2]"], "the side must be"),
        (lambda x, y: ops.SearchSorted(x, y, "left"), ["f32[2,3]", "f32[3,3]"], "agree in every"),
        (ops.InvertPermutation, ["f32[2]"], "must be integers"),
        (ops.InvertPermutation, ["i32"], "must be a vector"),
        (lambda x: ops.CumSum(x, 1, False), ["f32[2]"], "no axis 1"),
        (lambda x: ops.CumProd(x, 0, False), ["bool[2]"], "not defined for dtype bool"),
        (lambda x, y: ops.Recurrence(x, y, 0, False), ["f32[2]", "f32[3]"], "dtype and shape"),
        (lambda i, x: ops.SegmentSum(i, x, 3, "drop"), ["f32[2]", "f32[2]"], "vector of integers"),
        (lambda i, x: ops.SegmentSum(i, x, 3, "drop"), ["i32[2]", "f32[3]"], "one segment id"),
        (lambda i, x: ops.SegmentMax(i, x, 3, "drop"), ["i32[2]", "bool[2]"], "dtype bool"),
        (lambda i, x: ops.SegmentMin(i, x, 3, "some"), ["i32[2]", "f32[2]"], "no check named"),
    ],
)
def test_bad_operands_of_the_ir(make: Any, types: list[str], message: str) -> None:
    with pytest.raises(OpError, match=message) as caught:
        Builder().emit(make(*(Value(parse_type(t)) for t in types)))
    assert f"({', '.join(types)}): " in str(caught.value)
