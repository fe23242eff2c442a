"""`tfc.compat.v1`: Variables that are got by name, and how they are assigned to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

import tfc
from tfc.core import blame
from tfc.core.variable_creation import VariableType

from ..graphs import variables
from ..graphs.default_graph import get_default_graph
from ..graphs.graph import GraphKeys
from ..graphs.iterators import running_session
from ..graphs.trace import current_graph
from .control_flow import operation_of
from .graph_ops import control_dependencies, identity
from .initializers import glorot_uniform_initializer

if TYPE_CHECKING:
    from tfc.core.types import DTypeLike, ShapeLike, TensorLike


class _Variables(VariableType):
    """What calls of `Variable` make: TensorFlow 2's, of TensorFlow 1's arguments."""

    def __call__(
        self,
        initial_value: Any = None,
        trainable: bool | None = None,
        collections: Sequence[str] | None = None,
        validate_shape: bool = True,
        caching_device: Any = None,
        name: str | None = None,
        variable_def: Any = None,
        dtype: Any = None,
        expected_shape: Any = None,
        import_scope: str | None = None,
        constraint: Any = None,
        use_resource: bool | None = None,
        synchronization: Any = tfc.VariableSynchronization.AUTO,
        aggregation: Any = tfc.VariableAggregation.NONE,
        shape: Any = None,
    ) -> Any:
        with variables.in_collections(collections):
            return tfc.Variable(
                initial_value,
                trainable,
                name=name,
                dtype=dtype,
                constraint=constraint,
                synchronization=synchronization,
                aggregation=aggregation,
                shape=shape,
            )

    def __instancecheck__(self, x: Any) -> bool:
        return isinstance(x, tfc.Variable)


class Variable(tfc.Variable, metaclass=_Variables):
    """As tfc.Variable, with TensorFlow 1's arguments.

    Args:
        initial_value: The first value, or a callable that gives it.
        trainable: Whether it is trained.
        collections: The graph's collections that it is added to; None: the usual ones.
        validate_shape: Not used, as are the arguments that are not named here.
        name: A name.
        dtype: The dtype; None: that of the value.
        constraint: What is applied to it after steps of training.
        shape: The shapes that it takes.

    >>> import tfc.compat.v1 as tf
    >>> v = tf.Variable(1.0, use_resource=True)
    >>> isinstance(v, tf.Variable), float(v)
    (True, 1.0)
    """


def is_variable_initialized(variable: Any) -> Any:
    """Whether a Variable has a value in the session: a bool scalar; True where ops run at once.

    >>> import tfc.compat.v1 as tf
    >>> print(tf.is_variable_initialized(tf.Variable(1.0)).numpy())
    True
    """
    return tfc.equal(tfc.size(report_uninitialized_variables([variable])), 0)


def report_uninitialized_variables(
    var_list: Sequence[Any] | None = None, name: str = "report_uninitialized_variables"
) -> Any:
    """The names of Variables that have no value in the session.

    Args:
        var_list: Variables; None: those of the graph, the local ones too.
        name: Not used.

    Returns:
        A vector of strings.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default(), tf.Session() as session:
    ...     v = tf.Variable(1.0, name="v")
    ...     names = tf.report_uninitialized_variables()
    ...     print(session.run(names))
    [b'v']
    """
    whole = variables.global_variables() + variables.local_variables()
    given = whole if var_list is None else list(var_list)

    def missing() -> np.ndarray:
        session = running_session()
        names = [v.op_name.encode() for v in given if session is None or not session.has(v)]
        return np.array(names, object)

    if current_graph() is None:
        return tfc.constant([], tfc.string)
    found = tfc.numpy_function(missing, [], tfc.string)
    found.set_shape([None])
    return found


def assert_variables_initialized(var_list: Sequence[Any] | None = None) -> Any:
    """An operation that fails where a Variable has no value in the session; None where ops run at
    once.

    Raises:
        FailedPreconditionError: When it runs, and there is one.
    """
    names = report_uninitialized_variables(var_list)
    return operation_of(
        lambda: tfc.debugging.assert_equal(tfc.size(names), 0, "a Variable has no value"),
        "assert_variables_initialized",
    )


def count_up_to(ref: Any, limit: int, name: str | None = None) -> Any:
    """Count a Variable up by one.

    Args:
        ref: A Variable of integers.
        limit: What it may reach.
        name: Not used.

    Returns:
        Its value before.

    Raises:
        OutOfRangeError: If it has reached the limit.

    >>> import tfc.compat.v1 as tf
    >>> v = tf.Variable(0)
    >>> print(tf.count_up_to(v, 3), v.numpy())
    tf.Tensor(0, shape=(), dtype=int32) 1
    """

    def checked(value: Any) -> Any:
        if value >= limit:
            raise tfc.errors.OutOfRangeError(f"Reached limit of {limit}", op="count_up_to")
        return value

    before = tfc.numpy_function(checked, [ref], ref.dtype)
    before.set_shape([])
    with control_dependencies([before, ref.assign(before + 1)]):
        return identity(before)


def add_to_collections(names: Any, value: Any) -> None:
    """Add something to several collections of the default graph.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     tf.add_to_collections(["a", "b"], 7)
    ...     print(tf.get_collection("b"))
    [7]
    """
    get_default_graph().add_to_collections(names, value)


def get_collection_ref(key: str) -> list[Any]:
    """The list behind a collection of the default graph.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     tf.get_collection_ref("a").append(7)
    ...     print(tf.get_collection("a"))
    [7]
    """
    found: list[Any] = get_default_graph().get_collection_ref(key)
    return found


def get_local_variable(name: str, *args: Any, **kwargs: Any) -> Variable:
    """As `get_variable`, of a Variable that is local, and not trained.

    >>> import tfc.compat.v1 as tf
    >>> tf.get_local_variable("count", [], tf.int32).trainable
    False
    """
    kwargs.setdefault("trainable", False)
    kwargs.setdefault("collections", [GraphKeys.LOCAL_VARIABLES])
    return get_variable(name, *args, **kwargs)


def make_template(
    name_: str,
    func_: Callable[..., Any],
    create_scope_now_: bool = False,
    unique_name_: str | None = None,
    custom_getter_: Any = None,
    **kwargs: Any,
) -> Callable[..., Any]:
    """A function whose calls share the Variables that `get_variable` makes in the first one.

    Args:
        name_: The name of the scope that they are in.
        func_: A function.
        create_scope_now_: Not used: the scope is made in the first call.
        unique_name_: The name of the scope if it must be that one.
        custom_getter_: Not used.
        **kwargs: Arguments of all calls.

    Returns:
        A function.

    >>> import tfc.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     scaled = tf.make_template("scaled", lambda x: x * tf.get_variable("w", []))
    ...     _ = scaled(1.0), scaled(2.0)
    ...     print([v.name for v in tf.global_variables()])
    ['scaled/w:0']
    """
    scopes: list[Any] = []

    def call(*args: Any, **more: Any) -> Any:
        if not scopes:
            made = variables.variable_scope(unique_name_, default_name=name_)
            with made as scope:
                found = func_(*args, **{**kwargs, **more})
            scopes.append(scope)
            return found
        with variables.variable_scope(scopes[0], reuse=True):
            return func_(*args, **{**kwargs, **more})

    return call


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
    graph = current_graph()
    if graph is None:
        return _new_variable(name, shape, dtype, initializer, trainable)
    first = initializer
    if first is None:
        first = variables.get_variable_scope().initializer

    def make() -> Variable:
        return _new_variable(name, shape, dtype, first, trainable)

    made: Variable = variables.get_variable(graph, make, name, shape, regularizer, collections)
    return made


def _new_variable(name: str, shape: Any, dtype: Any, initializer: Any, trainable: Any) -> Any:
    kind = tfc.as_dtype(dtype or "float32")
    if isinstance(initializer, type):
        initializer = initializer()
    if initializer is None:
        known = tfc.TensorShape(shape)
        if not known.is_fully_defined():
            text = f"the shape of a new variable ({name}) must be fully defined, but is {known}"
            raise blame.value_error(text, "get_variable")
        extents: Any = known.as_list()
        if kind.is_floating:
            value = glorot_uniform_initializer()(extents, kind)
        else:
            value = tfc.zeros(extents, kind)
    elif callable(initializer):
        value = initializer(shape, dtype=kind)
    else:
        value = tfc.convert_to_tensor(initializer, dtype)
    return tfc.Variable(value, trainable=trainable, name=name)


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


def _scattered(kind: str, shown: str, start: str = "[1, 2, 3]") -> Callable[..., Any]:
    def scatter(
        ref: Variable,
        indices: TensorLike,
        updates: TensorLike,
        use_locking: bool = False,
        name: str | None = None,
    ) -> Any:
        rows = tfc.IndexedSlices(
            tfc.convert_to_tensor(updates, ref.dtype), tfc.convert_to_tensor(indices)
        )
        return getattr(ref, kind)(rows)

    scatter.__name__ = scatter.__qualname__ = kind
    scatter.__doc__ = f"""As the method `{kind}` of Variables, of rows and their numbers.

    >>> import tfc.compat.v1 as tf
    >>> v = tf.Variable({start})
    >>> tf.{kind}(v, [0, 2], [5, 5]).numpy().tolist()
    {shown}
    """
    return scatter


scatter_update = _scattered("scatter_update", "[5, 2, 5]")
scatter_add = _scattered("scatter_add", "[6, 2, 8]")
scatter_sub = _scattered("scatter_sub", "[-4, 2, -2]")
scatter_mul = _scattered("scatter_mul", "[5, 2, 15]")
scatter_div = _scattered("scatter_div", "[1.0, 2.0, 2.0]", "[5.0, 2.0, 10.0]")
scatter_min = _scattered("scatter_min", "[1, 2, 3]")
scatter_max = _scattered("scatter_max", "[5, 2, 5]")


def _scattered_nd(kind: str, shown: str) -> Callable[..., Any]:
    def scatter(
        ref: Variable,
        indices: TensorLike,
        updates: TensorLike,
        use_locking: bool = False,
        name: str | None = None,
    ) -> Any:
        return getattr(ref, kind)(indices, updates)

    scatter.__name__ = scatter.__qualname__ = kind
    scatter.__doc__ = f"""As the method `{kind}` of Variables.

    >>> import tfc.compat.v1 as tf
    >>> v = tf.Variable([1, 2, 3])
    >>> tf.{kind}(v, [[0], [2]], [5, 5]).numpy().tolist()
    {shown}
    """
    return scatter


scatter_nd_update = _scattered_nd("scatter_nd_update", "[5, 2, 5]")
scatter_nd_add = _scattered_nd("scatter_nd_add", "[6, 2, 8]")
scatter_nd_sub = _scattered_nd("scatter_nd_sub", "[-4, 2, -2]")
