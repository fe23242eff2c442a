"""Random pipelines: elements are those of plain Python, however they are asked for.

Each pipeline is made twice, as a Dataset and as lists. What is compared: the elements one by one;
those of random numbers of elements at a time; what is left after a random number was skipped; what
a restored iterator gives; the elements at random places; all with functions that can be run for
many elements at once and with such that cannot.
"""

from __future__ import annotations

import itertools
import random
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests.data import steps
from tests.sampling import ALL
from tfc.data.elements import NOTHING
from tfc.data.plan import INFINITE, begin

Lists = list[Any]
PIPELINES = 2000 if ALL else 60

draws = tf.Variable(0, dtype=tf.int64)


# Steps: (name, dataset -> dataset, lists -> lists). Elements are int64 scalars up to the batch.
def _step(rng: random.Random) -> tuple[Any, Any]:
    n, k = rng.randint(0, 9), rng.randint(1, 4)
    match rng.choice(
        [
            "map",
            "sizes",
            "ordered",
            "filter",
            "take",
            "skip",
            "shard",
            "repeat",
            "cache",
            "prefetch",
            "concatenate",
            "zip",
            "enumerate",
            *["others"] * 12,
        ]
    ):
        case "others":
            return steps.step(rng)
        case "map":
            return (lambda d: d.map(lambda x: x * 3 + n)), (lambda e: [x * 3 + n for x in e])
        case "sizes":  # what the first function returns cannot be stacked
            return (
                lambda d: d.map(lambda x: tf.fill([x % 3], x)).map(lambda x: tf.reduce_sum(x) + n),
                lambda e: [x * (x % 3) + n for x in e],
            )
        case "ordered":  # it reads a Variable: no index, no loop
            return (
                lambda d: d.map(lambda x: x + draws),
                lambda e: e,
            )
        case "filter":
            return (
                lambda d: d.filter(lambda x: x % (k + 1) != 0),
                lambda e: [x for x in e if x % (k + 1) != 0],
            )
        case "take":
            return (lambda d: d.take(n)), (lambda e: e[:n])
        case "skip":
            return (lambda d: d.skip(n // 2)), (lambda e: e[n // 2 :])
        case "shard":
            return (lambda d: d.shard(k, n % k)), (lambda e: e[n % k :: k])
        case "repeat":
            return (lambda d: d.repeat(k - 1)), (lambda e: e * (k - 1))
        case "cache":
            return (lambda d: d.cache()), (lambda e: e)
        case "prefetch":
            return (lambda d: d.prefetch(n)), (lambda e: e)
        case "concatenate":
            return (
                lambda d: d.concatenate(tf.data.Dataset.range(n)),
                lambda e: e + list(range(n)),
            )
        case "zip":
            return (
                lambda d: tf.data.Dataset.zip(d, d.skip(1)).map(lambda a, b: a - 2 * b),
                lambda e: [a - 2 * b for a, b in itertools.pairwise(e)],
            )
        case _:
            return (
                lambda d: d.enumerate(n).map(lambda i, x: i * 100 + x),
                lambda e: [i * 100 + x for i, x in enumerate(e, n)],
            )


def _source(rng: random.Random) -> tuple[Any, Lists]:
    count = rng.randint(0, 25)
    numbers = [rng.randint(-50, 50) for _ in range(count)]
    match rng.randint(0, 2):
        case 0:
            return tf.data.Dataset.range(count), list(range(count))
        case 1:
            return tf.data.Dataset.from_tensor_slices(np.array(numbers, np.int64)), numbers
        case _:
            spec = tf.TensorSpec([], tf.int64)
            return tf.data.Dataset.from_generator(lambda: numbers, output_signature=spec), numbers


def pipeline(seed: int) -> tuple[Any, Lists]:
    rng = random.Random(seed)
    dataset, elements = _source(rng)
    for _ in range(rng.randint(1, 5)):
        step, plain = _step(rng)
        dataset, elements = step(dataset), plain(elements)
    if rng.random() < 0.6:
        size, drops = rng.randint(1, 6), rng.random() < 0.4
        dataset = dataset.batch(size, drop_remainder=drops)
        elements = [elements[i : i + size] for i in range(0, len(elements), size)]
        if drops:
            elements = [e for e in elements if len(e) == size]
        for _ in range(rng.randint(0, 2)):
            match rng.randint(0, 3):
                case 0:
                    dataset = dataset.map(lambda x: x * x - 1)
                    elements = [[x * x - 1 for x in e] for e in elements]
                case 1:
                    dataset, elements = dataset.skip(1), elements[1:]
                case 2:
                    dataset, elements = dataset.repeat(2), elements * 2
                case _:
                    dataset = dataset.prefetch(1)
    return dataset, elements


def lists(elements: Any) -> Lists:
    return [np.asarray(e).tolist() for e in elements]


@pytest.mark.parametrize("seed", range(PIPELINES))
def test_the_elements_are_those_of_plain_python(seed: int) -> None:
    dataset, expected = pipeline(seed)
    rng = random.Random(-seed)
    plan = dataset._plan
    assert lists(dataset) == expected, dataset.explain()
    assert lists(dataset) == expected, "the second iteration"
    if plan.cardinality >= 0:
        assert plan.cardinality == len(expected)
    assert plan.cardinality != INFINITE

    cursor, found = plan.cursor(begin(plan)), []
    while chunk := cursor.take(rng.randint(1, 7)):
        assert len(chunk)
        found += [e[0] for e in chunk.elements()]
    assert chunk is NOTHING or not len(chunk)
    assert lists(found) == expected, "some at a time"

    skipped = rng.randint(0, len(expected) + 2)
    cursor = plan.cursor(begin(plan))
    assert cursor.skip(skipped) == min(skipped, len(expected))
    rest = []
    while (element := cursor.next()) is not None:
        rest.append(element[0])
    assert lists(rest) == expected[skipped:], f"after skip({skipped})"

    first, second = iter(dataset), iter(dataset)
    for _ in range(min(skipped, len(expected))):
        next(first)
    second._restore_from_tensors(first._serialize_to_tensors())
    assert lists(second) == lists(first) == expected[skipped:], "restored"

    if plan.indexed and expected:
        places = np.array([rng.randrange(len(expected)) for _ in range(5)])
        found = [e[0] for e in plan.elements(places, begin(plan)).elements()]
        assert lists(found) == [expected[i] for i in places], "at random places"


@pytest.mark.parametrize("seed", range(PIPELINES // 2))
def test_shuffled_elements_come_back_in_the_same_order(seed: int) -> None:
    rng = random.Random(seed)
    dataset, elements = _source(rng)
    size, batch, turns = rng.randint(1, 30), rng.randint(1, 5), rng.randint(1, 3)
    shuffled = dataset.shuffle(size, seed=seed).repeat(turns).map(lambda x: x * 2).batch(batch)
    first = iter(shuffled)
    found = lists(first)
    flat = [x for e in found for x in e]
    n = len(elements)
    for turn in range(turns):
        assert sorted(flat[turn * n : turn * n + n]) == sorted(2 * x for x in elements)

    again = iter(shuffled)  # another iteration, put where the first one is
    stop = rng.randint(0, len(found))
    state = {"STATE": tf.constant([stop, *first._run.epochs()], tf.int64)}
    again._restore_from_tensors(state)
    assert lists(again) == found[stop:]

    # An element is at most as much too early as the buffer is long.
    if dataset._plan.indexed and n:
        order = [int(x) for x in tf.data.Dataset.range(n).shuffle(size, seed=seed)]
        assert all(place > i - size for place, i in enumerate(order))
        assert sorted(order) == list(range(n))
