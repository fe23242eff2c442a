"""What summaries go by: the default writer, the default step, and whether they are recorded.

Each thread has its own, and each task of asyncio begins with that of who makes it. What is said
while a function is traced holds for what that function records. What was said outside of it is
looked up each time that the function runs.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ContextDecorator
from contextvars import ContextVar
from typing import Any, NamedTuple

from ..core import blame
from ..core.context import context
from ..core.conversion import convert_to_tensor
from ..core.formatting import shown
from ..core.tensor import Held, SymbolicTensor, Tensor
from ..core.variable import Variable

NO_STEP = (
    "No step set. Please specify one either through the `step` argument or through "
    "tf.summary.experimental.set_step()"
)


class Said(NamedTuple):
    """Something that was said, and whether that was while a function was traced."""

    value: Any
    traced: bool = False


class State(NamedTuple):
    """What holds in a context."""

    writer: Said = Said(None)
    step: Said = Said(None)
    recording: Said = Said(None)  # a condition, a callable that gives one, or None: the default


_NOTHING = State()
_state: ContextVar[State] = ContextVar("tfc.summary", default=_NOTHING)
current: Callable[[], State] = _state.get


def say(**values: Any) -> None:
    """Let something hold in this context from now on."""
    traced = context.trace is not None
    _state.set(_state.get()._replace(**{k: Said(v, traced) for k, v in values.items()}))


class saying(ContextDecorator):  # noqa: N801  (used as a function)
    """Lets something hold for a while."""

    def __init__(self, **values: Any) -> None:
        self._values = values
        self._before: list[dict[str, Said]] = []

    def __enter__(self) -> Any:
        before = _state.get()
        self._before.append({name: getattr(before, name) for name in self._values})
        say(**self._values)
        return None

    def __exit__(self, *exception: object) -> None:
        _state.set(_state.get()._replace(**self._before.pop()))


# The step.


def get_step() -> Any:
    """The step of summaries that name none.

    Returns:
        What `set_step` was given, or None.

    >>> import tfc as tf
    >>> with tf.summary.create_noop_writer().as_default(step=3):
    ...     tf.summary.experimental.get_step()
    3
    """
    return current().step.value


def set_step(step: Any) -> None:
    """Set the step of summaries that name none, for this thread.

    Args:
        step: An integer, a scalar tensor or Variable of integers, or None. A Variable is read each
            time that something is recorded.

    Raises:
        TypeError: If it is something else.

    >>> import tfc as tf
    >>> tf.summary.experimental.set_step(5)
    >>> tf.summary.experimental.get_step()
    5
    >>> tf.summary.experimental.set_step(None)
    """
    say(step=None if step is None else checked_step(step))


def checked_step(step: Any) -> Any:
    """A step, or an error that says why it is none."""
    if type(step) is int:
        return step
    if isinstance(step, Held):
        if step.shape.rank not in (0, None) or not step.dtype.is_integer:
            raise blame.type_error(f"a step is an integer, got {shown(step)}", "summary")
        return step
    try:
        found = convert_to_tensor(step)
        if found.shape.rank == 0 and found.dtype.is_integer:
            return int(step)
    except (TypeError, ValueError):
        pass
    raise blame.type_error(f"a step is an integer, got {shown(step)}", "summary")


def number_of(step: Any) -> int:
    """A step that has a value as an integer."""
    if step is None:
        raise blame.located(ValueError, NO_STEP)
    return int(step.read()._array) if isinstance(step, Tensor | Variable) else int(step)


# Whether summaries are recorded.


class record_if(saying):  # noqa: N801
    """Record summaries only where a condition holds: a context, and a decorator.

    Args:
        condition: A bool, a scalar tensor or Variable of bool, or a function of no arguments that
            gives one, which is called for each summary. In a function, one that depends on tensors
            is part of the program.

    >>> import tempfile
    >>> import tfc as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with tf.summary.create_file_writer(folder).as_default():
    ...         for step in range(4):
    ...             with tf.summary.record_if(step % 2 == 0):
    ...                 print(step, tf.summary.scalar("loss", 0.5, step=step).numpy())
    0 True
    1 False
    2 True
    3 False
    """

    def __init__(self, condition: Any) -> None:
        super().__init__(recording=condition)


def resolved(condition: Any) -> Any:
    """A condition as a Python bool, or as the tensor of a function that is being traced."""
    value = condition() if callable(condition) and not isinstance(condition, Held) else condition
    if value is None:
        return True
    if isinstance(value, SymbolicTensor | Variable) and context.trace is not None:
        return convert_to_tensor(value)
    return bool(value)


def should_record_summaries() -> Any:
    """Whether a summary would be recorded here.

    Returns:
        A scalar bool: False where there is no default writer, else what `record_if` says.

    >>> import tfc as tf
    >>> bool(tf.summary.should_record_summaries())
    False
    >>> with tf.summary.create_noop_writer().as_default():
    ...     bool(tf.summary.should_record_summaries())
    False
    """
    state = current()
    writer = state.writer.value
    if writer is None or not writer.records:
        return convert_to_tensor(False)
    return convert_to_tensor(resolved(state.recording.value))


__all__ = [
    "current",
    "get_step",
    "record_if",
    "resolved",
    "saying",
    "set_step",
    "should_record_summaries",
]
