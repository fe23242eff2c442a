"""What datasets refuse, with the class and the words of TensorFlow's errors."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import pytest

import tfc as tf

Dataset = tf.data.Dataset
Invalid = tf.errors.InvalidArgumentError
_THREE = Dataset.range(3)

REFUSED: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "range of nothing": (lambda: Dataset.range(), ValueError, "between 1 and 3 but was 0"),
    "a step of 0": (lambda: Dataset.range(0, 5, 0), Invalid, "step must be a non-zero integer"),
    "no slices": (lambda: Dataset.from_tensor_slices(()), ValueError, "should not be empty"),
    "slices of a scalar": (
        lambda: Dataset.from_tensor_slices(1),
        ValueError,
        "only supported for rank >= 1",
    ),
    "numbers of rows": (
        lambda: Dataset.from_tensor_slices(([1, 2], [3])),
        ValueError,
        "Dimensions 1 and 2 are not compatible",
    ),
    "zip of nothing": (lambda: Dataset.zip(), TypeError, "Must pass at least one dataset"),
    "zip of a number": (lambda: Dataset.zip((_THREE, 1)), TypeError, "Invalid input to `zip`"),
    "other elements": (
        lambda: _THREE.concatenate(Dataset.from_tensors(1.0)),
        TypeError,
        "Incompatible dataset elements",
    ),
    "batches of 0": (lambda: _THREE.batch(0), Invalid, "Batch size must be greater than zero"),
    "batches of text": (lambda: _THREE.batch("a"), TypeError, "Cannot convert 'a' to EagerTensor"),
    "windows of 0": (lambda: _THREE.window(0), Invalid, "Window size must be greater than zero"),
    "a shift of 0": (lambda: _THREE.window(1, 0), Invalid, "Window shift must be greater than"),
    "the fourth shard": (
        lambda: _THREE.shard(3, 3),
        Invalid,
        r"Index must be between 0 and 2 \(currently index = 3\)",
    ),
    "no shards": (
        lambda: _THREE.shard(0, 0),
        Invalid,
        r"Number of shards must be greater than zero \(currently num_shards = 0\)",
    ),
    "a negative buffer": (lambda: _THREE.prefetch(-2), Invalid, "buffer_size must be >= 0 or set"),
    "no calls": (
        lambda: _THREE.map(lambda x: x, 0),
        Invalid,
        "num_parallel_calls must be greater than zero",
    ),
    "a number for a predicate": (
        lambda: _THREE.filter(lambda x: x),
        ValueError,
        "must return a `tf.bool` scalar tensor, but its return type is",
    ),
    "a number for a dataset": (
        lambda: _THREE.flat_map(lambda x: x),
        TypeError,
        "`map_func` argument must return a `Dataset` object",
    ),
    "a state without output": (
        lambda: _THREE.scan(0, lambda s, x: s),
        TypeError,
        "should return a pair consisting of new state and the output value",
    ),
    "one weight": (
        lambda: Dataset.sample_from_datasets([_THREE, _THREE], [1.0]),
        ValueError,
        "should have the same length as `datasets`",
    ),
    "nothing to choose from": (
        lambda: Dataset.choose_from_datasets([], _THREE),
        ValueError,
        "`datasets` should not be empty",
    ),
    "choices of another dtype": (
        lambda: Dataset.choose_from_datasets([_THREE], Dataset.from_tensors(0)),
        TypeError,
        "must be scalar `tf.int64` tensors but are",
    ),
    "no transformation": (
        lambda: _THREE.apply(lambda d: 1),
        TypeError,
        "must return a `tf.data.Dataset` object. Got <class 'int'>",
    ),
    "no generator": (lambda: Dataset.from_generator(1, tf.int32), TypeError, "a Python callable"),
    "no signature": (
        lambda: Dataset.from_generator(lambda: []),
        TypeError,
        "either the `output_signature` argument or the `output_types`",
    ),
    "two signatures": (
        lambda: Dataset.from_generator(
            lambda: [], tf.int32, output_signature=tf.TensorSpec([], tf.int32)
        ),
        TypeError,
        "`output_types` argument can not be used together with",
    ),
    "a number for a signature": (
        lambda: Dataset.from_generator(lambda: [], output_signature=1),
        TypeError,
        "subclass of `tf.TypeSpec` but found <class 'int'>",
    ),
    "one element more": (
        lambda: list(_THREE.apply(tf.data.experimental.assert_cardinality(1))),
        tf.errors.FailedPreconditionError,
        "expected to contain 1 element but contained at least 2 elements",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(name: str) -> None:
    call, kind, text = REFUSED[name]
    with pytest.raises(kind, match=text):
        call()


def test_ordered_dicts_stay_what_they_are() -> None:
    dataset = Dataset.from_tensor_slices(OrderedDict([("b", [1, 2]), ("a", [3, 4])]))
    for each in (dataset, dataset.batch(2), dataset.map(lambda x: x)):
        assert type(each.element_spec) is OrderedDict and list(each.element_spec) == ["b", "a"]
        assert type(next(iter(each))) is OrderedDict
    # Any mapping with the same keys goes with them.
    both = dataset.concatenate(Dataset.from_tensors({"a": 5, "b": 6}))
    assert [int(x["a"]) for x in both] == [3, 4, 5]


def test_sparse_elements_as_arrays() -> None:
    (array,) = Dataset.from_tensors(tf.sparse.eye(2)).as_numpy_iterator()
    assert array.tolist() == [[1, 0], [0, 1]]
