"""From a summary to its writer: at once, or, in a function, when the program gets there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np

from tfc.ir.dtypes import bool_

from ..control_flow.branches import cond
from ..core import blame
from ..core import context as contexts
from ..core.context import context
from ..core.conversion import convert_to_tensor
from ..core.formatting import shown
from ..core.placement import moved
from ..core.scopes import name_scope
from ..core.tensor import SymbolicTensor, Tensor, wrap
from ..core.variable import Variable
from ..records import wire
from ..records.event import Summary, SummaryMetadata
from .effects import effect
from .encoding import summary_of
from .state import NO_STEP, Said, checked_step, current, number_of, resolved

_NO_SCOPE = re.compile(r"[^-_/.A-Za-z0-9]")
_SUMMARY, _GRAPH = 5, 4  # fields of Event
Build = Callable[..., bytes]  # from arrays to the fields of an event


@cache
def _constant(value: bool) -> Tensor:
    return wrap(np.array(value))


def tag_of(name: Any, default: str = "summary") -> str:
    """The tag of a summary: its name behind those of the scopes around."""
    if isinstance(name, bytes):
        name = name.decode()
    if not isinstance(name, str | None):
        raise blame.type_error(f"a summary's name is a string, got {shown(name)}", "summary")
    return contexts.current().names + (name or default)


@contextmanager
def summary_scope(
    name: str | None, default_name: str = "summary", values: Any = None
) -> Iterator[tuple[str, str]]:
    """The tag of a summary of one's own kind, and a name scope for the ops that make it.

    Args:
        default_name: The name where `name` is None.
        values: Not used.

    Returns:
        A context, which gives the pair of tag and scope.

    >>> import tfc as tf
    >>> with tf.name_scope("layer"):
    ...     with tf.summary.experimental.summary_scope("my loss") as (tag, scope):
    ...         print(tag, scope)
    layer/my loss layer/myloss/
    """
    tag = tag_of(name, default_name)
    with name_scope(_NO_SCOPE.sub("", name or "") or default_name) as scope:
        yield tag, scope


def record(build: Build, tensors: Sequence[Any], step: Any) -> Any:
    """Write what `build` makes of the arrays of `tensors`.

    Args:
        build: Gives the fields of an event but for its time and step. In functions it is called
            when the program runs.
        tensors: What it takes.
        step: A step, or None for the default one.

    Returns:
        A scalar bool: whether it was written.
    """
    state = current()
    step = None if step is None else checked_step(step)
    writer = state.writer.value
    if writer is None or not writer.records:
        return convert_to_tensor(False)
    if context.trace is not None:
        return _in_program(build, tensors, state.step if step is None else Said(step, True))
    if not resolved(state.recording.value):
        return _constant(False)
    number = number_of(state.step.value if step is None else step)
    writer.put(build(*(moved(t.read()._array, None) for t in tensors)), number)
    return _constant(True)


def _in_program(build: Build, tensors: Sequence[Any], step: Said) -> Any:
    """Let the function that is being traced write. What was said outside of it is looked up when
    it runs, but for what tensors and Variables of its own tell."""
    state = current()
    if step.value is None:
        raise blame.located(ValueError, NO_STEP)
    # What is no tensor of the program is known already.
    given = [t if isinstance(t, SymbolicTensor | Variable) else t._array for t in tensors]
    traced: list[Any] = [t for t in given if not isinstance(t, np.ndarray)]
    counted = isinstance(step.value, SymbolicTensor | Variable)
    if counted:
        traced.append(convert_to_tensor(step.value))
    condition = resolved(state.recording.value)
    decided = isinstance(condition, SymbolicTensor)

    def run(*arrays: np.ndarray) -> np.bool_:
        here = current()
        writer = state.writer.value if state.writer.traced else here.writer.value
        if writer is None or not writer.records:
            return np.False_
        if not decided:
            said = condition if state.recording.traced else here.recording.value
            if not resolved(said):
                return np.False_
        found = iter(arrays)
        values = [t if isinstance(t, np.ndarray) else next(found) for t in given]
        if counted:
            number = int(next(found))
        else:
            number = number_of(step.value if step.traced else here.step.value)
        writer.put(build(*values), number)
        return np.True_

    def write() -> Any:
        return effect("summary", run, traced, [bool_])[0]

    return cond(condition, write, lambda: convert_to_tensor(False)) if decided else write()


def event_of_summary(summary: bytes) -> bytes:
    """The field of an event that is a summary, from the serialised `Summary`."""
    return wire.block(_SUMMARY, summary)


def event_of_graph(graph: bytes) -> bytes:
    """The field of an event that is a graph, from the serialised `GraphDef`."""
    return wire.block(_GRAPH, graph)


def write(
    tag: str, tensor: Any, step: Any = None, metadata: Any = None, name: str | None = None
) -> Any:
    """Write a tensor as a summary: what the other functions of this module are made of.

    Args:
        tag: What TensorBoard shows it as.
        tensor: A tensor, or a function of no arguments that gives one, which is called only where
            something is recorded.
        step: The step, an integer; by default that of `tf.summary.experimental.set_step`.
        metadata: A `SummaryMetadata`, or its bytes: which part of TensorBoard shows it, and how.

    Returns:
        A scalar bool: whether it was written. It is not where there is no default writer, or
        `record_if` says no.

    Raises:
        ValueError: If there is a writer, and no step.

    >>> import tempfile
    >>> import tfc as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with tf.summary.create_file_writer(folder).as_default():
    ...         print(bool(tf.summary.write("mine", tf.range(3), step=0)))
    True
    """
    if isinstance(tag, bytes):
        tag = tag.decode()
    if not isinstance(tag, str):
        raise blame.type_error(f"a tag is a string, got {shown(tag)}", "summary.write")
    details = metadata_bytes(metadata)

    def build(*arrays: np.ndarray) -> bytes:
        array = arrays[0] if arrays else convert_to_tensor(tensor()).read()._array
        return event_of_summary(summary_of(tag, array, details))

    if callable(tensor) and not isinstance(tensor, Tensor | Variable):
        if context.trace is None:
            return record(build, (), step)
        tensor = tensor()
    return record(build, (convert_to_tensor(tensor),), step)


def metadata_bytes(metadata: Any) -> bytes:
    """The serialised metadata of a summary."""
    if metadata is None:
        return b""
    if hasattr(metadata, "SerializeToString"):
        return bytes(metadata.SerializeToString())
    if isinstance(metadata, bytes):
        return metadata
    raise blame.type_error(f"metadata is a SummaryMetadata, got {shown(metadata)}", "summary.write")


def write_raw_pb(tensor: Any, step: Any = None, name: str | None = None) -> Any:
    """Write a serialised `tf.compat.v1.Summary`.

    Args:
        tensor: The bytes: a Python string of bytes, or a scalar.
        step: The step; by default that of `set_step`.

    Returns:
        A scalar bool: whether it was written.

    Raises:
        ValueError: If there is a writer, and no step.
        DataLossError: If the bytes are no `Summary`.

    >>> import tempfile
    >>> import tfc as tf
    >>> summary = tf.compat.v1.Summary(value=[{"tag": "loss", "simple_value": 0.5}])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with tf.summary.create_file_writer(folder).as_default():
    ...         print(bool(tf.summary.experimental.write_raw_pb(summary.SerializeToString(), 0)))
    True
    """

    def build(array: np.ndarray) -> bytes:
        data = bytes(array.item())
        Summary.FromString(data)
        return event_of_summary(data)

    return record(build, (convert_to_tensor(tensor),), step)


def plugin(name: str, description: str | None, content: bytes = b"") -> bytes:
    """The serialised metadata of a summary that a part of TensorBoard shows."""
    return _plugin(name, description or "", content)


@cache
def _plugin(name: str, description: str, content: bytes) -> bytes:
    data = {"plugin_name": name, "content": content or None}
    made = SummaryMetadata(plugin_data=data, summary_description=description or None)
    return made.SerializeToString()


def texts(parts: list[bytes]) -> np.ndarray:
    """A vector of strings."""
    found = np.empty(len(parts), object)
    found[:] = parts
    return found
