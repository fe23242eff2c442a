"""`tfc.data.experimental`: what TensorFlow keeps under this name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tfc.ir.dtypes import as_dtype, int64

from ..core import blame
from ..core.absent import refusal as _refusal
from ..core.tensor import Tensor
from ..core.types import DTypeLike
from . import service
from .databases import SqlDataset
from .dataset import AUTOTUNE, Dataset
from .elements import ElementSpec, Loose, element_of, spec_of
from .examples import make_batched_features_dataset, parse_example_dataset
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
from .plans.grouping import Reducer
from .plans.windows import held
from .tables import CsvDataset, make_csv_dataset
from .transformations import (
    assert_cardinality,
    bucket_by_sequence_length,
    copy_to_device,
    dense_to_ragged_batch,
    dense_to_sparse_batch,
    enumerate_dataset,
    group_by_reducer,
    group_by_window,
    ignore_errors,
    map_and_batch,
    pad_to_cardinality,
    parallel_interleave,
    prefetch_to_device,
    rejection_resample,
    scan,
    shuffle_and_repeat,
    snapshot,
    take_while,
    unbatch,
    unique,
)

INFINITE_CARDINALITY = INFINITE
UNKNOWN_CARDINALITY = UNKNOWN

sample_from_datasets = Dataset.sample_from_datasets
load = Dataset.load


def choose_from_datasets(
    datasets: Sequence[Dataset], choice_dataset: Dataset, stop_on_empty_dataset: bool = False
) -> Dataset:
    """`Dataset.choose_from_datasets`, which goes on by default when a dataset has ended.

    Args:
        datasets: The datasets.
        choice_dataset: A dataset of int64: the number of the dataset that the next element is of.
        stop_on_empty_dataset: Whether it ends with the first of them that is chosen at its end;
            else that one is left out.

    Returns:
        A Dataset.

    >>> import tfc as tf
    >>> parts = [tf.data.Dataset.range(1), tf.data.Dataset.range(5, 7)]
    >>> choices = tf.data.Dataset.from_tensor_slices(tf.constant([0, 0, 1, 1], tf.int64))
    >>> [int(x) for x in tf.data.experimental.choose_from_datasets(parts, choices)]
    [0, 5, 6]
    """
    return Dataset.choose_from_datasets(datasets, choice_dataset, stop_on_empty_dataset)


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
        raise blame.value_error(
            "Invalid `elements`. `elements` should not be empty. If you want an empty dataset, use "
            "`tf.data.Dataset.range(0)`.",
            "from_list",
        )
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
            "Invalid `dataset_or_iterator`. `dataset_or_iterator` must be a `tf.data.Dataset` or "
            f"tf.data.Iterator object, but got {type(dataset_or_iterator)}.",
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


def RandomDataset(
    seed: Any = None, rerandomize_each_iteration: bool | None = None, name: str | None = None
) -> Dataset:
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


__getattr__ = _refusal("tf.data.experimental")
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
    "make_batched_features_dataset",
    "make_csv_dataset",
    "map_and_batch",
    "pad_to_cardinality",
    "parallel_interleave",
    "parse_example_dataset",
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
