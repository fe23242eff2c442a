"""Datasets inside of functions: the same elements, in the same order, as in Python."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import tfc as tf
from tests.data.test_random_pipelines import lists, pipeline
from tests.sampling import ALL


def _folded(state: Any, x: Any) -> Any:
    return state * 31 + tf.reduce_sum(x) * 7 + tf.cast(tf.size(x), tf.int64)


def _expected(elements: list[Any]) -> int:
    state = np.int64(0)
    with np.errstate(over="ignore"):
        for e in elements:
            state = state * np.int64(31) + np.int64(np.sum(e) * 7 + np.size(e))
    return int(state)


@pytest.mark.parametrize("seed", range(400 if ALL else 10))
def test_a_loop_in_a_function_sees_the_elements(seed: int) -> None:
    dataset, expected = pipeline(seed)
    stop = random.Random(seed).randint(1, 6)

    @tf.function
    def whole() -> Any:
        state = tf.constant(0, tf.int64)
        for x in dataset:
            state = _folded(state, x)
        return state

    @tf.function
    def some() -> Any:
        state = tf.constant(0, tf.int64)
        for i, x in dataset.enumerate():
            if i == stop:
                break
            state = _folded(state, x)
        return state

    assert int(whole()) == int(whole()) == _expected(expected), dataset.explain()
    assert int(some()) == _expected(expected[:stop])
    if not seed % 4:
        reduce = tf.function(lambda: dataset.reduce(tf.constant(0, tf.int64), _folded))
        assert int(reduce()) == _expected(expected)
        assert int(dataset.reduce(tf.constant(0, tf.int64), _folded)) == _expected(expected)


def test_each_call_is_an_iteration_with_an_order_of_its_own() -> None:
    dataset = tf.data.Dataset.range(50).shuffle(50, seed=3).batch(50)

    @tf.function
    def order() -> Any:
        found = tf.zeros([50], tf.int64)
        for x in dataset:
            found = x
        return found

    first, second = order().numpy().tolist(), order().numpy().tolist()
    assert sorted(first) == sorted(second) == list(range(50))
    assert first != second
    again = tf.data.Dataset.range(50).shuffle(50, seed=3).batch(50)
    assert lists(again) == [first]
    assert lists(again) == [second]


def test_variables_are_trained_in_a_loop() -> None:
    x = np.random.default_rng(0).normal(size=(64, 3)).astype(np.float32)
    y = x @ np.array([[1.0], [2.0], [3.0]], np.float32)
    dataset = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(64, seed=1).batch(10)
    w, v = tf.Variable(tf.zeros([3, 1])), tf.Variable(tf.zeros([3, 1]))

    def step(variable: Any, a: Any, b: Any) -> None:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((a @ variable - b) ** 2)
        variable.assign_sub(0.1 * tape.gradient(loss, variable))

    @tf.function
    def epoch() -> None:
        for a, b in dataset:
            step(w, a, b)

    epoch()
    epoch()
    compiled = tf.function(step)
    other = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(64, seed=1).batch(10)
    for _ in range(2):
        for a, b in other:
            compiled(v, a, b)
    np.testing.assert_array_equal(w.numpy(), v.numpy())


def test_an_iterator_goes_on_where_it_was() -> None:
    elements = iter(tf.data.Dataset.range(5).filter(lambda x: x != 2))

    @tf.function
    def two() -> Any:
        return next(elements) * 10 + elements.get_next()

    @tf.function
    def rest(iterator: Any) -> Any:
        total = tf.constant(0, tf.int64)
        for x in iterator:
            total = total * 10 + x
        return total

    assert int(two()) == 1
    assert int(rest(elements)) == 34
    with pytest.raises(tf.errors.OutOfRangeError, match="End of sequence"):
        two()


def test_iterators_that_functions_make() -> None:
    """Each call begins anew, wherever the iterator is asked; also where the function returns it."""
    made = iter

    @tf.function
    def f(dataset: Any) -> Any:
        elements = made(dataset)
        first = next(elements) * 100
        for x in elements:
            first += x
        return first

    assert [int(f(tf.data.Dataset.range(5, n))) for n in (7, 9)] == [506, 521]

    @tf.function
    def begun(n: Any) -> Any:
        elements = iter(tf.data.Dataset.range(n))
        next(elements)
        return elements

    elements = begun(tf.constant(4, tf.int64))
    assert [int(x) for x in elements] == [1, 2, 3]

    @tf.function
    def too_far() -> Any:
        elements = iter(tf.data.Dataset.range(1))
        return next(elements) + next(elements)

    with pytest.raises(tf.errors.OutOfRangeError):
        too_far()


def test_iterators_as_arguments_share_a_trace() -> None:
    batches = tf.data.Dataset.range(6).map(lambda x: tf.cast(x, tf.float32)).batch(2)
    total = tf.Variable(0.0)

    @tf.function
    def epoch(elements: Any, rounds: Any) -> None:
        assert isinstance(elements, tf.data.Iterator)
        for _ in tf.range(rounds):
            total.assign_add(tf.reduce_sum(next(elements)))

    for _ in range(3):
        epoch(iter(batches), 3)
    assert float(total) == 45 and epoch.experimental_get_tracing_count() == 1

    @tf.function
    def chosen(a: Any, b: Any, first: Any) -> Any:
        if first:
            elements = a
        else:
            elements = b
        return inner(elements)

    @tf.function(input_signature=[tf.data.IteratorSpec(tf.TensorSpec(None, tf.int64))])
    def whatever(elements: Any) -> Any:
        return tf.reduce_sum(next(elements))

    inner = tf.function(lambda elements: elements.get_next() + 1)
    a, b = iter(tf.data.Dataset.range(4)), iter(tf.data.Dataset.range(10, 20))
    assert [int(chosen(a, b, tf.constant(k))) for k in (True, False, True)] == [1, 11, 2]
    assert (int(whatever(a)), int(next(a))) == (2, 3)


def test_iterators_read_variables_as_they_are() -> None:
    scale = tf.Variable(1, dtype=tf.int64)
    dataset = tf.data.Dataset.range(1, 5).map(lambda x: x * scale)

    @tf.function
    def f(elements: Any) -> Any:
        first = next(elements)
        scale.assign(10)
        return first, next(elements)

    assert [int(x) for x in f(iter(dataset))] == [1, 20]


def test_optionals_are_made_of_tensors() -> None:
    """Functions take and return them, and loops carry them."""

    @tf.function
    def summed(elements: Any) -> Any:
        total = tf.constant(0, tf.int64)
        found = elements.get_next_as_optional()
        while found.has_value():
            total += found.get_value()
            found = elements.get_next_as_optional()
        return total, found

    for n in (4, 0):
        total, found = summed(iter(tf.data.Dataset.range(n)))
        assert int(total) == sum(range(n)) and not found.has_value()

    optional = tf.experimental.Optional
    spec = tf.TensorSpec([], tf.int32)
    choose = tf.function(
        lambda c: tf.cond(c, lambda: optional.from_value(1), lambda: optional.empty(spec))
    )
    assert int(choose(tf.constant(True)).get_value()) == 1
    with pytest.raises(tf.errors.InvalidArgumentError, match="does not have a value"):
        choose(tf.constant(False)).get_value()
    value = tf.function(lambda o: o.get_value(), input_signature=[tf.OptionalSpec(spec)])
    assert int(value(optional.from_value(7))) == 7
    with pytest.raises(tf.errors.InvalidArgumentError, match="does not have a value"):
        value(optional.empty(spec))
    ragged = tf.ragged.constant([[1], [2, 3]])
    given = tf.function(lambda o: o)(optional.from_value({"r": ragged, "s": "text"}))
    assert given.get_value()["r"].to_list() == [[1], [2, 3]]
    assert given.get_value()["s"].numpy() == b"text"


def test_what_cannot_be_is_said() -> None:
    dataset = tf.data.Dataset.range(3)

    @tf.function(autograph=False)
    def endless() -> Any:
        return [x for x in dataset]

    with pytest.raises(RuntimeError, match="Python's own loop over it does not end"):
        endless()
    rows = tf.data.Dataset.range(3).window(2)

    @tf.function
    def loop() -> Any:
        n = 0
        for _ in rows:
            n += 1
        return n

    with pytest.raises(tf.errors.UnimplementedError, match="made of tensors of known ranks, not"):
        loop()


def test_elements_of_unknown_ranks() -> None:
    """No trace goes over them: calls run op by op."""
    rows = [np.ones(2, np.float32), np.ones((2, 3), np.float32)]
    dataset = tf.data.Dataset.from_generator(
        lambda: iter(rows), output_signature=tf.TensorSpec(None)
    )

    @tf.function
    def total(scale: Any) -> Any:
        found = tf.constant(0.0)
        for x in dataset:
            found += tf.reduce_sum(x) * scale
        return found

    assert [float(total(tf.constant(n))) for n in (1.0, 2.0)] == [8, 16]
    iterator = iter(dataset)
    after = tf.function(lambda: tf.reduce_sum(next(iterator)))
    assert [float(after()), float(after())] == [2, 6]
    iterator = iter(dataset)
    given = tf.function(lambda elements: tf.reduce_sum(next(elements)))
    assert [float(given(iterator)), float(given(iterator))] == [2, 6]


def test_strings() -> None:
    text = tf.data.Dataset.from_tensor_slices(["a", "bc", ""])

    @tf.function
    def joined(dataset: Any) -> Any:
        found = tf.constant("")
        for x in dataset:
            found = tf.strings.join([found, x], "-")
        return found

    assert joined(text).numpy() == b"-a-bc-"
    assert joined(text.map(lambda x: x + "!").shuffle(3, seed=1)).numpy().count(b"!") == 3
    assert joined(text.filter(lambda x: tf.strings.length(x) > 0)).numpy() == b"-a-bc"


def test_a_result_whose_shape_alone_is_measured() -> None:
    """A call whose result nobody needs has a shape that the program still asks for."""

    @tf.function
    def f(x: Any) -> Any:
        tf.numpy_function(lambda a: a[a > 0], [x], tf.TensorSpec([None]))
        return x + 1

    assert f(tf.constant([1.0, -2.0])).numpy().tolist() == [2.0, -1.0]


def test_loops_as_people_write_them() -> None:
    dataset = tf.data.Dataset.range(1, 5)

    @tf.function
    def found(d: Any) -> Any:
        for x in d:
            if x == 3:
                return x * 100
        return tf.constant(-1, tf.int64)

    @tf.function
    def nested(d: Any) -> Any:
        total = tf.constant(0, tf.int64)
        for i, x in enumerate(d):
            for y, z in zip(d.take(2), d.skip(1), strict=False):
                total += i * x * y * z
        return total

    assert int(found(dataset)) == 300 and int(found(dataset.take(2))) == -1
    expected = sum(i * x * y * z for i, x in enumerate(range(1, 5)) for y, z in ((1, 2), (2, 3)))
    assert int(nested(dataset)) == expected


def test_gradients_go_through_loops() -> None:
    w = tf.Variable(2.0)
    numbers = tf.data.Dataset.range(1, 6).map(lambda x: tf.cast(x, tf.float32))
    for dataset in (numbers.batch(2), numbers.filter(lambda x: x > 0).batch(2)):

        @tf.function
        def total(dataset: Any = dataset) -> Any:
            found = tf.constant(0.0)
            for x in dataset:
                found += tf.reduce_sum(x * w * w)
            return found

        with tf.GradientTape() as tape:
            result = total()
        assert float(result) == 60.0 and float(tape.gradient(result, w)) == 60.0


def test_strings_are_reduced() -> None:
    words = tf.data.Dataset.from_tensor_slices((["a", "b", "c"], [1, 2, 3]))
    start = (tf.constant(""), tf.constant(0))

    def step(state: Any, element: Any) -> Any:
        return state[0] + element[0], state[1] + element[1]

    for reduce in (words.reduce, tf.function(words.reduce)):
        text, total = reduce(start, step)
        assert text.numpy() == b"abc" and int(total) == 6


def test_ragged_and_sparse_elements() -> None:
    ragged = tf.data.Dataset.from_tensor_slices(tf.ragged.constant([[1], [2, 3], [], [4, 5]]))
    sparse = tf.data.Dataset.from_tensor_slices(tf.sparse.from_dense([[1, 0], [0, 0], [2, 3]]))
    pairs = tf.data.Dataset.zip(ragged.batch(2).repeat(), sparse.map(lambda x: {"x": x, "n": None}))

    @tf.function
    def loop(dataset: Any) -> Any:
        rows, total = tf.constant(0, tf.int64), tf.zeros([2], tf.int32)
        for batch, entry in dataset:
            assert entry["n"] is None
            rows += batch.nrows()
            total += tf.reduce_sum(batch) * tf.sparse.to_dense(entry["x"])
        return rows, total

    rows, total = loop(pairs)
    assert int(rows) == 6 and total.numpy().tolist() == [6 + 12, 18]

    elements = iter(pairs)
    following = tf.function(lambda: next(elements))
    assert [following()[0].to_list() for _ in range(2)] == [[[1], [2, 3]], [[], [4, 5]]]
    assert tf.sparse.to_dense(next(elements)[1]["x"]).numpy().tolist() == [2, 3]


def test_states_may_be_ragged_and_sparse() -> None:
    ragged = tf.data.Dataset.from_tensor_slices(tf.ragged.constant([[1], [2, 3], [], [4, 5]]))
    batches = ragged.batch(2)
    start = tf.ragged.constant([[7]])
    for reduce in (batches.reduce, tf.function(batches.reduce)):
        joined = reduce(start, lambda s, x: tf.concat([s, x], 0))
        assert joined.to_list() == [[7], [1], [2, 3], [], [4, 5]]
    for reduce in (ragged.reduce, tf.function(ragged.reduce)):
        grown = reduce((tf.constant([0]), None), lambda s, x: (tf.concat([s[0], x], 0), None))
        assert grown[0].numpy().tolist() == [0, 1, 2, 3, 4, 5] and grown[1] is None
    sums = batches.scan(0, lambda s, x: (s + tf.reduce_sum(x), x * s))
    assert [x.to_list() for x in sums] == [[[0], [0, 0]], [[], [24, 30]]]
    assert sums.element_spec == tf.RaggedTensorSpec([None, None], tf.int32, 1)
    assert "called in Python" not in sums.explain()
    rows = tf.data.Dataset.from_tensor_slices(tf.sparse.from_dense([[1, 0], [0, 2]]))
    step = tf.function(lambda d: d.reduce(tf.zeros([2], tf.int32), _dense_sum))
    assert step(rows).numpy().tolist() == rows.reduce([0, 0], _dense_sum).numpy().tolist() == [1, 2]


def _dense_sum(state: Any, x: Any) -> Any:
    return state + tf.sparse.to_dense(x)


def test_a_step_that_cannot_be_traced_is_called_once_for_each_element() -> None:
    dataset = tf.data.Dataset.range(4)
    called: list[int] = []

    def untraceable(state: Any, x: Any) -> Any:
        if not tf.executing_eagerly():
            raise tf.errors.UnimplementedError(None, None, "not in here")
        called.append(int(x))
        return state + x

    assert int(dataset.reduce(tf.constant(0, tf.int64), untraceable)) == 6
    assert called == [0, 1, 2, 3]
    text = dataset.explain()
    assert text.startswith("reduce untraceable")
    assert "called in Python with each element: it cannot be traced: not in here" in text

    def failing(state: Any, x: Any) -> Any:
        def fail(v: Any) -> Any:
            called.append(int(v))
            raise tf.errors.UnimplementedError(None, None, "by the user")

        return state + tf.py_function(fail, [x], tf.TensorSpec([], tf.int64))

    called.clear()
    with pytest.raises(tf.errors.UnimplementedError, match="by the user"):
        dataset.reduce(tf.constant(0, tf.int64), failing)
    assert called == [0], "an error of the function itself is no reason to call it again"
    with pytest.raises(TypeError, match="nested structure of the new state"):
        dataset.reduce(tf.constant(0, tf.int64), lambda s, x: (s, x))
    with pytest.raises(TypeError, match="must match the initial state"):
        dataset.reduce(0, lambda s, x: x)


def test_the_only_element_is_made_when_the_function_runs() -> None:
    v = tf.Variable(1, dtype=tf.int64)
    dataset = tf.data.Dataset.range(3).map(lambda x: x * v).batch(3)
    f = tf.function(dataset.get_single_element)
    assert f().numpy().tolist() == [0, 1, 2]
    v.assign(5)
    assert f().numpy().tolist() == [0, 5, 10]
    with pytest.raises(tf.errors.InvalidArgumentError, match="more than one element"):
        tf.function(tf.data.Dataset.range(2).get_single_element)()


def test_reductions_of_any_sizes() -> None:
    """What is found out about a step beforehand asks nothing of the function around it."""

    def decayed(x: Any, y: Any) -> Any:
        rows = tf.data.Dataset.from_tensor_slices((x, y)).repeat(2)
        zero = tf.zeros_like(x[0])
        return rows.reduce(zero, lambda a, row: a * 0.5 + row[0] * row[1] + x[0])

    free = tf.function(decayed, input_signature=[tf.TensorSpec([None, None])] * 2)
    for shape in ([2, 3], [5, 3], [1, 1], [4, 0]):
        x = tf.reshape(tf.range(float(np.prod(shape))), shape)
        np.testing.assert_array_equal(free(x, x + 1.0), decayed(x, x + 1.0))


def test_nothing_flows_back_through_a_dataset() -> None:
    """In eager code as in functions, whichever way its elements are made."""

    def total(x: Any, pipeline: Any) -> Any:
        found = tf.zeros([])
        for v in pipeline(tf.data.Dataset.from_tensor_slices(x)):
            found += tf.reduce_sum(v * v)
        return found

    x = tf.constant([1.5, 0.25, 2.0])
    ways: list[Any] = [lambda d: d, lambda d: d.batch(2), lambda d: d.map(lambda v: v + v)]
    ways += [lambda d: d.window(2).flat_map(lambda w: w), lambda d: d.shuffle(3, seed=1)]
    for way in ways:
        for call in (total, tf.function(total)):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = call(x, way)
            assert y > 0 and tape.gradient(y, x) is None
