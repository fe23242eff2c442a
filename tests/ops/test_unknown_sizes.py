"""Every public function where no size is known, called with other sizes than it was traced for:
extents of 1 and 0, all operands shorter or one of them. What it gives must be what eager code
gives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests.cases import CASES, Case
from tests.sampling import ALL
from tfc import nest

SHARE = 53  # one of so many cases is tried, but for that


def shorter(arrays: Sequence[np.ndarray]) -> Iterator[tuple[np.ndarray, ...]]:
    """The arrays with an axis cut to 1 and to nothing: of all that have this extent there, and of
    one alone."""
    for axis in range(max((a.ndim for a in arrays), default=0)):
        for count in (1, 0):
            longest = max(a.shape[axis] for a in arrays if a.ndim > axis)
            chosen = [{i for i, a in enumerate(arrays) if a.ndim > axis}]
            chosen += [{i} for i in chosen[0]] if len(chosen[0]) > 1 else []
            for which in chosen:
                index = (slice(None),) * axis + (slice(count),)
                cut = tuple(a[index] if i in which else a for i, a in enumerate(arrays))
                if longest > count:
                    yield cut


def outcome(call: Any, arrays: Sequence[np.ndarray]) -> Any:
    """The bits of the results, or None for an error of arguments."""
    try:
        results = nest.flatten(call(*map(tf.constant, arrays)))
    except (tf.errors.OpError, ValueError, TypeError):
        return None
    return [(a.dtype, a.shape, a.tobytes()) for a in map(np.asarray, results)]


SYMBOLIC = [c for c in CASES if c.symbolic and any(a.ndim for a in c.arrays)]
CHOSEN = SYMBOLIC if ALL else SYMBOLIC[::SHARE]


@pytest.mark.parametrize("c", CHOSEN, ids=lambda c: c.name)
def test_other_sizes_than_were_traced(c: Case) -> None:
    specs = [tf.TensorSpec([None] * a.ndim, a.dtype) for a in c.arrays]
    free = tf.function(lambda *v: c.call(*v), input_signature=specs)
    assert outcome(free, c.arrays) is not None
    variants = list(shorter(c.arrays))
    for arrays in variants if ALL else variants[:: max(1, len(variants) // 4)]:
        traced = outcome(free, arrays)
        eager = outcome(c.call, arrays)
        shapes = [a.shape for a in arrays]
        if traced is None:
            # Two sizes that a trace takes to be equal are checked by the call: an error, where
            # eager code may broadcast.
            continue
        if eager is None and any(0 in shape for shape in shapes):
            continue  # of nothing: eager code looks at the extents of operands, too
        assert eager is not None, f"an error eagerly, none in the function: {shapes}"
        assert traced == eager, shapes


def test_shapes_with_a_hole_that_are_computed() -> None:
    """What is joined of shapes is one; of others run time knows where -1 stands."""
    x = tf.reshape(tf.range(24.0), [2, 3, 4])
    joined = tf.function(lambda x: tf.reshape(x, tf.concat([tf.shape(x)[:-2], [-1]], 0)))
    for spec in ([2, 3, 4], [None, None, 4], [None, 3, None]):
        concrete = joined.get_concrete_function(tf.TensorSpec(spec))
        assert concrete.outputs[0].shape.rank == 2
        np.testing.assert_array_equal(concrete(x), np.reshape(x, [2, 12]))
    assert joined.get_concrete_function(tf.TensorSpec([2, 3, 4])).outputs[0].shape == [2, 12]

    reshaped = tf.function(tf.reshape)
    inside = tf.function(lambda x, shape: tf.reduce_sum(tf.reshape(x, shape) * 2.0, 0))
    for shape in ([2, -1], [-1, 4], [-1], [3, -1, 2], [24], [1, -1, 1]):
        given = tf.constant(shape)
        np.testing.assert_array_equal(reshaped(x, given), np.reshape(x, shape))
        np.testing.assert_array_equal(inside(x, given), tf.reduce_sum(np.reshape(x, shape) * 2, 0))
    assert reshaped(tf.zeros([0, 3]), tf.constant([3, -1])).shape == [3, 0]
    for shape, text in (([5, -1], "24 and 20"), ([-1, -1], "24 and 576"), ([-2, 3], "got -2")):
        for call in (reshaped, inside):
            with pytest.raises(tf.errors.InvalidArgumentError, match=text) as caught:
                call(x, tf.constant(shape))
            assert __file__ in str(caught.value)


def test_an_extent_that_turns_out_negative() -> None:
    zeros = tf.function(lambda n: tf.zeros(tf.stack([n, 2])))
    assert zeros(tf.constant(3)).shape == [3, 2]
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"must be >= 0, got -1") as caught:
        zeros(tf.constant(-1))
    assert __file__ in str(caught.value)


def test_numbers_that_a_function_computes_among_others() -> None:
    """In lists of sizes also floats, whose fractions are cut off, and in lists of shifts."""
    x = tf.reshape(tf.range(12.0), [1, 3, 4])
    calls: dict[str, Any] = {
        "tile": lambda n: tf.tile(x, [n, 1, 2]),
        "reshape": lambda n: tf.reshape(x, [n * 2.0, -1]),
        "zeros": lambda n: tf.zeros([1, n]),
        "fill": lambda n: tf.fill([n, tf.cast(n, tf.int32)], 7),
        "broadcast_to": lambda n: tf.broadcast_to(x, [n, 3, 4]),
        "resize": lambda n: tf.image.resize(x, [tf.math.ceil(n / 2.0), n]),
    }
    for name, call in calls.items():
        for n in (2.0, 3.0, 6.0):
            wanted = call(n) if name != "resize" else tf.image.resize(x, [(n + 1) // 2, n])
            np.testing.assert_array_equal(tf.function(call)(tf.constant(n)), wanted, name)
    cut = tf.function(lambda n: tf.zeros([n, 2]))
    assert cut(tf.constant(2.75)).shape == (2, 2)
    rolled = tf.function(lambda n: tf.roll(x, [n, 1], [1, 2]))
    np.testing.assert_array_equal(rolled(tf.constant(2)), np.roll(x, [2, 1], [1, 2]))
    with pytest.raises(ValueError, match="vector of integers"):
        tf.function(lambda n: tf.zeros(tf.stack([n, 2.0])))(tf.constant(1.0))


# Functions whose results have extents that values decide. strided_slice, slice, pad and repeat:
# where bounds or numbers are arguments.
NAMES_BY_VALUES = """
where boolean_mask dynamic_partition dynamic_stitch strided_slice slice repeat sequence_mask pad
unique unique_with_counts setdiff1d segment_sum segment_mean segment_prod segment_max segment_min
bincount confusion_matrix compute_accidental_hits
"""
BY_VALUES = set(NAMES_BY_VALUES.split())


def test_known_sizes_give_known_sizes() -> None:
    """What a layer builds of a shape, it builds while a function is traced."""
    unknown = set()
    for c in CASES:
        if c.name in BY_VALUES:
            continue
        specs = [tf.TensorSpec(a.shape, a.dtype) for a in c.arrays]
        traced = tf.function(lambda *v, c=c: c.call(*v), autograph=False)
        try:
            results = traced.get_concrete_function(*specs).structured_outputs
        except (tf.errors.OpError, TypeError, ValueError):
            continue  # for elements that have to be known; the tests of cases run it
        for result in nest.flatten(results, expand_composites=True):
            if not tf.TensorShape(getattr(result, "shape", [])).is_fully_defined():
                unknown.add(c.name)
    assert not unknown


@pytest.mark.parametrize(("times", "axis"), [(2, None), ([1, 2, 0], 0), (3, 1), ([2], 1)])
def test_repeats_that_are_known_have_known_extents(times: Any, axis: Any) -> None:
    repeat = tf.function(lambda x: tf.repeat(x, times, axis))
    x = np.arange(12.0).reshape(3, 4)
    wanted = np.repeat(x, times, axis)
    spec = repeat.get_concrete_function(tf.TensorSpec(x.shape, x.dtype)).structured_outputs
    assert spec.shape == wanted.shape
    np.testing.assert_array_equal(repeat(tf.constant(x)), wanted)


@pytest.mark.parametrize(("times", "text"), [(-1, "negative"), ([1, 2], "Dimensions 3 and 2")])
def test_repeats_that_cannot_be(times: Any, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        tf.function(lambda x: tf.repeat(x, times, 0))(tf.ones([3]))


X = np.arange(12.0).reshape(3, 4)
IMAGE = np.arange(64.0, dtype=np.float32).reshape(1, 8, 8, 1)
PLACES = np.array([[0, 1], [2, 3]])


@pytest.mark.parametrize(
    ("function", "arrays"),
    [
        (tf.gather_nd, (X, PLACES)),
        (lambda i, v: tf.scatter_nd(i, v, [3, 4]), (PLACES, np.ones(2))),
        (tf.tensor_scatter_nd_add, (X, PLACES, np.ones(2))),
        (lambda x, begin: tf.slice(x, begin, [2, 1]), (X, np.array([1, 2]))),
        (tf.pad, (X, np.array([[1, 0], [0, 2]]))),
        (tf.reshape, (X, np.array([2, 6]))),
        (tf.broadcast_dynamic_shape, (np.array([3, 1]), np.array([1, 4]))),
        (lambda x: tf.image.central_crop(x, 0.5), (IMAGE,)),
        (lambda x: tf.image.resize_with_crop_or_pad(x, 4, 12), (IMAGE,)),
    ],
)
def test_sizes_that_have_to_be_known_are_those_of_the_call(function: Any, arrays: Any) -> None:
    """A signature leaves open what a rank depends on: there is a trace for each that is met."""
    specs = [tf.TensorSpec([None] * a.ndim, a.dtype) for a in arrays]
    traced = tf.function(function, input_signature=specs)
    for _ in range(2):
        assert outcome(traced, arrays) == outcome(function, arrays) is not None


def test_other_sizes_of_places_are_other_traces() -> None:
    specs = [tf.TensorSpec([None, None]), tf.TensorSpec([None, None], tf.int32)]
    pick = tf.function(tf.gather_nd, input_signature=specs)
    np.testing.assert_array_equal(pick(X.astype("f4"), [[1, 2]]), [6.0])
    np.testing.assert_array_equal(pick(X.astype("f4"), [[1], [0]]), X[[1, 0]])
    np.testing.assert_array_equal(pick(X[:2].astype("f4"), [[1, 2], [0, 3]]), [6.0, 3.0])


def test_extents_that_equal_one_another_in_turn() -> None:
    """The rows of a scan are made of those of x: what equals both of them is not made of itself."""

    def sums(x: tf.Tensor, y: tf.Tensor, first: int) -> tf.Tensor:
        rows = (x, tf.scan(lambda a, v: a + v, x))
        places = [tf.range(tf.shape(rows[(first + i) % 2])[0]) for i in range(2)]
        return tf.stack([tf.math.unsorted_segment_sum(y, place, 9) for place in places])

    specs = [tf.TensorSpec([None, None]), tf.TensorSpec([None, None])]
    x, y = X.astype("f4"), X.astype("f4")[:, :2]
    for first in range(2):
        call = partial(sums, first=first)
        traced = tf.function(call, input_signature=specs)
        assert outcome(traced, (x, y)) == outcome(call, (x, y)) is not None
        assert outcome(traced, (x[:2], y[:2])) == outcome(call, (x[:2], y[:2])) is not None
        assert outcome(traced, (x[:2], y)) is None


@pytest.mark.parametrize("given", [lambda x: [tf.shape(x)[1]], lambda x: tf.shape(x)[1:]])
def test_lengths_of_transforms_are_sizes_of_arguments(given: Any) -> None:
    """As TensorFlow's users write them."""

    def back(x: tf.Tensor) -> tf.Tensor:
        return tf.signal.irfft(tf.signal.rfft(x, given(x)), given(x))

    specs = [tf.TensorSpec([None, None])]
    traced = tf.function(back, input_signature=specs)
    for columns in range(1, 5):
        x = X.astype("f4")[:, :columns]
        assert outcome(traced, (x,)) == outcome(back, (x,)) is not None
    with pytest.raises(ValueError, match="fft_length must have 1 elements, got 2"):
        tf.function(lambda x: tf.signal.rfft(x, tf.shape(x)), input_signature=specs)(x)
