"""`tfc.data.experimental`: what TensorFlow keeps under this name. Most of it are former names of
methods of `Dataset`, as functions for `dataset.apply`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfc.ir.dtypes import as_dtype, int64

from ..core import blame
from ..core.conversion import convert_to_tensor
from ..core.formatting import shown
from ..core.tensor import Tensor
from ..core.types import DTypeLike
from ..ops.array.creation import zeros
from . import service
from .databases import SqlDataset
from .dataset import AUTOTUNE, Dataset
from .elements import ElementSpec, Loose, element_of, spec_of
from .iterator import Iterator
from .lookups import DatasetInitializer, index_table_from_dataset, table_from_dataset
from .optional import Optional
from .options import (
    AutoShardPolicy,
    AutotuneAlgorithm,
    AutotuneOptions,
    DistributeOptions,
    ExternalStatePolicy,
    OptimizationOptions,
    ThreadingOptions,
)
from .plan import INFINITE, UNKNOWN, begin
from .plans.checking import Asserted
from .plans.grouping import GroupByReducer, Reducer
from .plans.windows import held
from .tables import CsvDataset, make_csv_dataset

INFINITE_CARDINALITY = INFINITE
UNKNOWN_CARDINALITY = UNKNOWN
Transformation = Callable[[Dataset], Dataset]


def cardinality(dataset: Dataset) -> Tensor:
    """How many elements a dataset has; as its method of this name.

    Args:
        dataset: A Dataset.

    Returns:
        An int64 scalar.

    >>> import tfc as tf
    >>> int(tf.data.experimental.cardinality(tf.data.Dataset.range(42)))
    42
    """
    return dataset.cardinality()


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


def at(dataset: Dataset, index: Any) -> Any:
    """The element with a number: at once where the dataset is indexed, else by going there.

    Args:
        dataset: A Dataset.
        index: The number of the element, from 0 on.

    Returns:
        The element, in its structure.

    Raises:
        OutOfRangeError: If there is no such element.

    >>> import tfc as tf
    >>> print(tf.data.experimental.at(tf.data.Dataset.range(10).map(lambda x: x * x), 3))
    tf.Tensor(9, shape=(), dtype=int64)
    """
    number, plan = int(index), dataset._plan
    cursor = plan.cursor(begin(plan))
    try:
        there = number >= 0 and cursor.skip(number) == number
        element = cursor.next() if there else None
    finally:
        cursor.close()
    if element is None:
        raise blame.out_of_range(f"there is no element {number}", "at")
    return plan.spec.structure.pack(element)


def from_list(elements: Sequence[Any], name: str | None = None) -> Dataset:
    """The elements of a list.

    Args:
        elements: Structures of tensors, which have the same structure, dtypes and ranks.

    Returns:
        A Dataset.

    Raises:
        ValueError: If the list is empty.
        TypeError: If elements differ in structure or dtypes.

    >>> import tfc as tf
    >>> print(*tf.data.experimental.from_list([(1, "a"), (2, "b")]).as_numpy_iterator())
    (np.int32(1), b'a') (np.int32(2), b'b')
    """
    if not isinstance(elements, list | tuple):
        raise blame.type_error("expected a list", "from_list")
    if not elements:
        raise blame.value_error("Empty list of elements", "from_list")
    found = [element_of(element) for element in elements]
    specs = [ElementSpec(map(spec_of, leaves), structure) for leaves, structure in found]
    spec = specs[0]
    for other in specs[1:]:
        spec = spec.merged(other, "from_list")
    return Dataset._of(held(Loose([leaves for leaves, _ in found]), spec))


def get_structure(dataset_or_iterator: Any) -> Any:
    """The structure of an element, with a spec for each leaf.

    Args:
        dataset_or_iterator: A Dataset or an Iterator.

    Returns:
        The structure.

    Raises:
        TypeError: If it is neither.

    >>> import tfc as tf
    >>> tf.data.experimental.get_structure(tf.data.Dataset.range(3))
    TensorSpec(shape=(), dtype=tf.int64, name=None)
    """
    if not isinstance(dataset_or_iterator, Dataset | Iterator):
        raise blame.type_error(
            f"expected a Dataset or an Iterator, got {shown(dataset_or_iterator)}",
            "get_structure",
        )
    return dataset_or_iterator.element_spec


def get_single_element(dataset: Dataset) -> Any:
    """The element of a dataset of one; as its method of this name.

    Args:
        dataset: A Dataset.

    Returns:
        The element, in its structure.

    >>> import tfc as tf
    >>> print(tf.data.experimental.get_single_element(tf.data.Dataset.from_tensors(3)))
    tf.Tensor(3, shape=(), dtype=int32)
    """
    return dataset.get_single_element()


def get_next_as_optional(iterator: Iterator) -> Optional:
    """The next element of an iterator, or that there is none; as its method of this name.

    Args:
        iterator: An Iterator.

    Returns:
        An Optional.

    >>> import tfc as tf
    >>> print(tf.data.experimental.get_next_as_optional(iter(tf.data.Dataset.range(1))).get_value())
    tf.Tensor(0, shape=(), dtype=int64)
    """
    return iterator.get_next_as_optional()


def Counter(start: Any = 0, step: Any = 1, dtype: DTypeLike = int64) -> Dataset:
    """Numbers without an end: `Dataset.counter`.

    Args:
        start: The first one.
        step: The distance.
        dtype: The dtype.

    Returns:
        A Dataset.

    >>> import tfc as tf
    >>> print(*tf.data.experimental.Counter(5).take(2).as_numpy_iterator())
    5 6
    """
    return Dataset.counter(start, step, as_dtype(dtype))


def RandomDataset(seed: Any = None, rerandomize_each_iteration: bool | None = None) -> Dataset:
    """Random integers without an end: `Dataset.random`.

    Args:
        seed: An integer.
        rerandomize_each_iteration: Whether each iteration draws anew.

    Returns:
        A Dataset.

    >>> import tfc as tf
    >>> len(list(tf.data.experimental.RandomDataset(seed=1).take(3)))
    3
    """
    return Dataset.random(seed, rerandomize_each_iteration)


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


sample_from_datasets = Dataset.sample_from_datasets
choose_from_datasets = Dataset.choose_from_datasets


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


def save(
    dataset: Dataset,
    path: Any,
    compression: str | None = None,
    shard_func: Callable[..., Any] | None = None,
    checkpoint_args: Any = None,
) -> None:
    """Write the elements of a dataset: `Dataset.save`.

    Args:
        dataset: A Dataset.
        path: The folder.
        compression: "GZIP", "ZLIB" or None.
        shard_func: A function of an element that gives the number of the file for it.
        checkpoint_args: Not used.

    >>> import tempfile
    >>> import tfc as tf
    >>> with tempfile.TemporaryDirectory() as path:
    ...     tf.data.experimental.save(tf.data.Dataset.range(2), path, "GZIP")
    ...     print(*tf.data.experimental.load(path).as_numpy_iterator())
    0 1
    """
    dataset.save(path, compression, shard_func, checkpoint_args)


load = Dataset.load


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
    "AUTOTUNE",
    "INFINITE_CARDINALITY",
    "UNKNOWN_CARDINALITY",
    "AutoShardPolicy",
    "AutotuneAlgorithm",
    "AutotuneOptions",
    "Counter",
    "CsvDataset",
    "DatasetInitializer",
    "DistributeOptions",
    "ExternalStatePolicy",
    "OptimizationOptions",
    "Optional",
    "RandomDataset",
    "Reducer",
    "SqlDataset",
    "ThreadingOptions",
    "assert_cardinality",
    "at",
    "bucket_by_sequence_length",
    "cardinality",
    "choose_from_datasets",
    "copy_to_device",
    "dense_to_ragged_batch",
    "dense_to_sparse_batch",
    "enumerate_dataset",
    "from_list",
    "get_next_as_optional",
    "get_single_element",
    "get_structure",
    "group_by_reducer",
    "group_by_window",
    "ignore_errors",
    "index_table_from_dataset",
    "load",
    "make_csv_dataset",
    "map_and_batch",
    "pad_to_cardinality",
    "parallel_interleave",
    "prefetch_to_device",
    "rejection_resample",
    "sample_from_datasets",
    "save",
    "scan",
    "service",
    "shuffle_and_repeat",
    "snapshot",
    "table_from_dataset",
    "take_while",
    "unbatch",
    "unique",
]
