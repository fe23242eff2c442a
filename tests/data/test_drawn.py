"""Random numbers of datasets are those of TensorFlow 2.21, of which these lists are."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tfc.data.plans.drawn import words

Dataset = tf.data.Dataset


@pytest.fixture(autouse=True)
def without_seed() -> None:
    tf.random.set_seed(None)


def _streamed(count: int) -> Any:
    return Dataset.range(count).filter(lambda x: True)


def _sampled(weights: Any, **options: Any) -> Any:
    return Dataset.sample_from_datasets(
        [Dataset.range(3), Dataset.range(10, 13), Dataset.range(20, 23)], weights, 1, **options
    )


CASES: dict[str, tuple[Callable[[], Any], list[int]]] = {
    "whole": (lambda: Dataset.range(10).shuffle(10, 42), [5, 9, 6, 4, 7, 1, 2, 8, 3, 0]),
    "buffer": (lambda: Dataset.range(10).shuffle(3, 42), [0, 3, 4, 2, 1, 5, 8, 6, 7, 9]),
    "streamed": (lambda: _streamed(10).shuffle(3, 42), [0, 3, 4, 2, 1, 5, 8, 6, 7, 9]),
    "streamed whole": (lambda: _streamed(10).shuffle(30, 42), [5, 9, 6, 4, 7, 1, 2, 8, 3, 0]),
    "again": (lambda: Dataset.range(5).shuffle(5, 1).repeat(2), [0, 4, 3, 1, 2, 3, 1, 0, 4, 2]),
    "the same again": (
        lambda: Dataset.range(5).shuffle(5, 1, reshuffle_each_iteration=False).repeat(2),
        [2, 4, 0, 3, 1] * 2,
    ),
    "numbers": (lambda: Dataset.random(seed=4).take(3), [3128586565, 2023892699, 452966358]),
    "sampled": (lambda: _sampled([0.2, 0.0, 0.8]), [20, 21, 0, 1, 2, 22]),
    "sampled evenly": (lambda: _sampled(None, stop_on_empty_dataset=True), [20, 0, 1, 2]),
}


@pytest.mark.parametrize("name", CASES)
def test_orders_and_numbers(name: str) -> None:
    make, wanted = CASES[name]
    assert [int(x) for x in make()] == wanted


def test_global_seeds() -> None:
    """Shuffles without a seed take theirs from the numbers that ops do."""
    tf.random.set_seed(7)
    found = []
    for seed in (None, None, 3):
        found.append([int(x) for x in Dataset.range(6).shuffle(6, seed)])
    np.testing.assert_allclose(tf.random.uniform([1]), [0.25153684616088867])
    found.append([int(x) for x in Dataset.range(6).shuffle(6)])
    assert found == [[2, 5, 0, 1, 3, 4], [2, 1, 3, 4, 5, 0], [5, 0, 3, 4, 2, 1], [5, 3, 4, 2, 1, 0]]


def test_iterations_are_numbered() -> None:
    """What repetitions drew is not drawn again."""
    dataset = Dataset.range(6).shuffle(6, 9)
    plain = Dataset.range(6).shuffle(6, 9)
    orders = [[int(x) for x in plain] for _ in range(4)]
    repeated = [int(x) for x in dataset.repeat(2)]
    assert repeated == orders[0] + orders[1]
    assert [int(x) for x in dataset] == orders[2]
    assert [int(x) for x in dataset] == orders[3]


def _uniform(_: Any) -> Any:
    return tf.random.uniform([])


_FUNCTIONS: dict[str, Callable[[], Any]] = {
    "map": lambda: Dataset.range(3).map(_uniform),
    "repeat": lambda: Dataset.range(1).map(_uniform).repeat(3),
    "batch": lambda: Dataset.range(3).map(_uniform).batch(3).unbatch(),
    "behind a shuffle": lambda: Dataset.range(3).shuffle(3).map(_uniform),
    "scan": lambda: Dataset.range(3).scan(0.0, lambda s, x: (s, _uniform(x))),
    "inner": lambda: Dataset.range(2).flat_map(lambda x: Dataset.range(2).map(_uniform)).take(3),
    "twice": lambda: Dataset.zip((d := _FUNCTIONS["map"](), d)).map(lambda x, y: (x + y) / 2),
    "windows": lambda: Dataset.range(4).window(2).flat_map(lambda w: w.map(_uniform)).take(3),
}


@pytest.mark.parametrize("name", _FUNCTIONS)
def test_iterations_begin_draws_of_functions_anew(name: str) -> None:
    """A global seed says what functions draw: the same in each iteration, as in TensorFlow."""
    tf.random.set_seed(42)
    dataset = _FUNCTIONS[name]()
    for _ in range(2):
        np.testing.assert_allclose(list(dataset), [0.8354591, 0.46399975, 0.95270336], atol=1e-6)


def test_draws_of_functions_without_seeds_differ() -> None:
    dataset = Dataset.range(3).map(_uniform)
    assert [float(x) for x in dataset] != [float(x) for x in dataset]
    seeded = Dataset.range(8).filter(lambda x: tf.random.uniform([], seed=3) > 0.5)
    assert [int(x) for x in seeded] == [int(x) for x in seeded]


def test_words_from_anywhere() -> None:
    """Any part of a stream can be asked for; the first words are Philox's for a key and counter
    of 0."""
    whole = words((5, 7), 0, 41)
    for start, count in ((0, 1), (3, 6), (17, 24), (40, 1)):
        np.testing.assert_array_equal(words((5, 7), start, count), whole[start : start + count])
    first = [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]
    assert words((0, 0), 0, 4).tolist() == first
