"""`tfc.contrib.summary`: summaries as the first eager programs write them.

They are those of `tfc.summary`, with three differences: nothing is recorded before something says
so (`always_record_summaries`, `record_summaries_every_n_global_steps`), the step is the global
step, and names have a family.

>>> import tempfile
>>> import tfc as tf
>>> step = tf.compat.v1.train.get_or_create_global_step()
>>> with tempfile.TemporaryDirectory() as folder:
...     writer = tf.contrib.summary.create_file_writer(folder)
...     with writer.as_default(), tf.contrib.summary.always_record_summaries():
...         print(bool(tf.contrib.summary.scalar("loss", 0.5)))
True
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tfc as _tfc
from tfc.compat.v1.train import get_or_create_global_step
from tfc.core.types import TensorLike
from tfc.summary import SummaryWriter, create_noop_writer, flush, graph, kinds, state
from tfc.summary import create_file_writer as _create_file_writer
from tfc.summary import record_if as _record_if
from tfc.summary import write as _write


def create_file_writer(
    logdir: Any,
    max_queue: Any = None,
    flush_millis: Any = None,
    filename_suffix: str | None = None,
    name: str | None = None,
) -> SummaryWriter:
    """As `tfc.summary.create_file_writer`; without a folder, a writer that writes nothing.

    Args:
        logdir: The folder, or None.
        max_queue: How many summaries may wait to be written.
        flush_millis: After how many milliseconds they are written at the latest.
        filename_suffix: What the file's name ends with.

    Returns:
        A SummaryWriter.

    >>> import tfc as tf
    >>> with tf.contrib.summary.create_file_writer(None).as_default():
    ...     print(bool(tf.contrib.summary.scalar("loss", 0.5, step=0)))
    False
    """
    if logdir is None:
        return create_noop_writer()
    return _create_file_writer(logdir, max_queue, flush_millis, filename_suffix)


def initialize(graph: Any = None, session: Any = None) -> None:
    """Nothing to do: a writer can be used once it is made.

    Args:
        graph: Not used.
        session: Not used.

    >>> import tfc as tf
    >>> tf.contrib.summary.initialize()
    """


def always_record_summaries() -> _record_if:
    """Record all summaries: a context.

    Returns:
        A context.

    >>> import tfc as tf
    >>> with tf.contrib.summary.always_record_summaries():
    ...     _ = tf.contrib.summary.scalar("loss", 0.5)
    """
    return _record_if(True)


def never_record_summaries() -> _record_if:
    """Record none: a context.

    Returns:
        A context.

    >>> import tfc as tf
    >>> with tf.contrib.summary.never_record_summaries():
    ...     print(bool(tf.contrib.summary.scalar("loss", 0.5)))
    False
    """
    return _record_if(False)


def record_summaries_every_n_global_steps(n: int, global_step: Any = None) -> _record_if:
    """Record summaries where the step is a multiple of `n`: a context.

    Args:
        n: An integer.
        global_step: The Variable that counts steps; by default the global step.

    Returns:
        A context. The step is looked at for each summary.

    >>> import tempfile
    >>> import tfc as tf
    >>> step = tf.Variable(1, dtype=tf.int64)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with tf.contrib.summary.create_file_writer(folder).as_default():
    ...         with tf.contrib.summary.record_summaries_every_n_global_steps(2, step):
    ...             print(bool(tf.contrib.summary.scalar("loss", 0.5, step=step)))
    False
    """
    step = get_or_create_global_step() if global_step is None else global_step
    return _record_if(lambda: _tfc.equal(step % n, 0))


def should_record_summaries() -> Any:
    """Whether a summary would be recorded here.

    Returns:
        A scalar bool.

    >>> import tfc as tf
    >>> bool(tf.contrib.summary.should_record_summaries())
    False
    """
    if state.current().recording.value is None:
        return _tfc.constant(False)
    return state.should_record_summaries()


def _recorded(
    write: Callable[..., Any], name: str, family: str | None, step: Any, *args: Any, **more: Any
) -> Any:
    """Write a summary, if something has said so."""
    if state.current().recording.value is None:
        return _tfc.constant(False)
    step = get_or_create_global_step() if step is None else step
    return write(name if family is None else f"{family}/{name}", *args, step=step, **more)


def scalar(name: str, tensor: TensorLike, family: str | None = None, step: Any = None) -> Any:
    """As `tfc.summary.scalar`.

    Args:
        tensor: A scalar.
        family: What stands in front of the name.
        step: The step; by default the global step.

    Returns:
        A scalar bool: whether it was written.

    >>> import tfc as tf
    >>> print(bool(tf.contrib.summary.scalar("loss", 0.5)))
    False
    """
    return _recorded(kinds.scalar, name, family, step, tensor)


def histogram(name: str, tensor: TensorLike, family: str | None = None, step: Any = None) -> Any:
    """As `tfc.summary.histogram`.

    Args:
        tensor: A tensor of any shape.
        family: What stands in front of the name.
        step: The step; by default the global step.

    Returns:
        A scalar bool: whether it was written.

    >>> import tfc as tf
    >>> print(bool(tf.contrib.summary.histogram("weights", [0.5, 1.0])))
    False
    """
    return _recorded(kinds.histogram, name, family, step, tensor)


def image(
    name: str,
    tensor: TensorLike,
    bad_color: Any = None,
    max_images: int = 3,
    family: str | None = None,
    step: Any = None,
) -> Any:
    """As `tfc.summary.image`; `bad_color` is not used.

    Args:
        tensor: Images [images, height, width, channels].
        bad_color: Not used.
        max_images: How many are written at most.
        family: What stands in front of the name.
        step: The step; by default the global step.

    Returns:
        A scalar bool: whether they were written.

    >>> import tfc as tf
    >>> print(bool(tf.contrib.summary.image("pictures", tf.zeros([1, 4, 4, 3]))))
    False
    """
    return _recorded(kinds.image, name, family, step, tensor, max_outputs=max_images)


def audio(
    name: str,
    tensor: TensorLike,
    sample_rate: Any,
    max_outputs: int,
    family: str | None = None,
    step: Any = None,
) -> Any:
    """As `tfc.summary.audio`.

    Args:
        tensor: Sounds [sounds, frames, channels].
        sample_rate: How many frames a second has.
        max_outputs: How many are written at most.
        family: What stands in front of the name.
        step: The step; by default the global step.

    Returns:
        A scalar bool: whether they were written.

    >>> import tfc as tf
    >>> print(bool(tf.contrib.summary.audio("tone", tf.zeros([1, 80, 1]), 8000, 1)))
    False
    """
    return _recorded(kinds.audio, name, family, step, tensor, sample_rate, max_outputs=max_outputs)


def generic(
    name: str,
    tensor: TensorLike,
    metadata: Any = None,
    family: str | None = None,
    step: Any = None,
) -> Any:
    """As `tfc.summary.write`.

    Args:
        tensor: A tensor.
        metadata: A `SummaryMetadata`, or its bytes.
        family: What stands in front of the name.
        step: The step; by default the global step.

    Returns:
        A scalar bool: whether it was written.

    >>> import tfc as tf
    >>> print(bool(tf.contrib.summary.generic("mine", [1, 2])))
    False
    """
    return _recorded(_write, name, family, step, tensor, metadata=metadata)


__all__ = [
    "SummaryWriter",
    "always_record_summaries",
    "audio",
    "create_file_writer",
    "flush",
    "generic",
    "graph",
    "histogram",
    "image",
    "initialize",
    "never_record_summaries",
    "record_summaries_every_n_global_steps",
    "scalar",
    "should_record_summaries",
]
