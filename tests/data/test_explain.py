"""What `explain` says of a plan is how it runs."""

from __future__ import annotations

import time
from typing import Any

import tfc as tf


def test_functions_that_follow_one_another_are_one_program() -> None:
    lines = tf.data.Dataset.from_tensor_slices(["1,a", "22,b"])
    parts = lines.map(lambda line: tf.strings.split(line, ","))
    pairs = parts.map(lambda p: (tf.strings.to_number(p[0], tf.int32), p[1]))
    numbers, names = pairs.batch(2).get_single_element()
    assert numbers.numpy().tolist() == [1, 22] and names.numpy().tolist() == [b"a", b"b"]
    text = pairs.explain().splitlines()
    assert "one program for many" in text[0]
    assert "part of the program above" in text[1]
    alone = parts.explain().splitlines()[0]
    assert "a program for each element: its results may differ in shape" in alone


def test_what_depends_on_more_than_its_element_is_a_stream() -> None:
    scale = tf.Variable(2, dtype=tf.int64)
    scaled = tf.data.Dataset.range(4).map(lambda x: x * scale)
    assert "a stream" in scaled.explain().splitlines()[0]
    elements = iter(scaled)
    assert int(next(elements)) == 0 and int(next(elements)) == 2
    scale.assign(10)
    assert int(next(elements)) == 20  # nothing was computed ahead

    drawn = tf.data.Dataset.range(4).map(lambda x: tf.random.uniform([]))
    assert "runs in order" in drawn.explain()
    assert len({float(x) for x in drawn}) == 4


def test_an_error_has_its_place() -> None:
    """Where a chunk fails, what is before is delivered, and what is behind goes on."""

    def checked(x: Any) -> Any:
        tf.debugging.assert_less(x, tf.constant(5, tf.int64))
        return x * 2

    dataset = tf.data.Dataset.range(8).map(checked)
    elements, found = iter(dataset), []
    for _ in range(8):
        try:
            found.append(int(next(elements)))
        except tf.errors.InvalidArgumentError:
            found.append(-1)
    assert found == [0, 2, 4, 6, 8, -1, -1, -1]
    batches = iter(dataset.batch(3))
    assert next(batches).numpy().tolist() == [0, 2, 4]
    failed = 0
    try:
        next(batches)
    except tf.errors.InvalidArgumentError:
        failed = 1
    assert failed


def test_a_profile_says_where_the_time_goes() -> None:
    def slow(x: Any) -> Any:
        return tf.py_function(lambda v: (time.sleep(0.002), v)[1], [x], tf.TensorSpec([], tf.int64))

    dataset = tf.data.Dataset.range(20).filter(lambda x: x % 2 == 0).map(slow).batch(4)
    list(dataset)  # compiled
    profile = dataset.profile()
    assert [step.name.strip() for step in profile.steps] == [
        "batch 4",
        "map slow",
        "filter <lambda>",
        "Range",
    ]
    assert [step.elements for step in profile.steps] == [3, 10, 10, 20]
    seconds = [step.seconds for step in profile.steps]
    assert seconds[1] >= 10 * 0.002  # it slept as long by itself
    assert 0 < sum(seconds) <= profile.seconds + 1e-6
    assert [step.elements for step in dataset.profile(1).steps][:2] == [1, 4]
    threaded = dataset.prefetch(1).profile()
    assert [step.elements for step in threaded.steps] == [3, 3, 10, 10, 20]
    assert "map slow" in repr(threaded) and "in all" in repr(threaded)
