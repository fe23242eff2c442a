"""`tfc.compat.v1`: what stands in graphs, and runs at once where there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import tfc
from tfc.core import blame

from ..graphs.default_graph import get_default_graph, in_graph
from ..graphs.graph import default_session
from ..graphs.trace import current_graph
from ..hints import hint

if TYPE_CHECKING:
    from tfc.core.tensor import Tensor
    from tfc.core.types import DTypeLike, ShapeLike, TensorLike


def placeholder(dtype: Any, shape: Any = None, name: str | None = None) -> Any:
    """A tensor of a graph that is fed when a session runs. Where ops run at once, as in TensorFlow,
    RuntimeError: write a function of the value.

    Args:
        dtype: The dtype.
        shape: Its extents, None for each that is not known. Without it any rank can be fed: there
            is a program for each rank that is.
        name: Its name.

    Returns:
        A tensor.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     print(tf.placeholder(tf.float32, [None, 2], name="x"))
    Tensor("x:0", shape=(None, 2), dtype=float32)
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     y = 2.0 * (x := tf.placeholder(tf.float32))
    ...     print(session.run(y, {x: 1.5}), session.run(y, {x: [1.0, 2.0]}))
    3.0 [2. 4.]
    >>> tf.placeholder(tf.float32)
    Traceback (most recent call last):
    ...
    RuntimeError: tf.placeholder() is not compatible with eager execution. ...
    """
    graph = current_graph()
    if graph is None:
        message = "tf.placeholder() is not compatible with eager execution."
        raise blame.located(RuntimeError, f"{message} Instead, {hint('placeholder')}")
    return graph.placeholder(dtype, shape, name)


def sparse_placeholder(dtype: Any, shape: Any = None, name: str | None = None) -> Any:
    """A sparse tensor of a graph that is fed when a session runs: with a SparseTensorValue, or a
    tuple of places, values and extents. Where ops run at once, as in TensorFlow, RuntimeError.

    Args:
        dtype: The dtype of its values.
        shape: Its extents, None for each that is not known. Without it any rank can be fed.
        name: Its name.

    Returns:
        A SparseTensor.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     x = tf.sparse_placeholder(tf.float32)
    ...     value = tf.SparseTensorValue([[0, 1]], [2.0], [1, 2])
    ...     print(session.run(tf.sparse.to_dense(x), {x: value}))
    [[0. 2.]]
    """
    graph = current_graph()
    if graph is None:
        message = "`sparse_placeholder` is not compatible with eager execution."
        raise blame.located(RuntimeError, f"{message} Instead, {hint('placeholder')}")
    return graph.sparse_placeholder(dtype, shape, name)


def placeholder_with_default(input: TensorLike, shape: Any, name: str | None = None) -> Tensor:
    """A tensor of a graph that may be fed; where ops run at once, the default.

    Args:
        input: The default, a tensor whose elements are known.
        shape: The shapes that it may have: that of `input` is one of them.
        name: Its name.

    Returns:
        A tensor.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.placeholder_with_default([1, 2], [None]))
    tf.Tensor([1 2], shape=(2,), dtype=int32)
    """
    default = tfc.convert_to_tensor(input)
    tfc.TensorShape(shape).assert_is_compatible_with(default.shape)
    graph = current_graph()
    if graph is None:
        return default
    made: Tensor = graph.placeholder(default.dtype, shape, name, np.asarray(default.numpy()))
    return made


def constant(
    value: Any,
    dtype: DTypeLike | None = None,
    shape: ShapeLike | None = None,
    name: str = "Const",
    verify_shape: bool = False,
) -> Any:
    """As tfc.constant; in a graph, a tensor of it.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.constant(1.0, shape=[2]))
    tf.Tensor([1. 1.], shape=(2,), dtype=float32)
    """
    made = tfc.constant(value, dtype, shape)
    return in_graph(lambda graph: graph.constant(made, name), lambda: made)


def identity(input: Any, name: str | None = None) -> Any:
    """The same values as another tensor: in a graph, by an op that control dependencies can hold
    back; else as tfc.identity.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.identity(1.0))
    tf.Tensor(1.0, shape=(), dtype=float32)
    """
    return in_graph(lambda graph: graph.copy(input, name), lambda: tfc.identity(input))


def group(*inputs: Any, name: str | None = None, **unused: Any) -> Any:
    """An operation that runs others; None where ops run at once.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     print(tf.group(tf.constant(1.0), name="all"))
    <tf.Operation 'all' type=NoOp>
    """
    return in_graph(lambda graph: graph.group(tfc.nest.flatten(inputs), name), lambda: None)


def no_op(name: str | None = None) -> Any:
    """An operation that does nothing; None where ops run at once.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     print(tf.no_op())
    <tf.Operation 'NoOp' type=NoOp>
    """
    return in_graph(lambda graph: graph.group((), name or "NoOp"), lambda: None)


def control_dependencies(control_inputs: Any) -> Any:
    """What is made inside runs after `control_inputs`, in a graph; as tfc.control_dependencies
    where ops run at once.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     v = tf.Variable(1.0)
    ...     with tf.control_dependencies([tf.assign_add(v, 2.0)]):
    ...         after = tf.identity(v)
    ...     session.run(v.initializer)
    ...     print(session.run(after))
    3.0
    """
    return in_graph(
        lambda graph: graph.control_dependencies(control_inputs),
        lambda: tfc.control_dependencies(control_inputs),
    )


def get_collection(key: str, scope: str | None = None) -> list[Any]:
    """What a collection of the default graph holds."""
    return get_default_graph().get_collection(key, scope)


def add_to_collection(name: str, value: Any) -> None:
    """Add something to a collection of the default graph."""
    get_default_graph().add_to_collection(name, value)


def get_default_session() -> Any:
    """The session that is the default one; None if there is none."""
    return default_session()
