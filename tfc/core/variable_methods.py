"""What TensorFlow's Variables have beside their value: modes of distribution, and the parts that
belong to graphs, which say so."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any, NoReturn

from .conversion import convert_to_tensor

if TYPE_CHECKING:
    from .tensor import Tensor
    from .types import ShapeLike


class VariableSynchronization(enum.Enum):
    """When the copies of a Variable on several devices are brought together. Accepted and kept;
    there is one device.

    >>> import tfc as tf
    >>> v = tf.Variable(1.0, synchronization=tf.VariableSynchronization.ON_READ)
    >>> v.synchronization.name
    'ON_READ'
    """

    AUTO = 0
    NONE = 1
    ON_WRITE = 2
    ON_READ = 3


class VariableAggregation(enum.Enum):
    """What becomes of the values that the replicas of a `tf.distribute.Strategy` assign to a
    Variable: their sum, their mean, or that of the first replica. NONE: to do so is an error.

    >>> import tfc as tf
    >>> v = tf.Variable(1.0, aggregation=tf.VariableAggregation.MEAN)
    >>> v.aggregation.name
    'MEAN'
    """

    NONE = 0
    SUM = 1
    MEAN = 2
    ONLY_FIRST_REPLICA = 3


_OF_GRAPHS = ("initial_value", "op", "graph", "initializer", "handle", "save_slice_info")


class VariableMethods:
    """The mixin. A Variable's own attributes, beyond slots, are kept in its `__dict__`."""

    __slots__ = ("__dict__",)

    def __getattr__(self, name: str) -> Any:
        if name == "_array":
            from tfc.backends.cpu.runtime.runtime import awaited_array

            return awaited_array(self)
        if name in _OF_GRAPHS:
            raise AttributeError(
                f"Variable.{name} is not supported: a Variable has its value from the start, and "
                "no graph"
            )
        raise AttributeError(f"'Variable' object has no attribute {name!r}")

    def is_initialized(self, name: str | None = None) -> Tensor:
        """Whether it has a value: a Variable has it from the start.

        Returns:
            True, as a scalar tensor.
        """
        return convert_to_tensor(True)

    def initialized_value(self) -> Tensor:
        """The same as `value()` (TensorFlow 1's name).

        Returns:
            A tensor.
        """
        variable: Any = self
        return variable.value()

    def eval(self, session: object = None) -> NoReturn:
        """TensorFlow 1's way to a value, which is not there.

        Args:
            session: Of no effect.

        Returns:
            Nothing: it raises.

        Raises:
            NotImplementedError: Always; `numpy` and `read_value` give the value.
        """
        raise NotImplementedError("eval is not supported: use .numpy() or .read_value()")

    def set_shape(self, shape: ShapeLike) -> None:
        """State what the shape is.

        Args:
            shape: A shape; None stands for what is not known.

        Raises:
            ValueError: If it is another one.
        """
        variable: Any = self
        if not variable.shape.is_compatible_with(shape):
            raise ValueError(f"Variable's shape {variable.shape} is not compatible with {shape}")
        variable._declared = variable.shape.merge_with(shape)


def as_synchronization(value: VariableSynchronization | str) -> VariableSynchronization:
    """A mode, or its name; ValueError for another."""
    return _member(VariableSynchronization, value)


def as_aggregation(value: VariableAggregation | str) -> VariableAggregation:
    """A mode, or its name; ValueError for another."""
    return _member(VariableAggregation, value)


def _member(kind: Any, value: Any) -> Any:
    if isinstance(value, kind):
        return value
    try:
        return kind[str(value).upper()]
    except KeyError:
        names = ", ".join(m.name for m in kind)
        what = kind.__name__.removeprefix("Variable").lower()
        raise ValueError(
            f"Invalid variable {what} mode: {value!r} is no {kind.__name__}: {names}"
        ) from None
