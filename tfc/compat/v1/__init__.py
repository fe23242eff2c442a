"""`tfc.compat.v1`: TensorFlow 1's names. Ops run at once, or, inside of `Graph().as_default()` and
behind `disable_eager_execution()`, are appended to a graph whose slices sessions run: see `graphs`.
What is named as in `tfc` is taken from there.

>>> import tfc.compat.v1 as tf
>>> tf.enable_eager_execution()
>>> print(tf.reduce_sum([[1.0, 2.0]], reduction_indices=[1], keep_dims=True))
tf.Tensor([[3.]], shape=(1, 1), dtype=float32)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import tfc as _tfc
from tfc.core import blame as _blame
from tfc.core.dimension import Dimension
from tfc.records.event import (
    Event,
    HistogramProto,
    LogMessage,
    SessionLog,
    Summary,
    SummaryMetadata,
)
from tfc.records.graph import AttrValue, GraphDef, NodeDef, RunMetadata

from ..graphs import graph as _graphs
from ..graphs import variables as _variables
from ..graphs.graph import (
    Graph,
    GraphKeys,
    Operation,
    disable_eager_execution,
    get_default_graph,
    reset_default_graph,
)
from ..graphs.session import InteractiveSession, Session
from ..graphs.variables import (
    AUTO_REUSE,
    VariableScope,
    get_variable_scope,
    global_variables,
    global_variables_initializer,
    local_variables,
    local_variables_initializer,
    trainable_variables,
    variable_scope,
    variables_initializer,
)
from ..hints import _RENAMED
from ..hints import hint as _hint
from . import (
    data,
    gfile,
    io,
    losses,
    nn,
    summary,
    train,
)
from . import io as python_io
from .config_proto import ConfigProto, GPUOptions

if TYPE_CHECKING:
    from tfc.core.tensor import Tensor
    from tfc.core.types import AxisLike, DTypeLike, ShapeLike, TensorLike
    from tfc.core.variable import Variable


def enable_eager_execution(*args: Any, **kwargs: Any) -> None:
    """Nothing to do: ops run at once from the start. Any arguments are taken.

    Args:
        *args: Not used.
        **kwargs: Not used.

    >>> import tfc.compat.v1 as tf
    >>> tf.enable_eager_execution()
    >>> tf.executing_eagerly()
    True

    Raises:
        ValueError: If ops are appended to a graph already.
    """
    if _graphs.current_graph() is not None:
        raise ValueError("tf.enable_eager_execution must be called at program startup.")


def enable_v2_behavior() -> None:
    """Nothing to do: it is TensorFlow 2's.

    >>> import tfc.compat.v1 as tf
    >>> tf.enable_v2_behavior()
    >>> print(tf.square(3.0))
    tf.Tensor(9.0, shape=(), dtype=float32)
    """


enable_resource_variables = enable_v2_tensorshape = enable_tensor_equality = enable_v2_behavior


def get_variable(
    name: str,
    shape: ShapeLike | None = None,
    dtype: DTypeLike | None = None,
    initializer: Any = None,
    regularizer: Any = None,
    trainable: bool | None = None,
    collections: Sequence[str] | None = None,
    **unused: Any,
) -> Variable:
    """A Variable. Floats start from Glorot's uniform distribution, others from zeros, where no
    `initializer` (a callable of shape and dtype, or a tensor) is given. In a graph, scopes may find
    one of the same name again (see `variable_scope`); eagerly it is always a new one.

    >>> import tfc.compat.v1 as tf
    >>> v = tf.get_variable("counts", [2, 2], tf.int32)
    >>> v.name, v.numpy().tolist()
    ('counts:0', [[0, 0], [0, 0]])
    """
    graph = _graphs.current_graph()
    if graph is None:
        return _new_variable(name, shape, dtype, initializer, trainable)
    first = initializer
    if first is None:
        first = _variables.get_variable_scope().initializer

    def make() -> Variable:
        return _new_variable(name, shape, dtype, first, trainable)

    made: Variable = _variables.get_variable(graph, make, name, shape, regularizer, collections)
    return made


def _new_variable(name: str, shape: Any, dtype: Any, initializer: Any, trainable: Any) -> Variable:
    kind = _tfc.as_dtype(dtype or "float32")
    if isinstance(initializer, type):
        initializer = initializer()
    if initializer is None:
        known = _tfc.TensorShape(shape)
        if not known.is_fully_defined():
            text = f"the shape of a new variable ({name}) must be fully defined, but is {known}"
            raise _blame.value_error(text, "get_variable")
        extents: Any = known.as_list()
        if kind.is_floating:
            receptive = 1
            for extent in extents[:-2]:
                receptive *= extent
            fans = [receptive * e for e in (extents[-2:] * 2)[:2]] or [1, 1]
            limit = (6.0 / max(1, sum(fans))) ** 0.5
            value = _tfc.random.uniform(extents, -limit, limit, kind)
        else:
            value = _tfc.zeros(extents, kind)
    elif callable(initializer):
        value = initializer(shape, dtype=kind)
    else:
        value = _tfc.convert_to_tensor(initializer, dtype)
    return _tfc.Variable(value, trainable=trainable, name=name)


def assign(ref: Variable, value: TensorLike, **unused: Any) -> Any:
    """Give a Variable another value.

    >>> import tfc.compat.v1 as tf
    >>> v = tf.Variable(1.0)
    >>> print(tf.assign(v, 5.0).numpy())
    5.0
    """
    return ref.assign(value)


def assign_add(ref: Variable, value: TensorLike, **unused: Any) -> Any:
    """Add to the value of a Variable.

    >>> import tfc.compat.v1 as tf
    >>> v = tf.Variable(1.0)
    >>> print(tf.assign_add(v, 5.0).numpy())
    6.0
    """
    return ref.assign_add(value)


def assign_sub(ref: Variable, value: TensorLike, **unused: Any) -> Any:
    """Subtract from the value of a Variable.

    >>> import tfc.compat.v1 as tf
    >>> v = tf.Variable(1.0)
    >>> print(tf.assign_sub(v, 5.0).numpy())
    -4.0
    """
    return ref.assign_sub(value)


def _scattered(kind: str, shown: str) -> Callable[..., Any]:
    def scatter(
        ref: Variable,
        indices: TensorLike,
        updates: TensorLike,
        use_locking: bool = False,
        name: str | None = None,
    ) -> Any:
        rows = _tfc.IndexedSlices(
            _tfc.convert_to_tensor(updates, ref.dtype), _tfc.convert_to_tensor(indices)
        )
        return getattr(ref, kind)(rows)

    scatter.__name__ = scatter.__qualname__ = kind
    scatter.__doc__ = f"""As the method `{kind}` of Variables, of rows and their numbers.

    >>> import tfc.compat.v1 as tf
    >>> v = tf.Variable([1, 2, 3])
    >>> tf.{kind}(v, [0, 2], [5, 5]).numpy().tolist()
    {shown}
    """
    return scatter


scatter_update = _scattered("scatter_update", "[5, 2, 5]")
scatter_add = _scattered("scatter_add", "[6, 2, 8]")
scatter_sub = _scattered("scatter_sub", "[-4, 2, -2]")


def _reduction(name: str, x: str, shown: str) -> Callable[..., Any]:
    function = getattr(_tfc, name)

    def reduce(
        input_tensor: TensorLike,
        axis: AxisLike | None = None,
        keepdims: bool | None = None,
        name: str | None = None,
        reduction_indices: AxisLike | None = None,
        keep_dims: bool | None = None,
    ) -> Tensor:
        axis = reduction_indices if axis is None else axis
        return function(input_tensor, axis, bool(keep_dims if keepdims is None else keepdims))

    reduce.__name__ = reduce.__qualname__ = name
    reduce.__doc__ = f"""As tfc.{name}, with TensorFlow 1's argument names too.

    >>> import tfc.compat.v1 as tf
    >>> tf.{name}({x}, reduction_indices=[1]).numpy().tolist()
    {shown}
    """
    return reduce


reduce_all = _reduction("reduce_all", "[[True, False]]", "[False]")
reduce_any = _reduction("reduce_any", "[[True, False]]", "[True]")
reduce_max = _reduction("reduce_max", "[[1, 3, 2]]", "[3]")
reduce_min = _reduction("reduce_min", "[[1, 3, 2]]", "[1]")
reduce_mean = _reduction("reduce_mean", "[[1.0, 3.0, 2.0]]", "[2.0]")
reduce_prod = _reduction("reduce_prod", "[[1, 3, 2]]", "[6]")
reduce_sum = _reduction("reduce_sum", "[[1, 3, 2]]", "[6]")
reduce_logsumexp = _reduction("reduce_logsumexp", "[[0.0]]", "[0.0]")


def argmax(
    input: TensorLike,
    axis: AxisLike | None = None,
    name: str | None = None,
    dimension: AxisLike | None = None,
    **more: Any,
) -> Tensor:
    """As tfc.argmax, with TensorFlow 1's argument names too.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.argmax([[1.0, 3.0, 2.0]], dimension=1))
    tf.Tensor([1], shape=(1,), dtype=int64)
    """
    return _tfc.argmax(input, dimension if axis is None else axis, **more)


def argmin(
    input: TensorLike,
    axis: AxisLike | None = None,
    name: str | None = None,
    dimension: AxisLike | None = None,
    **more: Any,
) -> Tensor:
    """As tfc.argmin, with TensorFlow 1's argument names too.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.argmin([[1.0, 3.0, 2.0]], dimension=1))
    tf.Tensor([0], shape=(1,), dtype=int64)
    """
    return _tfc.argmin(input, dimension if axis is None else axis, **more)


def expand_dims(
    input: TensorLike, axis: int | None = None, name: str | None = None, dim: int | None = None
) -> Tensor:
    """As tfc.expand_dims, with TensorFlow 1's argument names too.

    >>> import tfc.compat.v1 as tf
    >>> tf.expand_dims([1.0, 2.0], dim=0).shape
    TensorShape([1, 2])
    """
    place: Any = dim if axis is None else axis
    return _tfc.expand_dims(input, place)


def squeeze(
    input: TensorLike,
    axis: AxisLike | None = None,
    name: str | None = None,
    squeeze_dims: AxisLike | None = None,
) -> Tensor:
    """As tfc.squeeze, with TensorFlow 1's argument names too.

    >>> import tfc.compat.v1 as tf
    >>> tf.squeeze(tf.zeros([1, 2, 1]), squeeze_dims=[0]).shape
    TensorShape([2, 1])
    """
    return _tfc.squeeze(input, squeeze_dims if axis is None else axis)


def to_float(x: TensorLike, name: str | None = None) -> Tensor:
    """x as float32.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.to_float([1, 2]))
    tf.Tensor([1. 2.], shape=(2,), dtype=float32)
    """
    return _tfc.cast(x, "float32")


def to_double(x: TensorLike, name: str | None = None) -> Tensor:
    """x as float64.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.to_double([1, 2]))
    tf.Tensor([1. 2.], shape=(2,), dtype=float64)
    """
    return _tfc.cast(x, "float64")


def to_int32(x: TensorLike, name: str | None = None) -> Tensor:
    """x as int32; floats are cut off towards 0.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.to_int32([1.9, -1.9]))
    tf.Tensor([ 1 -1], shape=(2,), dtype=int32)
    """
    return _tfc.cast(x, "int32")


def to_int64(x: TensorLike, name: str | None = None) -> Tensor:
    """x as int64; floats are cut off towards 0.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.to_int64([1.9, -1.9]))
    tf.Tensor([ 1 -1], shape=(2,), dtype=int64)
    """
    return _tfc.cast(x, "int64")


def div(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """x / y; of integers, rounded down.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.div([7, -7], 2), tf.div(7.0, 2.0))
    tf.Tensor([ 3 -4], shape=(2,), dtype=int32) tf.Tensor(3.5, shape=(), dtype=float32)
    """
    x = _tfc.convert_to_tensor(x)
    return _tfc.math.floordiv(x, y) if x.dtype.is_integer else _tfc.divide(x, y)


def py_func(
    func: Callable[..., Any],
    inp: Sequence[TensorLike],
    Tout: Any,
    stateful: bool = True,
    name: str | None = None,
) -> Any:
    """`tf.numpy_function`: a Python function of arrays as an op.

    >>> import numpy as np
    >>> import tfc.compat.v1 as tf
    >>> print(tf.py_func(np.sin, [0.0], tf.float32))
    tf.Tensor(0.0, shape=(), dtype=float32)
    """
    return _tfc.numpy_function(func, inp, Tout, stateful)


class SparseTensorValue(NamedTuple):
    """The parts of a sparse tensor as arrays."""

    indices: Any
    values: Any
    dense_shape: Any


def convert_to_tensor_or_sparse_tensor(
    value: Any, dtype: DTypeLike | None = None, name: str | None = None
) -> Any:
    """A sparse tensor as it is (also one of its parts), anything else as a tensor."""
    if isinstance(value, SparseTensorValue):
        return _tfc.SparseTensor(*value)
    return value if isinstance(value, _tfc.SparseTensor) else _tfc.convert_to_tensor(value, dtype)


def _instead(name: str, text: str) -> Callable[..., Any]:
    def missing(*args: Any, **kwargs: Any) -> Any:
        raise _blame.unimplemented(f"tf.{name} is not here: {text}", name)

    missing.__name__ = missing.__qualname__ = name
    missing.__doc__ = f"Raises: {text}."
    missing.missing = True  # type: ignore[attr-defined]  # for tools.coverage
    return missing


def placeholder(dtype: Any, shape: Any = None, name: str | None = None) -> Any:
    """A tensor of a graph that is fed when a session runs. Where ops run at once, as in TensorFlow,
    RuntimeError: write a function of the value.

    Args:
        dtype: The dtype.
        shape: Its extents, None for each that is not known.
        name: Its name.

    Returns:
        A tensor.

    Unlike TensorFlow, what says no shape at all is a scalar: a rank must be known.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     print(tf.placeholder(tf.float32, [None, 2], name="x"))
    Tensor("x:0", shape=(None, 2), dtype=float32)
    >>> tf.placeholder(tf.float32)
    Traceback (most recent call last):
    ...
    RuntimeError: tf.placeholder() is not compatible with eager execution. ...
    """
    graph = _graphs.current_graph()
    if graph is None:
        message = "tf.placeholder() is not compatible with eager execution."
        raise _blame.located(RuntimeError, f"{message} Instead, {_hint('placeholder')}")
    return graph.placeholder(dtype, () if shape is None else shape, name)


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
    default = _tfc.convert_to_tensor(input)
    _tfc.TensorShape(shape).assert_is_compatible_with(default.shape)
    graph = _graphs.current_graph()
    if graph is None:
        return default
    made: Tensor = graph.placeholder(default.dtype, shape, name, default.numpy())
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
    made = _tfc.constant(value, dtype, shape)
    return _graphs.in_graph(lambda graph: graph.constant(made), lambda: made)


def truncated_normal_initializer(
    mean: float = 0.0, stddev: float = 1.0, seed: int | None = None, dtype: DTypeLike = "float32"
) -> Callable[..., Any]:
    """What makes tensors of normal numbers, of which none is further than two deviations from the
    mean.

    >>> import tfc.compat.v1 as tf
    >>> bool(tf.reduce_max(tf.truncated_normal_initializer(stddev=0.1)([100])) <= 0.2)
    True
    """

    def initializer(shape: Any, dtype: Any = dtype, partition_info: Any = None) -> Any:
        return _tfc.random.truncated_normal(shape, mean, stddev, dtype, seed)

    return initializer


def identity(input: Any, name: str | None = None) -> Any:
    """The same values as another tensor: in a graph, by an op that control dependencies can hold
    back; else as tfc.identity.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.identity(1.0))
    tf.Tensor(1.0, shape=(), dtype=float32)
    """
    return _graphs.in_graph(lambda graph: graph.copy(input, name), lambda: _tfc.identity(input))


def group(*inputs: Any, name: str | None = None, **unused: Any) -> Any:
    """An operation that runs others; None where ops run at once.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     print(tf.group(tf.constant(1.0), name="all"))
    <tf.Operation 'all' type=NoOp>
    """
    return _graphs.in_graph(
        lambda graph: graph.group(_tfc.nest.flatten(inputs), name), lambda: None
    )


def no_op(name: str | None = None) -> Any:
    """An operation that does nothing; None where ops run at once.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     print(tf.no_op())
    <tf.Operation 'NoOp' type=NoOp>
    """
    return _graphs.in_graph(lambda graph: graph.group((), name or "NoOp"), lambda: None)


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
    return _graphs.in_graph(
        lambda graph: graph.control_dependencies(control_inputs),
        lambda: _tfc.control_dependencies(control_inputs),
    )


def get_collection(key: str, scope: str | None = None) -> list[Any]:
    """What a collection of the default graph holds."""
    return get_default_graph().get_collection(key, scope)


def add_to_collection(name: str, value: Any) -> None:
    """Add something to a collection of the default graph."""
    get_default_graph().add_to_collection(name, value)


def get_default_session() -> Any:
    """The session that is the default one; None if there is none."""
    return _graphs.default_session()


def set_random_seed(seed: int | None) -> None:
    """Begin all random streams anew, as tfc.random.set_seed; those of a graph that were made
    before go on from there.

    >>> import tfc.compat.v1 as tf
    >>> tf.set_random_seed(1)
    """
    with _tfc.init_scope():
        _tfc.random.set_seed(seed)


def disable_v2_behavior() -> None:
    """As `disable_eager_execution`."""
    disable_eager_execution()


def where(condition: TensorLike, x: Any = None, y: Any = None, name: str | None = None) -> Tensor:
    """As tfc.where; a condition that is a vector chooses among rows of `x` and `y`.

    >>> import tfc.compat.v1 as tf
    >>> tf.where([True, False], tf.ones([2, 2]), tf.zeros([2, 2])).numpy().tolist()
    [[1.0, 1.0], [0.0, 0.0]]
    """
    if x is None or y is None:
        return _tfc.where(condition, x, y)
    chosen, x = _tfc.convert_to_tensor(condition), _tfc.convert_to_tensor(x)
    if len(chosen.shape) == 1 < len(x.shape):
        for _ in x.shape[1:]:
            chosen = _tfc.expand_dims(chosen, -1)
    return _tfc.where(chosen, x, y)


_MODULES = {"app", "data", "estimator", "feature_column", "flags"}
_MODULES |= {"layers"}


def batch_gather(params: Any, indices: Any, name: str | None = None) -> Any:
    """Elements of each row, by the numbers in the same row of `indices`.

    Args:
        params: A tensor, dense or ragged.
        indices: A tensor of integers, dense or ragged, with the same first axes.

    Returns:
        A tensor of the elements.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.batch_gather([[1, 2], [3, 4]], [[1], [0]]))
    tf.Tensor(
    [[2]
     [3]], shape=(2, 1), dtype=int32)
    """
    return _tfc.gather(params, indices, batch_dims=-1)


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    if name.startswith("assert_"):
        return getattr(_tfc.debugging, name)
    found: Any = _tfc
    for part in _RENAMED.get(name, name).split("."):
        found = getattr(found, part, None)
    if found is not None:
        return found
    text = _hint(name)
    if text is not None and name not in _MODULES:
        return _instead(name, text)
    more = f": {text}" if text else ""
    raise AttributeError(f"module 'tfc.compat.v1' has no attribute {name!r}{more}")
