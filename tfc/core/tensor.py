"""Tensors as users hold them.

A `Tensor` owns a dense, row-major ndarray that nobody changes. A `SymbolicTensor` stands for a
value of a function that is being traced. A `StringTensor` holds text, which native code does not
know. Operators are attached by ops/operators.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from tfc.ir.core import Value
from tfc.ir.dtypes import DType, as_dtype, as_element_type, string
from tfc.ir.types import format_shape

from . import above, errors, formatting
from .array_methods import ArrayMethods, as_numpy, missing_attribute
from .context import context, user_location
from .formatting import shown
from .placement import HOST, device_name, moved
from .shapes import TensorShape

if TYPE_CHECKING:
    from tfc.backends.cuda.device import Device


class Held(ArrayMethods):
    """What native code looks into: one ndarray in the slot `_array`."""

    __slots__ = ("_array",)

    _array: np.ndarray

    @property
    def shape(self) -> TensorShape:
        """The extents."""
        return TensorShape.of(self._array.shape)

    @property
    def dtype(self) -> DType:
        """The element type."""
        return as_element_type(self._array.dtype)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self._array.ndim

    @property
    def device(self) -> str:
        """Where the memory is."""
        return device_name(self._array)

    def get_shape(self) -> TensorShape:
        """The same as `shape`.

        Returns:
            A TensorShape.
        """
        return self.shape

    def _on(self, device: Device | None) -> Tensor:
        """A tensor on a GPU, or (None) on the host: itself where it is there."""
        array = moved(self._array, device)
        return self if array is self._array and isinstance(self, Tensor) else wrap(array)

    if TYPE_CHECKING:  # what ops/operators.py attaches

        @property
        def T(self) -> Tensor: ...
        @property
        def mT(self) -> Tensor: ...
        def __getitem__(self, index: Any) -> Tensor: ...
        def __neg__(self) -> Tensor: ...
        def __abs__(self) -> Tensor: ...
        def __invert__(self) -> Tensor: ...
        def __round__(self, ndigits: int | None = None) -> Tensor: ...
        def __eq__(self, other: Any) -> Tensor: ...  # type: ignore[override]
        def __ne__(self, other: Any) -> Tensor: ...  # type: ignore[override]
        def __lt__(self, other: Any) -> Tensor: ...
        def __le__(self, other: Any) -> Tensor: ...
        def __gt__(self, other: Any) -> Tensor: ...
        def __ge__(self, other: Any) -> Tensor: ...
        def __add__(self, other: Any) -> Tensor: ...
        def __radd__(self, other: Any) -> Tensor: ...
        def __sub__(self, other: Any) -> Tensor: ...
        def __rsub__(self, other: Any) -> Tensor: ...
        def __mul__(self, other: Any) -> Tensor: ...
        def __rmul__(self, other: Any) -> Tensor: ...
        def __matmul__(self, other: Any) -> Tensor: ...
        def __rmatmul__(self, other: Any) -> Tensor: ...
        def __truediv__(self, other: Any) -> Tensor: ...
        def __rtruediv__(self, other: Any) -> Tensor: ...
        def __floordiv__(self, other: Any) -> Tensor: ...
        def __rfloordiv__(self, other: Any) -> Tensor: ...
        def __mod__(self, other: Any) -> Tensor: ...
        def __rmod__(self, other: Any) -> Tensor: ...
        def __pow__(self, other: Any) -> Tensor: ...
        def __rpow__(self, other: Any) -> Tensor: ...
        def __and__(self, other: Any) -> Tensor: ...
        def __rand__(self, other: Any) -> Tensor: ...
        def __or__(self, other: Any) -> Tensor: ...
        def __ror__(self, other: Any) -> Tensor: ...
        def __xor__(self, other: Any) -> Tensor: ...
        def __rxor__(self, other: Any) -> Tensor: ...
        def __lshift__(self, other: Any) -> Tensor: ...
        def __rlshift__(self, other: Any) -> Tensor: ...
        def __rshift__(self, other: Any) -> Tensor: ...
        def __rrshift__(self, other: Any) -> Tensor: ...


def note_leaving(tensor: Tensor) -> None:
    """Tell the tapes that NumPy is given the elements of a tensor."""
    for tape in context.tapes:
        tape.left(tensor)


_OVERLOADABLE: Final = (  # without the underscores
    "abs add and eq floordiv ge getitem gt invert le lt matmul mod mul ne neg or pow radd rand "
    "rfloordiv rmatmul rmod rmul ror rpow rsub rtruediv rxor sub truediv xor"
)


class Tensor(Held):
    """An immutable array. Make one with `tfc.constant` or as the result of an op.

    Unlike TensorFlow, it takes no attributes of the user's (`x.note = 1`).

    >>> import tfc as tf
    >>> x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    >>> x.shape, x.dtype
    (TensorShape([2, 2]), tf.float32)
    >>> print(x @ x)
    tf.Tensor(
    [[ 7. 10.]
     [15. 22.]], shape=(2, 2), dtype=float32)
    """

    # `_source`: of what is read of a Variable by an index, the two, so that it can be assigned to.
    __slots__ = ("__weakref__", "_source")
    __array_priority__ = 100
    OVERLOADABLE_OPERATORS: ClassVar[frozenset[str]] = frozenset(
        f"__{name}__" for name in _OVERLOADABLE.split()
    )

    _source: tuple[Any, Any]

    def _refused(self) -> set[str]:
        refused = super()._refused()
        if not hasattr(self, "_source"):  # it was not read of a Variable by an index
            refused |= {"_source", "assign", "assign_add", "assign_sub"}
        return refused

    def numpy(self) -> Any:
        """A copy as an ndarray, or a NumPy scalar for rank 0."""
        if context.tapes:
            note_leaving(self)
        array = self._array
        return array.copy() if array.ndim else array[()]

    def read(self) -> Tensor:
        """Itself; a Variable gives its value."""
        return self

    def ref(self) -> Reference:
        """A hashable stand-in, for use as a dictionary key."""
        return Reference(self)

    def set_shape(self, shape: Any) -> None:
        """State what the shape is. Raises ValueError where that contradicts what is known; while
        tracing, extents that were unknown are known from here on, and the call checks them."""
        if not self.shape.is_compatible_with(shape):
            raise ValueError(
                f"Tensor's shape {self.shape} is not compatible with supplied shape {shape} "
                f"({user_location()})"
            )

    def eval(self, feed_dict: Any = None, session: Any = None) -> Any:
        """TensorFlow 1's way to a value: NotImplementedError."""
        raise NotImplementedError(
            "eval is not supported when eager execution is enabled, is .numpy() what you're "
            "looking for?"
        )

    def consumers(self) -> Any:
        """The ops that use the tensor in a graph: there is none, NotImplementedError."""
        raise NotImplementedError("Tensor.consumers is undefined when eager execution is enabled.")

    def __getattr__(self, name: str) -> Any:
        if name == "graph" and context.trace is not None:
            return context.trace  # what the function's ops are appended to
        raise missing_attribute(type(self).__name__, name)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        if context.tapes:
            note_leaving(self)
        return as_numpy(self._array, dtype, copy)

    def __len__(self) -> int:
        if not self._array.ndim:
            raise TypeError("Scalar tensor has no `len()`")
        return len(self._array)

    def __bool__(self) -> bool:
        if self._array.size > 1:
            raise ValueError(
                "The truth value of an array with more than one element is ambiguous. Use "
                f"tf.reduce_any(x) or tf.reduce_all(x) ({user_location()})"
            )
        return bool(self._array.size and self._array)

    def __nonzero__(self) -> bool:
        """`__bool__` by the name that it had in Python 2, which libraries ask for."""
        return self.__bool__()

    def __int__(self) -> int:
        return int(self._array)

    def __float__(self) -> float:
        return float(self._array)

    def __complex__(self) -> complex:
        return complex(self._array)

    def __index__(self) -> int:
        if self._array.ndim or self._array.dtype.kind not in "iu":
            raise TypeError(f"only integer scalar tensors can be an index, got {self!r}")
        return int(self._array)

    def __iter__(self) -> Any:
        if not self._array.ndim:
            raise TypeError("Cannot iterate over a scalar tensor.")
        if context.tapes and context.trace is None:  # of all together the gradient is cheaper
            return iter(above.unstack(self))
        return (self[i] for i in range(len(self._array)))

    def __hash__(self) -> int:
        trace = context.trace
        if trace is not None and trace.graph is not None:  # a constant of TensorFlow 1's graphs
            return id(self)
        raise TypeError("Tensor is unhashable. Instead, use tensor.ref() as the key.")

    def __format__(self, spec: str) -> str:
        return format(self._array[()] if not self._array.ndim else self._array, spec)

    def __repr__(self) -> str:
        return formatting.tensor_repr(self._array, self.dtype.name)

    def __str__(self) -> str:
        return formatting.tensor_str(self._array, self.dtype.name)

    def _repr_html_(self) -> str:
        """What notebooks show."""
        head = f"tf.Tensor: shape={tuple(self._array.shape)}, dtype={self.dtype.name}"
        return above.tensor_html(np.asarray(self._array), head)

    def __reduce__(self) -> tuple[Any, ...]:
        return wrap, (self._array,)

    def __copy__(self) -> Tensor:
        return self

    def __deepcopy__(self, memo: Any) -> Tensor:
        return self


class SymbolicTensor(Tensor):
    """A tensor of a function that is being traced: it has a type, but no elements yet."""

    __slots__ = ("_extents", "_trace", "_value")

    def __init__(self, trace: Any, value: Value, extents: Any = None) -> None:
        self._trace = trace
        self._value = value
        self._extents = extents  # for the shape of a tensor: the extents that it holds

    @property
    def shape(self) -> TensorShape:
        return TensorShape.of(self._value.shape)

    @property
    def dtype(self) -> DType:
        return self._value.dtype

    @property
    def ndim(self) -> int:
        return self._value.rank

    @property
    def device(self) -> str:
        """Where the function runs, as far as `tfc.device` inside of it has said."""
        return (self._trace.outermost.device or HOST).name

    def _no_value(
        self, what: str, error: type[Exception] = TypeError, advice: str = ""
    ) -> Exception:
        from .leaks import is_traced, story

        if not is_traced(self):
            return error(story(self))
        advice = advice or (
            "Compute with ops (tfc.where, tfc.cond), or move this line out of the function."
        )
        return error(
            f"{what} needs the elements of a symbolic tensor ({self.dtype.name}, shape "
            f"{format_shape(self._value.shape)}), which is traced inside a tfc.function and has "
            f"none yet ({user_location()}). {advice}"
        )

    def _python_decides(self, what: str) -> Exception:
        """Where Python's control flow met a symbolic tensor: why it was not converted."""
        error = errors.OperatorNotAllowedInGraphError
        return self._no_value(f"{what} is not allowed: it", error, above.why_python_decides())

    def __getattr__(self, name: str) -> Any:
        if name == "_array":  # native code and eager ops look for the elements there
            raise self.out_of_scope()
        if name in ("graph", "op"):
            graph = self._trace.graph or above.graph_of_trace(self._trace)
            return graph if name == "graph" else graph.operation_of(self)
        raise missing_attribute("SymbolicTensor", name)

    def consumers(self) -> Any:
        """The operations of a graph that take the tensor; NotImplementedError of other tensors."""
        if self._trace.graph is None:
            super().consumers()
        return self._trace.graph.consumers(self)

    def eval(self, feed_dict: Any = None, session: Any = None) -> Any:
        """TensorFlow 1's way to a value, of a tensor of its graphs; NotImplementedError of others.

        Args:
            feed_dict: What is fed: values by tensor.
            session: The session; None: the default one.

        Returns:
            An array of NumPy.
        """
        if self._trace.graph is None:
            super().eval(feed_dict, session)
        return self._trace.graph.evaluate(self, feed_dict, session)

    def _refused(self) -> set[str]:
        elements = {"_array", "numpy", "cpu", "gpu", "__array__", "__dlpack__"}
        elements |= {"__dlpack_device__", "__cuda_array_interface__", "__complex__", "__float__"}
        return super()._refused() | elements | {"__index__", "__int__", "__reduce__"}

    @property
    def name(self) -> str:
        """The name of the value in the trace."""
        graph = self._trace.graph
        if graph is not None and not self._value.name:
            return f"{graph.name_of(self._value)}:0"
        return f"{self._value.name or 'value'}:0"

    def set_shape(self, shape: Any) -> None:
        super().set_shape(shape)
        known = TensorShape(shape).extents
        if known is not None:
            self._value = self._trace.refine(self._value, known)

    def out_of_scope(self) -> errors.InaccessibleTensorError:
        """What is raised where the tensor is used and its function is not being traced."""
        from .leaks import story

        return errors.InaccessibleTensorError(story(self))

    def numpy(self) -> Any:
        advice = "Return it, and call .numpy() on what the function gives; or compute with ops."
        raise self._no_value(".numpy()", AttributeError, advice)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        what = f"Cannot convert a symbolic tf.Tensor ({self.name}) to a numpy array. This"
        raise self._no_value(what, NotImplementedError)

    def __dlpack__(self, **options: Any) -> Any:
        raise self._no_value("DLPack", BufferError)

    def __len__(self) -> int:
        if not self._value.rank:
            raise TypeError("Scalar tensor has no `len()`")
        if isinstance(self._value.shape[0], int):
            return self._value.shape[0]
        raise self._no_value("len() of an unknown extent")

    def __bool__(self) -> bool:
        raise self._python_decides("Using a symbolic `tf.Tensor` as a Python `bool`")

    def __int__(self) -> int:
        raise self._no_value("int()", advice="To convert it, use tfc.cast(x, tfc.int32).")

    def __complex__(self) -> complex:
        raise self._no_value("complex()", advice="To convert it, use tfc.cast(x, tfc.complex64).")

    def __float__(self) -> float:
        raise self._no_value("float()", advice="To convert it, use tfc.cast(x, tfc.float32).")

    def __index__(self) -> int:
        known = above.known_elements(self)
        if known is not None and not known.ndim and known.dtype.kind in "iu":
            return int(known)
        raise self._no_value(
            "Use as a Python integer",
            advice="To pick an item of a list by a tensor, use tfc.gather(tfc.stack(items), i).",
        )

    def __iter__(self) -> Any:
        if not self._value.rank:
            raise TypeError("Cannot iterate over a scalar tensor.")
        n = self._value.shape[0]
        if not isinstance(n, int):
            raise self._python_decides("Iterating over a symbolic `tf.Tensor` of unknown extent")
        return (self[i] for i in range(n))

    def __hash__(self) -> int:
        if self._trace.graph is not None:  # a key of what is fed
            return id(self)
        return super().__hash__()

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __repr__(self) -> str:
        return formatting.symbolic_repr(self.name, self.shape, self.dtype.name)

    def _repr_html_(self) -> str:
        return above.tensor_html(None, repr(self)[1:-1])

    def __str__(self) -> str:
        return formatting.symbolic_str(self.name, self.shape, self.dtype.name)

    def __reduce__(self) -> tuple[Any, ...]:
        raise self._no_value("Pickling")


class Reference:
    """Compares and hashes by the identity of a tensor or Variable; `deref` gives it back."""

    __slots__ = ("_object",)

    def __init__(self, object_: Any) -> None:
        self._object = object_

    def deref(self) -> Any:
        return self._object

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reference) and self._object is other._object

    def __hash__(self) -> int:
        return id(self._object)


class StringTensor(Tensor):
    """A tensor of byte strings; text is UTF-8. Made by `tfc.constant(["a", "b"])`.

    >>> import tfc as tf
    >>> words = tf.constant([["a", "b"], ["c", "d"]])
    >>> words[:, 1]
    <tf.Tensor: shape=(2,), dtype=string, numpy=array([b'b', b'd'], dtype=object)>
    >>> print(words == "c")
    tf.Tensor(
    [[False False]
     [ True False]], shape=(2, 2), dtype=bool)
    """

    __slots__ = ()

    @property
    def dtype(self) -> DType:
        """`tfc.string`."""
        return string


def strings(array: np.ndarray) -> StringTensor:
    """A tensor that owns an array of bytes objects, which nobody changes any more."""
    tensor: StringTensor = StringTensor.__new__(StringTensor)
    if not array.flags.c_contiguous:
        array = np.array(array, object, order="C")
    tensor._array = array
    return tensor


def owned(array: np.ndarray) -> StringTensor:
    """`strings` of an array that may hold other objects: then a TypeError."""
    if not all(isinstance(item, bytes) for item in array.reshape(-1)):
        raise TypeError(f"an array of Python objects is no tensor: {shown(array)}")
    return strings(array)


_OBJECTS = np.dtype(object).num  # what holds strings


def wrap(array: np.ndarray) -> Tensor:
    """A Tensor that owns `array`, which nobody changes any more."""
    if array.dtype.num == _OBJECTS:
        return owned(array)
    dtype = as_dtype(array.dtype)
    if not array.flags.c_contiguous or not array.flags.aligned or array.dtype is not dtype.numpy:
        # NumPy has two names for some integers (long and long long): a view takes the one meant.
        array = np.array(array, dtype=dtype.numpy, order="C").view(dtype.numpy)
    tensor: Tensor = Tensor.__new__(Tensor)
    tensor._array = array
    return tensor


__all__ = ["Reference", "StringTensor", "SymbolicTensor", "Tensor"]
