"""Datasets that functions make of tensors which they compute."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tfc as tf

Dataset = tf.data.Dataset


def test_a_loop_goes_over_what_the_function_computes() -> None:
    @tf.function
    def digits(x: Any) -> Any:
        found = tf.constant(0)
        for y in Dataset.from_tensor_slices(x * 2):
            found = found * 10 + y
        return found

    for values in ([1, 2, 3], [4, 1], [], [4, 4, 4, 4]):
        expected = int("".join(str(2 * v) for v in values) or 0)
        assert int(digits(tf.constant(values, tf.int32))) == expected
    assert digits.experimental_get_tracing_count() <= 3

    @tf.function
    def steps(x: Any, n: Any) -> Any:
        total = tf.constant(0, tf.int64)
        multiples = Dataset.range(n).map(lambda v: v * x).filter(lambda v: v > x)
        for y in multiples.batch(2).take(n - 3):
            total += tf.reduce_sum(y)
        return total, multiples.cardinality(), Dataset.range(n).skip(x).cardinality()

    for x, n in ((3, 6), (2, 9)):
        kept = [v * x for v in range(n) if v * x > x][: 2 * (n - 3)]
        results = steps(tf.constant(x, tf.int64), tf.constant(n, tf.int64))
        assert [int(r) for r in results] == [sum(kept), -2, n - x]


def test_functions_that_hold_symbolic_tensors() -> None:
    known = Dataset.range(6)
    scale = tf.Variable(1, dtype=tf.int64)

    @tf.function
    def weighted(x: Any) -> Any:
        scale.assign_add(1)
        both = {"x": x, "rows": tf.RaggedTensor.from_row_lengths(tf.stack([x, x]), [1, 1])}

        def step(v: Any, factor: Any = x) -> Any:
            return v * factor * scale + tf.reduce_sum(both["rows"]) - 2 * both["x"]

        return known.map(step).reduce(x * 0, lambda s, v: s + v)

    assert int(weighted(tf.constant(3, tf.int64))) == 15 * 3 * 2
    assert int(weighted(tf.constant(4, tf.int64))) == 15 * 4 * 3

    @tf.function
    def nested(x: Any) -> Any:
        total = tf.constant(0, tf.int64)
        for i in tf.range(tf.constant(3, tf.int64)):
            inner = Dataset.range(i + x)
            for y in inner.flat_map(lambda v: Dataset.range(v).map(lambda w: w + x)):
                total += y
        return total

    expected = sum(w + 2 for i in range(3) for v in range(i + 2) for w in range(v))
    assert int(nested(tf.constant(2, tf.int64))) == expected

    @tf.function
    def pairs(words: Any) -> Any:
        upper = Dataset.from_tensor_slices(tf.strings.upper(words))
        found = tf.constant("")
        for a, b in Dataset.zip(Dataset.from_tensor_slices(words), upper):
            found = found + a + b
        return found

    assert pairs(tf.constant(["a", "b"])).numpy() == b"aAbB"

    @tf.function
    def single(x: Any) -> Any:
        element = Dataset.from_tensors({"a": x, "s": tf.sparse.from_dense([0, x])})
        return element.map(lambda e: {"b": e["a"] + 1, "s": e["s"] * 2}).get_single_element()

    found = single(tf.constant(4))
    assert int(found["b"]) == 5 and tf.sparse.to_dense(found["s"]).numpy().tolist() == [0, 8]


def test_files_that_a_function_names(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.txt").write_text(f"{name}1\n{name}2\n")

    @tf.function
    def lines(folder: Any) -> Any:
        found = tf.constant("")
        for line in tf.data.TextLineDataset(folder + "/a.txt"):
            found = found + line
        names = Dataset.list_files(folder + "/*.txt", shuffle=False)
        return found, names.reduce(0, lambda n, _: n + 1)

    text, count = lines(tf.constant(str(tmp_path)))
    assert text.numpy() == b"a1a2" and int(count) == 2


def test_errors_are_those_of_the_elements() -> None:
    @tf.function
    def single(n: Any) -> Any:
        return Dataset.range(n).get_single_element()

    assert int(single(tf.constant(1, tf.int64))) == 0
    with pytest.raises(tf.errors.InvalidArgumentError, match="was empty"):
        single(tf.constant(0, tf.int64))
    with pytest.raises(tf.errors.InvalidArgumentError, match="more than one"):
        single(tf.constant(2, tf.int64))

    @tf.function
    def batches(n: Any) -> Any:
        return Dataset.range(3).batch(n).reduce(tf.constant(0, tf.int64), lambda s, b: s + b[0])

    assert int(batches(tf.constant(2))) == 2
    with pytest.raises(tf.errors.InvalidArgumentError, match="must be greater than zero"):
        batches(tf.constant(0))


def test_functions_return_datasets() -> None:
    """What a function makes of tensors, the caller gets; traced once for all their values."""

    @tf.function
    def parts(x: Any) -> Any:
        rows = Dataset.from_tensor_slices(x)
        return {"rows": rows.map(lambda y: y + x[0]), "fixed": Dataset.range(2), "next": x + 1}

    @tf.function
    def total(x: Any) -> Any:
        return parts(x)["rows"].reduce(0, lambda state, y: state + y)

    for x in ([1, 2], [5, 7]):
        found = parts(tf.constant(x))
        assert [int(v) for v in found["rows"]] == [x[0] + x[0], x[1] + x[0]]
        assert [int(v) for v in found["fixed"]] == [0, 1]
        assert int(total(tf.constant(x))) == 3 * x[0] + x[1]
    assert parts.experimental_get_tracing_count() == 1
