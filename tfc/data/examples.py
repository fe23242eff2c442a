"""Datasets of `tf.train.Example`s that are parsed in batches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..core import blame
from ..ops.parsing.examples import parse_example
from .dataset import AUTOTUNE, Dataset
from .files import TFRecordDataset


def parse_example_dataset(
    features: Mapping[str, Any],
    num_parallel_calls: int | None = 1,
    deterministic: bool | None = None,
) -> Callable[[Dataset], Dataset]:
    """What `dataset.apply` takes: batches of serialised Examples become dictionaries of tensors.

    Args:
        features: What `tf.io.parse_example` takes.
        num_parallel_calls: How many batches are parsed at once.
        deterministic: Whether batches keep their order; None: as the dataset's options say.

    Returns:
        A function from a dataset of vectors of strings to one of dictionaries.

    Raises:
        ValueError: If there are no features.

    >>> import tfc as tf
    >>> one = tf.train.Example()
    >>> one.features.feature["x"].int64_list.value.append(3)
    >>> data = tf.data.Dataset.from_tensors([one.SerializeToString()])
    >>> kinds = {"x": tf.io.FixedLenFeature([], tf.int64)}
    >>> print(next(iter(data.apply(tf.data.experimental.parse_example_dataset(kinds))))["x"])
    tf.Tensor([3], shape=(1,), dtype=int64)
    """
    if not features:
        raise blame.value_error("there are no features", "parse_example_dataset")

    def parsed(dataset: Dataset) -> Dataset:
        return dataset.map(
            lambda rows: parse_example(rows, features), num_parallel_calls, deterministic
        )

    return parsed


def make_batched_features_dataset(
    file_pattern: Any,
    batch_size: int,
    features: Mapping[str, Any],
    reader: Callable[..., Any] | None = None,
    label_key: str | None = None,
    reader_args: Sequence[Any] | None = None,
    num_epochs: int | None = None,
    shuffle: bool = True,
    shuffle_buffer_size: int = 10000,
    shuffle_seed: int | None = None,
    prefetch_buffer_size: int | None = None,
    reader_num_threads: int | None = None,
    parser_num_threads: int | None = None,
    sloppy_ordering: bool = False,
    drop_final_batch: bool = False,
) -> Dataset:
    """Batches of the Examples in files, as dictionaries of tensors.

    Args:
        file_pattern: A pattern of files, or several, or their names.
        batch_size: How many Examples there are in a batch.
        features: What `tf.io.parse_example` takes.
        reader: A function of a file's name that gives a dataset of serialised Examples; None:
            `tf.data.TFRecordDataset`.
        label_key: The feature that is the label; None: there is none.
        reader_args: Further arguments of `reader`.
        num_epochs: How often the files are gone through; None: for ever.
        shuffle: Whether files and Examples are shuffled.
        shuffle_buffer_size: How many Examples are shuffled at a time.
        shuffle_seed: The seed.
        prefetch_buffer_size: How many batches are made ahead; None: as many as fit.
        reader_num_threads: How many files are read at once; None: 1.
        parser_num_threads: How many batches are parsed at once; None: 2.
        sloppy_ordering: Whether batches may change their order.
        drop_final_batch: Whether a last batch with fewer Examples is left out; it always is where
            `num_epochs` is None.

    Returns:
        A dataset of dictionaries, or of pairs (dictionary, label).

    Raises:
        ValueError: If `label_key` is none of the features.

    >>> import os, tempfile
    >>> import tfc as tf
    >>> file = os.path.join(tempfile.mkdtemp(), "examples")
    >>> with tf.io.TFRecordWriter(file) as writer:
    ...     for n in range(4):
    ...         one = tf.train.Example()
    ...         one.features.feature["x"].int64_list.value.append(n)
    ...         writer.write(one.SerializeToString())
    >>> data = tf.data.experimental.make_batched_features_dataset(
    ...     file, 2, {"x": tf.io.FixedLenFeature([], tf.int64)}, num_epochs=1, shuffle=False)
    >>> [batch["x"].numpy().tolist() for batch in data]
    [[0, 1], [2, 3]]
    """
    op = "make_batched_features_dataset"
    if label_key is not None and label_key not in features:
        raise blame.value_error(f"label_key {label_key!r} is none of the features", op)
    read = TFRecordDataset if reader is None else reader
    names = Dataset.list_files(file_pattern, shuffle=shuffle, seed=shuffle_seed)
    data: Any = names.interleave(
        lambda name: read(name, *(reader_args or ())), cycle_length=reader_num_threads or 1
    )
    if shuffle:
        data = data.shuffle(shuffle_buffer_size, shuffle_seed)
    if num_epochs != 1:
        data = data.repeat(num_epochs)
    data = data.batch(batch_size, drop_remainder=drop_final_batch or num_epochs is None)
    parsed = parse_example_dataset(features, parser_num_threads or 2, not sloppy_ordering)
    data = data.apply(parsed)
    if label_key is not None:
        data = data.map(lambda row: ({k: row[k] for k in row if k != label_key}, row[label_key]))
    size = AUTOTUNE if prefetch_buffer_size is None else prefetch_buffer_size
    found: Dataset = data.prefetch(size)
    return found


__all__ = ["make_batched_features_dataset", "parse_example_dataset"]
