"""`tfc.compat.v1.train`: what fed programs before there were datasets: producers, which put the
rows of a tensor into a queue, and batches, which take from one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import tfc as _tfc
from tfc.core import blame
from tfc.data.queues import FIFOQueue, PaddingFIFOQueue, QueueBase, RandomShuffleQueue

from ...graphs.graph import GraphKeys
from ...graphs.trace import current_graph
from .. import summary
from ..control_flow import cond
from ..graph_ops import control_dependencies, identity, no_op
from ..state_ops import Variable, count_up_to
from .queue_runner import QueueRunner, add_queue_runner


def _in_graph(op: str) -> None:
    if current_graph() is None:
        raise blame.located(
            RuntimeError,
            "Input pipelines based on Queues are not supported when eager execution is enabled. "
            f"Please use tf.data to ingest data into your model instead. ({op})",
        )


def match_filenames_once(pattern: Any, name: str | None = None) -> Any:
    """The names of files that match a pattern, in a graph.

    Args:
        pattern: A pattern of files, or a list of them.
        name: Not used.

    Returns:
        A vector of strings.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     print(session.run(tf.train.match_filenames_once("/no/such/*")))
    []
    """
    return _tfc.io.matching_files(pattern)


def limit_epochs(tensor: Any, num_epochs: int | None = None, name: str | None = None) -> Any:
    """A tensor that can be computed so many times; then OutOfRangeError is raised. A local Variable
    counts them.

    Args:
        tensor: A tensor.
        num_epochs: How often; None: always.
        name: A scope for the Variable.

    Returns:
        A tensor.

    Raises:
        ValueError: If `num_epochs` is not positive.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     x = tf.train.limit_epochs(tf.constant(3.0), 1)
    ...     session.run(tf.local_variables_initializer())
    ...     print(session.run(x))
    3.0
    """
    if num_epochs is None:
        return tensor
    if num_epochs <= 0:
        raise ValueError(f"num_epochs must be > 0 not {num_epochs}.")
    with _tfc.name_scope(name or "limit_epochs"):
        zero = _tfc.constant(0, _tfc.int64)
        collections = [GraphKeys.LOCAL_VARIABLES]
        make: Any = Variable
        epochs = make(zero, trainable=False, collections=collections, name="epochs")
        with control_dependencies([count_up_to(epochs, num_epochs)]):
            return identity(tensor)


def input_producer(
    input_tensor: Any,
    element_shape: Any = None,
    num_epochs: int | None = None,
    shuffle: bool = True,
    seed: int | None = None,
    capacity: int = 32,
    shared_name: str | None = None,
    summary_name: str | None = None,
    name: str | None = None,
    cancel_op: Any = None,
) -> QueueBase:
    """A queue of the rows of a tensor, which a QueueRunner fills.

    Args:
        input_tensor: The rows.
        element_shape: The shape of one, where the tensor's does not say it.
        num_epochs: How often each row comes; None: without end.
        shuffle: Whether rows come in another order each time.
        seed: What the order comes of.
        capacity: How many the queue holds.
        shared_name: Its name in sessions.
        summary_name: A summary of how full it is.
        name: A scope.
        cancel_op: What closes the queue when threads are stopped.

    Returns:
        The queue.

    Raises:
        ValueError: If a row has no known shape.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     print(tf.train.input_producer(tf.ones([4, 2])).shapes)
    [TensorShape([2])]
    """
    _in_graph("train.input_producer")
    with _tfc.name_scope(name or "input_producer"):
        rows = _tfc.convert_to_tensor(input_tensor, name="input_tensor")
        shape = rows.shape[1:].merge_with(element_shape)
        if not shape.is_fully_defined():
            raise ValueError(
                "Either `input_tensor` must have a fully defined shape or `element_shape` must be "
                "specified"
            )
        if shuffle:
            rows = _tfc.random.shuffle(rows, seed=seed)
        rows = limit_epochs(rows, num_epochs)
        queue = FIFOQueue(capacity, [rows.dtype], [shape], shared_name=shared_name)
        add_queue_runner(QueueRunner(queue, [queue.enqueue_many([rows])], cancel_op=cancel_op))
        if summary_name is not None:
            _fraction(queue, capacity, summary_name)
        return queue


def _fraction(queue: QueueBase, capacity: int, name: str) -> None:
    full = _tfc.cast(queue.size(), _tfc.float32) * (1.0 / capacity)
    summary.scalar(name, full)


def string_input_producer(
    string_tensor: Any,
    num_epochs: int | None = None,
    shuffle: bool = True,
    seed: int | None = None,
    capacity: int = 32,
    shared_name: str | None = None,
    name: str | None = None,
    cancel_op: Any = None,
) -> QueueBase:
    """A queue of strings, such as names of files, which a QueueRunner fills.

    Args:
        string_tensor: The strings.
        num_epochs: How often each comes; None: without end.
        shuffle: Whether they come in another order each time.
        seed: What the order comes of.
        capacity: How many the queue holds.
        shared_name: Its name in sessions.
        name: A scope.
        cancel_op: What closes the queue when threads are stopped.

    Returns:
        The queue.

    Raises:
        ValueError: If there are no strings.
        InvalidArgumentError: When it runs and there are none.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     queue = tf.train.string_input_producer(["a.txt", "b.txt"], shuffle=False)
    >>> queue.dtypes
    [tf.string]
    """
    none = "string_input_producer requires a non-null input tensor"
    if not isinstance(string_tensor, _tfc.Tensor) and not list(string_tensor):
        raise ValueError(none)
    _in_graph("train.string_input_producer")
    with _tfc.name_scope(name or "input_producer"):
        strings = _tfc.convert_to_tensor(string_tensor, _tfc.string)
        if strings.shape[0] is None:
            with control_dependencies([_check(_tfc.size(strings) > 0, none)]):
                strings = identity(strings)
    fraction = f"fraction_of_{capacity}_full"
    return input_producer(
        strings,
        [],
        num_epochs,
        shuffle,
        seed,
        capacity,
        shared_name,
        fraction,
        name,
        cancel_op,
    )


def _check(condition: Any, message: str) -> Any:
    return _tfc.compat.v1.Assert(condition, [message])


def range_input_producer(
    limit: Any,
    num_epochs: int | None = None,
    shuffle: bool = True,
    seed: int | None = None,
    capacity: int = 32,
    shared_name: str | None = None,
    name: str | None = None,
) -> QueueBase:
    """A queue of the numbers below a limit, which a QueueRunner fills.

    Args:
        limit: The limit, an int32 scalar.
        num_epochs: How often each comes; None: without end.
        shuffle: Whether they come in another order each time.
        seed: What the order comes of.
        capacity: How many the queue holds.
        shared_name: Its name in sessions.
        name: A scope.

    Returns:
        The queue.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     number = tf.train.range_input_producer(3, shuffle=False).dequeue()
    ...     coordinator = tf.train.Coordinator()
    ...     threads = tf.train.start_queue_runners(session, coordinator)
    ...     print([int(session.run(number)) for _ in range(4)])
    ...     coordinator.request_stop()
    ...     coordinator.join(threads)
    [0, 1, 2, 0]
    """
    _in_graph("train.range_input_producer")
    fraction = f"fraction_of_{capacity}_full"
    with _tfc.name_scope(name or "input_producer"):
        numbers = _tfc.range(limit)
        return input_producer(
            numbers, [], num_epochs, shuffle, seed, capacity, shared_name, fraction, name
        )


def slice_input_producer(
    tensor_list: Sequence[Any],
    num_epochs: int | None = None,
    shuffle: bool = True,
    seed: int | None = None,
    capacity: int = 32,
    shared_name: str | None = None,
    name: str | None = None,
) -> list[Any]:
    """One row of each tensor in each run.

    Args:
        tensor_list: Tensors with as many rows.
        num_epochs: How often each row comes; None: without end.
        shuffle: Whether they come in another order each time.
        seed: What the order comes of.
        capacity: How many numbers of rows wait.
        shared_name: The name of their queue in sessions.
        name: A scope.

    Returns:
        A list of tensors: the rows with one number.

    Raises:
        ValueError: If there are no tensors.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     x, y = tf.train.slice_input_producer([tf.ones([4, 2]), tf.zeros([4], tf.int32)])
    >>> print(x.shape, y.dtype)
    (2,) <dtype: 'int32'>
    """
    if not tensor_list:
        raise ValueError("Expected at least one tensor in slice_input_producer().")
    _in_graph("train.slice_input_producer")
    with _tfc.name_scope(name or "input_producer"):
        tensors = [_tfc.convert_to_tensor(t) for t in tensor_list]
        count = tensors[0].shape[0]
        count = _tfc.shape(tensors[0])[0] if count is None else count
        queue = range_input_producer(count, num_epochs, shuffle, seed, capacity, shared_name)
        row = queue.dequeue()
        return [_tfc.gather(t, row) for t in tensors]


# Batches.


class _Parts:
    """The tensors of an element: of a list or a dictionary. A list of one is that tensor."""

    def __init__(self, given: Any) -> None:
        self.keys = sorted(given) if isinstance(given, Mapping) else None
        if self.keys is not None:
            given = [given[k] for k in self.keys]
        rows = list(given) if isinstance(given, list | tuple) else [given]
        if not rows:
            raise ValueError("Expected at least one tensor in batch().")
        if any(isinstance(x, _tfc.SparseTensor) for x in rows):
            raise blame.unimplemented(
                "queues hold dense tensors: see dataset.batch for sparse ones", "train.batch"
            )
        self.tensors = [_tfc.convert_to_tensor(x) for x in rows]

    def packed(self, found: Any) -> Any:
        """What was dequeued, as the elements were given."""
        rows = list(found) if isinstance(found, list | tuple) else [found]
        if self.keys is not None:
            return dict(zip(self.keys, rows, strict=True))
        return rows[0] if len(rows) == 1 else rows


def _batched(
    op: str,
    elements: Sequence[Any],
    batch_size: Any,
    keep_input: Any,
    enqueue_many: bool,
    shapes: Any,
    smaller: bool,
    name: str | None,
    summarized: tuple[str, int],
    make: Callable[..., QueueBase],
) -> Any:
    _in_graph(f"train.{op}")
    with _tfc.name_scope(name or op):
        parts = [_Parts(e) for e in elements]
        first = parts[0]
        for other in parts[1:]:
            if [t.dtype for t in other.tensors] != [t.dtype for t in first.tensors]:
                raise TypeError("Expected types to be consistent between elements")
        if shapes is None:
            columns = list(zip(*(p.tensors for p in parts), strict=True))
            shapes = [_common([_one(t, enqueue_many) for t in column]) for column in columns]
        queue = make([t.dtype for t in first.tensors], [_tfc.TensorShape(s) for s in shapes])
        runs = [_enqueue(queue, p.tensors, keep_input, enqueue_many) for p in parts]
        add_queue_runner(QueueRunner(queue, runs))
        label, capacity = summarized
        _fraction(queue, capacity, label)
        take = queue.dequeue_up_to if smaller else queue.dequeue_many
        return first.packed(take(batch_size, name=name))


def _one(tensor: Any, many: bool) -> Any:
    return tensor.shape[1:] if many else tensor.shape


def _common(shapes: Sequence[Any]) -> Any:
    found = shapes[0]
    for shape in shapes[1:]:
        found = found.most_specific_compatible_shape(shape)
    return found


def _enqueue(queue: QueueBase, tensors: Sequence[Any], keep: Any, many: bool) -> Any:
    if keep is True:
        return (queue.enqueue_many if many else queue.enqueue)(list(tensors))
    kept = _tfc.convert_to_tensor(keep)
    if many and kept.shape.rank == 1:
        rows = [_tfc.boolean_mask(t, kept) for t in tensors]
        return queue.enqueue_many(rows)
    run = queue.enqueue_many if many else queue.enqueue
    return cond(kept, lambda: run(list(tensors)), no_op)


def _capacity_of(capacity: int, dynamic_pad: bool, shared_name: str | None) -> Any:
    kind = PaddingFIFOQueue if dynamic_pad else FIFOQueue
    return lambda dtypes, shapes: kind(capacity, dtypes, shapes, shared_name=shared_name)


def batch(
    tensors: Any,
    batch_size: Any,
    num_threads: int = 1,
    capacity: int = 32,
    enqueue_many: bool = False,
    shapes: Any = None,
    dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """Batches of what tensors are in runs of their own: threads put that into a queue.

    Args:
        tensors: A list or a dictionary of tensors.
        batch_size: How many a batch has.
        num_threads: How many threads there are.
        capacity: How many elements the queue holds.
        enqueue_many: Whether the tensors are many elements, one in each row.
        shapes: The shapes of an element's tensors, where they do not say it.
        dynamic_pad: Whether tensors of different extents are filled up with zeros.
        allow_smaller_final_batch: Whether the last batch may have fewer.
        shared_name: The name of the queue in sessions.
        name: A scope.

    Returns:
        Tensors in the structure of `tensors`, with an axis in front.

    Raises:
        ValueError: If shapes are not known.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     number = tf.train.range_input_producer(4, shuffle=False).dequeue()
    ...     pairs = tf.train.batch([number], 3)
    ...     coordinator = tf.train.Coordinator()
    ...     threads = tf.train.start_queue_runners(session, coordinator)
    ...     print(session.run(pairs), session.run(pairs))
    ...     coordinator.request_stop()
    ...     coordinator.join(threads)
    [0 1 2] [3 0 1]
    """
    return maybe_batch(
        tensors,
        True,
        batch_size,
        num_threads,
        capacity,
        enqueue_many,
        shapes,
        dynamic_pad,
        allow_smaller_final_batch,
        shared_name,
        name,
    )


def maybe_batch(
    tensors: Any,
    keep_input: Any,
    batch_size: Any,
    num_threads: int = 1,
    capacity: int = 32,
    enqueue_many: bool = False,
    shapes: Any = None,
    dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """As `batch`, of the elements for which `keep_input`, a bool, or a vector of them with
    `enqueue_many`, holds."""
    return _batched(
        "batch",
        [tensors] * num_threads,
        batch_size,
        keep_input,
        enqueue_many,
        shapes,
        allow_smaller_final_batch,
        name,
        (f"fraction_of_{capacity}_full", capacity),
        _capacity_of(capacity, dynamic_pad, shared_name),
    )


def batch_join(
    tensors_list: Sequence[Any],
    batch_size: Any,
    capacity: int = 32,
    enqueue_many: bool = False,
    shapes: Any = None,
    dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """As `batch`, with a thread for each of several lists, or dictionaries, of tensors."""
    return maybe_batch_join(
        tensors_list,
        True,
        batch_size,
        capacity,
        enqueue_many,
        shapes,
        dynamic_pad,
        allow_smaller_final_batch,
        shared_name,
        name,
    )


def maybe_batch_join(
    tensors_list: Sequence[Any],
    keep_input: Any,
    batch_size: Any,
    capacity: int = 32,
    enqueue_many: bool = False,
    shapes: Any = None,
    dynamic_pad: bool = False,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """As `batch_join`, of the elements for which `keep_input` holds."""
    return _batched(
        "batch_join",
        tensors_list,
        batch_size,
        keep_input,
        enqueue_many,
        shapes,
        allow_smaller_final_batch,
        name,
        (f"fraction_of_{capacity}_full", capacity),
        _capacity_of(capacity, dynamic_pad, shared_name),
    )


def _shuffling(
    capacity: int, least: int, seed: int | None, shared_name: str | None
) -> Callable[..., QueueBase]:
    def make(dtypes: Any, shapes: Any) -> QueueBase:
        if least >= capacity:
            raise ValueError(f"capacity {capacity} must be bigger than min_after_dequeue {least}.")
        return RandomShuffleQueue(
            capacity, least, dtypes, shapes, seed=seed, shared_name=shared_name
        )

    return make


def shuffle_batch(
    tensors: Any,
    batch_size: Any,
    capacity: int,
    min_after_dequeue: int,
    num_threads: int = 1,
    seed: int | None = None,
    enqueue_many: bool = False,
    shapes: Any = None,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """As `batch`, of a queue that gives any of its elements.

    Args:
        tensors: A list or a dictionary of tensors.
        batch_size: How many a batch has.
        capacity: How many elements the queue holds.
        min_after_dequeue: How many stay in it at least, to choose among.
        num_threads: How many threads there are.
        seed: What the order comes of.
        enqueue_many: Whether the tensors are many elements, one in each row.
        shapes: The shapes of an element's tensors, where they do not say it.
        allow_smaller_final_batch: Whether the last batch may have fewer.
        shared_name: The name of the queue in sessions.
        name: A scope.

    Returns:
        Tensors in the structure of `tensors`, with an axis in front.

    Raises:
        ValueError: If shapes are not known, or `capacity` is not above `min_after_dequeue`.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     rows = tf.train.shuffle_batch(
    ...         [tf.range(6)], 6, capacity=12, min_after_dequeue=0, enqueue_many=True, seed=3
    ...     )
    ...     coordinator = tf.train.Coordinator()
    ...     threads = tf.train.start_queue_runners(session, coordinator)
    ...     print(session.run(rows).shape)
    ...     coordinator.request_stop()
    ...     coordinator.join(threads)
    (6,)
    """
    return maybe_shuffle_batch(
        tensors,
        batch_size,
        capacity,
        min_after_dequeue,
        True,
        num_threads,
        seed,
        enqueue_many,
        shapes,
        allow_smaller_final_batch,
        shared_name,
        name,
    )


def maybe_shuffle_batch(
    tensors: Any,
    batch_size: Any,
    capacity: int,
    min_after_dequeue: int,
    keep_input: Any,
    num_threads: int = 1,
    seed: int | None = None,
    enqueue_many: bool = False,
    shapes: Any = None,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """As `shuffle_batch`, of the elements for which `keep_input` holds."""
    return _batched(
        "shuffle_batch",
        [tensors] * num_threads,
        batch_size,
        keep_input,
        enqueue_many,
        shapes,
        allow_smaller_final_batch,
        name,
        (f"fraction_over_{min_after_dequeue}_of_{capacity - min_after_dequeue}_full", capacity),
        _shuffling(capacity, min_after_dequeue, seed, shared_name),
    )


def shuffle_batch_join(
    tensors_list: Sequence[Any],
    batch_size: Any,
    capacity: int,
    min_after_dequeue: int,
    seed: int | None = None,
    enqueue_many: bool = False,
    shapes: Any = None,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """As `shuffle_batch`, with a thread for each of several lists, or dictionaries, of tensors."""
    return maybe_shuffle_batch_join(
        tensors_list,
        batch_size,
        capacity,
        min_after_dequeue,
        True,
        seed,
        enqueue_many,
        shapes,
        allow_smaller_final_batch,
        shared_name,
        name,
    )


def maybe_shuffle_batch_join(
    tensors_list: Sequence[Any],
    batch_size: Any,
    capacity: int,
    min_after_dequeue: int,
    keep_input: Any,
    seed: int | None = None,
    enqueue_many: bool = False,
    shapes: Any = None,
    allow_smaller_final_batch: bool = False,
    shared_name: str | None = None,
    name: str | None = None,
) -> Any:
    """As `shuffle_batch_join`, of the elements for which `keep_input` holds."""
    return _batched(
        "shuffle_batch_join",
        tensors_list,
        batch_size,
        keep_input,
        enqueue_many,
        shapes,
        allow_smaller_final_batch,
        name,
        (f"fraction_over_{min_after_dequeue}_of_{capacity - min_after_dequeue}_full", capacity),
        _shuffling(capacity, min_after_dequeue, seed, shared_name),
    )


__all__ = [
    "batch",
    "batch_join",
    "input_producer",
    "limit_epochs",
    "match_filenames_once",
    "maybe_batch",
    "maybe_batch_join",
    "maybe_shuffle_batch",
    "maybe_shuffle_batch_join",
    "range_input_producer",
    "shuffle_batch",
    "shuffle_batch_join",
    "slice_input_producer",
    "string_input_producer",
]
