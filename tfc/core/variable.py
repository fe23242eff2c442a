"""Variables as users hold them: a `Variable` has a tensor's array, and can be given another."""

from __future__ import annotations

import itertools
import sys
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from tfc.backends.calling_convention import registered

from . import above, errors, formatting
from .assigned_names import assigned_names
from .containers import Composite
from .context import active, context, settings, user_frame, user_location
from .conversion import convert_to_tensor
from .placement import placed, store
from .scopes import current_name_scope
from .shapes import TensorShape
from .tensor import Held, Reference, StringTensor, SymbolicTensor, Tensor, wrap
from .types import DTypeLike, ShapeLike, TensorLike
from .variable_creation import VariableType
from .variable_methods import (
    VariableAggregation,
    VariableMethods,
    VariableSynchronization,
    as_aggregation,
    as_synchronization,
)

if TYPE_CHECKING:
    import numpy.typing as npt

_names = itertools.count()


class Variable(Held, VariableMethods, metaclass=VariableType):
    """A tensor that can be assigned to; its shape and dtype stay.

    Unlike TensorFlow, a Variable with unknown extents cannot be assigned inside a `tfc.function`,
    and one of unknown rank has the shape of its value.

    Args:
        initial_value: What `convert_to_tensor` takes, or a callable that gives it.
        trainable: Whether tapes watch it by themselves; None is True.
        validate_shape: Not used.
        dtype: The dtype; None: that of the value.
        shape: The shapes that it takes, where that is more than the shape of the first value:
            `[None, 3]`.
        caching_device: Not used.
        variable_def: Not used.
        import_scope: Not used.
        constraint: A function that optimizers are to apply to new values; it is kept.
        synchronization: Kept; there is one device.
        aggregation: What becomes of the values that replicas assign: see `tf.distribute`.
        experimental_enable_variable_lifting: Not used.

    >>> import tfc as tf
    >>> v = tf.Variable(10.0)
    >>> v.assign_add(5.0)
    <tf.Variable 'Variable:0' shape=() dtype=float32, numpy=15.0>
    """

    __slots__ = (
        "__weakref__",
        "_assigned",
        "_declared",
        "_tensor",
        "_trainable",
        "aggregation",
        "constraint",
        "name",
        "synchronization",
    )
    __array_priority__ = 100

    def __init__(
        self,
        initial_value: TensorLike | Callable[[], TensorLike] | None = None,
        trainable: bool | None = None,
        validate_shape: bool = True,
        name: str | None = None,
        dtype: DTypeLike | None = None,
        shape: ShapeLike | None = None,
        *,
        caching_device: Any = None,
        variable_def: Any = None,
        import_scope: Any = None,
        constraint: Callable[[Any], Any] | None = None,
        synchronization: VariableSynchronization | str = "auto",
        aggregation: VariableAggregation | str = "none",
        experimental_enable_variable_lifting: bool = True,
    ) -> None:
        if initial_value is None:
            raise ValueError(
                "The `initial_value` arg to `tf.Variable` must be specified except when you are "
                "not providing a `variable_def`. You provided neither."
            )
        trace = context.trace
        if trace is not None:
            trace.create(self)
        if callable(initial_value):
            with active(trace=None, tapes=()):
                value = initial_value()
        else:
            value = initial_value
        tensor = convert_to_tensor(value, dtype)
        if isinstance(tensor, SymbolicTensor):
            lifted = None if trace is None else trace.lift(tensor)
            if lifted is None:
                raise ValueError(
                    "a Variable cannot start from a traced tensor whose elements no call has given "
                    f"({user_location()}): create it outside of the tfc.function, or give a "
                    "callable or a constant."
                )
            tensor = lifted
        if constraint is not None and not callable(constraint):
            raise ValueError(
                f"Argument `constraint` must be None or a callable. Got a {type(constraint)}: "
                f"{constraint!r}"
            )
        declared = tensor.shape if shape is None else TensorShape(shape)
        if not declared.is_compatible_with(tensor.shape):
            raise ValueError(
                f"In this `tf.Variable` creation, the initial value's shape ({tensor.shape}) is "
                f"not compatible with the explicitly supplied `shape` argument ({shape}). "
                f"({user_location()})"
            )
        if settings.accelerated:
            tensor = placed(tensor, variable=True)
        self._tensor = weakref.ref(tensor)  # else the memory could not be written again
        self._array = tensor._array
        self._declared = None if declared.is_fully_defined() else declared
        self.name = f"{current_name_scope()}{name or 'Variable'}:0"
        frame = user_frame() if name is None else None
        names = assigned_names(frame) if frame is not None else ()
        self._assigned = names[0] if len(names) == 1 else ""
        self.constraint = constraint
        self.synchronization = as_synchronization(synchronization)
        on_read = self.synchronization is VariableSynchronization.ON_READ
        self._trainable = not on_read if trainable is None else bool(trainable)
        self.aggregation = as_aggregation(aggregation)
        if settings.made is not None:
            settings.made(self)

    @property
    def trainable(self) -> bool:
        """Whether tapes watch it by themselves. Libraries change it as `_trainable`."""
        return self._trainable

    @trainable.setter
    def trainable(self, value: bool) -> None:
        self._trainable = bool(value)

    @property
    def called(self) -> str:
        """What texts of functions call it: its name, or what it was assigned to where it was made
        without one."""
        name = self.name.removesuffix(":0")
        assigned = getattr(self, "_assigned", "")
        return name.removesuffix("Variable") + assigned if assigned else name

    @property
    def shape(self) -> TensorShape:
        """The extents; None where values of several may be assigned. (If those of any rank may,
        the extents of the value.)"""
        declared = self._declared
        if declared is None or declared.rank is None:
            return TensorShape.of(self._array.shape)
        return declared

    def read(self) -> Tensor:
        """The value now; the same Tensor, while somebody holds it, until the next assignment.

        Returns:
            A tensor.
        """
        tensor, array = self._tensor(), self._array
        if tensor is None or tensor._array is not array:
            tensor = wrap(array)
            self._tensor = weakref.ref(tensor)
        for tape in context.tapes:
            tape.read(self, tensor)
        return tensor

    def value(self) -> Tensor:
        """The value now, as a Tensor.

        Returns:
            A tensor.
        """
        trace = context.trace
        if trace is not None:
            return SymbolicTensor(trace, trace.value_of(self))
        return self.read()

    read_value = value

    def numpy(self) -> Any:
        """The value as an array of NumPy.

        Returns:
            A copy: an ndarray, or a NumPy scalar for rank 0.
        """
        trace = context.trace
        if trace is not None and trace.has_assigned(self):
            return self.value().numpy()
        return self._array.copy() if self._array.ndim else self._array[()]

    @property
    def handle(self) -> Variable:
        """The Variable itself: what objects that wrap one give by this name (see `held`)."""
        return self

    def ref(self) -> Reference:
        """A hashable stand-in, for use as a dictionary key.

        Returns:
            A Reference; its `deref` gives the Variable.
        """
        return Reference(self)

    def _set(self, value: TensorLike, op: str) -> Variable:
        tensor = self._converted(value, op)
        wide = self._declared
        if not (self.shape if wide is None else wide).is_compatible_with(tensor.shape):
            raise ValueError(
                f"Cannot {op} value to variable '{self.name}': Shape mismatch. The variable shape "
                f"{self.shape}, and the assigned value shape {tensor.shape} are "
                f"incompatible. ({user_location()})"
            )
        trace = context.trace
        if trace is not None:
            if wide is not None:
                raise errors.UnimplementedError(
                    f"{op}: Variable '{self.name}' of shape {wide} cannot be assigned inside a "
                    "tfc.function, where its extents must be known",
                    op=op,
                    location=user_location(),
                )
            trace.assign(self, tensor)
        elif settings.accelerated:
            store(self, tensor._array)
        else:
            self._array = tensor._array
        return self

    def _converted(self, value: TensorLike, op: str) -> Tensor:
        try:
            return convert_to_tensor(value, self.dtype)
        except (TypeError, ValueError) as error:
            raise type(error)(
                f"Cannot {op} value to variable '{self.name}': {error} ({user_location()})"
            ) from None

    def assign(
        self,
        value: TensorLike,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Variable:
        """Make `value` the value.

        Args:
            value: A tensor, or what becomes one, of the Variable's dtype and a shape it takes.
            use_locking: Not used: an assignment is one step in any case.
            read_value: Not used.

        Returns:
            The Variable.

        Raises:
            ValueError: If the shape or the dtype is another one.
        """
        if settings.replicas is not None and settings.replicas(self, "assign", value):
            return self
        return self._set(value, "assign")

    def assign_add(
        self,
        delta: TensorLike,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Variable:
        """Add `delta` to the value.

        Args:
            delta: A tensor, or what becomes one, of the Variable's dtype, whose shape broadcasts
                to the Variable's.
            use_locking: Not used: an assignment is one step in any case.
            read_value: Not used.

        Returns:
            The Variable.

        Raises:
            InvalidArgumentError: If the shapes do not broadcast (ValueError while tracing).
            ValueError: If the dtype is another one.
        """
        if settings.replicas is not None and settings.replicas(self, "assign_add", delta):
            return self
        return self._set(self + self._converted(delta, "assign_add"), "assign_add")

    def assign_sub(
        self,
        delta: TensorLike,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Variable:
        """Subtract `delta` from the value.

        Args:
            delta: A tensor, or what becomes one, of the Variable's dtype, whose shape broadcasts
                to the Variable's.
            use_locking: Not used: an assignment is one step in any case.
            read_value: Not used.

        Returns:
            The Variable.

        Raises:
            InvalidArgumentError: If the shapes do not broadcast (ValueError while tracing).
            ValueError: If the dtype is another one.
        """
        if settings.replicas is not None and settings.replicas(self, "assign_sub", delta):
            return self
        return self._set(self - self._converted(delta, "assign_sub"), "assign_sub")

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> np.ndarray:
        return self.value().__array__(dtype, copy)

    def __len__(self) -> int:
        return len(self.value())

    def __bool__(self) -> bool:
        return bool(self.value())

    def __int__(self) -> int:
        return int(self.value())

    def __float__(self) -> float:
        return float(self.value())

    def __complex__(self) -> complex:
        return complex(self.value())

    def __index__(self) -> int:
        return self.value().__index__()

    def __iter__(self) -> Iterator[Tensor]:
        return iter(self.value())

    def __hash__(self) -> int:
        raise TypeError("Variable is unhashable. Instead, use variable.ref() as the key.")

    def __format__(self, spec: str) -> str:
        return format(self.value(), spec)

    def _no_augmented(self, other: object) -> NoReturn:
        raise RuntimeError(
            "Variable += value not supported (nor -=, *=, /=, //=, **=). Use "
            "`variable.assign_add(value)` to modify the variable, and "
            f"`variable = variable + value` to get a new Tensor object. ({user_location()})"
        )

    __iadd__ = __isub__ = __imul__ = __imatmul__ = _no_augmented
    __itruediv__ = __ifloordiv__ = __imod__ = __ipow__ = _no_augmented

    def __repr__(self) -> str:
        if context.trace is not None:
            return formatting.symbolic_variable_repr(self.name, self.shape, self.dtype.name)
        return formatting.variable_repr(self.name, self._array, self.dtype.name, self._declared)

    __str__ = __repr__

    def _repr_html_(self) -> str:
        """What notebooks show."""
        shape = tuple(self._array.shape)
        head = f"tf.Variable {self.name!r}: shape={shape}, dtype={self.dtype.name}"
        traced = context.trace is not None
        return above.tensor_html(None if traced else np.asarray(self._array), head)

    def __copy__(self) -> Variable:
        return self.__deepcopy__({})

    def __deepcopy__(self, memo: Any) -> Variable:
        copied = _variable(*self._parts())
        memo[id(self)] = copied
        return copied

    def __reduce__(self) -> tuple[Any, ...]:
        return _variable, self._parts()

    def _parts(self) -> tuple[Any, ...]:
        """What `_variable` makes an equal one of: its value and what it was made with."""
        options = {
            "trainable": self.trainable,
            "name": self.name.removesuffix(":0"),
            "shape": self._declared,
            "constraint": self.constraint,
            "synchronization": self.synchronization,
            "aggregation": self.aggregation,
        }
        return wrap(self._array), options, dict(self.__dict__)


def _variable(value: Tensor, options: dict[str, Any], attributes: dict[str, Any]) -> Variable:
    """A Variable from what `_parts` gives."""
    variable = Variable(value, **options)
    variable.__dict__.update(attributes)
    return variable


def is_tensor(x: object) -> bool:
    """Whether `x` is a tensor (a sparse or ragged one, or IndexedSlices, too) or a Variable.

    Args:
        x: Anything.

    Returns:
        A Python bool.

    >>> import tfc as tf
    >>> tf.is_tensor(tf.constant(1)), tf.is_tensor(tf.Variable(1)), tf.is_tensor([1])
    (True, True, False)
    """
    return isinstance(x, Tensor | Variable) or (isinstance(x, Composite) and x._is_tensor)


def held(x: Any) -> Any:
    """A tensor or Variable as it is; the Variable of an object that wraps one and gives it as
    `handle`, as Keras' Variables do; None for anything else."""
    if isinstance(x, Held):
        return x
    own = getattr(x, "handle", None)
    return own if isinstance(own, Variable) else None


@contextmanager
def unchanged(variables: Iterable[Variable]) -> Iterator[None]:
    """Give Variables the values back that they have now, however they change inside."""
    arrays = [(v, v._array) for v in variables]
    try:
        yield
    finally:
        for variable, array in arrays:
            variable._array = array


def register_with_native_code() -> None:
    """Tell the backend which classes are tensors: when native code is imported, it finds them."""
    runtime = sys.modules.get("tfc.backends.cpu.runtime.runtime")
    if runtime is not None:
        runtime.register(Tensor, Variable, StringTensor)
    else:
        registered.extend((Tensor, Variable, StringTensor))


__all__ = ["Variable", "held", "is_tensor"]
