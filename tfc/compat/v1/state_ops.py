"""`tfc.compat.v1`: Variables that are got by name, and how they are assigned to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import tfc
from tfc.core import blame

from ..graphs import variables
from ..graphs.trace import current_graph

if TYPE_CHECKING:
    from tfc.core.types import DTypeLike, ShapeLike, TensorLike
    from tfc.core.variable import Variable


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


def _new_variable(name: str, shape: Any, dtype: Any, initializer: Any, trainable: Any) -> Variable:
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
            receptive = 1
            for extent in extents[:-2]:
                receptive *= extent
            fans = [receptive * e for e in (extents[-2:] * 2)[:2]] or [1, 1]
            limit = (6.0 / max(1, sum(fans))) ** 0.5
            value = tfc.random.uniform(extents, -limit, limit, kind)
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
        return tfc.random.truncated_normal(shape, mean, stddev, dtype, seed)

    return initializer
