"""Datasets of datasets, groups, batches, choices: specs, errors, what random tests do not reach.
What is expected is what TensorFlow 2.21 gives."""

from __future__ import annotations

import threading
import time
from collections import Counter
from typing import Any

import numpy as np
import pytest

import tfc as tf

Dataset = tf.data.Dataset
experimental = tf.data.experimental


def ints(dataset: Any) -> list[int]:
    return [int(x) for x in dataset]


def test_specs_are_learnt_without_running() -> None:
    def forbidden() -> Any:
        raise AssertionError("the pipeline runs")
        yield

    numbers = Dataset.from_generator(forbidden, output_signature=tf.TensorSpec([], tf.int64))
    scalar = tf.TensorSpec([], tf.int64)
    vector = tf.TensorSpec([None], tf.int64)
    assert numbers.flat_map(lambda x: Dataset.range(x)).element_spec == scalar
    assert numbers.interleave(lambda x: Dataset.range(x).batch(2)).element_spec == vector
    window = numbers.window(3)
    assert window.element_spec == tf.data.DatasetSpec(scalar)
    assert window.flat_map(lambda w: w.batch(3, drop_remainder=True)).element_spec == (
        tf.TensorSpec([3], tf.int64)
    )
    total = window.map(lambda w: w.reduce(tf.constant(0, tf.int64), lambda s, x: s + x))
    assert total.element_spec == scalar
    assert window.map(lambda w: w.batch(9).get_single_element()).element_spec == vector
    closed = numbers.flat_map(lambda x: Dataset.range(3).map(lambda y: (x, y)).batch(2))
    assert closed.element_spec == (vector, vector)
    grouped = numbers.group_by_window(
        lambda x: x % 2, lambda key, w: Dataset.zip(w, w.map(lambda x: x + key)), 3
    )
    assert grouped.element_spec == (scalar, scalar)
    sliced = numbers.map(lambda x: tf.fill([x], x)).flat_map(Dataset.from_tensor_slices)
    assert sliced.element_spec == scalar
    batch = numbers.map(lambda x: (tf.fill([x, 2], x), x)).ragged_batch(2)
    assert batch.element_spec == (
        tf.RaggedTensorSpec([None, None, 2], tf.int64, 1),
        vector,
    )
    assert repr(window) == (
        "<_WindowDataset element_spec=DatasetSpec(TensorSpec(shape=(), dtype=tf.int64, name=None), "
        "TensorShape([]))>"
    )


def test_windows_keep_the_structure() -> None:
    windows = Dataset.from_tensor_slices({"a": [1, 2, 3], "b": ["x", "y", "z"]}).window(2)
    first = next(iter(windows))
    assert ints(first["a"]) == [1, 2]
    assert [x.numpy() for x in first["b"]] == [b"x", b"y"]
    pairs = windows.flat_map(lambda w: Dataset.zip(w["a"].batch(2), w["b"].batch(2)))
    assert [a.numpy().tolist() for a, _ in pairs] == [[1, 2], [3]]
    assert windows.skip(1)._plan.indexed


def test_inner_shuffles_are_restored() -> None:
    dataset = Dataset.range(4).flat_map(lambda x: Dataset.range(x * 10, x * 10 + 10).shuffle(10))
    first = iter(dataset)
    found = [int(next(first)) for _ in range(15)]
    again = iter(dataset)
    assert [int(next(again)) for _ in range(15)] != found, "each iteration draws anew"
    again._restore_from_tensors(first._serialize_to_tensors())
    rest = ints(first)
    assert ints(again) == rest
    assert sorted(found + rest) == list(range(40))


def test_functions_must_return_datasets() -> None:
    with pytest.raises(TypeError, match=r"must return a Dataset.*test_transformations"):
        Dataset.range(3).flat_map(lambda x: x)
    with pytest.raises(TypeError, match="must return a Dataset"):
        Dataset.range(3).interleave(lambda x: (Dataset.range(3), Dataset.range(3)))
    odd = Dataset.range(3).flat_map(
        lambda x: Dataset.from_tensors("a") if tf.executing_eagerly() else Dataset.range(3)
    )
    with pytest.raises(TypeError, match="was expected"):
        list(odd)
    with pytest.raises(tf.errors.InvalidArgumentError, match="cycle_length"):
        Dataset.range(3).interleave(Dataset.range, 0)
    with pytest.raises(tf.errors.InvalidArgumentError, match="num_parallel_calls"):
        Dataset.range(3).map(lambda x: x, num_parallel_calls=-3)
    with pytest.raises(ValueError, match=r"tf\.int64"):
        Dataset.range(3).group_by_window(lambda x: tf.cast(x, tf.int32), lambda k, w: w, 2)
    with pytest.raises(ValueError, match="must be specified"):
        Dataset.range(3).group_by_window(lambda x: x, lambda k, w: w)


def test_an_error_leaves_the_others() -> None:
    """An element that fails is left out by ignore_errors, wherever it is."""
    bad = Dataset.range(5).map(lambda x: x + 6 // (x - 2))
    wanted = [-3, -5, 9, 7]
    for calls in (None, 2):
        inner = bad.batch(1).interleave(Dataset.from_tensor_slices, 2, 1, calls)
        assert ints(inner.ignore_errors()) == wanted, calls

    def call(x: Any) -> Any:
        if x == 2:
            raise ValueError("not two")
        return x

    for calls in (None, 1, 4):
        python = Dataset.range(5).map(
            lambda x: tf.ensure_shape(tf.numpy_function(call, [x], tf.int64), []), calls
        )
        assert ints(python.ignore_errors()) == [0, 1, 3, 4]
        elements = iter(python)
        assert [int(next(elements)) for _ in range(2)] == [0, 1]
        with pytest.raises(Exception, match="not two"):
            next(elements)
        assert ints(elements) == [3, 4]


def test_python_is_called_by_threads() -> None:
    together = threading.Barrier(3)

    def call(x: Any) -> Any:
        together.wait(20)  # three calls are under way at a time, or this fails
        return x

    dataset = Dataset.range(9).map(lambda x: tf.numpy_function(call, [x], tf.int64), 3)
    assert ints(dataset) == list(range(9))
    assert dataset.element_spec == tf.TensorSpec(None, tf.int64)
    assert "3 threads" in dataset.explain()


def test_no_more_is_read_than_threads_need() -> None:
    given: list[int] = []

    def numbers() -> Any:
        for i in range(100):
            given.append(i)
            yield i

    source = Dataset.from_generator(numbers, output_signature=tf.TensorSpec([], tf.int32))
    dataset = source.map(lambda x: tf.numpy_function(lambda v: v, [x], tf.int32), 4)
    elements = iter(dataset)
    next(elements)
    time.sleep(0.05)
    assert len(given) <= 5
    options = tf.data.Options()
    options.threading.private_threadpool_size = 1
    given.clear()
    elements = iter(dataset.with_options(options))
    next(elements)
    assert len(given) == 1


def test_padded_batches() -> None:
    dataset = Dataset.range(3).map(lambda x: (tf.fill([x], x), x, tf.fill([x], "a")))
    batch = dataset.padded_batch(2, ([4], [], [None]), (tf.constant(7, tf.int64), None, "-"))
    assert batch.element_spec[0] == tf.TensorSpec([None, 4], tf.int64)
    first, second = batch
    assert first[0].numpy().tolist() == [[7] * 4, [1, 7, 7, 7]]
    assert first[2].numpy().tolist() == [[b"-"], [b"a"]]
    assert second[1].numpy().tolist() == [2]
    with pytest.raises(tf.errors.DataLossError, match="pad to a smaller size"):
        list(dataset.padded_batch(3, ([1], [], [None])))
    with pytest.raises(ValueError, match="not compatible"):
        dataset.padded_batch(3, ([1, 1], [], [None]))
    with pytest.raises(TypeError, match="`padding_values` values type"):
        dataset.padded_batch(3, padding_values=(tf.constant(1.0), None, None))
    with pytest.raises(TypeError, match="only supported for datasets that produce tensor"):
        Dataset.from_tensors(tf.ragged.constant([[1]])).padded_batch(1)
    pairs = Dataset.from_tensors((1, None)).padded_batch(1)
    assert next(iter(pairs))[1] is None


def test_ragged_and_sparse_elements() -> None:
    ragged = Dataset.from_tensor_slices(tf.ragged.constant([[1], [2, 3], []]))
    assert ragged.element_spec == tf.RaggedTensorSpec([None], tf.int32, 0)
    assert [b.to_list() for b in ragged.batch(2)] == [[[1], [2, 3]], [[]]]
    doubled = ragged.batch(3).map(lambda x: x * 2)
    assert doubled.element_spec == tf.RaggedTensorSpec([None, None], tf.int32, 1)
    assert next(iter(doubled.unbatch().skip(1))).numpy().tolist() == [4, 6]
    sparse = Dataset.from_tensor_slices(tf.sparse.from_dense([[1, 0], [0, 0], [2, 3]]))
    assert sparse.element_spec == tf.SparseTensorSpec([2], tf.int32)
    dense = sparse.batch(2).map(tf.sparse.to_dense)
    assert [b.numpy().tolist() for b in dense] == [[[1, 0], [0, 0]], [[2, 3]]]
    both = Dataset.zip(ragged, sparse, Dataset.range(3).map(lambda x: x + 1))
    assert [int(x) for _, _, x in both] == [1, 2, 3]
    with pytest.raises(tf.errors.DataLossError, match="larger than the row shape"):
        list(Dataset.from_tensors([1, 2, 3]).sparse_batch(1, [2]))


def test_unbatch_and_rebatch() -> None:
    with pytest.raises(ValueError, match="scalar"):
        Dataset.range(3).unbatch()
    with pytest.raises(ValueError, match="matching leading dimension"):
        Dataset.from_tensors(([1, 2], [3])).unbatch()
    uneven = Dataset.range(1).map(lambda x: (tf.fill([x + 2], x), tf.fill([x + 1], x))).unbatch()
    with pytest.raises(tf.errors.InvalidArgumentError, match="same batch size"):
        list(uneven)
    found = list(Dataset.range(5).batch(3).rebatch([2, 0, 1]))
    assert [x.numpy().tolist() for x in found] == [[0, 1], [], [2], [3, 4], []]
    assert Dataset.range(7).batch(3, True).rebatch(2, True).element_spec.shape == [2]


def test_states_of_scans_may_grow() -> None:
    dataset = Dataset.range(3).scan(
        tf.zeros([0], tf.int64), lambda seen, x: (tf.concat([seen, [x]], 0), tf.size(seen))
    )
    assert ints(dataset) == [0, 1, 2]
    with pytest.raises(TypeError, match="pair"):
        Dataset.range(3).scan(0, lambda s, x: s)
    with pytest.raises(TypeError):
        Dataset.range(3).scan(0, lambda s, x: (x, x))


def test_samples_have_their_weights() -> None:
    one, two = (Dataset.from_tensors(n).repeat() for n in (0, 1))
    mixed = Dataset.sample_from_datasets([one, two], [0.8, 0.2], seed=3)
    found = ints(mixed.take(1000))
    assert 130 < sum(found) < 270
    assert found == ints(mixed.take(1000))
    again = Dataset.sample_from_datasets([one, two], seed=3, rerandomize_each_iteration=True)
    assert ints(again.take(50)) != ints(again.take(50))
    weights = Dataset.from_tensor_slices([[1.0, 0.0], [0.0, 1.0]]).repeat(2)
    assert ints(Dataset.sample_from_datasets([one, two], weights)) == [0, 1, 0, 1]
    short = [Dataset.range(n) for n in (2, 5)]
    assert len(ints(Dataset.sample_from_datasets(short))) == 7
    stopped = Dataset.sample_from_datasets(short, seed=1, stop_on_empty_dataset=True)
    assert len(ints(stopped)) < 7
    with pytest.raises(ValueError, match="should have the same length as"):
        Dataset.sample_from_datasets(short, [1.0])
    choices = Dataset.from_tensor_slices(tf.constant([0, 2], tf.int64))
    with pytest.raises(tf.errors.InvalidArgumentError, match="out of range"):
        list(Dataset.choose_from_datasets(short, choices))


def test_resampled_classes_come_as_wanted() -> None:
    numbers = Dataset.range(3000).map(lambda x: tf.cast(x % 4 == 0, tf.int32))
    for initial in (None, [0.75, 0.25]):
        even = numbers.rejection_resample(lambda x: x, [0.5, 0.5], initial, seed=2)
        found = [int(c) for c, _ in even]
        assert 0.45 < sum(found) / len(found) < 0.55


def test_random_numbers_have_places() -> None:
    numbers = Dataset.random(seed=5)
    first = ints(numbers.take(20))
    assert ints(numbers.skip(10).take(10)) == first[10:]
    assert len(set(first)) == 20 and all(0 <= x < 2**32 for x in first)
    again = Dataset.random(seed=5, rerandomize_each_iteration=True).take(20)
    assert ints(again) != ints(again)


def test_cardinalities() -> None:
    numbers = Dataset.range(7)
    expected = {
        3: numbers.window(3),
        2: numbers.window(3, drop_remainder=True),
        4: numbers.window(3, 2, 2),
        7: numbers.batch(7, drop_remainder=True).unbatch(),
        tf.data.INFINITE_CARDINALITY: Dataset.counter(),
        tf.data.UNKNOWN_CARDINALITY: numbers.flat_map(Dataset.range),
    }
    for count, dataset in expected.items():
        assert int(experimental.cardinality(dataset)) == count
    short = numbers.filter(lambda x: x < 5).apply(experimental.assert_cardinality(6))
    assert len(short) == 6
    with pytest.raises(tf.errors.FailedPreconditionError, match="contained only 5 element"):
        list(short)
    long = numbers.filter(lambda x: x < 9).apply(experimental.assert_cardinality(3))
    with pytest.raises(tf.errors.FailedPreconditionError, match="at least 4 element"):
        list(long)
    assert ints(long.ignore_errors()) == [0, 1, 2]


def test_options() -> None:
    options = tf.data.Options()
    options.deterministic = False
    options.threading.max_intra_op_parallelism = 2
    dataset = Dataset.range(3).with_options(options).map(lambda x: x)
    more = tf.data.Options()
    more.experimental_threading.private_threadpool_size = 3
    more.deterministic = True
    both = dataset.with_options(more).batch(2).options()
    assert both.experimental_deterministic is True
    assert both.threading.max_intra_op_parallelism == 2
    assert both.threading.private_threadpool_size == 3
    assert options.threading.private_threadpool_size is None, "they are not changed"
    with pytest.raises(AttributeError, match="Cannot set the property"):
        options.no_such_option = 1
    with pytest.raises(TypeError, match="deterministic"):
        options.deterministic = "yes"
    with pytest.raises(TypeError, match="expected Options"):
        dataset.with_options(3)
    assert ints(Dataset.range(3).with_options(options)) == [0, 1, 2]


def test_optionals() -> None:
    elements = iter(Dataset.range(1))
    some, none = elements.get_next_as_optional(), elements.get_next_as_optional()
    assert bool(some.has_value()) and int(some.get_value()) == 0
    assert not none.has_value()
    with pytest.raises(tf.errors.InvalidArgumentError, match="does not have a value"):
        none.get_value()
    assert repr(some._type_spec) == (
        "OptionalSpec(TensorSpec(shape=(), dtype=tf.int64, name=None),)"
    )
    assert some._type_spec.is_compatible_with(none)


def test_former_names() -> None:
    assert int(experimental.at(Dataset.range(10).filter(lambda x: x > 3), 2)) == 6
    with pytest.raises(tf.errors.OutOfRangeError):
        experimental.at(Dataset.range(3), 3)
    mixed = experimental.from_list([{"a": [1]}, {"a": [2, 3]}])
    assert mixed.element_spec == {"a": tf.TensorSpec([None], tf.int32)}
    assert [x["a"].numpy().tolist() for x in mixed] == [[1], [2, 3]]
    with pytest.raises(ValueError, match="should not be empty"):
        experimental.from_list([])
    with pytest.raises(TypeError):
        experimental.from_list([1, "a"])
    with pytest.raises(TypeError, match="must be a `tf"):
        experimental.get_structure(3)
    with pytest.raises(ValueError, match="cannot become"):
        Dataset.from_tensor_slices({"a": [1, 2]}).apply(experimental.pad_to_cardinality(1))


def test_seeds_follow_from_the_global_one() -> None:
    found = []
    for _ in range(2):
        tf.random.set_seed(7)
        sampled = Dataset.sample_from_datasets([Dataset.range(9), Dataset.range(9)])
        inner = Dataset.range(2).flat_map(lambda x: Dataset.range(9).shuffle(9))
        found.append((ints(sampled), ints(inner), ints(Dataset.random().take(3))))
    assert found[0] == found[1]
    assert not np.array_equal(found[0][1][:9], found[0][1][9:]), "iterations differ"


def test_functions_take_datasets_by_their_specs() -> None:
    scalar = tf.TensorSpec([], tf.int64)

    @tf.function(input_signature=[tf.data.DatasetSpec(scalar), scalar])
    def total(dataset: Any, start: Any) -> Any:
        return dataset.reduce(start, lambda s, x: s + x)

    assert int(total(Dataset.range(5), 7)) == 17
    with pytest.raises(TypeError, match=r"Can not cast .* to DatasetSpec"):
        total(Dataset.from_tensors("a"), 7)

    @tf.function(input_signature=[tf.data.IteratorSpec(scalar)])
    def rest(elements: Any) -> Any:
        found = tf.constant(0, tf.int64)
        for x in elements:
            found += x
        return found

    elements = iter(Dataset.range(5))
    next(elements), next(elements)
    assert int(rest(elements)) == 9

    @tf.function(input_signature=[tf.OptionalSpec(scalar)])
    def value(optional: Any) -> Any:
        return optional.get_value() + 1 if optional.has_value() else 0

    some = tf.experimental.Optional.from_value(tf.constant(4, tf.int64))
    assert int(value(some)) == 5


def test_names_of_tensorflow_1() -> None:
    v1 = tf.compat.v1
    dataset = v1.data.Dataset.from_tensor_slices(([1, 2], ["a", "b"]))
    elements = dataset.make_one_shot_iterator()
    assert [int(elements.get_next()[0]), int(elements.get_next()[0])] == [1, 2]
    with pytest.raises(tf.errors.OutOfRangeError):
        elements.get_next()
    assert int(v1.data.make_one_shot_iterator(dataset).get_next()[0]) == 1
    assert v1.data.get_output_types(dataset) == (tf.int32, tf.string)
    assert v1.data.get_output_shapes(elements) == ((), ())
    assert v1.data.get_output_classes(dataset) == (tf.Tensor, tf.Tensor)
    with pytest.raises(RuntimeError, match="eager mode"):
        v1.data.make_initializable_iterator(dataset)


def test_lists_that_functions_return_are_tuples() -> None:
    both = Dataset.range(2).map(lambda x: [x, (tf.as_string(x), [x, x])])
    spec = both.element_spec
    assert spec[0].shape == [] and spec[1][0].dtype is tf.string and spec[1][1].shape == [2]
    assert ints(both.map(lambda x, y: x + y[1][0])) == [0, 2]


def test_functions_that_are_made_for_each_element_are_traced_once() -> None:
    traced: Counter[str] = Counter()

    def inner(x: Any) -> Any:
        def add(y: Any, z: Any = x) -> Any:
            traced["here"] += 1
            return y * 10 + z

        def odd(y: Any) -> Any:
            traced["here"] += 1
            return y % 2 == 1

        return Dataset.range(3).map(add).map(lambda y: (y, x)).filter(lambda y, _: odd(y))

    numbers = Dataset.range(1, 6)
    expected = [y * 10 + x for x in range(1, 6) for y in range(3) if (y * 10 + x) % 2]
    elements = iter(numbers.flat_map(inner))
    first = int(next(elements)[0])
    traced.clear()
    assert [first, *[int(y) for y, _ in elements]] == expected and not traced
    threaded = numbers.interleave(inner, 1, num_parallel_calls=2)
    assert [int(y) for y, _ in threaded] == expected

    def total(state: Any, y: Any) -> Any:
        traced["here"] += 1
        return state + y

    sums = Dataset.range(12).window(3).map(lambda w: w.reduce(tf.constant(1, tf.int64), total))
    assert ints(sums) == [4, 13, 22, 31]
    traced.clear()
    assert ints(sums) == [4, 13, 22, 31] and not traced

    def nested(x: Any) -> Any:
        return Dataset.range(2).flat_map(
            lambda y: Dataset.range(2).map(lambda z: [x["a"] * 100 + y * 10 + z, x["b"][0]])
        )

    rows = Dataset.from_tensor_slices(
        {"a": tf.constant([1, 2], tf.int64), "b": tf.ragged.constant([[7], [8, 9]], tf.int64)}
    )
    assert [list(map(int, e)) for e in rows.flat_map(nested)] == [
        [a * 100 + y * 10 + z, b] for a, b in ((1, 7), (2, 8)) for y in range(2) for z in range(2)
    ]


def test_what_functions_hold_is_told_apart() -> None:
    def inner(x: Any) -> Any:
        sign = 0.0 if x % 2 == 0 else -0.0
        several = [True, 1, 1.0][int(x) % 3]
        table = list(range(int(x), int(x) + 300))

        def both(y: Any) -> Any:
            zero = tf.math.atan2(tf.constant(0.0), tf.constant(sign))
            return y + table[0], tf.cast(zero > 1, tf.int32), type(several) is int

        return Dataset.range(1).map(both)

    numbers = Dataset.from_tensor_slices(tf.range(6, dtype=tf.int64))
    found = [(int(a), int(b), bool(c)) for a, b, c in numbers.flat_map(inner)]
    assert found == [(x, x % 2, x % 3 == 1) for x in range(6)]


def test_functions_that_need_to_know_their_tensors_are_traced_for_each() -> None:
    def inner(x: Any) -> Any:
        def repeated(y: Any) -> Any:
            if not tf.executing_eagerly() and isinstance(x, tf.Tensor) and not hasattr(x, "numpy"):
                raise ValueError("x is not known")
            return sum([y] * int(x), tf.constant(0, tf.int64))

        return Dataset.range(3).map(repeated)

    assert ints(Dataset.range(1, 4).flat_map(inner)) == [0, 1, 2, 0, 2, 4, 0, 3, 6]

    def sized(x: Any) -> Any:  # the shape follows from what it holds
        return Dataset.range(2).map(lambda y: tf.fill([x], y))

    found = Dataset.range(1, 4).flat_map(sized)
    assert [e.numpy().tolist() for e in found] == [[y] * x for x in (1, 2, 3) for y in (0, 1)]

    scale = tf.Variable(1, dtype=tf.int64)
    scaled = Dataset.range(1, 3).flat_map(lambda x: Dataset.range(2).map(lambda y: y * scale + x))
    assert ints(scaled) == [1, 2, 2, 3]
    scale.assign(10)
    assert ints(scaled) == [1, 11, 2, 12], "Variables are read as they are"


def test_elements_that_are_nested_too_deep() -> None:
    nested: Any = {"x": 1}
    for _ in range(3000):
        nested = {"x": nested}
    with pytest.raises(ValueError, match="nested too deep"):
        Dataset.from_tensors(nested)


def test_labels_from_paths() -> None:
    """As TensorFlow's tutorials find them: the place of the name of a folder."""
    names = tf.constant(["cats", "dogs"])

    def label(path: Any) -> Any:
        return tf.argmax(tf.strings.split(path, "/")[-2] == names)

    paths = Dataset.from_tensor_slices(["a/dogs/1.jpg", "a/cats/2.jpg"])
    assert [int(x) for x in paths.map(label)] == [1, 0]
    flags = tf.constant([[False, True], [True, True]])
    assert tf.argmin(flags, 1).numpy().tolist() == [0, 0]
