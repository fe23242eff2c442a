"""`tfc.profiler.experimental`: TensorFlow's names for timelines."""

from __future__ import annotations

import os

from ..core import blame
from ..core.absent import refusal as _refusal
from ..core.context import settings
from .timeline import Span, trace

Profile = trace


class ProfilerOptions(dict):
    """What TensorFlow's profiler may be told; noted. Every kernel is timed.

    >>> import tfc as tf
    >>> tf.profiler.experimental.ProfilerOptions(host_tracer_level=2).host_tracer_level
    2
    """

    def __init__(
        self,
        host_tracer_level: int = 2,
        python_tracer_level: int = 0,
        device_tracer_level: int = 1,
        delay_ms: int | None = None,
    ) -> None:
        super().__init__(
            host_tracer_level=host_tracer_level,
            python_tracer_level=python_tracer_level,
            device_tracer_level=device_tracer_level,
            delay_ms=delay_ms,
        )
        self.__dict__ = self


def start(logdir: str | os.PathLike[str], options: object = None) -> None:
    """Time every kernel from now on, until `stop`; see `tfc.profiler.trace`.

    Args:
        logdir: The folder that the file is written to; it is made.
        options: Not used.

    Raises:
        RuntimeError: If a timeline is being written already.

    >>> import tempfile, tfc as tf
    >>> folder = tempfile.mkdtemp()
    >>> tf.profiler.experimental.start(folder)
    >>> y = tf.constant(1.0) + 2.0
    >>> tf.profiler.experimental.stop()
    >>> __import__("os").listdir(folder)
    ['trace.json']
    """
    trace(logdir).start()


def stop(save: bool = True) -> None:
    """End what `start` began.

    Args:
        save: Whether the file is written.

    Raises:
        RuntimeError: If nothing was started.

    >>> import tempfile, tfc as tf
    >>> tf.profiler.experimental.start(tempfile.mkdtemp())
    >>> tf.profiler.experimental.stop(save=False)
    """
    if settings.timeline is None:
        raise blame.runtime_error("profiler.experimental.stop: nothing was started")
    settings.timeline.stop(save)


class Trace(Span):
    """A context that shows as a span of its own in the timeline, such as a step of training; the
    keywords are shown with it.

    >>> import tempfile, tfc as tf
    >>> with tf.profiler.trace(tempfile.mkdtemp()) as timeline:
    ...     for step in range(2):
    ...         with tf.profiler.experimental.Trace("train", step_num=step):
    ...             y = tf.constant(1.0) + 2.0
    >>> [event["name"] for event in timeline.events if event["cat"] != "compile"]
    ['train', 'add', 'train', 'add']
    """


__getattr__ = _refusal("tf.profiler.experimental")
__all__ = ["Profile", "ProfilerOptions", "Trace", "start", "stop"]
