"""Functions for `Dataset.apply`, which `tfc.data.experimental` offers: former names of methods of
`Dataset`, most of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfc.ir.dtypes import int64

from ..core import blame
from ..core.conversion import convert_to_tensor
from ..core.types import DTypeLike
from ..ops.array.creation import zeros
from .dataset import AUTOTUNE, Dataset
from .plans.checking import Asserted
from .plans.grouping import GroupByReducer, Reducer

Transformation = Callable[[Dataset], Dataset]


def assert_cardinality(expected_cardinality: Any) -> Transformation:
    """Says how many elements a dataset has, where that cannot be known. It is checked.

    Args:
        expected_cardinality: How many; or INFINITE_CARDINALITY.

    Returns:
        A function for `Dataset.apply`. Where there are more or fewer elements, a
        FailedPreconditionError says so when they have been gone through.

    >>> import tfc as tf
    >>> odd = tf.data.Dataset.range(42).filter(lambda x: x % 2 == 1)
    >>> len(odd.apply(tf.data.experimental.assert_cardinality(21)))
    21
    """
    count = int(expected_cardinality)
    return lambda dataset: Dataset._of(Asserted(dataset._plan, count))


def enumerate_dataset(start: Any = 0) -> Transformation:
    """`Dataset.enumerate`, for `Dataset.apply`.

    Args:
        start: The first number.

    Returns:
        A function of a Dataset.

    >>> import tfc as tf
    >>> dataset = tf.data.Dataset.range(7, 9).apply(tf.data.experimental.enumerate_dataset())
    >>> print(*dataset.as_numpy_iterator())
    (np.int64(0), np.int64(7)) (np.int64(1), np.int64(8))
    """
    return lambda dataset: dataset.enumerate(start)


def unbatch() -> Transformation:
    """`Dataset.unbatch`, for `Dataset.apply`.

    Returns:
        A function of a Dataset.

    >>> import tfc as tf
    >>> dataset = tf.data.Dataset.range(4).batch(2).apply(tf.data.experimental.unbatch())
    >>> print(*dataset.as_numpy_iterator())
    0 1 2 3
    """
    return lambda dataset: dataset.unbatch()


def unique() -> Transformation:
    """`Dataset.unique`, for `Dataset.apply`.

    Returns:
        A function of a Dataset.

    >>> import tfc as tf
    >>> dataset = tf.data.Dataset.range(2).repeat(2).apply(tf.data.experimental.unique())
    >>> print(*dataset.as_numpy_iterator())
    0 1
    """
    return lambda dataset: dataset.unique()


def ignore_errors(log_warning: bool = False) -> Transformation:
    """`Dataset.ignore_errors`, for `Dataset.apply`.

    Args:
        log_warning: Whether to log what failed.

    Returns:
        A function of a Dataset.

    >>> import tfc as tf
    >>> numbers = tf.data.Dataset.from_tensor_slices([2, 0, 1]).map(lambda x: 2 // x)
    >>> print(*numbers.apply(tf.data.experimental.ignore_errors()).as_numpy_iterator())
    1 2
    """
    return lambda dataset: dataset.ignore_errors(log_warning)


def scan(initial_state: Any, scan_func: Callable[..., Any]) -> Transformation:
    """`Dataset.scan`, for `Dataset.apply`.

    Args:
        initial_state: The first state.
        scan_func: A function of the state and an element.

    Returns:
        A function of a Dataset.

    >>> import tfc as tf
    >>> sums = tf.data.experimental.scan(tf.constant(0, tf.int64), lambda s, x: (s + x, s + x))
    >>> print(*tf.data.Dataset.range(4).apply(sums).as_numpy_iterator())
    0 1 3 6
    """
    return lambda dataset: dataset.scan(initial_state, scan_func)


def take_while(predicate: Callable[..., Any]) -> Transformation:
    """`Dataset.take_while`, for `Dataset.apply`.

    Args:
        predicate: A function of an element.

    Returns:
        A function of a Dataset.

    >>> import tfc as tf
    >>> dataset = tf.data.Dataset.range(9).apply(tf.data.experimental.take_while(lambda x: x < 2))
    >>> print(*dataset.as_numpy_iterator())
    0 1
    """
    return lambda dataset: dataset.take_while(predicate)


def shuffle_and_repeat(buffer_size: Any, count: Any = None, seed: Any = None) -> Transformation:
    """`Dataset.shuffle` and then `Dataset.repeat`, for `Dataset.apply`.

    Args:
        buffer_size: How many elements the buffer holds.
        count: How often in all; None or -1: for ever.
        seed: An integer.

    Returns:
        A function of a Dataset.

    >>> import tfc as tf
    >>> twice = tf.data.experimental.shuffle_and_repeat(3, 2, seed=1)
    >>> shuffled = tf.data.Dataset.range(3).apply(twice)
    >>> sorted(int(x) for x in shuffled)
    [0, 0, 1, 1, 2, 2]
    """
    return lambda dataset: dataset.shuffle(buffer_size, seed).repeat(count)


def map_and_batch(
    map_func: Callable[..., Any],
    batch_size: Any,
    num_parallel_batches: Any = None,
    drop_remainder: bool = False,
    num_parallel_calls: Any = None,
) -> Transformation:
    """`Dataset.map` and then `Dataset.batch`, for `Dataset.apply`: they are one program anyway.

    Args:
        map_func: The function of an element.
        batch_size: How many elements a batch has.
        num_parallel_batches: Not used.
        drop_remainder: Whether to leave out a smaller batch at the end.
        num_parallel_calls: As that of `map`.

    Returns:
        A function of a Dataset.

    >>> import tfc as tf
    >>> squares = tf.data.experimental.map_and_batch(lambda x: x * x, 2)
    >>> print(*tf.data.Dataset.range(4).apply(squares).as_numpy_iterator())
    [0 1] [4 9]
    """
    return lambda dataset: dataset.map(map_func, num_parallel_calls).batch(
        batch_size, drop_remainder
    )


def parallel_interleave(
    map_func: Callable[..., Any],
    cycle_length: Any,
    block_length: Any = 1,
    sloppy: bool | None = False,
    buffer_output_elements: Any = None,
    prefetch_input_elements: Any = None,
) -> Transformation:
    """`Dataset.interleave` with threads, for `Dataset.apply`.

    Args:
        map_func: A function of an element that gives a Dataset.
        cycle_length: How many datasets are open at a time, by as many threads.
        block_length: How many elements of each come in its turn.
        sloppy: Not used: the order is always the same.
        buffer_output_elements: Not used.
        prefetch_input_elements: Not used.

    Returns:
        A function of a Dataset.

    >>> import tfc as tf
    >>> twice = tf.data.experimental.parallel_interleave(
    ...     lambda x: tf.data.Dataset.from_tensors(x).repeat(2), cycle_length=2
    ... )
    >>> print(*tf.data.Dataset.range(2).apply(twice).as_numpy_iterator())
    0 1 0 1
    """
    return lambda dataset: dataset.interleave(map_func, cycle_length, block_length, cycle_length)


def group_by_window(
    key_func: Callable[..., Any],
    reduce_func: Callable[..., Any],
    window_size: Any = None,
    window_size_func: Callable[..., Any] | None = None,
) -> Transformation:
    """`Dataset.group_by_window`, for `Dataset.apply`.

    Args:
        key_func: A function of an element that gives an int64 scalar.
        reduce_func: A function of a key and the dataset of a group.
        window_size: How many elements a group has.
        window_size_func: In the place of this, a function of the key.

    Returns:
        A function of a Dataset.

    >>> import tfc as tf
    >>> pairs = tf.data.experimental.group_by_window(
    ...     lambda x: x % 2, lambda key, group: group.batch(2), 2
    ... )
    >>> print(*tf.data.Dataset.range(4).apply(pairs).as_numpy_iterator())
    [0 2] [1 3]
    """
    return lambda dataset: dataset.group_by_window(
        key_func, reduce_func, window_size, window_size_func
    )


def group_by_reducer(key_func: Callable[..., Any], reducer: Reducer) -> Transformation:
    """One element for each key: what a reducer makes of the elements that have it, in the order of
    the keys; for `Dataset.apply`.

    Args:
        key_func: A function of an element that gives an int64 scalar.
        reducer: A Reducer.

    Returns:
        A function of a Dataset.

    >>> import tfc as tf
    >>> count = tf.data.experimental.Reducer(lambda key: 0, lambda n, x: n + 1, lambda n: n)
    >>> by_length = tf.data.experimental.group_by_reducer(lambda x: x // 4, count)
    >>> print(*tf.data.Dataset.range(10).apply(by_length).as_numpy_iterator())
    4 4 2
    """
    return lambda dataset: Dataset._of(GroupByReducer(dataset._plan, key_func, reducer))


def bucket_by_sequence_length(
    element_length_func: Callable[..., Any],
    bucket_boundaries: Sequence[int],
    bucket_batch_sizes: Sequence[int],
    padded_shapes: Any = None,
    padding_values: Any = None,
    pad_to_bucket_boundary: bool = False,
    no_padding: bool = False,
    drop_remainder: bool = False,
) -> Transformation:
    """`Dataset.bucket_by_sequence_length`, for `Dataset.apply`.

    Args:
        element_length_func: A function of an element that gives its length.
        bucket_boundaries: The lengths at which the next bucket begins.
        bucket_batch_sizes: How many elements a batch of each bucket has.
        padded_shapes: As those of `padded_batch`.
        padding_values: The same.
        pad_to_bucket_boundary: Whether to pad to the longest length of the bucket.
        no_padding: Whether to batch without padding.
        drop_remainder: Whether to leave out smaller batches at the end.

    Returns:
        A function of a Dataset.

    >>> import tfc as tf
    >>> words = tf.data.Dataset.from_tensor_slices(["a", "bcd", "e"])
    >>> by_length = tf.data.experimental.bucket_by_sequence_length(tf.strings.length, [2], [2, 2])
    >>> print(*words.apply(by_length).as_numpy_iterator())
    [b'a' b'e'] [b'bcd']
    """
    return lambda dataset: dataset.bucket_by_sequence_length(
        element_length_func,
        bucket_boundaries,
        bucket_batch_sizes,
        padded_shapes,
        padding_values,
        pad_to_bucket_boundary,
        no_padding,
        drop_remainder,
    )


def dense_to_ragged_batch(
    batch_size: Any, drop_remainder: bool = False, row_splits_dtype: DTypeLike = int64
) -> Transformation:
    """`Dataset.ragged_batch`, for `Dataset.apply`.

    Args:
        batch_size: How many elements a batch has.
        drop_remainder: Whether to leave out a smaller batch at the end.
        row_splits_dtype: The dtype of the splits.

    Returns:
        A function of a Dataset.

    >>> import tfc as tf
    >>> dataset = tf.data.Dataset.range(3).map(lambda x: tf.fill([x], x))
    >>> print(*dataset.apply(tf.data.experimental.dense_to_ragged_batch(3)))
    <tf.RaggedTensor [[], [1], [2, 2]]>
    """
    return lambda dataset: dataset.ragged_batch(batch_size, drop_remainder, row_splits_dtype)


def dense_to_sparse_batch(batch_size: Any, row_shape: Any) -> Transformation:
    """`Dataset.sparse_batch`, for `Dataset.apply`.

    Args:
        batch_size: How many elements a batch has.
        row_shape: The shape of a row of the result.

    Returns:
        A function of a Dataset.

    >>> import tfc as tf
    >>> dataset = tf.data.Dataset.range(3).map(lambda x: tf.fill([x], x))
    >>> for batch in dataset.apply(tf.data.experimental.dense_to_sparse_batch(3, [2])):
    ...     print(batch.values.numpy())
    [1 2 2]
    """
    return lambda dataset: dataset.sparse_batch(batch_size, row_shape)


def rejection_resample(
    class_func: Callable[..., Any], target_dist: Any, initial_dist: Any = None, seed: Any = None
) -> Transformation:
    """`Dataset.rejection_resample`, for `Dataset.apply`.

    Args:
        class_func: A function of an element that gives its class.
        target_dist: How often each class is wanted.
        initial_dist: How often each class comes.
        seed: An integer.

    Returns:
        A function of a Dataset.

    >>> import tfc as tf
    >>> even = tf.data.experimental.rejection_resample(lambda x: x, [0.5, 0.5], [0.5, 0.5])
    >>> len(list(tf.data.Dataset.from_tensor_slices([0, 1]).apply(even)))
    2
    """
    return lambda dataset: dataset.rejection_resample(class_func, target_dist, initial_dist, seed)


def prefetch_to_device(device: Any, buffer_size: Any = None) -> Transformation:
    """`Dataset.prefetch`, for `Dataset.apply`.

    Unlike TensorFlow, elements stay in the memory of the host: they are moved where they are used.

    Args:
        device: Not used.
        buffer_size: How many elements; None: tf.data.AUTOTUNE.

    Returns:
        A function of a Dataset.

    >>> import tfc as tf
    >>> dataset = tf.data.Dataset.range(2).apply(tf.data.experimental.prefetch_to_device("/cpu:0"))
    >>> print(*dataset.as_numpy_iterator())
    0 1
    """
    size = AUTOTUNE if buffer_size is None else buffer_size
    return lambda dataset: dataset.prefetch(size)


def copy_to_device(target_device: Any, source_device: Any = "/cpu:0") -> Transformation:
    """The same elements, for `Dataset.apply`.

    Unlike TensorFlow, elements stay in the memory of the host: they are moved where they are used.

    Args:
        target_device: Not used.
        source_device: Not used.

    Returns:
        A function of a Dataset.

    >>> import tfc as tf
    >>> dataset = tf.data.Dataset.range(2).apply(tf.data.experimental.copy_to_device("/cpu:0"))
    >>> print(*dataset.as_numpy_iterator())
    0 1
    """
    return lambda dataset: dataset


def pad_to_cardinality(cardinality: Any, mask_key: str = "valid") -> Transformation:
    """So many elements: behind those of the dataset, which are dicts, such of zeros. Each gets a
    bool that says whether it was there; for `Dataset.apply`.

    Args:
        cardinality: How many elements.
        mask_key: The key of the bool.

    Returns:
        A function of a Dataset.

    Raises:
        ValueError: When it is called: if there are more elements, or their number is not known; if
            they are no dicts, or have the key.

    >>> import tfc as tf
    >>> dataset = tf.data.Dataset.from_tensor_slices({"a": [1, 2]})
    >>> for x in dataset.apply(tf.data.experimental.pad_to_cardinality(3)):
    ...     print(int(x["a"]), bool(x["valid"]))
    1 True
    2 True
    0 False
    """
    wanted, op = int(cardinality), "pad_to_cardinality"

    def padded(dataset: Dataset) -> Dataset:
        spec = dataset._plan.spec
        count = dataset._plan.cardinality
        if spec.structure.type is not dict or mask_key in spec.nested:
            raise blame.value_error(
                f"elements must be dicts without the key {mask_key!r}, and are {spec}", op
            )
        if count < 0 or count > wanted:
            raise blame.value_error(f"{count} elements cannot become {wanted}", op)
        there = dataset.map(lambda element: {**element, mask_key: True})
        nothing = {
            key: zeros([0 if n is None else n for n in leaf.shape], leaf.dtype)
            for key, leaf in spec.nested.items()
        }
        filler = Dataset.from_tensors({**nothing, mask_key: convert_to_tensor(False)})
        return there.concatenate(filler.repeat(wanted - count))

    return padded


def snapshot(
    path: Any,
    compression: str | None = "AUTO",
    reader_func: Callable[..., Any] | None = None,
    shard_func: Callable[..., Any] | None = None,
) -> Transformation:
    """`Dataset.snapshot`, for `Dataset.apply`.

    Args:
        path: The folder.
        compression: "GZIP", "ZLIB", or "AUTO" or None for none.
        reader_func: As that of `load`.
        shard_func: As that of `save`.

    Returns:
        A function of a Dataset.

    >>> import tempfile
    >>> import tfc as tf
    >>> with tempfile.TemporaryDirectory() as path:
    ...     dataset = tf.data.Dataset.range(2).apply(tf.data.experimental.snapshot(path))
    ...     print(*dataset.as_numpy_iterator())
    0 1
    """
    return lambda dataset: dataset.snapshot(path, compression, reader_func, shard_func)


__all__ = [
    "assert_cardinality",
    "bucket_by_sequence_length",
    "copy_to_device",
    "dense_to_ragged_batch",
    "dense_to_sparse_batch",
    "enumerate_dataset",
    "group_by_reducer",
    "group_by_window",
    "ignore_errors",
    "map_and_batch",
    "pad_to_cardinality",
    "parallel_interleave",
    "prefetch_to_device",
    "rejection_resample",
    "scan",
    "shuffle_and_repeat",
    "snapshot",
    "take_while",
    "unbatch",
    "unique",
]
